import { DatabaseError, type Database, type DatabaseFile } from '../platform.ts'

/**
 * The format of every file. It rises with each migration, which is additive, keeps a copy from before and is
 * tested with files of every earlier format (tests/core/storage/formats.test.ts).
 */
const format = 1
/** "Hdrm" in ASCII. A file with tables and without it was written by another program, or before format 1. */
export const applicationId = 0x4864726d

/**
 * Creates the schema in a new file. Rejects with DatabaseError `earlier` or `newer` for a file of another
 * format, which is left as it is.
 */
export async function prepareFile(database: Database, file: DatabaseFile, schema: string): Promise<void> {
  const [row] = await database.query(
    'SELECT user_version AS format, application_id AS application, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_user_version, pragma_application_id',
  )
  if (row?.['objects'] === 0)
    return database.write((transaction) =>
      transaction.script(
        `${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`,
      ),
    )
  const found = row?.['application'] === applicationId ? Number(row['format']) : 0
  if (found === format) return
  throw found > format
    ? new DatabaseError(
        file,
        'newer',
        `${file}.sqlite was written by a newer Headroom (format ${found}; this one reads format ${format}). It was not changed.`,
      )
    : new DatabaseError(
        file,
        'earlier',
        `${file}.sqlite was written by another program or by a Headroom before format ${format}. It was not changed.`,
      )
}
