import { afterEach, describe, expect, it } from 'vitest'
import { setTimeZone } from '../../../renderer/parts/format.ts'
import { clockAt, daysFrom, momentOf } from '../../../renderer/parts/zoned-clock.ts'

afterEach(() => setTimeZone(null))

describe('calendar and clock of a time zone', () => {
  it.each<[string, string, number, string | null]>([
    ['UTC', '2026-11-21', 19 * 60, '2026-11-21T19:00:00.000Z'],
    ['Europe/Copenhagen', '2026-07-01', 30, '2026-06-30T22:30:00.000Z'],
    ['Pacific/Auckland', '2026-12-31', 23 * 60 + 59, '2026-12-31T10:59:00.000Z'],
    ['Asia/Kolkata', '2026-11-21', 0, '2026-11-20T18:30:00.000Z'],
    // The clocks are set forward over it; set back, the first of the two is meant.
    ['Europe/Copenhagen', '2026-03-29', 2 * 60 + 30, null],
    ['Europe/Copenhagen', '2026-10-25', 2 * 60 + 30, '2026-10-25T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04', 2 * 60 + 15, null],
  ])('%s, %s at minute %i', (zone, day, minutes, moment) => {
    setTimeZone(zone)
    const at = momentOf(day, minutes)
    expect(at === null ? null : new Date(at).toISOString()).toBe(moment)
    if (at !== null) expect(clockAt(at)).toEqual({ day, minutes })
  })
  it('days go over the ends of months and years', () => {
    expect(daysFrom('2026-12-30', 4)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'])
  })
})
