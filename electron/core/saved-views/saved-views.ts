import { Failed } from '../../contract/failure.ts'
import type { ListName } from '../../contract/view.ts'
import type { SavedView, SavedViewDraft } from '../../contract/api/views.ts'
import type { Clock, Transaction } from '../platform.ts'
import { folded } from '../../contract/filter/folded.ts'
import type { Workbook } from '../storage/workbook.ts'
import {
  deleteView,
  insertView,
  listOf,
  namesakeOf,
  queryViews,
  renameView,
  viewCount,
} from './saved-view-rows.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

/**
 * Filters, orders and columns saved under a name, for every organization. Rejects with Failed `invalid`,
 * `not-found` or `cache-unusable`.
 */
export interface SavedViews {
  /** Natural sort by name. */
  list(list: ListName): Promise<readonly SavedView[]>
  /**
   * Replaces the view with that list and name, ignoring case. The filter is stored as typed, even if it
   * cannot be parsed.
   */
  save(draft: SavedViewDraft): Promise<readonly SavedView[]>
  rename(id: number, name: string): Promise<readonly SavedView[]>
  remove(id: number): Promise<readonly SavedView[]>
}

/** Maximum over all lists. Raise it if people need more. */
const viewsAtMost = 200
/** Characters of a name. Raise it if real names are longer. */
const nameAtMost = 60

export function openSavedViews(deps: { readonly workbook: Workbook; readonly clock: Clock }): SavedViews {
  const { workbook, clock } = deps
  return {
    list: (list) => queryViews(workbook, list),

    async save(draft) {
      const name = checkedName(draft.name)
      await workbook.write((transaction) => {
        const namesake = namesakeOf(transaction, draft.list, folded(name))
        if (namesake !== null) deleteView(transaction, namesake)
        else if (viewCount(transaction) >= viewsAtMost)
          throw Failed.invalid(
            'name',
            `There are already ${viewsAtMost} saved views, which is the maximum. Remove one first.`,
          )
        // A replaced view keeps its id, because the palette or a link may refer to it.
        insertView(transaction, namesake, { ...draft, name }, clock.now())
      })
      return queryViews(workbook, draft.list)
    },

    async rename(id, typed) {
      const name = checkedName(typed)
      const list = await workbook.write((transaction) => {
        const found = existing(transaction, id)
        const namesake = namesakeOf(transaction, found, folded(name))
        if (namesake !== null && namesake !== id)
          throw Failed.invalid('name', 'Another saved view of this list has this name already.')
        renameView(transaction, id, name)
        return found
      })
      return queryViews(workbook, list)
    },

    async remove(id) {
      const list = await workbook.write((transaction) => {
        const found = existing(transaction, id)
        deleteView(transaction, id)
        return found
      })
      return queryViews(workbook, list)
    },
  }
}

function existing(transaction: Transaction, id: number): ListName {
  const list = listOf(transaction, id)
  if (list === null) throw Failed.notFound('saved view')
  return list
}

function checkedName(typed: string): string {
  const name = typed.trim()
  const refuse = (message: string): Failed => Failed.invalid('name', message)
  if (name === '') throw refuse('Enter a name.')
  const length = [...name].length
  if (length > nameAtMost)
    throw refuse(`A name can have at most ${nameAtMost} characters. This one has ${length}.`)
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name))
    throw refuse('A name cannot contain line breaks, tabs or other control characters.')
  if (folded(name).trim() === '') throw refuse('A name needs at least one letter, digit or symbol.')
  return name
}

export const savedViewHandlers = (views: SavedViews): Handlers<'views'> => ({
  list: ({ list }) => views.list(list),
  save: (draft) => views.save(draft),
  rename: ({ id, name }) => views.rename(id, name),
  remove: ({ id }) => views.remove(id),
})
