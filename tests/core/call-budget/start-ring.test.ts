import { expect, it } from 'vitest'
import { StartRing } from '../../../electron/core/call-budget/windows.ts'

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
