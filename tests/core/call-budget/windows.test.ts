import { describe, expect, it } from 'vitest'
import { InFlight, StartRing } from '../../../electron/core/call-budget/windows.ts'

const ringOf = (...starts: readonly number[]): StartRing => {
  const ring = new StartRing(3)
  for (const at of starts) ring.add(at)
  return ring
}
const latestOf = (ring: StartRing): readonly number[] => [1, 2, 3, 4].map((nth) => ring.latest(nth))

it.each<[string, readonly number[], readonly [from: number, to: number], readonly number[]]>([
  ['an earlier start', [10, 20, 30], [10, 40], [40, 30, 20, -Infinity]],
  ['the last start', [10, 20, 30], [30, 40], [40, 20, 10, -Infinity]],
  ['a start that the ring no longer holds', [10, 20, 30, 40], [10, 50], [50, 40, 30, -Infinity]],
  ['a start that was never counted', [10, 20], [15, 50], [50, 20, 10, -Infinity]],
])('%s counts at its end from then on', (_, starts, [from, to], expected) => {
  const ring = ringOf(...starts)
  ring.moveToEnd(from, to)
  expect(latestOf(ring)).toEqual(expected)
})

const many = { reads: 100, writes: 100 }
/** Makes reads one after the other, with these durations; returns how the last one ended. */
function lastOf(durations: readonly number[], writes = false): 'late' | 'in-time' | null {
  const inFlight = new InFlight(many)
  let now = 0
  let last: 'late' | 'in-time' | null = null
  for (const took of durations) {
    const call = inFlight.begin(now, writes)
    now += took
    last = inFlight.end(call, now)
  }
  return last
}
const usually = (inMs: number): readonly number[] => Array.from({ length: 30 }, () => inMs)

describe('whether a call was late', () => {
  it.each<[string, readonly number[], 'late' | 'in-time']>([
    ['until the usual duration is known', [1], 'late'],
    ['until twenty have ended', Array.from({ length: 20 }, () => 1), 'late'],
    ['not after that', Array.from({ length: 21 }, () => 1), 'in-time'],
    ['never before 200 ms, however fast the others are', [...usually(1), 200], 'in-time'],
    ['after more than three times the usual duration', [...usually(100), 301], 'late'],
    ['after exactly three times the usual duration', [...usually(100), 299], 'in-time'],
    ['always after a second, however slow the others are', [...usually(900), 1_001], 'late'],
    ['one slow call hardly changes the usual duration', [...usually(20), 1_000, 700], 'late'],
    [
      'a service that has become slow is not late permanently',
      [...usually(20), ...usually(500), 700],
      'in-time',
    ],
    ['a stall is forgotten after some calls', [...usually(100), 9_000, 9_000, ...usually(100), 400], 'late'],
  ])('%s', (_, durations, expected) => {
    expect(lastOf(durations)).toBe(expected)
  })

  it('is determined for reads and writes separately', () => {
    const inFlight = new InFlight(many)
    for (let i = 0; i < 30; i++) {
      inFlight.end(inFlight.begin(0, false), 10)
      inFlight.end(inFlight.begin(0, true), 900)
    }
    expect([inFlight.end(inFlight.begin(0, true), 900), inFlight.end(inFlight.begin(0, false), 900)]).toEqual(
      ['in-time', 'late'],
    )
  })
})

it('returns a connection once, even if the end of a call is reported twice', () => {
  const inFlight = new InFlight({ reads: 2, writes: 1 })
  const [one, write] = [inFlight.begin(0, false), inFlight.begin(0, true)]
  inFlight.begin(0, false)
  const full = [inFlight.isFree(false), inFlight.isFree(true)]
  const ends = [inFlight.end(one, 1), inFlight.end(one, 1), inFlight.end(write, 1), inFlight.end(write, 1)]
  inFlight.begin(1, false)
  expect({
    full,
    ends,
    after: [inFlight.isFree(false), inFlight.isFree(true)],
    open: inFlight.startedUpTo(0),
  }).toEqual({
    full: [false, false],
    ends: ['late', null, 'late', null],
    after: [false, true],
    open: 1,
  })
})
