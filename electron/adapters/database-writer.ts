import type { DatabaseSync } from 'node:sqlite'
import type { DatabaseFile, Transaction } from '../core/platform.ts'
import { transactionOn } from './database-connection.ts'
import { databaseErrorOf } from './database-errors.ts'
import { WriteQueue } from './write-queue.ts'

/** Transactions on a connection of this thread, in order. */
export class DatabaseWriter {
  readonly queue = new WriteQueue()
  readonly #file: DatabaseFile
  readonly #connection: DatabaseSync
  readonly #transaction: Transaction

  constructor(file: DatabaseFile, connection: DatabaseSync) {
    this.#file = file
    this.#connection = connection
    this.#transaction = transactionOn(connection)
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    return this.queue.hold(() => this.#run(work))
  }

  async #run<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    try {
      this.#connection.exec('BEGIN IMMEDIATE')
      try {
        const result = await work(this.#transaction)
        this.#connection.exec('COMMIT')
        return result
      } catch (error) {
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
        throw error
      }
    } catch (error) {
      throw databaseErrorOf(this.#file, error)
    }
  }
}
