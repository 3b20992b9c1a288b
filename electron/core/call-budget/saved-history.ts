import { DatabaseError, type Cancel, type Clock } from '../platform.ts'
import {
  Lease,
  leaseValidForInMs,
  type CallHistory,
  type HistoryNews,
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
  learn(news: HistoryNews): void
  /** Starts to be leased now; 0: none. */
  leaseSize(now: number): number
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
 * The history of one budget: leases while it can be written; while it cannot, starts are kept in memory and written as soon as it can be
 * again. One question at a time.
 */
export class SavedHistory {
  readonly #history: CallHistory | null
  readonly #clock: Clock
  readonly #windowInMs: number
  readonly #owner: HistoryOwner
  #recalled = false
  #lease: Lease | null = null
  /** Starts that are not written down, monotonic, oldest first. */
  #unsaved: number[] = []
  #askedAt: number | null = null
  #trouble: HistoryTrouble | null = null
  /** Writes of pauses and holds on their way, and whether one failed. */
  #telling = 0
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
    return this.#history === null || this.#trouble !== null || this.#lease?.usable(now) === true
  }

  started(now: number): void {
    if (!this.#history) return
    if (this.#lease?.usable(now) === true) this.#lease.use(now)
    else this.#unsaved.push(now)
    this.#history.used(this.#trouble !== null)
  }

  /** Says what was started, learns of others, and takes the next lease. */
  async ask(): Promise<void> {
    const history = this.#history
    if (!history || this.#askedAt !== null || this.#closed) return
    this.#askedAt = this.#clock.monotonic()
    // Calls that are asked for together share a lease.
    await Promise.resolve()
    try {
      if (!this.#recalled) await this.#readAll(history)
      await this.#exchange(history)
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

  /** Keeps a pause or a hold for restarts and other programs. */
  tell(work: (history: CallHistory) => Promise<void>): void {
    if (!this.#history) return
    this.#telling++
    work(this.#history)
      .catch((error: unknown) => {
        this.#untold = true
        this.#broke(error)
      })
      .finally(() => this.#telling--)
      .catch(() => undefined)
  }

  /** What is kept of pauses and holds; null: it cannot be read, or is older than what is known here. */
  async look(): Promise<Standstill | null> {
    const isOlder = (): boolean => this.#telling > 0 || this.#untold
    if (!this.#history || isOlder()) return null
    const found = await this.#history.look().catch(() => null)
    return isOlder() ? null : found
  }

  /** A lease that is never settled counts whole: nothing is lost by failing here. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#history?.close(this.#said()).catch(() => undefined)
  }

  async #readAll(history: CallHistory): Promise<void> {
    this.#owner.recalled(await history.recall(this.#windowInMs))
    this.#recalled = true
  }

  async #exchange(history: CallHistory): Promise<void> {
    const said = this.#said()
    let granted = 0
    let validUntil = 0
    await history.exchange(said, (news) => {
      const now = this.#clock.monotonic()
      this.#owner.learn(news)
      granted = this.#owner.leaseSize(now)
      validUntil = now + leaseValidForInMs
      return granted
    })
    this.#lease = granted > 0 ? new Lease(granted, validUntil) : null
    this.#unsaved.splice(0, said.unsaved.length)
  }

  #said(): Said {
    const now = this.#clock.monotonic()
    const oldest = this.#unsaved.findIndex((at) => now - at <= this.#windowInMs)
    this.#unsaved.splice(0, oldest < 0 ? this.#unsaved.length : oldest)
    return {
      ended: this.#lease?.usedAges(now) ?? null,
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
