import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'

export interface WindowUse {
  readonly used: number
  readonly limit: number
}

/** `history`: the call waits for the call history, which another program may hold. */
export type WaitReason =
  | 'second-window'
  | 'five-minute-window'
  | 'paused'
  | 'write-slot'
  | 'concurrency'
  | 'history'

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
  /** The problem with the call history; null: it is complete and saved. */
  readonly history: HistoryState | null
}

export interface HistoryState {
  /**
   * `lost`: earlier calls are not known. `not-saved`: the history cannot be written (or read) now, so calls
   * are counted in memory, and half of both limits is left to other programs meanwhile.
   */
  readonly trouble: 'lost' | 'not-saved'
  /** Why the file cannot be used; null for `lost`. */
  readonly reason: 'damaged' | 'read-only' | 'disk-full' | 'newer' | 'earlier' | 'busy' | 'unknown' | null
  /** Wall time. */
  readonly since: number
  /** Both rate-limit windows count as full until this wall time; null: they do not. */
  readonly fullUntilAt: number | null
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
  /**
   * One call while the service accepts none from this subscription; only a person can request it. It has a
   * line in the journal.
   */
  tryNow: method(nothing).returns<HoldTrial>(),
}
