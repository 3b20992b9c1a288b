import { text } from '../locales/i18n.ts'
import type { TableSort } from './table-sort.ts'
import type { PositionedColumn } from './grid-columns.ts'
import { edgeDrag, headDrag } from './head-drags.ts'

export type HeadState = 'all' | 'none' | 'mixed'

/** The events of the headers. */
export interface HeadsHost {
  readonly sort: (key: string, after: boolean) => void
  readonly all: () => void
  readonly funnel: (key: string, beside: HTMLElement) => void
  /** `width` in CSS pixels; `end`: the edge was released; `cancel`: the previous width is restored. */
  readonly resize: (key: string, width: number, phase: 'drag' | 'end' | 'cancel') => void
  /** Makes a column as wide as its visible cells need. */
  readonly autoWidth: (key: string) => void
  /** Moves a column by a number of positions, not counting the check boxes. */
  readonly move: (key: string, by: number) => void
  /** The header on which keys act; the check box, if there is one, is 0. */
  readonly pressed: (element: HTMLElement) => void
}

interface Head {
  readonly element: HTMLElement
  readonly show: (columns: PositionedColumn<never>, sort: TableSort<string>) => void
}

const SVG = 'http://www.w3.org/2000/svg'
const UP = 'M6 9.500V2.500M2.800 5.700 6 2.500l3.200 3.200'
const DOWN = 'M6 2.500v7M2.800 6.300 6 9.500l3.200-3.200'
const FUNNEL = 'M1.200 2h9.600L7.200 6.400v3.800L4.800 9V6.400z'

function made(tag: string, className: string, role?: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  if (role !== undefined) element.setAttribute('role', role)
  return element
}
function drawing(className: string, d: string): { readonly svg: SVGElement; readonly path: SVGElement } {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 12 12')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', className)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', d)
  svg.append(path)
  return { svg, path }
}

/**
 * The headers of a grid: a click sorts (with Shift as a further key), dragging moves a column, its edge
 * resizes it, a double click there fits its texts. A header remains the same element while its column is
 * shown: a filter may be anchored to its funnel.
 */
export class GridHeads {
  readonly root = made('div', 'grid-head', 'row')
  readonly #host: HeadsHost
  readonly #id: string
  readonly #pins = made('div', 'grid-head-pins', 'presentation')
  readonly #drop = made('div', 'grid-drop', 'presentation')
  readonly #heads = new Map<string, Head>()
  readonly #box = made('div', 'grid-th box', 'columnheader')
  readonly #tick = made('span', 'grid-box', 'checkbox')
  #cells: readonly HTMLElement[] = []
  #order = ''

