/** The limits of a caller: both windows at once (services.md#B32). */
export interface Limits {
  readonly perSecond: number
  readonly perWindow: number
  /** Length of the long window, seconds. */
  readonly windowSeconds: number
}

export const specifiedLimits: Limits = { perSecond: 100, perWindow: 10_000, windowSeconds: 300 }

/** `PER_SECOND/1,PER_WINDOW/SECONDS`, for example `100/1,10000/300`; null: invalid. */
export const parseLimits = (text: string): Limits | null => {
  const [, perSecond, perWindow, seconds] = /^(\d{1,7})\/1,(\d{1,8})\/(\d{1,5})$/.exec(text) ?? []
  const limits = {
    perSecond: Number(perSecond),
    perWindow: Number(perWindow),
    windowSeconds: Number(seconds),
  }
  return limits.perSecond > 0 && limits.perWindow > 0 && limits.windowSeconds > 0 ? limits : null
}

/** The last accepted arrivals, and whether another one is allowed: two sliding windows, counted exactly. */
export class SlidingWindows {
  readonly #limits: Limits
  readonly #ring: Float64Array
  #count = 0

  constructor(limits: Limits) {
    this.#limits = limits
    this.#ring = new Float64Array(Math.max(limits.perSecond, limits.perWindow))
  }

  #before(calls: number): number {
    return this.#count < calls
      ? Number.NEGATIVE_INFINITY
      : (this.#ring[(this.#count - calls) % this.#ring.length] ?? Number.NEGATIVE_INFINITY)
  }

  /**
   * Accepts a call and returns 0, or returns how many milliseconds too early it arrived. A refused call is
   * not counted.
   */
  arrive(now: number): number {
    const early = Math.max(
      this.#before(this.#limits.perSecond) + 1000 - now,
      this.#before(this.#limits.perWindow) + this.#limits.windowSeconds * 1000 - now,
    )
    if (early > 0) return early
    this.#ring[this.#count % this.#ring.length] = now
    this.#count += 1
    return 0
  }
}

const slotMs = 60_000

/** One write a minute to each device (services.md#B32). */
export class WriteSlots {
  readonly #lastAt = new Map<string, number>()

  /**
   * Takes the slots of all these devices and returns 0, or takes none and returns how many milliseconds too
   * early it is.
   */
  take(deviceIds: readonly string[], now: number): number {
    const early = Math.max(
      0,
      ...deviceIds.map((id) => (this.#lastAt.get(id) ?? Number.NEGATIVE_INFINITY) + slotMs - now),
    )
    if (early > 0) return early
    for (const id of deviceIds) this.#lastAt.set(id, now)
    return 0
  }
}

export interface Counts {
  /** Arrivals by operation, then by status; `dropped` if the connection was cut. */
  readonly arrivals: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly total: number
  /** The most management calls accepted within any second, and any long window. */
  readonly mostInASecond: number
  readonly mostInAWindow: number
  /**
   * Writes that took effect, with or without a response, by the device's id or the room's own. Refused ones,
   * also by a fault, are not counted.
   */
  readonly writes: Readonly<Record<string, number>>
}

/** The arrivals: for tests, which must not depend on a client's own counts. */
export class ArrivalCounts {
  readonly #arrivals: Record<string, Record<string, number>> = {}
  readonly #writes = new Map<string, number>()
  readonly #windowMs: number
  #times: number[] = []
  #secondStart = 0
  #windowStart = 0
  #total = 0
  #mostInASecond = 0
  #mostInAWindow = 0

  constructor(limits: Limits) {
    this.#windowMs = limits.windowSeconds * 1000
  }

  letIn(now: number): void {
    this.#times.push(now)
    while ((this.#times[this.#secondStart] ?? now) <= now - 1000) this.#secondStart += 1
    while ((this.#times[this.#windowStart] ?? now) <= now - this.#windowMs) this.#windowStart += 1
    this.#mostInASecond = Math.max(this.#mostInASecond, this.#times.length - this.#secondStart)
    this.#mostInAWindow = Math.max(this.#mostInAWindow, this.#times.length - this.#windowStart)
    if (this.#windowStart > 100_000) {
      this.#times = this.#times.slice(this.#windowStart)
      this.#secondStart -= this.#windowStart
      this.#windowStart = 0
    }
  }

  answered(operation: string, status: number | 'dropped'): void {
    const byStatus = (this.#arrivals[operation] ??= {})
    byStatus[status] = (byStatus[status] ?? 0) + 1
    this.#total += 1
  }

  /** A write took effect on this device or room. */
  written(subject: string): void {
    this.#writes.set(subject, (this.#writes.get(subject) ?? 0) + 1)
  }

  read(): Counts {
    return {
      arrivals: structuredClone(this.#arrivals),
      total: this.#total,
      mostInASecond: this.#mostInASecond,
      mostInAWindow: this.#mostInAWindow,
      writes: Object.fromEntries(this.#writes),
    }
  }
}
