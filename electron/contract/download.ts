/**
 * Published values of a file compared with the received file. Two published values that differ give `failed`;
 * an unreadable value counts as not published; `not compared`: the file is incomplete.
 */
export type PublishedCheck = 'ok' | 'failed' | 'not published' | 'not compared'

/**
 * The checks of a file before it gets its final name. `ledger`: comparison with earlier bytes of the same
 * version; `first seen`: there are none, and no published values either; null: not compared.
 */
export interface FileChecks {
  readonly size: PublishedCheck
  readonly md5: PublishedCheck
  readonly ledger: 'new' | 'first seen' | 'same' | 'changed' | 'accepted' | null
}

/**
 * The check that a file failed. `existing`: another file has the name; `content`: a page or an error was
 * received instead.
 */
export type FileMismatch = 'size' | 'md5' | 'ledger' | 'existing' | 'content'

/**
 * `differs`: what was written is not what is read back; `taken`: the name belongs to something that may not
 * be replaced; `too-large`: for the file system of the drive.
 */
export type FolderProblem =
  | 'missing'
  | 'not-a-folder'
  | 'read-only'
  | 'no-room'
  | 'too-large'
  | 'differs'
  | 'taken'
  | 'unknown'

/**
 * Why a file's address is not called. `leads-inside`: its name resolves to an address that is not public;
 * `leads-elsewhere`: it redirects to a host that is not allowed.
 */
export type FileAddressRule =
  | 'not-an-address'
  | 'not-https'
  | 'with-credentials'
  | 'not-public'
  | 'leads-inside'
  | 'leads-elsewhere'
  | 'too-many-redirects'

/**
 * Range of simultaneous downloads in the preferences; three is the default (chosen). Raise the
 * maximum if the hosts allow more.
 */
export const downloadsAtOnceAtMost = 6
