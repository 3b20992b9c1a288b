import { Failed, isKind } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Database } from '../platform.ts'
import type { Management } from '../management/management.ts'
import type { SyncOrigin } from './record-writer.ts'
import { writeNoRoom, writeRoomOf } from './record-writes.ts'
import type { StreamWork } from './streams.ts'

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
export async function groupsWithoutRoom(database: Database, origin: SyncOrigin): Promise<readonly string[]> {
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
 * Group ids of present devices that the list of rooms does not explain: they have no known room, or the known
 * room was not in the list. Group ids with a known room come first.
 */
export async function strayGroups(database: Database, origin: SyncOrigin): Promise<readonly string[]> {
  const rows = await database.query(
    `SELECT DISTINCT d.group_id, a.id IS NULL AS unknown FROM device_row d
       LEFT JOIN record_alias a ON a.organization_id = d.organization_id AND a.kind = 'room' AND a.alias = d.group_id
       LEFT JOIN raw_record o ON o.organization_id = d.organization_id AND o.kind = 'room' AND o.id = a.id
       LEFT JOIN room_member m ON m.organization_id = d.organization_id AND m.device_id = d.id
     WHERE d.organization_id = ?1 AND d.gone = 0 AND d.group_id IS NOT NULL
       AND ((a.id IS NULL AND m.room_id IS NULL AND (a.alias IS NULL OR a.observed_at < ?2)) OR o.sync_id < ?3)
     ORDER BY unknown, d.group_id LIMIT ?4`,
    [origin.organizationId, origin.startedAt - strayAgainInMs, origin.syncId, strayLookups],
  )
  return rows.map((row) => String(row['group_id']))
}

/**
 * Reads rooms individually, by group id. A room that fails is skipped and keeps its data; 404 means that the
 * group id names no room. Returns the skipped group ids, with their known rooms, and the rooms that this sync had not found before.
 * Rejects if nothing more can be read: key, network, cache, cancelled.
 */
export async function lookUpRooms(
  work: StreamWork,
  groupIds: readonly string[],
): Promise<{
  readonly skipped: readonly string[]
  readonly rooms: ReadonlySet<string>
  readonly found: ReadonlySet<string>
}> {
  const skipped: string[] = []
  const found = new Set<string>()
  const waiting = groupIds.values()
  const worker = async (): Promise<void> => {
    for (const groupId of waiting) {
      const { isSkipped, id } = await lookUp(work, groupId)
      if (isSkipped) skipped.push(groupId)
      if (id !== null) found.add(id)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, groupIds.length) }, worker))
  return { skipped, rooms: await roomsUnder(work.database, work.origin, skipped), found }
}

/** `id`: of a room that this sync had not found. */
async function lookUp(
  work: StreamWork,
  groupId: string,
): Promise<{ readonly isSkipped: boolean; readonly id: string | null }> {
  const { database, origin } = work
  let answer: Awaited<ReturnType<Management['room']>>
  try {
    answer = await work.management.room({ groupId, lane: 'refresh', signal: work.signal })
    work.answered(answer.calls)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    if (isKind(error.failure, 'not-found')) {
      work.answered(1)
      await database.perform(writeNoRoom, { origin, groupId, at: origin.startedAt })
      return { isSkipped: false, id: null }
    }
    // One room may fail while others succeed (services.md#B13). A limit lasts seconds, a hold longer: no call
    // is made during it, for the other rooms either.
    const { failure } = error
    const isSingle = isKind(failure, 'rate-limited')
      ? failure.held !== true
      : policyOf(failure).reach === 'one'
    if (!isSingle) throw error
    work.answered(1)
    return { isSkipped: true, id: null }
  }
  const { raw, receivedAt } = answer
  const id = await database.perform(writeRoomOf, { origin, groupId, raw, receivedAt })
  work.written('room', id === null ? 0 : 1)
  return { isSkipped: false, id }
}

/** Rooms that were not read and so are not marked as gone. */
async function roomsUnder(
  database: Database,
  origin: SyncOrigin,
  groupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (groupIds.length === 0) return new Set()
  const sql = `SELECT id FROM record_alias WHERE organization_id = ? AND kind = 'room' AND id IS NOT NULL AND alias IN (SELECT value FROM json_each(?))`
  return new Set(
    (await database.query(sql, [origin.organizationId, JSON.stringify(groupIds)])).map((row) =>
      String(row['id']),
    ),
  )
}
