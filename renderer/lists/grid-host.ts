import type { TableSort } from './table-sort.ts'
import type { GridLayout } from './grid-columns.ts'

/** What the grid reads and emits. Functions that are called during drawing run inside `watched`. */
export interface GridHost<Row, Key extends string = string> {
  /** Prefix of element ids, which no other id in the document has. */
  readonly id: string
  /**
   * Gets the draw function and returns one that draws again. Everything that drawing reads is tracked, and
   * `draw` is called when it changes.
   */
  readonly watched: (paint: () => void) => () => void
  /** undefined: not loaded, so a placeholder bar is shown. An unchanged object is not drawn again. */
  readonly rowAt: (index: number) => Row | undefined
  readonly idOf: (row: Row) => string
  readonly isOpen: (row: Row) => boolean
  /** Classes of a row, each with a leading space. */
  readonly classOf: (row: Row) => string
  /** null: unknown. */
  readonly chosenAt: (id: string) => boolean | null
  /** Label of a row's check box. */
  readonly boxName: (row: Row) => string
  /** Whether a row is open beside the list: then moving with the keyboard opens the next one. */
  readonly opens: () => boolean
  readonly need: (first: number, last: number) => void
  readonly open: (row: Row, byKey: boolean) => void
  readonly toggle: (row: Row, index: number) => void
  readonly extend: (row: Row, index: number) => void
  readonly all: (always: boolean) => void
  /** Returns whether there was anything to close or clear. */
  readonly clear: () => boolean
  readonly sort: (sort: TableSort<Key>) => void
  readonly layout: (layout: GridLayout<Key>) => void
  readonly funnel: (key: Key, beside: HTMLElement) => void
  readonly visibleColumns: (keys: readonly Key[]) => void
}
