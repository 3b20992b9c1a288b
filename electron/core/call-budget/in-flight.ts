/**
 * Maximum number of calls in flight, by the kind of connection they need: more would wait for a connection.
 */
export interface Parallel {
  readonly reads: number
  /** Each uses its own connection (`freshConnection`). */
  readonly writes: number
}

interface Call {
  readonly startedAt: number
  readonly writes: boolean
}

/**
 * A call is late when it takes this multiple of the usual duration, but at least the first and at most the
 * second bound. Raise the multiple if normal calls are reported as late.
 */
const lateFactor = 3
const lateAfterAtLeastInMs = 200
const lateAfterAtMostInMs = 1_000
/**
 * Weight of the newest duration in the usual one: about twenty calls after a stall it is back at its former
 * value. Raise it if the value follows too slowly.
 */
const newestShare = 1 / 8
/**
 * Number of calls of a kind before the usual duration is known: until then each is late. Measured on a busy
 * machine: the first dozen calls to a service that had just started stalled for half a second, arrived
 * together, and got a 429. This costs their duration, once.
 */
const learntFrom = 20

/**
 * Calls that were started and have not ended. It is not known when a late call reached the service: it may
 * have been in a buffer until the end. All times are of the monotonic clock.
 */
export class InFlight {
  readonly #parallel: Parallel
  /** Ordered by start. */
  readonly #calls = new Set<Call>()
  #writes = 0
  /** Usual duration of calls, reads and writes separately, and the number of calls behind it. */
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

  /** It starts only now, after every other. */
  moveToEnd(call: Call, startedAt: number): Call {
    this.#calls.delete(call)
    const moved = { ...call, startedAt }
    this.#calls.add(moved)
    return moved
  }

  /** Returns whether the call was late; null: it had already ended. */
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
