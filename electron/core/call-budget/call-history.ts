/** Number of starts that are stored in one batch before they are made. Behaviour, section 2: up to ten. */
export const batchAtMost = 10
/**
 * How long the starts of a batch may be used, ms. Long enough for ten starts at the full rate, short enough
 * to cost little after a kill; change it with the batch size.
 */
export const batchLastsInMs = 1_000

/** The service demanded a longer wait than is made without a person's decision. */
export interface Hold {
  readonly forInMs: number
  /** Wall time as the service stated it, for people. */
  readonly untilAt: number
}

/** What blocks all calls of this subscription. */
export interface Standstill {
  /** Remaining pause in ms; 0: not paused. */
  readonly pausedForInMs: number
  readonly held: Hold | null
}

export interface Recalled extends Standstill {
  /** Minimum age of each start in ms, not negative. */
  readonly startAges: readonly number[]
  /**
   * The earlier starts are not completely known: both windows count as full for this time; 0: they are known.
   */
  readonly lostForInMs: number
  /** One key check is still allowed. */
  readonly keyCheckLeft: boolean
}

/** Changes since the history was last updated. */
export interface Said {
  /** Starts of the last batch, as ages in ms; null: there was none. */
  readonly ended: readonly number[] | null
  /** Starts outside a batch, made while the history could not be written, as ages in ms. */
  readonly unsaved: readonly number[]
  /** Time for which the windows count as full, valid beyond this process; 0: they do not. */
  readonly lostForInMs: number
  readonly keyCheckLeft: boolean
}

/**
 * What the budget needs to remember its starts beyond this process: one per subscription, used by one budget
 * at a time. Only ages and durations, so that the budget does not depend on wall clocks. Implemented by
 * storage/ledger.ts.
 */
export interface CallHistory {
  /** Every start in the last `windowInMs` before this budget's own. Rejects if it cannot be read. */
  recall(windowInMs: number): Promise<Recalled>
  /**
   * One transaction: stores the starts that were made, and a batch with the number of starts that `next`
   * returns (0: none), usable within `batchLastsInMs`. A batch that is not reported later counts completely.
   * Rejects if nothing could be written.
   */
  record(said: Said, next: () => number): Promise<void>
  /**
   * Used if this history cannot be read: pauses and holds that are stored elsewhere in this data folder.
   * Never rejects.
   */
  savedStandstill(): Promise<Standstill>
  /** Nothing is sent before this wall time. Keeps the later of this and the known pause. */
  pause(untilAt: number): Promise<void>
  /** `replace`: overwrites the known hold; otherwise the later one remains. null: lifted. */
  hold(untilAt: number | null, replace: boolean): Promise<void>
  /**
   * A start was made. This is sometimes recorded elsewhere in this data folder, so that a lost history is
   * detected. `unsaved`: the start is not in the history.
   */
  used(unsaved: boolean): void
  close(said: Said): Promise<void>
}

/** Starts that were stored and may be made. */
export class Batch {
  readonly #endsAt: number
  readonly #used: number[] = []
  #left: number

  constructor(count: number, endsAt: number) {
    this.#left = count
    this.#endsAt = endsAt
  }

  usable(now: number): boolean {
    return this.#left > 0 && now < this.#endsAt
  }

  use(now: number): void {
    this.#left--
    this.#used.push(now)
  }

  usedAges(now: number): number[] {
    return this.#used.map((at) => now - at)
  }
}
