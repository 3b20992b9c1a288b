import { BOX_KEY, ColumnPlaces, isRightToLeft, type GridColumns } from './column-places.ts'
import { checkBox, type Cell } from './grid-cells.ts'
import { withMoved, withPinned, withWidth } from './grid-columns.ts'
import { GridHeads, type HeadState } from './grid-heads.ts'
import type { GridHost } from './grid-host.ts'
import { wishOf, type GridSpot, type GridWish } from './grid-keys.ts'
import { GridRows, type GridBand } from './grid-rows.ts'
import { openScrollPace } from './scroll-pace.ts'
import { sortedWith } from './table-sort.ts'

/** Height of the headers in CSS pixels (chosen). */
const HEAD = 31
/** Width of a scroll bar in CSS pixels (styles/base.css). */
const SCROLL_BAR = 10

/**
 * A long list with reused row elements: row i uses element i % slots, and only texts and classes change. The
 * list itself has the focus and names its active cell, so that the focus is not lost when a row is removed.
 * Plain DOM without markup or inline styles.
 */
export class RecycledGrid<Row, Key extends string = string> {
  readonly root = document.createElement('div')
  readonly #scroller = document.createElement('div')
  readonly #host: GridHost<Row>
  readonly #heads: GridHeads
  readonly #rows: GridRows<Row>
  readonly #watcher: ResizeObserver
  readonly #pace = openScrollPace()
  readonly #paint: () => void
  readonly #places: ColumnPlaces<Row>
  readonly #box: Cell<Row>
  #emitted = ''
  #total = 0
  #rowHeight = 32
  #height = 0
  #width = 0
  #top = 0
  #active: GridSpot = { row: 0, column: 0 }
  #leftRow = 0
  #marked: HTMLElement | null = null
  /** The row to open as soon as it is loaded. */
  #toOpen: number | null = null
  #waits = false
  #gone = false

