import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  openCallBudget,
  type CallLimits,
  type Lane,
  type CallBudget,
} from '../../../electron/core/call-budget/call-budget.ts'
import { openCallHistory } from '../../../electron/core/storage/ledger.ts'
import { FakeClock } from '../../fake-clock.ts'
import { LedgerDatabase } from './ledger-database.ts'
import { peak } from './peak.ts'

type Step =
  | { readonly kind: 'call'; readonly program: number; readonly lane: Lane; readonly count: number }
  | { readonly kind: 'pass'; readonly inMs: number }
  | { readonly kind: 'pause'; readonly program: number; readonly inMs: number }
  | { readonly kind: 'slow'; readonly program: number }
  | { readonly kind: 'cancel'; readonly program: number }
  | { readonly kind: 'set'; readonly byMs: number }
  | { readonly kind: 'restart'; readonly program: number; readonly kill: boolean }

const program = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call'),
      program,
      lane: fc.constantFrom<Lane>('interactive', 'write', 'refresh', 'bulk'),
      count: fc.integer({ min: 1, max: 25 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      inMs: fc.oneof(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 1_200 }),
        fc.integer({ min: 0, max: 9_000 }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pause'),
      program,
      inMs: fc.integer({ min: -500, max: 4_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('slow'), program }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), program }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set'), byMs: fc.integer({ min: -20_000, max: 20_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), program, kill: fc.boolean() }) },
)

const someLimits = fc.record({
  perSecond: fc.integer({ min: 1, max: 12 }),
  perWindow: fc.integer({ min: 3, max: 30 }),
  windowInMs: fc.integer({ min: 1_500, max: 8_000 }),
})

interface Program {
  budget: CallBudget
  cancel: AbortController
}

/** Plays the steps on one home with two programs; answers when calls started, and which started although they were paused. */
async function play(limits: CallLimits, steps: readonly Step[], chance: number) {
  const clock = new FakeClock()
  const database = new LedgerDatabase()
  const starts: number[] = []
  let early = 0
  let lost = 0
  let runs = 0
  const pausedUntil = [-Infinity, -Infinity]
  const start = async (): Promise<Program> => {
    const history = openCallHistory({ database, clock, scope: 's', owner: `run-${++runs}`, lastUse: null })
    return {
      budget: await openCallBudget({ clock, random: () => chance, history, limits }),
      cancel: new AbortController(),
    }
  }
  const programs = [await start(), await start()]
  for (const step of steps) {
    const at = 'program' in step ? step.program : 0
    const { budget, cancel } = programs[at]!
    switch (step.kind) {
      case 'call':
        for (let i = 0; i < step.count; i++) {
          budget.place({ lane: step.lane, label: step.lane, signal: cancel.signal }).then(
            () => {
              starts.push(clock.monotonic())
              if (clock.monotonic() < pausedUntil[at]!) early++
            },
            () => lost++,
          )
        }
        break
      case 'pass':
        await clock.advance(step.inMs)
        break
      case 'pause':
        budget.pauseUntil(clock.now() + step.inMs)
        // The other program learns of it with its next lease; for this one it holds at once, and after a restart.
        pausedUntil[at] = Math.max(pausedUntil[at]!, clock.monotonic() + step.inMs)
        break
      case 'slow':
        budget.slowDown()
        break
      case 'cancel':
        cancel.abort()
        programs[at]!.cancel = new AbortController()
        break
      case 'set':
        clock.jumpWall(step.byMs)
        break
      case 'restart':
        // A killed program simply never says anything again.
        if (step.kill) cancel.abort()
        else await budget.close()
        programs[at] = await start()
        break
    }
  }
  // In stages: where two programs are at the ledger in one moment, the next timer can be set when an advance has looked for the last time.
  for (let stage = 0; stage < 41; stage++) await clock.advance(10 * limits.windowInMs)
  const asked = steps.reduce((sum, step) => sum + (step.kind === 'call' ? step.count : 0), 0)
  return { starts, early, unaccounted: asked - starts.length - lost }
}

it(
  'no window is ever exceeded, and nobody is forgotten, whatever arrives, pauses, cancels, restarts or sets the clock',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        someLimits,
        fc.array(step, { maxLength: 25 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (some, steps, chance) => {
          const limits: CallLimits = { ...some, published: some }
          const { starts, early, unaccounted } = await play(limits, steps, chance)
          const kept = {
            second: peak(starts, 1_000) <= limits.perSecond,
            window: peak(starts, limits.windowInMs) <= limits.perWindow,
          }
          expect({ ...kept, early, unaccounted }).toEqual({
            second: true,
            window: true,
            early: 0,
            unaccounted: 0,
          })
        },
      ),
      { numRuns: 1_000 },
    )
  },
)
