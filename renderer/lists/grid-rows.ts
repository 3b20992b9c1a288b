import type { Cell } from './grid-cells.ts'

/** The position of a list: pixels from the top, the active row, and the row at the top, which may have moved since. */
export interface GridPlace {
  readonly top: number
  readonly active: number
  readonly id?: string | null
}

export interface RowLook {
  /** Its classes, each with a leading space. */
  readonly look: string
  readonly selected: boolean
  /** If the value changes, its check box is drawn again. */
  readonly box: boolean | null
}
export interface RowCell<Row> {
  readonly key: string
  readonly look: string
  readonly cell: Cell<Row>
}

/** A line between rows, as high as one of them: above the row `at`. */
export interface GridBand {
  readonly at: number
  readonly label: string
}

interface Slot<Row> {
  readonly line: HTMLElement
  /** The part of a row that does not scroll horizontally. */
  readonly fixed: HTMLElement
  cells: readonly HTMLElement[]
  writers: readonly ((row: Row) => void)[]
  /** -1: not positioned yet. */
  index: number
  row: Row | undefined
  look: string
  box: boolean | null
}

/** Rows drawn above and below the visible ones (measured: enough for one turn of the mouse wheel). */
const OVER = 4
/** Rows that are drawn before the height is known, because the first layout happens after the first rows. */
const AT_LEAST = 13
/**
 * After this pause the elements are put in the order of their rows. Raise it if scrolling in steps stutters.
 */
const RESTS_AFTER_IN_MS = 150
/** The class of a missing row. */
const WAITING = ' waiting'

function made(className: string, role: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.setAttribute('role', role)
  return element
}

/**
 * The visible rows. Row i uses element i % slots: scrolling moves elements and writes texts but creates no
 * elements.
 */
export class GridRows<Row> {
  readonly root = made('grid-space', 'rowgroup')
  /**
   * One layer for all pinned cells: each sticky cell would be a layer and cost tens of milliseconds a frame.
   * It is beside the grid, which may contain only rows; `aria-owns` assigns its cells to their rows.
   */
  readonly pins = made('grid-pins', 'presentation')
  readonly #id: string
  #slots: Slot<Row>[] = []
  #cells: readonly RowCell<Row>[] = []
  #pinned = 0
  #widthName: (at: number) => string = String
  readonly #band = made('grid-band', 'presentation')
  #bandAt = Infinity
  #total = 0
  #rowHeight = 32
  #height = 0
  #first = 0
  #settling: ReturnType<typeof setTimeout> | undefined
  #hovered: Slot<Row> | undefined
  /** The row under the pointer. */
  #pointed: Slot<Row> | undefined

