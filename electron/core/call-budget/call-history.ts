/** Starts one process takes from the history at once. Behaviour, section 2: up to ten. */
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

export interface HistoryNews extends Standstill {
  readonly leases: readonly LeaseNews[]
}

export interface Recalled extends HistoryNews {
  /** What was started before is not known whole: both windows count as full for so long; 0: it is known. */
  readonly lostForInMs: number
  /** One key check may pass all the same. */
  readonly keyCheckLeft: boolean
}

/** What this process did since it last spoke to the history. */
export interface Said {
  /** Starts the last lease was used for, as ages in ms; null: there was none. */
  readonly ended: readonly number[] | null
  /** Starts without a lease, while the history could not be written, as ages in ms. */
  readonly unsaved: readonly number[]
  /** The windows count as full for so long, which outlives this process; 0: they do not. */
  readonly lostForInMs: number
  readonly keyCheckLeft: boolean
}

/**
 * What the budget needs to remember its starts beyond this process: one per subscription, shared by every program that calls
 * under it. Ages and durations only, so that wall clocks stay out of the budget. Implemented by storage/ledger.ts.
 */
export interface CallHistory {
  /** Every start of the last `windowInMs`, by anyone. Writes nothing. Rejects when it cannot be read. */
  recall(windowInMs: number): Promise<Recalled>
  /**
   * One transaction: writes down what this process did, hands what others did since the last exchange to `take`, and records a lease over
   * as many starts as `take` answers; 0: none. Rejects when nothing could be written.
   */
  exchange(said: Said, take: (news: HistoryNews) => number): Promise<void>
  /** What was kept last, by anyone. */
  look(): Promise<Standstill>
  /** As `look`, where this history cannot be read: what is kept elsewhere in this home. Rejects with nothing. */
  told(): Promise<Standstill>
  /** Nothing is sent before this wall time. Keeps the later of this and the pause already known. */
  pause(untilAt: number): Promise<void>
  /** `replace`: whatever stood before; else the later one stays. null: lifted. */
  hold(untilAt: number | null, replace: boolean): Promise<void>
  /** A start was made. Noted elsewhere in this home now and then, so that a lost history is noticed. `unsaved`: it is not in the history. */
  used(unsaved: boolean): void
  close(said: Said): Promise<void>
}

/** Starts this process may make without asking the history again. */
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
