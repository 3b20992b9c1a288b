/** Starts one process takes from the ledger at once. Behaviour, section 2: up to ten. */
export const leaseAtMost = 10
/** How long a leased start may be used. Chosen: long enough for ten starts at the full pace, short enough to be soon over after a kill. */
export const leaseValidForInMs = 1_000

/** What one lease of another process (or an earlier run) tells. */
export interface LeaseNews {
  readonly id: number
  /** Starts it allows. */
  readonly count: number
  /** How much longer it may be used, from now, if it is open. */
  readonly validForInMs: number
  /** How long ago each start happened, ms; null: still open, nothing said yet. */
  readonly startAges: readonly number[] | null
}

export interface HistoryNews {
  readonly leases: readonly LeaseNews[]
  /** Nothing is sent for so long under this subscription; 0: not paused. */
  readonly pausedForInMs: number
}

/**
 * What the budget needs to remember its starts beyond this process: one per subscription, shared by every program that calls
 * under it. Ages and durations only, so that wall clocks stay out of the budget. Implemented by storage/ledger.ts.
 */
export interface CallHistory {
  /** Every start of the last `windowInMs`, by anyone. `lost`: there was a history and it is gone. Rejects when it cannot be used. */
  recall(windowInMs: number): Promise<HistoryNews | 'lost'>
  /**
   * One transaction: ends the last lease (`endedAges`: the starts it was used for, as ages in ms), hands what others did since the
   * last exchange to `take`, and records a lease over as many starts as `take` answers; 0: none.
   */
  exchange(endedAges: readonly number[] | null, take: (news: HistoryNews) => number): Promise<void>
  /** Wall time, ms. Keeps the later of this and the pause already known. */
  pause(untilAt: number): Promise<void>
  close(endedAges: readonly number[] | null): Promise<void>
}

const unusable = () => Promise.reject(new Error('there is no ledger'))
/** For a ledger that cannot be opened: full windows once, then half the pace (`null` instead would mean that nothing is to be remembered). */
export const lostHistory: CallHistory = { recall: unusable, exchange: unusable, pause: () => Promise.resolve(), close: () => Promise.resolve() }

/** Starts this process may make without asking the ledger again. */
export class Lease {
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
