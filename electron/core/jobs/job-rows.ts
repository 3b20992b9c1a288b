import type { Failure } from '../../contract/failure.ts'
import { jobOutcomes } from '../../contract/job.ts'
import { jobResultCounts, notSentDetails, unseenDetails } from '../../contract/job-result.ts'
import type {
  Job,
  JobCounts,
  JobDetail,
  JobItem,
  JobItemQuery,
  JobItemSort,
  JobItemState,
  JobOutcome,
  JobSort,
  JobTiming,
  JobWork,
  RoomRestart,
  WaitReason,
} from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { SqlRow, SqlValue, Transaction } from '../platform.ts'
import { allOf, condition, type Condition } from '../lists/condition.ts'
import type { Workbook } from '../storage/workbook.ts'
import { workedDetails } from './item-endings.ts'
import { visibleChanges } from './confidential-changes.ts'
import { detailIn, itemOrder, jobOrder, outcomeColumns } from './job-query.ts'
import type { ItemToRun } from './job-work.ts'
import { zoneCounts } from './start-window.ts'
import { numberOrNull, textOrNull } from '../storage/row-values.ts'

/** The stored state of a job: whether a running one waits for its time depends on the clock. */
type StoredJobState = 'running' | 'paused' | 'stopping' | 'ended'

/** A job as stored in the file. */
export interface StoredJob {
  readonly number: number
  readonly id: string
  readonly work: JobWork
  readonly state: StoredJobState
  readonly waitsFor: WaitReason | null
  /** The job's data, without what depends on the clock or on this run. */
  readonly listed: Omit<Job, 'state' | 'missed' | 'waitsFor' | 'waitsUntil' | 'leftInMs'>
  /** Its start time passed without a request. */
  readonly missed: boolean
}

const unseen = detailIn(unseenDetails)
const notSent = detailIn(notSentDetails)
const worked = detailIn(workedDetails)
const columns = `number, id, organization_id, who, work, state, waits_for, start_at, window_from, window_to, time_zone, keep_trying, canary, asked,
  done, failed, not_found, not_supported, unknown, retryable, calls_used, calls_planned, watching_at_most, created_at, started_at, ended_at, retry_of, ticket,
  (SELECT count(*) FROM job_item i WHERE i.job = job.number AND i.state IN ('sending', 'checking', 'watching')) AS under_way,
  (SELECT count(*) FROM job_item i WHERE i.job = job.number AND ${unseen}) AS unseen,
  (SELECT count(*) FROM job_item i WHERE i.job = job.number AND ${notSent}) AS not_sent,
  CASE WHEN window_from IS NOT NULL OR start_at IS NOT NULL THEN (SELECT json_group_array(json_array(z.zone, z.devices)) FROM
    (SELECT i.memory ->> '$.timeZone' AS zone, sum(json_array_length(i.device_ids)) AS devices FROM job_item i WHERE i.job = job.number GROUP BY 1) z) END AS zones,
  EXISTS (SELECT 1 FROM job_item i WHERE i.job = job.number AND i.position = 0 AND i.detail = 'missed') AS missed,
  CASE WHEN waits_for = 'releases' THEN (SELECT i.failure FROM job_item i WHERE i.job = job.number AND i.state = 'queued' AND i.waits_for = 'releases' LIMIT 1) END AS unread_releases,
  CASE WHEN asked = 1 THEN (SELECT json_array(i.target_of, i.target_id, i.target_name) FROM job_item i WHERE i.job = job.number AND i.position = 0) END AS target`
const itemColumns = `i.id, i.target_of, i.target_id, i.target_name, i.device_ids, i.state, i.waits_for, i.earliest_at, i.outcome, i.detail, i.failure, i.calls_used,
  i.memory ->> '$.timeZone' AS time_zone, i.memory ->> '$.from' AS version_from, i.memory ->> '$.version' AS version_to, i.started_at, i.ended_at, i.journal_id, i.retried`

type JobQueries = Pick<Workbook, 'query'>
const listedAtOnce = 500

