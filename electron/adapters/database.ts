import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import {
  DatabaseError,
  type Database,
  type DatabaseFile,
  type Databases,
  type SqlRow,
  type SqlValue,
  type Transaction,
} from '../core/platform.ts'
import { forOwnerAlone } from './data-folder.ts'
import { namesOf, removeUnfinishedCopies } from './database-copies.ts'
import { databaseErrorOf } from './database-errors.ts'
import { DatabaseThread } from './database-thread.ts'
import { patience, type Patience } from './patience.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

/** Larger files are checked on the reading thread, so that a window can draw meanwhile. Chosen. */
const checkHereUpToBytes = 8 * 1024 * 1024
const statementsKept = 200

export interface DatabasesOptions {
  /** The home folder; made when it is not there. */
  readonly folder: string
  /** Where the built (or, in tests, the type-stripped) database-worker stands. */
  readonly workerUrl: URL
  /** Another program has had a file locked for a second, and it is still waited for, `busyForInMs` at most. */
  readonly waiting?: (file: DatabaseFile) => void
}

/** The three SQLite files of one home folder over node:sqlite: writes on this thread, reads and logs each on a worker. Rejects with DatabaseError. */
export function openDatabases({ folder, workerUrl, waiting = () => undefined }: DatabasesOptions): Databases {
  const patiently = patience(waiting)
  const reader = new DatabaseThread(workerUrl)
  const logs = new DatabaseThread(workerUrl)
  const opened = new Set<Database>()
  const pathOf = (file: DatabaseFile): string => join(folder, `${file}.sqlite`)
  const closed = async (database: Database): Promise<void> => {
    opened.delete(database)
    if (opened.size === 0) await Promise.all([reader.end(), logs.end()])
  }

  return {
    async open(file, kept = 'on-disk') {
      try {
        if (kept === 'in-memory') {
          return new MemoryDatabase(file, openMemory(file, pathOf(file)), patiently)
        }
        const path = pathOf(file)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        removeUnfinishedCopies(folder, file)
        for (const name of namesOf(folder, file)) forOwnerAlone(join(folder, name))
        // Made before SQLite would, for its owner alone; its log beside it gets the same mode.
        if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
        const connection = await patiently(file, () => connect(path, file === 'workbook' ? 'FULL' : 'NORMAL'))
        try {
          await patiently(file, () => selfCheck(file, path, connection, reader))
        } catch (error) {
          connection.close()
          // The reading thread must let go of the file too: another one may take its place under this name.
          if (reader.started) await reader.ask({ kind: 'close', path }).catch(() => null)
          if (opened.size === 0) await reader.end()
          throw error
        }
        const database: Database = new FileDatabase(file, connection, {
          path,
          reader,
          patiently,
          log: new WriteAheadLog(path, logs),
          closed: () => closed(database),
        })
        opened.add(database)
        return database
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },

    found(file) {
      try {
        return statSync(pathOf(file)).size === 0 ? 'empty' : 'filled'
      } catch {
        // Why it cannot be there is told when it is opened.
        return 'missing'
      }
    },

    async setAside(file, at) {
      try {
        const name = freeName(
          folder,
          `${file}.damaged-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}`,
        )
        for (const end of ['', ...besideFile])
          if (existsSync(pathOf(file) + end)) renameSync(pathOf(file) + end, join(folder, name) + end)
        return name
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },

    async compact(file) {
      try {
        await logs.ask({ kind: 'compact', path: pathOf(file) })
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },

    async backUp(file, label) {
      try {
        const name = freeName(folder, `${file}.${label}`)
        const copy = join(folder, `${name}.${process.pid}.part`)
        const connection = new DatabaseSync(pathOf(file), { readOnly: true })
        try {
          // Empty files are written into: this one is for its owner alone from the beginning.
          const made = openSync(copy, 'wx', 0o600)
          try {
            connection.prepare('VACUUM INTO ?').run(copy)
            // SQLite leaves that to whoever asks for a copy.
            fsyncSync(made)
          } finally {
            closeSync(made)
          }
          renameSync(copy, join(folder, name))
        } catch (error) {
          rmSync(copy, { force: true })
          throw error
        } finally {
          connection.close()
        }
        return name
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },
  }
}

/** What SQLite may keep beside a file, by the end of the name. */
const besideFile = ['-wal', '-shm', '-journal'] as const

function freeName(folder: string, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${stem}.sqlite` : `${stem}-${number}.sqlite`
    if (!existsSync(join(folder, name))) return name
  }
}

/** `FULL`: a transaction is on the disk when it ends, as the journal's line before a write must be; the others may lose their last ones with the power. */
function connect(path: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  const connection = new DatabaseSync(path)
  try {
    // The wait here is short because it stops this thread; `write` waits on, without stopping it.
    connection.exec('PRAGMA busy_timeout = 100')
    if (connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal')
      connection.exec('PRAGMA journal_mode = DELETE')
    connection.exec(
      `PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536`,
    )
    // A job's passwords are overwritten when it has ended: that leaves nothing in unused pages.
    if (synchronous === 'FULL') connection.exec('PRAGMA secure_delete = ON')
    // The log is moved by a thread of its own (WriteAheadLog); SQLite's way is in a COMMIT here.
    connection.exec('PRAGMA wal_autocheckpoint = 0')
    // Asks for the write lock and gives it back: a file that cannot be written is found now, not in the middle of a sync.
    writeLock(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function writeLock(connection: DatabaseSync): void {
  try {
    connection.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    const reason = databaseErrorOf('store', error)
    if (!(reason instanceof DatabaseError) || reason.reason !== 'busy') throw error
  }
}

async function selfCheck(
  file: DatabaseFile,
  path: string,
  connection: DatabaseSync,
  reader: DatabaseThread,
): Promise<void> {
  const found =
    statSync(path).size > checkHereUpToBytes
      ? await reader.ask({ kind: 'check', path })
      : connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (found !== 'ok')
    throw new DatabaseError(
      file,
      'damaged',
      `The self-check of ${file}.sqlite failed: ${typeof found === 'string' ? found.slice(0, 200) : 'no answer'}`,
    )
}

/** A database that lives as long as this run, filled from the file where that can still be read. */
function openMemory(file: DatabaseFile, path: string): DatabaseSync {
  const uri = `file:headroom-${file}-${memories++}?mode=memory&cache=shared`
  const memory = new DatabaseSync(uri)
  if (existsSync(path)) {
    try {
      // `immutable` reads the file without a lock or a -shm beside it; what stands only in a -wal is not seen.
      const source = new DatabaseSync(`${pathToFileURL(path).href}?mode=ro&immutable=1`, { readOnly: true })
      try {
        source.prepare('VACUUM INTO ?').run(uri)
      } finally {
        source.close()
      }
    } catch {
      // Nothing to save from it: an empty one serves.
    }
  }
  memory.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY')
  return memory
}
let memories = 1

/** Queue, transaction and statement cache around one writing connection. */
class Writer {
  readonly #file: DatabaseFile
  readonly #connection: DatabaseSync
  readonly #patiently: Patience
  readonly #statements = new Map<string, StatementSync>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(file: DatabaseFile, connection: DatabaseSync, patiently: Patience) {
    this.#file = file
    this.#connection = connection
    this.#patiently = patiently
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    return this.hold(() => this.#run(work))
  }

  /** Writes that are asked for meanwhile wait for this. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  idle(): Promise<unknown> {
    return this.#queue
  }

  async #run<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    try {
      await this.#begin()
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

  #begin(): Promise<void> {
    return this.#patiently(this.#file, () => this.#connection.exec('BEGIN IMMEDIATE'))
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > statementsKept) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return statement
  }

  readonly #transaction: Transaction = {
    run: (sql, parameters = []) => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...parameters)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
    all: (sql, parameters = []) => this.#prepare(sql).all(...parameters),
    first: (sql, parameters = []) => this.#prepare(sql).get(...parameters),
    script: (sql) => {
      // Prepared statements would look at tables that are gone.
      this.#statements.clear()
      this.#connection.exec(sql)
    },
  }
}

interface FileDatabaseParts {
  readonly path: string
  readonly patiently: Patience
  readonly reader: DatabaseThread
  readonly log: WriteAheadLog
  readonly closed: () => Promise<void>
}

/** Which file stands under a path; null: none, or none that can be looked at. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

class FileDatabase implements Database {
  readonly #file: DatabaseFile
  readonly #connection: DatabaseSync
  readonly #parts: FileDatabaseParts
  readonly #writer: Writer
  readonly #identity: string | null
  #open = true

  constructor(file: DatabaseFile, connection: DatabaseSync, parts: FileDatabaseParts) {
    this.#file = file
    this.#connection = connection
    this.#parts = parts
    this.#writer = new Writer(file, connection, parts.patiently)
    this.#identity = connection.location() === null ? null : identityOf(parts.path)
  }

  get durable(): boolean {
    return this.#open && this.#identity !== null && this.#identity === identityOf(this.#parts.path)
  }

  async read(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    return (await this.#ask('rows', sql, parameters)) as SqlRow[]
  }

  async readNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    return (await this.#ask('numbers', sql, parameters)) as Float64Array
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    if (!this.#open)
      return Promise.reject(new DatabaseError(this.#file, 'unknown', `${this.#file}.sqlite is closed.`))
    const written = this.#writer.write(work)
    void written
      .then(() => this.#open && this.#parts.log.grew((move) => this.#writer.hold(move)))
      .catch(() => undefined)
    return written
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    const { path, reader, log, closed } = this.#parts
    await this.#writer.idle()
    await log.end()
    if (reader.started) await reader.ask({ kind: 'close', path }).catch(() => null)
    this.#connection.close()
    await closed()
  }

  async #ask(kind: 'rows' | 'numbers', sql: string, parameters: readonly SqlValue[]): Promise<unknown> {
    if (!this.#open) throw new DatabaseError(this.#file, 'unknown', `${this.#file}.sqlite is closed.`)
    const { path, reader, patiently } = this.#parts
    return patiently(this.#file, () => reader.ask({ kind, path, sql, parameters }))
  }
}

/** Reads on the same connection: memory cannot be shared with the reading thread without locking its tables. */
class MemoryDatabase implements Database {
  readonly #connection: DatabaseSync
  readonly #writer: Writer
  readonly #file: DatabaseFile
  readonly durable = false
  #open = true

  constructor(file: DatabaseFile, connection: DatabaseSync, patiently: Patience) {
    this.#file = file
    this.#connection = connection
    this.#writer = new Writer(file, connection, patiently)
  }

  async read(sql: string, parameters: readonly SqlValue[] = []): Promise<SqlRow[]> {
    await this.#writer.idle()
    try {
      return this.#connection.prepare(sql).all(...parameters)
    } catch (error) {
      throw databaseErrorOf(this.#file, error)
    }
  }

  async readNumbers(sql: string, parameters: readonly SqlValue[] = []): Promise<Float64Array> {
    const rows = await this.read(sql, parameters)
    return Float64Array.from(rows, (row) => Number(Object.values(row)[0]))
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    return this.#writer.write(work)
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    await this.#writer.idle()
    this.#connection.close()
  }
}
