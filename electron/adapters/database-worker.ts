import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { SqlRow, SqlValue } from '../core/platform.ts'

/**
 * What a thread is asked. `path` names the file: one connection each, read-only but for `move-log` and `compact`, kept until `close`. Moving waits for
 * readers, and leaves the log empty where no other program is in the way.
 */
export type ReaderRequest =
  | {
      readonly id: number
      readonly path: string
      readonly kind: 'rows' | 'numbers'
      readonly sql: string
      readonly parameters: readonly SqlValue[]
    }
  | { readonly id: number; readonly path: string; readonly kind: 'check' }
  | { readonly id: number; readonly path: string; readonly kind: 'move-log' }
  | { readonly id: number; readonly path: string; readonly kind: 'compact' }
  | { readonly id: number; readonly path: string; readonly kind: 'close' }

export type ReaderAnswer =
  | { readonly id: number; readonly ok: true; readonly value: SqlRow[] | Float64Array | string | null }
  | { readonly id: number; readonly ok: false; readonly errcode: number | null; readonly message: string }

interface Connection {
  readonly database: DatabaseSync
  readonly statements: Map<string, StatementSync>
}

/** Statements kept prepared per connection; the longest unused one goes first. */
const statementsKept = 100
const connections = new Map<string, Connection>()

function connect(path: string, readOnly: boolean): Connection {
  const known = connections.get(path)
  if (known) return known
  const database = new DatabaseSync(path, { readOnly })
  // A page of cache is 4 KiB here: 64 MiB hold the lists of 100,000 devices. Chosen.
  database.exec('PRAGMA busy_timeout = 2000; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY')
  const connection = { database, statements: new Map<string, StatementSync>() }
  connections.set(path, connection)
  return connection
}

function prepare(connection: Connection, sql: string, asArrays: boolean): StatementSync {
  const key = asArrays ? `numbers:${sql}` : sql
  const known = connection.statements.get(key)
  if (known) {
    connection.statements.delete(key)
    connection.statements.set(key, known)
    return known
  }
  const statement = connection.database.prepare(sql)
  if (asArrays) statement.setReturnArrays(true)
  connection.statements.set(key, statement)
  if (connection.statements.size > statementsKept) {
    const oldest = connection.statements.keys().next().value
    if (oldest !== undefined) connection.statements.delete(oldest)
  }
  return statement
}

/** The first column of every row; text and null become NaN. All rows at once: stepping through them takes twice as long. */
function numbers(statement: StatementSync, parameters: readonly SqlValue[]): Float64Array {
  const rows = statement.all(...parameters)
  const found = new Float64Array(rows.length)
  for (const [index, row] of rows.entries()) {
    const value = row[0]
    found[index] = typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : Number.NaN
  }
  return found
}

function moveLog(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_checkpoint(TRUNCATE)')
  // The first transaction of an empty log waits for the disk once more: one that changes nothing does so here.
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec(
      `PRAGMA user_version = ${Number(database.prepare('PRAGMA user_version').get()?.['user_version'])}`,
    )
  } finally {
    database.exec('COMMIT')
  }
}

function work(request: ReaderRequest): SqlRow[] | Float64Array | string | null {
  if (request.kind === 'close') {
    connections.get(request.path)?.database.close()
    connections.delete(request.path)
    return null
  }
  if (request.kind === 'move-log') {
    moveLog(connect(request.path, false).database)
    return null
  }
  if (request.kind === 'compact') {
    // The copy that this makes may be larger than what memory should hold.
    connect(request.path, false).database.exec(
      'PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)',
    )
    return null
  }
  const connection = connect(request.path, true)
  if (request.kind === 'check') {
    const first = connection.database.prepare('PRAGMA quick_check(1)').get() as
      { quick_check?: unknown } | undefined
    return typeof first?.quick_check === 'string' ? first.quick_check : 'no answer'
  }
  const statement = prepare(connection, request.sql, request.kind === 'numbers')
  return request.kind === 'numbers'
    ? numbers(statement, request.parameters)
    : statement.all(...request.parameters)
}

parentPort?.on('message', (request: ReaderRequest) => {
  try {
    const value = work(request)
    const answer: ReaderAnswer = { id: request.id, ok: true, value }
    parentPort?.postMessage(answer, value instanceof Float64Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
    const answer: ReaderAnswer = {
      id: request.id,
      ok: false,
      errcode,
      message: error instanceof Error ? error.message : 'The reading thread failed.',
    }
    parentPort?.postMessage(answer)
  }
})
