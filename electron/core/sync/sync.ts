import type { BudgetState } from '../../contract/api/budget.ts'
import type { UnreadableRecord } from '../../contract/api/devices.ts'
import { Failed, orNull, type Failure } from '../../contract/failure.ts'
import type { Comparing, ProductNotCompared } from '../../contract/api/firmware.ts'
import type { ComparedSync, SyncReport, SyncState } from '../../contract/api/sync.ts'
import type { Cancel, Clock } from '../platform.ts'
import type { Management } from '../management/management.ts'
import { pause } from '../pause.ts'
import type { Store } from '../storage/store.ts'
import type { AcceptedGone, Held } from './end-sync.ts'
import { lastReports, sentIds } from './sync-rows.ts'
import { runSync } from './sync-run.ts'
import { unreadableRecords } from './unreadable-records.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'
import type { RunningTask, Tasks } from '../tasks.ts'

export { refreshRoom } from './room-refresh.ts'

/** Minimum interval, regardless of requests: that of an observed client (services.md#B43). */
const leastInMs = 30_000
/** Planned syncs never use more than 30 % of the published 10,000 calls in five minutes. */
const plannedCallsPerMs = (0.3 * 10_000) / 300_000
/**
 * How long a sync waits until the list that was empty requests its first rows: its page may have been closed.
 * The page polls twice a second; raise it with that interval.
 */
const requestedWithinInMs = 1_000
/** How long returned rows take to appear on screen. Measured: 30 ms, on two busy cores. */
const drawnWithinInMs = 100

interface SyncProgress {
  /** Records written since the last event. */
  readonly devices: number
  readonly rooms: number
}

/** Keeps one organization's mirror up to date. */
export interface Sync {
  /**
   * Reads everything, or joins the running sync. A sync that was interrupted but stored something returns
   * `complete: false`; one that stored nothing rejects with Failed.
   */
  run(): Promise<SyncReport>
  /**
   * As `run`, but marks what is not listed as gone, if the last sync held exactly these records and they are
   * as many as this. Begins after a running sync.
   */
  acceptGone(count: number): Promise<SyncReport>
  cancel(): void
  /** A device's id as the service last spelt it. */
  sentId(deviceId: string): string
  state(): SyncState
  /** After each page, and once more at the end. Returns the function that ends it. */
  onProgress(listener: (progress: SyncProgress) => void): () => void
  /**
   * Schedules the next sync this long after the end of the last one in this run; 0: none. An overdue one
   * starts at once.
   */
  schedule(everyInMs: number): void
  /** Unreadable records of the last sync: not an object, or without a usable id. */
  unreadable(): Promise<readonly UnreadableRecord[]>
  /** Cancels the running sync, waits for its end and schedules no other. */
  close(): Promise<void>
}

export interface SyncOptions {
  readonly clock: Clock
  readonly management: Management
  readonly store: Store
  readonly organizationId: string
  /**
   * Identifies the service and the keys: a sync is resumed only with the same ones, and is incomplete if they
   * change while it runs. Empty: not known yet, so nothing was read. Missing: they never change.
   */
  readonly source?: () => string
  /** Used for the reason why a sync waits. */
  readonly budget?: () => BudgetState
  /** Attempts of this sync so far, including failed ones; missing: those of the calls with a response. */
  readonly attempts?: () => number
  /** Whether a call of this organization waits for a retry. */
  readonly retrying?: () => boolean
  /**
   * Rows of this organization changed: their caches are outdated. `more-to-come` after each page, `settled`
   * at the end.
   */
  readonly changed?: (organizationId: string, how: 'settled' | 'more-to-come') => void
  /**
   * Settles when the list of devices, viewed while empty, was returned with rows; null: it was not viewed.
   */
  readonly firstRows?: () => Promise<void> | null
  /** Reports a bug in a planned sync, because no caller waits. */
  readonly onError?: (error: unknown) => void
}

export async function openSync(options: SyncOptions): Promise<Sync> {
  const { database } = options.store
  return new OrganizationSync(
    options,
    await lastReports(database, options.organizationId),
    await sentIds(database, options.organizationId),
  )
}

