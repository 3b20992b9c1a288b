import type { Clock } from '../platform.ts'

/**
 * Chosen: if the service demands a longer wait than this, calls fail instead of
 * waiting, and a person decides.
 */
export const longestPauseInMs = 15 * 60_000
const resumeSpreadInMs = 250

/** The service demanded a longer wait than is made without a person's decision. */
export interface Hold {
  readonly forInMs: number
  /** Wall time, for people. */
  readonly untilAt: number
}

/**
 * The pause and the hold of one subscription. A pause is short, and calls wait for it; a hold is long, and
 * calls fail until it ends or is lifted.
 */
export class Pauses {
  readonly #clock: Clock
  readonly #random: () => number
  /** Monotonic; the stated end, and the moment of the first start after it. */
  #pausedUntil = -Infinity
  #resumeAt = -Infinity
  /** By both clocks, and the earlier one ends it: the monotonic one may stop while the computer sleeps. */
  #hold: { readonly until: number; readonly untilAt: number } | null = null

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** The moment of the first start after it, monotonic. */
  get resumeAt(): number {
    return this.#resumeAt
  }

  /** A later pause extends it, an earlier one changes nothing. Returns whether anything changed. */
  pause(inMs: number): boolean {
    const now = this.#clock.monotonic()
    if (now + inMs <= this.#pausedUntil || inMs <= 0) return false
    this.#pausedUntil = now + inMs
    this.#resumeAt = this.#pausedUntil + this.#random() * resumeSpreadInMs
    return true
  }

  /** As `pause`; `replace`: overwrites the known hold. Returns whether anything changed. */
  hold({ forInMs, untilAt }: Hold, replace: boolean): boolean {
    const until = this.#clock.monotonic() + forInMs
    if (
      forInMs <= 0 ||
      (!replace && this.currentHold() !== null && until <= (this.#hold?.until ?? -Infinity))
    )
      return false
    this.#hold = { until, untilAt }
    return true
  }

  lift(): void {
    this.#hold = null
  }

  /** null: not held. */
  currentHold(): Hold | null {
    if (this.#hold === null) return null
    const now = this.#clock.now()
    const forInMs = Math.min(this.#hold.until - this.#clock.monotonic(), this.#hold.untilAt - now)
    return forInMs > 0 ? { forInMs, untilAt: Math.ceil(now + forInMs) } : null
  }

  /** Wall time; null: not paused. */
  pausedUntilAt(): number | null {
    const now = this.#clock.monotonic()
    return now < this.#pausedUntil ? Math.ceil(this.#clock.now() + this.#pausedUntil - now) : null
  }
}
