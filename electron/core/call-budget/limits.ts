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