class OrganizationSync implements Sync {
  readonly #options: SyncOptions
  readonly #listeners = new Listeners<[progress: SyncProgress]>()
  #running: {
    readonly promise: Promise<SyncReport>
    readonly stop: AbortController
    readonly startedAt: number
  } | null = null
  #devicesRead = 0
  #roomsRead = 0
  #pages = 0
  /** Devices and rooms that the previous, interrupted sync had read. */
  #readBefore = 0
  #reported = { devices: 0, rooms: 0 }
  #last: SyncReport | null
  #notes: readonly string[]
  #complete: SyncReport | null
  #lastFailure: Failure | null = null
  #held: Held | null
  #sentIds: ReadonlyMap<string, string>
  #everyInMs = 0
  /** Monotonic time; null: none yet in this run. */
  #endedAt: number | null = null
  #next: { readonly at: number; readonly cancel: Cancel } | null = null
  #closed = false

  constructor(
    options: SyncOptions,
    { last, notes, complete, held }: Awaited<ReturnType<typeof lastReports>>,
    sent: ReadonlyMap<string, string>,
  ) {
    this.#sentIds = sent
    this.#options = options
    this.#last = last
    this.#notes = notes
    this.#complete = complete
    this.#held = held
  }

  run(): Promise<SyncReport> {
    return this.#running?.promise ?? this.#begin(null)
  }

  async acceptGone(count: number): Promise<SyncReport> {
    const digest = this.#held?.digest ?? null
    while (this.#running) await this.#running.promise.catch(() => undefined)
    return this.#begin({ count, digest })
  }

  #begin(accepted: AcceptedGone | null): Promise<SyncReport> {
    if (this.#closed) return Promise.reject(new Failed({ kind: 'cancelled' }))
    const stop = new AbortController()
    this.#unplan()
    this.#devicesRead = this.#roomsRead = this.#pages = this.#readBefore = 0
    this.#reported = { devices: 0, rooms: 0 }
    const promise = this.#run(stop.signal, accepted).finally(() => {
      this.#running = null
      this.#endedAt = this.#options.clock.monotonic()
      this.#plan()
      this.#emit()
    })
    this.#running = { promise, stop, startedAt: this.#options.clock.now() }
    this.#emit()
    return promise
  }

  cancel(): void {
    this.#running?.stop.abort()
  }

  state(): SyncState {
    return {
      running: this.#running !== null,
      progress: {
        done: this.#readBefore + this.#devicesRead + this.#roomsRead,
        total: this.#complete === null ? null : this.#complete.devices.read + this.#complete.rooms.read,
      },
      startedAt: this.#running?.startedAt ?? null,
      devicesRead: this.#devicesRead,
      roomsRead: this.#roomsRead,
      pages: this.#pages,
      waitingFor: this.#running ? this.#waitingFor() : null,
      last: this.#last,
      lastFailure: this.#lastFailure,
      completeAt: this.#complete?.finishedAt ?? null,
      notes: this.#notes,
      nextAt: this.#next?.at ?? null,
      held: this.#held?.counts ?? null,
    }
  }

  sentId(deviceId: string): string {
    return this.#sentIds.get(deviceId) ?? deviceId
  }

  readonly onProgress = this.#listeners.add

  schedule(everyInMs: number): void {
    this.#everyInMs = everyInMs
    this.#unplan()
    if (!this.#running) this.#plan()
  }

  unreadable(): Promise<readonly UnreadableRecord[]> {
    return unreadableRecords(this.#options.store.database, this.#options.organizationId)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unplan()
    this.cancel()
    await this.#running?.promise.catch(() => undefined)
    this.#unplan()
  }

  async #run(signal: AbortSignal, acceptedGone: AcceptedGone | null): Promise<SyncReport> {
    const { clock, management, store, organizationId, attempts } = this.#options
    if (signal.aborted) throw new Failed({ kind: 'cancelled' })
    const rows = this.#options.firstRows?.() ?? null
    let drawn: Promise<void> | null = null
    let isChanged = false
    const changed = (how: 'more-to-come' | 'settled'): void => {
      isChanged = true
      this.#options.changed?.(organizationId, how)
    }
    const work = runSync({
      clock,
      management,
      database: store.database,
      organizationId,
      signal,
      source: this.#options.source ?? (() => ''),
      acceptedGone,
      attempts: attempts ?? null,
      takenUp: (read) => (this.#readBefore = read),
      answered: () => {
        this.#pages++
        this.#emit()
      },
      written: (kind, fresh) => {
        if (kind === 'device') this.#devicesRead += fresh
        else this.#roomsRead += fresh
        changed('more-to-come')
        this.#emit()
      },
      drawn: rows === null ? null : () => (drawn ??= this.#untilDrawn(rows, signal)),
      gone: () => changed('more-to-come'),
    })
    // After any result, because the stored rows are final and no later event follows.
    const { report, notes, failure, stored, held } = await work.finally(() => isChanged && changed('settled'))
    if (stored) this.#sentIds = await sentIds(store.database, organizationId)
    this.#lastFailure = failure
    this.#notes = notes
    if (failure && !stored) throw new Failed(failure)
    this.#last = report
    this.#held = held
    if (report.complete) this.#complete = report
    return report
  }

  async #untilDrawn(rows: Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    await Promise.race([rows, pause(clock, requestedWithinInMs, signal)])
    await pause(clock, drawnWithinInMs, signal)
  }

  #waitingFor(): SyncState['waitingFor'] {
    const budget = this.#options.budget?.()
    if (budget && budget.pausedUntil !== null && budget.pausedUntil > this.#options.clock.now())
      return 'rate-limit'
    if (budget && budget.waiting > 0 && budget.waitReason !== null && budget.waitReason !== 'concurrency')
      return 'budget'
    return this.#options.retrying?.() === true ? 'retry' : null
  }

  #emit(): void {
    const progress = {
      devices: this.#devicesRead - this.#reported.devices,
      rooms: this.#roomsRead - this.#reported.rooms,
    }
    this.#reported = { devices: this.#devicesRead, rooms: this.#roomsRead }
    this.#listeners.notify(progress)
  }

  #plan(): void {
    if (this.#everyInMs <= 0 || this.#closed) return
    const between = Math.max(this.#everyInMs, leastInMs, (this.#last?.calls ?? 0) / plannedCallsPerMs)
    const wait =
      this.#endedAt === null
        ? between
        : Math.max(0, this.#endedAt + between - this.#options.clock.monotonic())
    const cancel = this.#options.clock.after(wait, () => {
      this.#next = null
      // A failure is in the state; the next sync is scheduled anyway.
      this.run().catch((error: unknown) => {
        if (!(error instanceof Failed)) this.#options.onError?.(error)
      })
    })
    this.#next = { at: this.#options.clock.now() + wait, cancel }
  }

  #unplan(): void {
    this.#next?.cancel()
    this.#next = null
  }
}

