import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Rights of the group and of everybody, to anything and to write. */
const anyOfOthers = 0o077
const writeOfOthers = 0o022

/**
 * Makes the data folder, for its owner alone, where it is not there. Answers whether others may write to it, which lets them put files of
 * theirs in place of ours: that is taken from them, unless a person chose the folder (`isChosen`), who may have reasons. Never throws.
 */
export function othersMayWrite(folder: string, isChosen: boolean): boolean {
  // Windows tells no such rights; a profile's folders are for their owner there.
  if (process.platform === 'win32') return false
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode } = statSync(folder)
    if ((mode & writeOfOthers) === 0) return false
    if (isChosen) return true
    return !changed(folder, mode & 0o7777 & ~writeOfOthers)
  } catch {
    // What cannot be a folder of ours is told by the databases.
    return false
  }
}

/** Takes a file that has other rights, from an earlier version or a copy, from everybody but its owner. Never throws. */
export function forOwnerAlone(path: string): void {
  if (process.platform === 'win32') return
  try {
    const { mode } = statSync(path)
    if ((mode & anyOfOthers) !== 0) changed(path, mode & 0o700)
  } catch {
    // It is not there, or cannot be: that is told by the databases.
  }
}

function changed(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode)
    return true
  } catch {
    // It is another's.
    return false
  }
}
