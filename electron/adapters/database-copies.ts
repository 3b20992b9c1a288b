import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseFile } from '../core/platform.ts'

/**
 * Copies left by a killed program: recognized by the id of a process that no longer exists or, from earlier
 * versions, by SQLite's journal next to them.
 */
export function removeUnfinishedCopies(folder: string, file: DatabaseFile): void {
  const names = namesOf(folder, file)
  for (const name of names) {
    const by = /\.sqlite\.(\d{1,10})\.part(?:-journal)?$/.exec(name)?.[1]
    const isLeft = by !== undefined && (Number(by) === process.pid || !isRunning(Number(by)))
    const journal = `${name}-journal`
    if (isLeft) remove(join(folder, name))
    else if (by === undefined && name.startsWith(`${file}.before-`) && names.includes(journal))
      for (const left of [name, journal]) remove(join(folder, left))
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder is not writable: opening reports it.
  }
}

/** The database file, SQLite's files next to it, its copies, and damaged files that were set aside. */
export const namesOf = (folder: string, file: DatabaseFile): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith(`${file}.`))

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
