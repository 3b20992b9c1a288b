import type { JobOutcome } from './api/jobs.ts'

export const jobOutcomes = [
  'done',
  'failed',
  'not-found',
  'not-supported',
  'unknown',
] as const satisfies readonly JobOutcome[]

/** Which items of a job are listed, beside all of them. */
export const jobItemShows = [...jobOutcomes, 'attention', 'not-sent', 'open', 'under-way'] as const

/**
 * Default and maximum time that a device is watched after its update was accepted (chosen).
 * Raise the maximum if updates take longer.
 */
export const watchedForInMinutes = 30
export const watchedAtMostInMinutes = 1_440
/**
 * A room device is back within two or three minutes; after this time the watch reports that it is not. Raise
 * it if rooms take longer.
 */
export const roomWatchedForInMs = 10 * 60_000
