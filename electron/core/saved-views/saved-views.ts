import { Failed } from '../../contract/failure.ts'
import type { ListName, SavedView, SavedViewDraft } from '../../contract/view.ts'
import type { Clock } from '../host.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Filters, orders and columns kept under a name, for every organization. Rejects with Failed `invalid`, `not-found` or `cache-unusable`. */
export interface SavedViews {
  list(list: ListName): Promise<readonly SavedView[]>
  save(draft: SavedViewDraft): Promise<readonly SavedView[]>
  rename(id: number, name: string): Promise<readonly SavedView[]>
  remove(id: number): Promise<readonly SavedView[]>
}

export function openSavedViews(_parts: { readonly workbook: Workbook; readonly clock: Clock }): SavedViews {
  const notYet = (): Promise<never> => Promise.reject(new Failed({ kind: 'invalid', field: 'call', message: 'This cannot be asked yet.' }))
  return { list: async () => [], save: notYet, rename: notYet, remove: notYet }
}
