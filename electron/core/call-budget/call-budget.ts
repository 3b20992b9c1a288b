import type { BudgetState, WaitReason } from '../../contract/api/budget.ts'
import { Failed } from '../../contract/failure.ts'
import { throttle, type Throttle } from '../throttle.ts'
import type { Cancel, Clock } from '../platform.ts'
import { AllowedRate, longestPauseInMs, managementLimits, Pauses, type CallLimits } from './limits.ts'
import { SavedHistory, type StoredCalls } from './saved-history.ts'
import { WaitingLanes, type Queued } from './waiting-lanes.ts'
import { Windows, type Allowance, type Opening, type Parallel } from './windows.ts'
import { Listeners } from '../listeners.ts'

export { belowPublished, longestPauseInMs, managementLimits, type CallLimits } from './limits.ts'
export type { Parallel } from './windows.ts'

/** interactive before write before refresh before bulk, with aging. */
export type Lane = 'interactive' | 'write' | 'refresh' | 'bulk'

/** The one call that a person requests while the service holds the subscription. */
export type BudgetException = 'hold'

interface PlaceRequest {
  readonly lane: Lane
  /** For people: the waiting call, such as `ListDevices page 4`. */
  readonly label: string
  readonly signal: AbortSignal | null
  /** Uses its own connection. Default: false. */
  readonly writes?: boolean
  /** Default: none. */
  readonly exception?: BudgetException | undefined
}

/** A counted start. */
export interface Place {
  /** The call is sent only now, because something was awaited first: its start moves to this moment. */
  dispatched(): void
  /**
   * The call has ended: its response was read completely, it failed, or it was not sent. Until then it
   * occupies its connection.
   */
  ended(): void
}

/**
 * A refused call waits a whole second for the limit of a second, and longer for that of five minutes (observed
 * of the demonstration; `Retry-After` has whole seconds).
 */
const waitOfASecondInMs = 1_500

/** Schedules the calls. One per subscription; shared by every caller of that subscription. */
export interface CallBudget {
  /**
   * Resolves when the call may start and a connection is free for it. The start is already counted in both
   * windows, so start at once. Rejects with Failed `cancelled` (signal), `too-busy`, or `rate-limited` (held;
   * its `host` is empty).
   */
  place(request: PlaceRequest): Promise<Place>
  /**
   * Nothing is sent with this key before `untilAt` (wall time, ms). A later pause extends it, an earlier one
   * changes nothing. A pause beyond a quarter of an hour is a hold: calls do not wait for it, and it remains
   * until then, or until `lift`. `limited`: the service refused a read as one too many (429).
   */
  pauseUntil(untilAt: number, limited?: boolean): void
  /**
   * The service responded to the call that was requested despite the hold: it accepts calls again (null), or
   * gave another duration.
   */
  renewHold(untilAt: number | null): void
  /**
   * The service returned 429 although the limits were kept: the rate is multiplied by 0.7 and recovers
   * slowly.
   */
  slowDown(): void
  state(): BudgetState
  /**
   * The listener is called at most ten times a second when the state may have changed. Returns the function
   * that ends it.
   */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface CallBudgetOptions {
  readonly clock: Clock
  /** Spreads the first starts after a pause, so that two computers with one key do not start in step. */
  readonly random: () => number
  /** Where calls are stored for later runs; null: nowhere. */
  readonly history: StoredCalls | null
  /** Default: `managementLimits`. */
  readonly limits?: CallLimits
  /**
   * Maximum of calls in flight: the number of connections. With it, every place must be ended. Default: no
   * limit.
   */
  readonly parallel?: Parallel
}

/**
 * Further calls are refused with `too-busy`. Five times the pages of the largest fleet in the targets; raise
 * it for larger fleets.
 */
export const waitingAtMost = 50_000
/**
 * Share of the five-minute window that refresh and bulk leave to people and writes, if any of those called
 * within its length. Raise it if clicks wait behind a sync.
 */
const reservedForPeople = 0.02
const emitEveryInMs = 100
/**
 * The end of a hold is shown within this time, also after the computer slept. Lower it if the display lags.
 */
const showEndOfHoldWithinMs = 5_000
const lanes: readonly Lane[] = ['interactive', 'write', 'refresh', 'bulk']
/** Exceptions come before all lanes. */
const exceptionLane = 0
const upperLanes = 3

interface WaitingCall extends Queued {
  readonly exception: BudgetException | undefined
  readonly label: string
  readonly go: (place: Place) => void
  readonly reject: (failure: Failed) => void
  readonly signal: AbortSignal | null
  leave: (() => void) | null
}

/** It has started or was rejected: cancelling has no effect any more. */
function deafen(call: WaitingCall): void {
  if (call.leave) call.signal?.removeEventListener('abort', call.leave)
}

/** Opens the budget with the calls of earlier runs. Never rejects. */
export async function openCallBudget(options: CallBudgetOptions): Promise<CallBudget> {
  const budget = new Scheduler(options)
  await budget.recall()
  return budget
}

/**
 * A budget without stored history, ready at once, for a service that publishes no limits but should still be
 * called at a limited rate.
 */
export function openPace(options: Omit<CallBudgetOptions, 'history'>): CallBudget {
  return new Scheduler({ ...options, history: null })
}

class Scheduler implements CallBudget {
  readonly #clock: Clock
  readonly #limits: CallLimits
  readonly #windows: Windows
  readonly #rate: AllowedRate
  readonly #pauses: Pauses
  readonly #history: SavedHistory
  readonly #waiting = new WaitingLanes<WaitingCall>(1 + lanes.length)
  readonly #listeners = new Listeners()
  readonly #throttle: Throttle
  #peopleAt = -Infinity
  #reason: WaitReason | null = null
  /** As `byOthers` of the state. */
  #byOthers: number | null = null
  #disarm: Cancel | null = null
  #armedFor = Infinity
  #stopWatching: Cancel | null = null
  #closed = false

