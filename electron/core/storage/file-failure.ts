import { Failed, type FailureOf } from '../../contract/failure.ts'
import { DatabaseError, type Database, type DatabaseFile } from '../platform.ts'

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

/**
 * Replaces a file that could not be opened: each request tries to open it again, and fails with the reason
 * until it can be opened.
 */
export function openedLater(open: () => Promise<Database>): Database {
  let database: Database | null = null
  let opening: Promise<Database> | null = null
  let closed = false
  const opened = async (): Promise<Database> => {
    if (database !== null) return database
    opening ??= open()
      .then(async (found) => {
        if (closed) await found.close()
        return (database = found)
      })
      .finally(() => (opening = null))
    return opening
  }
  return {
    get durable() {
      return database?.durable ?? false
    },
    query: async (...question) => (await opened()).query(...question),
    queryNumbers: async (...question) => (await opened()).queryNumbers(...question),
    write: async (work) => (await opened()).write(work),
    perform: async (procedure, input) => (await opened()).perform(procedure, input),
    close: async () => {
      closed = true
      await database?.close()
    },
  }
}

/** A file of zero bytes next to other files of its folder: it was emptied and lost its content. */
export const emptied = (file: DatabaseFile): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason: 'empty',
  message: `${file}.sqlite had a size of 0 bytes.`,
})
