import { Failed } from '../../contract/failure.ts'
import { operationNamed, pathOf } from '../../contract/operations.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { SkipReason } from '../../contract/api/jobs.ts'
import { readRoom, type Management, type RoomRecord } from '../management/management.ts'
import type { Clock } from '../platform.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { Rooms } from './rooms.ts'
import type { ServiceRequest } from '../service-client/service-client.ts'

export interface RoomNowParts {
  readonly organizationId: string
  readonly rooms: Pick<Rooms, 'find'>
  readonly management: Pick<Management, 'room'>
  readonly clock: Pick<Clock, 'now'>
}

/** How it is asked for. */
export interface RoomAsk {
  readonly lane: Lane
  readonly signal: AbortSignal | null
}

/** A record of the room, as one of its group ids answered. */
export interface RoomAnswer {
  readonly groupId: string
  readonly record: RoomRecord
  readonly receivedAt: number
}

/** One reading of a room from the service. Nothing of it is kept by itself. */
export interface RoomReading {
  /** As the store knew it before; null: no sync has met it. */
  readonly known: Room | null
  /** What its group ids answered. */
  readonly answers: readonly RoomAnswer[]
  /** Group ids the service does not know, as when a device has left. */
  readonly unknown: readonly { readonly groupId: string; readonly receivedAt: number }[]
  /** What kept a group id from answering. */
  readonly failures: readonly Failed[]
}

/**
 * The one way a room is read from the service: by all its group ids at once, one call each. `id`: the room's own, or a group id. One group id
 * that fails does not hide what another one tells. Rejects with Failed `cache-unusable`.
 */
export async function readRoomNow(
  { organizationId, rooms, management, clock }: RoomNowParts,
  id: string,
  ask: RoomAsk,
): Promise<RoomReading> {
  const known = await rooms.find(organizationId, id, 'unread-too').catch((error: unknown) => {
    // A room that no sync has seen may still be read by a group id.
    if (error instanceof Failed && error.failure.kind === 'not-found') return null
    throw error
  })
  const answers: RoomAnswer[] = []
  const unknown: { groupId: string; receivedAt: number }[] = []
  const failures: Failed[] = []
  const groupIds = groupIdsToAsk(known ?? { id, groupIds: [] })
  await Promise.all(
    groupIds.map(async (groupId) => {
      try {
        const { raw, receivedAt } = await management.room({ groupId, ...ask })
        const reading = readRoom(raw)
        if (reading.readable) answers.push({ groupId, record: reading.record, receivedAt })
        else failures.push(withoutId())
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        if (error.failure.kind === 'not-found') unknown.push({ groupId, receivedAt: clock.now() })
        else failures.push(error)
      }
    }),
  )
  const inOrder = answers.toSorted((a, b) => groupIds.indexOf(a.groupId) - groupIds.indexOf(b.groupId))
  return { known, answers: inOrder, unknown, failures }
}

const call = { operation: 'GetRoom', host: 'management interface' } as const
const withoutId = (): Failed =>
  new Failed({
    kind: 'unreadable-answer',
    call,
    where: 'the room',
    message: 'The record of the room has no id.',
  })
/** For a room that no group id names. */
export const roomNotFound = (known: Room | null, id: string): Failed =>
  new Failed({ kind: 'not-found', call, what: known?.name ?? id })

/** A device that a reboot of its room takes down. */
export interface RebootDevice extends RoomDevice {
  /** False: the service does not list it in the room now, but the last sync found it there, so it may go down as well. */
  readonly listedNow: boolean
}

/** A room that is to be written to, as the service tells of it now. */
export interface RoomNow {
  readonly id: string
  readonly name: string | null
  readonly timeZone: string | null
  /** The one the service knew it by; the room's address. */
  readonly groupId: string
  /** null: neither the service nor the last sync tells which devices stand in it. */
  readonly devices: readonly RebootDevice[] | null
}

/**
 * Reads a room for a write, or for the plan of one: the store is left as it is, for a list that names fewer devices proves nothing, and half a
 * reading is not enough. Rejects with Failed: `not-found`, or what befell the reading.
 */
