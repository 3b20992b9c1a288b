import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  openCallBudget,
  type CallLimits,
  type Parallel,
} from '../../../electron/core/call-budget/call-budget.ts'
import { DatabaseError } from '../../../electron/core/platform.ts'
import { openLastUse } from '../../../electron/core/storage/last-use.ts'
import { openCallHistory } from '../../../electron/core/storage/ledger.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { cases } from '../../setup/cases.ts'
import { aNotebook } from './a-notebook.ts'
import { LedgerDatabase } from './ledger-database.ts'
import { peak } from './peak.ts'

type Step =
  | { readonly kind: 'call'; readonly count: number; readonly writes: boolean }
  | { readonly kind: 'pass'; readonly inMs: number }
  | { readonly kind: 'service'; readonly is: 'quick' | 'silent' | 'deaf' }
  | { readonly kind: 'ledger'; readonly works: boolean }
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ledger'), works: fc.boolean() }) },
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
  readonly startedAt: number
  arrived: boolean
  readonly end: () => void
}

/**
 * One program at a time with a service that responds at once, or is silent (calls have arrived), or deaf (sent calls are buffered and
 * arrive all at once afterwards). Returns when calls arrived, and the most in flight.
 */
async function play(limits: CallLimits, parallel: Parallel, steps: readonly Step[]) {
  const clock = new FakeClock()
  const database = new LedgerDatabase()
  const workbook = aNotebook()
  const arrivals: number[] = []
  /** In real time, because the monotonic clock restarts with the computer. */
  let bootedAt = 0
  const real = (): number => bootedAt + clock.monotonic()
  let inFlight = new Set<Call>()
  let most = 0
  let service: 'quick' | 'silent' | 'deaf' = 'quick'
  const arrive = (call: Call): void => {
    // Within a second arrivals are as even as starts: the margin below the published limits covers the difference.
    if (!call.arrived) arrivals.push(real() - call.startedAt > 1_000 ? real() : call.startedAt)
    call.arrived = true
  }
  const start = async () => {
    const lastUse = openLastUse({ workbook, clock, scope: 's' })
    const history = openCallHistory({ database, clock, scope: 's', lastUse })
    return openCallBudget({ clock, random: () => 0, history, limits, parallel })
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
          const mine = inFlight
          budget.place({ lane: 'refresh', label: 'x', signal: cancel.signal, writes: one.writes }).then(
            (place) => {
              const call: Call = { startedAt: real(), arrived: false, end: () => place.ended() }
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
      case 'ledger':
        database.fail = one.works ? null : () => new DatabaseError('ledger', 'disk-full', 'full')
        break
      case 'set':
        clock.jumpWall(one.byMs)
        break
      case 'restart':
        if (one.how === 'closed') await budget.close()
        cancel.abort()
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
  database.fail = null
  service = 'quick'
  await serve()
  await clock.advance(20 * limits.windowInMs)
  await database.close()
  return { arrivals, most }
}

it('no window is exceeded at the service with delayed calls, a failing ledger and clock changes', async () => {
  const numRuns = cases(400)
  let arrived = 0
  await fc.assert(
    fc.asyncProperty(
      someLimits,
      someParallel,
      fc.array(step, { maxLength: 25 }),
      async (some, parallel, steps) => {
        const { arrivals, most } = await play({ ...some, published: some }, parallel, steps)
        arrived += arrivals.length
        expect({
          second: peak(arrivals, 1_000) <= some.perSecond,
          window: peak(arrivals, some.windowInMs) <= some.perWindow,
          inFlight: most <= parallel.reads + parallel.writes,
        }).toEqual({ second: true, window: true, inFlight: true })
      },
    ),
    { numRuns },
  )
  // Otherwise the property would also hold for a budget that never starts a call.
  expect(arrived).toBeGreaterThan(5 * numRuns)
})
