import { z } from 'zod'
import { anySort, column, free, start, where } from '../argument-parts.ts'
import { local, method } from '../method.ts'
import { listNames, type ListName } from '../view.ts'

export interface SortEntry {
  readonly column: string
  readonly descending: boolean
}

/** A filter, an order and columns saved under a name, for every organization. */
export interface SavedView {
  readonly id: number
  readonly list: ListName
  readonly name: string
  readonly where: string
  readonly sort: readonly SortEntry[]
  /** Visible columns in order; null: the current ones. */
  readonly columns: readonly string[] | null
  readonly createdAt: number
}
export type SavedViewDraft = Omit<SavedView, 'id' | 'createdAt'>

/** Columns of a list as the technician arranged them. */
export interface ListLayout {
  /** Visible columns in order; `width` in CSS pixels, null: the default width. */
  readonly columns: readonly {
    readonly column: string
    readonly width: number | null
    readonly pinned: boolean
  }[]
  readonly sort: readonly SortEntry[]
  /** The field that the list is grouped by; missing or null: none. */
  readonly group?: string | null
}

const list = z.enum(listNames)
const columns = z.array(column).max(60).readonly().nullable()

export const views = {
  list: method(z.strictObject({ list })).returns<readonly SavedView[]>(),
  /** One of the same list and name is replaced. */
  save: local(z.strictObject({ list, name: free, where, sort: anySort, columns })).returns<
    readonly SavedView[]
  >(),
  rename: local(z.strictObject({ id: start, name: free })).returns<readonly SavedView[]>(),
  remove: local(z.strictObject({ id: start })).returns<readonly SavedView[]>(),
}
