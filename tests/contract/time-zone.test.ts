import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  aheadIn,
  clockAt,
  daysFrom,
  isTimeZone,
  momentOf,
  nextMomentOf,
} from '../../electron/contract/time-zone.ts'

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const hour = 60

describe('the moment at which calendar and clock of a time zone show a given time', () => {
  it.each<[string, string, number, string | null]>([
    ['UTC', '2026-11-21', 19 * hour, '2026-11-21T19:00:00.000Z'],
    ['Europe/Copenhagen', '2026-07-01', 30, '2026-06-30T22:30:00.000Z'],
    ['Pacific/Auckland', '2026-12-31', 23 * hour + 59, '2026-12-31T10:59:00.000Z'],
    ['Asia/Kolkata', '2026-11-21', 0, '2026-11-20T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-11-21', 0, '2026-11-20T18:15:00.000Z'],
    // The clocks skip it when set forward; when set back, the first of the two is used.
    ['Europe/Copenhagen', '2026-03-29', 2 * hour, null],
    ['Europe/Copenhagen', '2026-03-29', 2 * hour + 59, null],
    ['Europe/Copenhagen', '2026-03-29', 3 * hour, '2026-03-29T01:00:00.000Z'],
    ['Europe/Copenhagen', '2026-10-25', 2 * hour + 30, '2026-10-25T00:30:00.000Z'],
    ['Europe/Copenhagen', '2026-10-25', 3 * hour, '2026-10-25T02:00:00.000Z'],
    ['America/New_York', '2026-03-08', 2 * hour + 30, null],
    ['America/New_York', '2026-11-01', hour + 30, '2026-11-01T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04', 2 * hour + 15, null],
    ['Australia/Lord_Howe', '2026-04-05', hour + 45, '2026-04-04T14:45:00.000Z'],
    // Zones in which midnight, or a whole day, is skipped.
    ['America/Havana', '2026-03-08', 0, null],
    ['America/Havana', '2026-11-01', 0, '2026-11-01T04:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', 12 * hour, null],
  ])('%s, %s at minute %i', (zone, day, minutes, moment) => {
    const at = momentOf(zone, day, minutes)
    expect({ at: iso(at), shown: at === null ? null : clockAt(zone, at) }).toEqual({
      at: moment,
      shown: moment === null ? null : { day, minutes },
    })
  })
})

describe('the next time the clock shows a given time', () => {
  it.each<[string, string, string, number, string]>([
    ['later today', 'Europe/Copenhagen', '2026-11-21T14:02:00Z', 22 * hour, '2026-11-21T21:00:00.000Z'],
    ['tomorrow', 'Europe/Copenhagen', '2026-11-21T14:02:00Z', 5 * hour, '2026-11-22T04:00:00.000Z'],
    ['not the moment itself', 'UTC', '2026-11-21T14:00:00Z', 14 * hour, '2026-11-22T14:00:00.000Z'],
    ['after a day of 25 hours', 'Europe/Copenhagen', '2026-10-24T22:30:00Z', 15, '2026-10-25T23:15:00.000Z'],
    [
      'in a night that skips it: the following night',
      'Europe/Copenhagen',
      '2026-03-28T20:00:00Z',
      2 * hour + 30,
      '2026-03-30T00:30:00.000Z',
    ],
  ])('%s', (_, zone, now, minutes, at) => {
    expect(iso(nextMomentOf(zone, minutes, Date.parse(now)))).toBe(at)
  })
})

test('days continue across the ends of months and years', () => {
  expect(daysFrom('2026-12-30', 4)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'])
})

test.each([
  ['Europe/Copenhagen', true],
  ['UTC', true],
  ['+02:00', true],
  ['Europe/Atlantis', false],
  ['', false],
  ['22:00', false],
])('"%s" is a time zone: %s', (name, known) => {
  expect(isTimeZone(name)).toBe(known)
})

test('the offset of a zone matches its calendar, with or without a cached day', () => {
  const zone = fc.constantFrom(
    'Europe/Copenhagen',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'UTC',
  )
  const at = fc.integer({ min: Date.UTC(1970, 1, 1), max: Date.UTC(2040, 0, 1) })
  fc.assert(
    fc.property(zone, at, (name, moment) => {
      const local = moment + aheadIn(name)(moment)
      const shown = new Date(local).toISOString()
      expect(clockAt(name, moment)).toEqual({
        day: shown.slice(0, 10),
        minutes: Number(shown.slice(11, 13)) * hour + Number(shown.slice(14, 16)),
      })
    }),
  )
})

test('an unknown zone counts as UTC', () => {
  expect(aheadIn('Nowhere/At_All')(Date.UTC(2026, 6, 1))).toBe(0)
})