  constructor({ clock, random, history, limits = managementLimits, parallel }: CallBudgetOptions) {
    this.#clock = clock
    this.#limits = limits
    this.#windows = new Windows(limits, parallel ?? null)
    this.#rate = new AllowedRate(limits.perSecond)
    this.#pauses = new Pauses(clock, random)
    this.#history = new SavedHistory(history, clock, limits, () => this.#turn())
    this.#throttle = throttle(clock, emitEveryInMs, () => {
      this.#listeners.notify()
    })
  }

  async recall(): Promise<void> {
    const { ages, pausedForInMs, held } = await this.#history.recall()
    this.#windows.recalled(ages, this.#clock.monotonic())
    this.#pauses.pause(pausedForInMs)
    if (held !== null) this.#pauses.hold(held, false)
    this.#failOnHold()
  }

  place({ lane, label, signal, writes = false, exception }: PlaceRequest): Promise<Place> {
    return new Promise<Place>((resolve, reject) => {
      if (this.#closed || signal?.aborted) return reject(new Failed({ kind: 'cancelled' }))
      if (this.#waiting.size >= waitingAtMost)
        return reject(new Failed({ kind: 'too-busy', waiting: this.#waiting.size }))
      const hold = exception === 'hold' ? null : this.#pauses.currentHold()
      if (hold !== null) return reject(holdFailure(label, hold.untilAt))
      const call: WaitingCall = {
        lane: exception === 'hold' ? exceptionLane : 1 + lanes.indexOf(lane),
        writes,
        since: this.#clock.monotonic(),
        before: null,
        after: null,
        exception,
        label,
        go: resolve,
        reject,
        signal,
        leave: null,
      }
      if (signal) {
        call.leave = () => {
          this.#waiting.remove(call)
          reject(new Failed({ kind: 'cancelled' }))
          this.#changed()
        }
        signal.addEventListener('abort', call.leave, { once: true })
      }
      this.#waiting.add(call)
      if (call.lane < upperLanes) this.#peopleAt = call.since
      this.#turn()
    })
  }

  pauseUntil(untilAt: number, limited = false): void {
    const forInMs = untilAt - this.#clock.now()
    const { second, fiveMinutes } = this.#windows.used(this.#clock.monotonic())
    const [{ used, limit }, own] =
      forInMs > waitOfASecondInMs ? [fiveMinutes, this.#limits.perWindow] : [second, this.#limits.perSecond]
    this.#byOthers = limited && used < own ? limit - used : null
    // Stored so that no call is made too early after a restart.
    if (forInMs > longestPauseInMs) {
      if (this.#pauses.hold({ forInMs, untilAt }, false)) this.#history.wait('hold', { forInMs, untilAt })
      this.#failOnHold()
    } else if (this.#pauses.pause(forInMs)) this.#history.wait('pause', { forInMs, untilAt })
    this.#changed()
  }

  renewHold(untilAt: number | null): void {
    const hold = untilAt === null ? null : { forInMs: untilAt - this.#clock.now(), untilAt }
    if (hold === null) this.#pauses.lift()
    if (hold === null || this.#pauses.hold(hold, true)) this.#history.wait('hold', hold)
    this.#turn()
  }

  slowDown(): void {
    this.#rate.shrink(this.#clock.monotonic())
    this.#changed()
  }

  state(): BudgetState {
    const now = this.#clock.monotonic()
    const pausedUntil = this.#pauses.pausedUntilAt()
    const heldUntilAt = this.#pauses.currentHold()?.untilAt ?? null
    const isPaused = pausedUntil !== null || heldUntilAt !== null
    return {
      ...this.#windows.used(now),
      waiting: this.#waiting.size,
      pausedUntil,
      heldUntilAt,
      ...(isPaused && this.#byOthers !== null ? { byOthers: this.#byOthers } : {}),
      waitReason: this.#waiting.size === 0 ? null : pausedUntil !== null ? 'paused' : this.#reason,
      history: this.#history.trouble,
    }
  }

  readonly onChange = this.#listeners.add

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#disarm?.()
    this.#stopWatching?.()
    this.#throttle.close()
    for (const call of this.#waiting.empty()) {
      deafen(call)
      call.reject(new Failed({ kind: 'cancelled' }))
    }
    await this.#history.close()
  }

  /** Starts every call that may start now and schedules the next one. */
  #turn(): void {
    while (!this.#closed && this.#waiting.size > 0) {
      const now = this.#clock.monotonic()
      const { call, at, reason } = this.#next(now)
      this.#reason = reason
      if (call === null) break
      if (at > now) {
        this.#arm(at, now)
        break
      }
      if (!this.#history.isReady) {
        this.#history.open()
        break
      }
      this.#waiting.take(call)
      deafen(call)
      call.go(this.#start(now, call.writes))
    }
    this.#changed()
  }

  #start(now: number, writes: boolean): Place {
    const started = this.#windows.start(now, this.#allowance(now, 0).perSecond, writes)
    let second = this.#history.started()
    const moved = (has: boolean): void => {
      if (has) second = this.#history.moved(second)
    }
    return {
      dispatched: () => moved(started.dispatched(this.#clock.monotonic())),
      ended: () => {
        moved(started.ended(this.#clock.monotonic()))
        if (this.#waiting.size > 0) this.#turn()
      },
    }
  }

  /**
   * The next call and its time. The lower lanes stop slightly below the long window's limit, so that a click
   * does not wait behind a whole fleet.
   */
  #next(now: number): Opening & { readonly call: WaitingCall | null } {
    const isFree = (writes: boolean): boolean => this.#windows.isFree(writes)
    const exception = this.#waiting.next(now, isFree, exceptionLane + 1)
    if (exception !== null) return { call: exception, ...this.#opensAt(now, 0) }
    const first = this.#waiting.next(now, isFree)
    if (first === null) return { call: null, at: Infinity, reason: 'concurrency' }
    if (first.lane < upperLanes) return { call: first, ...this.#opensAt(now, 0) }
    const peopleCall = now - this.#peopleAt < this.#limits.windowInMs
    const opening = this.#opensAt(
      now,
      peopleCall ? Math.floor(this.#limits.perWindow * reservedForPeople) : 0,
    )
    const upper = opening.at > now ? this.#waiting.next(now, isFree, upperLanes) : null
    return upper === null ? { call: first, ...opening } : { call: upper, ...this.#opensAt(now, 0) }
  }

  /** The earliest moment that both windows, the pause and the even spread allow. Not before `now`. */
  #opensAt(now: number, reserved: number): Opening {
    const { resumeAt } = this.#pauses
    return now < resumeAt
      ? { at: resumeAt, reason: 'paused' }
      : this.#windows.opensAt(now, this.#allowance(now, reserved))
  }

  /** While starts cannot be stored, half of both limits is left to the next run, which may not know them. */
  #allowance(now: number, reserved: number): Allowance {
    const half = (limit: number): number =>
      this.#history.trouble === null ? limit : Math.max(1, Math.floor(limit / 2))
    return { perSecond: half(this.#rate.perSecond(now)), perWindow: half(this.#limits.perWindow) - reserved }
  }

  /** Calls do not wait for the end of a hold. */
  #failOnHold(): void {
    const hold = this.#pauses.currentHold()
    if (hold === null) return
    for (const call of [...this.#waiting.empty()]) {
      if (call.exception === 'hold') {
        this.#waiting.add(call)
        continue
      }
      deafen(call)
      call.reject(holdFailure(call.label, hold.untilAt))
    }
    this.#showEndOfHold()
  }

  #showEndOfHold(): void {
    if (this.#closed || this.#stopWatching !== null) return
    this.#stopWatching = this.#clock.after(showEndOfHoldWithinMs, () => {
      this.#stopWatching = null
      if (this.#pauses.currentHold() !== null) this.#showEndOfHold()
      else this.#changed()
    })
  }

  #arm(at: number, now: number): void {
    // A call in flight starts the next one when it ends.
    if (at === Infinity || (this.#disarm && this.#armedFor <= at && this.#armedFor > now)) return
    this.#disarm?.()
    this.#armedFor = at
    this.#disarm = this.#clock.after(at - now, () => {
      this.#disarm = null
      this.#armedFor = Infinity
      this.#turn()
    })
  }

  #changed(): void {
    if (!this.#closed && this.#listeners.size > 0) this.#throttle.happened()
  }
}

const holdFailure = (operation: string, untilAt: number): Failed =>
  new Failed({ kind: 'rate-limited', call: { operation, host: null }, untilAt, held: true })
