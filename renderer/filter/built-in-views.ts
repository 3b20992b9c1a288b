import { parseFilter, termText } from '../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../electron/contract/filter/vocabularies.ts'
import type { ListName } from '../../electron/contract/view.ts'
import type { SavedView, SortEntry } from '../../electron/contract/api/views.ts'

/** The current state of a list, and the state set by a view. `columns` null: unchanged. */
export interface ViewState {
  readonly where: string
  readonly sort: readonly SortEntry[]
  readonly columns: readonly string[] | null
}

/** A view: one stored in the workbook (`id`) or a predefined one. */
export interface ViewEntry extends ViewState {
  readonly key: string
  readonly id: number | null
  readonly name: string
}

/** Predefined views; their names are in the locale. A test parses every filter. */
export const builtInViews: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  devices: {
    offlineWeek: 'status:offline age:>7d',
    behind: 'fw:behind,revoked',
    roomless: 'room:""',
    newLately: 'added:<30d',
    notRead: 'read:>24h',
    gone: 'gone:yes',
  },
  rooms: {
    trouble: 'health:trouble,down',
    behind: 'fw:behind,revoked',
    empty: 'devices:0',
    notRead: 'read:>24h',
    gone: 'gone:yes',
  },
  jobs: {
    open: 'state:running,paused',
    failed: 'outcome:failed,unknown',
    week: 'age:<7d',
  },
  journal: {
    check: 'outcome:unknown,unconfirmed',
    refused: 'outcome:refused,not-sent',
    reboots: 'operation:reboot',
    settings: 'operation:settings',
    today: 'age:<24h',
  },
  changes: {
    lost: 'kind:went-offline,gone',
    firmware: 'kind:firmware-changed',
    ofRooms: 'of:room',
    today: 'age:<24h',
  },
}

export const entryOf = (view: SavedView): ViewEntry => ({
  key: `saved ${view.id}`,
  id: view.id,
  name: view.name,
  where: view.where,
  sort: view.sort,
  columns: view.columns,
})

const meaningOf = (list: ListName, where: string): string => {
  const { terms, problems } = parseFilter(where, vocabularies[list])
  return problems.length > 0 ? where : terms.map(termText).toSorted().join(' ')
}

export const sameFilter = (list: ListName, a: string, b: string): boolean =>
  a === b || meaningOf(list, a) === meaningOf(list, b)

/** Whether a list equals a view. A view without an order or columns leaves them unchanged. */
export function showsView(list: ListName, view: ViewState, now: ViewState): boolean {
  const sorted = ({ sort }: ViewState): string =>
    sort.map(({ column, descending }) => `${column} ${descending}`).join()
  if (!sameFilter(list, view.where, now.where)) return false
  if (view.sort.length > 0 && sorted(view) !== sorted(now)) return false
  return view.columns === null || now.columns === null || view.columns.join() === now.columns.join()
}
