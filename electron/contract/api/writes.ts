import { z } from 'zod'
import { nothing, reference } from '../argument-parts.ts'
import { event, method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { JournalLine } from './journal.ts'

/**
 * Actions are locked by default; unlocking authorizes starting writes, for 15 minutes of activity.
 */
export interface WriteLock {
  readonly unlocked: boolean
  /** When it locks automatically unless something is written before; null while locked. */
  readonly untilAt: number | null
}

/** The cost of a write in the call budget, exact if there are no faults. */
export interface CallCost {
  readonly calls: number
  /** From the first call to the last, at the current rate, in milliseconds. */
  readonly aboutInMs: number
  /** Share of the five-minute window, 0 to 1. */
  readonly shareOfWindow: number
}

/**
 * The last reboot of a room, if its result is unknown: there was no response, or its end was never recorded
 * (`null`).
 */
export interface UnansweredReboot {
  readonly startedAt: number
  readonly outcome: 'unconfirmed' | null
}

/**
 * How a write ended. `waiting`: not sent, because one of its devices was written to less than a minute ago.
 */
export interface WriteReport {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed' | 'waiting'
  /** Why it was not accepted; null for `accepted` and `waiting`. */
  readonly failure: Failure | null
  /** For `waiting`: when it may start. */
  readonly earliestAt: number | null
  /** The journal line of this write; null: no write was begun. */
  readonly journalId: number | null
}

export const writes = {
  lock: method(nothing).returns<WriteLock>(),
  /** Locks at once, regardless of any unlock. */
  lockNow: method(nothing).returns<WriteLock>(),
  /** The journal line of the write that a client began under this reference; null: none was begun. */
  begun: method(z.strictObject({ reference: reference.unwrap() })).returns<JournalLine | null>(),
  changed: event<{ readonly unlocked: boolean }>(),
}