/** A session, as far as a sync with a comparison after it uses it. */
export interface Syncing {
  readonly sync: Sync
  readonly compareFleet: (
    signal: AbortSignal,
  ) => Promise<{ readonly left: number; readonly nothingPublished?: true }>
  readonly comparing: () => Promise<Comparing | null>
  readonly onComparing: (listener: () => void) => () => void
  readonly notCompared: () => Promise<readonly ProductNotCompared[]>
  readonly metadataNotes: () => readonly string[]
}

async function runAndCompare(
  session: Syncing,
  acceptGone: number | null,
  { signal, step }: RunningTask,
): Promise<ComparedSync> {
  const { sync } = session
  const stepUnlessCancelled = (...given: Parameters<typeof step>): void => {
    if (!signal.aborted) step(...given)
  }
  const endReading = sync.onProgress(() => {
    const { done, total } = sync.state().progress
    stepUnlessCancelled('reading', done, total)
  })
  const running = acceptGone === null ? sync.run() : sync.acceptGone(acceptGone)
  const report = await running.finally(endReading)
  const stepComparing = async (): Promise<void> => {
    const comparing = await orNull(session.comparing())
    if (comparing !== null) stepUnlessCancelled('comparing', comparing.done, comparing.total)
  }
  const endComparing = session.onComparing(() => void stepComparing())
  const { left, nothingPublished = false } = await session.compareFleet(signal).finally(endComparing)
  const notCompared = await session.notCompared()
  const { notes, lastFailure, held } = sync.state()
  return {
    report,
    left,
    notCompared,
    notes: [...notes, ...session.metadataNotes()],
    lastFailure,
    held,
    nothingPublished,
  }
}

export const syncHandlers = (session: () => Promise<Syncing>, tasks: Tasks): Handlers<'sync'> => ({
  run: async () => (await session()).sync.run(),
  acceptGone: async ({ count }) => (await session()).sync.acceptGone(count),
  runAndCompare: ({ acceptGone }) =>
    tasks.run('sync', async (task) => runAndCompare(await session(), acceptGone, task)),
  cancel: async () => (await session()).sync.cancel(),
  unreadable: async () => (await session()).sync.unreadable(),
})
