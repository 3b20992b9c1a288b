import type { WaitReason, WindowUse } from '../../contract/api/budget.ts'
import { InFlight, type Parallel } from './in-flight.ts'
import type { CallLimits } from './limits.ts'
import { StartRing } from './start-ring.ts'

/** A window is counted closed at both ends: a start leaves it one millisecond after its length. */
const edgeInMs = 1
/**
 * A start leaves the second only after this much more: the service counts arrivals, and the first ones over cold connections were seen
 * to take 60 ms longer than those a second later. Chosen; costs 6 % of the pace while a burst is followed by the next.
 */
const arrivalSpreadInMs = 60
const secondInMs = 1_000 + arrivalSpreadInMs
/** Starts in a row that make up for a late timer; the rest of the second is spread evenly. Chosen: 40 ms of the pace. */
const catchUpInMs = 40
const unlimited: Parallel = { reads: Infinity, writes: Infinity }

/** What may be started now: less than the limits after a 429, while starts cannot be written, and where some is kept for others. */
export interface Allowance {
  readonly perSecond: number
  readonly perWindow: number
}

export interface Opening {
  /** Monotonic; Infinity: not before a call in flight has ended. */
  readonly at: number
  /** What is waited for; null: nothing. */
  readonly reason: WaitReason | null
}

/** A counted start, to be ended once. */
export interface Started {
  ended(now: number): void
}

/** What was started, in this run and before, and when both windows allow the next start. Times are of the monotonic clock. */
export class Windows {
  readonly #limits: CallLimits
  readonly #ring: StartRing
  readonly #inFlight: InFlight | null
  #nextEvenly = -Infinity
  #fullUntil = -Infinity

  /** `parallel` null: nobody says when a call is over, and as many may be in flight as will. */
  constructor(limits: CallLimits, parallel: Parallel | null) {
    this.#limits = limits
    this.#ring = new StartRing(limits.perWindow)
    this.#inFlight = parallel && new InFlight({ ...unlimited, ...parallel })
  }

  /** Until then both count as full. */
  get fullUntil(): number {
    return this.#fullUntil
  }
  set fullUntil(until: number) {
    this.#fullUntil = until
  }

  /** Whether a connection of this kind is free. */
  isFree(writes: boolean): boolean {
    return this.#inFlight?.isFree(writes) ?? true
  }

  /** `evenIfFull`: what was started before is not known, and this one may start nevertheless. */
  opensAt(now: number, { perSecond, perWindow }: Allowance, evenIfFull = false): Opening {
    if (now < this.#fullUntil && !evenIfFull) return { at: this.#fullUntil, reason: 'five-minute-window' }
    // A call that left a window and is not over may reach the service only now.
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
    const call = this.#inFlight?.begin(now, writes)
    return {
      ended: (at) => {
        if (call && this.#inFlight?.end(call, at) === 'late') this.#ring.moveToEnd(now, at)
      },
    }
  }

  /** What earlier runs started, so long ago (ms). */
  recalled(ages: readonly number[], now: number): void {
    for (const age of ages) this.#ring.add(now - age)
  }

  /** For people, against the published limits. */
  used(now: number): { readonly second: WindowUse; readonly fiveMinutes: WindowUse } {
    const { published, windowInMs } = this.#limits
    const use = (lengthInMs: number, limit: number): WindowUse => ({
      used: now < this.#fullUntil ? limit : this.#ring.countAfter(now - lengthInMs),
      limit,
    })
    return { second: use(1_000, published.perSecond), fiveMinutes: use(windowInMs, published.perWindow) }
  }

  /**
   * The first half of an idle second goes at once, for a person waits; from there on starts are spread, for arrivals bunch. Idle means
   * two seconds: bursts one second apart meet in one window of the service when the first was slow to arrive (cold connections).
   */
  #isBusy(now: number, perSecond: number): boolean {
    return this.#ring.latest(Math.max(1, Math.floor(perSecond / 2))) > now - 2_000
  }

  #freesAt(places: number, lengthInMs: number): number {
    return places <= 0 ? Infinity : this.#ring.latest(places) + lengthInMs + edgeInMs
  }
}
