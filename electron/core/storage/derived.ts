import { createHash } from 'node:crypto'
import type { Progress } from '../../contract/progress.ts'
import type { Database, SqlRow, Transaction } from '../platform.ts'

export type RecordKind = 'device' | 'room'

/** A raw record from the store. */
interface RawRecord {
  /** Identifies the record in derived tables too. */
  readonly rowId: number
  readonly organizationId: string
  readonly kind: RecordKind
  readonly id: string
  readonly json: string
  readonly observedAt: number
  readonly goneAt: number | null
  /** The client type under which a device was listed; null: none or several, missing: not a device. */
  readonly listedAs?: string | null
}

/** Tables of one feature, which can be rebuilt from the raw records at any time, without network. */
export interface DerivedPart {
  readonly name: string
  /** The kind of raw records it is derived from. */
  readonly kind: RecordKind
  /** Raise it when records are parsed differently under the same schema. */
  readonly readerVersion: number
  /** Every table of the schema: dropped before it is rebuilt. */
  readonly tables: readonly string[]
  /** CREATE statements. Their text is part of the stamp. */
  readonly schema: string
  /** Writes the rows of these records into the empty tables; records no changes. */
  rebuild(transaction: Transaction, records: readonly RawRecord[]): void
  /** Tables with one row per record, whose `rowid` is the record's. */
  readonly recordTables: readonly string[]
  /** Tables with an `organization_id` and few rows, or with rows that do not belong to a single record. */
  readonly organizationTables: readonly string[]
}

/**
 * Records that a rebuild reads and writes in one transaction: about 20 ms, so that a window can draw in
 * between. Lower it if windows stutter.
 */
const chunk = 500

const stampOf = (part: DerivedPart): string =>
  createHash('sha256')
    .update(JSON.stringify([part.schema, part.readerVersion]))
    .digest('hex')

/**
 * Makes every part's tables match its schema. A part with another stamp is dropped and rebuilt from the raw
 * records; the stamp is written last, so an interrupted rebuild starts again. `rebuilding` gets how many
 * records of all such parts were read. Returns the names of the rebuilt parts.
 */
export async function reconcile(
  database: Database,
  parts: readonly DerivedPart[],
  rebuilding: (progress: Progress) => void,
): Promise<readonly string[]> {
  const known = new Map(
    (await database.query('SELECT part, stamp, tables FROM derived_stamp')).map((row) => [row['part'], row]),
  )
  const stale = parts.filter((part) => known.get(part.name)?.['stamp'] !== stampOf(part))
  if (stale.length === 0) return []
  const [counted] = await database.query(
    'SELECT count(*) AS records FROM raw_record WHERE kind IN (SELECT value FROM json_each(?))',
    [JSON.stringify(stale.map(({ kind }) => kind))],
  )
  const total = Number(counted?.['records'] ?? 0)
  let done = 0
  for (const part of stale) await empty(database, part, known.get(part.name))
  for (const part of stale) {
    await fill(database, part, (records) => rebuilding({ done: (done += records), total }))
    await database.write((transaction) =>
      transaction.run('UPDATE derived_stamp SET stamp = ? WHERE part = ?', [stampOf(part), part.name]),
    )
  }
  return stale.map(({ name }) => name)
}

/** Creates a part's tables again, without rows. `known`: its stamp and previous tables, if it has any. */
const empty = (database: Database, part: DerivedPart, known: SqlRow | undefined): Promise<void> =>
  database.write((transaction) => {
    const previous = known ? (JSON.parse(String(known['tables'])) as string[]) : []
    for (const table of new Set([...previous, ...part.tables]))
      transaction.script(`DROP TABLE IF EXISTS "${table.replaceAll('"', '""')}"`)
    transaction.script(part.schema)
    transaction.run('INSERT OR REPLACE INTO derived_stamp (part, stamp, tables) VALUES (?, ?, ?)', [
      part.name,
      'unfinished',
      JSON.stringify(part.tables),
    ])
  })

/** `filled` gets the record count of each chunk. */
async function fill(database: Database, part: DerivedPart, filled: (records: number) => void): Promise<void> {
  for (let after = 0; ;) {
    const read = await database.write((transaction) => {
      const records = transaction
        .all(
          `SELECT r.row_id, r.organization_id, r.kind, r.id, j.json, r.observed_at, r.gone_at, r.listed_as
           FROM raw_record r JOIN raw_json j USING (row_id) WHERE r.kind = ? AND r.row_id > ? ORDER BY r.row_id LIMIT ?`,
          [part.kind, after, chunk],
        )
        .map(recordOf)
      part.rebuild(transaction, records)
      return { records: records.length, last: records.at(-1)?.rowId }
    })
    if (read.last === undefined) return
    after = read.last
    filled(read.records)
    // A read runs on the other thread: the event loop runs between two chunks.
    await database.query('SELECT 1')
  }
}

function recordOf(row: SqlRow): RawRecord {
  return {
    rowId: Number(row['row_id']),
    organizationId: String(row['organization_id']),
    kind: row['kind'] === 'room' ? 'room' : 'device',
    id: String(row['id']),
    json: String(row['json']),
    observedAt: Number(row['observed_at']),
    goneAt: row['gone_at'] === null ? null : Number(row['gone_at']),
    listedAs: typeof row['listed_as'] === 'string' && row['listed_as'] !== '' ? row['listed_as'] : null,
  }
}
