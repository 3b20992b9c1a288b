import type { Cell } from './grid-cells.ts'

/** One column of a grid: its label, its width, and its draw function. */
export interface GridColumn<Row, Key extends string = string> {
  readonly key: Key
  readonly label: string
  /** Width in pixels below which its text would be cut. */
  readonly least: number
  /** Width in pixels for a long text: remaining space is used for this first. Missing: as `least`. */
  readonly full?: number
  /** Share of the space that remains after that; missing or 0: none. */
  readonly grow?: number
  /** Priority if no layout was chosen: 1 is hidden last; null: shown only if selected. */
  readonly priority: number | null
  /** If no layout was chosen, it is shown only if it and the columns before it have their full width. */
  readonly extra?: boolean
  /** Classes of its cells: `end` (also of its header), `dim`, `tabular-nums`, `mono`, `strong`. */
  readonly look?: string
  /** The list cannot be sorted by it. */
  readonly fixed?: boolean
  readonly descendingFirst?: boolean
  /** It contains times, epoch milliseconds: files write them with a time zone. */
  readonly time?: true
  /** Whether its header has a funnel, and whether it currently filters. */
  readonly funnel?: 'off' | 'on'
  readonly cell: Cell<Row>
}

export interface ColumnLayout<Key extends string = string> {
  readonly column: Key
  /** CSS pixels; null: automatic. */
  readonly width: number | null
  readonly pinned: boolean
}
/**
 * Visible columns in order, pinned ones first; empty: no layout was chosen, and columns are hidden depending
 * on the available width.
 */
export type GridLayout<Key extends string = string> = readonly ColumnLayout<Key>[]

/** A column with its position and its width in CSS pixels. */
export interface PositionedColumn<Row, Key extends string = string> {
  readonly column: GridColumn<Row, Key>
  readonly width: number
  readonly pinned: boolean
}

/** The minimum width when dragging: funnel and edge remain reachable. */
export const NARROWEST = 48

/**
 * The keys that fit, in the order of the columns: columns are hidden by priority before text is cut; one
 * always remains.
 */
export function fittingKeys<Key extends string>(
  columns: readonly Pick<GridColumn<never, Key>, 'key' | 'least' | 'full' | 'priority' | 'extra'>[],
  width: number,
): readonly Key[] {
  let used = 0
  let usedInFull = 0
  const saved = new Set<Key>()
  for (const { key, least, full = least, extra } of columns
    .filter((one) => one.priority !== null)
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))) {
    if (saved.size > 0 && (extra ? usedInFull + full : used + least) > width) break
    used += least
    usedInFull += full
    saved.add(key)
  }
  return columns.map((one) => one.key).filter((key) => saved.has(key))
}

/**
 * The columns of a file: the chosen ones; without a choice those that fit in the whole window, because an open
 * drawer hides no column of a file.
 */
export const exportedKeys = <Key extends string>(
  layout: GridLayout<Key>,
  columns: Parameters<typeof fittingKeys<Key>>[0],
): readonly Key[] =>
  layout.length > 0 ? layout.map(({ column }) => column) : fittingKeys(columns, globalThis.innerWidth)

/** The width of each, in whole pixels: remaining space goes first to texts that need it, by priority, then to columns that grow. */
function widthsOf<Row, Key extends string>(
  visible: readonly {
    readonly column: GridColumn<Row, Key>
    readonly columnLayout: ColumnLayout<Key> | null
  }[],
  width: number,
): readonly number[] {
  const widths = visible.map(({ column, columnLayout }) => columnLayout?.width ?? column.least)
  let left = Math.max(0, Math.floor(width) - widths.reduce((sum, one) => sum + one, 0))
  const free = visible
    .map((one, at) => ({ ...one, at }))
    .filter(({ columnLayout }) => (columnLayout?.width ?? null) === null)
  for (const { column, at } of free.toSorted(
    (a, b) => (a.column.priority ?? Infinity) - (b.column.priority ?? Infinity) || a.at - b.at,
  )) {
    const more = Math.min(left, Math.max(0, (column.full ?? column.least) - column.least))
    widths[at] = (widths[at] ?? 0) + more
    left -= more
  }
  const growing = free.filter(
    ({ column, columnLayout }) => (column.grow ?? 0) > 0 && columnLayout?.pinned !== true,
  )
  let shares = growing.reduce((sum, { column }) => sum + (column.grow ?? 0), 0)
  for (const { column, at } of growing) {
    const more = Math.floor((left * (column.grow ?? 0)) / shares)
    shares -= column.grow ?? 0
    left -= more
    widths[at] = (widths[at] ?? 0) + more
  }
  return widths
}

