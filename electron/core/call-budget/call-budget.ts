import type { BudgetState, WaitReason } from '../../contract/budget.ts'
import { Failed } from '../../contract/failure.ts'
import { DatabaseError, type Cancel, type Clock } from '../host.ts'
import { ForeignLeases } from './foreign-leases.ts'
import { Lease, leaseAtMost, leaseValidForInMs, type CallHistory, type HistoryNews } from './lease.ts'
import { managementLimits, Pace, type CallLimits } from './limits.ts'
import { StartRing } from './start-ring.ts'
import { WaitingLanes, type Waiting } from './waiting-lanes.ts'

export { lostHistory, type CallHistory, type HistoryNews, type LeaseNews } from './lease.ts'
export { belowPublished, managementLimits, type CallLimits, type PublishedLimits } from './limits.ts'

/** interactive before write before refresh before bulk, with ageing. */
export type Lane = 'interactive' | 'write' | 'refresh' | 'bulk'

export interface PlaceRequest {
  readonly lane: Lane
  /** For people: what waits, such as `ListDevices page 4`. */
  readonly label: string
  readonly signal: AbortSignal | null
}

/** Whose turn it is. One per subscription; shared by every caller of that subscription. */
export interface CallBudget {
  /**
   * Resolves at the instant the call may start: the start is already counted in both windows, so start it at once.
   * Rejects with Failed `cancelled` (signal) or `too-busy`.
   */
  place(request: PlaceRequest): Promise<void>
  /** Nothing is sent under this key before `untilAt` (wall time, ms). A later pause extends, an earlier one changes nothing. */
  pauseUntil(untilAt: number): void
  /** The service said 429 although we kept the limits: the pace shrinks by 0.7 and recovers slowly. */
  slowDown(): void
  state(): BudgetState
  /** Called at most ten times a second when the state may have changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface CallBudgetOptions {
  readonly clock: Clock
  /** Spreads the first starts after a pause, so that two programs under one key do not start as one. */
  readonly random: () => number
  /** What was started before and elsewhere (storage/ledger.ts); null: nobody else calls and nothing is remembered. */
  readonly history: CallHistory | null
  /** Default: `managementLimits`. */
  readonly limits?: CallLimits
  /** Calls that may be under way at once. With it, every placed call must be given back with `ended`. */
  readonly parallel?: number
}

/** A budget that also counts calls under way. */
export interface ParallelBudget extends CallBudget {
  /** A call that had its place is over: its answer is read to the end, or it failed. */
  ended(): void
}

/** More waiting calls than this are refused with `too-busy`. Chosen: five times the pages of the largest fleet in the targets. */
export const waitingAtMost = 50_000
/** A window is counted closed at both ends: a start leaves it one millisecond after its length. */
const edgeInMs = 1
/**
 * A start leaves the second only after this much more: the service counts arrivals, and the first ones over cold connections were seen
 * to take 60 ms longer than those a second later. Chosen; costs 6 % of the pace while a burst is followed by the next.
 */
const arrivalSpreadInMs = 60
/** Starts in a row that make up for a late timer; the rest of the second is spread evenly. Chosen: 40 ms of the pace. */
const catchUpInMs = 40
/** Share of the five-minute window that refresh and bulk leave to people and writes, when any called within its length. Chosen. */
const keptForPeople = 0.02
const resumeSpreadInMs = 250
const announceEveryInMs = 100
const busyWaitInMs = 50
const busyTriesAtMost = 40
const lanes: readonly Lane[] = ['interactive', 'write', 'refresh', 'bulk']
const upperLanes = 2

interface WaitingCall extends Waiting {
  readonly go: () => void
  readonly reject: (failure: Failed) => void
  readonly signal: AbortSignal | null
  leave: (() => void) | null
}

/** It has its place, or will never have one: cancelling means nothing to it any more. */
function deafen(call: WaitingCall): void {
  if (call.leave) call.signal?.removeEventListener('abort', call.leave)
}

/** Opens the budget with everything the history remembers; rejects with nothing: a lost history is taken as full windows. */
export async function openCallBudget(options: CallBudgetOptions): Promise<ParallelBudget> {
  const budget = new Scheduler(options)
  await budget.recall()
  return budget
}

/** A budget without memory, ready at once: for a service that publishes no limits but deserves a measured pace. */
export function openPace(options: Omit<CallBudgetOptions, 'history'>): ParallelBudget {
  return new Scheduler({ ...options, history: null })
}

class Scheduler implements ParallelBudget {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #limits: CallLimits
  readonly #parallel: number
  readonly #ring: StartRing
  readonly #foreign: ForeignLeases
  readonly #waiting = new WaitingLanes<WaitingCall>(lanes.length)
  readonly #listeners = new Set<() => void>()
  #pace: Pace
  #history: CallHistory | null
  #lease: Lease | null = null
  #exchanging = false
  #busyTries = 0
  #exchangedAt: number
  #underWay = 0
  /** Monotonic; the end as told, and the moment the first start may follow. */
  #pausedUntil = -Infinity
  #resumeAt = -Infinity
  #nextEvenly = -Infinity
  #peopleAt = -Infinity
  #reason: WaitReason | null = null
  #disarm: Cancel | null = null
  #armedFor = Infinity
  #announcing: Cancel | null = null
  #announcedAt = -Infinity
  #closed = false

