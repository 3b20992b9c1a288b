import { Failed, isKind } from '../../contract/failure.ts'
import type { WaitReason } from '../../contract/api/jobs.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import type { Cancel, Clock, Log } from '../platform.ts'
import type { Authorization, Writes } from '../writes/writes.ts'
import {
  believed,
  dueIn,
  hasWorked,
  orForItsWindow,
  standsStillUntil,
  waitReasonAfter,
  type Ending,
} from './item-endings.ts'
import type { Claim, JobRepository, Settled } from './job-repository.ts'
import type { ItemEnding, ItemTools, ItemToRun, JobWorkers } from './job-work.ts'
import type { QueuedItem } from './item-queue.ts'
import type { RunningJob, InFlightItem } from './running-job.ts'

/**
 * Items being sent at once, over all jobs of an organization, without watched ones. As many as the budget
 * allows in a second, for items that take one second; raise it if items take longer.
 */
const atOnce = 16
/**
 * Interval of checks, because timers do not notice that the clock was set or the computer slept. Lower it if
 * start times are met too late.
 */
const lookAgainInMs = 30_000
/**
 * Nothing is sent later automatically after being offline. A running job may wait this
 * long for its connection; raise it if networks fail longer.
 */
const offlineAtMostInMs = 15 * 60_000
/**
 * If the computer sleeps for longer than this after the start time, the job is missed: work confirmed for the
 * night is not sent in the morning. The same time as for the connection; change both together.
 */
export const lateAtMostInMs = 15 * 60_000
/** Interval of looking whether an item is due while there is no connection. Raise it if looking costs time. */
const dueAgainInMs = 1_000
/** Delay before a failed write to the file is retried. Raise it if retries cost time. */
const writtenAgainInMs = 5_000

/** Authorizes no write: for checks only. */
export const noAuthorization: Authorization = {
  signal: AbortSignal.abort(),
  who: null,
  giveBack: () => undefined,
}

interface Reach {
  state(): 'online' | 'offline' | 'unknown'
  /** Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export interface RunnerOptions {
  readonly repository: JobRepository
  readonly workers: JobWorkers
  readonly writes: Writes
  readonly budget: Pick<CallBudget, 'state' | 'onChange'>
  readonly connection: Reach
  readonly clock: Clock
  readonly newId: () => string
  readonly log: Log
  readonly changed: (id: string) => void
}

export interface CurrentWait {
  readonly reason: WaitReason
  /** Wall time; null: not known. */
  readonly until: number | null
}

/** Passes the items of all running jobs to their workers, one job after the other, and stores the results. */
export class Runner {
  readonly #options: RunnerOptions
  /** Jobs whose start time was found missed in this run. */
  readonly missed = new Set<string>()
  readonly #jobs = new Map<string, RunningJob>()
  readonly #working = new Set<Promise<unknown>>()
  /** The program is ending: watches end, and their last results are ignored. */
  readonly #leaving = new AbortController()
  readonly #disposers: readonly (() => void)[]
  /** The service cannot be reached; monotonic time when one item may try again. */
  #offlineLookAt: number | null = null
  #cancelTimer: Cancel = () => undefined
  #closed = false

  constructor(options: RunnerOptions) {
    this.#options = options
    const turn = (): void => this.turn()
    this.#disposers = [options.budget.onChange(turn), options.connection.onChange(turn)]
  }

