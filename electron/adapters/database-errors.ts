import { DatabaseError, type DatabaseFile } from '../core/platform.ts'

/** SQLite's primary result codes, from sqlite.org/rescode.html (documented). */
const reasons: Readonly<Record<number, readonly [DatabaseError['reason'], string]>> = {
  3: ['read-only', 'cannot be written'],
  5: ['busy', 'is locked by another program'],
  6: ['busy', 'is locked by another program'],
  7: ['unknown', 'cannot be read: not enough memory'],
  8: ['read-only', 'cannot be written'],
  10: ['unknown', 'cannot be read or written'],
  11: ['damaged', 'is damaged'],
  13: ['disk-full', 'cannot grow: the disk is full'],
  14: ['read-only', 'cannot be opened or created'],
  15: ['busy', 'is locked by another program'],
  23: ['read-only', 'cannot be written'],
  26: ['damaged', 'is not a database'],
}
/**
 * Besides IOERR_SHMSIZE and IOERR_VNODE, SQLite reports "no room for the -shm file" with this extended code.
 */
const noRoomForSharedMemory = 4874

const systemReasons: Readonly<Record<string, DatabaseError['reason']>> = {
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOTDIR: 'read-only',
  EEXIST: 'read-only',
  ENAMETOOLONG: 'read-only',
  ELOOP: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
}

/** Used where the code alone says too little. */
const systemTexts: Readonly<Record<string, string>> = {
  ENAMETOOLONG: ': its path is too long for this system',
  ELOOP: ': its path contains a circular link',
}

/**
 * Turns an error of the file into a DatabaseError. Our own errors (wrong SQL, a violated constraint, an
 * exception of the callback) are returned unchanged.
 */
export function databaseErrorOf(file: DatabaseFile, error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
  if (errcode !== null) {
    if (errcode === noRoomForSharedMemory)
      return new DatabaseError(file, 'disk-full', `${file}.sqlite cannot grow: the disk is full.`)
    const known = reasons[errcode & 0xff]
    return known ? new DatabaseError(file, known[0], `${file}.sqlite ${known[1]} (${error.message}).`) : error
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const reason = systemReasons[code]
  // The message of a system error contains a path; the code says as much.
  return reason
    ? new DatabaseError(
        file,
        reason,
        `${file}.sqlite cannot be used in its folder${systemTexts[code] ?? ''} (${code}).`,
      )
    : error
}