/** The jobs of a condition on `j`. `count`: -1 is all. */
export async function queryJobs(
  workbook: JobQueries,
  where: Condition,
  { sort = [], start, count }: { readonly sort?: JobSort; readonly start: number; readonly count: number },
): Promise<{ jobs: readonly StoredJob[]; total: number }> {
  const { sql, parameters } = jobOrder(where, sort)
  const listed = await workbook.query(`${sql} LIMIT ? OFFSET ?`, [...parameters, count, start])
  const numbers = listed.map((row) => Number(row['number']))
  const [rows, totals] = await Promise.all([
    workbook.query(
      `WITH place (listed, at) AS (SELECT e.value, e.key FROM json_each(?) e)
       SELECT ${columns} FROM place JOIN job ON job.number = place.listed ORDER BY place.at`,
      [JSON.stringify(numbers)],
    ),
    workbook.query(`SELECT count(*) AS n FROM job j WHERE ${where.sql}`, where.parameters),
  ])
  return { jobs: rows.map(jobOf), total: Number(totals[0]?.['n'] ?? 0) }
}

export async function queryJob(
  workbook: JobQueries,
  organizationId: string,
  id: string,
): Promise<StoredJob | null> {
  const [row] = await workbook.query(`SELECT ${columns} FROM job WHERE id = ?1 AND organization_id = ?2`, [
    id,
    organizationId,
  ])
  return row === undefined ? null : jobOf(row)
}

/** Jobs that have not ended, oldest first. */
export async function queryOpenJobs(
  workbook: JobQueries,
  organizationId: string,
): Promise<readonly StoredJob[]> {
  return (
    await workbook.query(
      `SELECT ${columns} FROM job WHERE organization_id = ? AND state <> 'ended' ORDER BY number`,
      [organizationId],
    )
  ).map(jobOf)
}

/** Jobs with items of these devices that have not ended, oldest first, each with its devices among these. */
export async function queryJobsOf(
  workbook: JobQueries,
  organizationId: string,
  deviceIds: readonly string[],
): Promise<readonly { readonly job: StoredJob; readonly devices: ReadonlySet<string> }[]> {
  const [jobs, rows] = await Promise.all([
    queryOpenJobs(workbook, organizationId),
    workbook.query(
      `SELECT DISTINCT i.job, d.value AS device FROM job j JOIN job_item i ON i.job = j.number, json_each(i.device_ids) d
       WHERE j.organization_id = ? AND j.state <> 'ended' AND i.state <> 'ended' AND d.value IN (SELECT value FROM json_each(?))`,
      [organizationId, JSON.stringify(deviceIds)],
    ),
  ])
  const byJob = Map.groupBy(rows, (row) => Number(row['job']))
  return jobs.flatMap((job) => {
    const found = byJob.get(job.number)
    return found === undefined ? [] : [{ job, devices: new Set(found.map((row) => String(row['device']))) }]
  })
}

/** The maximum of the contract. */
const restartsAtMost = 1_000

/** Rooms that are being sent or watched. The condition on the state matches an index. */
export async function queryRestarts(
  workbook: JobQueries,
  organizationId: string,
): Promise<readonly RoomRestart[]> {
  const rows = await workbook.query(
    `SELECT i.target_id, i.state, i.sent_at, j.id FROM job j JOIN job_item i ON i.job = j.number
     WHERE j.organization_id = ? AND j.state <> 'ended' AND i.target_of = 'room'
       AND i.state IN ('sending', 'checking', 'watching') ORDER BY i.id LIMIT ${restartsAtMost}`,
    [organizationId],
  )
  return rows.map((row): RoomRestart => ({
    roomId: String(row['target_id']),
    jobId: String(row['id']),
    // Only items of jobs for devices are checked.
    state: row['state'] === 'sending' ? 'sending' : 'watching',
    sentAt: numberOrNull(row['sent_at']),
  }))
}

/** Items of one family are tried by one of them: devices by their product; rooms are one family. */
const triedTogether = `CAST(memory ->> '$.productId' AS TEXT)`

export interface StoredQueueItem {
  readonly id: number
  readonly position: number
  readonly earliestAt: number | null
  readonly timeZone: string | null
  readonly devices: number
  readonly family: string | null
}

