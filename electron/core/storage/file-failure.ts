import { Failed, type FailureOf } from '../../contract/failure.ts'
import { DatabaseError, type Database, type DatabaseFile } from '../host.ts'

/** What befell a SQLite file, as what a technician may know. */
export const failureOf = ({ file, reason, message }: DatabaseError): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason,
  message,
})

/** A Failed for what befell a SQLite file; anything else comes back as it was. */
export function failedBy(error: unknown): unknown {
  return error instanceof DatabaseError ? new Failed(failureOf(error)) : error
}

/** A file that was opened on the disk and is no longer the one under its name: what is written into it, nobody else reads. */
export const replaced = (file: DatabaseFile): DatabaseError =>
  new DatabaseError(file, 'unknown', `${file}.sqlite was deleted, moved or replaced while Headroom had it open. Start Headroom again.`)

/** In the place of a file that cannot be opened: everything asked of it fails with the reason. */
export function unopened(error: DatabaseError): Database {
  const refuse = (): Promise<never> => Promise.reject(error)
  return { durable: false, read: refuse, readNumbers: refuse, write: refuse, close: () => Promise.resolve() }
}
