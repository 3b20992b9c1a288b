import type { WaitReason, WindowUse } from '../../contract/api/budget.ts'
import type { CallLimits } from './limits.ts'

/** A window includes both ends: a start leaves it one millisecond after its length. */
const edgeInMs = 1
/**
 * A start leaves the one-second window this much later than it could: the service counts arrivals, and the
 * first ones over cold connections took 60 ms longer than those a second later (measured). It costs 6 % of
 * the rate while bursts follow each other; raise it if connections are slower.
 */
const arrivalSpreadInMs = 60
const secondInMs = 1_000 + arrivalSpreadInMs
/**
 * Starts that may follow each other immediately, to compensate for a late timer; the others are spread
 * evenly. This many take 40 ms at the full rate; raise it if timers fire later.
 */
const catchUpInMs = 40
const unlimited: Parallel = { reads: Infinity, writes: Infinity }

/**
 * Maximum number of calls in flight, by the kind of connection they need: more would wait for a connection.
 */
export interface Parallel {
  readonly reads: number
  /** Each uses its own connection (`freshConnection`). */
  readonly writes: number
}

/**
 * The number of calls that may start now: less than the limits after a 429, while starts cannot be stored,
 * and while a share is reserved for others.
 */
export interface Allowance {
  readonly perSecond: number
  readonly perWindow: number
}

export interface Opening {
  /** Monotonic; Infinity: not before a call in flight has ended. */
  readonly at: number
  /** The reason why calls wait; null: they do not wait. */
  readonly reason: WaitReason | null
}

/** A counted start, to be ended once. */
export interface Started {
  /** Returns whether the call now counts at another time, here and below. */
  dispatched(now: number): boolean
  ended(now: number): boolean
}

/**
 * The starts of this run and earlier ones, and when both windows allow the next start. Times are of the
 * monotonic clock.
 */
export class Windows {
  readonly #limits: CallLimits
  readonly #ring: StartRing
  readonly #inFlight: InFlight | null
  #nextEvenly = -Infinity

  /** `parallel` null: ends of calls are not reported, and the number in flight has no limit. */
  constructor(limits: CallLimits, parallel: Parallel | null) {
    this.#limits = limits
    this.#ring = new StartRing(limits.perWindow)
    this.#inFlight = parallel && new InFlight({ ...unlimited, ...parallel })
  }

  /** Whether a connection of this kind is free. */
  isFree(writes: boolean): boolean {
    return this.#inFlight?.isFree(writes) ?? true
  }

  opensAt(now: number, { perSecond, perWindow }: Allowance): Opening {
    // A call that left a window but has not ended may reach the service only now.
    const late = (lengthInMs: number): number => this.#inFlight?.startedUpTo(now - lengthInMs) ?? 0
    const second = this.#freesAt(perSecond - late(secondInMs), secondInMs)
    const window = this.#freesAt(perWindow - late(this.#limits.windowInMs), this.#limits.windowInMs)
    const at = Math.max(now, second, window, this.#isBusy(now, perSecond) ? this.#nextEvenly : now)
    return {
      at,
      reason:
        at <= now
          ? null
          : at === Infinity
            ? 'concurrency'
            : at === window
              ? 'five-minute-window'
              : 'second-window',
    }
  }

  start(now: number, perSecond: number, writes: boolean): Started {
    this.#nextEvenly =
      Math.max(this.#isBusy(now, perSecond) ? this.#nextEvenly : -Infinity, now - catchUpInMs) +
      1_000 / perSecond
    this.#ring.add(now)
    let counted = now
    let call = this.#inFlight?.begin(now, writes)
    const count = (at: number): boolean => {
      this.#ring.moveToEnd(counted, at)
      counted = at
      return true
    }
    return {
      dispatched: (at) => {
        call = call && this.#inFlight?.moveToEnd(call, at)
        return count(at)
      },
      ended: (at) => call !== undefined && this.#inFlight?.end(call, at) === 'late' && count(at),
    }
  }

  /** The starts of earlier runs, as ages in ms, oldest first. */
  recalled(ages: readonly number[], now: number): void {
    for (const age of ages) this.#ring.add(now - age)
  }

  /** For people, relative to the published limits. */
  used(now: number): { readonly second: WindowUse; readonly fiveMinutes: WindowUse } {
    const { published, windowInMs } = this.#limits
    const use = (lengthInMs: number, limit: number): WindowUse => ({
      used: this.#ring.countAfter(now - lengthInMs),
      limit,
    })
    return { second: use(1_000, published.perSecond), fiveMinutes: use(windowInMs, published.perWindow) }
  }

  /**
   * The first half of an idle second starts at once, because a person waits; the others are spread, because
   * arrivals bunch. Idle means two seconds: bursts one second apart can fall into one window of the service
   * when the first was slow to arrive (cold connections).
   */
  #isBusy(now: number, perSecond: number): boolean {
    return this.#ring.latest(Math.max(1, Math.floor(perSecond / 2))) > now - 2_000
  }

  #freesAt(places: number, lengthInMs: number): number {
    return places <= 0 ? Infinity : this.#ring.latest(places) + lengthInMs + edgeInMs
  }
}

