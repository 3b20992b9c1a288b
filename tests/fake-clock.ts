import type { Cancel, Clock } from '../electron/core/platform.ts'

/** A clock that is stopped until a test advances it. Timers fire in order; promises settle between them. */
export class FakeClock implements Clock {
  #wall: number
  #mono = 0
  #timers: { at: number; order: number; fire: () => void }[] = []
  #order = 0

  constructor(wallAt = Date.UTC(2026, 10, 21, 14, 2)) {
    this.#wall = wallAt
  }
  now(): number {
    return Math.floor(this.#wall)
  }
  monotonic(): number {
    return this.#mono
  }
  after(afterInMs: number, fire: () => void): Cancel {
    const timer = { at: this.#mono + Math.max(0, afterInMs), order: this.#order++, fire }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer)
    }
  }
  get waiting(): number {
    return this.#timers.length
  }
  /** Advances both clocks, fires due timers and lets promises settle after each. */
  async advance(byInMs: number): Promise<void> {
    const end = this.#mono + byInMs
    await settle()
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!next) break
      this.#timers = this.#timers.filter((t) => t !== next)
      this.#move(next.at - this.#mono)
      next.fire()
      await settle()
    }
    this.#move(end - this.#mono)
    await settle()
  }
  /** Only the wall clock jumps, as when it is set. */
  jumpWall(byInMs: number): void {
    this.#wall += byInMs
  }
  /** The computer sleeps: timers are stopped. */
  sleep(forInMs: number): void {
    this.#wall += forInMs
  }
  /**
   * The computer is switched off for a while and restarted. Earlier programs no longer exist, nor do their
   * timers.
   */
  reboot(offInMs = 0): void {
    this.#wall += offInMs
    this.#mono = 0
    this.#timers = []
  }
  #move(by: number): void {
    if (by <= 0) return
    this.#mono += by
    this.#wall += by
  }
}

/** Lets every promise that can settle now settle. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await Promise.resolve()
}
