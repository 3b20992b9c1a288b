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

/** The columns that fit beside one another, in their order: columns give way, by priority, before text is cut. */
export function fittingColumns<Key extends string>(columns: readonly TableColumn<Key>[], width: number): readonly TableColumn<Key>[] {
  let used = 16
  const kept = new Set<Key>()
  for (const column of columns.toSorted((a, b) => a.priority - b.priority)) {
    if (kept.size > 0 && used + column.least > width) break
    used += column.least
    kept.add(column.key)
  }
  return columns.filter((column) => kept.has(column.key))
}
