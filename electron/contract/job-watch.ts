import type { JobWork } from './api/jobs.ts'
import { roomWatchedForInMs } from './job.ts'

/** How long an item is watched at most after its write; settings are read back at once. */
export const watchedForInMs = (work: JobWork): number =>
  work.kind === 'reboot-rooms'
    ? roomWatchedForInMs
    : work.kind === 'update-firmware'
      ? work.watchForInMinutes * 60_000
      : 0
