import { DatabaseError, type Cancel, type Clock } from '../platform.ts'
import {
  Batch,
  batchLastsInMs,
  type CallHistory,
  type Recalled,
  type Said,
  type Standstill,
} from './call-history.ts'

/**
 * Interval for retrying a history that cannot be written: freed disk space is noticed within seconds. Raise
 * it if retries cost time.
 */
export const askAgainEveryInMs = 3_000
/**
 * The history usually responds within a millisecond; a longer wait than this is reported. Raise it if slow
 * disks cause reports.
 */
const slowAfterInMs = 1_000

/** The budget that owns the history. */
export interface HistoryOwner {
  recalled(news: Recalled): void
  /** The earlier starts cannot be read; pauses and holds are also stored elsewhere. */
  unknown(standstill: Standstill): void
  /** Number of starts to store as the next batch; 0: none. */
  batchSize(now: number): number
  /** Data to store in addition to the starts. */
  lost(): Pick<Said, 'lostForInMs' | 'keyCheckLeft'>
  /** Pauses and holds must be written again after an earlier failure. */
  tellStandstill(): void
  /** Something changed: more calls may start, or the display must be updated. */
  answered(): void
}

export interface HistoryProblem {
  readonly reason: DatabaseError['reason']
  /** Wall time. */
  readonly since: number
}

/**
 * The history of one budget. While it can be written, starts are stored in batches; while it cannot, they are
 * held in memory and stored later. One request at a time.
 */
export class SavedHistory {
  readonly #history: CallHistory | null
  readonly #clock: Clock
  readonly #windowInMs: number
  readonly #owner: HistoryOwner
  #recalled = false
  #batch: Batch | null = null
  /** Starts that are not stored, monotonic, oldest first. */
  #unsaved: number[] = []
  #requestedAt: number | null = null
  #problem: HistoryProblem | null = null
  /** A pause or a hold could not be written. */
  #unreported = false
  #cancel: Cancel = () => undefined
  #closed = false

  constructor(
    { history, clock, windowInMs }: { history: CallHistory | null; clock: Clock; windowInMs: number },
    owner: HistoryOwner,
  ) {
    this.#history = history
    this.#clock = clock
    this.#windowInMs = windowInMs
    this.#owner = owner
  }

  /** Why the history cannot be written; null: it can. */
  get problem(): HistoryProblem | null {
    return this.#problem
  }

  /** Whether a request has been pending for a while. */
  get isSlow(): boolean {
    return this.#requestedAt !== null && this.#clock.monotonic() - this.#requestedAt > slowAfterInMs
  }

  async recall(): Promise<void> {
    if (!this.#history) return
    try {
      await this.#loadAll(this.#history)
    } catch (error) {
      this.#owner.unknown(await this.#history.savedStandstill())
      this.#broke(error)
    }
  }

  /** Whether a start may be counted now, without first storing a batch. */
  ready(now: number): boolean {
    return this.#history === null || this.#problem !== null || this.#batch?.usable(now) === true
  }

  started(now: number): void {
    if (!this.#history) return
    if (this.#batch?.usable(now) === true) this.#batch.use(now)
    else this.#unsaved.push(now)
    this.#history.used(this.#problem !== null)
  }

  /** Stores the starts that were made, and the next batch. */
  async ask(): Promise<void> {
    const history = this.#history
    if (!history || this.#requestedAt !== null || this.#closed) return
    this.#requestedAt = this.#clock.monotonic()
    // Calls that are requested together share a batch.
    await Promise.resolve()
    try {
      if (!this.#recalled) await this.#loadAll(history)
      await this.#record(history)
      this.#cancel()
      this.#problem = null
      if (this.#unreported) this.#owner.tellStandstill()
      this.#unreported = false
    } catch (error) {
      this.#broke(error)
    }
    this.#requestedAt = null
    this.#owner.answered()
  }

  /** Stores a pause or a hold for restarts. */
  tell(work: (history: CallHistory) => Promise<void>): void {
    if (!this.#history) return
    work(this.#history).catch((error: unknown) => {
      this.#unreported = true
      this.#broke(error)
    })
  }

  /** A batch without stored times counts completely, so a failure here loses no start. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#history?.close(this.#said()).catch(() => undefined)
  }

  async #loadAll(history: CallHistory): Promise<void> {
    this.#owner.recalled(await history.recall(this.#windowInMs))
    this.#recalled = true
  }

  async #record(history: CallHistory): Promise<void> {
    const said = this.#said()
    let granted = 0
    let validUntil = 0
    await history.record(said, () => {
      const now = this.#clock.monotonic()
      granted = this.#owner.batchSize(now)
      validUntil = now + batchLastsInMs
      return granted
    })
    this.#batch = granted > 0 ? new Batch(granted, validUntil) : null
    this.#unsaved.splice(0, said.unsaved.length)
  }

  #said(): Said {
    const now = this.#clock.monotonic()
    const oldest = this.#unsaved.findIndex((at) => now - at <= this.#windowInMs)
    this.#unsaved.splice(0, oldest < 0 ? this.#unsaved.length : oldest)
    return {
      ended: this.#batch?.usedAges(now) ?? null,
      unsaved: this.#unsaved.map((at) => now - at),
      ...this.#owner.lost(),
    }
  }

  #broke(error: unknown): void {
    this.#problem ??= {
      reason: error instanceof DatabaseError ? error.reason : 'unknown',
      since: this.#clock.now(),
    }
    this.#cancel()
    if (this.#closed) return
    this.#cancel = this.#clock.after(askAgainEveryInMs, () => void this.ask())
    this.#owner.answered()
  }
}
