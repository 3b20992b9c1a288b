import { Failed, type Failure } from '../../contract/failure.ts'
import { jobOutcomes } from '../../contract/job.ts'
import type {
  JobDetail,
  JobItemState,
  JobKind,
  JobOutcome,
  JobTerms,
  JobWork,
  WaitReason,
} from '../../contract/api/jobs.ts'
import type { Log, SqlRow, SqlValue, Transaction } from '../platform.ts'
import { naturalKey } from '../storage/search-text.ts'
import type { Workbook } from '../storage/workbook.ts'
import { withoutConfidential } from './confidential-changes.ts'
import { endedBy, lineOf, mayBeRetried, nextReference, type Ended, type Ending } from './item-endings.ts'
import { outcomeColumns } from './job-query.ts'
import { queryItemToRun, queueItemOf, queueSql, type StoredQueueItem } from './job-rows.ts'
import type { ItemToRun, WorkItem } from './job-work.ts'

export interface NewJob {
  readonly id: string
  readonly organizationId: string
  readonly who: string
  readonly work: JobWork
  readonly terms: JobTerms
  readonly items: readonly WorkItem[]
  readonly callsPlanned: number
  readonly watchingAtMost: number
  /** The job whose failed items it retries, and these items. */
  readonly retryOf: { readonly id: string; readonly targets: readonly string[] } | null
}

/** State of an item after its worker ended. `jobEnded`: it was the last item. */
export type Settled =
  | { readonly kind: 'ended'; readonly ended: Ended; readonly jobEnded: boolean }
  | { readonly kind: 'queued' }

export type Claim =
  | { readonly kind: 'claimed'; readonly item: ItemToRun; readonly reference: string }
  | { readonly kind: 'settled'; readonly settled: Settled }

/** Attempts of an item refused with 429 before it fails. Raise it if the service recovers later. */
const attemptsAtMost = 20
/**
 * Jobs stored for an organization; older ended ones remain only in the journal. Raise it if people look
 * further back.
 */
const jobsAtMost = 500

export interface JobRepositoryOptions {
  readonly workbook: Pick<Workbook, 'write'>
  readonly now: () => number
  readonly log: Log
}

/**
 * Every change of jobs and items, each in one transaction of the workbook. Rejects with Failed
 * `cache-unusable`.
 */
export class JobRepository {
  readonly #options: JobRepositoryOptions
  constructor(options: JobRepositoryOptions) {
    this.#options = options
  }

