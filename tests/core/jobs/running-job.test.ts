import { describe, expect, it } from 'vitest'
import { JobSpeed } from '../../../electron/core/jobs/running-job.ts'
import { FakeClock } from '../../fake-clock.ts'

describe('the remaining time of a job', () => {
  it.each<[string, number, number | null]>([
    ['just sent: as long as the others took', 0, 60_000],
    ['half way', 30_000, 30_000],
    ['longer than the others: not known', 60_000, null],
    ['much longer', 200_000, null],
  ])('with only watched rooms left, %s', (_what, monitoredForInMs, left) => {
    const speed = new JobSpeed(new FakeClock())
    speed.goes(true)
    speed.monitored(50_000)
    speed.monitored(70_000)
    expect(speed.left({ queued: 0, lastDueInMs: 0, monitoredForInMs, planned: 0 })).toBe(left)
  })
})
