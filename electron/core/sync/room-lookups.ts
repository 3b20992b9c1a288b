import { Failed, isKind } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Json } from '../../contract/json.ts'
import type { Database, Procedure, SqlValue } from '../platform.ts'
import type { Management } from '../management/management.ts'
import { writeAlias, writeRecord, type SyncOrigin } from './record-writer.ts'
import type { StreamWork } from './streams.ts'
import { UnreadableOfPage } from './unreadable-records.ts'

/** Simultaneous look-ups; the call budget limits their rate. Raise it if look-ups are slow. */
const atOnce = 6
/**
 * Maximum of look-ups in one sync for group ids without a listed room. Raise it if rooms are missing after a
 * sync.
 */
const strayLookups = 100
/** A group id without a room is looked up again after this time. Lower it if new rooms appear too late. */
const strayAgainInMs = 24 * 3_600_000

/** Group ids of present devices and of known rooms for which this sync has found no room yet. */
async function groupsWithoutRoom(database: Database, origin: SyncOrigin): Promise<readonly string[]> {
  const rows = await database.query(
    `SELECT d.group_id FROM device_row d WHERE d.organization_id = ?1 AND d.gone = 0 AND d.group_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM record_alias a JOIN raw_record o ON o.organization_id = a.organization_id AND o.kind = 'room' AND o.id = a.id
       WHERE a.organization_id = ?1 AND a.kind = 'room' AND a.alias = d.group_id AND o.sync_id >= ?2)
     UNION SELECT a.alias FROM record_alias a JOIN raw_record o ON o.organization_id = a.organization_id AND o.kind = 'room' AND o.id = a.id
       WHERE a.organization_id = ?1 AND a.kind = 'room' AND o.gone_at IS NULL AND o.sync_id < ?2
     ORDER BY 1`,
    [origin.organizationId, origin.syncId],
  )
  return rows.map((row) => String(row['group_id']))
}

/**
 * Group ids of present devices that the list of rooms does not explain, the ones not looked up for longest
 * first: `named` ones have a known room that was not in the list, `unknown` ones have none.
 */
async function strayGroups(
  database: Database,
  origin: SyncOrigin,
): Promise<{ readonly named: readonly string[]; readonly unknown: readonly string[] }> {
  const strays = async (condition: string, parameters: readonly SqlValue[]): Promise<readonly string[]> => {
    const rows = await database.query(
      `SELECT DISTINCT d.group_id, a.observed_at FROM device_row d
         LEFT JOIN record_alias a ON a.organization_id = d.organization_id AND a.kind = 'room' AND a.alias = d.group_id
         LEFT JOIN raw_record o ON o.organization_id = d.organization_id AND o.kind = 'room' AND o.id = a.id
         LEFT JOIN room_member m ON m.organization_id = d.organization_id AND m.device_id = d.id
       WHERE d.organization_id = ?1 AND d.gone = 0 AND d.group_id IS NOT NULL AND ${condition}`,
      [origin.organizationId, ...parameters],
    )
    return rows.map((row) => String(row['group_id']))
  }
  const named = await strays('o.sync_id < ?2 ORDER BY a.observed_at, d.group_id', [origin.syncId])
  const unknown = await strays(
    'a.id IS NULL AND m.room_id IS NULL AND (a.alias IS NULL OR a.observed_at < ?2) ORDER BY a.observed_at, d.group_id LIMIT ?3',
    [origin.startedAt - strayAgainInMs, Math.max(0, strayLookups - named.length)],
  )
  return { named, unknown }
}

export interface LookedUp {
  /** Number of look-ups that failed: these rooms keep their data. */
  readonly skipped: number
  /** Known rooms that were not read: they are not marked as gone. */
  readonly unread: ReadonlySet<string>
  /** Rooms that this sync had not found before. */
  readonly found: ReadonlySet<string>
  /** Group ids that name no room (404). */
  readonly noRoom: readonly string[]
}

/** Looks up group ids of devices that belong to no listed room. Rejects as `lookUp` does. */
export async function lookUpStrays(work: StreamWork): Promise<LookedUp> {
  const { database, origin } = work
  const { named, unknown } = await strayGroups(database, origin)
  const { skipped, found, noRoom } = await lookUpAll(work, [...named.slice(0, strayLookups), ...unknown])
  const unread = await roomsUnder(database, origin, [...skipped, ...named.slice(strayLookups)])
  return { skipped: skipped.length, unread, found, noRoom }
}

/**
 * Without a list of rooms: looks up every group id. `notOffered`: the failure of the list, thrown if no
 * look-up finds a room and a known one would be lost: another path of the service looks the same
 * (services.md#B19). Rejects as `lookUp` does.
 */