  constructor(options: CallBudgetOptions) {
    this.#clock = options.clock
    this.#random = options.random
    this.#history = options.history
    this.#limits = options.limits ?? managementLimits
    this.#parallel = options.parallel ?? Infinity
    this.#pace = new Pace(this.#limits.perSecond)
    this.#ring = new StartRing(this.#limits.perWindow)
    this.#foreign = new ForeignLeases(this.#ring, this.#limits.windowInMs + leaseValidForInMs)
    this.#exchangedAt = this.#clock.monotonic()
  }

  async recall(): Promise<void> {
    if (!this.#history) return
    try {
      const recalled = await this.#history.recall(this.#limits.windowInMs)
      if (recalled === 'lost') this.#fillWindows()
      else this.#learn(recalled, Infinity)
    } catch {
      this.#goOnAlone()
    }
  }

  place({ lane, signal }: PlaceRequest): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (this.#closed || signal?.aborted) return reject(new Failed({ kind: 'cancelled' }))
      if (this.#waiting.size >= waitingAtMost) return reject(new Failed({ kind: 'too-busy', waiting: this.#waiting.size }))
      const call: WaitingCall = {
        lane: lanes.indexOf(lane),
        since: this.#clock.monotonic(),
        before: null,
        after: null,
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

  ended(): void {
    this.#underWay = Math.max(0, this.#underWay - 1)
    if (this.#waiting.size > 0) this.#turn()
  }

  pauseUntil(untilAt: number): void {
    this.#pauseFor(untilAt - this.#clock.now())
    // The ledger is told so that a restart, or the other program, does not call earlier than we were told.
    void this.#history?.pause(untilAt).catch(() => undefined)
    this.#changed()
  }

  slowDown(): void {
    this.#pace.shrink(this.#clock.monotonic())
    this.#changed()
  }

  state(): BudgetState {
    const now = this.#clock.monotonic()
    const pending = this.#foreign.pending(now)
    const { published, windowInMs } = this.#limits
    return {
      second: { used: this.#ring.countAfter(now - 1_000) + pending, limit: published.perSecond },
      fiveMinutes: { used: this.#ring.countAfter(now - windowInMs) + pending, limit: published.perWindow },
      waiting: this.#waiting.size,
      pausedUntil: now < this.#pausedUntil ? Math.ceil(this.#clock.now() + this.#pausedUntil - now) : null,
      waitReason: this.#waiting.size === 0 ? null : now < this.#pausedUntil ? 'paused' : this.#reason,
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#disarm?.()
    this.#announcing?.()
    for (const call of this.#waiting.empty()) {
      deafen(call)
      call.reject(new Failed({ kind: 'cancelled' }))
    }
    // A lease that is never settled counts whole: nothing is lost by failing here.
    await this.#history?.close(this.#lease?.usedAges(this.#clock.monotonic()) ?? null).catch(() => undefined)
  }

  /** Starts everything that may start now, then sees to it that the next one is not forgotten. */
  #turn(): void {
    while (!this.#closed && this.#waiting.size > 0) {
      const now = this.#clock.monotonic()
      if (this.#underWay >= this.#parallel) {
        this.#reason = 'concurrency'
        break
      }
      const { call, at } = this.#next(now)
      if (at > now) {
        this.#arm(at, now)
        break
      }
      if (this.#history && !this.#lease?.usable(now)) {
        void this.#exchange(this.#history)
        break
      }
      this.#waiting.take(call)
      this.#nextEvenly = Math.max(this.#isBusy(now) ? this.#nextEvenly : -Infinity, now - catchUpInMs) + 1_000 / this.#pace.perSecond(now)
      this.#ring.add(now)
      this.#lease?.use(now)
      this.#underWay++
      this.#reason = null
      deafen(call)
      call.go()
    }
    this.#changed()
  }

  /** Who is next, and when. The lower lanes stop a little short of the long window, so a click is not behind a whole fleet. */
  #next(now: number): { call: WaitingCall; at: number } {
    const first = this.#waiting.next(now)!
    if (first.lane < upperLanes) return { call: first, at: this.#opensAt(now, 0) }
    const peopleCall = now - this.#peopleAt < this.#limits.windowInMs
    const at = this.#opensAt(now, peopleCall ? Math.floor(this.#limits.perWindow * keptForPeople) : 0)
    const upper = at > now ? this.#waiting.next(now, upperLanes) : null
    return upper ? { call: upper, at: this.#opensAt(now, 0) } : { call: first, at }
  }

  /** The earliest instant both windows, the pause and the even spread allow a start. Not before `now`. */
  #opensAt(now: number, kept: number): number {
    if (now < this.#resumeAt) {
      this.#reason = 'paused'
      return this.#resumeAt
    }
    const pending = this.#foreign.pending(now)
    const perSecond = this.#pace.perSecond(now)
    const second = this.#freesAt(perSecond - pending, 1_000 + arrivalSpreadInMs)
    const window = this.#freesAt(this.#limits.perWindow - kept - pending, this.#limits.windowInMs)
    const at = Math.max(now, second, window, this.#isBusy(now) ? this.#nextEvenly : now)
    if (at > now) this.#reason = at === window ? 'five-minute-window' : 'second-window'
    return at
  }

  /**
   * The first half of an idle second goes at once, for a person waits; from there on starts are spread, for arrivals bunch. Idle means
   * two seconds: bursts one second apart meet in one window of the service when the first was slow to arrive (cold connections).
   */
  #isBusy(now: number): boolean {
    return this.#ring.latest(Math.max(1, Math.floor(this.#pace.perSecond(now) / 2))) > now - 2_000
  }

  #freesAt(places: number, lengthInMs: number): number {
    return places <= 0 ? this.#foreign.nextEndAt() + edgeInMs : this.#ring.latest(places) + lengthInMs + edgeInMs
  }

  #arm(at: number, now: number): void {
    if (this.#disarm && this.#armedFor <= at && this.#armedFor > now) return
    this.#disarm?.()
    this.#armedFor = at
    this.#disarm = this.#clock.after(at - now, () => {
      this.#disarm = null
      this.#armedFor = Infinity
      this.#turn()
    })
  }

  /** Tells the ledger what the last lease was used for, learns of others, and takes the next lease, all in one transaction. */
  async #exchange(history: CallHistory): Promise<void> {
    if (this.#exchanging) return
    this.#exchanging = true
    // Calls that are asked for together share a lease.
    await Promise.resolve()
    const asked = this.#clock.monotonic()
    const ended = this.#lease?.usedAges(asked) ?? null
    try {
      await history.exchange(ended, (news) => {
        const now = this.#clock.monotonic()
        this.#learn(news, now - this.#exchangedAt)
        this.#exchangedAt = now
        this.#lease = null
        const count = this.#leaseSize(now)
        if (count > 0) this.#lease = new Lease(count, now + leaseValidForInMs)
        return count
      })
      this.#busyTries = 0
    } catch (error) {
      if (error instanceof DatabaseError && error.reason === 'busy' && ++this.#busyTries < busyTriesAtMost) {
        // Nothing was granted: the other program has the file just now.
        this.#lease = null
        this.#clock.after(busyWaitInMs, () => {
          this.#exchanging = false
          this.#turn()
        })
        return
      }
      this.#goOnAlone()
    }
    this.#exchanging = false
    this.#turn()
  }

  #leaseSize(now: number): number {
    if (this.#closed || this.#waiting.size === 0 || this.#next(now).at > now) return 0
    const left = this.#limits.perWindow - this.#ring.countAfter(now - this.#limits.windowInMs - edgeInMs) - this.#foreign.pending(now)
    // No more than half a second's worth: a lease that runs out unused is wasted for everybody.
    return Math.min(leaseAtMost, this.#waiting.size, left, Math.max(1, Math.floor(this.#pace.perSecond(now) / 2)))
  }

  /** What is news since the last exchange is not believed to be older than it: ages come from clocks that may jump. */
  #learn(news: HistoryNews, oldest: number): void {
    const now = this.#clock.monotonic()
    for (const lease of news.leases) {
      if (lease.startAges === null) this.#foreign.opened(lease.id, lease.count, now + lease.validForInMs)
      else
        this.#foreign.settled(
          lease.id,
          lease.startAges.map((age) => now - Math.max(0, Math.min(age, oldest))),
        )
    }
    if (news.pausedForInMs > 0) this.#pauseFor(news.pausedForInMs)
  }

  #pauseFor(inMs: number): void {
    const now = this.#clock.monotonic()
    if (now + inMs <= this.#pausedUntil || inMs <= 0) return
    this.#pausedUntil = now + inMs
    this.#resumeAt = this.#pausedUntil + this.#random() * resumeSpreadInMs
  }

  /** The ledger is lost: as far as we know, everything the windows hold has just been used. */
  #fillWindows(): void {
    const now = this.#clock.monotonic()
    for (let i = 0; i < this.#limits.perWindow; i++) this.#ring.add(now)
  }

  /** The ledger cannot be used any more: full windows once, then half the pace, for another program may be as blind as we are. */
  #goOnAlone(): void {
    this.#history = null
    this.#lease = null
    this.#pace = this.#pace.halve()
    this.#fillWindows()
  }

  #changed(): void {
    if (this.#closed || this.#announcing || this.#listeners.size === 0) return
    const now = this.#clock.monotonic()
    const wait = Math.max(0, this.#announcedAt + announceEveryInMs - now)
    this.#announcing = this.#clock.after(wait, () => {
      this.#announcing = null
      this.#announcedAt = this.#clock.monotonic()
      for (const listener of this.#listeners) listener()
    })
  }
}
