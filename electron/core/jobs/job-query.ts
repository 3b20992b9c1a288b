import type { JobDetail, JobItemSort, JobOutcome, JobSort } from '../../contract/api/jobs.ts'
import { jobFields, jobKinds, type JobSortColumn } from '../../contract/fields/job.ts'
import type { JobItemSortColumn } from '../../contract/fields/job-item.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { jobVocabulary } from '../../contract/filter/vocabularies.ts'
import { jobOutcomes } from '../../contract/job.ts'
import { notSentDetails, unseenDetails } from '../../contract/job-result.ts'
import { allOf, anyOf, condition, type Condition } from '../lists/condition.ts'
import { like, termsCondition, type SqlList } from '../lists/sql-filter.ts'
import { orderQuery, type SqlOrder } from '../lists/sql-order.ts'
import { naturalKey } from '../storage/search-text.ts'

const nameOfOnlyItem =
  '(SELECT i.name_key FROM job_item i WHERE i.job = j.number AND i.position = 0 AND j.asked = 1)'
const ended = '(j.done + j.failed + j.not_found + j.not_supported + j.unknown)'

const jobOrders: Readonly<Record<JobSortColumn, SqlOrder>> = {
  kind: { by: `(j.work ->> '$.kind') || char(10) || COALESCE(${nameOfOnlyItem}, '')` },
  target: { by: nameOfOnlyItem },
  // Running jobs first, then those with problems.
  state: {
    by: `CASE j.state WHEN 'stopping' THEN 0 WHEN 'running' THEN 1 WHEN 'paused' THEN 2 ELSE 3 + (j.done = j.asked) END`,
  },
  progress: { by: `${ended} * 1.0 / max(j.asked, 1)` },
  asked: { by: 'j.asked' },
  done: { by: 'j.done' },
  failed: { by: 'j.failed' },
  notFound: { by: 'j.not_found' },
  notSupported: { by: 'j.not_supported' },
  unknown: { by: 'j.unknown' },
  callsUsed: { by: 'j.calls_used' },
  callsPlanned: { by: 'j.calls_planned' },
  who: { by: 'j.who COLLATE NOCASE' },
  ticket: { by: 'j.ticket COLLATE NOCASE' },
  createdAt: { by: 'j.created_at' },
  startedAt: { by: 'j.started_at' },
  endedAt: { by: 'j.ended_at' },
  durationInMs: { by: 'j.ended_at - j.started_at' },
  retryOf: { by: 'j.retry_of' },
  id: { by: 'j.id' },
}

/** Of items `i`. */
export const detailIn = (details: readonly JobDetail[]): string =>
  `i.detail IN (${details.map((detail) => `'${detail}'`).join(', ')})`

/** The column of each outcome in the job's row. */
export const outcomeColumns: { readonly [O in JobOutcome]: string } = {
  done: 'done',
  failed: 'failed',
  'not-found': 'not_found',
  'not-supported': 'not_supported',
  unknown: 'unknown',
}
const kinds: Readonly<Record<string, string>> = jobKinds
const states: Readonly<Record<string, string>> = {
  running: `j.state IN ('running', 'stopping')`,
  paused: `j.state = 'paused'`,
  ended: `j.state = 'ended'`,
}
/** Sort keys ignore diacritics, but contain whole numbers only; names also match a part of a number. */
function withItemNamed(text: string, whole = false): Condition {
  const { sql, parameters } = anyOf([
    like('i.name_key', naturalKey(text), whole),
    like('i.target_name', text, whole),
  ])
  return condition(`EXISTS (SELECT 1 FROM job_item i WHERE i.job = j.number AND ${sql})`, ...parameters)
}

const jobList: Omit<SqlList<typeof jobFields>, 'now'> = {
  fields: jobFields,
  freeWord: (word) => anyOf([like('j.who', word, false), like('j.ticket', word, false), withItemNamed(word)]),
  tokens: {
    kind: ({ value }) => condition(`j.work ->> '$.kind' = ?`, kinds[value.toLowerCase()] ?? null),
    target: ({ value, whole }) => withItemNamed(value, whole),
    state: ({ value }) => condition(states[value.toLowerCase()] ?? '0'),
    outcome: ({ value }) => {
      const outcome = jobOutcomes.find((one) => one === value.toLowerCase())
      return condition(outcome === undefined ? '0' : `j.${outcomeColumns[outcome]} > 0`)
    },
    who: { by: 'j.who' },
    ticket: { by: 'j.ticket' },
    createdAt: { by: 'j.created_at' },
  },
}

/** The jobs `j` of an organization that match a filter. Rejects with Failed `invalid`, field `where`. */
export const jobCondition = (organizationId: string, where: string, now: number): Condition =>
  allOf([
    condition('j.organization_id = ?', organizationId),
    termsCondition({ ...jobList, now }, termsIn(where, jobVocabulary)),
  ])

/** The numbers of matching jobs, sorted; of equal ones the newest first. */
export const jobOrder = (where: Condition, sort: JobSort): Condition =>
  orderQuery('SELECT j.number FROM job j', jobOrders, { where, sort, ties: ['j.number DESC'] })

const itemOrders: Readonly<Record<JobItemSortColumn, SqlOrder>> = {
  name: { by: 'i.name_key' },
  // Items that call for work first, of those the ones that were not sent last, then those that have not ended.
  outcome: {
    by: `CASE WHEN i.state <> 'ended' THEN CASE i.state WHEN 'queued' THEN 7 ELSE 6 END
      WHEN ${detailIn(unseenDetails)} THEN 4 WHEN ${detailIn(notSentDetails)} THEN 5
      ELSE CASE i.outcome WHEN 'unknown' THEN 0 WHEN 'failed' THEN 1 WHEN 'not-found' THEN 2 WHEN 'not-supported' THEN 3 ELSE 8 END END`,
  },
  firmware: { by: `i.memory ->> '$.version'` },
  detail: { by: `COALESCE(i.detail, i.failure ->> '$.kind')` },
  failure: { by: `i.failure ->> '$.kind'` },
  message: { by: `i.failure ->> '$.message' COLLATE NOCASE` },
  startedAt: { by: 'i.started_at' },
  endedAt: { by: 'i.ended_at' },
  of: { by: 'i.target_of' },
  targetId: { by: 'i.target_id' },
  callsUsed: { by: 'i.calls_used' },
  journalLine: { by: 'i.journal_id' },
}

/** The ids of items `i`, sorted; equal ones in the order of the plan. */
export const itemOrder = (where: Condition, sort: JobItemSort): Condition =>
  orderQuery('SELECT i.id FROM job_item i', itemOrders, { where, sort, ties: ['i.position'] })
