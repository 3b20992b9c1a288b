/** An entry of a linked list, so that removal from the middle takes constant time. */
export interface Queued {
  readonly lane: number
  /** Needs a connection of its own. */
  readonly writes: boolean
  readonly since: number
  before: Queued | null
  after: Queued | null
}

/**
 * After this wait a call is aged: the order of lanes alone no longer decides. Lower it if bulk calls wait too
 * long.
 */
const agedAfterInMs = 10_000
/**
 * Every so many starts, the call that waits longest goes first if it is aged. This gives aged calls an eighth
 * of the rate; lower it to give them more.
 */
const agedTurnEvery = 8

const always = (): boolean => true

/**
 * Lanes by rank, first in first out within each; reads and writes separately, so that none waits for a
 * connection that the other needs. Lower lanes never starve: every eighth start goes to the longest waiting
 * call once it has waited ten seconds. Every operation takes constant time in the number of waiting calls.
 */
export class WaitingLanes<T extends Queued> {
  readonly #lanes: number
  readonly #first: (T | null)[]
  readonly #last: (T | null)[]
  #size = 0
  #turn = 0

  constructor(lanes: number) {
    this.#lanes = lanes
    this.#first = Array.from({ length: 2 * lanes }, () => null)
    this.#last = Array.from({ length: 2 * lanes }, () => null)
  }

  get size(): number {
    return this.#size
  }

  add(waiting: T): void {
    const queue = queueOf(waiting)
    const last = this.#last[queue] ?? null
    waiting.before = last
    if (last) last.after = waiting
    else this.#first[queue] = waiting
    this.#last[queue] = waiting
    this.#size++
  }

  remove(waiting: T): void {
    const queue = queueOf(waiting)
    if (waiting.before) waiting.before.after = waiting.after
    else this.#first[queue] = waiting.after as T | null
    if (waiting.after) waiting.after.before = waiting.before
    else this.#last[queue] = waiting.before as T | null
    waiting.before = waiting.after = null
    this.#size--
  }

  /** The next call among the lanes below `lanes` with a free connection; null: none. Does not remove it. */
  next(now: number, isFree: (writes: boolean) => boolean = always, lanes = this.#lanes): T | null {
    let ranked: T | null = null
    let oldest: T | null = null
    for (let lane = 0; lane < lanes; lane++) {
      const first = this.#firstOf(lane, isFree)
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

  /** Removes all, by rank. */
  *empty(): Generator<T> {
    for (let queue = 0; queue < this.#first.length; queue++) {
      for (let first = this.#first[queue]; first; first = this.#first[queue]) {
        this.remove(first)
        yield first
      }
    }
  }

  /** The read or write of a lane that has waited longest and has a free connection. */
  #firstOf(lane: number, isFree: (writes: boolean) => boolean): T | null {
    const reads = isFree(false) ? this.#first[2 * lane] : null
    const writes = isFree(true) ? this.#first[2 * lane + 1] : null
    if (!reads || !writes) return reads ?? writes ?? null
    return writes.since < reads.since ? writes : reads
  }
}

const queueOf = ({ lane, writes }: Queued): number => 2 * lane + (writes ? 1 : 0)