export async function lookUpEveryRoom(work: StreamWork, notOffered: Failed): Promise<LookedUp> {
  const { database, origin } = work
  const withoutGroup = await database.query(
    `SELECT o.id FROM raw_record o NOT INDEXED WHERE o.organization_id = ?1 AND o.kind = 'room' AND o.gone_at IS NULL AND o.sync_id < ?2
       AND NOT EXISTS (SELECT 1 FROM record_alias a WHERE a.organization_id = ?1 AND a.kind = 'room' AND a.id = o.id)`,
    [origin.organizationId, origin.syncId],
  )
  const groups = await groupsWithoutRoom(database, origin)
  const { skipped, noRoom, isAnswered } = await lookUpAll(work, groups)
  if (!isAnswered && (await roomsUnder(database, origin, noRoom)).size > 0) throw notOffered
  const unread = await roomsUnder(database, origin, skipped)
  return {
    skipped: skipped.length,
    unread: new Set([...unread, ...withoutGroup.map(({ id }) => String(id))]),
    // Without a list none of them was missing from it.
    found: new Set(),
    noRoom,
  }
}

async function lookUpAll(
  work: StreamWork,
  groupIds: readonly string[],
): Promise<{
  readonly skipped: readonly string[]
  readonly found: ReadonlySet<string>
  readonly noRoom: readonly string[]
  readonly isAnswered: boolean
}> {
  const [skipped, noRoom]: [string[], string[]] = [[], []]
  const found = new Set<string>()
  let isAnswered = false
  const waiting = groupIds.values()
  const worker = async (): Promise<void> => {
    for (const groupId of waiting) {
      const result = await lookUp(work, groupId)
      if (result === 'skipped') skipped.push(groupId)
      else if (result === 'no-room') noRoom.push(groupId)
      else {
        isAnswered = true
        if (result.id !== null) found.add(result.id)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, groupIds.length) }, worker))
  return { skipped, found, noRoom, isAnswered }
}

/**
 * Reads one room, by group id. One that fails is skipped and keeps its data; 404 means that the group id
 * names no room. `id`: of a room that this sync had not found. Rejects if nothing more can be read: key,
 * network, cache, cancelled.
 */
async function lookUp(
  work: StreamWork,
  groupId: string,
): Promise<'skipped' | 'no-room' | { readonly id: string | null }> {
  const { database, origin } = work
  let answer: Awaited<ReturnType<Management['room']>>
  try {
    answer = await work.management.room({ groupId, lane: 'refresh', signal: work.signal })
    work.answered(answer.calls)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    if (isKind(error.failure, 'not-found')) {
      work.answered(1)
      return 'no-room'
    }
    // One room may fail while others succeed (services.md#B13). A limit lasts seconds, a hold longer: no call
    // is made during it, for the other rooms either.
    const { failure } = error
    const isSingle = isKind(failure, 'rate-limited')
      ? failure.held !== true
      : policyOf(failure).reach === 'one'
    if (!isSingle) throw error
    work.answered(1)
    return 'skipped'
  }
  const { raw, receivedAt } = answer
  const id = await database.perform(writeRoomOf, { origin, groupId, raw, receivedAt })
  work.written('room', id === null ? 0 : 1)
  return { id }
}

/** A room that was looked up by its group id. Returns its id, if this sync had not found it; null: it had, or it is unreadable. */
export const writeRoomOf: Procedure<
  { readonly origin: SyncOrigin; readonly groupId: string; readonly raw: Json; readonly receivedAt: number },
  string | null
> = {
  name: 'sync.write-room',
  shared: true,
  run(transaction, { origin, groupId, raw, receivedAt }) {
    const written = writeRecord(transaction, origin, 'room', raw, receivedAt)
    if (written.why !== null) {
      const unreadable = new UnreadableOfPage('room', 'rooms', receivedAt)
      unreadable.add(raw, written.why)
      unreadable.write(transaction, origin)
    }
    if (written.id !== null) writeAlias(transaction, origin, groupId, written.id, receivedAt)
    return written.fresh ? written.id : null
  },
}

/** Rooms that are not gone and that these group ids name. */
async function roomsUnder(
  database: Database,
  origin: SyncOrigin,
  groupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (groupIds.length === 0) return new Set()
  const rows = await database.query(
    `SELECT a.id FROM record_alias a JOIN raw_record o ON o.organization_id = a.organization_id AND o.kind = 'room' AND o.id = a.id
     WHERE a.organization_id = ? AND a.kind = 'room' AND o.gone_at IS NULL AND a.alias IN (SELECT value FROM json_each(?))`,
    [origin.organizationId, JSON.stringify(groupIds)],
  )
  return new Set(rows.map(({ id }) => String(id)))
}
