import type { TableSort } from './table-sort.ts'
import type { GridLayout } from './grid-columns.ts'

/** What the grid asks and tells. Functions that a drawing asks are run within `watched`. */
export interface GridHost<Row, Key extends string = string> {
  /** Makes ids of elements; nothing else in the document begins with it. */
  readonly id: string
  /** Takes the drawing; answers what draws again. Whoever watches what it reads calls `draw` when that changes. */
  readonly watched: (paint: () => void) => () => void
  /** undefined: not here yet, its place shows a bar. An object that is the same is not painted again. */
  readonly rowAt: (index: number) => Row | undefined
  readonly idOf: (row: Row) => string
  readonly isOpen: (row: Row) => boolean
  /** Classes of a row, a space before each. */
  readonly classOf: (row: Row) => string
  /** null: nobody here can say. */
  readonly chosenAt: (id: string) => boolean | null
  /** Names the box of a row. */
  readonly boxName: (row: Row) => string
  /** Whether a row is open beside the list: then moving by key opens the next. */
  readonly opens: () => boolean
  readonly need: (first: number, last: number) => void
  readonly open: (row: Row, byKey: boolean) => void
  readonly toggle: (row: Row, index: number) => void
  readonly extend: (row: Row, index: number) => void
  readonly all: (always: boolean) => void
  /** Answers whether there was anything to let go of. */
  readonly clear: () => boolean
  readonly sort: (sort: TableSort<Key>) => void
  readonly layout: (layout: GridLayout<Key>) => void
  readonly funnel: (key: Key, beside: HTMLElement) => void
  readonly shown: (keys: readonly Key[]) => void
}
