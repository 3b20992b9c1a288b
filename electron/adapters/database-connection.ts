import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Transaction } from '../core/platform.ts'
import { applicationId } from '../core/storage/format.ts'

/**
 * `FULL`: a transaction is on disk when it ends, as the journal line before a write requires. `NORMAL`: a
 * power failure may lose the last transactions.
 */
export type Synchronous = 'FULL' | 'NORMAL'

/**
 * Our own threads meet when a file is recovered, checkpointed or closed (measured: 14 of 20 starts after a
 * kill). A file that is still locked after this fails as busy.
 */
export const busyTimeout = 'PRAGMA busy_timeout = 5000'

/** A connection that writes. It caches at most `cacheInMiB` of the file's pages. */
export function connect(path: string, synchronous: Synchronous, cacheInMiB: number): DatabaseSync {
  const connection = new DatabaseSync(path)
  try {
    connection.exec(busyTimeout)
    if (
      !isForeign(connection) &&
      connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal'
    )
      connection.exec('PRAGMA journal_mode = DELETE')
    connection.exec(
      `PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheInMiB * 1024}`,
    )
    // The passwords of a job are overwritten when it ends; this also clears them from unused pages.
    if (synchronous === 'FULL') connection.exec('PRAGMA secure_delete = ON')
    // WriteAheadLog checkpoints on its own thread; SQLite would do it here, within a COMMIT.
    connection.exec('PRAGMA wal_autocheckpoint = 0')
    // Takes the write lock and releases it: a read-only file is found now and not in the middle of a sync.
    connection.exec('BEGIN IMMEDIATE; ROLLBACK')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** It has tables and was not written by Headroom: it is refused, so not even its journal mode is changed. */
function isForeign(connection: DatabaseSync): boolean {
  const found = connection
    .prepare(
      'SELECT application_id AS application, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id',
    )
    .get()
  return found?.['objects'] !== 0 && found?.['application'] !== applicationId
}

/**
 * The workbook beside a store that is only read, so that rows join what a technician attached to them. A
 * main connection that only reads attaches files that it only reads.
 */
export function attachWorkbook(store: DatabaseSync, storePath: string, parameters = ''): void {
  const path = join(dirname(storePath), 'workbook.sqlite')
  if (basename(storePath) === 'store.sqlite' && existsSync(path))
    store.prepare('ATTACH ? AS workbook').run(pathToFileURL(path).href + parameters)
}

const statementsAtMost = 200

/**
 * What a transaction may do on this connection. Prepared statements are cached; the oldest is dropped first.
 */
export function transactionOn(connection: DatabaseSync): Transaction {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    if (statements.size > statementsAtMost) {
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
      // Cached statements would refer to dropped tables.
      statements.clear()
      connection.exec(sql)
    },
  }
}
