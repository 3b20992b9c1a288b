import type { JobKind } from '../api/jobs.ts'
import type { JobResult } from '../job-result.ts'
import type { Say } from './sentences.ts'

/** `2 failed`, `28 not confirmed on the new version`. `n`: their number, as it is shown. */
export const resultWords = (say: Say, result: JobResult, kind: JobKind, n: number | string): string =>
  result === 'not-confirmed' ? say(`unseen.${kind}`, { n }) : say(`counted.${result}`, { n })
