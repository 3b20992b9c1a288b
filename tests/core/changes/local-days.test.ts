import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localDays } from '../../../electron/core/changes/local-days.ts'
import { cases } from '../../setup/cases.ts'

const database = new DatabaseSync(':memory:')
const utc = (text: string): number => Date.parse(text)
/** The day of a moment in the calendar of the zone, and when that day began. */
const dayAt = (timeZone: string, at: number): { day: string; beganAt: string } => {
  const days = localDays(timeZone, at - 40 * 86_400_000, at + 40 * 86_400_000)
  const row = database
    .prepare(`SELECT ${days.sql('t.at')} AS day FROM (SELECT CAST(? AS INTEGER) AS at) t`)
    .get(at) as { day: number }
  return {
    day: new Date(row.day * 86_400_000).toISOString().slice(0, 10),
    beganAt: new Date(days.startOf(row.day)).toISOString(),
  }
}
const calendar = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

describe('a local day', () => {
  it.each([
    ['of winter', 'Europe/Copenhagen', '2026-11-21T14:02:00Z', '2026-11-21', '2026-11-20T23:00:00.000Z'],
    [
      'begins at local midnight, not before',
      'Europe/Copenhagen',
      '2026-11-20T22:59:59.999Z',
      '2026-11-20',
      '2026-11-19T23:00:00.000Z',
    ],
    ['of summer', 'Europe/Copenhagen', '2026-07-01T21:59:59Z', '2026-07-01', '2026-06-30T22:00:00.000Z'],
    [
      'of 23 hours, before the clocks go forward',
      'Europe/Copenhagen',
      '2026-03-29T00:30:00Z',
      '2026-03-29',
      '2026-03-28T23:00:00.000Z',
    ],
    [
      'of 23 hours, after it',
      'Europe/Copenhagen',
      '2026-03-29T21:30:00Z',
      '2026-03-29',
      '2026-03-28T23:00:00.000Z',
    ],
    [
      'of 25 hours, at its end',
      'Europe/Copenhagen',
      '2026-10-25T22:59:59Z',
      '2026-10-25',
      '2026-10-24T22:00:00.000Z',
    ],
    [
      'after one of 25 hours',
      'Europe/Copenhagen',
      '2026-10-25T23:00:00Z',
      '2026-10-26',
      '2026-10-25T23:00:00.000Z',
    ],
    [
      'without a midnight: the clocks go forward then',
      'America/Santiago',
      '2026-09-06T12:00:00Z',
      '2026-09-06',
      '2026-09-06T04:00:00.000Z',
    ],
    [
      'whose last hour comes twice',
      'America/Santiago',
      '2026-04-05T03:30:00Z',
      '2026-04-04',
      '2026-04-04T03:00:00.000Z',
    ],
    [
      'that begins after the hour that came twice',
      'America/Santiago',
      '2026-04-05T04:00:00Z',
      '2026-04-05',
      '2026-04-05T04:00:00.000Z',
    ],
    [
      'in a zone with an offset of a quarter of an hour',
      'Asia/Kathmandu',
      '2026-11-21T18:14:00Z',
      '2026-11-21',
      '2026-11-20T18:15:00.000Z',
    ],
    [
      'of an unknown zone is that of UTC',
      'Nowhere/Land',
      '2026-11-21T23:30:00Z',
      '2026-11-21',
      '2026-11-21T00:00:00.000Z',
    ],
  ])('%s', (_what, timeZone, at, day, beganAt) => {
    expect(dayAt(timeZone, utc(at))).toEqual({ day, beganAt })
  })

  it('is the one the calendar of the zone shows, at any moment in any zone', () => {
    const zones = [
      'Europe/Copenhagen',
      'America/New_York',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Pacific/Apia',
      'Asia/Beirut',
      'UTC',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: utc('2015-01-01T00:00:00Z'), max: utc('2030-01-01T00:00:00Z') }),
        (timeZone, at) => {
          const { day, beganAt } = dayAt(timeZone, at)
          expect(day).toBe(calendar(timeZone, at))
          expect(calendar(timeZone, utc(beganAt))).toBe(day)
          expect(calendar(timeZone, utc(beganAt) - 1)).not.toBe(day)
          expect(utc(beganAt)).toBeLessThanOrEqual(at)
        },
      ),
      { numRuns: cases(300) },
    )
  })
})
