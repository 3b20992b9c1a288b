import type { Clock } from '../platform.ts'
import type { Held } from './call-history.ts'

/** Behaviour, section 2 and target R5: told to wait longer than this, nothing waits for it: a person is asked instead. */
export const longestPauseInMs = 15 * 60_000
const resumeSpreadInMs = 250
/** `Clock.uptime` is coarse: nothing is sent earlier than told. */
const uptimeWithinMs = 1_000
/** What was told is shown as it was told, unless the wall clock was set by more than this since. Chosen. */
const sameMomentInMs = 2_000

/** The pause and the hold of one subscription. A pause is short and waited for; a hold is long, and calls fail until it ends or is lifted. */
export class Pauses {
  readonly #clock: Clock
  readonly #random: () => number
  /** Monotonic; the end as told, and the moment the first start may follow. */
  #pausedUntil = -Infinity
  #resumeAt = -Infinity
  /** By uptime, for a hold may outlast the computer's sleep. */
  #held: { readonly until: number; readonly toldUntilAt: number } | null = null

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** The first start may follow then, monotonic. */
  get resumeAt(): number {
    return this.#resumeAt
  }

  /** A later pause extends, an earlier one changes nothing. */
  pause(inMs: number): void {
    const now = this.#clock.monotonic()
    if (now + inMs <= this.#pausedUntil || inMs <= 0) return
    this.#pausedUntil = now + inMs
    this.#resumeAt = this.#pausedUntil + this.#random() * resumeSpreadInMs
  }

  /** As `pause`; `replace`: whatever stood before. Answers whether anything changed. */
  hold({ forInMs, untilAt }: Held, replace: boolean): boolean {
    const until = this.#clock.uptime() + forInMs + uptimeWithinMs
    if (forInMs <= 0 || (!replace && this.held() !== null && until <= (this.#held?.until ?? -Infinity)))
      return false
    this.#held = { until, toldUntilAt: untilAt }
    return true
  }

  lift(): void {
    this.#held = null
  }

  /** null: not held. */
  held(): Held | null {
    if (this.#held === null) return null
    const forInMs = this.#held.until - this.#clock.uptime()
    if (forInMs <= 0) return null
    const untilAt = Math.ceil(this.#clock.now() + forInMs)
    return {
      forInMs,
      untilAt:
        Math.abs(untilAt - this.#held.toldUntilAt) <= sameMomentInMs ? this.#held.toldUntilAt : untilAt,
    }
  }

  /** Wall time; null: not paused. */
  pausedUntilAt(): number | null {
    const now = this.#clock.monotonic()
    return now < this.#pausedUntil ? Math.ceil(this.#clock.now() + this.#pausedUntil - now) : null
  }
}
