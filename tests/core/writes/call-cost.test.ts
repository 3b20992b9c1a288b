import { expect, it } from 'vitest'
import { callCost } from '../../../electron/core/writes/call-cost.ts'

const state = (used: number, pausedUntil: number | null) => ({
  second: { used, limit: 100 },
  fiveMinutes: { used, limit: 10_000 },
  waiting: 0,
  pausedUntil,
  heldUntilAt: null,
  waitReason: null,
  history: null,
})

it.each([
  ['there are no other calls', 3, state(0, null), { calls: 3, aboutInMs: 0, shareOfWindow: 0.0003 }],
  ['the second is used up', 3, state(100, null), { calls: 3, aboutInMs: 30, shareOfWindow: 0.0003 }],
  ['all calls are paused', 3, state(0, 6_000), { calls: 3, aboutInMs: 5_000, shareOfWindow: 0.0003 }],
  ['a pause is over', 1, state(0, 500), { calls: 1, aboutInMs: 0, shareOfWindow: 0.0001 }],
  [
    'the window holds all of them',
    10_000,
    state(0, null),
    { calls: 10_000, aboutInMs: 99_000, shareOfWindow: 1 },
  ],
  [
    'the window does not hold the last of them',
    10_001,
    state(0, null),
    { calls: 10_001, aboutInMs: 300_010, shareOfWindow: 1.0001 },
  ],
  [
    'they fill more than one window',
    12_038,
    state(0, null),
    { calls: 12_038, aboutInMs: 320_380, shareOfWindow: 1.2038 },
  ],
  [
    'they fill more than two windows',
    25_000,
    state(0, null),
    { calls: 25_000, aboutInMs: 650_000, shareOfWindow: 2.5 },
  ],
  [
    'others filled the window',
    5,
    state(10_000, null),
    { calls: 5, aboutInMs: 300_050, shareOfWindow: 0.0005 },
  ],
])('a cost is given in calls, time and share: %s', (_, calls, budget, cost) => {
  expect(callCost(calls, budget, 1_000)).toEqual(cost)
})
