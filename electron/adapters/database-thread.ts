import { Worker } from 'node:worker_threads'
import type { SqlRow } from '../core/platform.ts'
import type { ReaderAnswer, ReaderRequest } from './database-worker.ts'

type Value = SqlRow[] | Float64Array | string | null
type Ask = ReaderRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never

/** What SQLite said on the reading thread; `errcode` is SQLite's extended result code. */
export class ReaderError extends Error {
  readonly errcode: number | null
  constructor(errcode: number | null, message: string) {
    super(message)
    this.name = 'ReaderError'
    this.errcode = errcode
  }
}

/** One thread for all files, to read them or to move their logs. Starts with the first question, ends with `end`, starts anew after a crash. */
export class DatabaseThread {
  readonly #workerUrl: URL
  #worker: Worker | null = null
  #nextId = 1
  readonly #waiting = new Map<number, { resolve: (value: Value) => void; reject: (error: Error) => void }>()

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl
  }

  ask(request: Ask): Promise<Value> {
    const worker = this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // Referenced only while someone waits: an open database alone keeps no program alive.
      worker.ref()
      worker.postMessage({ ...request, id })
    })
  }

  get started(): boolean {
    return this.#worker !== null
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
    this.#failAll(new ReaderError(null, 'The database was closed.'))
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#workerUrl)
    worker.on('message', (answer: ReaderAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) worker.unref()
      if (answer.ok) waiting?.resolve(answer.value)
      else waiting?.reject(new ReaderError(answer.errcode, answer.message))
    })
    const gone = (message: string): void => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#failAll(new ReaderError(null, message))
    }
    worker.on('error', (error) => gone(error instanceof Error ? error.message : 'The reading thread failed.'))
    worker.on('exit', () => gone('The reading thread ended.'))
    worker.unref()
    this.#worker = worker
    return worker
  }

  #failAll(error: Error): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}
