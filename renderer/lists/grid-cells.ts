import { h, render, type Component } from 'vue'
import { text } from '../locales/i18n.ts'
import { formatAge, formatMoment } from '../components/format.ts'
import IconGlyph from '../components/IconGlyph.vue'
import { markShapes } from '../components/mark-shapes.ts'
import type { StatusKind } from '../components/status-kind.ts'

/**
 * Creates the content of a cell once and returns the function that writes it. The cell is reused for other
 * rows, so this function sets everything that is shown, but writes only texts and classes that changed.
 */
export type Cell<Row> = (cell: HTMLElement) => (row: Row) => void

const SVG = 'http://www.w3.org/2000/svg'
const NONE = '—'
/** The content of a part that is not used in a row. */
const NOTHING = { kind: 'plain', label: '' } as const
const hide = (element: Element | undefined, hidden: boolean): void => {
  if (element instanceof HTMLElement) element.hidden = hidden
}

function part(className: string, within: HTMLElement): HTMLElement {
  const made = within.ownerDocument.createElement('span')
  if (className !== '') made.className = className
  within.append(made)
  return made
}
function textIn(element: HTMLElement): (words: string) => void {
  const node = element.ownerDocument.createTextNode('')
  element.append(node)
  let was = ''
  return (now) => {
    if (now !== was) node.data = was = now
  }
}
/** Does nothing if the value is the same as before. */
function ifOther(write: (value: string) => void): (value: string) => void {
  let was: string | null = null
  return (value) => {
    if (value === was) return
    was = value
    write(value)
  }
}
const titleOf = (element: HTMLElement): ((words: string) => void) =>
  ifOther((title) => {
    if (title === '') element.removeAttribute('title')
    else element.title = title
  })

export interface WordsLook<Row> {
  readonly title?: (row: Row) => string | null
  /** It is less important than the text of other rows. */
  readonly isQuiet?: (row: Row) => boolean
  /** Shown instead of a dash for unknown values. */
  readonly none?: string
}
/** A text; an unknown one (null, '') is a dash. */
export function words<Row>(of: (row: Row) => string | null, look: WordsLook<Row> = {}): Cell<Row> {
  const { title, isQuiet, none = NONE } = look
  return (cell) => {
    const write = textIn(cell)
    const writeTitle = titleOf(cell)
    return (row) => {
      const value = of(row)
      write(value || none)
      if (title) writeTitle((title === of ? value : title(row)) ?? '')
      if (isQuiet) cell.classList.toggle('dim', isQuiet(row))
    }
  }
}

/** A text, with an optional secondary text. */
export function wordsBeside<Row>(
  of: (row: Row) => string,
  beside: (row: Row) => string | null,
  title?: (row: Row) => string,
  /** Without the weight of a name. */
  isPlain?: (row: Row) => boolean,
): Cell<Row> {
  return (cell) => {
    const write = textIn(cell)
    const writeBeside = textIn(part('grid-beside', cell))
    const writeTitle = titleOf(cell)
    return (row) => {
      if (title) writeTitle(title(row))
      if (isPlain) cell.classList.toggle('nameless', isPlain(row))
      const quiet = beside(row) ?? ''
      write(of(row))
      writeBeside(quiet === '' ? '' : ` ${quiet}`)
    }
  }
}

export interface Step {
  readonly words: string | null
  /** The target or the problem; null: nothing. */
  readonly beside: { readonly words: string; readonly kind: 'warn' | 'bad' | 'accent' | 'plain' } | null
  readonly title: string
  /** Nothing is known yet. */
  readonly isQuiet?: boolean
}
/** A text and, in colour, the action: `2.7.0 → 2.9.2`. */
export function step<Row>(of: (row: Row) => Step): Cell<Row> {
  return (cell) => {
    const write = textIn(cell)
    const box = part('', cell)
    const writeBeside = textIn(box)
    const show = ifOther((className) => (box.className = className))
    const writeTitle = titleOf(cell)
    return (row) => {
      const { words: own, beside, title, isQuiet = false } = of(row)
      write(own ?? NONE)
      cell.classList.toggle('dim', isQuiet)
      show(`grid-step ${beside?.kind ?? 'plain'}`)
      writeBeside(beside === null ? '' : ` ${beside.words}`)
      writeTitle(title)
    }
  }
}

/**
 * A number that leads to what it counts, with a bar whose length is its share (0 to 1) of the greatest number.
 * Zero leads nowhere.
 */
