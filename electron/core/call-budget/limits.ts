export interface PublishedLimits {
  readonly perSecond: number
  readonly perWindow: number
  readonly windowInMs: number
}

/** The pace kept, and the published limits it stays under (those are shown to people). */
export interface CallLimits extends PublishedLimits {
  readonly published: { readonly perSecond: number; readonly perWindow: number }
}

/**
 * Five per cent below what is published, at least one call of margin: the service counts arrivals, we count starts,
 * and the way between them is not even (chosen; observed: the gateway's own counting is approximate).
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

/** Specification, part 8: 100 calls a second and 10,000 in five minutes, both at once. Kept: 95 and 9,500. */
export const managementLimits: CallLimits = belowPublished({
  perSecond: 100,
  perWindow: 10_000,
  windowInMs: 300_000,
})

/** After a 429 in spite of all care the pace shrinks by this factor (behaviour, section 2), never under a tenth, at most once a second. */
const shrinkBy = 0.7
const smallestFactor = 0.1
const shrinkAtMostEveryInMs = 1_000
/** Recovery, chosen: five hundredths of the full pace every ten seconds, so a single 429 is forgotten after a minute. */
const recoveryPerMs = 0.05 / 10_000

/** How many starts a second are allowed just now. */
export class Pace {
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

  /** Many calls that were under way together may all come back with 429: within a second they shrink the pace once. */
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
