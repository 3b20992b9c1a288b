import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestPauseInMs } from '../../../electron/core/call-budget/call-budget.ts'
import { httpDate, retryMoment } from '../../../electron/core/service-client/retry-after.ts'

const now = Date.UTC(2026, 10, 21, 14, 2, 0)
/** The service's clock is two hours ahead of ours. */
const date = 'Sat, 21 Nov 2026 16:02:00 GMT'
const seconds = (count: number) => now + count * 1_000

describe('Retry-After, in every observed or allowed form', () => {
  it.each([
    ['whole seconds', '17', date, seconds(17)],
    ['seconds with white space around', '  17 ', date, seconds(17)],
    ['seconds with leading zeros', '0017', date, seconds(17)],
    ['zero: at once, the backoff still applies', '0', date, seconds(0)],
    ['a fraction: rounded up, never earlier', '1.2', date, seconds(2)],
    ['a small fraction', '0.001', date, seconds(1)],
    ['a negative number is invalid', '-5', date, seconds(1)],
    ['blank', '', date, seconds(1)],
    ['only white space', '   ', date, seconds(1)],
    ['words', 'a little while', date, seconds(1)],
    ['a number with a unit', '10s', date, seconds(1)],
    ['a hexadecimal number', '0x10', date, seconds(1)],
    ['two headers: the longest', '2, 3', date, seconds(3)],
    ['two headers, one of them invalid', '17, soon', date, seconds(17)],
    [
      'two headers, one of them a date',
      '5, Sat, 21 Nov 2026 16:02:30 GMT,Saturday, 21-Nov-26 16:02:20 GMT',
      date,
      seconds(30),
    ],
    ['missing', null, date, seconds(1)],
    ['missing, and no Date', null, null, seconds(1)],
    [
      'a date in the fixed form, relative to the Date of the response',
      'Sat, 21 Nov 2026 16:02:30 GMT',
      date,
      seconds(30),
    ],
    ['a date in the form of RFC 850', 'Saturday, 21-Nov-26 16:02:30 GMT', date, seconds(30)],
    ['a date in the form of asctime', 'Sat Nov 21 16:02:30 2026', date, seconds(30)],
    [
      'a date of asctime with a one-digit day',
      'Sun Nov  1 16:02:30 2026',
      'Sun, 01 Nov 2026 16:02:00 GMT',
      seconds(30),
    ],
    [
      'a date, and no Date of the response: relative to our clock',
      'Sat, 21 Nov 2026 14:02:30 GMT',
      null,
      seconds(30),
    ],
    ['a date, and a Date that cannot be read', 'Sat, 21 Nov 2026 14:02:30 GMT', 'yesterday', seconds(30)],
    ['a date in the past', 'Sat, 21 Nov 2026 15:00:00 GMT', date, seconds(0)],
    ['a date a century ago in two digits', 'Sunday, 06-Nov-94 08:49:37 GMT', date, seconds(0)],
    ['a day that does not exist', 'Mon, 31 Feb 2026 16:02:30 GMT', date, seconds(1)],
    ['an hour that does not exist', 'Sat, 21 Nov 2026 25:02:30 GMT', date, seconds(1)],
    ['a date of ISO 8601, which is not one of HTTP', '2026-11-21T16:02:30Z', date, seconds(1)],
    ['exactly fifteen minutes', '900', date, seconds(900)],
    ['beyond fifteen minutes', '901', date, seconds(901)],
    ['a date beyond fifteen minutes', 'Sat, 21 Nov 2026 16:20:00 GMT', date, seconds(1_080)],
    ['absurd: at most a year', '99999999999999999999999', date, seconds(366 * 86_400)],
  ] as const)('%s', (_, header, dateHeader, expected) => {
    expect(retryMoment(header, dateHeader, now)).toBe(expected)
  })

  it('is never earlier than requested, for any number of seconds and any date', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        fc.integer({ min: -1e6, max: 1e6 }),
        (stated, skewInS) => {
          const text = stated.toFixed(3)
          expect(retryMoment(text, null, now)).toBeGreaterThanOrEqual(now + Number(text) * 1_000)
          const serviceNow = now + skewInS * 1_000
          const until = new Date(serviceNow + Math.floor(stated) * 1_000).toUTCString()
          expect(retryMoment(until, new Date(serviceNow).toUTCString(), now)).toBeGreaterThanOrEqual(
            now + Math.floor(stated) * 1_000,
          )
        },
      ),
    )
  })

  it('never throws and never returns a past time, for any value', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string()),
        fc.option(fc.string()),
        (header, dateHeader) => retryMoment(header, dateHeader, now) >= now,
      ),
    )
  })

  it('limits automatic waiting to a quarter of an hour', () => {
    expect(longestPauseInMs).toBe(900_000)
  })
})

it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Friday, 01-Jan-27 00:00:00 GMT', Date.UTC(2027, 0, 1)],
  ['Sun, 06 Nov 1994 08:49:37 CET', null],
  ['Sun, 06 Okt 1994 08:49:37 GMT', null],
  ['784111777', null],
])('parses %s as RFC 9110 specifies', (text, expected) => {
  expect(httpDate(text, now)).toBe(expected)
})
