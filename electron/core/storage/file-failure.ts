import { Failed, type FailureOf } from '../../contract/failure.ts'
import { DatabaseError, type DatabaseFile } from '../platform.ts'

/** The error of a SQLite file, as a technician can understand it. */
export const failureOf = ({ file, reason, message }: DatabaseError): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason,
  message,
})

/** A Failed for an error of a SQLite file; any other error is returned unchanged. */
export function failedBy(error: unknown): unknown {
  return error instanceof DatabaseError ? new Failed(failureOf(error)) : error
}

/**
 * The open file was replaced by another one with the same name: no other process reads what is written to it.
 */
export const replaced = (file: DatabaseFile): DatabaseError =>
  new DatabaseError(
    file,
    'unknown',
    `${file}.sqlite was deleted, moved or replaced while Headroom had it open. Start Headroom again.`,
  )

/** A file of zero bytes next to other files of its folder: it was emptied and lost its content. */
export const emptied = (file: DatabaseFile): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason: 'empty',
  message: `${file}.sqlite had a size of 0 bytes.`,
})