/** Items of a job that were not sent yet, in the order of the plan. */
export const queueSql = `SELECT id, position, earliest_at, memory ->> '$.timeZone' AS time_zone, json_array_length(device_ids) AS devices, ${triedTogether} AS family FROM job_item WHERE job = ? AND state = 'queued' ORDER BY position`
export const queueItemOf = (row: SqlRow): StoredQueueItem => ({
  id: Number(row['id']),
  position: Number(row['position']),
  earliestAt: numberOrNull(row['earliest_at']),
  timeZone: textOrNull(row['time_zone']),
  devices: Number(row['devices']),
  family: textOrNull(row['family']),
})

export interface UnendedItem {
  readonly item: JobItem
  readonly family: string | null
  /** Later items with the same wait, which are only counted. */
  readonly more?: number
}
/** Contract: targets listed of one wait. */
export const targetsAtMost = 100
/**
 * Items that were not sent yet or are in flight, in the order of the plan, with the earliest time of those with the same wait. A page asks
 * again whenever an item ends: no more of them are read than it lists.
 */
export async function queryUnended(
  workbook: JobQueries,
  job: StoredJob,
  now: number,
): Promise<readonly UnendedItem[]> {
  const rows = await workbook.query(
    `SELECT ${itemColumns}, ${triedTogether} AS family, i.place, i.alike, i.first_at FROM (
       SELECT *, row_number() OVER (alike ORDER BY position) AS place, count(*) OVER alike AS alike, min(earliest_at) OVER alike AS first_at
       FROM job_item WHERE job = ?1 AND state <> 'ended'
       WINDOW alike AS (PARTITION BY state, waits_for, memory ->> '$.timeZone', ${triedTogether},
         CASE WHEN waits_for IN ('start-time', 'window') THEN earliest_at ELSE earliest_at > ?2 END)
     ) i WHERE i.place <= ${targetsAtMost} ORDER BY i.position`,
    [job.number, now],
  )
  return rows.map((row) => ({
    item: { ...itemOf(row, job.listed.id), earliestAt: numberOrNull(row['first_at']) },
    family: textOrNull(row['family']),
    more: Number(row['place']) === targetsAtMost ? Number(row['alike']) - targetsAtMost : 0,
  }))
}

export interface TriedItem {
  readonly id: number
  readonly family: string | null
  readonly ended: boolean
}

/**
 * Items of a job that tries one item first: those in flight, and those that worked. One that ended otherwise
 * tried nothing for the others.
 */
export async function queryTried(workbook: JobQueries, job: number): Promise<readonly TriedItem[]> {
  const rows = await workbook.query(
    `SELECT i.id, ${triedTogether} AS family, i.state = 'ended' AS ended FROM job_item i
     WHERE i.job = ? AND i.state <> 'queued' AND (i.state <> 'ended' OR (i.outcome = 'done' AND ${worked}))`,
    [job],
  )
  return rows.map((row) => ({
    id: Number(row['id']),
    family: textOrNull(row['family']),
    ended: row['ended'] === 1,
  }))
}

export async function queryItems(
  workbook: JobQueries,
  job: StoredJob,
  { show, sort = [], start, count }: JobItemQuery,
): Promise<{ items: readonly JobItem[]; total: number }> {
  const { counts, asked, id } = job.listed
  if (sort.length > 0) {
    const ids = await orderedItems(workbook, job, show, sort)
    return { items: await itemsAt(workbook, job, ids.slice(start, start + count)), total: ids.length }
  }
  const ended = jobOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
  const results = jobResultCounts(job.listed)
  const which = show === null ? condition('i.position >= ?', start) : shown(show)
  const total =
    show === null
      ? asked
      : show === 'open'
        ? asked - ended
        : show === 'under-way'
          ? job.listed.underWay
          : show === 'attention'
            ? ended - results.done - results['not-sent']
            : show === 'done' || show === 'not-sent'
              ? results[show]
              : counts[show]
  const rows = await workbook.query(
    `SELECT ${itemColumns} FROM job_item i WHERE i.job = ? AND ${which.sql} ORDER BY i.position LIMIT ${count}${show === null ? '' : ` OFFSET ${start}`}`,
    [job.number, ...which.parameters],
  )
  return { items: rows.map((row) => itemOf(row, id)), total }
}

