/** What was published of a file, against what arrived. Two published values that differ are `failed`; one that cannot be read is not published; `not compared`: not all of the file arrived. */
export type PublishedCheck = 'ok' | 'failed' | 'not published' | 'not compared'

/** What is known of a file before it is put under its name. `ledger`: against what was received before of the same version; null: not compared. */
export interface FileChecks {
  readonly size: PublishedCheck
  readonly md5: PublishedCheck
  readonly ledger: 'new' | 'same' | 'changed' | 'accepted' | null
}

/** Which comparison a file did not pass. `existing`: another file has the name; `content`: a page or an error came in its place. */
export type FileMismatch = 'size' | 'md5' | 'ledger' | 'existing' | 'content'

/** `taken`: something stands under the name that is not ours to replace; `too-large`: for the file system of the drive. */
export type FolderTrouble =
  'missing' | 'not-a-folder' | 'read-only' | 'no-room' | 'too-large' | 'taken' | 'unknown'

/** Why an address of a file is not asked. `leads-inside`: its name leads to an address that is not public; `leads-elsewhere`: it is sent on to a host that may not send it. */
export type FileAddressRule =
  | 'not-an-address'
  | 'not-https'
  | 'with-credentials'
  | 'not-public'
  | 'leads-inside'
  | 'leads-elsewhere'
  | 'too-many-redirects'

/** Downloads at once: what a preference may say. Chosen; three is the usual (behaviour, section 5). */
export const downloadsAtOnceAtMost = 6
