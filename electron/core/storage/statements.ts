import type { Procedure, SqlValue } from '../platform.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Statements that need nothing of each other, in one transaction. Answers how many rows each changed. */
export const runStatements: Procedure<readonly Statement[], readonly number[]> = {
  name: 'storage.run-statements',
  run: (transaction, statements) =>
    statements.map(({ sql, parameters }) => transaction.run(sql, parameters).changes),
}
