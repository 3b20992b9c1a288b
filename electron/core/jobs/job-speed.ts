import type { Clock } from '../platform.ts'

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
