import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'

export interface WindowUse {
  readonly used: number
  readonly limit: number
}

/** `history`: for the answer of the call history, which another program may hold. */
export type WaitReason =
  'second-window' | 'five-minute-window' | 'paused' | 'write-slot' | 'concurrency' | 'history'

export interface BudgetState {
  readonly second: WindowUse
  readonly fiveMinutes: WindowUse
  readonly waiting: number
  /** Wall time until which nothing is sent under this key; null: not paused. */
  readonly pausedUntil: number | null
  /** Wall time until which the service wants nothing: calls fail, but for one that a person asks for (`budget.tryNow`). null: not held. */
  readonly heldUntilAt: number | null
  readonly waitReason: WaitReason | null
  /** What is wrong with the history of calls; null: it is whole and kept. */
  readonly history: HistoryState | null
}

export interface HistoryState {
  /**
   * `lost`: what was started before is not known. `not-saved`: it cannot be written (or read) now, so starts are kept in memory, and half
   * of both limits is left to other programs until it can be.
   */
  readonly trouble: 'lost' | 'not-saved'
  /** Why the file cannot be used; null for `lost`. */
  readonly reason: 'damaged' | 'read-only' | 'disk-full' | 'newer' | 'busy' | 'unknown' | null
  /** Wall time. */
  readonly since: number
  /** Both windows count as full until then, wall time; null: they do not. */
  readonly fullUntilAt: number | null
}

/** What came of the one call made in spite of a hold. */
export interface HoldTrial {
  /** `not-held`: nothing stood in the way, so no call was made. */
  readonly outcome: 'lifted' | 'held' | 'not-held'
  /** Why it still holds, in the service's answer; null: it does not. */
  readonly failure: Failure | null
  /** Wall time; null: nothing is held any more. */
  readonly heldUntilAt: number | null
  /** The line in the journal; null: no call was made. */
  readonly journalId: number | null
}

export const budget = {
  /** One call although the service holds the subscription: asked for by a person alone. It has its line in the journal. */
  tryNow: method(nothing).returns<HoldTrial>(),
}
