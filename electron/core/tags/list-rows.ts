import type { DeviceList } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import type { Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { TagName } from './tag-names.ts'

/** Maximum lists of one organization. Raise it if people need more. */
export const listsAtMost = 50

/** Newest first. */
export async function queryLists(workbook: Workbook, organizationId: string): Promise<readonly DeviceList[]> {
  const rows = await workbook.query(
    `SELECT l.name, l.created_at, (SELECT count(*) FROM listed_device d WHERE d.organization_id = l.organization_id AND d.word = l.word) AS n
     FROM device_list l WHERE l.organization_id = ? ORDER BY l.created_at DESC, l.word`,
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
  transaction.run('DELETE FROM device_list WHERE organization_id = ? AND word = ?', [organizationId, word])
  const saved = Number(
    transaction.first('SELECT count(*) AS n FROM device_list WHERE organization_id = ?', [organizationId])?.[
      'n'
    ],
  )
  if (saved >= listsAtMost)
    throw Failed.invalid(
      'name',
      `There are already ${listsAtMost} lists, which is the maximum. Remove one first.`,
    )
  transaction.run('INSERT INTO device_list (organization_id, word, name, created_at) VALUES (?, ?, ?, ?)', [
    organizationId,
    word,
    name,
    createdAt,
  ])
  transaction.run(
    'INSERT INTO listed_device (organization_id, word, device_id) SELECT ?, ?, value FROM json_each(?)',
    [organizationId, word, JSON.stringify(ids)],
  )
}

/** Throws Failed `not-found`. */
export function dropList(transaction: Transaction, organizationId: string, { word, name }: TagName): void {
  const { changes } = transaction.run('DELETE FROM device_list WHERE organization_id = ? AND word = ?', [
    organizationId,
    word,
  ])
  if (changes === 0) throw Failed.notFound(name)
}

export const hasList = (transaction: Transaction, organizationId: string, word: string): boolean =>
  transaction.first('SELECT 1 FROM device_list WHERE organization_id = ? AND word = ?', [
    organizationId,
    word,
  ]) !== undefined
