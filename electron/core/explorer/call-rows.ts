import type { ExplorerCall } from '../../contract/api/explorer.ts'
import type { SqlRow, SqlValue } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'

/**
 * Maximum of stored calls in an organization's history, and of examples in total. Raise it if people look
 * further back.
 */
export const historyAtMost = 200
const examplesAtMost = 500

export interface StoredCalls {
  /** Newest first. */
  history(): Promise<readonly ExplorerCall[]>
  note(call: Omit<ExplorerCall, 'id' | 'name'>): Promise<void>
  /** By name; shared by all organizations, because they contain no responses. */
  examples(): Promise<readonly ExplorerCall[]>
  /** Saving under an existing name replaces that example. */
  saveExample(call: Omit<ExplorerCall, 'id' | 'status'>): Promise<void>
  removeExample(id: number): Promise<void>
}

/** Parameters only, never a response. Rejects with Failed `cache-unusable`. */
export function openStoredCalls(
  workbook: Pick<Workbook, 'query' | 'write'>,
  organizationId: string,
): StoredCalls {
  const query = async (condition: string, values: readonly SqlValue[]): Promise<readonly ExplorerCall[]> =>
    (
      await workbook.query(
        `SELECT id, name, operation, parameters, at, status FROM explorer_call WHERE ${condition}`,
        values,
      )
    ).map(callOf)
  return {
    history: () => query('organization_id = ? ORDER BY id DESC LIMIT ?', [organizationId, historyAtMost]),
    async note({ operation, parameters, at, status }) {
      await workbook.write((transaction) => {
        transaction.run(
          'INSERT INTO explorer_call (organization_id, operation, parameters, at, status) VALUES (?, ?, ?, ?, ?)',
          [organizationId, operation, JSON.stringify(parameters), at, status],
        )
        transaction.run(
          `DELETE FROM explorer_call WHERE organization_id = ?1 AND id NOT IN
             (SELECT id FROM explorer_call WHERE organization_id = ?1 ORDER BY id DESC LIMIT ?2)`,
          [organizationId, historyAtMost],
        )
      })
    },
    examples: () =>
      query('organization_id IS NULL ORDER BY name COLLATE NOCASE, id LIMIT ?', [examplesAtMost]),
    async saveExample({ name, operation, parameters, at }) {
      await workbook.write((transaction) => {
        transaction.run('DELETE FROM explorer_call WHERE organization_id IS NULL AND name = ?', [name])
        transaction.run('INSERT INTO explorer_call (name, operation, parameters, at) VALUES (?, ?, ?, ?)', [
          name,
          operation,
          JSON.stringify(parameters),
          at,
        ])
      })
    },
    async removeExample(id) {
      await workbook.write((transaction) =>
        transaction.run('DELETE FROM explorer_call WHERE organization_id IS NULL AND id = ?', [id]),
      )
    },
  }
}

const callOf = (row: SqlRow): ExplorerCall => ({
  id: Number(row['id']),
  name: row['name'] === null ? '' : String(row['name']),
  operation: String(row['operation']),
  parameters: JSON.parse(String(row['parameters'])) as ExplorerCall['parameters'],
  at: Number(row['at']),
  status: row['status'] === null ? null : Number(row['status']),
})
