import type { JobOutcome } from './api/jobs.ts'

export const jobOutcomes = [
  'done',
  'failed',
  'not-found',
  'not-supported',
  'unknown',
] as const satisfies readonly JobOutcome[]

/** How long a device is watched after its update was accepted, unless said otherwise (behaviour: 30 minutes); the most is chosen. */
export const watchedForInMinutes = 30
export const watchedAtMostInMinutes = 1_440