function shown(show: NonNullable<JobItemQuery['show']>): Condition {
  if (show === 'open') return condition(`i.state <> 'ended'`)
  if (show === 'under-way') return condition(`i.state IN ('sending', 'checking', 'watching')`)
  if (show === 'not-sent') return condition(`i.state = 'ended' AND ${notSent}`)
  if (show === 'attention')
    return condition(
      `i.state = 'ended' AND (i.outcome <> 'done' OR ${unseen}) AND (i.detail IS NULL OR NOT ${notSent})`,
    )
  return allOf([
    condition(`i.state = 'ended' AND i.outcome = ?`, show),
    condition(show === 'done' ? `(i.detail IS NULL OR NOT ${unseen})` : '1'),
  ])
}

async function orderedItems(
  workbook: JobQueries,
  job: StoredJob,
  show: JobItemQuery['show'],
  sort: JobItemSort,
): Promise<readonly number[]> {
  const where = allOf([condition('i.job = ?', job.number), ...(show === null ? [] : [shown(show)])])
  const { sql, parameters } = itemOrder(where, sort)
  return (await workbook.query(sql, parameters)).map((row) => Number(row['id']))
}

async function itemsAt(
  workbook: JobQueries,
  job: StoredJob,
  ids: readonly number[],
): Promise<readonly JobItem[]> {
  const rows = await workbook.query(
    `SELECT ${itemColumns} FROM json_each(?1) e JOIN job_item i ON i.id = e.value ORDER BY e.key`,
    [JSON.stringify(ids)],
  )
  return rows.map((row) => itemOf(row, job.listed.id))
}

/**
 * The set of items is fixed at the start: an item that ends meanwhile is returned with its new state in the
 * same position.
 */
export async function queryListedItems(
  workbook: JobQueries,
  job: StoredJob,
  { show, sort = [] }: Pick<JobItemQuery, 'show' | 'sort'>,
): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly JobItem[]> }> {
  const ids = await orderedItems(workbook, job, show, sort)
  async function* batches(): AsyncIterable<readonly JobItem[]> {
    for (let start = 0; start < ids.length; start += listedAtOnce)
      yield await itemsAt(workbook, job, ids.slice(start, start + listedAtOnce))
  }
  return { total: ids.length, batches: batches() }
}

/** One item, with its job's id and its worker's data; null: the organization has none with this id. */
export async function queryItem(
  workbook: JobQueries,
  organizationId: string,
  item: number,
): Promise<{ item: JobItem; toRun: ItemToRun } | null> {
  const [row] = await workbook.query(
    `SELECT ${itemColumns}, i.memory, i.sent_at, j.id AS job_id, j.work FROM job_item i JOIN job j ON j.number = i.job
     WHERE i.id = ?1 AND j.organization_id = ?2`,
    [item, organizationId],
  )
  if (row === undefined) return null
  const jobId = String(row['job_id'])
  return { item: itemOf(row, jobId), toRun: itemToRun(row, jobId, workOf(row)) }
}

/** The data a worker needs for an item, read in the transaction that claims it. */
export function queryItemToRun(
  transaction: Transaction,
  item: number,
  jobId: string,
  work: JobWork,
): ItemToRun | null {
  const row = transaction.first(
    'SELECT id, target_of, target_id, target_name, device_ids, memory, sent_at FROM job_item WHERE id = ?',
    [item],
  )
  return row === undefined ? null : itemToRun(row, jobId, work)
}

const itemToRun = (row: SqlRow, jobId: string, work: JobWork): ItemToRun => ({
  id: Number(row['id']),
  jobId,
  work,
  target: targetOf(row),
  deviceIds: JSON.parse(String(row['device_ids'])) as string[],
  memory: JSON.parse(String(row['memory'])) as Json,
  sentAt: numberOrNull(row['sent_at']),
})

