import type { Field, KeysWith } from '../../contract/fields/field.ts'
import type { FilterComparison, FilterKind, FilterTerm } from '../../contract/filter/filter.ts'
import { comparable, likePattern } from '../storage/search-text.ts'
import { allOf, anyOf, condition, isNotTrue, type Condition } from './condition.ts'
import { versionBeginnings, versionKey } from './version-order.ts'

/** One value of a term. */
interface TermValue {
  readonly comparison: FilterComparison
  /** As typed; empty: matches unknown values. */
  readonly value: string
  /** The value in the form that rows store for comparison. */
  readonly text: string
  /** Milliseconds of an age, a number, a product id; 0 if none. */
  readonly number: number
  /** The whole text must match. */
  readonly whole: boolean
}

/** The SQL of a token. Names come only from our own tables. */
export interface SqlPlace {
  /** The compared column: folded text, a version key, a number, a time. */
  readonly by: string
  /** The column that is null if the value is unknown; missing: `by`. */
  readonly known?: string
  /** An index condition that narrows the rows that may contain a text; the comparison decides. */
  readonly narrow?: (text: string) => Condition | null
  /** For shared values (a class, a room): the rows whose shared value matches the condition. */
  readonly within?: (holds: Condition) => Condition
}
/** A function, for a token that is compared in its own way. */
type SqlToken = SqlPlace | ((value: TermValue) => Condition)

/** The data a filter is evaluated against. */
export interface SqlList<F extends readonly Field[] = readonly Field[]> {
  readonly fields: F
  readonly tokens: Readonly<Record<KeysWith<F, 'filter'>, SqlToken>>
  /** The condition for a word, or a phrase in quotes, without a key. */
  readonly freeWord: (text: string) => Condition
  /** Epoch milliseconds; ages are relative to this. */
  readonly now: number
}

/** Rows that match every term. */
export const termsCondition = (list: SqlList, terms: readonly FilterTerm[]): Condition =>
  allOf(terms.map((term) => termCondition(list, term)))

export function termCondition(list: SqlList, term: FilterTerm): Condition {
  const any = anyOf(
    term.values.map((value, index) =>
      valueCondition(list, term.key, {
        comparison: term.comparison,
        value,
        text: comparable(value),
        number: term.numbers[index] ?? 0,
        whole: term.comparison === 'is',
      }),
    ),
  )
  return term.negated ? isNotTrue(any) : any
}

function valueCondition(
  { fields, tokens, freeWord, now }: SqlList,
  key: string | null,
  wanted: TermValue,
): Condition {
  if (key === null) return freeWord(wanted.text.trim())
  const field = fields.find(({ filter }) => filter?.key === key)
  const token = field === undefined ? undefined : (tokens as Readonly<Record<string, SqlToken>>)[field.key]
  if (field?.filter === undefined || token === undefined)
    throw new Error(`No condition is written for the filter key ${key}`)
  if (typeof token === 'function') return token(wanted)
  const { by, known = by, narrow, within = (holds) => holds } = token
  if (wanted.value === '') return within(condition(`${known} IS NULL`))
  const decides = comparisonOf(field.filter.kind, by, wanted, now)
  const narrows = narrow?.(wanted.text) ?? null
  return within(narrows === null ? decides : allOf([narrows, decides]))
}

function comparisonOf(
  kind: FilterKind,
  by: string,
  { comparison, value, text, number, whole }: TermValue,
  now: number,
): Condition {
  switch (kind) {
    case 'text':
      return like(by, text, whole)
    case 'word':
      return like(by, text, true)
    case 'choice':
      return condition(`${by} = ?`, value.toLowerCase())
    case 'version':
      return versionCondition(by, comparison, value)
    case 'age':
      // Older is an earlier time: `>7d` is before the moment seven days ago. Unknown values never match.
      return condition(`${by} ${turned[signOf(comparison)]} ?`, timestampBefore(now, number))
    case 'number':
    case 'product-id':
      return condition(`${by} ${signOf(comparison)} ?`, number)
  }
}

type Sign = '=' | '<' | '<=' | '>' | '>='
const signOf = (comparison: FilterComparison): Sign =>
  comparison === 'has' || comparison === 'is' ? '=' : comparison
const turned: Readonly<Record<Sign, Sign>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', '=': '=' }

/**
 * `expression` contains the text or, with `whole`, equals it. Both sides are folded; LIKE folds ASCII letters
 * itself.
 */
export function like(expression: string, text: string, whole: boolean): Condition {
  const anywhere = likePattern(text)
  return condition(`${expression} LIKE ? ESCAPE '\\'`, whole ? anywhere.slice(1, -1) : anywhere)
}

/** A version matches every version below it by parts; `=` only that one. An invalid version has no order. */
export function versionCondition(column: string, comparison: FilterComparison, value: string): Condition {
  if (value === '') return condition(`${column} IS NULL`)
  if (comparison === 'is') return condition(`${column} = ?`, versionKey(value))
  if (comparison === 'has')
    return anyOf(
      versionBeginnings(value).map((beginning) =>
        condition(`(${column} >= ? AND ${column} < ?)`, beginning, `${beginning}\u{10ffff}`),
      ),
    )
  return condition(`(${column} >= '2' AND ${column} ${comparison} ?)`, versionKey(value))
}

/**
 * The moment in the past, rounded to a hundredth of the age, between one second and one minute: within a step
 * the same query has the same parameters, so the cached order serves every slice. Enlarge the step if lists
 * of ages are queried too often.
 */
export function timestampBefore(now: number, ageInMs: number): number {
  const step = Math.min(Math.max(Math.round(ageInMs / 100), 1_000), 60_000)
  return Math.floor(now / step) * step - Math.round(ageInMs)
}
