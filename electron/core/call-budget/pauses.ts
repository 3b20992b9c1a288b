import type { Clock } from '../platform.ts'
import type { Hold } from './call-history.ts'

/**
 * Behaviour, section 2 and target R5: if the service demands a longer wait than this, calls fail instead of
 * waiting, and a person decides.
 */
export const longestPauseInMs = 15 * 60_000
const resumeSpreadInMs = 250
/** `Clock.uptime` is coarse: this ensures that nothing is sent too early. */
const uptimeWithinMs = 1_000
/**
 * The stated time is shown unchanged unless the wall clock was since set forward or back by more than this.
 * Raise it if small clock corrections change the display.
 */
const sameMomentInMs = 2_000

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
  /** By uptime, because a hold may last longer than the computer's sleep. */
  #hold: { readonly until: number; readonly statedUntilAt: number } | null = null

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** The moment of the first start after it, monotonic. */
  get resumeAt(): number {
    return this.#resumeAt
  }

  /** A later pause extends it, an earlier one changes nothing. */
  pause(inMs: number): void {
    const now = this.#clock.monotonic()
    if (now + inMs <= this.#pausedUntil || inMs <= 0) return
    this.#pausedUntil = now + inMs
    this.#resumeAt = this.#pausedUntil + this.#random() * resumeSpreadInMs
  }

  /** As `pause`; `replace`: overwrites the known hold. Returns whether anything changed. */
  hold({ forInMs, untilAt }: Hold, replace: boolean): boolean {
    const until = this.#clock.uptime() + forInMs + uptimeWithinMs
    if (
      forInMs <= 0 ||
      (!replace && this.currentHold() !== null && until <= (this.#hold?.until ?? -Infinity))
    )
      return false
    this.#hold = { until, statedUntilAt: untilAt }
    return true
  }

  lift(): void {
    this.#hold = null
  }

  /** null: not held. */
  currentHold(): Hold | null {
    if (this.#hold === null) return null
    const forInMs = this.#hold.until - this.#clock.uptime()
    if (forInMs <= 0) return null
    const untilAt = Math.ceil(this.#clock.now() + forInMs)
    return {
      forInMs,
      untilAt:
        Math.abs(untilAt - this.#hold.statedUntilAt) <= sameMomentInMs ? this.#hold.statedUntilAt : untilAt,
    }
  }

  /** Wall time; null: not paused. */
  pausedUntilAt(): number | null {
    const now = this.#clock.monotonic()
    return now < this.#pausedUntil ? Math.ceil(this.#clock.now() + this.#pausedUntil - now) : null
  }
}
