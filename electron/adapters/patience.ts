import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError, type DatabaseFile } from '../core/platform.ts'
import { databaseErrorOf } from './database-errors.ts'

/**
 * How long another program may hold the file before opening it, or a write, fails as busy. Raise it if
 * programs hold it longer.
 */
const busyForInMs = 10_000
/**
 * A caller that waits for another program is informed after this. Lower it if people think that the program
 * hangs.
 */
const saidAfterInMs = 1_000
export type Patience = <T>(file: DatabaseFile, attempt: () => T | Promise<T>) => Promise<T>

/** Tries again, without blocking this thread, while another program holds the file. */
export function patience(waiting: (file: DatabaseFile) => void): Patience {
  return async (file, attempt) => {
    const began = performance.now()
    for (let said = false; ;) {
      try {
        return await attempt()
      } catch (error) {
        const reason = databaseErrorOf(file, error)
        const waited = performance.now() - began
        if (!(reason instanceof DatabaseError) || reason.reason !== 'busy' || waited > busyForInMs)
          throw reason
        if (!said && waited > saidAfterInMs) waiting(file)
        said ||= waited > saidAfterInMs
        await wait(25)
      }
    }
  }
}
