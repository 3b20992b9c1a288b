import { Worker } from 'node:worker_threads'
import type { Question, ThreadAnswer, Value } from './database-worker.ts'
import type { ReadKind } from '../core/platform.ts'

/** The error of SQLite on the reading thread; `errcode` is SQLite's extended result code. */
export class ReaderError extends Error {
  readonly errcode: number | null
  constructor(errcode: number | null, message: string) {
    super(message)
    this.name = 'ReaderError'
    this.errcode = errcode
  }
}

/**
 * By default V8 uses up to 48 MiB for the young objects of each thread. Raise it if garbage collection slows
 * down queries.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/**
 * One thread for all files: it reads them, writes one, or checkpoints their logs. It starts with the first
 * request, ends on `end` or after `restsAfterInMs` without a request, and restarts with the next one. An idle
 * thread and its cached pages take 10 to 30 MiB.
 */
export class DatabaseThread {
  readonly #workerUrl: URL
  readonly #restsAfterInMs: number | null
  #resting: NodeJS.Timeout | undefined
  #worker: Worker | null = null
  #nextId = 1
  readonly #waiting = new Map<number, { resolve: (value: Value) => void; reject: (error: Error) => void }>()

  constructor(workerUrl: URL, restsAfterInMs: number | null = null) {
    this.#workerUrl = workerUrl
    this.#restsAfterInMs = restsAfterInMs
  }

  get isRunning(): boolean {
    return this.#worker !== null
  }

  ask(request: Question): Promise<Value> {
    clearTimeout(this.#resting)
    const worker = this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      // First, because it throws if a value cannot be cloned to another thread.
      worker.postMessage({ ...request, id })
      this.#waiting.set(id, { resolve, reject })
      // Referenced only while someone waits: an open database alone keeps no program alive.
      worker.ref()
    })
  }

  /** Closes the thread's connections to the file. */
  async letGo(path: string): Promise<void> {
    if (this.#worker !== null) await this.ask({ kind: 'close', path }).catch(() => null)
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting)
    const worker = this.#worker
    this.#worker = null
    // Later requests go to the next thread.
    this.#failAll(new ReaderError(null, 'The database was closed.'))
    await worker?.terminate()
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#workerUrl, { resourceLimits })
    worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) {
        worker.unref()
        this.#restLater()
      }
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

  #restLater(): void {
    if (this.#restsAfterInMs === null) return
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => void this.end(), this.#restsAfterInMs).unref()
  }

  #failAll(error: Error): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

export type Reader = Pick<DatabaseThread, 'ask' | 'letGo'>

/** Reads on the calling thread, which waits for SQLite meanwhile. */
export const readerHere: Reader = {
  ask: async (question) => (await import('./database-worker.ts')).work(question),
  letGo: async (path) => void (await readerHere.ask({ kind: 'close', path })),
}

interface Waiting {
  readonly kind: ReadKind
  readonly question: Question
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/**
 * The threads that read all files. A query starts when a thread is free. Only one aggregate query runs at a
 * time, so that of two threads rows on screen wait for other rows and never for an aggregate.
 */
export class DatabaseReaders {
  readonly #threads: readonly Reader[]
  readonly #busy = new Map<Reader, ReadKind>()
  #waiting: Waiting[] = []

  constructor(threads: readonly Reader[]) {
    this.#threads = threads
  }

  /** Rejects with ReaderError. */
  ask(question: Question, kind: ReadKind): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, question, resolve, reject })
      this.#handOver()
    })
  }

  /**
   * Makes all of them open the file now under the path; it may be replaced later. Errors are reported to the
   * next query.
   */
  async open(path: string): Promise<void> {
    await Promise.allSettled(this.#threads.map((thread) => thread.ask({ kind: 'open-to-read', path })))
  }

  /** All of them close the file. Queries that have not started are rejected. */
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
