import { Failed, type FailureOf } from '../../contract/failure.ts'
import { DatabaseError, type Database, type DatabaseFile } from '../platform.ts'

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
  new DatabaseError(
    file,
    'unknown',
    `${file}.sqlite was deleted, moved or replaced while Headroom had it open. Start Headroom again.`,
  )

/** In the place of a file that could not be opened: whatever is asked of it tries to open it again, and fails with the reason while it cannot be. */
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
    read: async (...question) => (await opened()).read(...question),
    readNumbers: async (...question) => (await opened()).readNumbers(...question),
    write: async (work) => (await opened()).write(work),
    perform: async (procedure, input) => (await opened()).perform(procedure, input),
    close: async () => {
      closed = true
      await database?.close()
    },
  }
}

/** A file without a byte where others of its folder stand: it was emptied, and with it what was in it. */
export const emptied = (file: DatabaseFile): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason: 'empty',
  message: `${file}.sqlite had no byte in it.`,
})
