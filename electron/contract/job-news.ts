import type { Job } from './api/jobs.ts'

/** What a person should know about a job that nobody looks at. `due`: a scheduled one began. */
export type JobNews = 'unarmed' | 'missed' | 'paused' | 'due'

export function newsOf({ state, missed, waitsFor, startAt, window }: Job): JobNews | null {
  if (missed === 'in-this-run') return 'missed'
  if (state === 'unarmed') return 'unarmed'
  // Who paused it knows.
  if (state === 'paused') return waitsFor === 'paused' ? null : 'paused'
  return state === 'running' && (startAt !== null || window !== null) ? 'due' : null
}
