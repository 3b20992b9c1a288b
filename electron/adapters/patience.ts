import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError, type DatabaseFile } from '../core/platform.ts'
import { databaseErrorOf } from './database-errors.ts'

/** Another program may hold the file this long before it cannot be opened, or a write fails as busy. Chosen. */
const busyForInMs = 10_000
/** Who waits for another program is told so after this. Chosen. */
const saidAfterInMs = 1_000
export type Patience = <T>(file: DatabaseFile, attempt: () => T | Promise<T>) => Promise<T>

/** Tries again, without stopping this thread, while another program is in the way. */
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
