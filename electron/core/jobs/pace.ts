import type { Clock } from '../platform.ts'

/** Fewer sent items than this say nothing about the pace of those to come. Chosen. */
const leastSent = 3

/** How fast a job has been going since it last began to go on, and how long what was sent was looked after. */
export class Pace {
  readonly #clock: Clock
  #since: number | null = null
  #sent = 0
  #lookedAfter = 0
  #lookedAfterInMs = 0
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** It goes on (true), or waits for something that says nothing about its pace. */
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
   * About how long it still takes, ms; null: nobody can say. `lastDueInMs`: when the last item may be sent; `lookedAfterForInMs`: how long
   * the item sent last has been looked after already, null: none is.
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
    // Nobody knows how long a room still takes that takes longer than the others did.
    if (queued === 0 && lookedAfterForInMs !== null && (mean === null || lookedAfterForInMs >= mean))
      return null
    const looking = queued > 0 ? (mean ?? 0) : Math.max(0, (mean ?? 0) - (lookedAfterForInMs ?? 0))
    return Math.ceil(Math.max(sending, lastDueInMs, 0) + looking)
  }
}
