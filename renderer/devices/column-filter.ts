import type { DeviceColumn } from '../../electron/contract/api/devices.ts'
import type { FilterComparison, FilterTerm } from '../../electron/contract/filter/filter.ts'
import { keyNamed, parseFilter, termText } from '../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { complianceValues } from '../../electron/contract/fields/device.ts'
import { columnFacts, factOf } from './device-columns.ts'

/** The filter of a column: a term of the filter language without its key. */
export type ColumnTerm = Pick<FilterTerm, 'negated' | 'comparison' | 'values'>

const compliances: readonly string[] = complianceValues
const isCompliance = (term: FilterTerm): boolean =>
  term.values.length > 0 && term.values.every((value) => compliances.includes(value.toLowerCase()))

/** Version and compliance share a key: names are compliance values, numbers are versions. */
function isOf(column: DeviceColumn, term: FilterTerm): boolean {
  const { key, by } = factOf(column).filter
  if (term.key !== key) return false
  return by === 'compliance'
    ? isCompliance(term)
    : by === 'version' && key === 'fw'
      ? !isCompliance(term)
      : true
}
const termsOf = (where: string): readonly FilterTerm[] => parseFilter(where, deviceVocabulary).terms

const firstOf = (where: string, column: DeviceColumn): FilterTerm | undefined =>
  termsOf(where).find((term) => isOf(column, term))

/** The filter of a column; the first term if there are several. */
export const termOf = (where: string, column: DeviceColumn): ColumnTerm | null =>
  firstOf(where, column) ?? null

export function columnsIn(where: string): ReadonlySet<DeviceColumn> {
  const terms = termsOf(where)
  return new Set(
    columnFacts.map((one) => one.column).filter((column) => terms.some((term) => isOf(column, term))),
  )
}

/** The filter with the term of `termOf` replaced in its place; all others remain as typed. */
export function withColumn(where: string, column: DeviceColumn, term: ColumnTerm | null): string {
  const { start, end } = firstOf(where, column) ?? { start: where.length, end: where.length }
  const written = term === null ? '' : termText({ ...term, key: factOf(column).filter.key })
  return [where.slice(0, start).trim(), written, where.slice(end).trim()].filter(Boolean).join(' ')
}

/** Whether this column can be filtered by "not known". */
export const mayBeMissing = (column: DeviceColumn): boolean => {
  const { key, by } = factOf(column).filter
  return by !== 'compliance' && by !== 'age' && (keyNamed(deviceVocabulary, key)?.mayBeMissing ?? false)
}
/** The only values that a column accepts; none: it accepts any text. */
export const choicesOf = (column: DeviceColumn): readonly string[] => {
  const { key, by } = factOf(column).filter
  return by === 'choice' ? (keyNamed(deviceVocabulary, key)?.choices ?? []) : []
}
export const comparisons: readonly FilterComparison[] = ['is', '<', '<=', '>', '>=']

/**
 * Whether the filter language accepts the typed text: a version must begin with a digit, a product id is a
 * number.
 */
export const isUsable = (column: DeviceColumn, term: ColumnTerm): boolean =>
  parseFilter(termText({ ...term, key: factOf(column).filter.key }), deviceVocabulary).problems.length === 0

/** `>7d` split for the input fields; the typed unit remains. */
export function agePartsOf(term: ColumnTerm | null): {
  readonly older: boolean
  readonly amount: string
  readonly unit: string
} {
  const [, amount = '', unit = 'd'] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(term?.values[0] ?? '') ?? []
  return {
    older: term === null || term.comparison === '>' || term.comparison === '>=',
    amount,
    unit: unit.toLowerCase(),
  }
}
