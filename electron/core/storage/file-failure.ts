import { Failed, type FailureOf } from '../../contract/failure.ts'
import { DatabaseError, type DatabaseFile, type Platform } from '../platform.ts'
import type { AppProblem } from '../../contract/api/app.ts'

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
const emptied = (file: DatabaseFile): FailureOf<'cache-unusable'> => ({
  kind: 'cache-unusable',
  file: `${file}.sqlite`,
  reason: 'empty',
  message: `${file}.sqlite had a size of 0 bytes.`,
})

/** A file that was emptied next to others with content is always reported. */
export function emptiedFiles({ databases, clock, log }: Platform): readonly AppProblem[] {
  const files = ['workbook', 'store'] as const
  const found = files.map((file) => ({ file, is: databases.found(file) }))
  const consequences = {
    workbook:
      'A new file was created. Organizations, jobs and the journal are lost unless you replace the file with a copy.',
    store: 'Its data is read again from the service.',
  }
  return found.flatMap(({ file, is }) => {
    if (is !== 'empty' || found.every((other) => other.file === file || other.is === 'missing')) return []
    log.write('warn', 'A file was empty', { file })
    return [{ id: `${file}-empty`, failure: emptied(file), since: clock.now(), done: consequences[file] }]
  })
}
