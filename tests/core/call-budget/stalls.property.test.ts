import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  openCallBudget,
  type CallLimits,
  type Parallel,
} from '../../../electron/core/call-budget/call-budget.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { cases } from '../../setup/cases.ts'
import { MemoryWorkbook } from '../storage/memory-workbook.ts'
import { ProgramClock } from '../writes/a-writes.ts'
import { unusable } from './a-home.ts'
import { peak } from './peak.ts'

type Step =
  | { readonly kind: 'call'; readonly count: number; readonly writes: boolean }
  | { readonly kind: 'pass'; readonly inMs: number }
  | { readonly kind: 'service'; readonly is: 'quick' | 'silent' | 'deaf' }
  | { readonly kind: 'workbook'; readonly works: boolean }
  | { readonly kind: 'set'; readonly byMs: number }
  | { readonly kind: 'restart'; readonly how: 'closed' | 'killed' | 'with the computer' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call'),
      count: fc.integer({ min: 1, max: 60 }),
      writes: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      inMs: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 1_500 }), fc.constant(9_000)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('service'), is: fc.constantFrom('quick', 'silent', 'deaf') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('workbook'), works: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set'), byMs: fc.integer({ min: -20_000, max: 20_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restart'),
      how: fc.constantFrom('closed', 'killed', 'with the computer'),
    }),
  },
)

const someLimits = fc.record({
  perSecond: fc.integer({ min: 2, max: 20 }),
  perWindow: fc.integer({ min: 5, max: 60 }),
  windowInMs: fc.integer({ min: 2_000, max: 8_000 }),
})
const someParallel = fc.record({
  reads: fc.integer({ min: 1, max: 30 }),
  writes: fc.integer({ min: 1, max: 10 }),
})

interface Call {
  /** The arrivals of its run. */
  readonly arrivals: number[]
  readonly startedAt: number
  arrived: boolean
  readonly end: () => void
}

/**
 * One program at a time with a service that responds at once, or is silent (calls have arrived), or deaf (sent calls are buffered and
 * arrive all at once afterwards). Returns when calls of each run arrived, and the most in flight.
 */
async function play(limits: CallLimits, parallel: Parallel, steps: readonly Step[]) {
  const clock = new FakeClock()
  const workbook = new MemoryWorkbook()
  const runs: number[][] = []
  /** In real time, because the monotonic clock restarts with the computer. */
  let bootedAt = 0
  const real = (): number => bootedAt + clock.monotonic()
  let inFlight = new Set<Call>()
  let most = 0
  let service: 'quick' | 'silent' | 'deaf' = 'quick'
  let own = new ProgramClock(clock)
  const arrive = (call: Call): void => {
    // Within a second arrivals are as even as starts: the margin below the published limits covers the difference.
    if (!call.arrived) call.arrivals.push(real() - call.startedAt > 1_000 ? real() : call.startedAt)
    call.arrived = true
  }
  const start = async () => {
    own = new ProgramClock(clock)
    runs.push([])
    return openCallBudget({
      clock: own,
      random: () => 0,
      history: { workbook, scope: 's' },
      limits,
      parallel,
    })
  }
  const serve = async (): Promise<void> => {
    if (service === 'deaf') return
    for (const call of inFlight) arrive(call)
    if (service === 'silent') return
    for (const call of [...inFlight]) {
      inFlight.delete(call)
      call.end()
    }
    await settle()
  }
  let budget = await start()
  let cancel = new AbortController()
  for (const one of steps) {
    switch (one.kind) {
      case 'call':
        for (let i = 0; i < one.count; i++) {
          const [mine, arrivals] = [inFlight, runs.at(-1) ?? []]
          budget.place({ lane: 'refresh', label: 'x', signal: cancel.signal, writes: one.writes }).then(
            (place) => {
              const call: Call = { arrivals, startedAt: real(), arrived: false, end: () => place.ended() }
              mine.add(call)
              most = Math.max(most, mine.size)
              if (service !== 'deaf') arrive(call)
              if (service === 'quick') {
                mine.delete(call)
                call.end()
              }
            },
            () => undefined,
          )
        }
        break
      case 'pass':
        await clock.advance(one.inMs)
        break
      case 'service':
        service = one.is
        await serve()
        break
      case 'workbook':
        workbook.fail = one.works ? null : unusable('disk-full')
        break
      case 'set':
        clock.jumpWall(one.byMs)
        break
      case 'restart':
        if (one.how === 'closed') await budget.close()
        cancel.abort()
        own.killed = true
        cancel = new AbortController()
        // Connections end with their program: unread data is lost.
        inFlight = new Set()
        if (one.how === 'with the computer') {
          bootedAt = real() + 1_000
          clock.reboot(1_000)
        }
        budget = await start()
        break
    }
  }
  workbook.fail = null
  service = 'quick'
  await serve()
  await clock.advance(20 * limits.windowInMs)
  await workbook.close()
  return { runs, most }
}

it('no window is exceeded at the service with delayed calls, a failing workbook and clock changes, over clean restarts neither', async () => {
  const numRuns = cases(400)
  let arrived = 0
  await fc.assert(
    fc.asyncProperty(
      someLimits,
      someParallel,
      fc.array(step, { maxLength: 25 }),
      async (some, parallel, steps) => {
        const { runs, most } = await play({ ...some, published: some }, parallel, steps)
        const arrivals = runs.flat()
        arrived += arrivals.length
        const isKnown = steps.every(
          (one) =>
            one.kind !== 'set' && one.kind !== 'workbook' && (one.kind !== 'restart' || one.how === 'closed'),
        )
        const kept = (times: readonly number[]): boolean =>
          peak(times, 1_000) <= some.perSecond && peak(times, some.windowInMs) <= some.perWindow
        expect({
          runs: runs.every(kept),
          overAll: !isKnown || kept(arrivals),
          inFlight: most <= parallel.reads + parallel.writes,
        }).toEqual({ runs: true, overAll: true, inFlight: true })
      },
    ),
    { numRuns },
  )
  // Otherwise the property would also hold for a budget that never starts a call.
  expect(arrived).toBeGreaterThan(5 * numRuns)
})
