import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { DatabaseError, type Transaction } from '../core/platform.ts'
import { databaseErrorOf } from './database-errors.ts'

/** `FULL`: a transaction is on the disk when it ends, as the journal's line before a write must be; `NORMAL`: the last ones may be lost with the power. */
export type Synchronous = 'FULL' | 'NORMAL'

/** A connection that writes. `cacheInMiB` at most are held of the file's pages. */
export function connect(path: string, synchronous: Synchronous, cacheInMiB: number): DatabaseSync {
  const connection = new DatabaseSync(path)
  try {
    // The wait here is short because it stops this thread; whoever asked waits on, without stopping it.
    connection.exec('PRAGMA busy_timeout = 100')
    if (connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal')
      connection.exec('PRAGMA journal_mode = DELETE')
    connection.exec(
      `PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheInMiB * 1024}`,
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

const statementsKept = 200

/** What a transaction may do on this connection; statements are kept prepared, the longest known one goes first. */
export function transactionOn(connection: DatabaseSync): Transaction {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    if (statements.size > statementsKept) {
      const oldest = statements.keys().next().value
      if (oldest !== undefined) statements.delete(oldest)
    }
    return statement
  }
  return {
    run: (sql, parameters = []) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...parameters)
      return { changes: Number(changes), lastId: Number(lastInsertRowid) }
    },
    all: (sql, parameters = []) => prepare(sql).all(...parameters),
    first: (sql, parameters = []) => prepare(sql).get(...parameters),
    script: (sql) => {
      // Prepared statements would look at tables that are gone.
      statements.clear()
      connection.exec(sql)
    },
  }
}
