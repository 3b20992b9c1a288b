import type { Database, Procedure } from '../platform.ts'
import type { DerivedPart } from './derived.ts'
import { runStatements } from './statements.ts'

/**
 * Rows deleted in one transaction. 500 blocked a busy two-core machine for up to a second, and a window must
 * draw in between; change it after measuring.
 */
const chunk = 50

/**
 * Tables that are not derived, with the columns that identify a row. Records come first, because their
 * dependent rows are derived from them.
 */
const tables: readonly (readonly [table: string, row: string])[] = [
  ['record_alias', 'organization_id, kind, alias'],
  ['unreadable_record', 'row_id'],
  ['unreadable_since', 'organization_id, kind, identity, since'],
  ['change', 'id'],
  ['sync_report', 'id'],
  ['sync_stream', 'organization_id, stream'],
  ['device_settings', 'row_id'],
  ['firmware_standing', 'organization_id, product_id, variant, firmware_version'],
]

/**
 * Records after `after`, by row number: those of one organization are mostly adjacent, so few pages are
 * written. Their derived rows are deleted in the same transaction, so that neither exists without the other.
 * Returns the last one's row and the number of rows; null: no records are left.
 */
export const purgeRecords: Procedure<
  {
    /** Tables with one row per record, by the kind of record. */
    readonly recordTables: readonly Pick<DerivedPart, 'kind' | 'recordTables'>[]
    readonly organizationId: string
    readonly after: number
  },
  { readonly last: number; readonly forgotten: number } | null
> = {
  name: 'storage.forget-records',
  run(transaction, { recordTables, organizationId, after }) {
    // The plus keeps SQLite from using the index on ids, which would sort all of them for each piece.
    const found = transaction.all(
      `SELECT row_id, kind FROM raw_record WHERE +organization_id = ? AND row_id > ? ORDER BY row_id LIMIT ${chunk}`,
      [organizationId, after],
    )
    for (const { row_id: rowId = null, kind } of found) {
      for (const part of recordTables)
        if (part.kind === kind)
          for (const table of part.recordTables)
            transaction.run(`DELETE FROM "${table}" WHERE rowid = ?`, [rowId])
      transaction.run('DELETE FROM raw_record WHERE row_id = ?', [rowId])
    }
    const last = found.at(-1)
    return last === undefined ? null : { last: Number(last['row_id']), forgotten: found.length }
  },
}

/** The number of rows that `purgeOrganization` deletes in pieces. */
export async function rowsOf(database: Database, organizationId: string): Promise<number> {
  const counts = ['raw_record', ...tables.map(([table]) => table)].map(
    (table) => `(SELECT count(*) FROM ${table} WHERE organization_id = ?1)`,
  )
  const [row] = await database.query(`SELECT ${counts.join(' + ')} AS n`, [organizationId])
  return Number(row?.['n'])
}

/**
 * Deletes all data of an organization in pieces. After an exception of `forgot` or the end of the program,
 * the next call continues at the same place.
 */
export async function purgeOrganization(
  database: Database,
  parts: readonly DerivedPart[],
  organizationId: string,
  forgot: (rows: number) => void,
): Promise<void> {
  const recordTables = parts.map(({ kind, recordTables: own }) => ({ kind, recordTables: own }))
  for (let after: number | null = 0; after !== null;) {
    const from: number = after
    const piece = await database.perform(purgeRecords, { recordTables, organizationId, after: from })
    after = piece?.last ?? null
    forgot(piece?.forgotten ?? 0)
  }
  for (const [table, row] of tables) {
    const sql = `DELETE FROM ${table} WHERE (${row}) IN (SELECT ${row} FROM ${table} WHERE organization_id = ? LIMIT ${chunk})`
    for (let forgotten = 1; forgotten > 0;) {
      ;[forgotten = 0] = await database.perform(runStatements, [{ sql, parameters: [organizationId] }])
      forgot(forgotten)
    }
  }
  await database.perform(runStatements, [
    // Compliance results of a single run (firmware/compliance.ts), which ended before it could delete them.
    {
      sql: `DELETE FROM firmware_standing WHERE organization_id GLOB ? || ' *'`,
      parameters: [organizationId],
    },
    ...parts
      .flatMap((part) => part.organizationTables)
      .map((table) => ({
        sql: `DELETE FROM "${table}" WHERE organization_id = ?`,
        parameters: [organizationId],
      })),
  ])
}
