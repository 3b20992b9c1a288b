import type { FailureOf } from '../../contract/failure.ts'
import type { DataFolder } from '../../core/platform.ts'
import { fileSystemOf, sharedFileSystem, type FileSystemFacts } from './file-system.ts'
import type { OwnerWaits } from './limits.ts'
import { lockDataFolder, type OwnerLock } from './lock.ts'
import { connectToOwner, NoOwner } from './owner-client.ts'
import { ownerPlace, ownSocket, type OwnerPlace, type OwnPlace } from './place.ts'

/** `taken`: another process owns the folder. `read-only`: it cannot be owned, only read. */
export type Taking =
  | {
      readonly kind: 'owned'
      readonly place: OwnPlace
      readonly lock: OwnerLock
      readonly folder: DataFolder
      /** Another process got the lock as well: this process sends nothing from here on. */
      readonly takenTwice: () => void
    }
  | { readonly kind: 'taken'; readonly place: OwnerPlace }
  | {
      readonly kind: 'read-only'
      readonly folder: DataFolder
      readonly failure: FailureOf<'data-folder'>
    }

/**
 * Owns the data folder from here on, unless another process does or its lock is unreliable. Waits only for a
 * process that identifies itself as the owner of a folder whose lock was free.
 */
export async function takeDataFolder(
  home: string,
  waits: OwnerWaits,
  fileSystem: (folder: string) => FileSystemFacts = fileSystemOf,
): Promise<Taking> {
  try {
    const place = ownerPlace(home)
    const shared = sharedFileSystem(fileSystem(place.home))
    if (shared !== null) return lookedAt(folderFailure('unreliable', null, shared))
    const lock = lockDataFolder(place.home)
    if (lock === null) return { kind: 'taken', place }
    if (await hasOwner(place, waits)) {
      lock.release()
      return { kind: 'taken', place }
    }
    return owned(place, lock)
  } catch (error) {
    return lookedAt(unlockable(error))
  }
}

function owned(place: OwnerPlace, lock: OwnerLock): Taking {
  try {
    let isTakenTwice = false
    const problem = (): FailureOf<'data-folder'> | null => {
      if (!lock.holds()) return folderFailure('replaced')
      return isTakenTwice ? folderFailure('unreliable', null, 'it was locked twice') : null
    }
    return {
      kind: 'owned',
      place: { ...place, socket: ownSocket(place) },
      lock,
      folder: { problem },
      takenTwice: () => {
        isTakenTwice = true
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** A folder that is opened only to look. */
export const lookedAt = (failure: FailureOf<'data-folder'>): Extract<Taking, { kind: 'read-only' }> => ({
  kind: 'read-only',
  folder: { problem: () => failure },
  failure,
})

/**
 * Whether an owner is alive although its lock could be taken: locks do not work here, or the lock file was
 * deleted. An owner stops listening before it releases its lock. The owner is informed and remains the only
 * one.
 */
async function hasOwner(place: OwnerPlace, waits: OwnerWaits): Promise<boolean> {
  try {
    const owner = await connectToOwner(place, waits)
    owner.say({ kind: 'taken-twice' })
    owner.end()
    return true
  } catch (error) {
    if (!(error instanceof NoOwner)) throw error
    return error.reason === 'silent' || error.reason === 'other-version'
  }
}

/** The error of the file system or of SQLite. */
export function unlockable(error: unknown): FailureOf<'data-folder'> {
  const { code, message } = error as NodeJS.ErrnoException
  return folderFailure('read-only', null, code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code)
}

export const folderFailure = (
  reason: FailureOf<'data-folder'>['reason'],
  holder: string | null = null,
  detail: string | null = null,
): FailureOf<'data-folder'> => ({ kind: 'data-folder', reason, holder, detail })
