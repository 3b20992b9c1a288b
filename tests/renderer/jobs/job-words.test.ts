import { describe, expect, it } from 'vitest'
import type { Job, JobCounts } from '../../../electron/contract/job.ts'
import { minutesOf, stateOf } from '../../../renderer/jobs/job-words.ts'

describe('a time of day as people type it', () => {
  it.each<[string, number | null]>([
    ['22:00', 1320],
    ['7', 420],
    ['7.30', 450],
    ['0730', 450],
    [' 00:00 ', 0],
    ['23:59', 1439],
    ['24:00', null],
    ['12:60', null],
    ['7:3', null],
    ['730 pm', null],
    ['-1', null],
    ['', null],
    ['soon', null],
  ])('"%s"', (typed, minutes) => {
    expect(minutesOf(typed)).toBe(minutes)
  })
})

describe('the state of a job that has ended', () => {
  const none: JobCounts = { done: 0, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }
  it.each<[Partial<JobCounts>, string]>([
    [{ done: 4 }, 'Ended, all done'],
    [{ done: 1, failed: 1, 'not-found': 1, 'not-supported': 1 }, 'Ended, 3 not done'],
    // It may have happened: to call it not done would be a claim.
    [{ done: 2, unknown: 2 }, 'Ended, 2 unknown'],
    [{ done: 1, failed: 2, unknown: 1 }, 'Ended, 2 not done, 1 unknown'],
  ])('%j', (counts, said) => {
    expect(stateOf({ state: 'ended', asked: 4, counts: { ...none, ...counts } } as Job)).toBe(said)
  })
})
