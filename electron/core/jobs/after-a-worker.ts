import type { BudgetState } from '../../contract/api/budget.ts'
import { isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { WaitReason } from '../../contract/api/jobs.ts'
import type { Ending } from './job-repository.ts'
import type { ItemEnding } from './job-work.ts'
import type { LocalWindow } from './start-window.ts'

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
