import type { SortBy } from '../../contract/fields/field.ts'
import type { Condition } from './condition.ts'

/** A sort expression of a list. Names in SQL come only from our own tables. */
export interface SqlOrder {
  readonly by: string
  /** The join it needs, and the parameter of that join. */
  readonly join?: { readonly sql: string; readonly parameters?: Condition['parameters'] }
  /** It is never null, so no nulls have to be sorted last, and an index may be used. */
  readonly always?: true
}

/**
 * The numbers of every matching row, sorted: missing values last in both directions. `ties`: the order of
 * equal ones.
 */
export function orderQuery<C extends string>(
  select: string,
  orders: Readonly<Record<C, SqlOrder>>,
  {
    where,
    sort,
    ties,
  }: { readonly where: Condition; readonly sort: SortBy<C>; readonly ties: readonly string[] },
): Condition {
  const entries = sort.filter(
    (entry, index) => sort.findIndex(({ column }) => column === entry.column) === index,
  )
  const joins = [...new Set(entries.flatMap(({ column }) => orders[column].join ?? []))]
  const columns = entries.map(({ column, descending }) => {
    const { by, always = false } = orders[column]
    return `${by} ${descending ? 'DESC' : 'ASC'}${always ? '' : ' NULLS LAST'}`
  })
  return {
    sql: `${select} ${joins.map(({ sql }) => sql).join(' ')} WHERE ${where.sql} ORDER BY ${[...columns, ...ties].join(', ')}`,
    parameters: [...joins.flatMap(({ parameters = [] }) => parameters), ...where.parameters],
  }
}
