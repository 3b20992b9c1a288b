/** The lists that have a filter, a layout and saved views. */
export const listNames = ['devices', 'rooms', 'changes', 'journal'] as const
export type ListName = (typeof listNames)[number]

export interface SortEntry {
  readonly column: string
  readonly descending: boolean
}

/** A filter, an order and columns kept under a name, for every organization. */
export interface SavedView {
  readonly id: number
  readonly list: ListName
  readonly name: string
  readonly where: string
  readonly sort: readonly SortEntry[]
  /** Visible columns in their order; null: whatever is shown. */
  readonly columns: readonly string[] | null
  readonly createdAt: number
}
export type SavedViewDraft = Omit<SavedView, 'id' | 'createdAt'>

/** Columns of a list as a technician left them. */
export interface ListLayout {
  /** Visible columns in their order; `width` in CSS pixels, null: as it comes. */
  readonly columns: readonly {
    readonly column: string
    readonly width: number | null
    readonly pinned: boolean
  }[]
  readonly sort: readonly SortEntry[]
}
