import { expect, it } from 'vitest'
import { localWindow } from '../../../electron/core/jobs/start-window.ts'

const night = { from: 22 * 60, to: 5 * 60 }

it.each([
  ['before it opens', { from: 600, to: 720 }, 'UTC', '2026-11-21T08:00:30Z', '2026-11-21T10:00:00Z'],
  ['while it is open', { from: 600, to: 720 }, 'UTC', '2026-11-21T10:30:30Z', '2026-11-21T10:30:30Z'],
  [
    'after it closed: the next day',
    { from: 600, to: 720 },
    'UTC',
    '2026-11-21T12:00:00Z',
    '2026-11-22T10:00:00Z',
  ],
  [
    'over midnight, in the evening',
    night,
    'Europe/Copenhagen',
    '2026-11-21T14:02:00Z',
    '2026-11-21T21:00:00Z',
  ],
  [
    'over midnight, after midnight',
    night,
    'Europe/Copenhagen',
    '2026-11-22T03:59:59Z',
    '2026-11-22T03:59:59Z',
  ],
  [
    'over midnight, in the morning',
    night,
    'Europe/Copenhagen',
    '2026-11-22T04:00:00Z',
    '2026-11-22T21:00:00Z',
  ],
  // 29 March 2026: two o'clock becomes three. 25 October 2026: three becomes two.
  [
    'in the skipped hour: when the clocks were set forward',
    { from: 150, to: 240 },
    'Europe/Copenhagen',
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:00:00Z',
  ],
  [
    'over the night when clocks are set forward',
    night,
    'Europe/Copenhagen',
    '2026-03-29T04:00:00Z',
    '2026-03-29T20:00:00Z',
  ],
  [
    'over the night when they are set back',
    night,
    'Europe/Copenhagen',
    '2026-10-24T12:00:00Z',
    '2026-10-24T20:00:00Z',
  ],
  [
    'in the repeated hour: the first',
    { from: 150, to: 240 },
    'Europe/Copenhagen',
    '2026-10-24T12:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  [
    'half an hour on Lord Howe',
    { from: 600, to: 720 },
    'Australia/Lord_Howe',
    '2026-10-03T12:00:00Z',
    '2026-10-03T23:00:00Z',
  ],
  [
    'an invalid time zone counts as UTC',
    { from: 600, to: 720 },
    'Nowhere/At_All',
    '2026-11-21T08:00:00Z',
    '2026-11-21T10:00:00Z',
  ],
])('a time window %s', (_, window, timeZone, at, opensAt) => {
  const local = localWindow(window, timeZone)
  expect(new Date(local.opensAt(Date.parse(at))).toISOString()).toBe(new Date(opensAt).toISOString())
  expect([local.isOpen(Date.parse(opensAt)), local.isOpen(Date.parse(at))]).toEqual([true, at === opensAt])
})