  constructor(
    id: string,
    clicked: (event: MouseEvent, index: number, column: number) => void,
    takeFocus: () => void,
  ) {
    this.#id = id
    // The marks of the rows say the same.
    this.#band.ariaHidden = 'true'
    this.#grow()
    for (const part of [this.root, this.pins]) {
      part.addEventListener('click', (event) => {
        const slot = this.#slotOf(event.target)
        // An element in a cell that has its own click behaviour keeps it.
        if (!slot || slot.index >= this.#total || (event.target as Element).closest('a, button')) return
        const cell = (event.target as Element).closest<HTMLElement>('.grid-cell')
        clicked(event, slot.index, cell ? slot.cells.indexOf(cell) : 0)
      })
      part.addEventListener('mousedown', (event) => {
        // Shift and a click select rows, never the text between them.
        if (event.shiftKey || part === this.pins) event.preventDefault()
        takeFocus()
      })
      part.addEventListener('mouseover', (event) => this.#point(this.#slotOf(event.target)))
      part.addEventListener('mouseleave', () => this.#point(undefined))
    }
  }
  destroy(): void {
    clearTimeout(this.#settling)
  }

  setTotal(total: number): void {
    this.#total = total
    this.root.style.height = `${this.topOf(total)}px`
    for (const slot of this.#slots) this.#attach(slot)
  }
  setBand(band: GridBand | null): void {
    this.#bandAt = band?.at ?? Infinity
    this.#band.textContent = band?.label ?? ''
    if (band === null) this.#band.remove()
    else this.root.append(this.#band)
    this.#placeAgain()
    this.setTotal(this.#total)
  }
  /** The upper edge of a row in CSS pixels. */
  topOf(index: number): number {
    return (index + (index >= this.#bandAt ? 1 : 0)) * this.#rowHeight
  }
  #placeAgain(): void {
    if (this.#bandAt !== Infinity)
      this.#band.style.transform = `translateY(${this.#bandAt * this.#rowHeight}px)`
    for (const slot of this.#slots) slot.index = -1
  }
  /** CSS pixels. */
  setRowHeight(height: number): void {
    this.#rowHeight = height
    this.#grow()
    this.#placeAgain()
  }
  /** The visible area, CSS pixels. */
  setHeight(height: number): void {
    this.#height = height
    this.#grow()
  }
  /** `pinned`: how many cells, from the first, are pinned. */
  setCells(cells: readonly RowCell<Row>[], pinned: number, widthName: (at: number) => string): void {
    this.#cells = cells
    this.#pinned = pinned
    this.#widthName = widthName
    for (const [at, slot] of this.#slots.entries()) this.#fill(slot, at)
  }
  /** Called so that every row is written again at the next drawing. */
  forget(): void {
    for (const slot of this.#slots) slot.row = undefined
  }
  /** The rows that currently have an element; last < first: none. */
  get drawn(): { readonly first: number; readonly last: number } {
    return { first: this.#first, last: Math.min(this.#total, this.#first + this.#slots.length) - 1 }
  }
  cellAt(index: number, column: number): HTMLElement | undefined {
    const slot = this.#slots[index % this.#slots.length]
    return slot?.index === index && index < this.#total ? slot.cells[column] : undefined
  }
  cellsAt(column: number): readonly HTMLElement[] {
    return this.#slots.flatMap(({ cells, row }) => (row === undefined ? [] : (cells[column] ?? [])))
  }

  /** `top`: the scroll position in CSS pixels. */
  draw(top: number, rowAt: (index: number) => Row | undefined, lookOf: (row: Row) => RowLook): void {
    const count = this.#slots.length
    const from = Math.max(0, Math.floor(top / this.#rowHeight) - OVER)
    this.#first = Math.max(0, Math.min(from, this.#total - count))
    let moved = false
    for (let index = this.#first; index < this.#first + count; index++) {
      const slot = this.#slots[index % count]
      if (!slot) continue
      if (slot.index !== index) {
        this.#put(slot, index)
        moved = true
      }
      if (index >= this.#total) continue
      const row = rowAt(index)
      if (row === undefined) this.#show(slot, WAITING, false)
      else {
        const { look, selected, box } = lookOf(row)
        if (row !== slot.row) for (const write of slot.writers) write(row)
        else if (box !== slot.box) slot.writers[0]?.(row)
        slot.box = box
        this.#show(slot, look, selected)
      }
      slot.row = row
    }
    if (!moved) return
    this.#hover(undefined)
    this.#settleSoon()
  }

  #grow(): void {
    const wanted = Math.max(AT_LEAST, Math.ceil(this.#height / this.#rowHeight) + 1 + 2 * OVER)
    if (wanted === this.#slots.length) return
    while (this.#slots.length < wanted) {
      const slot: Slot<Row> = {
        line: made('grid-row', 'row'),
        fixed: made('grid-row', 'presentation'),
        cells: [],
        writers: [],
        index: -1,
        row: undefined,
        look: '',
        box: null,
      }
      this.#fill(slot, this.#slots.length)
      this.#slots.push(slot)
    }
    for (const slot of this.#slots.splice(wanted)) {
      slot.line.remove()
      slot.fixed.remove()
    }
    for (const slot of this.#slots) slot.index = -1
  }
  #fill(slot: Slot<Row>, at: number): void {
    slot.row = undefined
    const writers: ((row: Row) => void)[] = []
    slot.cells = this.#cells.map(({ key, look, cell: paint }, column) => {
      const cell = made(look === '' ? 'grid-cell' : `grid-cell ${look}`, 'gridcell')
      cell.id = `${this.#id}-${at}-${column}`
      cell.dataset['column'] = key
      cell.style.width = `var(${this.#widthName(column)})`
      cell.setAttribute('aria-colindex', String(column + 1))
      writers.push(paint(cell))
      return cell
    })
    slot.writers = writers
    slot.fixed.replaceChildren(...slot.cells.slice(0, this.#pinned))
    slot.line.replaceChildren(...slot.cells.slice(this.#pinned))
    this.#attach(slot)
    if (this.#pinned > 0) {
      slot.line.setAttribute('aria-owns', slot.cells.map((cell) => cell.id).join(' '))
    } else slot.line.removeAttribute('aria-owns')
  }
  /**
   * Elements without a row are not in the document. One that is only about to be positioned again stays there: a click is lost if its row
   * leaves the document while the button is down.
   */
  #attach({ line, fixed, index }: Slot<Row>): void {
    if (index < 0) return
    const is = index < this.#total
    for (const [half, place, wanted] of [
      [line, this.root, is],
      [fixed, this.pins, is && this.#pinned > 0],
    ] as const) {
      if (!wanted) half.remove()
      else if (half.parentElement === null) place.append(half)
    }
  }
  #put(slot: Slot<Row>, index: number): void {
    slot.index = index
    slot.row = undefined
    const { line, fixed } = slot
    line.style.transform = fixed.style.transform = `translateY(${this.topOf(index)}px)`
    this.#attach(slot)
    line.setAttribute('aria-rowindex', String(index + 2))
  }
  #show(slot: Slot<Row>, look: string, selected: boolean): void {
    const now = `grid-row${look}${slot === this.#hovered ? ' hovered' : ''}`
    if (slot.look === now) return
    slot.look = slot.line.className = slot.fixed.className = now
    slot.line.setAttribute('aria-selected', String(selected))
    // Its cells are hidden until they are known: a screen reader waits for them.
    if (look === WAITING) slot.line.setAttribute('aria-busy', 'true')
    else slot.line.removeAttribute('aria-busy')
  }
  /** While rows pass below the pointer none is hovered: each frame would style two of them again. */
  #point(slot: Slot<Row> | undefined): void {
    this.#pointed = slot
    if (this.#settling === undefined) this.#hover(slot)
  }
  #hover(slot: Slot<Row> | undefined): void {
    if (slot === this.#hovered) return
    const previous = this.#hovered
    this.#hovered = slot
    for (const one of [previous, slot]) {
      if (!one) continue
      one.line.classList.toggle('hovered', one === slot)
      one.look = one.fixed.className = one.line.className
    }
  }
  #slotOf(target: EventTarget | null): Slot<Row> | undefined {
    const line = target instanceof Element ? target.closest('.grid-row') : null
    return line === null ? undefined : this.#slots.find((one) => one.line === line || one.fixed === line)
  }
  #settleSoon(): void {
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#settle(), RESTS_AFTER_IN_MS)
  }
  /**
   * When scrolling stops, the elements are put in the order of their rows, for the cursor of a screen reader; not while the button is down,
   * because a moved row loses the click.
   */
  #settle(): void {
    if (this.root.matches(':active')) return this.#settleSoon()
    this.#settling = undefined
    this.#hover(this.#pointed)
    let at: Element | null = this.root.firstElementChild
    for (const { line } of this.#slots.toSorted((a, b) => a.index - b.index)) {
      if (line.parentElement === null) continue
      if (line === at) at = at.nextElementSibling
      // Moved without removing it, so that an element under the pointer keeps its hover state.
      else if ('moveBefore' in this.root) this.root.moveBefore(line, at)
      else (this.root as Element).insertBefore(line, at)
    }
  }
}
