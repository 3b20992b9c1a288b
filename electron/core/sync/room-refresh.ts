import type { Room } from '../../contract/api/rooms.ts'
import type { Json } from '../../contract/json.ts'
import type { Clock, Database, Procedure } from '../platform.ts'
import type { Management } from '../management/management.ts'
import { Failed, isKind } from '../../contract/failure.ts'
import { fetchRoomNow, otherRoom, roomNotFound, type RoomAsk, type Rooms } from '../rooms/rooms.ts'
import { idKey } from '../storage/record-ids.ts'
import type { Store } from '../storage/store.ts'
import { markRoomGone, memberCountOf, writeAlias, writeRecord, type SyncOrigin } from './record-writer.ts'

export interface RoomRefreshDeps {
  readonly clock: Clock
  readonly management: Pick<Management, 'room'>
  readonly store: Store
  readonly rooms: Pick<Rooms, 'find'>
  readonly organizationId: string
  /** Rows changed. */
  readonly changed: () => void
}

/**
 * Reads one room and writes it as a sync does, including changes. A room that the service no longer knows
 * under any of its group ids is marked as gone, with the date, and remains stored. Rejects with Failed:
 * `not-found` for an unknown room, `unreadable-answer`, or the failure of the request.
 */
export async function refreshRoom(
  deps: RoomRefreshDeps,
  id: string,
  ask: RoomAsk = { lane: 'interactive', signal: null },
): Promise<Room> {
  const { clock, store, rooms, organizationId, changed } = deps
  const { known, answers, unknown, failures } = await fetchRoomNow(deps, id, ask)
  const failure = failures.find((one) => !isKind(one.failure, 'unreadable-answer')) ?? failures[0]
  if (answers.length === 0 && failure !== undefined) throw failure
  // Without a group id the room was requested by its own id, which a service need not know: a 404 then proves
  // nothing.
  if (answers.length === 0 && (known === null || known.groupIds.length === 0)) throw roomNotFound(known, id)

  const origin = await lastSync(store.database, organizationId, clock.now())
  // Of two records of one room, the record with more content is stored (services.md#B41).
  const byRoom = new Map(
    answers
      .toSorted((one, other) => memberCountOf(one.record.raw) - memberCountOf(other.record.raw))
      .map(({ record, receivedAt }) => [record.id, { raw: record.raw, receivedAt }]),
  )
  await store.database.perform(writeRoomReadAlone, {
    origin,
    goneId: answers.length === 0 && known !== null ? known.id : null,
    at: clock.now(),
    unknown: answers.length > 0 ? unknown.map(({ groupId, receivedAt }) => ({ groupId, receivedAt })) : [],
    records: [...byRoom.values()],
    groups: answers.map(({ groupId, record, receivedAt }) => ({ groupId, roomId: record.id, receivedAt })),
  })
  changed()
  // Its record is the other room's now: the devices of this one were not read.
  const other = known === null ? null : otherRoom(known, answers)
  if (other !== null && !answers.some(({ record }) => idKey(record.id) === idKey(known?.id ?? '')))
    throw Failed.invalid('room', other)
  // The watch of a room also waits for devices that only the room's record lists.
  return rooms.find(organizationId, known?.id ?? answers[0]?.record.id ?? id, 'unread-too')
}

/** Uses the number of the last or running sync: the record counts as seen by it. */
async function lastSync(database: Database, organizationId: string, now: number): Promise<SyncOrigin> {
  const [row] = await database.query(
    'SELECT max(id) AS id, max(complete) AS known FROM sync_report WHERE organization_id = ?',
    [organizationId],
  )
  return {
    organizationId,
    syncId: Number(row?.['id'] ?? 0),
    startedAt: now,
    known: row?.['known'] === 1,
    alone: true,
  }
}

/** The responses for one room, for all of its group ids. */
interface RoomReadAlone {
  readonly origin: SyncOrigin
  /** The room that is gone, because no group id names it any more; null: it exists. */
  readonly goneId: string | null
  readonly at: number
  /** Group ids that no longer name a room. */
  readonly unknown: readonly { readonly groupId: string; readonly receivedAt: number }[]
  /** If there are two records of one room, the one that is later in the list is stored. */
  readonly records: readonly { readonly raw: Json; readonly receivedAt: number }[]
  readonly groups: readonly {
    readonly groupId: string
    readonly roomId: string
    readonly receivedAt: number
  }[]
}

export const writeRoomReadAlone: Procedure<RoomReadAlone, void> = {
  name: 'sync.write-room-read-alone',
  shared: true,
  run(transaction, { origin, goneId, at, unknown, records, groups }) {
    if (goneId !== null) markRoomGone(transaction, origin.organizationId, goneId, at)
    for (const { groupId, receivedAt } of unknown) writeAlias(transaction, origin, groupId, null, receivedAt)
    for (const { raw, receivedAt } of records) writeRecord(transaction, origin, 'room', raw, receivedAt)
    for (const { groupId, roomId, receivedAt } of groups)
      writeAlias(transaction, origin, groupId, roomId, receivedAt)
  },
}
