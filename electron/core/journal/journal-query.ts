import type { FilterTerm } from '../../contract/filter/filter.ts'
import type { JournalSort } from '../../contract/api/journal.ts'
import {
  journalFields,
  journalOperations,
  journalOutcomes,
  type JournalSortColumn,
} from '../../contract/fields/journal.ts'
import { allOf, anyOf, condition, type Condition } from '../lists/condition.ts'
import { like, termsCondition, type SqlList } from '../lists/sql-filter.ts'
import { orderQuery, type SqlOrder } from '../lists/sql-order.ts'

export interface QueryContext {
  /** null: of all organizations. */
  readonly organizationId: string | null
  /** Only lines that name this device or room; null: all. */
  readonly subjectId: string | null
  /** Epoch milliseconds; ages are relative to this. */
  readonly now: number
}

/** Lines that match every term: `b` is the beginning of a line, `e` its end. */
export const lineCondition = (
  { organizationId, subjectId, now }: QueryContext,
  terms: readonly FilterTerm[],
): Condition =>
  allOf([
    organizationId === null ? condition('1') : condition('b.organization_id = ?', organizationId),
    ...(subjectId === null ? [] : [names(subjectId)]),
    termsCondition({ ...lineList, now }, terms),
  ])

const names = (id: string): Condition =>
  condition('b.id IN (SELECT s.line_id FROM journal_subject s WHERE s.subject_id = ?)', id)

/** Lines `b` with their ends `e`, if there is one. */
export const begun = 'FROM journal_begin b LEFT JOIN journal_end e ON e.id = b.id'
/**
 * The message of a line whose program ended during its write; messages of writes begin with the kind of a
 * failure.
 */
export const programEnded = 'the program ended before the answer came'

const outcomes: Readonly<Record<(typeof journalOutcomes)[number], Condition>> = {
  accepted: condition(`e.outcome = 'accepted'`),
  unconfirmed: condition(`e.outcome = 'unconfirmed'`),
  // Without a status there was no response, and a write refused in this way was never sent (see `writes`).
  refused: condition(`e.outcome = 'refused' AND e.status IS NOT NULL`),
  'not-sent': condition(`e.outcome = 'refused' AND e.status IS NULL`),
  unknown: condition('e.id IS NULL'),
}

const operationNamed = (word: string): string =>
  new Map(Object.entries(journalOperations)).get(word.toLowerCase()) ?? word

/** The result that the job of a line `b` observed: of the line's own attempt. */
export const seenOfLine = `(SELECT i.detail FROM job_item i
  WHERE b.reference LIKE 'job-item-%' AND i.id = CAST(substr(b.reference, 10) AS INTEGER) AND i.journal_id = b.id)`

/** The job of a line `b`: its reference names the item (`core/jobs`), whose ids are never reused. */
export const jobOfLine = `(SELECT j.id FROM job_item i JOIN job j ON j.number = i.job
  WHERE b.reference LIKE 'job-item-%' AND i.id = CAST(substr(b.reference, 10) AS INTEGER))`

/** Compared folded where that differs from the text (`foldedWhereOther`). */
const texts = {
  targetName: { by: 'COALESCE(b.name_folded, b.target_name)' },
  before: { by: 'COALESCE(b.before_folded, b.before)' },
  after: { by: 'COALESCE(b.after_folded, b.after)' },
  message: { by: 'COALESCE(e.message_folded, e.message)' },
  who: { by: 'COALESCE(b.who_folded, b.who)' },
}

const lineList: Omit<SqlList<typeof journalFields>, 'now'> = {
  fields: journalFields,
  freeWord: (word) => anyOf([like('b.words', word, false), like(texts.message.by, word, false)]),
  tokens: {
    ...texts,
    startedAt: { by: 'b.started_at' },
    outcome: ({ value }) => {
      const word = journalOutcomes.find((one) => one === value.toLowerCase())
      return word === undefined ? condition('0') : outcomes[word]
    },
    status: { by: 'e.status' },
    operation: ({ value }) => condition('lower(b.operation) = ?', operationNamed(value).toLowerCase()),
    of: { by: 'b.target_of' },
    targetId: ({ value }) => names(value),
    deviceCount: { by: 'json_array_length(b.device_ids)' },
    job: ({ value }) =>
      value === ''
        ? condition(`${jobOfLine} IS NULL`)
        : condition(`b.reference IS NOT NULL AND ${jobOfLine} = ?`, value),
    ticket: { by: 'b.ticket' },
    line: { by: 'b.id' },
  },
}

const byText = ({ by }: { readonly by: string }): SqlOrder => ({ by: `${by} COLLATE NOCASE` })
const orders: Readonly<Record<JournalSortColumn, SqlOrder>> = {
  startedAt: { by: 'b.started_at' },
  endedAt: { by: 'e.ended_at' },
  // Lines that call for work first.
  outcome: {
    by: `CASE WHEN e.id IS NULL THEN 0 ELSE CASE e.outcome WHEN 'unconfirmed' THEN 1 WHEN 'refused' THEN 2 + (e.status IS NULL) ELSE 4 END END`,
  },
  status: { by: 'e.status' },
  operation: byText({ by: 'b.operation' }),
  of: { by: 'b.target_of' },
  targetName: byText(texts.targetName),
  targetId: byText({ by: 'b.target_id' }),
  before: byText(texts.before),
  after: byText(texts.after),
  message: byText(texts.message),
  who: byText(texts.who),
  deviceCount: { by: 'json_array_length(b.device_ids)' },
  // For an end that was noticed later, the duration is not known.
  durationInMs: { by: `CASE WHEN e.message IS NOT '${programEnded}' THEN e.ended_at - b.started_at END` },
  organizationName: byText({ by: 'b.organization_name' }),
  afterwards: { by: seenOfLine },
  job: { by: jobOfLine },
  ticket: byText({ by: 'b.ticket' }),
  line: { by: 'b.id', always: true },
}

/** Matching lines, newest first; those of one job are one row: its newest line, their number, and how many have each outcome. */
export const foldedLines = ({ sql, parameters }: Condition): Condition => ({
  sql: `SELECT max(b.id) AS id, count(*) AS n, sum(json_array_length(b.device_ids)) AS devices,
    ${journalOutcomes.map((word) => `sum(${outcomes[word].sql}) AS "${word}"`).join(', ')}
    ${begun} WHERE ${sql} GROUP BY COALESCE(${jobOfLine}, b.id) ORDER BY 1 DESC`,
  parameters,
})

/** The ids of matching lines, sorted; of equal ones the newest first. */
export const lineOrder = (where: Condition, sort: JournalSort): Condition =>
  orderQuery(`SELECT b.id ${begun}`, orders, { where, sort, ties: ['b.id DESC'] })
