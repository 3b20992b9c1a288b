import type { Cell } from './grid-cells.ts'
import {
  positionedColumns,
  withWidth,
  type GridColumn,
  type GridLayout,
  type PositionedColumn,
} from './grid-columns.ts'
import type { GridHeads } from './grid-heads.ts'
import type { RowCell } from './grid-rows.ts'
import type { TableSort } from './table-sort.ts'

export interface GridColumns<Row, Key extends string = string> {
  readonly columns: readonly GridColumn<Row, Key>[]
  readonly layout: GridLayout<Key>
  readonly sort: TableSort<Key>
  readonly boxed: boolean
}

/** The column of check boxes: always first, always visible. */
export const BOX_KEY = 'box'
/** CSS pixels (chosen). */
const BOX = 40
/** Padding of a cell on both sides, and its border. */
const AROUND = 18
/** The first cell has so much more, so that its text is below the title of the page. */
const EDGE = 8

const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0)
const widthName = (at: number): string => `--grid-w${at}`
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl'

/** CSS pixels, without cutting. */
function widthOfContent(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().width
}

/** Which columns are shown, where and how wide: set as custom properties of the style sheet, so that a width changes no element. */
export class ColumnPlaces<Row> {
  readonly #scroller: HTMLElement
  readonly #grid: HTMLElement
  readonly #heads: GridHeads
  #given: GridColumns<Row> = { columns: [], layout: [], sort: [], boxed: false }
  #columns: readonly PositionedColumn<Row>[] = []
  #room = 0
  #pinned = 0
  #drawn = ''
  #cells: readonly Cell<Row>[] = []

  constructor(scroller: HTMLElement, grid: HTMLElement, heads: GridHeads) {
    this.#scroller = scroller
    this.#grid = grid
    this.#heads = heads
  }

  get given(): GridColumns<Row> {
    return this.#given
  }
  set given(given: GridColumns<Row>) {
    this.#given = given
  }
  /** In order, without the check boxes. */
  get keys(): readonly string[] {
    return this.#columns.map((one) => one.column.key)
  }
  positioned(key: string): PositionedColumn<Row> | undefined {
    return this.#columns.find((one) => one.column.key === key)
  }
  /** Positions the columns for this width in CSS pixels. `widened`: while an edge is dragged. */
  place(room: number, widened: { readonly key: string; readonly width: number } | null): void {
    const { columns, layout, sort, boxed } = this.#given
    this.#room = room
    const columnLayout = widened === null ? layout : withWidth(layout, this.keys, widened.key, widened.width)
    this.#columns = positionedColumns(columns, columnLayout, room - (boxed ? BOX : 0))
    const widths = this.#widths()
    const wide = sum(widths)
    const overflows = room > 0 && wide > room
    this.#pinned = overflows ? (boxed ? 1 : 0) + this.#columns.filter((one) => one.pinned).length : 0
    const { style } = this.#scroller
    for (const [at, width] of widths.entries()) style.setProperty(widthName(at), `${width}px`)
    style.setProperty('--grid-wide', `${wide}px`)
    style.setProperty('--grid-pins', `${sum(widths.slice(0, this.#pinned))}px`)
    this.#scroller.classList.toggle('wide', overflows)
    this.#grid.setAttribute('aria-colcount', String(widths.length))
    this.#heads.show(this.#columns, sort, boxed, this.#pinned, widthName)
  }
  /** Emits the cells when they differ from before. */
  fill(
    box: Cell<Row>,
    into: (cells: readonly RowCell<Row>[], pinned: number, widthName: (at: number) => string) => void,
  ): void {
    const { boxed } = this.#given
    const cells = this.#columns.map((one) => one.column.cell)
    const drawn = [
      boxed,
      this.#pinned,
      ...this.#columns.map(({ column }) => `${column.key} ${column.look ?? ''}`),
    ].join('|')
    if (drawn === this.#drawn && cells.every((one, at) => one === this.#cells[at])) return
    this.#drawn = drawn
    this.#cells = cells
    into(
      [
        ...(boxed ? [{ key: BOX_KEY, look: 'box', cell: box }] : []),
        ...this.#columns.map(({ column }) => ({
          key: column.key,
          look: column.look ?? '',
          cell: column.cell,
        })),
      ],
      this.#pinned,
      widthName,
    )
  }
  /** The width in CSS pixels in which the header and these cells of a column fit. */
  neededWidth(at: number, cells: readonly HTMLElement[]): number {
    const { style } = this.#scroller
    const previous = style.getPropertyValue(widthName(at))
    // Width during measurement, so large that nothing is cut.
    style.setProperty(widthName(at), '2000px')
    const head = this.#heads.cells[at]?.querySelector('.grid-sort')
    const widest = Math.max(0, ...[...(head ? [head] : []), ...cells].map(widthOfContent))
    style.setProperty(widthName(at), previous)
    return Math.ceil(widest) + AROUND + (at === 0 && !this.#given.boxed ? EDGE : 0)
  }
  /** Scrolls a column into view beside the pinned ones. Its index counts the check boxes. */
  show(at: number): void {
    if (!this.#scroller.classList.contains('wide') || at < this.#pinned) return
    const widths = this.#widths()
    const start = sum(widths.slice(this.#pinned, at))
    const end = start + (widths[at] ?? 0)
    const room = this.#room - sum(widths.slice(0, this.#pinned))
    const left = Math.abs(this.#scroller.scrollLeft)
    const to = start < left ? start : end > left + room ? Math.min(start, end - room) : left
    if (to !== left) this.#scroller.scrollLeft = isRightToLeft(this.#scroller) ? -to : to
  }
  #widths(): readonly number[] {
    return [...(this.#given.boxed ? [BOX] : []), ...this.#columns.map((one) => one.width)]
  }
}
