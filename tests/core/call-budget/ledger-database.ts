import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Database, Procedure, SqlRow, SqlValue, Transaction } from '../../../electron/core/platform.ts'

/**
 * A ledger file in memory, behind the core's port; `fail` makes the next transactions fail as on a full disk or a busy file, `failReads`
 * the reads.
 */
export class LedgerDatabase implements Database {
  readonly #file = new DatabaseSync(':memory:')
  /** For tests only; false: like a file that was deleted while it is open. */
  durable = true
  transactions = 0
  fail: (() => Error) | null = null
  failReads: (() => Error) | null = null

  async read(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    if (this.failReads) throw this.failReads()
    return this.#file.prepare(sql).all(...(parameters as SQLInputValue[]))
  }
  async readNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    return Float64Array.from((await this.read(sql, parameters)).map((row) => Number(Object.values(row)[0])))
  }
  async write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    if (this.fail) throw this.fail()
    this.transactions++
    this.#file.exec('BEGIN IMMEDIATE')
    try {
      const result = work({
        run: (sql, parameters = []) => {
          const done = this.#file.prepare(sql).run(...(parameters as SQLInputValue[]))
          return { changes: Number(done.changes), lastId: Number(done.lastInsertRowid) }
        },
        all: (sql, parameters = []) => this.#file.prepare(sql).all(...(parameters as SQLInputValue[])),
        first: (sql, parameters = []) => this.#file.prepare(sql).get(...(parameters as SQLInputValue[])),
        script: (sql) => this.#file.exec(sql),
      })
      this.#file.exec('COMMIT')
      return result
    } catch (error) {
      this.#file.exec('ROLLBACK')
      throw error
    }
  }
  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer> {
    return this.write((transaction) => procedure.run(transaction, input))
  }
  async close(): Promise<void> {
    this.#file.close()
  }
}
