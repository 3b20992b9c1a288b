import type { SyncReport } from '../../contract/api/sync.ts'
import { dropOldChanges } from '../changes/changes.ts'
import type { Database, Procedure, Transaction } from '../platform.ts'
import type { RecordKind } from '../storage/store.ts'
import type { Held } from './end-sync.ts'
import type { SyncOrigin } from './record-writer.ts'

/** `devices:MeetingRoom`, `devices:Personal`, `devices:all`, `rooms`. */
export type StreamName = 'devices:MeetingRoom' | 'devices:Personal' | 'devices:all' | 'rooms'

export interface StreamPosition {
  readonly token: string | null
  readonly finished: boolean
  /** Its last page was full and did not state that it is the last: unseen records may still exist. */
  readonly mayHaveMore: boolean
  /** Records on its pages so far, repeated ones too. */
  readonly listed: number
}

/**
 * The row of `sync_stream` that is no stream: its token is the source of the sync, because a token or record
 * of another service or key says nothing about this one.
 */
const sourceRow = 'source'

/** In `sync_stream.finished`. */
const ended = { open: 0, surely: 1, perhaps: 2 } as const

/**
 * An interrupted sync is resumed while its last page is younger than this: later, its records are too old to
 * count as seen. Lower it if resumed syncs miss changes.
 */
const resumeWithinInMs = 30 * 60_000

export interface BegunSync {
  readonly origin: SyncOrigin
  readonly streams: ReadonlyMap<StreamName, StreamPosition>
}

/**
 * Resumes the organization's interrupted sync, or starts one. What concerns every record scans the narrow
 * table: through an index each row is looked up individually (measured at 100,000: 30 ms, else 345).
 */
export const beginSync: Procedure<
  {
    readonly organizationId: string
    readonly now: number
    /** Differs for another service or key. */
    readonly source: string
  },
  BegunSync
> = {
  name: 'sync.begin',
  run(transaction, { organizationId, now, source }) {
    const known =
      transaction.first('SELECT 1 FROM sync_report WHERE organization_id = ? AND complete = 1 LIMIT 1', [
        organizationId,
      ]) !== undefined
    const last = transaction.first(
      'SELECT id, started_at, complete FROM sync_report WHERE organization_id = ? ORDER BY id DESC LIMIT 1',
      [organizationId],
    )
    const streams =
      last && last['complete'] === 0
        ? streamsOf(transaction, { organizationId, syncId: Number(last['id']), now, source })
        : null
    if (last && streams)
      return {
        origin: { organizationId, syncId: Number(last['id']), startedAt: Number(last['started_at']), known },
        streams,
      }
    const { lastId: syncId } = transaction.run(
      `INSERT INTO sync_report (organization_id, started_at, known_devices, known_rooms)
       SELECT ?1, ?2, count(*) FILTER (WHERE kind = 'device'), count(*) FILTER (WHERE kind = 'room')
       FROM raw_record NOT INDEXED WHERE organization_id = ?1 AND gone_at IS NULL`,
      [organizationId, now],
    )
    transaction.run('DELETE FROM sync_stream WHERE organization_id = ?', [organizationId])
    transaction.run(
      'INSERT INTO sync_stream (organization_id, stream, sync_id, token, finished, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      [organizationId, sourceRow, syncId, source, ended.surely, now],
    )
    return { origin: { organizationId, syncId, startedAt: now, known }, streams: new Map() }
  },
}

/** null: there is nothing to resume. */
function streamsOf(
  transaction: Transaction,
  {
    organizationId,
    syncId,
    now,
    source,
  }: { organizationId: string; syncId: number; now: number; source: string },
): Map<StreamName, StreamPosition> | null {
  const all = transaction.all(
    'SELECT stream, token, finished, listed, updated_at FROM sync_stream WHERE organization_id = ? AND sync_id = ?',
    [organizationId, syncId],
  )
  if (!all.some((row) => row['stream'] === sourceRow && row['token'] === source)) return null
  const rows = all.filter((row) => row['stream'] !== sourceRow)
  const recent = rows.some((row) => now - Number(row['updated_at']) < resumeWithinInMs)
  // A stream whose end is doubtful has no position to resume from: if there is nothing else to resume,
  // everything is read again.
  const open = rows.some(
    (row) =>
      row['finished'] === ended.open && row['token'] !== null && String(row['stream']).startsWith('devices:'),
  )
  if (!recent || !open) return null
  return new Map(
    rows.map((row) => [
      String(row['stream']) as StreamName,
      {
        token: typeof row['token'] === 'string' ? row['token'] : null,
        finished: row['finished'] !== ended.open,
        mayHaveMore: row['finished'] === ended.perhaps,
        listed: Number(row['listed']),
      },
    ]),
  )
}

/** The position of a stream; in the transaction that writes its page. */
export function markStream(
  transaction: Transaction,
  origin: SyncOrigin,
  stream: StreamName,
  position: StreamPosition,
  at: number,
): void {
  transaction.run(
    'INSERT OR REPLACE INTO sync_stream (organization_id, stream, sync_id, token, finished, listed, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [
      origin.organizationId,
      stream,
      origin.syncId,
      position.token,
      position.finished ? (position.mayHaveMore ? ended.perhaps : ended.surely) : ended.open,
      position.listed,
      at,
    ],
  )
}

