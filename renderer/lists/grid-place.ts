import type { TablePlace } from '../parts/table-columns.ts'

/** Where a list was left: pixels from the top, the row that keys act on, and what stood at the top, which may have another place now. */
export interface GridPlace extends TablePlace {
  readonly id?: string | null
}
