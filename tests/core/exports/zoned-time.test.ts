import { describe, expect, it, test } from 'vitest'
import { zonedTime } from '../../../electron/core/exports/zoned-time.ts'

describe('a time in a file is ISO 8601 with the offset of its zone', () => {
  it.each([
    ['UTC', '2026-11-21T13:02:00Z', '2026-11-21T13:02:00+00:00'],
    ['Europe/Copenhagen', '2026-11-21T13:02:59.999Z', '2026-11-21T14:02:59+01:00'],
    ['Europe/Copenhagen', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['Europe/Copenhagen', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
    ['Asia/Kolkata', '2026-11-21T18:30:00Z', '2026-11-22T00:00:00+05:30'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05T01:59:59+11:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:30:00+10:30'],
    ['America/St_Johns', '1969-12-31T23:59:59Z', '1969-12-31T20:29:59-03:30'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59-10:00'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00+14:00'],
  ])('%s, %s', (timeZone, at, written) => {
    expect(zonedTime(timeZone)(Date.parse(at))).toBe(written)
  })
})

test('every half hour of a year is the right moment', () => {
  const zone = zonedTime('America/New_York')
  const wrong: string[] = []
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 1_800_000)
    if (Date.parse(zone(at)) !== at) wrong.push(zone(at))
  expect(wrong).toEqual([])
})

test('rejects an unknown zone', () => {
  expect(() => zonedTime('Europe/Atlantis')).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ field: 'timeZone' }) as unknown }) as Error,
  )
})
