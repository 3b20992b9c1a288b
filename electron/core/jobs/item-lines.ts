import type { Failure } from '../../contract/failure.ts'
import { policyNamed } from '../../contract/failure-policy.ts'
import type { JobDetail, JobOutcome } from '../../contract/api/jobs.ts'
import type { Transaction } from '../platform.ts'
import { programEnded, referenced, type ReferencedLine } from '../journal/journal.ts'

export interface Ended {
  readonly outcome: JobOutcome
  readonly detail: JobDetail | null
  readonly failure: Failure | null
  readonly journalId: number | null
}

/** The journal line of an item's current attempt; null: no write was begun. */
export const lineOf = (transaction: Transaction, item: number, attempt: number): ReferencedLine | null =>
  referenced(transaction, referenceOf(item, attempt))

const referenceOf = (item: number, attempt: number): string => `job-item-${item}-${attempt}`

/**
 * A new reference without a line; `line`: an existing one that shows that a write may have happened, so no
 * new attempt is allowed.
 */
export function nextReference(
  transaction: Transaction,
  item: number,
): { readonly reference: string; readonly line: ReferencedLine | null } {
  const first = Number(
    transaction.first('SELECT attempt FROM job_item WHERE id = ?', [item])?.['attempt'] ?? 1,
  )
  for (let attempt = first; ; attempt++) {
    const reference = referenceOf(item, attempt)
    const line = referenced(transaction, reference)
    if (line === null) {
      if (attempt > first) transaction.run('UPDATE job_item SET attempt = ?1 WHERE id = ?2', [attempt, item])
      return { reference, line }
    }
    if (line.outcome !== 'refused') return { reference, line }
  }
}

/**
 * Whether the failure (the first word of a line's message) is of a write that certainly was not sent, and its
 * item may wait until a technician resumes the job.
 */
const neverLeft = (line: ReferencedLine): boolean => {
  const policy = policyNamed(kindOf(line))
  return policy?.countsAsSent === false && policy.waitsFor !== null && policy.waitsFor !== 'offline'
}
const kindOf = ({ message }: ReferencedLine): string => (message ?? '').split(':')[0] ?? ''

/**
 * An offline write is refused and never sent later automatically; a 429 means "not done". So a write that
 * fails because of a missing connection ends its item; one refused with 429 ends it unless the job retries.
 */
export function mayBeRetried(line: ReferencedLine, keepTrying: boolean): boolean {
  if (line.outcome !== 'refused') return false
  return line.status === 429 ? keepTrying : line.status === null && neverLeft(line)
}

/** How an item ended by its journal line alone. */
export function endedBy(line: ReferencedLine | null, stated: Failure | null): Ended {
  const journalId = line?.id ?? null
  if (line?.outcome === 'accepted')
    return { outcome: 'done', detail: 'not-watched', failure: null, journalId }
  const failure = stated ?? (line === null ? null : failureOfLine(line))
  if (line === null || line.outcome === 'refused')
    return {
      outcome: line?.status === 404 ? 'not-found' : 'failed',
      detail: null,
      failure: failure ?? { kind: 'cancelled' },
      journalId,
    }
  return { outcome: 'unknown', detail: null, failure, journalId }
}

function failureOfLine(line: ReferencedLine): Failure {
  const call = { operation: line.operation, host: null }
  if (line.outcome === 'refused') {
    if (line.status === null)
      return kindOf(line) === 'offline'
        ? { kind: 'offline', call, message: line.message ?? '' }
        : { kind: 'cancelled' }
    if (line.status === 404) return { kind: 'not-found', call, what: line.message ?? '' }
    return { kind: 'refused', call, status: line.status, message: line.message }
  }
  return { kind: 'unconfirmed', call, message: line.message ?? programEnded, status: line.status }
}
