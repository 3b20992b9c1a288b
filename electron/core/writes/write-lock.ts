import type { WriteLock } from '../../contract/api/writes.ts'
import type { Cancel, Clock } from '../platform.ts'

/** Unlocking lasts for 15 minutes of activity, or less by a policy. Chosen. */
export const unlockedForInMs = 15 * 60_000

/**
 * Locked until a technician unlocks inside a confirmation; locks automatically when nothing is written for
 * `lasts` ms.
 */
export class Lock {
  readonly #clock: Clock
  readonly #lasts: () => number
  readonly #changed: () => void
  /** By both clocks, because the monotonic one may stop while the computer sleeps. */
  #until: { readonly wall: number; readonly monotonic: number } | null = null
  #cancel: Cancel | null = null

  constructor(clock: Clock, lasts: () => number, changed: () => void) {
    this.#clock = clock
    this.#lasts = lasts
    this.#changed = changed
  }

  state(): WriteLock {
    const until = this.#until
    const open = until !== null && this.#clock.now() < until.wall && this.#clock.monotonic() < until.monotonic
    return open ? { unlocked: true, untilAt: until.wall } : { unlocked: false, untilAt: null }
  }

  /** Unlocks, or restarts the time. */
  unlock(): WriteLock {
    const inMs = this.#lasts()
    this.#cancel?.()
    this.#until = { wall: this.#clock.now() + inMs, monotonic: this.#clock.monotonic() + inMs }
    this.#cancel = this.#clock.after(inMs, () => this.lock())
    this.#changed()
    return this.state()
  }

  /** The time became shorter: it holds for what is unlocked now, too. */
  shorten(): void {
    const until = this.#until
    if (until !== null && until.monotonic - this.#clock.monotonic() > this.#lasts()) this.unlock()
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
