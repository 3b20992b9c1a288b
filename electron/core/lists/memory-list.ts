import type { Field, KeysWith, SortBy } from '../../contract/fields/field.ts'
import type { FilterComparison, FilterTerm } from '../../contract/filter/filter.ts'
import { folded } from '../../contract/filter/folded.ts'

type Test<Row> = (row: Row) => boolean
type Value = string | number | null | readonly string[]
/** Members that are field values unchanged. */
type Plain<Members> = { [K in keyof Members]-?: Members[K] extends Value ? K : never }[keyof Members]
type Compared = string | number | null

/** A list in memory: filtered, sorted and counted in plain code. */
export interface MemoryList<Row, Members, F extends readonly Field[]> {
  readonly fields: F
  /** Its members are the fields with their names. */
  readonly member: (row: Row) => Members
  /**
   * The value of a field that is not a member, or differs from it. Of several values, one match suffices; an
   * empty list means unknown.
   */
  readonly values: {
    readonly [K in Exclude<KeysWith<F, 'filter'> | KeysWith<F, 'sort'>, Plain<Members>>]: (row: Row) => Value
  } & { readonly [K in KeysWith<F, 'filter'> | KeysWith<F, 'sort'>]?: (row: Row) => Value }
  /** The value compared instead of the field's: a key, or a rank. */
  readonly ranks: Readonly<Partial<Record<KeysWith<F, 'sort'>, (row: Row) => Compared>>>
  /** Sort order of equal rows. */
  readonly ties: readonly ((row: Row) => Compared)[]
  readonly freeWord: (typed: string) => Test<Row>
  readonly isGone: Test<Row>
}

/** Tests of the terms, each with its key. Without `gone` in the filter, gone rows are excluded. */
function testsOf<Row, Members, F extends readonly Field[]>(
  list: MemoryList<Row, Members, F>,
  terms: readonly FilterTerm[],
  now: number,
): readonly { readonly key: string | null; readonly test: Test<Row> }[] {
  const tests = terms.map((term) => {
    const test = term.key === null ? list.freeWord(term.values[0] ?? '') : keyTest(list, term, now)
    return { key: term.key, test: term.negated ? (row: Row) => !test(row) : test }
  })
  return terms.some(({ key }) => key === 'gone')
    ? tests
    : [{ key: 'gone', test: (row) => !list.isGone(row) }, ...tests]
}

/**
 * The matching rows and, for each of `keys`, those that match without its terms, for the counts next to a
 * list.
 */
export function matchingBeside<Row, Members, F extends readonly Field[], K extends string>(
  list: MemoryList<Row, Members, F>,
  rows: readonly Row[],
  {
    terms,
    now,
    keys,
  }: { readonly terms: readonly FilterTerm[]; readonly now: number; readonly keys: readonly K[] },
): { readonly matching: Row[]; readonly beside: Readonly<Record<K, readonly Row[]>> } {
  const tests = testsOf(list, terms, now)
  const matching: Row[] = []
  const beside = Object.fromEntries<Row[]>(keys.map((key) => [key, []])) as Record<K, Row[]>
  for (const row of rows) {
    const failed = new Set<string | null>()
    for (const { key, test } of tests) if (!failed.has(key) && failed.size < 2 && !test(row)) failed.add(key)
    if (failed.size === 0) matching.push(row)
    for (const key of keys)
      if (failed.size === 0 || (failed.size === 1 && failed.has(key))) beside[key].push(row)
  }
  return { matching, beside }
}

const fieldOf = (
  fields: readonly Field[],
  token: string,
): Field & { readonly filter: NonNullable<Field['filter']> } => {
  const field = fields.find(({ filter }) => filter?.key === token)
  if (field?.filter === undefined) throw new Error(`There is no field with the token ${token}`)
  return { ...field, filter: field.filter }
}
const valueOf = <Row, Members, F extends readonly Field[]>(
  list: MemoryList<Row, Members, F>,
  key: string,
): ((row: Row) => Value) =>
  (list.values as Readonly<Record<string, ((row: Row) => Value) | undefined>>)[key] ??
  ((row) => list.member(row)[key as keyof Members] as Value)
const listed = (value: Value): readonly string[] =>
  value === null ? [] : typeof value === 'object' ? value : [String(value)]

function keyTest<Row, Members, F extends readonly Field[]>(
  list: MemoryList<Row, Members, F>,
  term: FilterTerm,
  now: number,
): Test<Row> {
  const { key, filter } = fieldOf(list.fields, term.key ?? '')
  const value = valueOf(list, key)
  const { comparison } = term
  const wanted = term.values.map(folded)
  switch (filter.kind) {
    case 'text':
      return (row) => {
        const found = listed(value(row)).map(folded)
        return found.length === 0
          ? wanted.includes('')
          : found.some((whole) =>
              wanted.some((one) => one !== '' && (comparison === 'is' ? whole === one : whole.includes(one))),
            )
      }
    case 'word':
    case 'choice':
      // `gone:any` includes both.
      if (filter.key === 'gone' && wanted.includes('any')) return () => true
      return (row) => {
        const found = listed(value(row)).map(folded)
        return found.length === 0 ? wanted.includes('') : found.some((word) => wanted.includes(word))
      }
    default:
      return (row) => {
        const found = value(row)
        const number = typeof found !== 'number' ? null : filter.kind === 'age' ? now - found : found
        return term.numbers.some((one) =>
          one === null || number === null ? one === number : compares(number, comparison, one),
        )
      }
  }
}

function compares(found: number, comparison: FilterComparison, wanted: number): boolean {
  switch (comparison) {
    case '<':
      return found < wanted
    case '<=':
      return found <= wanted
    case '>':
      return found > wanted
    case '>=':
      return found >= wanted
    default:
      return found === wanted
  }
}

/** The values of a token's field, for suggestions. Ages have no suggestions. */
export function wordsIn<Row, Members, F extends readonly Field[]>(
  list: MemoryList<Row, Members, F>,
  token: string,
): (row: Row) => readonly string[] {
  const { key, filter } = fieldOf(list.fields, token)
  const value = valueOf(list, key)
  return filter.kind === 'age' ? () => [] : (row) => listed(value(row))
}

/** A new sorted list: missing values last in both directions. */
export function inOrder<Row, Members, F extends readonly Field[]>(
  list: MemoryList<Row, Members, F>,
  rows: readonly Row[],
  sort: SortBy<KeysWith<F, 'sort'>>,
): Row[] {
  const entries = sort.map(({ column, descending }) => ({
    by: list.ranks[column] ?? ((row: Row) => first(valueOf(list, column)(row))),
    sign: descending ? -1 : 1,
  }))
  return rows.toSorted((a, b) => {
    for (const { by, sign } of entries) {
      const order = compared(by(a), by(b), sign)
      if (order !== 0) return order
    }
    for (const by of list.ties) {
      const order = compared(by(a), by(b), 1)
      if (order !== 0) return order
    }
    return 0
  })
}

const first = (value: Value): Compared =>
  value !== null && typeof value === 'object' ? (value[0] ?? null) : value

function compared(a: Compared, b: Compared, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -sign : sign
}
