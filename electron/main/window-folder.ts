import { mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeFolder } from '../adapters/make-folder.ts'
import { unlockable } from '../adapters/owner/data-folder.ts'
import type { FailureOf } from '../contract/failure.ts'

export interface WindowFolder {
  /** The data folder, absolute and with links resolved. */
  readonly home: string
  /** For Chromium's own files. */
  readonly folder: string
  /** Why `folder` is a temporary one, removed when this process ends; null: it belongs to the data folder. */
  readonly unwritable: FailureOf<'data-folder'> | null
}

/** Creates both folders, for the user alone. */
export function windowFolder(chosen: string): WindowFolder {
  let home = resolve(chosen)
  try {
    makeFolder(home)
    home = realpathSync(home)
    const folder = join(home, 'window')
    makeFolder(folder)
    // Permissions do not tell whether the disk can be written.
    rmdirSync(mkdtempSync(join(folder, 'try-')))
    return { home, folder, unwritable: null }
  } catch (error) {
    const folder = mkdtempSync(join(tmpdir(), 'headroom-window-'))
    process.once('exit', () => removeWhole(folder))
    return { home, folder, unwritable: unlockable(error) }
  }
}

function removeWhole(folder: string): void {
  try {
    // Chromium may still write there.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // It stays for the system's own cleaning.
  }
}
