import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openDatabases } from '../../electron/adapters/database.ts'
import { DatabaseError, type Database, type Databases } from '../../electron/core/platform.ts'

export const workerUrl = new URL('../../electron/adapters/database-worker.ts', import.meta.url)
export let folder: string
export let databases: Databases
export const opened: Database[] = []

/** Every test of the file has a folder of its own, and its databases are closed afterwards. */
export function inAFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headroom-'))
    databases = openDatabases({ folder, workerUrl })
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
}

export const open = async (...argument: Parameters<Databases['open']>): Promise<Database> => {
  const database = await databases.open(...argument)
  opened.push(database)
  return database
}
export const filled = async (rows: number): Promise<Database> => {
  const database = await open('store')
  await database.write((transaction) => {
    transaction.script('CREATE TABLE t (n INTEGER PRIMARY KEY, words TEXT)')
    for (let n = 1; n <= rows; n++)
      transaction.run('INSERT INTO t VALUES (?, ?)', [n, `words of row ${n} `.repeat(20)])
  })
  return database
}
export const reason = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof DatabaseError ? error.reason : `mistake: ${String(error)}`),
  )
