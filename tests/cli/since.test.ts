import { expect, test } from 'vitest'
import { momentTyped } from '../../electron/cli/since.ts'

/** A Saturday afternoon, local time. */
const now = new Date(2026, 10, 28, 15, 30).getTime()
const local = (day: number, hour = 0, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

test.each([
  ['7d', now - 7 * 86_400_000],
  ['90min', now - 90 * 60_000],
  ['12 h', now - 12 * 3_600_000],
  ['2w', now - 14 * 86_400_000],
  ['today', local(28)],
  ['Yesterday', local(27)],
  ['monday', local(23)],
  ['saturday', local(21)],
  ['2026-11-20', local(20)],
  ['2026-11-20T08:15', local(20, 8, 15)],
  ['2026-11-20T08:15:00Z', Date.UTC(2026, 10, 20, 8, 15)],
])('%s is a moment', (typed, at) => {
  expect(momentTyped(typed, now)).toBe(at)
})

test.each([
  '',
  '7',
  '7y',
  'd7',
  'noon',
  '9999w',
  '1960-01-01',
  '-3d',
  '2026-13-40',
  '2026-02-30',
  '2026-02-30T08:00',
  '2026-11-20T08:15 GMT',
  'mon day',
])('%j is refused', (typed) => {
  expect(() => momentTyped(typed, now)).toThrow(`--since: "${typed}" is no time`)
})
