import { formFactorOf } from '../../electron/contract/form-factor.ts'
import type { RoomHealth, RoomMember, RoomRow } from '../../electron/contract/api/rooms.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { markOfStatus, type StatusKind } from '../components/status-kind.ts'
import type { Drawing } from './grid-cells.ts'

/** Grey for offline, amber for what needs a check: red is for failures. */
const marks: ReadonlyMap<string, StatusKind> = new Map<RoomHealth, StatusKind>([
  ['ok', 'ok'],
  ['trouble', 'warn'],
  ['down', 'bad'],
  ['unknown', 'unknown'],
])
export const markOfHealth = (health: string): StatusKind => marks.get(health) ?? 'unknown'
export const wordOfHealth = (health: string): string =>
  marks.has(health) ? text(`rooms.health.${health}`) : health

/** There is no problem, but not all devices are online: the others restart (contract, RoomHealth). */
const restarts = ({
  health,
  deviceCount,
  onlineCount,
}: Pick<RoomRow, 'health' | 'deviceCount' | 'onlineCount'>): boolean =>
  health === 'ok' && deviceCount !== null && onlineCount !== null && onlineCount < deviceCount
/** The displayed health of a room: green is for usable rooms, so a restarting room is not green. */
export const visibleHealth = (
  room: Pick<RoomRow, 'health' | 'deviceCount' | 'onlineCount'>,
): { readonly kind: StatusKind; readonly label: string } =>
  restarts(room)
    ? { kind: 'busy', label: text('rooms.health.rebooting') }
    : { kind: markOfHealth(room.health), label: wordOfHealth(room.health) }

/** A device that restarts, or of which nothing is known, has no sign: only what somebody must look at has one. */
const signs: Readonly<Partial<Record<StatusKind, Drawing['sign']>>> = { off: 'off', warn: 'warn', bad: 'bad' }

/** The symbol for a device of a room. */
export const drawingOf = ({
  productName,
  status,
  isRevoked,
}: Pick<RoomMember, 'productName' | 'isRevoked'> & { readonly status: string }): Drawing => ({
  form: formFactorOf(productName),
  sign: signs[markOfStatus(status)] ?? (isRevoked ? 'bad' : null),
})

/** `3 of 5 · 1 unknown`; null: nothing is known about the room's devices. */
export function onlineOf({ deviceCount, onlineCount, unknownCount }: RoomRow): string | null {
  if (deviceCount === null) return null
  const named = {
    online: onlineCount === null ? '?' : formatCount(onlineCount),
    all: formatCount(deviceCount),
  }
  return unknownCount
    ? text('rooms.ofDevicesUnknown', { ...named, unknown: formatCount(unknownCount) })
    : text('rooms.ofDevices', named)
}
