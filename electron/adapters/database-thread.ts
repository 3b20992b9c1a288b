import { Worker } from 'node:worker_threads'
import type { ReaderAnswer, ReaderRequest, Value } from './database-worker.ts'

export type Question = ReaderRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, 'id'>
    : never
  : never

/** What SQLite said on the reading thread; `errcode` is SQLite's extended result code. */
export class ReaderError extends Error {
  readonly errcode: number | null
  constructor(errcode: number | null, message: string) {
    super(message)
    this.name = 'ReaderError'
    this.errcode = errcode
  }
}

/** V8 lets the young objects of each thread take 48 MiB otherwise. Chosen. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** One thread for all files, to read them or to move their logs. Starts with the first question, ends with `end`, starts anew after a crash. */
export class DatabaseThread {
  readonly #workerUrl: URL
  #worker: Worker | null = null
  #nextId = 1
  readonly #waiting = new Map<number, { resolve: (value: Value) => void; reject: (error: Error) => void }>()

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl
  }

  ask(request: Question): Promise<Value> {
    const worker = this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      // First, for it throws what cannot be copied to another thread.
      worker.postMessage({ ...request, id })
      this.#waiting.set(id, { resolve, reject })
      // Referenced only while someone waits: an open database alone keeps no program alive.
      worker.ref()
    })
  }

  /** Closes what is open of the file. */
  async letGo(path: string): Promise<void> {
    if (this.#worker !== null) await this.ask({ kind: 'close', path }).catch(() => null)
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
    this.#failAll(new ReaderError(null, 'The database was closed.'))
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#workerUrl, { resourceLimits })
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
