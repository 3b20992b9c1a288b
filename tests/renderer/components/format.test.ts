import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ageOf,
  formatAge,
  formatAgo,
  formatBytes,
  formatCount,
  formatHex,
  formatMoment,
  formatNearDay,
  formatOld,
  formatRemaining,
  formatWhen,
} from '../../../renderer/components/format.ts'

const MINUTE = 60_000
const now = new Date(2026, 10, 21, 13, 58).getTime()

describe('numbers and times as a technician reads them', () => {
  it('formats moments, counts, ids and sizes', () => {
    expect([
      formatMoment(now),
      formatCount(11_482),
      formatHex(0x24b3),
      formatHex(0x36),
      formatBytes(999),
      formatBytes(2_180_843),
      formatBytes(0),
    ]).toEqual(['21 Nov 2026 13:58', '11,482', '0x24B3', '0x0036', '999 bytes', '2.2 MB', '0 bytes'])
  })
  it('has three letters for every month', () => {
    const at = new Date(2026, 8, 5, 13, 58).getTime()
    expect([formatMoment(at), formatNearDay(at)]).toEqual(['5 Sep 2026 13:58', 'Sat 5 Sep'])
  })
  it.each([
    [0, 'now', 'just now', 'just read'],
    [59_999, 'now', 'just now', 'just read'],
    [MINUTE, '1 min', '1 minute ago', '1 min old'],
    [3 * MINUTE, '3 min', '3 minutes ago', '3 min old'],
    [60 * MINUTE, '1 h', '1 hour ago', '1 h old'],
    [23 * 60 * MINUTE, '23 h', '23 hours ago', '23 h old'],
    [24 * 60 * MINUTE, '1 d', '1 day ago', '1 day old'],
    [2000 * 24 * 60 * MINUTE, '5 y 5 mo', '5 y 5 mo ago', '5 y 5 mo old'],
    [59 * 1440 * MINUTE, '59 d', '59 days ago', '59 days old'],
    [61 * 1440 * MINUTE, '2 mo', '2 months ago', '2 months old'],
    [364 * 1440 * MINUTE, '11 mo', '11 months ago', '11 months old'],
    [366 * 1440 * MINUTE, '1 y', '1 year ago', '1 year old'],
    [1694 * 1440 * MINUTE, '4 y 7 mo', '4 y 7 mo ago', '4 y 7 mo old'],
    [-5 * MINUTE, 'now', 'just now', 'just read'],
  ])('formats an age of %i ms as %s, %s, %s', (age, short, long, old) => {
    expect([formatAge(now - age, now), formatAgo(now - age, now), formatOld(now - age, now)]).toEqual([
      short,
      long,
      old,
    ])
  })
  it('never rounds an age up', () => {
    const inMs = {
      now: 0,
      minutes: MINUTE,
      hours: 60 * MINUTE,
      days: 1440 * MINUTE,
      months: 30.4 * 1440 * MINUTE,
      years: 365.2 * 1440 * MINUTE,
    }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (age) => {
        const { unit, count, months } = ageOf(now - age, now)
        expect(inMs[unit] * count + inMs.months * months).toBeLessThanOrEqual(age)
      }),
    )
  })
  it('shows the day of a time that is not today', () => {
    expect([formatWhen(now - 60 * MINUTE, now), formatWhen(now - 1440 * MINUTE, now)]).toEqual([
      '12:58',
      '20 Nov 2026 13:58',
    ])
  })
  it.each([
    [42_000, '0:42'],
    [1, '0:01'],
    [61_500, '1:02'],
    [0, '0:00'],
    [-5, '0:00'],
  ])('counts a wait of %i ms down as %s', (left, visible) => {
    expect(formatRemaining(left)).toBe(visible)
  })
})
