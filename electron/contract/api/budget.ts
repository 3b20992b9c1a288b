import { z } from 'zod'
import { nothing, reference } from '../argument-parts.ts'
import { method, write } from '../method.ts'
import type { Failure, FailureOf } from '../failure.ts'

export interface WindowUse {
  readonly used: number
  readonly limit: number
}

export type WaitReason = 'second-window' | 'five-minute-window' | 'paused' | 'concurrency'

export interface BudgetState {
  readonly second: WindowUse
  readonly fiveMinutes: WindowUse
  readonly waiting: number
  /** Wall time until which nothing is sent with this key; null: not paused. */
  readonly pausedUntil: number | null
  /**
   * Wall time until which the service accepts no calls: calls fail, except one that a person requests
   * (`budget.tryNow`). null: calls are accepted.
   */
  readonly heldUntilAt: number | null
  readonly waitReason: WaitReason | null
  /**
   * While the service demands a wait: about how many calls others made with this key, because it refused a
   * call (429) although fewer were made here than its limit allows. The limit is taken from the length of the
   * wait, for the service names none. Missing: no sign of others.
   */
  readonly byOthers?: number
  /** The call history is not saved, so half of both limits is left to the next run; null: it is saved. */
  readonly history: HistoryState | null
}

export interface HistoryState {
  /** Why the file cannot be written; null: it is written too slowly. */
  readonly reason: FailureOf<'cache-unusable'>['reason'] | null
  /** Wall time. */
  readonly since: number
}

/** Result of the one call made in spite of a hold. */
export interface HoldTrial {
  /** `not-held`: there was no hold, so no call was made. */
  readonly outcome: 'lifted' | 'held' | 'not-held'
  /** Why the hold continues, from the service's response; null: it does not. */
  readonly failure: Failure | null
  /** Wall time; null: there is no hold any more. */
  readonly heldUntilAt: number | null
  /** The line in the journal; null: no call was made. */
  readonly journalId: number | null
}

export const budget = {
  /** Of the organizations that are open in this run. */
  states: method(nothing).returns<readonly BudgetState[]>(),
  /**
   * One call while the service accepts none from this subscription; only a person can request it. It has a
   * line in the journal. Simultaneous calls share it, with the reference of the first.
   */
  tryNow: write(z.strictObject({ reference })).returns<HoldTrial>(),
}
