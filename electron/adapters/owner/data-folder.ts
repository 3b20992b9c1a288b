import type { FailureOf } from '../../contract/failure.ts'
import type { DataFolder } from '../../core/platform.ts'
import { lockDataFolder, type OwnerLock } from './lock.ts'
import { ownerPlace, type OwnerPlace } from './place.ts'

/** `taken`: another process owns the folder. `read-only`: nobody can own it; it may be looked at. */
export type Taking =
  | {
      readonly kind: 'owned'
      readonly place: OwnerPlace
      readonly lock: OwnerLock
      readonly folder: DataFolder
    }
  | { readonly kind: 'taken'; readonly place: OwnerPlace }
  | { readonly kind: 'read-only'; readonly folder: DataFolder }

/** Owns the data folder from here on, unless another process does. Never waits. */
export function takeDataFolder(home: string): Taking {
  try {
    const place = ownerPlace(home)
    const lock = lockDataFolder(place.home)
    if (lock === null) return { kind: 'taken', place }
    return {
      kind: 'owned',
      place,
      lock,
      folder: { trouble: () => (lock.holds() ? null : folderFailure('replaced')) },
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const failure = folderFailure('read-only', null, code ?? message)
    return { kind: 'read-only', folder: { trouble: () => failure } }
  }
}

export const folderFailure = (
  reason: FailureOf<'data-folder'>['reason'],
  holder: string | null = null,
  detail: string | null = null,
): FailureOf<'data-folder'> => ({ kind: 'data-folder', reason, holder, detail })