export function numberAndBar<Row>(
  of: (row: Row) => string,
  share: (row: Row) => number,
  { label, act }: Pick<RowAction<Row>, 'label' | 'act'>,
): Cell<Row> {
  return (cell) => {
    let current: Row | null = null
    const none = part('grid-number dim', cell)
    const writeNone = textIn(none)
    const button = cell.ownerDocument.createElement('button')
    Object.assign(button, { type: 'button', className: 'grid-number linkish', tabIndex: -1 })
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      if (current !== null) act(current)
    })
    cell.append(button)
    const write = textIn(button)
    const writeName = ifOther((name) => {
      button.title = name
      button.setAttribute('aria-label', name)
    })
    const bar = part('grid-bar', cell)
    const size = ifOther((value) => bar.style.setProperty('--share', value))
    return (row) => {
      current = row
      const now = share(row)
      none.hidden = now > 0
      button.hidden = now === 0
      writeNone(now > 0 ? '' : of(row))
      write(now > 0 ? of(row) : '')
      writeName(label(row))
      size(String(now))
    }
  }
}

/** A bar of segments, each as long as its count (styles/base.css); `label` describes it in words. */
export function segments<Row, Key extends string>(
  keys: readonly Key[],
  of: (row: Row) => readonly { readonly key: Key; readonly count: number }[],
  label: (row: Row) => string,
): Cell<Row> {
  return (cell) => {
    const bar = part('segments', cell)
    bar.setAttribute('role', 'img')
    const parts = keys.map((key) => ({ key, part: part(key, bar) }))
    return (row) => {
      const counts = new Map(of(row).map((one) => [one.key, one.count]))
      for (const { key, part: one } of parts) {
        one.hidden = !counts.has(key)
        one.style.flexGrow = String(counts.get(key) ?? 0)
      }
      bar.title = label(row)
      bar.setAttribute('aria-label', bar.title)
    }
  }
}

export interface RowAction<Row> {
  readonly icon: Component
  readonly label: (row: Row) => string
  readonly isOffered?: (row: Row) => boolean
  readonly act: (row: Row) => void
}
/** Direct actions of the pointer on a row. The keyboard opens the row, which has the same actions. */
export function actions<Row>(all: readonly RowAction<Row>[]): Cell<Row> {
  return (cell) => {
    let current: Row | null = null
    const writers = all.map(({ icon, label, isOffered, act }) => {
      const button = cell.ownerDocument.createElement('button')
      Object.assign(button, { type: 'button', className: 'button small plain icon', tabIndex: -1 })
      button.addEventListener('click', (event) => {
        event.stopPropagation()
        if (current !== null) act(current)
      })
      render(h(IconGlyph, { icon, size: 14 }), button)
      cell.append(button)
      const writeName = ifOther((name) => {
        button.title = name
        button.setAttribute('aria-label', name)
      })
      return (row: Row): void => {
        writeName(label(row))
        hide(button, isOffered?.(row) === false)
      }
    })
    return (row) => {
      current = row
      for (const write of writers) write(row)
    }
  }
}

export interface Mark {
  /** null: a text without a mark. */
  readonly kind: StatusKind | null
  readonly label: string
}
export interface TitledMark extends Mark {
  readonly title: string
}
function markIn(cell: HTMLElement): (now: Mark | null, title: string) => void {
  const mark = part('mark', cell)
  const svg = cell.ownerDocument.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 12 12')
  svg.setAttribute('aria-hidden', 'true')
  const path = cell.ownerDocument.createElementNS(SVG, 'path')
  svg.append(path)
  mark.append(svg)
  const write = textIn(part('label', mark))
  const writeTitle = titleOf(mark)
  const show = ifOther((kind) => {
    const shape = markShapes[kind as StatusKind] as (typeof markShapes)[StatusKind] | undefined
    mark.className = shape ? `mark ${kind}` : 'mark none'
    path.setAttribute('d', shape?.path ?? '')
    path.setAttribute('class', shape?.look ?? '')
  })
  return (now, title) => {
    show(now?.kind ?? 'none')
    write(now?.label ?? NONE)
    writeTitle(title)
  }
}
/** A status as mark, colour and text. null: a dash. */
export function status<Row>(of: (row: Row) => Mark | null, isQuiet?: (row: Row) => boolean): Cell<Row> {
  return (cell) => {
    const show = markIn(cell)
    return (row) => {
      const now = of(row)
      show(now, now?.label ?? '')
      if (isQuiet) cell.classList.toggle('text-ink-3', isQuiet(row))
    }
  }
}
/** Several statuses, one after the other. */
export function marks<Row>(of: (row: Row) => readonly TitledMark[]): Cell<Row> {
  return (cell) => {
    const box = part('grid-marks', cell)
    const made: ReturnType<typeof markIn>[] = []
    return (row) => {
      const all = of(row)
      while (made.length < all.length) made.push(markIn(box))
      for (const [at, show] of made.entries()) {
        show(all[at] ?? { kind: null, label: '' }, all[at]?.title ?? '')
        hide(box.children[at], at >= all.length)
      }
    }
  }
}