  constructor(id: string, host: HeadsHost) {
    this.#host = host
    this.#id = id
    this.root.setAttribute('aria-rowindex', '1')
    this.#drop.hidden = true
    this.#box.id = `${id}-hbox`
    this.#box.dataset['column'] = 'box'
    this.#box.append(this.#tick)
    this.#box.addEventListener('click', () => {
      host.pressed(this.#box)
      host.all()
    })
    // The grid keeps the focus: keys act on its active cell.
    this.root.addEventListener('mousedown', (event) => event.preventDefault())
  }

  /** The headers in order, with the check box first if there is one. */
  get cells(): readonly HTMLElement[] {
    return this.#cells
  }

  /**
   * `pinned`: how many are pinned, including the check box; 0 if everything fits. `name`: the CSS variable
   * for the width at a position.
   */
  show(
    columns: readonly PositionedColumn<never>[],
    sort: TableSort<string>,
    boxed: boolean,
    pinned: number,
    name: (at: number) => string,
  ): void {
    for (const one of columns) this.#headOf(one.column.key).show(one, sort)
    const cells = columns.map((one) => this.#headOf(one.column.key).element)
    this.#cells = boxed ? [this.#box, ...cells] : cells
    for (const [at, cell] of this.#cells.entries()) {
      cell.style.width = `var(${name(at)})`
      cell.setAttribute('aria-colindex', String(at + 1))
    }
    const order = `${pinned} ${this.#cells.map((cell) => cell.id).join(' ')}`
    if (order === this.#order) return
    this.#order = order
    this.#pins.replaceChildren(...this.#cells.slice(0, pinned))
    this.root.replaceChildren(...(pinned > 0 ? [this.#pins] : []), ...this.#cells.slice(pinned), this.#drop)
    for (const key of this.#heads.keys())
      if (!columns.some((one) => one.column.key === key)) this.#heads.delete(key)
  }
  showBox(state: HeadState): void {
    this.#tick.setAttribute('aria-checked', state === 'mixed' ? 'mixed' : String(state === 'all'))
    this.#tick.setAttribute('aria-label', text('lists.grid.chooseAll'))
    this.#box.title = text('lists.grid.chooseAllTitle')
  }
  /** Opens the filter of a column; false: it has none. */
  openFunnel(key: string): boolean {
    const funnel = this.#heads.get(key)?.element.querySelector<HTMLElement>('.grid-funnel')
    if (!funnel || funnel.hidden) return false
    this.#host.funnel(key, funnel)
    return true
  }

  #headOf(key: string): Head {
    const known = this.#heads.get(key)
    if (known) return known
    const head = this.#make(key)
    this.#heads.set(key, head)
    return head
  }
  #make(key: string): Head {
    const element = made('div', 'grid-th', 'columnheader')
    element.id = `${this.#id}-h${key}`
    element.dataset['column'] = key
    const button = made('button', 'grid-sort') as HTMLButtonElement
    button.type = 'button'
    button.tabIndex = -1
    const label = made('span', 'grid-label')
    const arrow = drawing('grid-arrow', UP)
    const place = made('span', 'grid-place')
    const placeText = made('span', 'visually-hidden')
    place.setAttribute('aria-hidden', 'true')
    button.append(label, arrow.svg, place, placeText)
    const funnel = made('button', 'grid-funnel') as HTMLButtonElement
    funnel.type = 'button'
    funnel.tabIndex = -1
    funnel.append(drawing('', FUNNEL).svg)
    const edge = made('div', 'grid-edge', 'presentation')
    element.append(button, funnel, edge)
    let fixed = false

    const dragged = headDrag(button, element, {
      others: () => this.#cells.filter((cell) => cell !== this.#box && cell !== element),
      drop: this.#drop,
      moved: (to) =>
        this.#host.move(key, to - this.#cells.filter((cell) => cell !== this.#box).indexOf(element)),
    })
    button.addEventListener('click', (event) => {
      this.#host.pressed(element)
      if (!fixed && !dragged()) this.#host.sort(key, event.shiftKey)
    })
    funnel.addEventListener('click', (event) => {
      event.stopPropagation()
      this.#host.pressed(element)
      this.#host.funnel(key, funnel)
    })
    edgeDrag(edge, element, (width, phase) => this.#host.resize(key, width, phase))
    edge.addEventListener('dblclick', () => this.#host.autoWidth(key))

    return {
      element,
      show: ({ column, pinned }, sort) => {
        const at = sort.findIndex((one) => one.column === key)
        const entry = sort[at]
        fixed = column.fixed ?? false
        const end = (column.look ?? '').split(' ').includes('end')
        element.className = `grid-th${end ? ' end' : ''}${pinned ? ' pinned' : ''}`
        label.textContent = column.label
        if (fixed) button.removeAttribute('title')
        else button.title = text('lists.grid.sort', { column: column.label })
        if (entry) element.setAttribute('aria-sort', entry.descending ? 'descending' : 'ascending')
        else element.removeAttribute('aria-sort')
        arrow.svg.toggleAttribute('hidden', !entry)
        arrow.path.setAttribute('d', entry?.descending ? DOWN : UP)
        const several = entry !== undefined && sort.length > 1
        place.textContent = several ? String(at + 1) : ''
        placeText.textContent = several ? text('lists.grid.place', { n: at + 1, total: sort.length }) : ''
        funnel.hidden = column.funnel === undefined
        funnel.className = column.funnel === 'on' ? 'grid-funnel on' : 'grid-funnel'
        const wording = text(column.funnel === 'on' ? 'lists.grid.filterOn' : 'lists.grid.filter', {
          column: column.label,
        })
        funnel.setAttribute('aria-label', wording)
        funnel.title = wording
      },
    }
  }
}
