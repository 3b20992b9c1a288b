/**
 * The latest starts, oldest first, on the monotonic clock: one ring for both windows. Appending and reading
 * the n-th latest take constant time, counting logarithmic time.
 */
export class StartRing {
  readonly #times: Float64Array
  #next = 0
  #count = 0

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity)
  }

  /** Not earlier than the latest one. */
  add(at: number): void {
    const capacity = this.#times.length
    this.#times[this.#next] = at
    this.#next = (this.#next + 1) % capacity
    this.#count = Math.min(this.#count + 1, capacity)
  }

  /**
   * A start counted at `from` may have happened as late as `to`, but no earlier than any other: from now on
   * it counts at `to`.
   */
  moveToEnd(from: number, to: number): void {
    let nth = this.countAfter(from) + 1
    if (this.latest(nth) !== from) return this.add(to)
    for (; nth > 1; nth--) this.#times[this.#slot(nth)] = this.latest(nth - 1)
    this.#times[this.#slot(1)] = to
  }

  /** When the n-th latest start happened (1: the last one); -Infinity when there were fewer. */
  latest(nth: number): number {
    return nth > this.#count ? -Infinity : this.#times[this.#slot(nth)]!
  }

  /** How many starts are younger than `at`. */
  countAfter(at: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.latest(middle) > at) low = middle
      else high = middle - 1
    }
    return low
  }

  #slot(nth: number): number {
    const capacity = this.#times.length
    return (this.#next - nth + capacity) % capacity
  }
}
