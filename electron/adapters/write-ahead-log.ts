import { statSync } from 'node:fs'
import type { DatabaseThread } from './database-thread.ts'

/** How long a log grows before it is moved into its file: what a sync writes again and again is moved once. Chosen. */
const longInBytes = 16 * 1024 * 1024

/**
 * Moves the log of one file into the file on a thread of its own, for that waits for the disk. Most of it is copied while writing goes on;
 * writes are held only for what came meanwhile, so that the log can begin anew.
 */
export class WriteAheadLog {
  readonly #path: string
  readonly #thread: Pick<DatabaseThread, 'ask' | 'letGo'>
  #moving: Promise<void> | null = null
  #moveAt = longInBytes
  #ended = false

  constructor(path: string, thread: Pick<DatabaseThread, 'ask' | 'letGo'>) {
    this.#path = path
    this.#thread = thread
  }

  /** To be told of every transaction that ended. `hold` lets no write begin until the work it is given is done. */
  grew(hold: (work: () => Promise<void>) => Promise<void>): void {
    const size = this.#size()
    if (size < longInBytes) this.#moveAt = longInBytes
    if (this.#moving !== null || size < this.#moveAt) return
    this.#moving = this.#move(hold)
      // Another program is in the way, or the thread ended: tried again when as much has come to it.
      .catch(() => undefined)
      .then(() => {
        this.#moveAt = this.#size() + longInBytes
        this.#moving = null
      })
  }

  /** Writes must have ended: the rest is moved by whoever closes the file last. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#moving
    await this.#thread.letGo(this.#path)
  }

  async #move(hold: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    await this.#thread.ask({ kind: 'copy-log', path: this.#path })
    if (this.#ended) return
    await hold(async () => {
      if (!this.#ended) await this.#thread.ask({ kind: 'move-log', path: this.#path })
    })
  }

  #size(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }
}
