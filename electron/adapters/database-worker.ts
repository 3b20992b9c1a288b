import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { SqlRow, SqlValue, Transaction } from '../core/platform.ts'
import {
  attachWorkbook,
  busyTimeout,
  connect,
  transactionOn,
  type Synchronous,
} from './database-connection.ts'
import type { Call } from './write-queue.ts'

/**
 * What is asked of a database. `path` names the file. A thread keeps one connection for reads, one for the log
 * and one for writes until `close`. A passive checkpoint waits for no other connection. A truncating
 * checkpoint waits for readers and writers.
 */
export type Question =
  | {
      readonly path: string
      readonly kind: 'rows' | 'numbers'
      readonly sql: string
      readonly parameters: readonly SqlValue[]
    }
  | { readonly path: string; readonly kind: 'check' }
  | { readonly path: string; readonly kind: 'copy-log' }
  | { readonly path: string; readonly kind: 'move-log' }
  | {
      readonly path: string
      readonly kind: 'perform'
      readonly synchronous: Synchronous
      /** All of them in one transaction, or none. */
      readonly calls: readonly Call[]
    }
  | { readonly path: string; readonly kind: 'open-to-read' }
  | {
      readonly path: string
      readonly kind: 'open-to-perform'
      readonly synchronous: Synchronous
    }
  | { readonly path: string; readonly kind: 'close' }

/** Rows, numbers, the result of a check, or the result of each call. */
export type Value = SqlRow[] | Float64Array | string | readonly unknown[] | null

interface Connection {
  readonly database: DatabaseSync
  readonly statements: Map<string, StatementSync>
}

/** Prepared statements cached per connection; the least recently used is dropped first. */
const statementsAtMost = 100
const connections = { reading: new Map<string, Connection>(), moving: new Map<string, Connection>() }
/**
 * The operating system caches the file too, so a larger cache holds pages twice for each reader. Measured at
 * 100,000 devices: filters and sums as fast with 8 MiB as with 16, sums a third slower with 4.
 */
const cacheInKiB = 8 * 1024

function connectTo(path: string, use: keyof typeof connections): Connection {
  const known = connections[use].get(path)
  if (known) return known
  const database = new DatabaseSync(path, { readOnly: use === 'reading' })
  database.exec(`${busyTimeout}; PRAGMA cache_size = -${cacheInKiB}; PRAGMA temp_store = MEMORY`)
  if (use === 'reading') attachWorkbook(database, path)
  const connection = { database, statements: new Map<string, StatementSync>() }
  connections[use].set(path, connection)
  return connection
}

function prepare(connection: Connection, sql: string): StatementSync {
  const known = connection.statements.get(sql)
  if (known) {
    connection.statements.delete(sql)
    connection.statements.set(sql, known)
    return known
  }
  const statement = connection.database.prepare(sql)
  connection.statements.set(sql, statement)
  if (connection.statements.size > statementsAtMost) {
    const oldest = connection.statements.keys().next().value
    if (oldest !== undefined) connection.statements.delete(oldest)
  }
  return statement
}

/**
 * The only column of every row; text and null become NaN. The values are passed as one text, because a row
 * object for each of 100,000 takes three times as long (measured).
 */
function numbers(connection: Connection, sql: string, parameters: readonly SqlValue[]): Float64Array {
  const gathered = `WITH asked (number) AS (${sql}) SELECT json_group_array(number) AS numbers FROM asked`
  const row = prepare(connection, gathered).get(...parameters)
  const found = JSON.parse(String(row?.['numbers'])) as readonly unknown[]
  return Float64Array.from(found, (value) => (typeof value === 'number' ? value : Number.NaN))
}

function moveLog(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(TRUNCATE)')
  // The first transaction of an empty log costs one more disk sync; this empty transaction takes that cost
  // here.
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec(
      `PRAGMA user_version = ${Number(database.prepare('PRAGMA user_version').get()?.['user_version'])}`,
    )
  } finally {
    database.exec('COMMIT')
  }
}

interface Performing {
  readonly database: DatabaseSync
  readonly transaction: Transaction
}
const performing = new Map<string, Performing>()
/**
 * Holds the leaf pages that a few pages of a sync write to. 32 took 38 MiB more at the peak of a sync of
 * 100,000 devices (measured); raise it if writes of a sync read from disk.
 */
const performingCacheInMiB = 16

function openToPerform(path: string, synchronous: Synchronous): Performing {
  const known = performing.get(path)
  if (known) return known
  const database = connect(path, synchronous, performingCacheInMiB)
  const opened = { database, transaction: transactionOn(database) }
  performing.set(path, opened)
  return opened
}

async function perform(request: Extract<Question, { kind: 'perform' }>): Promise<unknown[]> {
  const { path, synchronous, calls } = request
  // Reading threads do not need it.
  const { procedureNamed } = await import('../core/procedures.ts')
  const { database, transaction } = openToPerform(path, synchronous)
  database.exec('BEGIN IMMEDIATE')
  try {
    const answers = calls.map(({ name, input }) => procedureNamed(name).run(transaction, input as never))
    database.exec('COMMIT')
    return answers
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** On the calling thread. Throws SQLite's errors. */
export function work(request: Question): Value | Promise<Value> {
  if (request.kind === 'perform') return perform(request)
  if (request.kind === 'open-to-perform') {
    openToPerform(request.path, request.synchronous)
    return null
  }
  if (request.kind === 'close') {
    for (const open of [connections.reading, connections.moving, performing]) {
      open.get(request.path)?.database.close()
      open.delete(request.path)
    }
    return null
  }
  if (request.kind === 'copy-log') {
    connectTo(request.path, 'moving').database.exec(
      'PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(PASSIVE)',
    )
    return null
  }
  if (request.kind === 'move-log') {
    moveLog(connectTo(request.path, 'moving').database)
    return null
  }
  const connection = connectTo(request.path, 'reading')
  if (request.kind === 'open-to-read') return null
  if (request.kind === 'check') {
    const first = connection.database.prepare('PRAGMA main.quick_check(1)').get() as
      | { quick_check?: unknown }
      | undefined
    return typeof first?.quick_check === 'string' ? first.quick_check : 'no answer'
  }
  return request.kind === 'numbers'
    ? numbers(connection, request.sql, request.parameters)
    : prepare(connection, request.sql).all(...request.parameters)
}

/** `id` is that of the request. */
type ThreadRequest = Question & { readonly id: number }
export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly errcode: number | null; readonly message: string }

async function answer(request: ThreadRequest): Promise<void> {
  try {
    const value = await work(request)
    const result: ThreadAnswer = { id: request.id, ok: true, value }
    parentPort?.postMessage(result, value instanceof Float64Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
    const result: ThreadAnswer = {
      id: request.id,
      ok: false,
      errcode,
      message: error instanceof Error ? error.message : 'The reading thread failed.',
    }
    parentPort?.postMessage(result)
  }
}

// null on the thread that reads by itself (`readerHere`).
parentPort?.on('message', (request: ThreadRequest) => void answer(request))