  /**
   * Stores job, items and the marks on retried items, or nothing. Returns the job's number and its items.
   * Rejects with Failed `invalid`, field `plan`, for a plan that was added before, and if another job already
   * retries some of the items.
   */
  add(job: NewJob): Promise<{ readonly number: number; readonly queue: readonly StoredQueueItem[] }> {
    const { now } = this.#options
    const { terms } = job
    const items = job.items.map(({ planned, memory }) => [
      planned.target.of,
      planned.target.id,
      planned.target.name,
      JSON.stringify(planned.devices.map((device) => device.id)),
      JSON.stringify(memory),
      planned.earliestAt,
      naturalKey(planned.target.name ?? planned.target.id),
    ])
    return this.#options.workbook.write((transaction) => {
      if (transaction.first('SELECT 1 FROM job WHERE id = ?', [job.id]) !== undefined)
        throw startedBefore('This plan was already started.')
      const { lastId } = transaction.run(
        `INSERT INTO job (id, organization_id, who, work, state, start_at, window_from, window_to, time_zone, keep_trying, canary, asked, calls_planned, watching_at_most,
           created_at, retry_of, ticket) VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          job.id,
          job.organizationId,
          job.who,
          JSON.stringify(job.work),
          terms.startAt,
          terms.window?.from ?? null,
          terms.window?.to ?? null,
          terms.timeZone ?? null,
          terms.keepTrying ? 1 : 0,
          terms.canary ? 'due' : null,
          items.length,
          job.callsPlanned,
          job.watchingAtMost,
          now(),
          job.retryOf?.id ?? null,
          terms.ticket ?? null,
        ],
      )
      transaction.run(
        `INSERT INTO job_item (job, position, target_of, target_id, target_name, device_ids, memory, earliest_at, name_key)
         SELECT ?1, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?2)`,
        [lastId, JSON.stringify(items)],
      )
      if (job.retryOf !== null) retried(transaction, job.retryOf)
      transaction.run(
        `DELETE FROM job WHERE organization_id = ?1 AND state = 'ended' AND number <=
           (SELECT number FROM job WHERE organization_id = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${jobsAtMost})`,
        [job.organizationId],
      )
      return { number: lastId, queue: transaction.all(queueSql, [lastId]).map(queueItemOf) }
    })
  }

  /**
   * Compare-and-set: claims the item for sending. Its reference has no journal line, so no write was ever
   * begun under it; if a line shows that a write may have happened, the item ends by that line. null: the item
   * ended, or its job was paused, meanwhile.
   */
  claim(job: number, item: number, jobId: string, work: JobWork): Promise<Claim | null> {
    const { now } = this.#options
    return this.#options.workbook.write((transaction): Claim | null => {
      const { changes } = transaction.run(
        `UPDATE job_item SET state = 'sending', started_at = coalesce(started_at, ?1), waits_for = NULL, earliest_at = NULL, failure = NULL
         WHERE id = ?2 AND state = 'queued' AND EXISTS (SELECT 1 FROM job WHERE number = ?3 AND number = job_item.job AND state = 'running')`,
        [now(), item, job],
      )
      if (changes === 0) return null
      transaction.run('UPDATE job SET started_at = coalesce(started_at, ?1) WHERE number = ?2', [now(), job])
      const { reference, line } = nextReference(transaction, item)
      if (line !== null) {
        this.#options.log.write('error', 'An item to be sent is already in the journal', {
          item,
          line: line.id,
        })
        return { kind: 'settled', settled: this.#end(transaction, item, endedBy(line, null)) }
      }
      const toRun = queryItemToRun(transaction, item, jobId, work)
      return toRun === null ? null : { kind: 'claimed', item: toRun, reference }
    })
  }

  /** The write was accepted. */
  accepted(
    item: number,
    state: 'checking' | 'watching',
    journalId: number | null,
    calls: number,
  ): Promise<void> {
    return this.#options.workbook.write((transaction) => {
      transaction.run(
        `UPDATE job_item SET state = ?1, sent_at = coalesce(sent_at, ?2), journal_id = coalesce(?3, journal_id)
         WHERE id = ?4 AND state IN ('sending', 'checking', 'watching')`,
        [state, this.#options.now(), journalId, item],
      )
      count(transaction, item, calls)
    })
  }

  /**
   * Stores the worker's result. `again` is accepted only if the journal has no write for the item, or one
   * that the service refused with 429 while the job retries, or one that certainly was not sent; anything
   * else ends the item. null: the item is not in flight, for example because its organization was removed.
   */
  settle(
    item: number,
    ending: Ending,
    { keepTrying, cancelled, calls }: { keepTrying: boolean; cancelled: boolean; calls: number },
  ): Promise<Settled | null> {
    return this.#options.workbook.write((transaction) => {
      const row = transaction.first(
        `SELECT state, attempt FROM job_item WHERE id = ? AND state IN ('sending', 'checking', 'watching')`,
        [item],
      )
      if (row === undefined) return null
      count(transaction, item, calls)
      if (ending.kind === 'ended') return this.#end(transaction, item, ending)
      const attempt = Number(row['attempt'])
      const line = lineOf(transaction, item, attempt)
      if (ending.kind === 'broke') return this.#end(transaction, item, endedBy(line, ending.failure))
      const mayContinue =
        row['state'] === 'sending' &&
        (line === null || (mayBeRetried(line, keepTrying) && attempt < attemptsAtMost))
      if (!mayContinue) return this.#end(transaction, item, endedBy(line, ending.failure))
      if (cancelled) return this.#end(transaction, item, { ...cancelledItem, journalId: line?.id ?? null })
      transaction.run(
        `UPDATE job_item SET state = 'queued', waits_for = ?1, earliest_at = ?2, failure = ?3, attempt = attempt + ?4 WHERE id = ?5`,
        [ending.waitsFor, ending.at, json(ending.failure), line === null ? 0 : 1, item],
      )
      return { kind: 'queued' }
    })
  }

  /** A later check found the result of an item that ended as unknown. */
  foundOut(item: number, ended: Ended): Promise<boolean> {
    return this.#options.workbook.write((transaction) => {
      const known = transaction.first(
        `SELECT job, outcome FROM job_item WHERE id = ? AND state = 'ended' AND (outcome = 'unknown' OR detail = 'not-watched')`,
        [item],
      )
      if (known === undefined) return false
      transaction.run('UPDATE job_item SET outcome = ?1, detail = ?2, failure = ?3 WHERE id = ?4', [
        ended.outcome,
        ended.detail,
        json(ended.failure),
        item,
      ])
      const before = outcomeColumns[known['outcome'] as JobOutcome]
      const column = outcomeColumns[ended.outcome]
      transaction.run(`UPDATE job SET ${before} = ${before} - 1 WHERE number = ?`, [known['job'] ?? null])
      transaction.run(
        `UPDATE job SET ${column} = ${column} + 1, retryable = retryable + ?1 WHERE number = ?2`,
        [ended.outcome === 'failed' ? 1 : 0, known['job'] ?? null],
      )
      forgetConfidential(transaction, Number(known['job']))
      return true
    })
  }

  counted(item: number, calls: number): Promise<void> {
    return this.#options.workbook.write((transaction) => count(transaction, item, calls))
  }

  /** Of a job that has not ended meanwhile. */
  setState(job: number, state: 'running' | 'paused', waitsFor: WaitReason | null): Promise<void> {
    return this.#options.workbook.write((transaction) => {
      transaction.run(`UPDATE job SET state = ?1, waits_for = ?2 WHERE number = ?3 AND state <> 'ended'`, [
        state,
        waitsFor,
        job,
      ])
    })
  }

  /** Ends items that were not sent; true: nothing is in flight, so the job ended. */
  cancel(job: number): Promise<boolean> {
    return this.#options.workbook.write((transaction) => {
      const { changes } = transaction.run(
        `UPDATE job SET state = 'stopping', waits_for = NULL WHERE number = ? AND state <> 'ended'`,
        [job],
      )
      return changes > 0 && this.#endQueued(transaction, job)
    })
  }

  /** Ends the items of a job whose start time passed that were not sent; true: nothing is in flight. */
  miss(job: number): Promise<boolean> {
    return this.#options.workbook.write((transaction) => {
      const row = transaction.first(`SELECT 1 FROM job WHERE number = ? AND state <> 'ended'`, [job])
      return row !== undefined && this.#endQueued(transaction, job, 'missed')
    })
  }

  #endQueued(
    transaction: Transaction,
    job: number,
    detail: Extract<JobDetail, 'cancelled' | 'missed'> = 'cancelled',
  ): boolean {
    const { changes } = transaction.run(
      `UPDATE job_item SET state = 'ended', outcome = 'failed', detail = ?1, failure = NULL, waits_for = NULL, earliest_at = NULL, ended_at = ?2
       WHERE job = ?3 AND state = 'queued'`,
      [detail, this.#options.now(), job],
    )
    transaction.run('UPDATE job SET failed = failed + ?1, retryable = retryable + ?1 WHERE number = ?2', [
      changes,
      job,
    ])
    return this.#endJob(transaction, job)
  }

  #end(transaction: Transaction, item: number, { outcome, detail, failure, journalId }: Ended): Settled {
    const { now } = this.#options
    const job = transaction.first('SELECT job FROM job_item WHERE id = ?', [item])?.['job'] ?? null
    transaction.run(
      `UPDATE job_item SET state = 'ended', outcome = ?1, detail = ?2, failure = ?3, waits_for = NULL, earliest_at = NULL, ended_at = ?4,
         journal_id = coalesce(?5, journal_id) WHERE id = ?6`,
      [outcome, detail, json(failure), now(), journalId, item],
    )
    const column = outcomeColumns[outcome]
    transaction.run(
      `UPDATE job SET ${column} = ${column} + 1, retryable = retryable + ?1 WHERE number = ?2`,
      [outcome === 'failed' ? 1 : 0, job],
    )
    return {
      kind: 'ended',
      ended: { outcome, detail, failure, journalId },
      jobEnded: this.#endJob(transaction, Number(job)),
    }
  }

  /** The job ends when no item is left; its outcomes must then add up to the number of items. */
  #endJob(transaction: Transaction, job: number): boolean {
    if (
      transaction.first(`SELECT 1 FROM job_item WHERE job = ? AND state <> 'ended' LIMIT 1`, [job]) !==
      undefined
    )
      return false
    const row = transaction.first(
      'SELECT asked, done, failed, not_found, not_supported, unknown FROM job WHERE number = ?',
      [job],
    )
    const sum = jobOutcomes.reduce((all, outcome) => all + Number(row?.[outcomeColumns[outcome]]), 0)
    if (sum !== Number(row?.['asked']))
      this.#options.log.write('error', 'The outcomes of a job do not add up', {
        job,
        asked: Number(row?.['asked']),
        sum,
      })
    transaction.run(`UPDATE job SET state = 'ended', waits_for = NULL, ended_at = ? WHERE number = ?`, [
      this.#options.now(),
      job,
    ])
    forgetConfidential(transaction, job)
    return true
  }

  /**
   * What an earlier run left of an organization's jobs: an item that was being sent ends by its journal line, or
   * is queued again without one; the jobs are paused, because resuming needs a technician. Returns their ids.
   */
  pauseLeft(organizationId: string): Promise<readonly string[]> {
    return this.#options.workbook.write((transaction) => {
      const jobs = transaction.all(
        `SELECT number, id, state, keep_trying, work ->> 'kind' AS kind FROM job WHERE organization_id = ? AND state <> 'ended'`,
        [organizationId],
      )
      for (const job of jobs) this.#pauseLeft(transaction, job)
      return jobs.map((job) => String(job['id']))
    })
  }

  #pauseLeft(transaction: Transaction, stored: SqlRow): void {
    const job = Number(stored['number'])
    const monitored: JobItemState =
      stored['kind'] === ('reboot-rooms' satisfies JobKind) ? 'watching' : 'checking'
    for (const row of transaction.all(
      `SELECT id, attempt FROM job_item WHERE job = ? AND state = 'sending'`,
      [job],
    )) {
      const item = Number(row['id'])
      const line = lineOf(transaction, item, Number(row['attempt']))
      if (line === null || mayBeRetried(line, stored['keep_trying'] === 1))
        transaction.run(`UPDATE job_item SET state = 'queued', waits_for = NULL WHERE id = ?`, [item])
      else if (line.outcome === 'accepted')
        transaction.run('UPDATE job_item SET state = ?1, sent_at = ?2, journal_id = ?3 WHERE id = ?4', [
          monitored,
          line.endedAt,
          line.id,
          item,
        ])
      else this.#end(transaction, item, endedBy(line, null))
    }
    if (stored['state'] === 'stopping') this.#endQueued(transaction, job)
    else
      transaction.run(
        `UPDATE job SET state = 'paused', waits_for = 'locked' WHERE number = ? AND state <> 'ended'`,
        [job],
      )
  }
}

const cancelledItem: Omit<Ended, 'journalId'> = { outcome: 'failed', detail: 'cancelled', failure: null }
const json = (failure: Failure | null): SqlValue => (failure === null ? null : JSON.stringify(failure))

const count = (transaction: Transaction, item: number, calls: number): void => {
  if (calls === 0) return
  transaction.run('UPDATE job_item SET calls_used = calls_used + ?1 WHERE id = ?2', [calls, item])
  transaction.run(
    'UPDATE job SET calls_used = calls_used + ?1 WHERE number = (SELECT job FROM job_item WHERE id = ?2)',
    [calls, item],
  )
}

const startedBefore = (message: string): Failed => Failed.invalid('plan', message)

function retried(transaction: Transaction, { id, targets }: NonNullable<NewJob['retryOf']>): void {
  const { changes } = transaction.run(
    `UPDATE job_item SET retried = 1 WHERE job = (SELECT number FROM job WHERE id = ?1) AND state = 'ended' AND outcome = 'failed' AND retried = 0
       AND target_id IN (SELECT value FROM json_each(?2))`,
    [id, JSON.stringify(targets)],
  )
  // Fewer items than planned were marked: another job retries the rest, and each would be sent twice.
  if (changes !== targets.length)
    throw startedBefore('Another job already retries some of these items. Plan the retry again.')
  transaction.run('UPDATE job SET retryable = retryable - ?1 WHERE id = ?2', [changes, id])
  forgetConfidential(
    transaction,
    Number(transaction.first('SELECT number FROM job WHERE id = ?', [id])?.['number']),
  )
}

/** Passwords in a job's values are deleted when they are no longer needed for a retry or a check. */
function forgetConfidential(transaction: Transaction, job: number): void {
  const row = transaction.first(
    `SELECT work FROM job WHERE number = ? AND state = 'ended' AND unknown = 0 AND retryable = 0
       AND NOT EXISTS (SELECT 1 FROM job_item i WHERE i.job = job.number AND i.detail = 'not-watched')`,
    [job],
  )
  const stored = row === undefined ? null : withoutConfidential(JSON.parse(String(row['work'])) as JobWork)
  if (stored !== null)
    transaction.run('UPDATE job SET work = ? WHERE number = ?', [JSON.stringify(stored), job])
}
