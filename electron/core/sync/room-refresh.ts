import { Failed } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { Room } from '../../contract/api/rooms.ts'
import type { Clock, Database } from '../platform.ts'
import { readRoom, type Management } from '../management/management.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Store } from '../storage/store.ts'
import { markRoomGone, membersTold, writeAlias, writeRecord, type Round } from './record-writer.ts'

export interface RoomRefreshParts {
  readonly clock: Clock
  readonly management: Pick<Management, 'room'>
  readonly store: Store
  readonly rooms: Pick<Rooms, 'find'>
  readonly organizationId: string
  /** Rows changed. */
  readonly changed: () => void
}

interface Answer {
  readonly groupId: string
  /** null: the service knows no room under this group id. */
  readonly raw: Json | null
  readonly receivedAt: number
}

/**
 * Reads one room by its group ids, at once, and writes it as a sync does, changes included. A room that the service no longer knows
 * under any of them is marked gone with the date and kept. One group id that fails does not hide what another one tells.
 * Rejects with Failed: `not-found` for a room nobody knows, `unreadable-answer`, or what kept the service from answering.
 */
export async function refreshRoom(parts: RoomRefreshParts, id: string): Promise<Room> {
  const { clock, store, rooms, organizationId, changed } = parts
  const known = await rooms.find(organizationId, id).catch((error: unknown) => {
    // A group id no sync has met may still name a room.
    if (error instanceof Failed && error.failure.kind === 'not-found') return null
    throw error
  })
  const groupIds = known === null ? [id] : known.groupIds.length === 0 ? [known.id] : known.groupIds
  const { answers, failures } = await ask(parts.management, groupIds, clock)
  const readable = answers.flatMap((answer) => {
    const reading = answer.raw === null ? null : readRoom(answer.raw)
    return reading?.readable === true ? [{ ...answer, id: reading.record.id, raw: reading.record.raw }] : []
  })
  const unreadable = answers.find(({ raw }) => raw !== null && !readRoom(raw).readable)
  const none = answers.filter(({ raw }) => raw === null)
  const [failure] = failures
  if (readable.length === 0 && failure !== undefined) throw failure
  if (readable.length === 0 && unreadable !== undefined)
    throw new Failed({
      kind: 'unreadable-answer',
      call,
      where: 'the room',
      message: 'The record of the room has no id.',
    })
  // Without a group id of its own the room was asked for by its id, which a service need not know: that says nothing.
  if (readable.length === 0 && (known === null || known.groupIds.length === 0))
    throw new Failed({ kind: 'not-found', call, what: known?.name ?? id })

  const round = await lastRound(store.database, organizationId, clock.now())
  await store.database.write((transaction) => {
    if (readable.length === 0 && known !== null)
      markRoomGone(transaction, organizationId, known.id, clock.now())
    if (readable.length > 0)
      for (const { groupId, receivedAt } of none) writeAlias(transaction, round, groupId, null, receivedAt)
    // Of two records of one room, the one that tells more stands (observed, 4.4).
    const byRoom = new Map(
      readable
        .toSorted((one, other) => membersTold(one.raw) - membersTold(other.raw))
        .map((answer) => [answer.id, answer]),
    )
    for (const { raw, receivedAt } of byRoom.values())
      writeRecord(transaction, round, 'room', raw, receivedAt)
    for (const { groupId, id: roomId, receivedAt } of readable)
      writeAlias(transaction, round, groupId, roomId, receivedAt)
  })
  changed()
  // Whoever watches a room come back waits for those too that it alone lists.
  return rooms.find(organizationId, known?.id ?? readable[0]?.id ?? id, 'unread-too')
}

const call = { operation: 'GetRoom', host: 'management interface' } as const

/** Every group id at once; someone waits for it. */
async function ask(
  management: RoomRefreshParts['management'],
  groupIds: readonly string[],
  clock: Clock,
): Promise<{ readonly answers: readonly Answer[]; readonly failures: readonly Error[] }> {
  const answers: Answer[] = []
  const failures: Error[] = []
  await Promise.all(
    groupIds.map(async (groupId) => {
      try {
        const { raw, receivedAt } = await management.room({ groupId, lane: 'interactive', signal: null })
        answers.push({ groupId, raw, receivedAt })
      } catch (error) {
        if (error instanceof Failed && error.failure.kind === 'not-found')
          answers.push({ groupId, raw: null, receivedAt: clock.now() })
        else failures.push(error instanceof Error ? error : new Error(String(error)))
      }
    }),
  )
  return { answers, failures }
}

/** As if the last sync went on: what is read now was seen by it, or by the one that runs. */
async function lastRound(database: Database, organizationId: string, now: number): Promise<Round> {
  const [row] = await database.read(
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
