import { nothing } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { Failure } from '../failure.ts'

/** Writes are locked by default; unlocking authorizes starting them, for 15 minutes of activity (behaviour, section 1). */
export interface WriteLock {
  readonly unlocked: boolean
  /** When it locks by itself unless something is written before; null while locked. */
  readonly untilAt: number | null
}

/** What a write would cost of the call budget, exact without faults. */
export interface CallCost {
  readonly calls: number
  /** From the first call to the last, at the pace allowed now, milliseconds. */
  readonly aboutInMs: number
  /** Share of the five-minute window, 0 to 1. */
  readonly shareOfWindow: number
}

/** The last reboot of a room, when nobody knows how it ended: no answer came, or its end was never written (`null`). */
export interface UnansweredReboot {
  readonly startedAt: number
  readonly outcome: 'unconfirmed' | null
}

/** How a write ended. `waiting`: not sent, a device of it was written to less than a minute ago. */
export interface WriteReport {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed' | 'waiting'
  /** Why it was not accepted; null for `accepted` and `waiting`. */
  readonly failure: Failure | null
  /** For `waiting`: when it may start. */
  readonly earliestAt: number | null
  /** The journal's line of this write; null: nothing was about to be sent. */
  readonly journalId: number | null
}

export const writes = {
  lock: method(nothing).returns<WriteLock>(),
  /** Locks now, whatever was unlocked before. */
  lockNow: method(nothing).returns<WriteLock>(),
  changed: event<{ readonly unlocked: boolean }>(),
}