/** When streams start again, their unreadable records will be found again. */
export const deleteStreams: Procedure<
  { readonly origin: SyncOrigin; readonly streams: readonly StreamName[] },
  void
> = {
  name: 'sync.forget-streams',
  run(transaction, { origin: { organizationId, syncId }, streams }) {
    for (const stream of streams) {
      transaction.run('DELETE FROM sync_stream WHERE organization_id = ? AND stream = ?', [
        organizationId,
        stream,
      ])
      transaction.run(
        'DELETE FROM unreadable_record WHERE organization_id = ? AND sync_id = ? AND stream = ?',
        [organizationId, syncId, stream],
      )
    }
  },
}

/**
 * Distinct readable and unreadable records of this sync so far; an unreadable one in two streams counts once.
 */
export async function counts(
  database: Database,
  origin: SyncOrigin,
  kind: RecordKind,
): Promise<{ readonly read: number; readonly unreadable: number }> {
  const [row] = await database.query(
    `SELECT (SELECT count(*) FROM raw_record NOT INDEXED WHERE organization_id = ?1 AND kind = ?2 AND sync_id = ?3) AS seen,
            (SELECT sum(most) FROM (SELECT max(n) AS most FROM (
               SELECT json, sum(times) AS n FROM unreadable_record WHERE organization_id = ?1 AND kind = ?2 AND sync_id = ?3 GROUP BY json, stream
             ) GROUP BY json)) AS unreadable`,
    [origin.organizationId, kind, origin.syncId],
  )
  return { read: Number(row?.['seen'] ?? 0), unreadable: Number(row?.['unreadable'] ?? 0) }
}

export const writeReport: Procedure<
  {
    readonly origin: SyncOrigin
    readonly report: SyncReport
    readonly notes: readonly string[]
    readonly held: Held | null
  },
  void
> = {
  name: 'sync.write-report',
  run(transaction, { origin, report, notes, held }) {
    transaction.run(
      'UPDATE sync_report SET finished_at = ?, complete = ?, report = ?, notes = ?, held = ? WHERE id = ?',
      [
        report.finishedAt,
        report.complete ? 1 : 0,
        JSON.stringify(report),
        JSON.stringify(notes),
        held === null ? null : JSON.stringify(held),
        origin.syncId,
      ],
    )
    if (!report.complete) return
    transaction.run('DELETE FROM sync_stream WHERE organization_id = ? AND sync_id = ?', [
      origin.organizationId,
      origin.syncId,
    ])
    dropOldChanges(transaction, origin.organizationId, report.finishedAt)
  },
}

/** Devices that the service last spelt in another way than first, by their stored ids. */
export async function sentIds(
  database: Database,
  organizationId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query(
    "SELECT id, sent_id FROM raw_record INDEXED BY raw_record_sent WHERE organization_id = ? AND kind = 'device' AND sent_id IS NOT NULL",
    [organizationId],
  )
  return new Map(rows.map((row) => [String(row['id']), String(row['sent_id'])]))
}

/** Ids of this sync that another record has in other case. */
export async function twins(
  database: Database,
  origin: SyncOrigin,
  kind: RecordKind,
): Promise<readonly string[]> {
  const rows = await database.query(
    `SELECT min(id) AS id FROM raw_record WHERE organization_id = ?1 AND kind = ?2 AND sync_id = ?3 AND id_key IN (
       SELECT id_key FROM raw_record WHERE organization_id = ?1 AND kind = ?2 GROUP BY id_key HAVING count(*) > 1)
     GROUP BY id_key HAVING count(*) > 1`,
    [origin.organizationId, kind, origin.syncId],
  )
  return rows.map((row) => String(row['id']))
}

/** Whether an earlier sync has said this. */
export async function wasNoted(database: Database, origin: SyncOrigin, note: string): Promise<boolean> {
  const rows = await database.query(
    `SELECT 1 FROM sync_report r, json_each(r.notes) n WHERE r.organization_id = ? AND r.id < ? AND n.value = ? LIMIT 1`,
    [origin.organizationId, origin.syncId, note],
  )
  return rows.length > 0
}

/** The report of the last sync, and of the last complete sync. */
export async function lastReports(
  database: Database,
  organizationId: string,
): Promise<{
  readonly last: SyncReport | null
  readonly notes: readonly string[]
  readonly complete: SyncReport | null
  readonly held: Held | null
}> {
  const [last] = await database.query(
    'SELECT report, notes, held FROM sync_report WHERE organization_id = ? AND report IS NOT NULL ORDER BY id DESC LIMIT 1',
    [organizationId],
  )
  const [complete] = await database.query(
    'SELECT report FROM sync_report WHERE organization_id = ? AND complete = 1 ORDER BY id DESC LIMIT 1',
    [organizationId],
  )
  const reportOf = (row: typeof last): SyncReport | null =>
    row ? (JSON.parse(String(row['report'])) as SyncReport) : null
  return {
    last: reportOf(last),
    notes: last && typeof last['notes'] === 'string' ? (JSON.parse(last['notes']) as string[]) : [],
    complete: reportOf(complete),
    held: typeof last?.['held'] === 'string' ? (JSON.parse(last['held']) as Held) : null,
  }
}
