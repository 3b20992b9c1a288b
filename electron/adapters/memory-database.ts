import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Database, DatabaseFile, Procedure, SqlRow, SqlValue, Transaction } from '../core/platform.ts'
import { databaseErrorOf } from './database-errors.ts'
import { DatabaseWriter } from './database-writer.ts'

/**
 * What is missing when a file is read without its log; null: the file holds everything. A log that was
 * already copied into the file counts as missing too.
 */
function notThere(file: DatabaseFile, path: string): string | null {
  const bytes = (name: string): number | null => statSync(name, { throwIfNoEntry: false })?.size ?? null
  const own = bytes(path)
  if (own === null) return `${file}.sqlite is missing`
  if (own === 0) return `${file}.sqlite is empty`
  const log = ['-wal', '-journal'].find((end) => (bytes(path + end) ?? 0) > 0)
  return log === undefined ? null : `part of ${file}.sqlite is in ${file}.sqlite${log}`
}

/** A database that exists for this run only, filled from the file as far as it can be read. */
export function openMemory(file: DatabaseFile, path: string, notWhole: (why: string) => void): DatabaseSync {
  const uri = `file:headroom-${file}-${memories++}?mode=memory&cache=shared`
  const memory = new DatabaseSync(uri)
  const missing = notThere(file, path)
  if (missing !== null) notWhole(missing)
  if (existsSync(path)) {
    try {
      // `immutable` reads the file without a lock or a -shm file; content that is only in a -wal file is not
      // visible.
      const source = new DatabaseSync(`${pathToFileURL(path).href}?mode=ro&immutable=1`, { readOnly: true })
      try {
        source.prepare('VACUUM INTO ?').run(uri)
      } finally {
        source.close()
      }
    } catch {
      // Nothing to recover: an empty database is used.
      notWhole(`${file}.sqlite cannot be read`)
    }
  }
  memory.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY')
  return memory
}
let memories = 1

/** Reads use the same connection: shared memory would lock its tables against the reading thread. */
export class MemoryDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #writer: DatabaseWriter
  readonly #file: DatabaseFile
  readonly durable = false
  #open = true

  constructor(file: DatabaseFile, connection: DatabaseSync) {
    this.#file = file
    this.#connection = connection
    this.#writer = new DatabaseWriter(file, connection)
  }

  async query(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    await this.#writer.queue.idle()
    try {
      return this.#connection.prepare(sql).all(...parameters)
    } catch (error) {
      throw databaseErrorOf(this.#file, error)
    }
  }

  async queryNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    const rows = await this.query(sql, parameters)
    return Float64Array.from(rows, (row) => Number(Object.values(row)[0]))
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    return this.#writer.write(work)
  }

  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer> {
    return this.#writer.write((transaction) => procedure.run(transaction, input))
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#writer.queue.idle()
    this.#connection.close()
  }
}
