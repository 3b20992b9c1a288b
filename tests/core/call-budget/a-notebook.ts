import type { SqlRow, Transaction } from '../../../electron/core/platform.ts'
import type { Workbook } from '../../../electron/core/storage/workbook.ts'

/** The facts of a workbook, in memory. */
export function aNotebook(): Pick<Workbook, 'query' | 'write'> {
  const facts = new Map<unknown, unknown>()
  const found = (name: unknown): SqlRow[] =>
    facts.has(name) ? [{ value: facts.get(name) } as unknown as SqlRow] : []
  const transaction = {
    run: (sql: string, [name, value]: readonly unknown[]) =>
      void (sql.startsWith('DELETE') ? facts.delete(name) : facts.set(name, value)),
    first: (_: string, [name]: readonly unknown[]) => found(name)[0],
  } as unknown as Transaction
  return {
    query: async (sql, [name] = []) => (sql.includes('FROM fact') ? found(name) : []),
    write: async (work) => work(transaction),
  }
}
