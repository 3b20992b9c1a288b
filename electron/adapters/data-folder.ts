import { chmodSync, statSync } from 'node:fs'
import { makeFolder } from './make-folder.ts'

/** Permission bits of group and others: any access, and write access. */
const anyOfOthers = 0o077
const writeOfOthers = 0o022

/**
 * Creates the data folder, if missing, with access for its owner only. Returns whether others may write to
 * it, because they could then replace our files. That permission is removed unless a person chose the folder
 * (`isChosen`), who may have reasons for it. Never throws.
 */
export function othersMayWrite(folder: string, isChosen: boolean): boolean {
  // Windows has no such mode bits; folders in a user profile are accessible to their owner only.
  if (process.platform === 'win32') return false
  try {
    makeFolder(folder)
    const { mode } = statSync(folder)
    if ((mode & writeOfOthers) === 0) return false
    if (isChosen) return true
    return !changed(folder, mode & 0o7777 & ~writeOfOthers)
  } catch {
    // If this path cannot be a folder, opening the databases reports it.
    return false
  }
}

/**
 * Removes the permissions of group and others from a file, for example from a copy. Never throws.
 */
export function forOwnerAlone(path: string): void {
  if (process.platform === 'win32') return
  try {
    const { mode } = statSync(path)
    if ((mode & anyOfOthers) !== 0) changed(path, mode & 0o700)
  } catch {
    // Missing, or cannot be created: opening the databases reports it.
  }
}

function changed(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode)
    return true
  } catch {
    // It belongs to another user.
    return false
  }
}
