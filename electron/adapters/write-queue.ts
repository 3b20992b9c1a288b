import { DatabaseError } from '../core/platform.ts'

/**
 * Calls of one transaction. Four pages cost a fifth less than single ones (measured); a waiting call has at
 * most this many before it.
 */
const togetherAtMost = 4

export interface Call {
  readonly name: string
  readonly input: unknown
}

interface Waiting extends Call {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Writes of one file, one at a time, in the order of the requests. */
export class WriteQueue {
  #last: Promise<unknown> = Promise.resolve()
  /** Calls that will share a transaction; null: none wait, or another write was requested after them. */
  #together: Waiting[] | null = null

  /** Writes that are requested meanwhile wait for this. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    this.#together = null
    return this.#append(work)
  }

  /**
   * Adjacent calls in the queue share one transaction. If it fails, each gets its own transaction, so that
   * one failure does not affect the others.
   */
  share(call: Call, perform: (calls: readonly Call[]) => Promise<readonly unknown[]>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting = { ...call, resolve, reject }
      if (this.#together !== null && this.#together.length < togetherAtMost) {
        this.#together.push(waiting)
        return
      }
      const together = [waiting]
      this.#together = together
      void this.#append(async () => {
        if (this.#together === together) this.#together = null
        await this.#performed(together, perform)
      })
    })
  }

  /** Settles when everything requested so far is done. */
  idle(): Promise<unknown> {
    return this.#last
  }

  #append<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #performed(
    calls: readonly Waiting[],
    perform: (calls: readonly Call[]) => Promise<readonly unknown[]>,
  ): Promise<void> {
    try {
      const answers = await perform(calls.map(({ name, input }) => ({ name, input })))
      for (const [index, { resolve }] of calls.entries()) resolve(answers[index])
    } catch (error) {
      // The wait for the file's lock has already happened.
      const isBusy = error instanceof DatabaseError && error.reason === 'busy'
      if (calls.length === 1 || isBusy) for (const { reject } of calls) reject(error)
      else for (const one of calls) await this.#performed([one], perform)
    }
  }
}
