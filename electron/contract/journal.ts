import type { JobDetail } from './api/jobs.ts'

export const seenAfterwards = [
  'back-online',
  'did-not-come-back',
  'not-watched',
  'verified',
  'applies-later',
] as const satisfies readonly JobDetail[]
export type SeenAfterwards = (typeof seenAfterwards)[number]