export interface Pill {
  readonly label: string
  /** `word`: no action is needed, so it has no background. */
  readonly kind: 'plain' | 'word' | 'accent' | 'ok' | 'warn' | 'bad' | 'busy'
  /** Its full meaning. */
  readonly title?: string
}
function pillIn(cell: HTMLElement): (now: Pill | null) => void {
  const box = part('pill', cell)
  const write = textIn(box)
  const show = ifOther((className) => (box.className = className))
  const writeTitle = titleOf(box)
  return (now) => {
    show(now === null || now.kind === 'word' ? '' : `pill ${now.kind}`)
    write(now?.label ?? NONE)
    writeTitle(now?.title ?? '')
  }
}
/** A word on a soft background. null: a dash. */
export function pill<Row>(of: (row: Row) => Pill | null): Cell<Row> {
  return (cell) => {
    const show = pillIn(cell)
    return (row) => show(of(row))
  }
}
/** Several words on soft backgrounds; the title contains all of them. */
export function pillsOf<Row>(of: (row: Row) => readonly Pill[]): Cell<Row> {
  return (cell) => {
    const box = part('grid-pills', cell)
    const made: ((now: Pill) => void)[] = []
    const writeTitle = titleOf(box)
    return (row) => {
      const all = of(row)
      while (made.length < all.length) made.push(pillIn(box))
      for (const [at, show] of made.entries()) {
        show(all[at] ?? NOTHING)
        hide(box.children[at], at >= all.length)
      }
      writeTitle(all.map((one) => one.label).join(', '))
    }
  }
}
/** The same, all in one style. */
export const pills = <Row>(of: (row: Row) => readonly string[]): Cell<Row> =>
  pillsOf((row) => of(row).map((label) => ({ kind: 'plain', label })))

/** An age, with its time in the title; amber beyond the limit (milliseconds). `now`: epoch milliseconds. `none`: instead of a dash. */
export function age<Row>(
  at: (row: Row) => number | null,
  now: () => number,
  staleAfterInMs: () => number = () => Number.POSITIVE_INFINITY,
  none: string = NONE,
): Cell<Row> {
  return (cell) => {
    const box = part('grid-age', cell)
    const write = textIn(box)
    const writeTitle = titleOf(box)
    const show = ifOther((className) => (box.className = className))
    return (row) => {
      const then = at(row)
      const stale = then !== null && now() - then > staleAfterInMs()
      show(stale ? 'grid-age stale' : 'grid-age')
      write(then === null ? none : formatAge(then, now()))
      writeTitle(
        then === null
          ? ''
          : stale
            ? text('components.age.stale', { when: formatMoment(then) })
            : formatMoment(then),
      )
    }
  }
}

/**
 * A picture of 24 px by its classes (pictures/pictures-store.ts); its text is beside it in the row, so it is hidden from screen readers.
 */
export function picture<Row>(of: (row: Row) => string): Cell<Row> {
  return (cell) => {
    const drawing = part('picture', cell)
    drawing.setAttribute('aria-hidden', 'true')
    const show = ifOther((classes) => (drawing.className = `picture ${classes}`))
    return (row) => show(of(row))
  }
}

export interface Drawing {
  /** A class of styles/pictures.css. */
  readonly form: string
  readonly sign: 'off' | 'warn' | 'bad' | null
}
/** Small drawings with a sign if there is a problem; `label` describes them in words. */
export function drawings<Row>(of: (row: Row) => readonly Drawing[], label: (row: Row) => string): Cell<Row> {
  return (cell) => {
    const box = part('grid-drawings', cell)
    box.setAttribute('role', 'img')
    const made: ((className: string) => void)[] = []
    const writeLabel = ifOther((now) => {
      box.title = now
      box.setAttribute('aria-label', now)
    })
    return (row) => {
      const all = of(row)
      while (made.length < all.length) {
        const drawing = part('', box)
        made.push(ifOther((className) => (drawing.className = className)))
      }
      for (const [at, show] of made.entries()) {
        const one = all[at]
        show(one ? `picture ${one.form} ${one.sign ?? 'well'}` : 'none')
      }
      writeLabel(label(row))
    }
  }
}

/** Several cell contents in one cell, one after the other. */
export function side<Row>(...cells: readonly Cell<Row>[]): Cell<Row> {
  return (cell) => {
    cell.classList.add('grid-side')
    const writers = cells.map((one) => one(part('grid-part', cell)))
    return (row) => {
      for (const write of writers) write(row)
    }
  }
}

/** A check box without behaviour: the grid handles the click. `on` null: unknown. */
export function checkBox<Row>(on: (row: Row) => boolean | null, name: (row: Row) => string): Cell<Row> {
  return (cell) => {
    const box = part('grid-box', cell)
    box.setAttribute('role', 'checkbox')
    const show = ifOther((state) => box.setAttribute('aria-checked', state))
    const writeName = ifOther((label) => box.setAttribute('aria-label', label))
    const writeTitle = titleOf(box)
    return (row) => {
      const now = on(row)
      show(now === null ? 'mixed' : String(now))
      writeName(name(row))
      writeTitle(now === null ? text('lists.grid.chosenUnknown') : '')
    }
  }
}
