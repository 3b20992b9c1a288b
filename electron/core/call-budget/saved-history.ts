import { DatabaseError, type Cancel, type Clock } from '../platform.ts'
import {
  Batch,
  batchLastsInMs,
  type CallHistory,
  type Recalled,
  type Said,
  type Standstill,
} from './call-history.ts'

/** A history that cannot be written is asked again so often. Chosen: a disk that was freed shows within a few seconds. */
export const askAgainEveryInMs = 3_000
/** An answer of the history takes a millisecond; who waits for it longer than this is told so. Chosen. */
const slowAfterInMs = 1_000

/** The budget whose history it is. */
export interface HistoryOwner {
  recalled(news: Recalled): void
  /** What was started before cannot be read; what stands still is kept elsewhere too. */
  unknown(told: Standstill): void
  /** Starts to be written down now; 0: none. */
  batchSize(now: number): number
  /** What is to be kept beside the starts. */
  lost(): Pick<Said, 'lostForInMs' | 'keyCheckLeft'>
  /** What stands still is to be written again: it could not be before. */
  tellStandstill(): void
  /** Something changed: more may start, or there is something to show. */
  answered(): void
}

export interface HistoryTrouble {
  readonly reason: DatabaseError['reason']
  /** Wall time. */
  readonly since: number
}

/**
 * The history of one budget: batches of starts while it can be written; while it cannot, starts are kept in memory and written as soon as it can be
 * again. One question at a time.
 */
export class SavedHistory {
  readonly #history: CallHistory | null
  readonly #clock: Clock
  readonly #windowInMs: number
  readonly #owner: HistoryOwner
  #recalled = false
  #batch: Batch | null = null
  /** Starts that are not written down, monotonic, oldest first. */
  #unsaved: number[] = []
  #askedAt: number | null = null
  #trouble: HistoryTrouble | null = null
  /** A pause or a hold could not be written. */
  #untold = false
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
  get trouble(): HistoryTrouble | null {
    return this.#trouble
  }

  /** Whether its answer is waited for, and has been for a while. */
  get isSlow(): boolean {
    return this.#askedAt !== null && this.#clock.monotonic() - this.#askedAt > slowAfterInMs
  }

  async recall(): Promise<void> {
    if (!this.#history) return
    try {
      await this.#readAll(this.#history)
    } catch (error) {
      this.#owner.unknown(await this.#history.told())
      this.#broke(error)
    }
  }

  /** Whether a start may be counted now without asking first. */
  ready(now: number): boolean {
    return this.#history === null || this.#trouble !== null || this.#batch?.usable(now) === true
  }

  started(now: number): void {
    if (!this.#history) return
    if (this.#batch?.usable(now) === true) this.#batch.use(now)
    else this.#unsaved.push(now)
    this.#history.used(this.#trouble !== null)
  }

  /** Says what was started, and writes the next batch down. */
  async ask(): Promise<void> {
    const history = this.#history
    if (!history || this.#askedAt !== null || this.#closed) return
    this.#askedAt = this.#clock.monotonic()
    // Calls that are asked for together share a batch.
    await Promise.resolve()
    try {
      if (!this.#recalled) await this.#readAll(history)
      await this.#record(history)
      this.#cancel()
      this.#trouble = null
      if (this.#untold) this.#owner.tellStandstill()
      this.#untold = false
    } catch (error) {
      this.#broke(error)
    }
    this.#askedAt = null
    this.#owner.answered()
  }

  /** Keeps a pause or a hold for restarts. */
  tell(work: (history: CallHistory) => Promise<void>): void {
    if (!this.#history) return
    work(this.#history).catch((error: unknown) => {
      this.#untold = true
      this.#broke(error)
    })
  }

  /** A batch of which nothing is said counts whole: nothing is lost by failing here. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#history?.close(this.#said()).catch(() => undefined)
  }

  async #readAll(history: CallHistory): Promise<void> {
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
    this.#trouble ??= {
      reason: error instanceof DatabaseError ? error.reason : 'unknown',
      since: this.#clock.now(),
    }
    this.#cancel()
    if (this.#closed) return
    this.#cancel = this.#clock.after(askAgainEveryInMs, () => void this.ask())
    this.#owner.answered()
  }
}
