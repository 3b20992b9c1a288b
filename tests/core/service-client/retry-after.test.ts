import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestPauseInMs } from '../../../electron/core/call-budget/call-budget.ts'
import { httpDate, retryMoment } from '../../../electron/core/service-client/attempts.ts'
import retryAfter from '../call-budget/vectors/retry-after.json' with { type: 'json' }

const { vectors } = retryAfter
const now = Date.parse(retryAfter.now)

describe('Retry-After, in every observed or allowed form', () => {
  it.each(vectors)('$name', ({ retryAfter: header, date, waitS }) => {
    expect((retryMoment(header, date, now) - now) / 1_000).toBe(waitS)
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
