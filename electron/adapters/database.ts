import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  DatabaseError,
  type Database,
  type DatabaseFile,
  type Databases,
  type Procedure,
  type ReadKind,
  type SqlRow,
  type SqlValue,
  type Transaction,
} from '../core/platform.ts'
import { forOwnerAlone } from './data-folder.ts'
import { identityOf } from './file-identity.ts'
import { forgetClosedWhole, noteClosedWhole, wasClosedWhole } from './database-closed.ts'
import { connect, transactionOn, type Synchronous } from './database-connection.ts'
import { databaseErrorOf } from './database-errors.ts'
import { DatabaseReaders, DatabaseThread, readerHere } from './database-thread.ts'
import { ReadOnlyDatabase } from './read-only-database.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { WriteQueue, type Call } from './write-queue.ts'

/**
 * Larger files are checked on a reading thread, so that a window can draw meanwhile. Lower it if the check of
 * a file delays the first window.
 */
const checkHereUpToBytes = 8 * 1024 * 1024
/** Limit of a transaction on this thread. A page of a sync is larger. Lower it if writes delay input. */
const cacheInMiB = 8
/** Pages of a sync follow each other faster than this. Raise it if the thread restarts during a sync. */
const restsAfterInMs = 3_000
const synchronousOf = (file: DatabaseFile): Synchronous => (file === 'workbook' ? 'FULL' : 'NORMAL')

export interface DatabasesOptions {
  /** The data folder; created if missing. */
  readonly folder: string
  /** Path of the built (or, in tests, the type-stripped) database-worker. */
  readonly workerUrl: URL
  /**
   * Reads on this thread, and starts the writing one with its first request: a thread takes more processor time to start than the queries
   * of a command. Missing: a window draws meanwhile.
   */
  readonly readsHere?: boolean | undefined
  /**
   * A file that is opened read-only and cannot be read completely; `why` names the file:
   * `store.sqlite is missing`.
   */
  readonly notWhole?: (why: string) => void
}

/**
 * The SQLite files of one data folder over node:sqlite: the workbook is written on this thread, the store and checkpoints on workers, and
 * so is what is read, unless `readsHere`. Rejects with DatabaseError.
 */
