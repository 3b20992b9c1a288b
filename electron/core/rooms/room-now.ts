import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import { operationNamed, pathOf } from '../../contract/operations.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { SkipReason } from '../../contract/api/jobs.ts'
import { parseRoom, type Management, type RoomRecord } from '../management/management.ts'
import { idKey } from '../storage/record-ids.ts'
import type { Clock } from '../platform.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { Rooms } from './rooms.ts'
import type { ServiceRequest } from '../service-client/service-client.ts'

export interface RoomNowDeps {
  readonly organizationId: string
  readonly rooms: Pick<Rooms, 'find'>
  readonly management: Pick<Management, 'room'>
  readonly clock: Pick<Clock, 'now'>
}

/** The options of the read. */
export interface RoomAsk {
  readonly lane: Lane
  readonly signal: AbortSignal | null
}

/** A record of the room, as returned for one of its group ids. */
export interface RoomResult {
  readonly groupId: string
  readonly record: RoomRecord
  readonly receivedAt: number
}

/** One read of a room from the service. It is not stored automatically. */
export interface FetchedRoom {
  /** The earlier stored record; null: it was never synced. */
  readonly known: Room | null
  /** The responses for its group ids. */
  readonly answers: readonly RoomResult[]
  /** Group ids the service does not know, for example after a device has left. */
  readonly unknown: readonly { readonly groupId: string; readonly receivedAt: number }[]
  /** Failures of the other group ids. */
  readonly failures: readonly Failed[]
}

/**
 * The only function that reads a room from the service: by all its group ids at once, one call each. `id`:
 * the room's own, or a group id. A failing group id does not affect the responses for the others. Rejects
 * with Failed `cache-unusable`.
 */
export async function fetchRoomNow(
  { organizationId, rooms, management, clock }: RoomNowDeps,
  id: string,
  ask: RoomAsk,
): Promise<FetchedRoom> {
  // A room that was never synced can still be read by a group id.
  const known = await foundOrNull(rooms.find(organizationId, id, 'unread-too'))
  const answers: RoomResult[] = []
  const unknown: { groupId: string; receivedAt: number }[] = []
  const failures: Failed[] = []
  const groupIds = groupIdsToAsk(known ?? { id, groupIds: [] })
  await Promise.all(
    groupIds.map(async (groupId) => {
      try {
        const { raw, receivedAt } = await management.room({ groupId, ...ask })
        const reading = parseRoom(raw)
        if (reading.readable) answers.push({ groupId, record: reading.record, receivedAt })
        else failures.push(withoutId())
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        if (isKind(error.failure, 'not-found')) unknown.push({ groupId, receivedAt: clock.now() })
        else failures.push(error)
      }
    }),
  )
  const inOrder = answers.toSorted((a, b) => groupIds.indexOf(a.groupId) - groupIds.indexOf(b.groupId))
  return { known, answers: inOrder, unknown, failures }
}

const call = { operation: 'GetRoom', host: null } as const
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
  /**
   * False: the service no longer lists it in the room, but the last sync found it there, so it may go down as
   * well.
   */
  readonly listedNow: boolean
}

/** A room to be written to, as the service now returns it. */
export interface RoomNow {
  readonly id: string
  /** Its id as the service now spells it. */
  readonly sentId: string
  readonly name: string | null
  readonly timeZone: string | null
  /** The group id that the service knows: the address of the room. */
  readonly groupId: string
  /** If an answer is another room's: which one. Nothing may be sent then. null: all are of this room. */
  readonly other: string | null
  /** null: neither the service nor the last sync lists its devices. */
  readonly devices: readonly RebootDevice[] | null
}

/**
 * Reads a room for a write, or for the plan of one. It does not change the store, because a shorter list of
 * devices proves nothing, and the read may be incomplete. Rejects with Failed: `not-found`, or the error of
 * the read itself.
 */
export async function fetchRoomForWrite(deps: RoomNowDeps, id: string, ask: RoomAsk): Promise<RoomNow> {
  const { known, answers, failures } = await fetchRoomNow(deps, id, ask)
  if (failures[0] !== undefined) throw failures[0]
  const [first] = answers
  if (first === undefined) throw roomNotFound(known, id)
  return {
    other: otherRoom(known, answers),
    id: known?.id ?? first.record.id,
    sentId: first.record.id,
    name: first.record.name ?? known?.name ?? null,
    timeZone: first.record.timeZone ?? known?.timeZone ?? null,
    groupId: first.groupId,
    devices: membersOf(
      answers.map(({ record }) => record),
      known,
      deps.clock.now(),
    ),
  }
}

