import { expect, it } from 'vitest'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import { retryMoment } from '../../../electron/core/service-client/attempts.ts'
import { FakeClock } from '../../fake-clock.ts'
import { peak } from './peak.ts'
import starts from './vectors/starts.json' with { type: 'json' }

interface Vector {
  readonly name: string
  readonly limits: { readonly perSecond: number; readonly perWindow: number; readonly windowInMs: number }
  readonly calls: readonly { readonly atMs: number; readonly calls: number }[]
  readonly answers?: readonly { readonly atMs: number; readonly retryAfter: string }[]
  readonly earliest: readonly { readonly atMs: number; readonly calls: number }[]
  readonly finishedByMs: number
  readonly refused?: number
}
const vectors: readonly Vector[] = starts.vectors

it.each(vectors)('$name', async ({ limits, calls, answers = [], earliest, finishedByMs, refused = 0 }) => {
  const clock = new FakeClock()
  const budget = await openCallBudget({
    clock,
    random: () => 0,
    history: null,
    limits: { ...limits, published: limits },
  })
  const started: number[] = []
  let failed = 0
  const events = [
    ...answers.map(({ atMs, retryAfter }) => ({
      atMs,
      happens: () => budget.pauseUntil(retryMoment(retryAfter, null, clock.now())),
    })),
    ...calls.map((one) => ({
      atMs: one.atMs,
      happens: () => {
        for (let left = one.calls; left > 0; left--)
          budget.place({ lane: 'refresh', label: 'call', signal: null }).then(
            () => started.push(clock.monotonic()),
            () => failed++,
          )
      },
    })),
  ].toSorted((one, other) => one.atMs - other.atMs)
  for (const { atMs, happens } of events) {
    await clock.advance(atMs - clock.monotonic())
    happens()
  }
  await clock.advance(finishedByMs)
  const bounds = earliest.flatMap((one) => Array.from({ length: one.calls }, () => one.atMs))
  expect({
    started: started.length,
    refused: failed,
    early: started.filter((at, index) => at < bounds[index]!),
    late: started.filter((at) => at > finishedByMs),
    inASecond: Math.max(limits.perSecond, peak(started, 1_000)),
    inAWindow: Math.max(limits.perWindow, peak(started, limits.windowInMs)),
  }).toEqual({
    started: bounds.length,
    refused,
    early: [],
    late: [],
    inASecond: limits.perSecond,
    inAWindow: limits.perWindow,
  })
})