/** The positioned columns for this width: those of the layout, or, without one, those that fit. */
export function positionedColumns<Row, Key extends string>(
  columns: readonly GridColumn<Row, Key>[],
  layout: GridLayout<Key>,
  width: number,
): readonly PositionedColumn<Row, Key>[] {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const columnLayout: readonly (readonly [Key, ColumnLayout<Key> | null])[] =
    layout.length > 0
      ? layout.map((one) => [one.column, one] as const)
      : fittingKeys(columns, width).map((key) => [key, null] as const)
  const visible = columnLayout.flatMap(([key, one]) => {
    const column = byKey.get(key)
    return column ? [{ column, columnLayout: one }] : []
  })
  const widths = widthsOf(visible, width)
  return visible.map(({ column, columnLayout: one }, at) => ({
    column,
    // If no layout was chosen, a single column uses all of the space instead of scrolling.
    width: visible.length === 1 && one === null ? Math.max(NARROWEST, Math.floor(width)) : (widths[at] ?? 0),
    pinned: one?.pinned ?? false,
  }))
}

const pinnedFirst = <Key extends string>(layout: GridLayout<Key>): GridLayout<Key> => [
  ...layout.filter((one) => one.pinned),
  ...layout.filter((one) => !one.pinned),
]
/** The first change makes a layout of the visible columns, which then remain. */
const chosen = <Key extends string>(layout: GridLayout<Key>, inSight: readonly Key[]): GridLayout<Key> =>
  layout.length > 0 ? layout : inSight.map((column) => ({ column, width: null, pinned: false }))

/** Shows or hides one; a grid keeps at least one column. */
export function withVisible<Key extends string>(
  layout: GridLayout<Key>,
  inSight: readonly Key[],
  column: Key,
  visible: boolean,
): GridLayout<Key> {
  const now = chosen(layout, inSight)
  if (visible)
    return now.some((one) => one.column === column) ? now : [...now, { column, width: null, pinned: false }]
  const left = now.filter((one) => one.column !== column)
  return left.length > 0 ? left : now
}
/**
 * Moves a column by a number of places, among the pinned or among the other columns: pinned columns remain
 * first.
 */
export function withMoved<Key extends string>(
  layout: GridLayout<Key>,
  inSight: readonly Key[],
  column: Key,
  by: number,
): GridLayout<Key> {
  const now = [...chosen(layout, inSight)]
  const from = now.findIndex((one) => one.column === column)
  const moved = now[from]
  if (!moved) return now
  now.splice(from, 1)
  now.splice(Math.max(0, Math.min(now.length, from + by)), 0, moved)
  return pinnedFirst(now)
}
export function withPinned<Key extends string>(
  layout: GridLayout<Key>,
  inSight: readonly Key[],
  column: Key,
  pinned: boolean,
): GridLayout<Key> {
  const now = chosen(layout, inSight)
  const visible = now.some((one) => one.column === column) ? now : [...now, { column, width: null, pinned }]
  return pinnedFirst(visible.map((one) => (one.column === column ? { ...one, pinned } : one)))
}
/** In whole CSS pixels, never narrower than `NARROWEST`. */
export const withWidth = <Key extends string>(
  layout: GridLayout<Key>,
  inSight: readonly Key[],
  column: Key,
  width: number,
): GridLayout<Key> =>
  chosen(layout, inSight).map((one) =>
    one.column === column ? { ...one, width: Math.max(NARROWEST, Math.round(width)) } : one,
  )
/**
 * Stored columns that the program knows, pinned ones first, because the file may come from another version.
 */
export function knownLayout<Key extends string>(
  saved: readonly ColumnLayout[],
  isKnown: (column: string) => column is Key,
): GridLayout<Key> {
  const seen = new Set<string>()
  return pinnedFirst(
    saved.flatMap(({ column, width, pinned }): GridLayout<Key> => {
      if (!isKnown(column) || seen.has(column)) return []
      seen.add(column)
      return [{ column, width, pinned }]
    }),
  )
}