/**
 * The latest starts, oldest first, on the monotonic clock: one ring for both windows. Appending and reading
 * the n-th latest take constant time, counting logarithmic time.
 */
export class StartRing {
  readonly #times: Float64Array
  #next = 0
  #count = 0

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity)
  }

  /** Not earlier than the latest one. */
  add(at: number): void {
    const capacity = this.#times.length
    this.#times[this.#next] = at
    this.#next = (this.#next + 1) % capacity
    this.#count = Math.min(this.#count + 1, capacity)
  }

  /**
   * A start counted at `from` may have happened as late as `to`, but no earlier than any other: from now on
   * it counts at `to`.
   */
  moveToEnd(from: number, to: number): void {
    let nth = this.countAfter(from) + 1
    if (this.latest(nth) !== from) return this.add(to)
    for (; nth > 1; nth--) this.#times[this.#slot(nth)] = this.latest(nth - 1)
    this.#times[this.#slot(1)] = to
  }

  /** When the n-th latest start happened (1: the last one); -Infinity when there were fewer. */
  latest(nth: number): number {
    return nth > this.#count ? -Infinity : this.#times[this.#slot(nth)]!
  }

  /** How many starts are younger than `at`. */
  countAfter(at: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.latest(middle) > at) low = middle
      else high = middle - 1
    }
    return low
  }

  #slot(nth: number): number {
    const capacity = this.#times.length
    return (this.#next - nth + capacity) % capacity
  }
}

interface Call {
  readonly startedAt: number
  readonly writes: boolean
}

/**
 * A call is late when it takes this multiple of the usual duration, but at least the first and at most the
 * second bound. Raise the multiple if normal calls are reported as late.
 */
const lateFactor = 3
const lateAfterAtLeastInMs = 200
const lateAfterAtMostInMs = 1_000
/**
 * Weight of the newest duration in the usual one: about twenty calls after a stall it is back at its former
 * value. Raise it if the value follows too slowly.
 */
const newestShare = 1 / 8
/**
 * Number of calls of a kind before the usual duration is known: until then each is late. Measured on a busy
 * machine: the first dozen calls to a service that had just started stalled for half a second, arrived
 * together, and got a 429. This costs their duration, once.
 */
const learntFrom = 20

/**
 * Calls that were started and have not ended. It is not known when a late call reached the service: it may
 * have been in a buffer until the end. All times are of the monotonic clock.
 */
export class InFlight {
  readonly #parallel: Parallel
  /** Ordered by start. */
  readonly #calls = new Set<Call>()
  #writes = 0
  /** Usual duration of calls, reads and writes separately, and the number of calls behind it. */
  readonly #usual = { reads: { inMs: 0, of: 0 }, writes: { inMs: 0, of: 0 } }

  constructor(parallel: Parallel) {
    this.#parallel = parallel
  }

  isFree(writes: boolean): boolean {
    return writes
      ? this.#writes < this.#parallel.writes
      : this.#calls.size - this.#writes < this.#parallel.reads
  }

  begin(startedAt: number, writes: boolean): Call {
    const call = { startedAt, writes }
    this.#calls.add(call)
    if (writes) this.#writes++
    return call
  }

  /** It starts only now, after every other. */
  moveToEnd(call: Call, startedAt: number): Call {
    this.#calls.delete(call)
    const moved = { ...call, startedAt }
    this.#calls.add(moved)
    return moved
  }

  /** Returns whether the call was late; null: it had already ended. */
  end(call: Call, now: number): 'late' | 'in-time' | null {
    if (!this.#calls.delete(call)) return null
    if (call.writes) this.#writes--
    const usual = this.#usual[call.writes ? 'writes' : 'reads']
    const took = now - call.startedAt
    const lateAfter =
      usual.of < learntFrom
        ? 0
        : Math.min(lateAfterAtMostInMs, Math.max(lateAfterAtLeastInMs, usual.inMs * lateFactor))
    const newest = Math.min(took, lateAfterAtMostInMs)
    usual.inMs = usual.of === 0 ? newest : usual.inMs + (newest - usual.inMs) * newestShare
    usual.of++
    return took > lateAfter ? 'late' : 'in-time'
  }

  /** How many of them started at `at` or before. */
  startedUpTo(at: number): number {
    let count = 0
    for (const { startedAt } of this.#calls) {
      if (startedAt > at) break
      count++
    }
    return count
  }
}
