import { statSync } from 'node:fs'
import type { DatabaseThread } from './database-thread.ts'

/**
 * Length at which a log is checkpointed: pages that a sync rewrites are then copied once. Lower it if the
 * disk space of the log matters.
 */
const longInBytes = 16 * 1024 * 1024

/**
 * Checkpoints the log of one file on its own thread, because that waits for the disk. Most pages are copied
 * while writes continue. Writes are paused only for the rest, so that the log can restart at its beginning.
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

  /** Call it after every transaction. `hold` delays writes until its callback has ended. */
  grew(hold: (work: () => Promise<void>) => Promise<void>): void {
    const size = this.#size()
    if (size < longInBytes) this.#moveAt = longInBytes
    if (this.#moving !== null || size < this.#moveAt) return
    this.#moving = this.#move(hold)
      // A long query is using the log, or the thread ended: tried again when the log has grown by the same
      // amount.
      .catch(() => undefined)
      .then(() => {
        this.#moveAt = this.#size() + longInBytes
        this.#moving = null
      })
  }

  /** Writes must have ended; the connection that closes the file last copies the rest. */
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
