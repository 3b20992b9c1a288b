import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  openCallBudget,
  type CallLimits,
  type Lane,
  type CallBudget,
} from '../../../electron/core/call-budget/call-budget.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { cases } from '../../setup/cases.ts'
import { MemoryWorkbook } from '../storage/memory-workbook.ts'
import { ProgramClock } from '../writes/a-writes.ts'
import { peak } from './peak.ts'

type Step =
  | { readonly kind: 'call'; readonly lane: Lane; readonly count: number }
  | { readonly kind: 'pass'; readonly inMs: number }
  | { readonly kind: 'pause'; readonly inMs: number }
  | { readonly kind: 'slow' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'set'; readonly byMs: number }
  | { readonly kind: 'restart'; readonly kill: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call'),
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
      inMs: fc.integer({ min: -500, max: 4_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('slow') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('set'), byMs: fc.integer({ min: -20_000, max: 20_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart'), kill: fc.boolean() }) },
)

const someLimits = fc.record({
  perSecond: fc.integer({ min: 1, max: 12 }),
  perWindow: fc.integer({ min: 3, max: 30 }),
  windowInMs: fc.integer({ min: 1_500, max: 8_000 }),
})

interface Program {
  readonly budget: CallBudget
  readonly clock: ProgramClock
  readonly starts: number[]
  cancel: AbortController
  isClosed: boolean
}

/**
 * Executes the steps on one home, one program at a time; returns when calls of each run started, how many
 * started during a pause, and how many ended without a start although nobody cancelled them or closed the
 * program.
 */
async function play(limits: CallLimits, steps: readonly Step[], chance: number) {
  const clock = new FakeClock()
  const workbook = new MemoryWorkbook()
  const runs: (readonly number[])[] = []
  let early = 0
  let cancelled = 0
  let refused = 0
  let pausedUntil = -Infinity
  let isSet = false
  const start = async (): Promise<Program> => {
    const own = new ProgramClock(clock)
    const history = { workbook, scope: 's' }
    const starts: number[] = []
    runs.push(starts)
    return {
      budget: await openCallBudget({ clock: own, random: () => chance, history, limits }),
      clock: own,
      starts,
      cancel: new AbortController(),
      isClosed: false,
    }
  }
  let program = await start()
  for (const one of steps) {
    const own = program
    const { budget, cancel, starts } = own
    switch (one.kind) {
      case 'call':
        for (let i = 0; i < one.count; i++) {
          budget.place({ lane: one.lane, label: one.lane, signal: cancel.signal }).then(
            () => {
              starts.push(clock.monotonic())
              if (clock.monotonic() < pausedUntil) early++
            },
            () => {
              if (cancel.signal.aborted || own.isClosed) cancelled++
              else refused++
            },
          )
        }
        await settle(2)
        break
      case 'pass':
        await clock.advance(one.inMs)
        break
      case 'pause':
        budget.pauseUntil(clock.now() + one.inMs)
        pausedUntil = Math.max(pausedUntil, clock.monotonic() + one.inMs)
        break
      case 'slow':
        budget.slowDown()
        break
      case 'cancel':
        cancel.abort()
        program.cancel = new AbortController()
        break
      case 'set':
        clock.jumpWall(one.byMs)
        isSet ||= one.byMs !== 0
        break
      case 'restart':
        if (one.kill) {
          cancel.abort()
          program.clock.killed = true
        } else {
          own.isClosed = true
          await budget.close()
        }
        // After a restart a pause ends by the wall clock, which has whole milliseconds.
        pausedUntil = isSet ? -Infinity : pausedUntil - 1
        program = await start()
        break
    }
  }
  await clock.advance(410 * limits.windowInMs)
  await workbook.close()
  const requested = steps.reduce((sum, one) => sum + (one.kind === 'call' ? one.count : 0), 0)
  const started = runs.reduce((sum, starts) => sum + starts.length, 0)
  return { runs, isSet, early, started, refused, unaccounted: requested - started - refused - cancelled }
}

it('within a run no window is exceeded and no call is lost; over clean restarts none is exceeded, over kills by two seconds at most', async () => {
  let startedInAll = 0
  await fc.assert(
    fc.asyncProperty(
      someLimits,
      fc.array(step, { maxLength: 25 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (some, steps, chance) => {
        const limits: CallLimits = { ...some, published: some }
        const { runs, isSet, early, started, refused, unaccounted } = await play(limits, steps, chance)
        startedInAll += started
        const kept = (starts: readonly number[], beyond: number) => ({
          second: peak(starts, 1_000) <= limits.perSecond + beyond,
          window: peak(starts, limits.windowInMs) <= limits.perWindow + beyond,
        })
        const kills = steps.filter((one) => one.kind === 'restart' && one.kill).length
        // A clock that is set between two runs changes the times of rows.
        const overAll = isSet ? null : kept(runs.flat(), kills * 2 * limits.perSecond)
        const all = { second: true, window: true }
        expect({ runs: runs.map((starts) => kept(starts, 0)), overAll, early, refused, unaccounted }).toEqual(
          {
            runs: runs.map(() => all),
            overAll: isSet ? null : all,
            early: 0,
            refused: 0,
            unaccounted: 0,
          },
        )
      },
    ),
    { numRuns: cases(1_000) },
  )
  // Measured: 9 in a case.
  expect(startedInAll).toBeGreaterThan(3 * cases(1_000))
})
