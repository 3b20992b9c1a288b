/** The first entry sorts, the next one breaks ties. */
export type TableSort<Key extends string> = readonly { readonly column: Key; readonly descending: boolean }[]

/** The maximum number of sort keys. */
export const SORTED_BY_AT_MOST = 4

/**
 * The order after a click on a header: as the only key, or (`after`) after the existing ones; first in its
 * default direction, then in the other one, then not at all.
 */
export function sortedWith<Key extends string>(
  sort: TableSort<Key>,
  column: { readonly key: Key; readonly descendingFirst?: boolean },
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
