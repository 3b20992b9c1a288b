import type { WriteLock } from '../../contract/api/writes.ts'
import type { Cancel, Clock } from '../platform.ts'

/** Unlocking lasts for 15 minutes of activity. Chosen. */
const unlockedForInMs = 15 * 60_000

/**
 * Locked until a technician unlocks inside a confirmation; locks automatically when nothing is written for 15
 * minutes.
 */
export class Lock {
  readonly #clock: Clock
  readonly #changed: () => void
  /** By both clocks, because the monotonic one may stop while the computer sleeps. */
  #until: { readonly wall: number; readonly monotonic: number } | null = null
  #cancel: Cancel | null = null

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock
    this.#changed = changed
  }

  state(): WriteLock {
    const until = this.#until
    const open = until !== null && this.#clock.now() < until.wall && this.#clock.monotonic() < until.monotonic
    return open ? { unlocked: true, untilAt: until.wall } : { unlocked: false, untilAt: null }
  }

  /** Unlocks, or restarts the 15 minutes. */
  unlock(): WriteLock {
    this.#cancel?.()
    this.#until = {
      wall: this.#clock.now() + unlockedForInMs,
      monotonic: this.#clock.monotonic() + unlockedForInMs,
    }
    this.#cancel = this.#clock.after(unlockedForInMs, () => this.lock())
    this.#changed()
    return this.state()
  }

  lock(): WriteLock {
    this.#cancel?.()
    this.#cancel = null
    const was = this.#until !== null
    this.#until = null
    if (was) this.#changed()
    return this.state()
  }
}
