import { DatabaseError } from '../core/platform.ts'

/** Calls of one transaction. Chosen: four pages cost a fifth less than one by one (measured), and whatever waits has at most these before it. */
const togetherAtMost = 4

export interface Call {
  readonly name: string
  readonly input: unknown
}

interface Waiting extends Call {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Writes of one file, one after the other, in the order they were asked for. */
export class WriteQueue {
  #last: Promise<unknown> = Promise.resolve()
  /** Calls whose turn has not come, while nothing else was asked for after them. */
  #together: Waiting[] | null = null

  /** Writes that are asked for meanwhile wait for this. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    this.#together = null
    return this.#append(work)
  }

  /** Calls that wait beside each other share one transaction. Should that fail, each has one of its own, so that none fails for another. */
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

  /** Settles when everything that was asked for until now is done. */
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
      // Whoever has the file was waited for already.
      const isBusy = error instanceof DatabaseError && error.reason === 'busy'
      if (calls.length === 1 || isBusy) for (const { reject } of calls) reject(error)
      else for (const one of calls) await this.#performed([one], perform)
    }
  }
}
