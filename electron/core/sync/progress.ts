import type { Cancel, Clock } from '../platform.ts'

/** Events: at most ten a second (contract), and the last one is always emitted. */
const everyInMs = 100

/** Collects changes and emits them at most ten times a second. */
export class SyncThrottle {
  readonly #clock: Clock
  readonly #tell: () => void
  #emittedAt = Number.NEGATIVE_INFINITY
  #planned: Cancel | null = null

  constructor(clock: Clock, tell: () => void) {
    this.#clock = clock
    this.#tell = tell
  }

  happened(): void {
    if (this.#planned) return
    const wait = this.#emittedAt + everyInMs - this.#clock.monotonic()
    if (wait <= 0) this.#now()
    else this.#planned = this.#clock.after(wait, () => this.#now())
  }

  /** Emitted now, regardless of the last event. */
  atOnce(): void {
    this.#planned?.()
    this.#now()
  }

  close(): void {
    this.#planned?.()
    this.#planned = null
  }

  #now(): void {
    this.#planned = null
    this.#emittedAt = this.#clock.monotonic()
    this.#tell()
  }
}
