import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Database, DatabaseFile, Procedure, SqlRow, SqlValue, Transaction } from '../core/platform.ts'
import { attachWorkbook } from './database-connection.ts'
import { databaseErrorOf } from './database-errors.ts'

/**
 * A file that cannot be written, read from its place on one connection. It is read as unchangeable: that needs
 * no lock, no log and no shared memory, which a folder without write permission or on another computer may not
 * allow. `notWhole` gets what is missing then. `because`: every write rejects with it.
 */
export class ReadOnlyDatabase implements Database {
  readonly durable = false
  readonly #file: DatabaseFile
  readonly #because: Error
  readonly #connection: DatabaseSync

  constructor(file: DatabaseFile, path: string, because: Error, notWhole: (why: string) => void) {
    this.#file = file
    this.#because = because
    try {
      const missing = missingOf(file, path)
      if (missing !== null) notWhole(missing)
      this.#connection = readable(path)
    } catch (error) {
      notWhole(`${file}.sqlite cannot be read`)
      throw error
    }
  }

  async query(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
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

  write<T>(_: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    return Promise.reject(this.#because)
  }

  perform<Input, Answer>(_: Procedure<Input, Answer>, __: Input): Promise<Answer> {
    return Promise.reject(this.#because)
  }

  async close(): Promise<void> {
    if (this.#connection.isOpen) this.#connection.close()
  }
}

/** A log that was already copied into the file counts as missing too. */
function missingOf(file: DatabaseFile, path: string): string | null {
  const bytes = (name: string): number | null => statSync(name, { throwIfNoEntry: false })?.size ?? null
  const own = bytes(path)
  if (own === null) return `${file}.sqlite is missing`
  if (own === 0) return `${file}.sqlite is empty`
  const log = ['-wal', '-journal'].find((end) => (bytes(path + end) ?? 0) > 0)
  return log === undefined ? null : `part of ${file}.sqlite is in ${file}.sqlite${log}`
}

function readable(path: string): DatabaseSync {
  const connection = new DatabaseSync(pathToFileURL(path).href + unchangeable, { readOnly: true })
  try {
    connection.exec('PRAGMA temp_store = MEMORY')
    const found = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    if (found !== 'ok') throw new Error(String(found))
    attachWorkbook(connection, path, unchangeable)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
const unchangeable = '?immutable=1'
