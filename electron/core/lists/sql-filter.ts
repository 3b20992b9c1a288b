import type { Field, KeysWith } from '../../contract/fields/field.ts'
import type { FilterComparison, FilterKind, FilterTerm } from '../../contract/filter/filter.ts'
import { comparable, likePattern } from '../storage/search-text.ts'
import { allOf, anyOf, condition, notTrue, type Condition } from './condition.ts'
import { versionBeginnings, versionKey } from './version-order.ts'

/** One value of a term. */
export interface TermValue {
  readonly comparison: FilterComparison
  /** As typed; empty: nothing is known there. */
  readonly value: string
  /** The same as rows hold it to compare. */
  readonly text: string
  /** Milliseconds of an age, a number, a product id; 0 where it is none. */
  readonly number: number
  /** The text must be the whole. */
  readonly whole: boolean
}

/** Where a token stands in SQL. Names come from our own tables only. */
export interface SqlPlace {
  /** What is compared: text folded, a version by its key, a number, a time. */
  readonly by: string
  /** Null where nothing is known; missing: `by` is. */
  readonly known?: string
  /** By which an index narrows the rows that can hold a text; the comparison decides. */
  readonly narrow?: (text: string) => Condition | null
  /** Of what rows share (a class, a room): the rows of which the condition holds. */
  readonly within?: (holds: Condition) => Condition
}
/** A function where a token means something of its own. */
export type SqlToken = SqlPlace | ((value: TermValue) => Condition)

/** What a filter is asked of. */
export interface SqlList<F extends readonly Field[] = readonly Field[]> {
  readonly fields: F
  readonly tokens: Readonly<Record<KeysWith<F, 'filter'>, SqlToken>>
  /** A word, or a phrase in quotes, without a key. */
  readonly freeWord: (text: string) => Condition
  /** Epoch milliseconds against which ages are told. */
  readonly now: number
}

/** Rows for which every term holds. */
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
  return term.negated ? notTrue(any) : any
}

function valueCondition(
  { fields, tokens, freeWord, now }: SqlList,
  key: string | null,
  asked: TermValue,
): Condition {
  if (key === null) return freeWord(asked.text.trim())
  const field = fields.find(({ filter }) => filter?.key === key)
  const token = field === undefined ? undefined : (tokens as Readonly<Record<string, SqlToken>>)[field.key]
  if (field?.filter === undefined || token === undefined)
    throw new Error(`No condition is written for the filter key ${key}`)
  if (typeof token === 'function') return token(asked)
  const { by, known = by, narrow, within = (holds) => holds } = token
  if (asked.value === '') return within(condition(`${known} IS NULL`))
  const decides = comparisonOf(field.filter.kind, by, asked, now)
  const narrows = narrow?.(asked.text) ?? null
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
      // Older is an earlier time: `>7d` is before the moment seven days ago. What is not known never matches.
      return condition(`${by} ${turned[signOf(comparison)]} ?`, momentAgo(now, number))
    case 'number':
    case 'product-id':
      return condition(`${by} ${signOf(comparison)} ?`, number)
  }
}

type Sign = '=' | '<' | '<=' | '>' | '>='
const signOf = (comparison: FilterComparison): Sign =>
  comparison === 'has' || comparison === 'is' ? '=' : comparison
const turned: Readonly<Record<Sign, Sign>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=', '=': '=' }

/** `expression` holds the text anywhere or, `whole`, is it. Both sides folded; LIKE folds ASCII letters by itself. */
export function like(expression: string, text: string, whole: boolean): Condition {
  const anywhere = likePattern(text)
  return condition(`${expression} LIKE ? ESCAPE '\\'`, whole ? anywhere.slice(1, -1) : anywhere)
}

/** A version names every version below it by parts; `=` that one alone. What is no version stands in no order. */
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
 * The moment a while ago, in steps of a hundredth of that while, one second to one minute: within a step the same question has the same
 * parameters, so that the order that is kept for it serves every window of it. Chosen.
 */
export function momentAgo(now: number, ageInMs: number): number {
  const step = Math.min(Math.max(Math.round(ageInMs / 100), 1_000), 60_000)
  return Math.floor(now / step) * step - Math.round(ageInMs)
}
