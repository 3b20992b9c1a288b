export interface TableColumn<Key extends string> {
  readonly key: Key
  readonly label: string
  /** Pixels below which its text would be cut. */
  readonly least: number
  /** Share of the room that is left; absent: stays at its least width. */
  readonly grow?: number
  /** 1 stays longest. */
  readonly priority: number
  readonly end?: boolean
  readonly dim?: boolean
  /** Cannot be sorted by. */
  readonly fixed?: boolean
  readonly descendingFirst?: boolean
}

/** The first entry decides, the next breaks its ties. */
export type TableSort<Key extends string> = readonly { readonly column: Key; readonly descending: boolean }[]

/** Where a list was left: pixels from the top, and the row that keys act on. */
export interface TablePlace {
  readonly top: number
  readonly active: number
}

/** As many columns as an order takes. */
const SORTED_BY_AT_MOST = 4

/** The order after a click on a header: alone, or (`after`) behind the others: first its own direction, then the other, then not at all. */
export function sortedWith<Key extends string>(
  sort: TableSort<Key>,
  column: Pick<TableColumn<Key>, 'key' | 'descendingFirst'>,
  after: boolean,
): TableSort<Key> {
  const firstWay = column.descendingFirst ?? false
  const at = sort.findIndex((entry) => entry.column === column.key)
  const known = sort[at]
  if (!after) return [{ column: column.key, descending: known ? !known.descending : firstWay }]
  if (!known) return [...sort.slice(0, SORTED_BY_AT_MOST - 1), { column: column.key, descending: firstWay }]
  if (known.descending === firstWay) return sort.with(at, { column: column.key, descending: !firstWay })
  return sort.length === 1 ? sort : sort.toSpliced(at, 1)
}

/** The columns that fit beside one another, in their order: columns give way, by priority, before text is cut. */
export function fittingColumns<Key extends string>(
  columns: readonly TableColumn<Key>[],
  width: number,
): readonly TableColumn<Key>[] {
  let used = 16
  const kept = new Set<Key>()
  for (const column of columns.toSorted((a, b) => a.priority - b.priority)) {
    if (kept.size > 0 && used + column.least > width) break
    used += column.least
    kept.add(column.key)
  }
  return columns.filter((column) => kept.has(column.key))
}
