import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, for this user alone; throws if it cannot. Node's own `recursive` never
 * ends where the system says that the folder above does not exist, as below /proc.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && statSync(dirname(folder), { throwIfNoEntry: false }) === undefined) {
      makeFolder(dirname(folder))
      makeFolder(folder)
    } else if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
