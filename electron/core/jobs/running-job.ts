import type { Job, JobTerms, JobWork, WaitReason, ZoneCount } from '../../contract/api/jobs.ts'
import type { Clock } from '../platform.ts'
import { betweenWritesInMs, type Authorization } from '../writes/writes.ts'
import { Canaries, ItemQueue } from './item-queue.ts'
import type { StoredQueueItem, TriedItem } from './job-rows.ts'
import { windowsIn, zoneCounts, type WindowIn } from './start-window.ts'

/** Fewer sent items than this do not allow an estimate. Raise it if first estimates are far off. */
const leastSent = 3

/** The speed of a job since it last resumed, and how long sent items were watched. */
export class JobSpeed {
  readonly #clock: Clock
  #since: number | null = null
  #sent = 0
  #monitored = 0
  #monitoredInMs = 0
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether it runs (true), or waits for something that does not affect its speed (false). */
  goes(on: boolean): void {
    if (!on) this.#since = null
    else if (this.#since === null) {
      this.#since = this.#clock.monotonic()
      this.#sent = 0
    }
  }

  sent(): void {
    this.#sent++
  }

  monitored(forInMs: number): void {
    this.#monitored++
    this.#monitoredInMs += forInMs
  }

  /**
   * Estimated remaining time in ms; null: not known. `lastDueInMs`: when the last item may be sent;
   * `monitoredForInMs`: how long the last sent item has been watched, null: none is.
   */
  left(work: {
    queued: number
    lastDueInMs: number
    monitoredForInMs: number | null
    planned: number
  }): number | null {
    const { queued, lastDueInMs, monitoredForInMs, planned } = work
    if (this.#since === null) return null
    const sending =
      queued === 0
        ? 0
        : this.#sent >= leastSent
          ? ((this.#clock.monotonic() - this.#since) / this.#sent) * queued
          : planned
    const mean = this.#monitored === 0 ? null : this.#monitoredInMs / this.#monitored
    // A room that takes longer than the others has no estimate.
    if (queued === 0 && monitoredForInMs !== null && (mean === null || monitoredForInMs >= mean)) return null
    const looking = queued > 0 ? (mean ?? 0) : Math.max(0, (mean ?? 0) - (monitoredForInMs ?? 0))
    return Math.ceil(Math.max(sending, lastDueInMs, 0) + looking)
  }
}

/** An item that its worker is still processing. */
export interface InFlightItem {
  state: 'sending' | 'checking' | 'watching'
  /** Calls that are not stored yet. */
  calls: number
  /** Monotonic time of acceptance, when watching began; null: not yet. */
  monitoredSince: number | null
}

/**
 * A job that this program runs, or has loaded while it is paused. State that must survive a restart is in the
 * file.
 */
export class RunningJob {
  readonly number: number
  readonly id: string
  readonly work: JobWork
  readonly terms: JobTerms
  readonly asked: number
  readonly target: Job['target']
  readonly windowIn: WindowIn
  readonly zones: readonly ZoneCount[]
  readonly queue = new ItemQueue()
  readonly inFlight = new Map<number, InFlightItem>()
  readonly speed: JobSpeed
  state: 'running' | 'paused' | 'stopping' = 'running'
  /** Why the job is paused. */
  pausedFor: WaitReason | null = null
  /** null: all items may be sent at once. */
  readonly canaries: Canaries | null
  /**
   * Start times that it has not met, earliest first: one for each moment at which a zone starts. From then on
   * its items can be late but not missed.
   */
  starts: readonly number[]
  /** Its first start time was met, or something was sent. */
  begun: boolean
  authorization: Authorization | null = null
  /** Since when it waits for the connection. */
  offlineSince: { readonly wall: number; readonly monotonic: number } | null = null
  /** Monotonic, as `since` of ItemTools. */
  sendingSince: number
  /** When the next closed window of a waiting item opens, wall time; null: all are open. */
  opensAt: number | null = null
  /** Ends waiting and watching: the job is cancelled. */
  readonly stop = new AbortController()
  /** Cancels items that were not sent, when the job is paused or cancelled. Replaced at each resume. */
  unsent = new AbortController()

  /** `queue`, `tried`: its items as stored. `timeZone` applies if its terms name none. `begun`: it was started before. */
  constructor(
    job: Pick<RunningJob, 'number' | 'id' | 'work' | 'terms' | 'asked' | 'target' | 'begun'> & {
      readonly timeZone: string
      readonly queue: readonly StoredQueueItem[]
      readonly tried: readonly TriedItem[]
    },
    clock: Clock,
  ) {
    const { terms, queue } = job
    this.number = job.number
    this.id = job.id
    this.work = job.work
    this.terms = terms
    this.asked = job.asked
    this.target = job.target
    this.windowIn = windowsIn(terms, terms.timeZone ?? job.timeZone)
    this.zones = zoneCounts(
      terms,
      queue.map(({ timeZone, devices }) => [timeZone, devices]),
    )
    this.canaries = terms.canary ? new Canaries() : null
    this.starts = [...new Set(this.zones.flatMap(({ startAt }) => startAt ?? []))].sort((a, b) => a - b)
    this.begun = job.begun
    if (job.begun) this.skipStarts(clock.now())
    this.speed = new JobSpeed(clock)
    const now = clock.monotonic()
    this.sendingSince = now
    for (const item of job.tried) this.canaries?.tried(item)
    for (const { id, position, earliestAt, timeZone, family } of queue) {
      // A time from before a clock adjustment may be far off: the rule is one minute, so no item waits longer.
      const dueInMs = earliestAt === null ? 0 : Math.min(earliestAt - clock.now(), betweenWritesInMs)
      const item = { id, position, dueAt: now + dueInMs, window: this.windowIn(timeZone), family }
      if (this.canaries?.holds(item) !== true) this.queue.add(item, now)
    }
  }

  /** Start times until now were met, or a technician resumed the job after them. */
  skipStarts(now: number): void {
    this.starts = this.starts.filter((startAt) => startAt > now)
  }

  /** It waits for a technician who unlocks it before its time. */
  isUnarmed(): boolean {
    return this.state === 'paused' && this.pausedFor === 'locked' && !this.begun
  }

  /** Items that were not sent yet. */
  unsentItems(): number {
    return this.queue.size + (this.canaries?.size ?? 0)
  }

  clear(): void {
    this.queue.clear()
    this.canaries?.clear()
  }

  sending(): number {
    let sending = 0
    for (const { state } of this.inFlight.values()) if (state === 'sending') sending++
    return sending
  }
}
