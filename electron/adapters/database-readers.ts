import type { ReadKind } from '../core/platform.ts'
import { DatabaseThread, ReaderError, type Question } from './database-thread.ts'
import type { Value } from './database-worker.ts'

interface Waiting {
  readonly kind: ReadKind
  readonly question: Question
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/**
 * Two threads that read all files. A query starts when a thread is free. Only one aggregate query runs at a
 * time, so that rows on screen wait for other rows and never for an aggregate.
 */
export class DatabaseReaders {
  readonly #threads: readonly DatabaseThread[]
  readonly #busy = new Map<DatabaseThread, ReadKind>()
  #waiting: Waiting[] = []

  constructor(workerUrl: URL) {
    this.#threads = [new DatabaseThread(workerUrl), new DatabaseThread(workerUrl)]
  }

  /** Rejects with ReaderError. */
  ask(question: Question, kind: ReadKind): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, question, resolve, reject })
      this.#handOver()
    })
  }

  /**
   * Makes both threads open the file now under the path; it may be replaced later. Errors are reported to the
   * next query.
   */
  async open(path: string): Promise<void> {
    await Promise.allSettled(this.#threads.map((thread) => thread.ask({ kind: 'open-to-read', path })))
  }

  /** Both threads close the file. Queries that have not started are rejected. */
  async letGo(path: string): Promise<void> {
    const dropped = this.#waiting.filter(({ question }) => question.path === path)
    this.#waiting = this.#waiting.filter((one) => !dropped.includes(one))
    for (const { reject } of dropped) reject(new ReaderError(null, 'The database was closed.'))
    await Promise.all(this.#threads.map((thread) => thread.letGo(path)))
  }

  #handOver(): void {
    for (const thread of this.#threads) {
      if (this.#busy.has(thread)) continue
      const isSumming = [...this.#busy.values()].includes('sum')
      const next =
        this.#waiting.find(({ kind }) => kind === 'rows') ?? (isSumming ? undefined : this.#waiting[0])
      if (next === undefined) return
      this.#waiting = this.#waiting.filter((one) => one !== next)
      this.#busy.set(thread, next.kind)
      const free = (): void => {
        this.#busy.delete(thread)
        this.#handOver()
      }
      void thread.ask(next.question).then(next.resolve, next.reject).finally(free)
    }
  }
}