const workOf = (row: SqlRow): JobWork => JSON.parse(String(row['work'])) as JobWork
const targetOf = (row: SqlRow): JobItem['target'] => ({
  of: row['target_of'] === 'device' ? 'device' : 'room',
  id: String(row['target_id']),
  name: textOrNull(row['target_name']),
})
function onlyTarget(value: SqlValue | undefined): Job['target'] {
  if (typeof value !== 'string') return null
  const [of, id, name] = JSON.parse(value) as ['room' | 'device', string, string | null]
  return { of, id, name }
}
const failureOf = (value: SqlValue | undefined): Failure | null =>
  typeof value === 'string' ? (JSON.parse(value) as Failure) : null

function jobOf(row: SqlRow): StoredJob {
  const work = workOf(row)
  const [from, to] = [numberOrNull(row['window_from']), numberOrNull(row['window_to'])]
  const timeZone = textOrNull(row['time_zone'])
  const zones = textOrNull(row['zones'])
  const ticket = textOrNull(row['ticket'])
  const unread = failureOf(row['unread_releases'])
  const timing: JobTiming = {
    startAt: numberOrNull(row['start_at']),
    window: from === null || to === null ? null : { from, to },
    ...(timeZone === null ? {} : { timeZone }),
  }
  const counts = Object.fromEntries(
    jobOutcomes.map((outcome) => [outcome, Number(row[outcomeColumns[outcome]])]),
  ) as Record<JobOutcome, number>
  return {
    number: Number(row['number']),
    id: String(row['id']),
    work,
    state: textOrNull(row['state']) as StoredJobState,
    waitsFor: textOrNull(row['waits_for']) as WaitReason | null,
    missed: row['missed'] === 1,
    listed: {
      id: String(row['id']),
      organizationId: String(row['organization_id']),
      kind: work.kind,
      target: onlyTarget(row['target']),
      who: String(row['who']),
      ...timing,
      ...(zones === null
        ? {}
        : { zones: zoneCounts(timing, JSON.parse(zones) as [string | null, number][]) }),
      ...(unread?.kind === 'releases-unread' ? { unreadReleases: unread } : {}),
      changes: visibleChanges(work),
      keepTrying: row['keep_trying'] === 1,
      canary: row['canary'] !== null,
      ...(ticket === null ? {} : { ticket }),
      asked: Number(row['asked']),
      counts: counts satisfies JobCounts,
      unseen: Number(row['unseen']),
      notSent: Number(row['not_sent']),
      underWay: Number(row['under_way']),
      callsUsed: Number(row['calls_used']),
      callsPlanned: Number(row['calls_planned']),
      watchingAtMost: Number(row['watching_at_most']),
      createdAt: Number(row['created_at']),
      startedAt: numberOrNull(row['started_at']),
      endedAt: numberOrNull(row['ended_at']),
      retryOf: textOrNull(row['retry_of']),
      retryable: Number(row['retryable']),
    },
  }
}

function itemOf(row: SqlRow, jobId: string): JobItem {
  const timeZone = textOrNull(row['time_zone'])
  const to = textOrNull(row['version_to'])
  return {
    id: Number(row['id']),
    jobId,
    target: targetOf(row),
    deviceIds: JSON.parse(String(row['device_ids'])) as string[],
    ...(timeZone === null ? {} : { timeZone }),
    state: textOrNull(row['state']) as JobItemState,
    waitsFor: textOrNull(row['waits_for']) as WaitReason | null,
    earliestAt: numberOrNull(row['earliest_at']),
    outcome: textOrNull(row['outcome']) as JobOutcome | null,
    detail: textOrNull(row['detail']) as JobDetail | null,
    failure: failureOf(row['failure']),
    callsUsed: Number(row['calls_used']),
    startedAt: numberOrNull(row['started_at']),
    endedAt: numberOrNull(row['ended_at']),
    journalId: numberOrNull(row['journal_id']),
    ...(row['retried'] === 1 ? { retried: true } : {}),
    ...(to === null ? {} : { firmware: { from: textOrNull(row['version_from']), to } }),
  }
}
