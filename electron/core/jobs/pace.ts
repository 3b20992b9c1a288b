import type { Clock } from '../platform.ts'

/** Fewer sent items than this do not allow an estimate. Raise it if first estimates are far off. */
const leastSent = 3

/** The speed of a job since it last resumed, and how long sent items were watched. */
export class Pace {
  readonly #clock: Clock
  #since: number | null = null
  #sent = 0
  #lookedAfter = 0
  #lookedAfterInMs = 0
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** It runs (true), or waits for something that does not affect its speed. */
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

  lookedAfter(forInMs: number): void {
    this.#lookedAfter++
    this.#lookedAfterInMs += forInMs
  }

  /**
   * Estimated remaining time in ms; null: not known. `lastDueInMs`: when the last item may be sent;
   * `lookedAfterForInMs`: how long the last sent item has been watched, null: none is.
   */
  left({
    queued,
    lastDueInMs,
    lookedAfterForInMs,
    planned,
  }: {
    queued: number
    lastDueInMs: number
    lookedAfterForInMs: number | null
    planned: number
  }): number | null {
    if (this.#since === null) return null
    const sending =
      queued === 0
        ? 0
        : this.#sent >= leastSent
          ? ((this.#clock.monotonic() - this.#since) / this.#sent) * queued
          : planned
    const mean = this.#lookedAfter === 0 ? null : this.#lookedAfterInMs / this.#lookedAfter
    // The remaining time of a room that takes longer than the others is not known.
    if (queued === 0 && lookedAfterForInMs !== null && (mean === null || lookedAfterForInMs >= mean))
      return null
    const looking = queued > 0 ? (mean ?? 0) : Math.max(0, (mean ?? 0) - (lookedAfterForInMs ?? 0))
    return Math.ceil(Math.max(sending, lastDueInMs, 0) + looking)
  }
}
