import type { Clock } from '../platform.ts'

export interface PublishedLimits {
  readonly perSecond: number
  readonly perWindow: number
  readonly windowInMs: number
}

/** The limits that the budget applies, and the higher published limits, which are shown to people. */
export interface CallLimits extends PublishedLimits {
  readonly published: { readonly perSecond: number; readonly perWindow: number }
}

/**
 * Five per cent below the published limits, with a margin of at least one call: the service counts arrivals,
 * Headroom counts starts, and the time between them varies (services.md#B23: the gateway's own counting is
 * approximate). Enlarge the margin if the service returns 429.
 */
export function belowPublished(published: PublishedLimits): CallLimits {
  const below = (limit: number) => Math.max(1, Math.min(limit - 1, Math.floor(limit * 0.95)))
  return {
    perSecond: below(published.perSecond),
    perWindow: below(published.perWindow),
    windowInMs: published.windowInMs,
    published: { perSecond: published.perSecond, perWindow: published.perWindow },
  }
}

/**
 * services.md#B32: 100 calls a second and 10,000 in five minutes, both at the same time. Used here: 95
 * and 9,500.
 */
export const managementLimits: CallLimits = belowPublished({
  perSecond: 100,
  perWindow: 10_000,
  windowInMs: 300_000,
})

/**
 * If the service returns 429 nevertheless, the rate is multiplied by this factor (chosen),
 * never below a tenth, at most once a second.
 */
const shrinkBy = 0.7
const smallestFactor = 0.1
const shrinkAtMostEveryInMs = 1_000
/**
 * Recovery: five hundredths of the full rate every ten seconds, so one 429 is recovered after a minute. Slow
 * it if a second 429 follows.
 */
const recoveryPerMs = 0.05 / 10_000

/** The number of starts a second that are allowed now. */
export class AllowedRate {
  readonly #perSecond: number
  #factor = 1
  #changedAt = -Infinity

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  perSecond(now: number): number {
    return this.#factor === 1
      ? this.#perSecond
      : Math.max(1, Math.floor(this.#perSecond * this.#factorAt(now)))
  }

  /** Many calls in flight together may all get a 429: within one second they reduce the rate only once. */
  shrink(now: number): void {
    if (now - this.#changedAt < shrinkAtMostEveryInMs) return
    this.#factor = Math.max(smallestFactor, this.#factorAt(now) * shrinkBy)
    this.#changedAt = now
  }

  #factorAt(now: number): number {
    if (this.#factor === 1) return 1
    return Math.min(1, this.#factor + Math.max(0, now - this.#changedAt) * recoveryPerMs)
  }
}

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
