import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { identityOf } from '../file-identity.ts'

/** Ownership of a data folder, for as long as this process lives. */
export interface OwnerLock {
  /** Whether the file under the lock's path still is the one that is locked: deleted, renamed or replaced, it would let a second owner in. */
  readonly holds: () => boolean
  readonly release: () => void
}

const busy = 5
/** A connection that nobody holds any more is closed when memory is tidied up, and its lock ends with it. */
const held = new Set<DatabaseSync>()

/**
 * The lock of a data folder; null: another process has it, running or stopped. Never waits. A transaction ends with its process, also
 * after kill -9. It is begun for writing (IMMEDIATE): that lock is taken in one step, so of two at once one gets it. EXCLUSIVE takes a second
 * step, which fails for the winner while the loser still looks (measured: in 4 % of starts at once nobody got it). Nothing else may open, copy
 * or change that file. Throws where the folder cannot be locked, as on a read-only one.
 */
export function lockDataFolder(home: string): OwnerLock | null {
  const path = join(home, 'owner.sqlite')
  makeForOwnerAlone(path)
  const identity = identityOf(path)
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE')
  } catch (error) {
    database.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy) return null
    throw error
  }
  held.add(database)
  let released = false
  const lock: OwnerLock = {
    holds: () => !released && identity !== null && identityOf(path) === identity,
    release: () => {
      if (released) return
      released = true
      held.delete(database)
      try {
        database.exec('ROLLBACK')
      } finally {
        database.close()
      }
    },
  }
  // Replaced while it was opened: nobody else opens what is locked then.
  if (lock.holds()) return lock
  lock.release()
  return null
}

/** One that stands there is not opened: closing any handle of a file ends every lock of its process on it (fcntl). */
function makeForOwnerAlone(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
