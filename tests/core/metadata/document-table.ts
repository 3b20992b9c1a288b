import { DatabaseSync } from 'node:sqlite'
import {
  DatabaseError,
  type Database,
  type Procedure,
  type SqlRow,
  type SqlValue,
  type Transaction,
} from '../../../electron/core/platform.ts'

/** The store's table of metadata documents in memory, behind the database port; can fail as on a full disk. */
export class DocumentTable implements Database {
  readonly #file = new DatabaseSync(':memory:')
  readonly durable = true
  diskFull = false

  constructor() {
    this.#file.exec(
      'CREATE TABLE metadata_document (address TEXT PRIMARY KEY, status INTEGER, body TEXT, headers TEXT, requested_at INTEGER, observed_at INTEGER, size INTEGER, redirected_to TEXT, prepared INTEGER NOT NULL DEFAULT 0)',
    )
  }
  async query(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return this.#file.prepare(sql).all(...parameters)
  }
  async queryNumbers(): Promise<Float64Array> {
    return new Float64Array()
  }
  async write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    if (this.diskFull) throw new DatabaseError('store', 'disk-full', 'database or disk is full')
    const file = this.#file
    return work({
      run(sql, parameters = []) {
        const { changes, lastInsertRowid } = file.prepare(sql).run(...parameters)
        return { changes: Number(changes), lastId: Number(lastInsertRowid) }
      },
      all: (sql, parameters = []) => file.prepare(sql).all(...parameters),
      first: (sql, parameters = []) => file.prepare(sql).get(...parameters),
      script: (sql) => file.exec(sql),
    })
  }
  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer> {
    return this.write((transaction) => procedure.run(transaction, input))
  }
  async close(): Promise<void> {
    this.#file.close()
  }
}
