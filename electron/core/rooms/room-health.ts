import type { FirmwareWord } from '../../contract/api/devices.ts'
import type { RoomHealth, RoomRow, RoomStatus } from '../../contract/api/rooms.ts'

/**
 * Counts of a room's devices by status. `error` devices report an error in their status; the rest of
 * `devices` is unknown.
 */
export interface RoomTally {
  readonly devices: number
  readonly online: number
  readonly offline: number
  readonly rebooting: number
  readonly error: number
}

/** A room's devices by firmware; the rest of `RoomTally.devices` is unknown. */
export type FirmwareTally = Readonly<Record<Exclude<FirmwareWord, 'unknown'>, number>>

/**
 * A status other than our own values is shown as received. One that contains such a part reports an error;
 * any other says nothing about the device's health. The values are not published (services.md#B12): extend
 * the list when others are seen.
 */
const errorPieces = ['error', 'fault', 'fail']

const tellsOfError = (status: string): boolean =>
  errorPieces.some((piece) => status.toLowerCase().includes(piece))

/** The counter of a status; null: it is unknown, or a value that says nothing about health. */
export function countedAs(status: string): Exclude<keyof RoomTally, 'devices'> | null {
  if (status === 'online' || status === 'offline' || status === 'rebooting') return status
  return tellsOfError(status) ? 'error' : null
}

/**
 * Rebooting devices and those with an error have a known status; so unknown ones are never counted as
 * offline.
 */
export const unknownIn = ({ devices, online, offline, rebooting, error }: RoomTally): number =>
  devices - online - offline - rebooting - error

/**
 * The rules of contract/room.ts. `tally` null: nothing is known about the room's devices; `revoked`: how many
 * run revoked firmware. A gone room has no health.
 */
export function healthOf(
  status: RoomStatus,
  tally: RoomTally | null,
  gone: boolean,
  revoked: number,
): RoomHealth {
  if (gone) return 'unknown'
  const known = tally !== null && tally.devices > 0 ? tally : null
  if (known !== null && known.offline === known.devices) return 'down'
  if (status === 'disconnected' || revoked > 0) return 'trouble'
  if (known === null) return 'unknown'
  if (known.offline > 0 || known.error > 0) return 'trouble'
  return unknownIn(known) > 0 ? 'unknown' : 'ok'
}

/** Worst first. */
export const healthsWorstFirst: readonly RoomHealth[] = ['down', 'trouble', 'unknown', 'ok']
export const firmwareWorstFirst: readonly FirmwareWord[] = [
  'revoked',
  'behind',
  'unknown',
  'ahead',
  'current',
]

/** The compliance values that occur among a room's devices, worst first. */
export function firmwareValues(
  devices: number,
  { current, behind, ahead, revoked }: FirmwareTally,
): readonly FirmwareWord[] {
  const counts: Readonly<Record<FirmwareWord, number>> = {
    current,
    behind,
    ahead,
    revoked,
    unknown: devices - current - behind - ahead - revoked,
  }
  return firmwareWorstFirst.filter((word) => counts[word] > 0)
}

/**
 * Why a room needs attention, in English, for files and the command line; null: it does not. `notOnline`: the
 * names of its devices that are not online.
 */
export function whyOf(
  {
    health,
    status,
    deviceCount,
    worstFirmware,
    behindCount,
  }: Pick<RoomRow, 'health' | 'status' | 'deviceCount' | 'worstFirmware' | 'behindCount'>,
  notOnline: readonly string[],
): string | null {
  const parts = [
    ...(notOnline.length > 0 ? [`not online: ${notOnline.join(', ')}`] : []),
    ...(status === 'disconnected' && notOnline.length === 0 ? ['reported as disconnected'] : []),
    ...(worstFirmware === 'revoked' ? ['revoked firmware'] : []),
    ...(behindCount ? [`${behindCount} ${behindCount === 1 ? 'device' : 'devices'} to update`] : []),
    ...(health === 'unknown' ? [deviceCount === 0 ? 'no devices' : 'its devices are not known'] : []),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}
