import type { AppProblem } from '../../contract/api/app.ts'
import type { Platform } from '../platform.ts'
import { emptied } from './file-failure.ts'

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
