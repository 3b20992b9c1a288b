import { createHash } from 'node:crypto'
import type { Progress } from '../../contract/progress.ts'
import type { Database, SqlRow, Transaction } from '../platform.ts'

export type RecordKind = 'device' | 'room'

/** A raw record as it stands in the store. */
export interface RawRecord {
  /** Names the record in derived tables too. */
  readonly rowId: number
  readonly organizationId: string
  readonly kind: RecordKind
  readonly id: string
  readonly json: string
  readonly observedAt: number
  readonly goneAt: number | null
  /** The client type under which a device was listed; null: under none or several, missing: it is no device. */
  readonly listedAs?: string | null
}

/** Tables of one feature that can be made again from the raw records at any time, without network. */
export interface DerivedPart {
  readonly name: string
  /** The raw records it is made from. */
  readonly kind: RecordKind
  /** Raised when records are read differently under the same schema. */
  readonly readerVersion: number
  /** Every table the schema makes: dropped before it is made anew. */
  readonly tables: readonly string[]
  /** CREATE statements. Their text is part of the stamp. */
  readonly schema: string
  /** Writes the rows of these records into the empty tables; records no changes. */
  rebuild(transaction: Transaction, records: readonly RawRecord[]): void
  /** Tables with one row for a record, whose `rowid` is the record's. */
  readonly recordTables: readonly string[]
  /** Tables with an `organization_id` and few rows, or rows that belong to no one record. */
  readonly organizationTables: readonly string[]
}

/** Records a rebuild reads and writes in one transaction: about 20 ms, so a window can draw between two. Chosen. */
const chunk = 500

const stampOf = (part: DerivedPart): string =>
  createHash('sha256')
    .update(JSON.stringify([part.schema, part.readerVersion]))
    .digest('hex')

/**
 * Makes every part's tables agree with its schema. A part whose stamp differs is dropped and made again from the raw records;
 * the stamp is written last, so an interrupted rebuild begins again. `rebuilding` hears how many records of all such parts were read.
 * Answers the names of the parts that were made again.
 */
export async function agree(
  database: Database,
  parts: readonly DerivedPart[],
  rebuilding: (progress: Progress) => void,
): Promise<readonly string[]> {
  const stale: DerivedPart[] = []
  for (const part of parts) if (await emptied(database, part)) stale.push(part)
  if (stale.length === 0) return []
  const [counted] = await database.read(
    'SELECT count(*) AS records FROM raw_record WHERE kind IN (SELECT value FROM json_each(?))',
    [JSON.stringify(stale.map(({ kind }) => kind))],
  )
  const total = Number(counted?.['records'] ?? 0)
  let done = 0
  for (const part of stale) {
    await fill(database, part, (records) => rebuilding({ done: (done += records), total }))
    await database.write((transaction) =>
      transaction.run('UPDATE derived_stamp SET stamp = ? WHERE part = ?', [stampOf(part), part.name]),
    )
  }
  return stale.map(({ name }) => name)
}

/** Makes a part's tables anew, without rows, where its stamp differs; answers whether it does. */
const emptied = (database: Database, part: DerivedPart): Promise<boolean> =>
  database.write((transaction) => {
    const known = transaction.first('SELECT stamp, tables FROM derived_stamp WHERE part = ?', [part.name])
    if (known?.['stamp'] === stampOf(part)) return false
    const before = known ? (JSON.parse(String(known['tables'])) as string[]) : []
    for (const table of new Set([...before, ...part.tables]))
      transaction.script(`DROP TABLE IF EXISTS "${table.replaceAll('"', '""')}"`)
    transaction.script(part.schema)
    transaction.run('INSERT OR REPLACE INTO derived_stamp (part, stamp, tables) VALUES (?, ?, ?)', [
      part.name,
      'unfinished',
      JSON.stringify(part.tables),
    ])
    return true
  })

/** `filled`: hears of how many records each chunk was. */
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
    // A read crosses to the other thread: the event loop has its turn between two chunks.
    await database.read('SELECT 1')
  }
}

export function recordOf(row: SqlRow): RawRecord {
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
