import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { identityOf } from '../file-identity.ts'

/** Ownership of a data folder, for the lifetime of this process. */
export interface OwnerLock {
  /**
   * Whether the path of the lock still refers to the locked file. A deleted, renamed or replaced file would
   * let a second owner in.
   */
  readonly holds: () => boolean
  readonly release: () => void
}

const busy = 5
/** Keeps a reference: a garbage-collected connection is closed, which releases its lock. */
const open = new Set<DatabaseSync>()

/**
 * The lock of a data folder; null: another process has it, running or stopped. Never waits. A transaction
 * ends with its process, even on kill -9. The transaction begins as IMMEDIATE: that lock is taken in one
 * step, so exactly one of two simultaneous processes gets it. EXCLUSIVE takes a second step, which fails for
 * the winner while the loser still checks (measured: in 4 % of simultaneous starts no process got it).
 * Nothing else may open, copy or change that file. Throws if the folder cannot be locked, for example on a
 * read-only disk.
 */
export function lockDataFolder(home: string): OwnerLock | null {
  const path = join(home, 'owner.sqlite')
  makeForOwnerAlone(path)
  const identity = identityOf(path)
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE')
    // Of a file that cannot be written SQLite opens a transaction without a lock: this writes nothing, and fails.
    database.exec('PRAGMA incremental_vacuum')
  } catch (error) {
    database.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy) return null
    throw error
  }
  open.add(database)
  let released = false
  const lock: OwnerLock = {
    holds: () => !released && identity !== null && identityOf(path) === identity,
    release: () => {
      if (released) return
      released = true
      open.delete(database)
      try {
        database.exec('ROLLBACK')
      } finally {
        database.close()
      }
    },
  }
  // The file was replaced while it was opened: no other process will open the locked file.
  if (lock.holds()) return lock
  lock.release()
  return null
}

/**
 * An existing file is not opened: closing any handle of a file releases every lock of the process on it
 * (fcntl).
 */
function makeForOwnerAlone(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