/**
 * A group that has moved answers as its new room. Rooms are compared by id; without a known one, with the
 * first answer. null: every answer is of the room.
 */
export function otherRoom(known: Pick<Room, 'id'> | null, answers: readonly RoomResult[]): string | null {
  const own = idKey(known?.id ?? answers[0]?.record.id ?? '')
  const other = answers.find(({ record }) => idKey(record.id) !== own)
  return other === undefined
    ? null
    : `Group ${other.groupId} now belongs to another room, ${other.record.name ?? other.record.id}. Sync first.`
}

/** The group ids for reading a room; without one, its own id is tried. */
export const groupIdsToAsk = ({ id, groupIds }: Pick<Room, 'id' | 'groupIds'>): readonly string[] =>
  groupIds.length === 0 ? [id] : groupIds

/**
 * The devices that the service lists now, and those that only the last sync found: a shorter list does not
 * prove that a device stays up. Names and firmware come from the sync. null: none is known.
 */
function membersOf(
  records: readonly RoomRecord[],
  known: Room | null,
  at: number,
): readonly RebootDevice[] | null {
  const members = new Map<string, RebootDevice>(
    (known?.devices ?? []).map((device) => [idKey(device.id), { ...device, listedNow: false }]),
  )
  for (const device of records.flatMap((record) => record.devices ?? [])) {
    const previous = members.get(idKey(device.id))
    members.set(idKey(device.id), {
      id: previous?.id ?? device.id,
      name: previous?.name ?? device.name,
      status: device.status === 'unknown' ? (previous?.status ?? 'unknown') : device.status,
      productName: previous?.productName ?? null,
      serialNumber: previous?.serialNumber ?? null,
      firmwareVersion: previous?.firmwareVersion ?? null,
      firmwareStatus: device.firmwareStatus ?? previous?.firmwareStatus ?? null,
      firmware: previous?.firmware ?? null,
      lastSeenAt: previous?.lastSeenAt ?? null,
      observedAt: previous?.observedAt ?? at,
      listedNow: true,
    })
  }
  return members.size === 0 ? null : [...members.values()]
}

/**
 * The devices whose restart the watch waits for: those listed now; if the service lists none, all known ones.
 */
export function listedFirst<D extends Pick<RebootDevice, 'listedNow'>>(devices: readonly D[]): readonly D[] {
  const listed = devices.filter(({ listedNow }) => listedNow)
  return listed.length > 0 ? listed : devices
}

const rebootRoom = operationNamed('RebootRoom')

/** The one request that restarts a room. */
export function rebootRequest(
  { rebootBy }: Pick<Organization, 'rebootBy'>,
  room: Pick<RoomNow, 'sentId' | 'groupId'>,
): Omit<ServiceRequest, 'signal'> {
  // services.md#B35: the group id of any device of the room, or the room's own id. The
  // profile decides.
  const path = pathOf(rebootRoom, { groupId: rebootBy === 'room-id' ? room.sentId : room.groupId })
  return {
    operation: rebootRoom.name,
    method: rebootRoom.method,
    path,
    body: null,
    lane: 'write',
    writes: true,
  }
}

/** An unknown status never counts as offline, and a restarting device counts as online. */
const isOffline = ({ status }: Pick<RoomDevice, 'status'>): boolean => status === 'offline'

/** Why a room cannot or should not be restarted. */
export function rebootProblem(
  devices: readonly Pick<RoomDevice, 'status'>[] | null,
): Extract<SkipReason, 'nothing-online' | 'members-unknown'> | null {
  if (devices === null || devices.length === 0) return 'members-unknown'
  // Only online devices restart (services.md#B14).
  return devices.every(isOffline) ? 'nothing-online' : null
}

/** `2 online, 1 offline`: the journal's description of the room before. */
export function statusCountsText(devices: readonly Pick<RoomDevice, 'status'>[]): string {
  const counts = new Map<string, number>()
  for (const { status } of devices) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
}
