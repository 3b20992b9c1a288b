import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Database, Procedure, SqlRow, SqlValue, Transaction } from '../../../electron/core/platform.ts'
import { workbookSchema } from '../../../electron/core/storage/workbook-schema.ts'

/**
 * A workbook in memory, behind the core's port; `fail` makes the next transactions fail as on a full disk,
 * `failReads` the reads.
 */
export class MemoryWorkbook implements Database {
  readonly #file = new DatabaseSync(':memory:')
  readonly #statements = new Map<string, StatementSync>()
  /** For tests only; false: like a file that was deleted while it is open. */
  durable = true
  transactions = 0
  fail: (() => Error) | null = null
  failReads: (() => Error) | null = null

  /** `from`: its schema, or the contents of another one. */
  constructor(from: string | Uint8Array = workbookSchema) {
    if (typeof from === 'string') this.#file.exec(from)
    else this.#file.deserialize(from)
  }
  image(): Uint8Array {
    return this.#file.serialize()
  }

  async query(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    if (this.failReads) throw this.failReads()
    return this.#prepare(sql).all(...(parameters as SQLInputValue[]))
  }
  async queryNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    return Float64Array.from((await this.query(sql, parameters)).map((row) => Number(Object.values(row)[0])))
  }
  async write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    if (this.fail) throw this.fail()
    this.transactions++
    this.#file.exec('BEGIN IMMEDIATE')
    try {
      const result = work({
        run: (sql, parameters = []) => {
          const done = this.#prepare(sql).run(...(parameters as SQLInputValue[]))
          return { changes: Number(done.changes), lastId: Number(done.lastInsertRowid) }
        },
        all: (sql, parameters = []) => this.#prepare(sql).all(...(parameters as SQLInputValue[])),
        first: (sql, parameters = []) => this.#prepare(sql).get(...(parameters as SQLInputValue[])),
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
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#file.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
  async close(): Promise<void> {
    this.#file.close()
  }
}
