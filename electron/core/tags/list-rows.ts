import type { DeviceList } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import type { Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { TagName } from './tag-names.ts'
import { mustExist } from './tag-rows.ts'

/** Maximum lists of one organization. Raise it if people need more. */
const listsAtMost = 50

/** Newest first. */
export async function queryLists(workbook: Workbook, organizationId: string): Promise<readonly DeviceList[]> {
  const rows = await workbook.query(
    `SELECT name, created_at, count(*) AS n FROM device_mark WHERE organization_id = ? AND kind = 'list'
     GROUP BY word ORDER BY created_at DESC, word`,
    [organizationId],
  )
  return rows.map((row) => ({
    name: String(row['name']),
    count: Number(row['n']),
    createdAt: Number(row['created_at']),
  }))
}

export interface SavedList extends TagName {
  readonly createdAt: number
  readonly ids: readonly string[]
}

/** Replaces the list of that name. Throws Failed `invalid` if there are too many already. */
export function keepList(
  transaction: Transaction,
  organizationId: string,
  { word, name, createdAt, ids }: SavedList,
): void {
  mustExist(transaction, organizationId)
  deleteList(transaction, organizationId, word)
  const saved = Number(
    transaction.first(
      `SELECT count(DISTINCT word) AS n FROM device_mark WHERE organization_id = ? AND kind = 'list'`,
      [organizationId],
    )?.['n'],
  )
  if (saved >= listsAtMost)
    throw Failed.invalid(
      'name',
      `There are already ${listsAtMost} lists, which is the maximum. Remove one first.`,
    )
  transaction.run(
    `INSERT INTO device_mark (organization_id, kind, word, device_id, name, created_at) SELECT ?, 'list', ?, value, ?, ? FROM json_each(?)`,
    [organizationId, word, name, createdAt, JSON.stringify(ids)],
  )
}

const deleteList = (transaction: Transaction, organizationId: string, word: string): number =>
  transaction.run(`DELETE FROM device_mark WHERE organization_id = ? AND kind = 'list' AND word = ?`, [
    organizationId,
    word,
  ]).changes

/** Throws Failed `not-found`. */
export function dropList(transaction: Transaction, organizationId: string, { word, name }: TagName): void {
  if (deleteList(transaction, organizationId, word) === 0) throw Failed.notFound(name)
}

export const hasList = (transaction: Transaction, organizationId: string, word: string): boolean =>
  transaction.first(
    `SELECT 1 FROM device_mark WHERE organization_id = ? AND kind = 'list' AND word = ? LIMIT 1`,
    [organizationId, word],
  ) !== undefined
