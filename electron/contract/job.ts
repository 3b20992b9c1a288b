import type { JobOutcome } from './api/jobs.ts'

export const jobOutcomes = [
  'done',
  'failed',
  'not-found',
  'not-supported',
  'unknown',
] as const satisfies readonly JobOutcome[]
