/** Something that waits, chained so that leaving from the middle costs nothing. */
export interface Waiting {
  readonly lane: number
  readonly since: number
  before: Waiting | null
  after: Waiting | null
}

/** After this wait a call is aged: the order of lanes alone no longer decides. Chosen. */
export const agedAfterInMs = 10_000
/** Every so many starts, the call that waits longest goes first if it is aged. Chosen: an eighth of the pace. */
export const agedTurnEvery = 8

/**
 * Lanes in order of rank, first come first served within each. Lower lanes never starve: every eighth start belongs
 * to the longest waiting call once it has waited ten seconds. Every operation is constant time in the number waiting.
 */
export class WaitingLanes<T extends Waiting> {
  readonly #first: (T | null)[]
  readonly #last: (T | null)[]
  #size = 0
  #turn = 0

  constructor(lanes: number) {
    this.#first = Array.from({ length: lanes }, () => null)
    this.#last = Array.from({ length: lanes }, () => null)
  }

  get size(): number {
    return this.#size
  }

  add(waiting: T): void {
    const last = this.#last[waiting.lane] ?? null
    waiting.before = last
    if (last) last.after = waiting
    else this.#first[waiting.lane] = waiting
    this.#last[waiting.lane] = waiting
    this.#size++
  }

  remove(waiting: T): void {
    if (waiting.before) waiting.before.after = waiting.after
    else this.#first[waiting.lane] = waiting.after as T | null
    if (waiting.after) waiting.after.before = waiting.before
    else this.#last[waiting.lane] = waiting.before as T | null
    waiting.before = waiting.after = null
    this.#size--
  }

  /** Whose turn it would be among the lanes below `lanes`; null: nobody waits there. Looks, takes nothing. */
  next(now: number, lanes = this.#first.length): T | null {
    let ranked: T | null = null
    let oldest: T | null = null
    for (let lane = 0; lane < lanes; lane++) {
      const first = this.#first[lane]
      if (!first) continue
      ranked ??= first
      if (!oldest || first.since < oldest.since) oldest = first
    }
    const agedTurn = this.#turn % agedTurnEvery === agedTurnEvery - 1
    return agedTurn && oldest && now - oldest.since >= agedAfterInMs ? oldest : ranked
  }

  take(waiting: T): void {
    this.remove(waiting)
    this.#turn++
  }

  /** Everyone leaves, in order of rank. */
  *empty(): Generator<T> {
    for (let lane = 0; lane < this.#first.length; lane++) {
      for (let first = this.#first[lane]; first; first = this.#first[lane]) {
        this.remove(first)
        yield first
      }
    }
  }
}