export async function readRoomForWrite(parts: RoomNowParts, id: string, ask: RoomAsk): Promise<RoomNow> {
  const { known, answers, failures } = await readRoomNow(parts, id, ask)
  if (failures[0] !== undefined) throw failures[0]
  const [first] = answers
  if (first === undefined) throw roomNotFound(known, id)
  return {
    id: known?.id ?? first.record.id,
    name: first.record.name ?? known?.name ?? null,
    timeZone: first.record.timeZone ?? known?.timeZone ?? null,
    groupId: first.groupId,
    devices: membersOf(
      answers.map(({ record }) => record),
      known,
      parts.clock.now(),
    ),
  }
}

/** The group ids a room is read by; without one, its own id is tried. */
export const groupIdsToAsk = ({ id, groupIds }: Pick<Room, 'id' | 'groupIds'>): readonly string[] =>
  groupIds.length === 0 ? [id] : groupIds

/**
 * What the service lists now, and what the last sync knows besides: a list that names fewer proves of none that it stays up. Names and firmware
 * come from the sync. null: nobody knows any.
 */
function membersOf(
  records: readonly RoomRecord[],
  known: Room | null,
  at: number,
): readonly RebootDevice[] | null {
  const members = new Map<string, RebootDevice>(
    (known?.devices ?? []).map((device) => [device.id, { ...device, listedNow: false }]),
  )
  for (const device of records.flatMap((record) => record.devices ?? [])) {
    const before = members.get(device.id)
    members.set(device.id, {
      id: device.id,
      name: before?.name ?? device.name,
      status: device.status === 'unknown' ? (before?.status ?? 'unknown') : device.status,
      productName: before?.productName ?? null,
      serialNumber: before?.serialNumber ?? null,
      firmwareVersion: before?.firmwareVersion ?? null,
      firmwareStatus: device.firmwareStatus ?? before?.firmwareStatus ?? null,
      firmware: before?.firmware ?? null,
      lastSeenAt: before?.lastSeenAt ?? null,
      observedAt: before?.observedAt ?? at,
      listedNow: true,
    })
  }
  return members.size === 0 ? null : [...members.values()]
}

/** Whose restart is waited for: those listed now; where the service lists none, all that are known. */
export function listedFirst<D extends Pick<RebootDevice, 'listedNow'>>(devices: readonly D[]): readonly D[] {
  const listed = devices.filter(({ listedNow }) => listedNow)
  return listed.length > 0 ? listed : devices
}

const rebootRoom = operationNamed('RebootRoom')

/** The one request that restarts a room. */
export function rebootRequest(
  { rebootBy }: Pick<Organization, 'rebootBy'>,
  room: Pick<RoomNow, 'id' | 'groupId'>,
): Omit<ServiceRequest, 'signal'> {
  // Specification: the group id of any device of the room. Observed in another client: the room's own id. The profile says which.
  const path = pathOf(rebootRoom, { groupId: rebootBy === 'room-id' ? room.id : room.groupId })
  return {
    operation: rebootRoom.name,
    method: rebootRoom.method,
    path,
    body: null,
    lane: 'write',
    writes: true,
  }
}

/** Unknown is never taken for offline, and a device that restarts is on. */
const isOffline = ({ status }: Pick<RoomDevice, 'status'>): boolean => status === 'offline'

/** Why a room cannot or should not be restarted. */
export function rebootProblem(
  devices: readonly Pick<RoomDevice, 'status'>[] | null,
): Extract<SkipReason, 'nothing-online' | 'members-unknown'> | null {
  if (devices === null || devices.length === 0) return 'members-unknown'
  // Observed 4.5: only online devices restart, offline ones are skipped.
  return devices.every(isOffline) ? 'nothing-online' : null
}

/** `2 online, 1 offline`: what the journal keeps of the room before. */
export function standingOf(devices: readonly Pick<RoomDevice, 'status'>[]): string {
  const counts = new Map<string, number>()
  for (const { status } of devices) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
}
