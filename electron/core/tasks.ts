import { methods, type Client } from './feature.ts'
import { Failed } from '../contract/failure.ts'
import type { Task, TaskKind, TaskStep } from '../contract/api/tasks.ts'
import type { Handlers } from '../contract/rpc-client.ts'
import type { Clock, Platform } from './platform.ts'
import { Listeners } from './listeners.ts'

/**
 * Shorter work is not reported. Short enough that a second never passes without a report, long enough to
 * avoid flicker; change it if either occurs.
 */
const reportedAfterInMs = 500

/** The interface for long work. */
export interface RunningTask {
  /** Passed to the calls of the work. */
  readonly signal: AbortSignal
  /** Reports progress. Throws Failed `cancelled` after a cancel. */
  readonly step: (step: TaskStep, done: number, total: number | null) => void
}

/** A task for work that is neither shown nor cancelled. */
export const unwatched: RunningTask = { signal: new AbortController().signal, step: () => undefined }

/** The long work of one client. */
export interface Tasks {
  run<T>(of: TaskKind, work: (task: RunningTask) => Promise<T>): Promise<T>
  list(): readonly Task[]
  /** null: all of them. */
  cancel(id: string | null): void
  /** Returns the function that ends it. */
  onChange(listener: (id: string) => void): () => void
  /** Cancels all tasks; new ones are cancelled when they start. */
  close(): void
}

export function openTasks(deps: { readonly clock: Clock; readonly newId: Platform['newId'] }): Tasks {
  const { clock, newId } = deps
  const running = new Map<string, { task: Task; isReported: boolean; readonly stop: AbortController }>()
  const listeners = new Listeners<[id: string]>()
  let closed = false
  const changed = listeners.notify
  const cancel = (id: string | null): void => {
    const entries = id === null ? running.values() : [running.get(id)]
    for (const entry of entries) entry?.stop.abort()
  }
  return {
    async run(of, work) {
      const id = newId()
      const stop = new AbortController()
      if (closed) stop.abort()
      const entry = { task: { id, of, step: null, done: 0, total: null } as Task, isReported: false, stop }
      running.set(id, entry)
      const cancelReport = clock.after(reportedAfterInMs, () => {
        entry.isReported = true
        changed(id)
      })
      try {
        return await work({
          signal: stop.signal,
          step(step, done, total) {
            if (stop.signal.aborted) throw new Failed({ kind: 'cancelled' })
            entry.task = { id, of, step, done, total }
            if (entry.isReported) changed(id)
          },
        })
      } finally {
        cancelReport()
        running.delete(id)
        if (entry.isReported) changed(id)
      }
    },
    list: () => [...running.values()].filter(({ isReported }) => isReported).map(({ task }) => task),
    cancel,
    onChange: listeners.add,
    close() {
      closed = true
      cancel(null)
    },
  }
}

/**
 * Work that several tasks wait for at once: all of them get its steps, and it is cancelled when the last of
 * them is.
 */
export class SharedTask {
  readonly #tasks = new Set<RunningTask>()
  readonly #stop = new AbortController()

  readonly running: RunningTask = {
    signal: this.#stop.signal,
    step: (...step) => {
      let heard = false
      for (const task of this.#tasks) {
        try {
          task.step(...step)
          heard = true
        } catch {
          this.#tasks.delete(task)
        }
      }
      if (heard) return
      this.#stop.abort()
      throw new Failed({ kind: 'cancelled' })
    },
  }

  /** Whether it is running, so that another task may join it. */
  get isRunning(): boolean {
    return !this.#stop.signal.aborted
  }

  /** Its result, or Failed `cancelled` as soon as this task is cancelled. */
  async join<T>(task: RunningTask, result: Promise<T>): Promise<T> {
    this.#tasks.add(task)
    const { promise: cancelled, reject } = Promise.withResolvers<never>()
    const stop = (): void => reject(new Failed({ kind: 'cancelled' }))
    if (task.signal.aborted) stop()
    task.signal.addEventListener('abort', stop)
    try {
      return await Promise.race([result, cancelled])
    } finally {
      task.signal.removeEventListener('abort', stop)
      this.#tasks.delete(task)
    }
  }
}

export const taskMethods = methods(({ tasks }: Client<unknown, unknown>) => ({ tasks: taskHandlers(tasks) }))

const taskHandlers = (tasks: Tasks): Handlers<'tasks'> => ({
  list: async () => tasks.list(),
  cancel: async ({ id }) => tasks.cancel(id),
})
