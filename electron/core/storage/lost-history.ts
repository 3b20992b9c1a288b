import { Failed } from '../../contract/failure.ts'
import { jsonOrNull } from './row-values.ts'
import type { Workbook } from './workbook.ts'

const name = 'history lost at'

/**
 * The workbook is new beside a store with rows: nobody knows which calls and writes were made just before.
 * Never rejects: a workbook that cannot be written sends no write.
 */
export async function noteLostHistory(workbook: Pick<Workbook, 'write'>, at: number): Promise<void> {
  try {
    await workbook.write((transaction) =>
      transaction.run('INSERT OR REPLACE INTO fact (name, value) VALUES (?, ?)', [name, String(at)]),
    )
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  }
}

/** Wall time; null: never. */
export async function lostHistoryAt(workbook: Pick<Workbook, 'query'>): Promise<number | null> {
  const [row] = await workbook.query('SELECT value FROM fact WHERE name = ?', [name])
  const at = jsonOrNull(row?.['value'])
  return typeof at === 'number' ? at : null
}
