import { randomUUID } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type {
  Database,
  DatabaseFile,
  Databases,
  Procedure,
  SqlRow,
  SqlValue,
  Transaction,
} from '../electron/core/platform.ts'

/** The contents of all three databases: others start from them (`memoryDatabases`). */
export type DatabaseImages = ReadonlyMap<DatabaseFile, Uint8Array>

export interface MemoryDatabases extends Databases {
  /** The open database, for writing data of an earlier program into it. */
  opened(file: DatabaseFile): Database
  /** Copies the committed data of open databases; nothing may be written meanwhile. */
  image(): DatabaseImages
}

/**
 * SQLite in memory, on this thread, for tests only. Reports `durable` like a file on disk, so that writes are
 * not rejected. Tests with real files cover the cases in which it is not. As with files, what reads the store
 * sees the workbook beside it; one queue serves both, because shared memory locks its tables. A file that is
 * opened again has what it had when it was closed.
 */
export function memoryDatabases(from: DatabaseImages | null = null): MemoryDatabases {
  const images = new Map(from)
  const opened = new Map<DatabaseFile, MemoryDatabase>()
  // Shared by the whole process, in which a test may load this module anew.
  const workbook = `file:workbook-${randomUUID()}?mode=memory&cache=shared`
  const queue: Queue = { last: Promise.resolve() }
  return {
    open: async (file) => {
      const connection = new DatabaseSync(file === 'workbook' ? workbook : ':memory:')
      const image = images.get(file)
      if (image !== undefined && file === 'workbook') restore(image, workbook)
      else if (image !== undefined) connection.deserialize(image)
      if (file === 'store') connection.prepare('ATTACH ? AS workbook').run(workbook)
      connection.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY')
      const database = new MemoryDatabase(connection, queue, (closed) => void images.set(file, closed))
      opened.set(file, database)
      return database
    },
    opened: (file) => {
      const database = opened.get(file)
      if (database === undefined) throw new Error(`${file} is not open`)
      return database
    },
    found: (file) => (images.has(file) ? 'filled' : 'missing'),
    openReadOnly: () => Promise.reject(new Error('memory can always be written')),
    setAside: () => Promise.reject(new Error('no file in memory is ever damaged')),
    image: () => new Map([...opened].map(([file, { connection }]) => [file, connection.serialize()])),
  }
}

/** Shared memory cannot be deserialized into. */
function restore(image: Uint8Array, uri: string): void {
  const copy = new DatabaseSync(':memory:')
  copy.deserialize(image)
  copy.prepare('VACUUM INTO ?').run(uri)
  copy.close()
}

/** `last` never rejects. */
interface Queue {
  last: Promise<unknown>
}

class MemoryDatabase implements Database {
  readonly connection: DatabaseSync
  readonly #queue: Queue
  readonly #keep: (image: Uint8Array) => void
  readonly #statements = new Map<string, StatementSync>()
  #open = true

  constructor(connection: DatabaseSync, queue: Queue, keep: (image: Uint8Array) => void) {
    this.connection = connection
    this.#queue = queue
    this.#keep = keep
  }

  get durable(): boolean {
    return this.#open
  }

  async query(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    // Uncommitted data must not be visible.
    await this.#queue.last
    return this.#prepare(sql).all(...parameters)
  }

  async queryNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    const rows = await this.query(sql, parameters)
    return Float64Array.from(rows, (row) => {
      const [value] = Object.values(row)
      return typeof value === 'number' ? value : Number.NaN
    })
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    const turn = this.#queue.last.then(() => this.#run(work))
    this.#queue.last = turn.catch(() => undefined)
    return turn
  }

  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer> {
    return this.write((transaction) => procedure.run(transaction, input))
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#queue.last
    this.#keep(this.connection.serialize())
    this.connection.close()
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  async #run<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    this.connection.exec('BEGIN IMMEDIATE')
    try {
      const result = await work(this.#transaction)
      this.connection.exec('COMMIT')
      return result
    } catch (error) {
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK')
      throw error
    }
  }

  readonly #transaction: Transaction = {
    run: (sql, parameters = []) => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...parameters)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
    all: (sql, parameters = []) => this.#prepare(sql).all(...parameters),
    first: (sql, parameters = []) => this.#prepare(sql).get(...parameters),
    script: (sql) => this.connection.exec(sql),
  }
}
