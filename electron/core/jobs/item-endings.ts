import type { BudgetState } from '../../contract/api/budget.ts'
import { isKind, type Failure } from '../../contract/failure.ts'
import { policyNamed, policyOf } from '../../contract/failure-policy.ts'
import type { JobDetail, JobItem, JobOutcome, WaitReason } from '../../contract/api/jobs.ts'
import type { Transaction } from '../platform.ts'
import { programEnded, referenced, type ReferencedLine } from '../journal/journal.ts'
import type { ItemEnding } from './job-work.ts'
import type { LocalWindow } from './start-window.ts'

/** How an item ends, by its worker and by its journal line, and what follows for its job. */

/** A worker's result; `broke`: it threw an error, so the journal is checked for how far it got. */
export type Ending = ItemEnding | { readonly kind: 'broke'; readonly failure: Failure }

/** Delay before an item is tried again if its worker gave no time. Raise it if retries cost calls. */
const retryInMs = 1_000

/**
 * A write that was cancelled before it was sent is tried again when its job resumes, regardless of the
 * worker's result.
 */
export function believed(ending: Ending): Ending {
  if (ending.kind === 'again' || (ending.kind === 'ended' && ending.outcome !== 'failed')) return ending
  const again = (waitsFor: WaitReason) => ({ kind: 'again', at: null, waitsFor, failure: null }) as const
  if (isKind(ending.failure, 'writes-locked')) return again('locked')
  if (isKind(ending.failure, 'policy')) return { ...again('policy'), failure: ending.failure }
  return isKind(ending.failure, 'cancelled') || (ending.kind === 'ended' && ending.detail === 'cancelled')
    ? again('paused')
    : ending
}

/** A write that its closed window held back: the queue knows when it opens. */
export const orForItsWindow = (ending: Ending, window: LocalWindow | null, now: number): Ending =>
  ending.kind === 'again' && ending.waitsFor === 'device-minute' && window?.isOpen(now) === false
    ? { ...ending, at: null, waitsFor: 'window' }
    : ending

/**
 * Reasons to pause the whole job: the lock, a policy, a key that is refused or unavailable, a release list that cannot
 * be read until the item's `window` closes. Without a key nothing of the organization is sent.
 */
export function waitReasonAfter(
  ending: Ending,
  failure: Failure | null,
  window: Pick<LocalWindow, 'isOpen'> | null,
): WaitReason | null {
  const needs = failure === null ? null : policyOf(failure).needs
  if (needs === 'key') return 'key'
  if (ending.kind !== 'again') return null
  if (ending.waitsFor === 'releases')
    return ending.at === null || window?.isOpen(ending.at) === false ? 'releases' : null
  if (ending.waitsFor === 'locked' || ending.waitsFor === 'policy') return ending.waitsFor
  if (needs === 'keychain') return 'key'
  return ending.waitsFor === 'paused' && ending.failure !== null && !isKind(ending.failure, 'cancelled')
    ? 'paused'
    : null
}

/** Milliseconds until the item is tried again. */
export function dueIn(
  { at, waitsFor, failure }: Extract<ItemEnding, { kind: 'again' }>,
  now: number,
): number {
  // Items that a pause interrupted continue with the job, which pauses again if necessary.
  if ((waitsFor === 'paused' || waitsFor === 'locked' || waitsFor === 'policy') && at === null)
    return failure === null || isKind(failure, 'cancelled') ? 0 : retryInMs
  if (waitsFor === 'offline') return at === null ? retryInMs : Math.max(retryInMs, at - now)
  return Math.max(retryInMs, (at ?? now) - now)
}

/** Nothing is sent before this wall time, because of a pause or a hold; 0: neither. */
export const standsStillUntil = ({
  pausedUntil,
  heldUntilAt,
}: Pick<BudgetState, 'pausedUntil' | 'heldUntilAt'>): number => Math.max(pausedUntil ?? 0, heldUntilAt ?? 0)

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

/** Details of items that were seen to work after their write. */
export const workedDetails = ['back-online', 'verified'] as const satisfies readonly JobDetail[]

export const hasWorked = ({ outcome, detail }: Pick<JobItem, 'outcome' | 'detail'>): boolean =>
  outcome === 'done' && workedDetails.some((one) => one === detail)