  constructor(box: HTMLElement, given: GridHost<Row, Key>) {
    // Internally a key is text, because it is stored in elements.
    const host = given as unknown as GridHost<Row>
    this.#host = host
    this.#scroller.className = 'data-grid'
    this.root.className = 'grid-body'
    this.root.setAttribute('role', 'grid')
    this.root.tabIndex = 0
    this.#heads = new GridHeads(host.id, {
      sort: (key, after) => this.#sort(key, after),
      all: () => host.all(false),
      funnel: host.funnel,
      resize: (key, width, phase) => this.#resize(key, width, phase),
      autoWidth: (key) => this.#autoWidth(key),
      move: (key, by) => this.#move(key, by),
      pressed: (element) => {
        this.#leaveRows()
        this.#active = { row: -1, column: this.#heads.cells.indexOf(element) }
        this.root.focus({ preventScroll: true })
        this.#mark()
      },
    })
    this.#places = new ColumnPlaces(this.#scroller, this.root, this.#heads)
    this.#box = checkBox(
      (row) => host.chosenAt(host.idOf(row)),
      (row) => host.boxName(row),
    )
    this.#rows = new GridRows(
      host.id,
      (event, index, column) => this.#clicked(event, index, column),
      () => this.root.focus({ preventScroll: true }),
    )
    this.root.append(this.#heads.root, this.#rows.root)
    this.#scroller.append(this.root, this.#rows.pins)
    box.append(this.#scroller)
    this.#paint = host.watched(() => this.#paintAll())
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    this.root.addEventListener('keydown', (event) => this.#onKey(event))
    this.#watcher = new ResizeObserver(() => this.#fit())
    this.#watcher.observe(this.#scroller)
    this.#fit()
  }
  destroy(): void {
    this.#gone = true
    this.#watcher.disconnect()
    this.#rows.destroy()
    this.#scroller.remove()
  }

  setLabel(label: string): void {
    this.root.setAttribute('aria-label', label)
  }
  /** Row height in CSS pixels. When it changes, the top row keeps its position. */
  setRowHeight(height: number): void {
    if (height === this.#rowHeight) return
    const { index } = this.topRow()
    this.#rowHeight = height
    this.#scroller.style.setProperty('--grid-row', `${height}px`)
    this.#rows.setRowHeight(height)
    this.#rows.setTotal(this.#total)
    this.scrollToTop(index * height)
    this.#fit()
  }
  setTotal(total: number): void {
    this.#total = total
    this.root.setAttribute('aria-rowcount', String(total + 1))
    this.#rows.setTotal(total)
    this.#top = Math.max(0, Math.min(this.#top, this.#rows.topOf(total) - this.#inSight()))
    this.#active = { ...this.#active, row: Math.min(this.#active.row, Math.max(0, total - 1)) }
    this.draw()
  }
  setBand(band: GridBand | null): void {
    this.#rows.setBand(band)
    this.draw()
  }
  /** Widths, order and headers change in place; other cells are rebuilt. */
  setColumns(columns: GridColumns<Row, Key>): void {
    this.#places.given = columns
    this.root.setAttribute('aria-multiselectable', String(columns.boxed))
    this.#place()
    this.draw()
  }
  setHead(state: HeadState): void {
    this.#heads.showBox(state)
  }
  /** Draws the visible rows, without unchanged ones. */
  draw(): void {
    if (this.#gone) return
    this.#paint()
    this.#mark()
    this.#need()
    this.#openNext()
  }
  /** Draws every visible row again, for example because ages or the language changed. */
  repaint(): void {
    this.#rows.forget()
    this.draw()
  }
  toTop(): void {
    this.#active = { ...this.#active, row: 0 }
    this.#leftRow = 0
    this.scrollToTop(0)
  }
  /** The scroll position in CSS pixels. */
  scrollToTop(top: number): void {
    this.#top = Math.max(0, top)
    this.#scroller.scrollTop = this.#top
    this.draw()
  }
  get scrollTop(): number {
    return this.#top
  }
  get activeRow(): number {
    return this.#active.row < 0 ? this.#leftRow : this.#active.row
  }
  /** The first visible row. */
  topRow(): { readonly index: number; readonly id: string | null } {
    const index = Math.floor(this.#top / this.#rowHeight)
    const row = index < this.#total ? this.#host.rowAt(index) : undefined
    return { index, id: row === undefined ? null : this.#host.idOf(row) }
  }
  /** Keeps the visible rows at their position on screen after rows were added or removed above. */
  shiftBy(rows: number): void {
    if (rows === 0) return
    if (this.#active.row >= 0)
      this.#active = { ...this.#active, row: this.#rowWithin(this.#active.row + rows) }
    this.#leftRow = this.#rowWithin(this.#leftRow + rows)
    this.scrollToTop(this.#top + rows * this.#rowHeight)
  }
  /** Makes a row the active one, on which keys act. */
  goToRow(index: number, show: boolean): void {
    const row = this.#rowWithin(index)
    this.#active = { ...this.#active, row }
    if (show) this.#showRow(row)
    else this.draw()
  }
  /** Makes a cell active: at `row` if given, else the previous one if visible, else in the first visible row. */
  focus(row: number | null): void {
    const first = Math.ceil(this.#top / this.#rowHeight)
    const last = Math.floor((this.#top + this.#inSight()) / this.#rowHeight) - 1
    const { row: was } = this.#active
    this.goToRow(row ?? (was >= first && was <= Math.max(first, last) ? was : first), true)
    this.root.focus({ preventScroll: true })
  }
  /** Makes the header of a column active. */
  focusHead(key: string): void {
    const column = this.#heads.cells.findIndex((cell) => cell.dataset['column'] === key)
    if (column < 0) return this.focus(null)
    this.#leaveRows()
    this.#go({ row: -1, column })
    this.root.focus({ preventScroll: true })
  }

  #rowWithin(row: number): number {
    return Math.max(0, Math.min(this.#total - 1, row))
  }
  #inSight(): number {
    return Math.max(0, this.#height - HEAD)
  }
  #scrolled(): void {
    const { scrollTop } = this.#scroller
    if (scrollTop === this.#top) return
    this.#top = scrollTop
    this.#pace.moved(Math.floor(scrollTop / this.#rowHeight))
    this.draw()
  }
  #fit(): void {
    const { offsetWidth, clientHeight } = this.#scroller
    this.#height = clientHeight
    // The scroll bar has its space before it is there: columns do not move when rows arrive.
    const width = Math.max(0, offsetWidth - SCROLL_BAR)
    const wider = width !== this.#width
    this.#width = width
    this.#rows.setHeight(this.#inSight())
    if (wider) this.#place()
    this.draw()
  }

  // Columns
  #place(widened: { readonly key: string; readonly width: number } | null = null): void {
    const previous = this.#heads.cells[this.#active.column]?.dataset['column']
    this.#places.place(this.#width, widened)
    const first = this.#places.given.boxed ? 1 : 0
    const stayed = this.#heads.cells.findIndex((cell) => cell.dataset['column'] === previous)
    this.#active = {
      ...this.#active,
      column:
        stayed < 0
          ? Math.max(0, Math.min(this.#heads.cells.length - 1, this.#active.column || first))
          : stayed,
    }
    this.#places.fill(this.#box, (...cells) => this.#rows.setCells(...cells))
    const emitted = this.#places.keys.join(' ')
    // Nothing fits as long as the width is not known.
    if (emitted === this.#emitted || this.#width === 0) return
    this.#emitted = emitted
    this.#host.visibleColumns(this.#places.keys)
  }
  #sort(key: string, after: boolean): void {
    const column = this.#places.given.columns.find((one) => one.key === key)
    if (!column || column.fixed === true) return
    this.#host.sort(sortedWith(this.#places.given.sort, column, after))
  }
  #resize(key: string, width: number, phase: 'drag' | 'end' | 'cancel'): void {
    this.#scroller.classList.toggle('resizing', phase === 'drag')
    if (phase === 'end')
      this.#host.layout(withWidth(this.#places.given.layout, this.#places.keys, key, width))
    else this.#place(phase === 'drag' ? { key, width } : null)
  }
  #autoWidth(key: string): void {
    const at = this.#heads.cells.findIndex((cell) => cell.dataset['column'] === key)
    this.#resize(key, this.#places.neededWidth(at, this.#rows.cellsAt(at)), 'end')
  }
  #move(key: string, by: number): void {
    if (by === 0) return
    this.#host.layout(withMoved(this.#places.given.layout, this.#places.keys, key, by))
  }

  // Rows
  #paintAll(): void {
    const { rowAt, idOf, isOpen, chosenAt, classOf } = this.#host
    const { boxed } = this.#places.given
    this.#rows.draw(this.#top, rowAt, (row) => {
      const chosen = boxed ? chosenAt(idOf(row)) : null
      const open = isOpen(row)
      return {
        look: `${classOf(row)}${chosen === true ? ' chosen' : ''}${open ? ' open' : ''}`,
        selected: boxed ? chosen === true : open,
        box: chosen,
      }
    })
  }
  #need(): void {
    const { first, last } = this.#rows.drawn
    if (last < first) return
    if (!this.#pace.isFleeting()) return this.#host.need(first, last)
    // Rows are requested where scrolling stops, not while they are only scrolled past.
    if (this.#waits) return
    this.#waits = true
    void this.#pace.readable().then(() => {
      this.#waits = false
      this.draw()
    })
  }
  #openNext(): void {
    if (this.#toOpen === null) return
    const row = this.#host.rowAt(this.#toOpen)
    if (row === undefined) return
    this.#toOpen = null
    this.#host.open(row, false)
  }
  #mark(): void {
    const { row, column } = this.#active
    const cell = row < 0 ? this.#heads.cells[column] : this.#rows.cellAt(row, column)
    if ((cell ?? null) !== this.#marked) {
      this.#marked?.classList.remove('active')
      this.#marked = cell ?? null
      cell?.classList.add('active')
    }
    if (cell) this.root.setAttribute('aria-activedescendant', cell.id)
    else this.root.removeAttribute('aria-activedescendant')
  }
  #showRow(row: number): void {
    const top = this.#rows.topOf(row)
    const inSight = this.#inSight()
    if (top < this.#top) this.scrollToTop(top)
    else if (top + this.#rowHeight > this.#top + inSight)
      this.scrollToTop(Math.max(0, top + this.#rowHeight - inSight))
    else this.draw()
  }
  #go(to: GridSpot): void {
    const previous = this.#active
    if (to.row < 0) this.#leaveRows()
    this.#active = to
    if (to.row >= 0) this.#showRow(to.row)
    else this.#mark()
    if (to.column !== previous.column) this.#places.show(to.column)
    if (to.row < 0 || to.row === previous.row || !this.#host.opens()) return
    this.#toOpen = to.row
    this.#openNext()
  }
  #leaveRows(): void {
    if (this.#active.row >= 0) this.#leftRow = this.#active.row
  }
  #clicked(event: MouseEvent, index: number, column: number): void {
    const row = this.#host.rowAt(index)
    this.#active = { row: index, column }
    this.#toOpen = null
    this.#mark()
    if (row === undefined) return
    const chooses =
      (this.#places.given.boxed && column === 0) || event.shiftKey || event.ctrlKey || event.metaKey
    if (!this.#places.given.boxed || !chooses) this.#host.open(row, false)
    else if (event.shiftKey) this.#host.extend(row, index)
    else this.#host.toggle(row, index)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.root || event.defaultPrevented) return
    const { boxed } = this.#places.given
    const wish = wishOf(event, {
      at: this.#active,
      rows: this.#total,
      columns: this.#heads.cells.length,
      page: Math.max(1, Math.floor(this.#inSight() / this.#rowHeight) - 1),
      leftRow: this.#leftRow,
      boxed,
      rightToLeft: event.key.startsWith('Arrow') && isRightToLeft(this.root),
    })
    if (wish === null || !this.#follow(wish)) return
    event.preventDefault()
    event.stopPropagation()
  }
  /** false: it had no effect, and the key may have another meaning elsewhere. */
  #follow(wish: GridWish): boolean {
    const { row: index, column } = this.#active
    const head = this.#heads.cells[column]?.dataset['column'] ?? BOX_KEY
    switch (wish.kind) {
      case 'go':
        if (this.#total > 0 || wish.to.row < 0) this.#go(wish.to)
        return true
      case 'all':
        this.#host.all(true)
        return true
      case 'clear':
        return this.#host.clear()
      case 'sort':
        if (head === BOX_KEY) this.#host.all(false)
        else this.#sort(head, wish.after)
        return true
      case 'funnel':
        return this.#heads.openFunnel(head)
      case 'pin': {
        const pinned = this.#places.positioned(head)?.pinned ?? false
        this.#host.layout(withPinned(this.#places.given.layout, this.#places.keys, head, !pinned))
        return true
      }
      case 'move':
        this.#move(head, wish.by)
        return true
      case 'widen':
        this.#resize(head, (this.#places.positioned(head)?.width ?? 0) + wish.by, 'end')
        return true
      default: {
        const row = this.#host.rowAt(index)
        if (row !== undefined) this.#actOn(wish.kind, row, index)
        return true
      }
    }
  }
  #actOn(kind: 'toggle' | 'extend' | 'open', row: Row, index: number): void {
    if (kind === 'open') this.#host.open(row, true)
    else if (kind === 'extend') this.#host.extend(row, index)
    else this.#host.toggle(row, index)
  }
}
