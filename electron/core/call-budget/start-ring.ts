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

  /**
   * Keeps the order: a start that is learned late (from an earlier run whose history was unreadable before)
   * is inserted before newer ones.
   */
  add(at: number): void {
    const capacity = this.#times.length
    if (this.#count === capacity && at <= this.latest(capacity)) return
    this.#times[this.#next] = at
    this.#next = (this.#next + 1) % capacity
    this.#count = Math.min(this.#count + 1, capacity)
    for (let nth = 1; nth < this.#count && this.latest(nth + 1) > at; nth++) {
      this.#times[this.#slot(nth)] = this.latest(nth + 1)
      this.#times[this.#slot(nth + 1)] = at
    }
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
