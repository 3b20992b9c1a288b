/** Starts that are written down at once, before they are made. Behaviour, section 2: up to ten. */
export const batchAtMost = 10
/** How long a start of a batch may be made, ms. Chosen: long enough for ten starts at the full pace, short enough to count little after a kill. */
export const batchLastsInMs = 1_000

/** The service told us to wait longer than is waited for without asking a person. */
export interface Held {
  readonly forInMs: number
  /** Wall time as the service told it, for people. */
  readonly untilAt: number
}

/** What keeps everybody under this subscription from calling. */
export interface Standstill {
  /** Nothing is sent for so long; 0: not paused. */
  readonly pausedForInMs: number
  readonly held: Held | null
}

export interface Recalled extends Standstill {
  /** How long ago each start happened at the least, ms, not negative. */
  readonly startAges: readonly number[]
  /** What was started before is not known whole: both windows count as full for so long; 0: it is known. */
  readonly lostForInMs: number
  /** One key check may pass all the same. */
  readonly keyCheckLeft: boolean
}

/** What was started since the history was last told. */
export interface Said {
  /** Starts of the last batch, as ages in ms; null: there was none. */
  readonly ended: readonly number[] | null
  /** Starts of no batch, while the history could not be written, as ages in ms. */
  readonly unsaved: readonly number[]
  /** The windows count as full for so long, which outlives this process; 0: they do not. */
  readonly lostForInMs: number
  readonly keyCheckLeft: boolean
}

/**
 * What the budget needs to remember its starts beyond this process: one per subscription, used by one budget at a time. Ages and durations
 * only, so that wall clocks stay out of the budget. Implemented by storage/ledger.ts.
 */
export interface CallHistory {
  /** Every start of the last `windowInMs` before this budget's own. Rejects when it cannot be read. */
  recall(windowInMs: number): Promise<Recalled>
  /**
   * One transaction: writes down what was started, and a batch of as many starts as `next` answers (0: none) that may follow within
   * `batchLastsInMs`. A batch of which nothing is said later counts whole. Rejects when nothing could be written.
   */
  record(said: Said, next: () => number): Promise<void>
  /** Where this history cannot be read: what stands still by what is kept elsewhere in this home. Rejects with nothing. */
  told(): Promise<Standstill>
  /** Nothing is sent before this wall time. Keeps the later of this and the pause already known. */
  pause(untilAt: number): Promise<void>
  /** `replace`: whatever stood before; else the later one stays. null: lifted. */
  hold(untilAt: number | null, replace: boolean): Promise<void>
  /** A start was made. Noted elsewhere in this home now and then, so that a lost history is noticed. `unsaved`: it is not in the history. */
  used(unsaved: boolean): void
  close(said: Said): Promise<void>
}

/** Starts that were written down and may be made. */
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