export function openDatabases(options: DatabasesOptions): Databases {
  const { folder, workerUrl, readsHere = false, notWhole = () => undefined } = options
  const { logs, writer, ...threads } = threadsOf(workerUrl)
  const readers = readsHere ? new DatabaseReaders([readerHere]) : threads.readers
  const pathOf = (file: DatabaseFile): string => join(folder, `${file}.sqlite`)

  return {
    async open(file) {
      try {
        const path = pathOf(file)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        for (const name of readdirSync(folder))
          if (name.startsWith(`${file}.`)) forOwnerAlone(join(folder, name))
        // Created before SQLite does, with access for its owner only; SQLite gives the log next to it the
        // same mode.
        if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
        const check = (): Promise<void> => selfCheck(file, path, readers)
        const isLate = file === 'store' && isLarge(path) && wasClosedWhole(path)
        forgetClosedWhole(path)
        const connection = connect(path, synchronousOf(file), cacheInMiB)
        try {
          if (!isLate) {
            if (isLarge(path)) await check()
            else selfCheckHere(file, connection)
          }
        } catch (error) {
          connection.close()
          // The reading threads must close the file too: another one may be put under this name.
          await readers.letGo(path)
          throw error
        }
        const synchronous = synchronousOf(file)
        await Promise.allSettled([
          readers.open(path),
          // No other request is made here.
          file === 'store' && !readsHere ? writer.ask({ kind: 'open-to-perform', path, synchronous }) : null,
        ])
        return new FileDatabase(file, connection, {
          path,
          readers,
          writer,
          log: new WriteAheadLog(path, logs),
          check: isLate ? check : null,
        })
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },

    async openReadOnly(file, because) {
      try {
        return new ReadOnlyDatabase(file, pathOf(file), because, notWhole)
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },

    found(file) {
      try {
        return statSync(pathOf(file)).size === 0 ? 'empty' : 'filled'
      } catch {
        // If it cannot be created, opening reports why.
        return 'missing'
      }
    },

    async setAside(file, because, at) {
      try {
        const name = freeName(
          folder,
          `${file}.${because}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}`,
        )
        forgetClosedWhole(pathOf(file))
        for (const end of ['', ...besideFile])
          if (existsSync(pathOf(file) + end)) renameSync(pathOf(file) + end, join(folder, name) + end)
        return name
      } catch (error) {
        throw databaseErrorOf(file, error)
      }
    },
  }
}

interface Threads {
  readonly readers: DatabaseReaders
  readonly logs: DatabaseThread
  readonly writer: DatabaseThread
}

/**
 * The threads of all files of this program. Loading the writer's modules takes a tenth of a second, those of a
 * reader half of that, so they stay after the last file is closed: the readers for good, the others until
 * their idle time ends. They do not keep the program alive.
 */
function threadsOf(workerUrl: URL): Threads {
  const known = allThreads.get(workerUrl.href)
  if (known !== undefined) return known
  const made = {
    readers: new DatabaseReaders([new DatabaseThread(workerUrl), new DatabaseThread(workerUrl)]),
    logs: new DatabaseThread(workerUrl, restsAfterInMs),
    writer: new DatabaseThread(workerUrl, restsAfterInMs),
  }
  allThreads.set(workerUrl.href, made)
  return made
}
const allThreads = new Map<string, Threads>()

/** Endings of the files that SQLite may keep next to a database. */
const besideFile = ['-wal', '-shm', '-journal'] as const

function freeName(folder: string, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${stem}.sqlite` : `${stem}-${number}.sqlite`
    if (!existsSync(join(folder, name))) return name
  }
}

const isLarge = (path: string): boolean => statSync(path).size > checkHereUpToBytes

const selfCheckHere = (file: DatabaseFile, connection: DatabaseSync): void =>
  mustBeWhole(file, connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])

const selfCheck = async (file: DatabaseFile, path: string, readers: DatabaseReaders): Promise<void> =>
  mustBeWhole(file, await readers.ask({ kind: 'check', path }, 'sum'))

function mustBeWhole(file: DatabaseFile, found: unknown): void {
  if (found === 'ok') return
  throw new DatabaseError(
    file,
    'damaged',
    `The self-check of ${file}.sqlite failed: ${typeof found === 'string' ? found.slice(0, 200) : 'no answer'}`,
  )
}

interface FileDatabaseDeps {
  readonly path: string
  readonly readers: DatabaseReaders
  readonly writer: DatabaseThread
  readonly log: WriteAheadLog
  /** The checks that were deferred. */
  readonly check: (() => Promise<void>) | null
}

class FileDatabase implements Database {
  readonly #file: DatabaseFile
  readonly #connection: DatabaseSync
  readonly #deps: FileDatabaseDeps
  readonly #transaction: Transaction
  readonly #queue = new WriteQueue()
  readonly #identity: string | null
  readonly check?: () => Promise<void>
  #open = true
  /** No damage was found. */
  #whole = true

  constructor(file: DatabaseFile, connection: DatabaseSync, deps: FileDatabaseDeps) {
    this.#file = file
    this.#connection = connection
    this.#deps = deps
    this.#transaction = transactionOn(connection)
    this.#identity = connection.location() === null ? null : identityOf(deps.path)
    const { check } = deps
    if (check !== null) this.check = () => (this.#open ? this.#watched(check()) : Promise.resolve())
  }

  get durable(): boolean {
    return this.#open && this.#identity !== null && this.#identity === identityOf(this.#deps.path)
  }

  async query(sql: string, parameters: readonly SqlValue[] = [], kind: ReadKind = 'rows'): Promise<SqlRow[]> {
    return (await this.#ask({ kind: 'rows', sql, parameters }, kind)) as SqlRow[]
  }

  async queryNumbers(
    sql: string,
    parameters: readonly SqlValue[] = [],
    kind: ReadKind = 'rows',
  ): Promise<Float64Array> {
    return (await this.#ask({ kind: 'numbers', sql, parameters }, kind)) as Float64Array
  }

  write<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    if (!this.#open) return Promise.reject(this.#closed())
    const written = this.#watched(this.#queue.hold(() => this.#commit(work)))
    this.#follow(written)
    return written
  }

  perform<Input, Answer>(procedure: Procedure<Input, Answer>, input: Input): Promise<Answer> {
    if (!this.#open) return Promise.reject(this.#closed())
    const call = { name: procedure.name, input }
    const performed = this.#watched(
      procedure.shared === true
        ? this.#queue.share(call, (calls) => this.#perform(calls))
        : this.#queue.hold(async () => (await this.#perform([call]))[0]),
    ) as Promise<Answer>
    this.#follow(performed)
    return performed
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    const { path, readers, writer, log } = this.#deps
    await this.#queue.idle()
    await log.end()
    await Promise.all([readers.letGo(path), writer.letGo(path)])
    const isOurs = this.#identity !== null && this.#identity === identityOf(path)
    this.#connection.close()
    if (this.#whole && isOurs && isLarge(path)) noteClosedWhole(path)
  }

  async #ask(
    question: {
      readonly kind: 'rows' | 'numbers'
      readonly sql: string
      readonly parameters: readonly SqlValue[]
    },
    kind: ReadKind,
  ): Promise<unknown> {
    // The threads, which stay, must not open it again.
    if (!this.#open) throw this.#closed()
    const { path, readers } = this.#deps
    return this.#watched(readers.ask({ ...question, path }, kind)).catch((error: unknown) => {
      // Closing drops queries that have not started.
      throw this.#open || error instanceof DatabaseError ? error : this.#closed()
    })
  }

  #closed(): DatabaseError {
    return new DatabaseError(this.#file, 'unknown', `${this.#file}.sqlite is closed.`)
  }

  async #perform(calls: readonly Call[]): Promise<readonly unknown[]> {
    const { path, writer } = this.#deps
    // The thread opens the file that is there when it starts.
    if (!writer.isRunning && !this.durable)
      throw new DatabaseError(this.#file, 'unknown', `${this.#file}.sqlite was moved or replaced.`)
    const request = { kind: 'perform', path, synchronous: synchronousOf(this.#file), calls } as const
    return (await writer.ask(request)) as readonly unknown[]
  }

  async #commit<T>(work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      const result = await work(this.#transaction)
      this.#connection.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  /** The log may be too long now. */
  #follow(written: Promise<unknown>): void {
    void written
      .then(() => this.#open && this.#deps.log.grew((move) => this.#queue.hold(move)))
      .catch(() => undefined)
  }

  async #watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (thrown) {
      const error = databaseErrorOf(this.#file, thrown)
      if (error instanceof DatabaseError && error.reason === 'damaged') this.#whole = false
      throw error
    }
  }
}