  get(id: string): RunningJob | undefined {
    return this.#jobs.get(id)
  }
  /** Jobs that run without a person, now or at their time: not paused ones. */
  active(): readonly RunningJob[] {
    return [...this.#jobs.values()].filter((job) => job.state !== 'paused')
  }

  /** Adds a job, to run it or to keep it paused. Its watched items continue to be watched. */
  add(
    job: RunningJob,
    monitored: readonly { readonly item: ItemToRun; readonly state: 'checking' | 'watching' }[],
  ): void {
    this.#jobs.set(job.id, job)
    for (const { item, state } of monitored) {
      const inFlight: InFlightItem = { state, calls: 0, monitoredSince: this.#options.clock.monotonic() }
      job.inFlight.set(item.id, inFlight)
      this.#work(this.#monitor(job, item, inFlight))
    }
    // Actions were locked while it was stored.
    if (job.authorization?.signal.aborted === true) this.#pause(job, reasonOf(job, job.authorization))
    this.turn()
  }

  /** The authorization of a job that resumes. Rejects with Failed `writes-locked` or `cache-unusable`. */
  async authorize(job: RunningJob, unlock: boolean, writes: Writes): Promise<void> {
    const mayWrite = (): boolean => job.authorization?.signal.aborted === false
    if (!mayWrite()) {
      const start = { action: job.work.kind, count: job.unsentItems() }
      const authorization = await writes.authorize(unlock, start)
      if (mayWrite()) authorization.giveBack()
      else this.arm(job, authorization)
      if (unlock) writes.unlock()
    }
  }

  /** When all actions are locked, the job is paused. */
  arm(job: RunningJob, authorization: Authorization): void {
    job.authorization = authorization
    authorization.signal.addEventListener('abort', () => {
      if (
        job.authorization === authorization &&
        job.state === 'running' &&
        this.#jobs.has(job.id) &&
        !this.#closed
      )
        this.#pause(job, reasonOf(job, authorization))
    })
  }

  async pause(job: RunningJob, reason: WaitReason): Promise<void> {
    if (!this.#halt(job, reason)) return
    await this.#options.repository.setState(job.number, 'paused', reason)
    this.#options.changed(job.id)
  }

  /** Pauses a job by itself: at once here, and in the file as soon as it can be written. */
  #pause(job: RunningJob, reason: WaitReason): void {
    if (!this.#halt(job, reason)) return
    const store = async (): Promise<void> => {
      // It may have been resumed or cancelled while the file could not be written.
      if (job.state === 'paused') await this.#options.repository.setState(job.number, 'paused', job.pausedFor)
      this.#options.changed(job.id)
    }
    this.#work(this.#written(store).then(() => undefined))
  }

  #halt(job: RunningJob, reason: WaitReason): boolean {
    if (job.state === 'stopping') return false
    job.state = 'paused'
    job.pausedFor = reason
    job.offlineSince = null
    job.unsent.abort()
    job.speed.goes(false)
    return true
  }

  async resume(job: RunningJob): Promise<void> {
    // One that waited for unlocking past its time is missed; this may not have been noticed yet.
    if (!job.isUnarmed()) job.skipStarts(this.#options.clock.now())
    job.unsent = new AbortController()
    job.pausedFor = null
    job.sendingSince = this.#options.clock.monotonic()
    await this.#options.repository.setState(job.number, 'running', null)
    if (job.state !== 'paused') return // cancelled meanwhile
    job.state = 'running'
    this.#options.changed(job.id)
    this.turn()
  }

  async cancel(job: RunningJob): Promise<void> {
    job.state = 'stopping'
    job.clear()
    job.unsent.abort()
    job.stop.abort()
    const store = async (): Promise<void> => {
      if (await this.#options.repository.cancel(job.number)) this.#finish(job)
      this.#options.changed(job.id)
    }
    try {
      await store()
    } catch (error) {
      // The technician is told; here it stays cancelled, and in the file as soon as it can be written.
      this.#work(this.#written(store).then(() => undefined))
      this.#options.changed(job.id)
      throw error
    }
  }

  /** Why a job currently sends nothing; null: it sends, or nothing is left to send. */
  waits(job: RunningJob): CurrentWait | null {
    const { clock, budget } = this.#options
    const now = clock.now()
    if (job.state === 'paused') return { reason: job.pausedFor ?? 'paused', until: null }
    if (job.state === 'stopping' || job.unsentItems() === 0) return null
    const monotonic = clock.monotonic()
    const nextAt = job.queue.nextAt({ wall: now, monotonic })
    if (nextAt === Infinity) {
      const until = job.queue.opensAt(now)
      return {
        reason: until === null ? 'canary' : (job.starts[0] ?? 0) > now ? 'start-time' : 'window',
        until,
      }
    }
    if (this.#offlineLookAt !== null) return { reason: 'offline', until: null }
    const until = standsStillUntil(budget.state())
    if (until > now) return { reason: 'rate-limited', until }
    if (nextAt <= monotonic) return null
    return { reason: job.queue.nextWaitsFor(now), until: now + nextAt - monotonic }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelTimer()
    for (const end of this.#disposers) end()
    const open = [...this.#jobs.values()]
    for (const job of open) job.unsent.abort()
    const written = open
      .filter((job) => job.state === 'running')
      .map((job) => this.#options.repository.setState(job.number, 'paused', 'locked'))
    this.#leaving.abort()
    await Promise.allSettled([...written, ...this.#working])
    for (const job of open) job.authorization?.giveBack()
  }

  /** Starts every item that may start now and schedules the next check. */
  turn(): void {
    this.#cancelTimer()
    if (this.#closed) return
    const { clock } = this.#options
    const unmet = this.#lookAtStarts()
    const running = [...this.#jobs.values()].filter((job) => job.state === 'running' && job.unsentItems() > 0)
    if (running.length === 0 && unmet.length === 0) return
    this.#lookAtConnection(running)
    for (const job of running) {
      if (job.opensAt !== null && job.opensAt <= clock.now()) job.sendingSince = clock.monotonic()
      job.opensAt = job.queue.opensAt(clock.now())
    }
    this.#start(running)
    let inMs = Math.min(lookAgainInMs, ...unmet.map((startAt) => startAt - clock.now()))
    for (const job of running) {
      const waits = this.waits(job)
      job.speed.goes(waits === null || waits.reason === 'device-minute' || waits.reason === 'rate-limited')
      for (const until of [waits?.until ?? null, job.opensAt])
        if (until !== null) inMs = Math.min(inMs, until - clock.now())
      // The end of an item in flight is the next turn. Past its time no item was due.
      if (waits?.reason === 'offline' && this.#sending() === 0 && this.#offlineLookAt !== null)
        inMs = Math.min(inMs, Math.max(dueAgainInMs, this.#offlineLookAt - clock.monotonic()))
    }
    this.#cancelTimer = clock.after(Math.max(1, inMs), () => this.turn())
  }

  /**
   * Future start times of jobs that are not armed. A job whose start time has passed is missed: what was not
   * sent ends without a request. One with a window is never late: its window keeps it from sending at other
   * times, and recurs.
   */
  #lookAtStarts(): readonly number[] {
    const now = this.#options.clock.now()
    const unmet: number[] = []
    for (const job of [...this.#jobs.values()]) {
      const [startAt] = job.starts
      if (startAt === undefined) continue
      const isUnarmed = job.isUnarmed()
      const isLate = isUnarmed || (job.state === 'running' && now - startAt > lateAtMostInMs)
      if (isUnarmed && startAt > now) unmet.push(startAt)
      else if (isLate && job.terms.window === null) this.#work(this.#miss(job))
      else if (job.state === 'running' && startAt <= now) {
        job.begun = true
        job.skipStarts(now)
      }
    }
    return unmet
  }

  async #miss(job: RunningJob): Promise<void> {
    job.state = 'stopping'
    this.missed.add(job.id)
    job.clear()
    if ((await this.#written(() => this.#options.repository.miss(job.number))) === true) this.#finish(job)
  }

  #sending(): number {
    let sending = 0
    for (const job of this.#jobs.values()) sending += job.sending()
    return sending
  }

  /** Round robin: one item of each job, up to the limit of items being sent. */
  #start(running: readonly RunningJob[]): void {
    const { clock } = this.#options
    let sending = this.#sending()
    for (let some = true; some && sending < atOnce;) {
      some = false
      for (const job of running) {
        if (sending >= atOnce) break
        const waits = this.waits(job)
        const looks =
          waits?.reason === 'offline' &&
          sending === 0 &&
          clock.monotonic() >= (this.#offlineLookAt ?? Infinity)
        if (waits !== null && !looks) continue
        const next = job.queue.take({ wall: clock.now(), monotonic: clock.monotonic() })
        if (next === null) continue
        if (looks) this.#offlineLookAt = clock.monotonic() + lookAgainInMs
        const inFlight: InFlightItem = { state: 'sending', calls: 0, monitoredSince: null }
        job.inFlight.set(next.id, inFlight)
        // A job that got its turn goes to the end.
        this.#jobs.delete(job.id)
        this.#jobs.set(job.id, job)
        this.#work(this.#send(job, next, inFlight))
        some = true
        sending++
      }
    }
  }

  #lookAtConnection(running: readonly RunningJob[]): void {
    const { clock, connection, budget } = this.#options
    const state = connection.state()
    if (state === 'online') this.#offlineLookAt = null
    else if (state === 'offline') this.#offlineLookAt ??= clock.monotonic()
    for (const job of running) {
      const reason = this.waits(job)?.reason
      job.offlineSince =
        reason === 'offline'
          ? (job.offlineSince ?? { wall: clock.now(), monotonic: clock.monotonic() })
          : null
      const { wall, monotonic } = job.offlineSince ?? { wall: Infinity, monotonic: Infinity }
      const isLong = Math.max(clock.now() - wall, clock.monotonic() - monotonic) >= offlineAtMostInMs
      // Nothing is sent automatically after a long hold either.
      if (isLong || (reason === 'rate-limited' && budget.state().heldUntilAt !== null))
        this.#pause(job, reason ?? 'offline')
    }
  }

  #metOffline(): void {
    if (this.#options.connection.state() !== 'online')
      this.#offlineLookAt ??= this.#options.clock.monotonic() + lookAgainInMs
  }

  #work(work: Promise<void>): void {
    const reported = work
      .catch((error: unknown) => this.#reportBug(error))
      .finally(() => this.#working.delete(reported))
    this.#working.add(reported)
  }

  #reportBug(error: unknown): string {
    const reference = this.#options.newId().slice(0, 8)
    this.#options.log.write('error', 'A job stopped because of a bug', {
      reference,
      error: error instanceof Error ? (error.stack ?? String(error)) : String(error),
    })
    return reference
  }

  async #send(job: RunningJob, queued: QueuedItem, inFlight: InFlightItem): Promise<void> {
    const { repository, clock, workers } = this.#options
    const { id } = queued
    const unsent = job.unsent.signal
    let claim: Claim | null
    try {
      claim = await repository.claim(job.number, id, job.id, job.work)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      this.#options.log.write('warn', 'An item of a job cannot be started', {
        job: job.id,
        failure: error.failure.kind,
      })
      job.inFlight.delete(id)
      if (job.state !== 'stopping')
        job.queue.add({ ...queued, dueAt: clock.monotonic() + writtenAgainInMs }, clock.monotonic())
      return this.turn()
    }
    if (claim?.kind !== 'claimed') {
      job.inFlight.delete(id)
      if (claim?.settled.kind === 'ended' && claim.settled.jobEnded) this.#finish(job)
      return this.turn()
    }
    this.#options.changed(job.id)
    job.begun = true
    const { item, reference } = claim
    const since = Math.max(job.sendingSince, job.canaries?.since(queued.family) ?? -Infinity)
    const { window } = queued
    const tools = this.#tools(job, id, inFlight, { reference, unsent, since, window })
    const ending = await this.#endingOf(() => workers[job.work.kind].run(item, tools))
    await this.#settle(job, id, queued, inFlight, orForItsWindow(ending, window, clock.now()))
  }

  async #monitor(job: RunningJob, item: ItemToRun, inFlight: InFlightItem): Promise<void> {
    const tools = this.#tools(job, item.id, inFlight, {
      reference: '',
      unsent: AbortSignal.abort(),
      since: job.sendingSince,
      window: null,
    })
    const ending = await this.#endingOf(() => this.#options.workers[job.work.kind].resume(item, tools))
    await this.#settle(job, item.id, null, inFlight, ending)
  }

  async #endingOf(run: () => Promise<ItemEnding>): Promise<Ending> {
    try {
      return await run()
    } catch (error) {
      if (error instanceof Failed) return { kind: 'broke', failure: error.failure }
      return { kind: 'broke', failure: { kind: 'bug', reference: this.#reportBug(error) } }
    }
  }

  #tools(
    job: RunningJob,
    id: number,
    inFlight: InFlightItem,
    {
      reference,
      unsent,
      since,
      window,
    }: Pick<QueuedItem, 'window'> & { reference: string; unsent: AbortSignal; since: number },
  ): ItemTools {
    const { repository, clock, changed } = this.#options
    return {
      write: {
        authorization: job.authorization ?? noAuthorization,
        reference,
        signal: unsent,
        unlock: false,
        wait: false,
        window,
      },
      since,
      signal: AbortSignal.any([job.stop.signal, this.#leaving.signal]),
      accepted: async (state, journalId) => {
        const calls = inFlight.calls
        const wasSending = inFlight.state === 'sending'
        inFlight.state = state
        inFlight.calls = 0
        if (wasSending) {
          inFlight.monitoredSince = clock.monotonic()
          job.speed.sent()
        }
        await this.#written(() => repository.accepted(id, state, journalId, calls))
        changed(job.id)
        if (wasSending) this.turn()
      },
      called: () => {
        inFlight.calls++
        changed(job.id)
      },
    }
  }

  /** A failed write to the file is retried until the program ends. */
  async #written<T>(write: () => Promise<T>): Promise<T | null> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        this.#options.log.write('warn', 'The outcome of an item of a job cannot be saved', {
          failure: error.failure.kind,
        })
        if (this.#closed) return null
        await new Promise<void>((resolve) => {
          this.#leaving.signal.addEventListener('abort', () => resolve(), { once: true })
          this.#options.clock.after(writtenAgainInMs, resolve)
        })
      }
    }
  }

  /** `queued`: its state before it was sent; null: it was only watched. */
  async #settle(
    job: RunningJob,
    id: number,
    queued: QueuedItem | null,
    inFlight: InFlightItem,
    reported: Ending,
  ): Promise<void> {
    const wasSending = inFlight.state === 'sending'
    // The program is ending: watching resumes at the next start.
    if (!wasSending && this.#closed) return
    const ending = believed(reported)
    const options = {
      keepTrying: job.terms.keepTrying,
      cancelled: job.state === 'stopping',
      calls: inFlight.calls,
    }
    const settled = await this.#written(() => this.#options.repository.settle(id, ending, options))
    job.inFlight.delete(id)
    if (settled === null) return this.turn()
    this.#react(job, id, { queued, wasSending, inFlight }, ending, settled)
    this.#options.changed(job.id)
    this.turn()
  }

  #react(
    job: RunningJob,
    id: number,
    {
      queued,
      wasSending,
      inFlight,
    }: { queued: QueuedItem | null; wasSending: boolean; inFlight: InFlightItem },
    ending: Ending,
    settled: Settled,
  ): void {
    const { clock } = this.#options
    const now = clock.monotonic()
    const failure = settled.kind === 'ended' ? settled.ended.failure : ending.failure
    if (isKind(failure, 'offline')) this.#metOffline()
    else if (this.#options.connection.state() === 'unknown') this.#offlineLookAt = null
    if (settled.kind === 'queued') {
      const [dueInMs, waitsFor] =
        ending.kind === 'again' ? [dueIn(ending, clock.now()), ending.waitsFor] : [0, undefined]
      if (job.state !== 'stopping' && queued !== null)
        job.queue.add({ ...queued, dueAt: now + dueInMs, waitsFor }, now)
    } else if (wasSending) job.speed.sent()
    else if (inFlight.monitoredSince !== null) job.speed.monitored(now - inFlight.monitoredSince)
    if (settled.kind === 'ended' && settled.jobEnded) return this.#finish(job)
    if (job.state === 'stopping') return
    if (settled.kind === 'ended') {
      const worked = hasWorked(settled.ended)
      // A job that is paused already says nothing about a canary that did not work: the next one is tried.
      const idle = settled.ended.detail === 'as-wanted' || (!worked && job.state === 'paused')
      const released = job.canaries?.ended(id, idle, now) ?? null
      for (const item of released ?? []) job.queue.add(item, now)
      if (released !== null && !worked && !idle) this.#pause(job, 'canary')
    }
    if (job.state !== 'running') return
    const reason = waitReasonAfter(ending, failure, queued?.window ?? null)
    if (reason !== null) this.#pause(job, reason)
  }

  #finish(job: RunningJob): void {
    this.#jobs.delete(job.id)
    job.authorization?.giveBack()
    this.#options.changed(job.id)
  }
}

/** Why a job pauses whose authorization ended. One that has not begun stays scheduled, and needs unlocking. */
function reasonOf({ begun, starts, terms }: RunningJob, { signal }: Authorization): WaitReason {
  const isScheduled = !begun && (starts.length > 0 || terms.window !== null)
  return signal.reason === 'policy' && !isScheduled ? 'policy' : 'locked'
}
