import type { FilterComparison, FilterTerm } from '../../contract/filter/filter.ts'
import { journalOperationWords } from '../../contract/filter/filter-words.ts'
import type { SqlValue } from '../platform.ts'
import { likePattern, searchable } from '../storage/search-text.ts'

/** A condition on a line: `b` its beginning, `e` its end. Everything typed travels as a parameter. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export interface Asked {
  /** null: of all organizations. */
  readonly organizationId: string | null
  /** Only lines that name this device or room; null: all. */
  readonly subjectId: string | null
  /** Epoch milliseconds against which ages are told. */
  readonly now: number
}

export const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })
const joined = (conditions: readonly Condition[], word: string): Condition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(word)})`,
  parameters: conditions.flatMap(({ parameters }) => parameters),
})
const anyOf = (...conditions: readonly Condition[]): Condition => joined(conditions, ' OR ')
export const allOf = (...conditions: readonly Condition[]): Condition => joined(conditions, ' AND ')
/** What is not known is not so either. */
const not = ({ sql, parameters }: Condition): Condition => ({ sql: `(${sql} IS NOT TRUE)`, parameters })

/** Lines for which every term holds. */
export function lineCondition(
  { organizationId, subjectId, now }: Asked,
  terms: readonly FilterTerm[],
): Condition {
  return allOf(
    organizationId === null ? condition('1') : condition('b.organization_id = ?', organizationId),
    ...(subjectId === null ? [] : [names(subjectId)]),
    ...terms.map((term) => {
      const any = anyOf(
        ...term.values.map((value, index) => valueCondition(term, value, term.numbers[index] ?? 0, now)),
      )
      return term.negated ? not(any) : any
    }),
  )
}

const names = (id: string): Condition =>
  condition('b.id IN (SELECT s.line_id FROM journal_subject s WHERE s.subject_id = ?)', id)

function valueCondition(
  { key, comparison }: FilterTerm,
  value: string,
  number: number,
  now: number,
): Condition {
  const text = comparable(value)
  const whole = comparison === 'is'
  const inText = (column: keyof typeof compared): Condition =>
    value === '' ? condition(`${compared[column]} IS NULL`) : like(compared[column], text, whole)
  switch (key) {
    case null:
      return anyOf(like('b.words', text.trim(), false), like(compared.message, text.trim(), false))
    case 'outcome':
      return outcomes[value.toLowerCase()] ?? condition('0')
    case 'operation':
      return condition('lower(b.operation) = ?', operationNamed(value).toLowerCase())
    case 'of':
      return condition('b.target_of = ?', value.toLowerCase())
    case 'name':
    case 'who':
    case 'before':
    case 'after':
    case 'message':
      return inText(key)
    case 'status':
      return value === ''
        ? condition('e.status IS NULL')
        : condition(`e.status ${signs[comparison]} ?`, number)
    case 'devices':
      return condition(`json_array_length(b.device_ids) ${signs[comparison]} ?`, number)
    case 'line':
      return condition(`b.id ${signs[comparison]} ?`, number)
    case 'id':
      return names(value)
    case 'job':
      return value === ''
        ? condition(`${jobOfLine} IS NULL`)
        : condition(`b.reference IS NOT NULL AND ${jobOfLine} = ?`, value)
    case 'age':
      return condition(`b.started_at ${turned[comparison]} ?`, now - number)
    default:
      throw new Error(`No condition is written for the filter key ${key}`)
  }
}

const outcomes: Readonly<Record<string, Condition>> = {
  accepted: condition(`e.outcome = 'accepted'`),
  unconfirmed: condition(`e.outcome = 'unconfirmed'`),
  // Without a status nothing was answered, and what was refused so was never sent (write gate).
  refused: condition(`e.outcome = 'refused' AND e.status IS NOT NULL`),
  'not-sent': condition(`e.outcome = 'refused' AND e.status IS NULL`),
  unknown: condition('e.id IS NULL'),
}

const operationNamed = (word: string): string =>
  Object.entries(journalOperationWords).find(([short]) => short === word.toLowerCase())?.[1] ?? word

/** What the job of a line `b` saw after it: of the attempt that the line is of. */
export const seenOfLine = `(SELECT i.detail FROM job_item i
  WHERE b.reference LIKE 'job-item-%' AND i.id = CAST(substr(b.reference, 10) AS INTEGER) AND i.journal_id = b.id)`

/** The job of a line `b`: its reference names the item (`core/jobs`), whose ids are never given twice. */
export const jobOfLine = `(SELECT j.id FROM job_item i JOIN job j ON j.number = i.job
  WHERE b.reference LIKE 'job-item-%' AND i.id = CAST(substr(b.reference, 10) AS INTEGER))`

/** Text as it is compared. */
const comparable = (text: string): string => searchable([text.replaceAll('\n', ' ')])
/** null: the text itself serves, since LIKE takes ASCII letters of either case for the same. */
export const foldedWhereOther = (text: string | null): string | null =>
  text === null || /^[ -~]*$/.test(text) ? null : comparable(text)

/** Lines of an earlier format have no folded text beside them. */
const compared = {
  name: 'COALESCE(b.name_folded, b.target_name)',
  who: 'COALESCE(b.who_folded, b.who)',
  before: 'COALESCE(b.before_folded, b.before)',
  after: 'COALESCE(b.after_folded, b.after)',
  message: 'COALESCE(e.message_folded, e.message)',
} as const

/** Older is an earlier time: `>7d` is before the moment seven days ago. */
const turned: Readonly<Record<FilterComparison, string>> = {
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
  is: '=',
  has: '=',
}
const signs: Readonly<Record<FilterComparison, string>> = {
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
  is: '=',
  has: '=',
}

function like(expression: string, text: string, whole: boolean): Condition {
  const anywhere = likePattern(text)
  return condition(`${expression} LIKE ? ESCAPE '\\'`, whole ? anywhere.slice(1, -1) : anywhere)
}
