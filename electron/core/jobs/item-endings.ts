import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { JobDetail, JobOutcome } from '../../contract/api/jobs.ts'
import type { WriteReport } from '../../contract/api/writes.ts'
import type { ItemEnding } from './job-work.ts'

export const ended = (
  outcome: JobOutcome,
  detail: JobDetail | null,
  failure: Failure | null = null,
  journalId: number | null = null,
): ItemEnding => ({
  kind: 'ended',
  outcome,
  detail,
  failure,
  journalId,
})

/** For a write that waits because of the one-minute rule of its devices. */
export const waiting = (at: number | null): ItemEnding => ({
  kind: 'again',
  at,
  waitsFor: 'device-minute',
  failure: null,
})

/**
 * Texts in a 400 response that mean that the service cannot do this at all. No list of codes is published;
 * extend it when other texts are observed.
 */
const saysUnsupported =
  /\b(?:not|un|isn['’]t|doesn['’]t|does not|is not)[ -]?(?:support(?:ed)?|applicable|available for|capable)\b/i

/**
 * How a failure ends an item. Some do not end it: nothing was done, and the cause is not the item itself (no
 * connection, the budget, the lock, a refused key, which stops the whole job). RFC 9110: 405 and 501 mean
 * that the service does not have the method.
 */
export function endingOf(failure: Failure, journalId: number | null = null): ItemEnding {
  const { waitsFor } = policyOf(failure)
  if (waitsFor !== null) {
    // A hold may be lifted long before its time: the item is tried again when its job resumes.
    const at = isKind(failure, 'rate-limited') && failure.held !== true ? failure.untilAt : null
    return { kind: 'again', at, waitsFor, failure }
  }
  if (isKind(failure, 'not-found')) return ended('not-found', null, failure, journalId)
  if (isKind(failure, 'unconfirmed'))
    return ended(failure.status === 501 ? 'not-supported' : 'unknown', null, failure, journalId)
  const unsupported =
    isKind(failure, 'refused') &&
    (failure.status === 405 || (failure.status === 400 && saysUnsupported.test(failure.message ?? '')))
  return ended(unsupported ? 'not-supported' : 'failed', null, failure, journalId)
}

/** How an executed write ends its item; null: accepted, result pending. */
export function endingOfWrite(report: WriteReport): ItemEnding | null {
  if (report.outcome === 'accepted') return null
  if (report.outcome === 'waiting') return waiting(report.earliestAt)
  if (report.failure !== null) return endingOf(report.failure, report.journalId)
  return ended(report.outcome === 'unconfirmed' ? 'unknown' : 'failed', null, null, report.journalId)
}

/** Runs a part of an item; a Failed becomes the item's ending. */
export async function endingWith(work: () => Promise<ItemEnding>): Promise<ItemEnding> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failed) return endingOf(error.failure)
    throw error
  }
}
