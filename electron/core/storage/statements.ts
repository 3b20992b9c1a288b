import type { Procedure, SqlValue } from '../platform.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Independent statements in one transaction. Returns how many rows each changed. */
export const runStatements: Procedure<readonly Statement[], readonly number[]> = {
  name: 'storage.run-statements',
  run: (transaction, statements) =>
    statements.map(({ sql, parameters }) => transaction.run(sql, parameters).changes),
}
