import type { Database, Procedure } from '../platform.ts'
import type { DerivedPart } from './derived.ts'
import { runStatements } from './statements.ts'

/** Rows that go in one transaction. Chosen: 500 held a busy two-core machine for up to a second, a window must draw between two. */
const chunk = 50

/** Tables that are not derived, with the columns that name a row. Records come first: what hangs on them is derived from them. */
const tables: readonly (readonly [table: string, row: string])[] = [
  ['record_alias', 'organization_id, kind, alias'],
  ['unreadable_record', 'row_id'],
  ['change', 'id'],
  ['sync_report', 'id'],
  ['sync_stream', 'organization_id, stream'],
  ['device_settings', 'row_id'],
  ['device_mark', 'organization_id, kind, word, device_id'],
  ['device_mark_stamp', 'organization_id'],
  ['firmware_standing', 'organization_id, product_id, variant, firmware_version'],
]

/**
 * Records behind `after`, by row number: those of one organization mostly stand together, so few pages are written. Their derived rows go
 * in the same transaction, so that neither is ever without the other. Answers the last one's row and how many there were; null: there was none left.
 */
export const forgetRecords: Procedure<
  {
    /** Tables with one row for a record, by the kind of record. */
    readonly recordTables: readonly Pick<DerivedPart, 'kind' | 'recordTables'>[]
    readonly organizationId: string
    readonly after: number
  },
  { readonly last: number; readonly forgotten: number } | null
> = {
  name: 'storage.forget-records',
  run(transaction, { recordTables, organizationId, after }) {
    // The plus keeps SQLite from the index of ids, which would have all of them sorted for each piece.
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

/** How many rows `forgetOrganization` takes away piece by piece. */
export async function rowsOf(database: Database, organizationId: string): Promise<number> {
  const counts = ['raw_record', ...tables.map(([table]) => table)].map(
    (table) => `(SELECT count(*) FROM ${table} WHERE organization_id = ?1)`,
  )
  const [row] = await database.read(`SELECT ${counts.join(' + ')} AS n`, [organizationId])
  return Number(row?.['n'])
}

/** Forgets everything of an organization in pieces. Ended by what `forgot` throws or by the end of the program, it goes on where it was when asked again. */
export async function forgetOrganization(
  database: Database,
  parts: readonly DerivedPart[],
  organizationId: string,
  forgot: (rows: number) => void,
): Promise<void> {
  const recordTables = parts.map(({ kind, recordTables: own }) => ({ kind, recordTables: own }))
  for (let after: number | null = 0; after !== null;) {
    const from: number = after
    const piece = await database.perform(forgetRecords, { recordTables, organizationId, after: from })
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
    // Standings judged for one run only (firmware/compliance.ts), which ended before it could take them out.
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
