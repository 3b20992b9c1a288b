import { Failed, type FailureOf } from '../../../electron/contract/failure.ts'
import {
  openCallBudget,
  type BudgetException,
  type CallBudget,
  type CallLimits,
  type Lane,
} from '../../../electron/core/call-budget/call-budget.ts'
import { FakeClock } from '../../fake-clock.ts'
import { MemoryWorkbook } from '../storage/memory-workbook.ts'
import { ProgramClock } from '../writes/a-writes.ts'

export const limits: CallLimits = {
  perSecond: 20,
  perWindow: 60,
  windowInMs: 30_000,
  published: { perSecond: 20, perWindow: 60 },
}

export interface Program {
  readonly budget: CallBudget
  /** Ends the program as if killed: waiting calls are not started, and nothing is reported at the end. */
  readonly kill: () => void
  readonly call: (count: number, lane?: Lane, exception?: BudgetException) => void
}

/** A workbook that cannot be used, as the core sees it. */
export const unusable = (reason: FailureOf<'cache-unusable'>['reason']) => (): Failed =>
  new Failed({ kind: 'cache-unusable', file: 'workbook.sqlite', reason, message: reason })

/** One home with one workbook; one program at a time starts and ends on it. */
export function aHome(given: { limits?: CallLimits; scope?: string } = {}) {
  const clock = new FakeClock()
  const workbook = new MemoryWorkbook()
  const starts: number[] = []
  const start = async (scope = 'scope-1'): Promise<Program> => {
    const own = new ProgramClock(clock)
    const budget = await openCallBudget({
      clock: own,
      random: () => 0,
      history: { workbook, scope },
      limits: given.limits ?? limits,
    })
    const life = new AbortController()
    const call: Program['call'] = (count, lane = 'refresh', exception) => {
      for (let i = 0; i < count; i++) {
        budget.place({ lane, label: lane, signal: life.signal, exception }).then(
          () => starts.push(clock.monotonic()),
          () => undefined,
        )
      }
    }
    const kill = (): void => {
      life.abort()
      own.killed = true
    }
    return { budget, call, kill }
  }
  return { clock, workbook, starts, start }
}
