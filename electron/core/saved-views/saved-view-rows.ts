import { listNames, type ListName } from '../../contract/view.ts'
import type { SavedView, SavedViewDraft, SortEntry } from '../../contract/api/views.ts'
import type { SqlValue, Transaction } from '../platform.ts'
import { folded } from '../../contract/filter/folded.ts'
import { naturalKey } from '../storage/search-text.ts'
import type { Workbook } from '../storage/workbook.ts'
import { jsonOrNull } from '../storage/row-values.ts'

/** Natural sort by name. Rejects with Failed `cache-unusable`. */
export async function queryViews(workbook: Workbook, list: ListName): Promise<readonly SavedView[]> {
  const rows = await workbook.query(
    'SELECT id, name, filter, sort, columns, created_at FROM saved_view WHERE list = ?',
    [list],
  )
  const keyed = rows.map((row) => {
    const name = String(row['name'])
    const view: SavedView = {
      id: Number(row['id']),
      list,
      name,
      where: String(row['filter']),
      sort: sortIn(row['sort']),
      columns: columnsIn(row['columns']),
      createdAt: Number(row['created_at']),
    }
    return { key: naturalKey(name), view }
  })
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.view.id - b.view.id))
    .map(({ view }) => view)
}

/** `id` null: a new one. */
export function insertView(
  transaction: Transaction,
  id: number | null,
  { list, name, where, sort, columns }: SavedViewDraft,
  createdAt: number,
): void {
  transaction.run(
    'INSERT INTO saved_view (id, list, name, name_folded, filter, sort, columns, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [
      id,
      list,
      name,
      folded(name),
      where,
      JSON.stringify(sort),
      columns === null ? null : JSON.stringify(columns),
      createdAt,
    ],
  )
}

export function renameView(transaction: Transaction, id: number, name: string): void {
  transaction.run('UPDATE saved_view SET name = ?, name_folded = ? WHERE id = ?', [name, folded(name), id])
}

export function deleteView(transaction: Transaction, id: number): void {
  transaction.run('DELETE FROM saved_view WHERE id = ?', [id])
}

export function namesakeOf(transaction: Transaction, list: ListName, nameFolded: string): number | null {
  const row = transaction.first('SELECT id FROM saved_view WHERE list = ? AND name_folded = ?', [
    list,
    nameFolded,
  ])
  return row === undefined ? null : Number(row['id'])
}

export const viewCount = (transaction: Transaction): number =>
  Number(transaction.first('SELECT count(*) AS n FROM saved_view')?.['n'])

/** null: there is no such view. */
export function listOf(transaction: Transaction, id: number): ListName | null {
  const list = transaction.first('SELECT list FROM saved_view WHERE id = ?', [id])?.['list']
  return listNames.find((name) => name === list) ?? null
}

/** Accepts an altered file: an invalid sort entry is skipped. */
function sortIn(value: SqlValue | undefined): readonly SortEntry[] {
  const entries = jsonOrNull(value)
  return (Array.isArray(entries) ? (entries as unknown[]) : []).flatMap((entry) => {
    if (
      typeof entry !== 'object' ||
      entry === null ||
      !('column' in entry) ||
      typeof entry.column !== 'string'
    )
      return []
    return [{ column: entry.column, descending: 'descending' in entry && entry.descending === true }]
  })
}

function columnsIn(value: SqlValue | undefined): readonly string[] | null {
  const columns = jsonOrNull(value)
  return Array.isArray(columns) ? (columns as unknown[]).filter((column) => typeof column === 'string') : null
}
