import {
  openCallBudget,
  type BudgetException,
  type CallBudget,
  type CallLimits,
  type Lane,
} from '../../../electron/core/call-budget/call-budget.ts'
import { openCallHistory } from '../../../electron/core/storage/ledger.ts'
import { openLastUse, type LastUse } from '../../../electron/core/storage/last-use.ts'
import { FakeClock } from '../../fake-clock.ts'
import { aNotebook } from './a-notebook.ts'
import { LedgerDatabase } from './ledger-database.ts'

export const limits: CallLimits = {
  perSecond: 20,
  perWindow: 60,
  windowInMs: 30_000,
  published: { perSecond: 20, perWindow: 60 },
}

/** Other records of calls, as a test specifies. Data from the service is in the home's notebook. */
class FakeLastUse implements LastUse {
  readonly happenings: ('saved' | 'unsaved')[] = []
  readonly savedDeadline: LastUse['savedDeadline']
  readonly saveDeadline: LastUse['saveDeadline']
  readonly #ages: { readonly noted: number | null; readonly any: number | null }
  constructor(
    ages: { readonly noted?: number; readonly any?: number },
    { savedDeadline, saveDeadline }: LastUse,
  ) {
    this.savedDeadline = savedDeadline
    this.saveDeadline = saveDeadline
    this.#ages = { noted: ages.noted ?? null, any: ages.any ?? ages.noted ?? null }
  }
  async ages() {
    return this.#ages
  }
  happened(unsaved: boolean): void {
    this.happenings.push(unsaved ? 'unsaved' : 'saved')
  }
  async close(): Promise<void> {
    // Nothing was written.
  }
}

export interface Program {
  readonly budget: CallBudget
  readonly lastUse: FakeLastUse
  /** Ends the program as if killed: waiting calls are not started, and nothing is reported at the end. */
  readonly kill: () => void
  readonly call: (count: number, lane?: Lane, exception?: BudgetException) => void
}

/**
 * One home with one ledger; one program at a time starts and ends on it. `loseLedger`: the file no longer
 * exists, and the next program creates another one.
 */
export function aHome(given: { clock?: FakeClock; database?: LedgerDatabase } = {}) {
  const clock = given.clock ?? new FakeClock()
  let database = given.database ?? new LedgerDatabase()
  const workbook = aNotebook()
  const starts: number[] = []
  const start = async ({
    known = {},
    scope = 'scope-1',
  }: { known?: { noted?: number; any?: number }; scope?: string } = {}): Promise<Program> => {
    const lastUse = new FakeLastUse(known, openLastUse({ workbook, clock, scope }))
    const history = openCallHistory({ database, clock, scope, lastUse })
    const budget = await openCallBudget({ clock, random: () => 0, history, limits })
    const life = new AbortController()
    const call: Program['call'] = (count, lane = 'refresh', exception) => {
      for (let i = 0; i < count; i++) {
        budget.place({ lane, label: lane, signal: life.signal, exception }).then(
          () => starts.push(clock.monotonic()),
          () => undefined,
        )
      }
    }
    return { budget, lastUse, call, kill: () => life.abort() }
  }
  return {
    clock,
    database,
    starts,
    start,
    loseLedger: (next = new LedgerDatabase()) => void (database = next),
  }
}
