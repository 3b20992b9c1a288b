/** How many calls may be in flight at once, by the kind of connection they need: more would wait for one of them. */
export interface Parallel {
  readonly reads: number
  /** Each over a connection of its own (`freshConnection`). */
  readonly writes: number
}

interface Call {
  readonly startedAt: number
  readonly writes: boolean
}

/** A call is late when it takes this many times as long as calls usually do, but not before the first bound and always after the second. Chosen. */
const lateFactor = 3
const lateAfterAtLeastInMs = 200
const lateAfterAtMostInMs = 1_000
/** Share of the newest duration in what is usual. Chosen: some twenty calls after a stall the usual is what it was. */
const newestShare = 1 / 8
/**
 * So many calls of a kind end before anybody knows how long they usually take: until then each is late. Measured on a busy machine: the first
 * dozen to a service that has just begun stood half a second and arrived at once, and met a 429 (R3). Costs their duration, once.
 */
const learntFrom = 20

/**
 * Calls that were started and are not over. Nobody can say when a call that is late reached the service: it may have stood in a buffer
 * until the very end. All times are of the monotonic clock.
 */
export class InFlight {
  readonly #parallel: Parallel
  /** In the order of their starts. */
  readonly #calls = new Set<Call>()
  #writes = 0
  /** How long calls usually take, reads and writes apart, and how many that is known from. */
  readonly #usual = { reads: { inMs: 0, of: 0 }, writes: { inMs: 0, of: 0 } }

  constructor(parallel: Parallel) {
    this.#parallel = parallel
  }

  isFree(writes: boolean): boolean {
    return writes
      ? this.#writes < this.#parallel.writes
      : this.#calls.size - this.#writes < this.#parallel.reads
  }

  begin(startedAt: number, writes: boolean): Call {
    const call = { startedAt, writes }
    this.#calls.add(call)
    if (writes) this.#writes++
    return call
  }

  /** Answers whether the call was late; null: it had ended before. */
  end(call: Call, now: number): 'late' | 'in-time' | null {
    if (!this.#calls.delete(call)) return null
    if (call.writes) this.#writes--
    const usual = this.#usual[call.writes ? 'writes' : 'reads']
    const took = now - call.startedAt
    const lateAfter =
      usual.of < learntFrom
        ? 0
        : Math.min(lateAfterAtMostInMs, Math.max(lateAfterAtLeastInMs, usual.inMs * lateFactor))
    const newest = Math.min(took, lateAfterAtMostInMs)
    usual.inMs = usual.of === 0 ? newest : usual.inMs + (newest - usual.inMs) * newestShare
    usual.of++
    return took > lateAfter ? 'late' : 'in-time'
  }

  /** How many of them started at `at` or before. */
  startedUpTo(at: number): number {
    let count = 0
    for (const { startedAt } of this.#calls) {
      if (startedAt > at) break
      count++
    }
    return count
  }
}
