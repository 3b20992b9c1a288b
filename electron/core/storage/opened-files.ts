import type { AppProblem } from '../../contract/api/app.ts'
import { DatabaseError, type Database, type Platform } from '../platform.ts'
import { emptied, failedBy, failureOf, openedLater } from './file-failure.ts'
import { prepareFile } from './format.ts'
import { ledgerSchema } from './ledger-schema.ts'

/**
 * A damaged ledger is created again. One that cannot be opened is tried again at each use: until then budgets
 * leave half of their limits to others, and no write is sent, because no other program would see its slots.
 * Rejects with Failed `newer`.
 */
export async function openLedger({
  databases,
  clock,
  log,
}: Pick<Platform, 'databases' | 'clock' | 'log'>): Promise<{
  readonly database: Database
  readonly problem: AppProblem | null
}> {
  const prepared = async (): Promise<Database> => {
    const database = await databases.open('ledger')
    try {
      await prepareFile(database, 'ledger', ledgerSchema)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }
  const open = async (): Promise<Database> => {
    try {
      return await prepared()
    } catch (error) {
      if (!(error instanceof DatabaseError) || (error.reason !== 'damaged' && error.reason !== 'earlier'))
        throw error
      log.write('warn', 'The call ledger cannot be read; a new one is created', { reason: error.reason })
      await databases.setAside('ledger', error.reason, clock.now())
      return prepared()
    }
  }
  try {
    return { database: await open(), problem: null }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.reason === 'newer') throw failedBy(error)
    log.write('warn', 'The call ledger cannot be used', { reason: error.reason })
    const done = 'No actions are sent. Other calls begin after up to five minutes.'
    return {
      database: openedLater(open),
      problem: { id: 'ledger', failure: failureOf(error), since: clock.now(), done },
    }
  }
}

/**
 * A file that was emptied next to others with content is always reported. A lost call history is reported by
 * the budget.
 */
export function emptiedFiles({ databases, clock, log }: Platform): readonly AppProblem[] {
  const files = ['workbook', 'store', 'ledger'] as const
  const found = files.map((file) => ({ file, is: databases.found(file) }))
  const consequences = {
    workbook:
      'A new file was created. Organizations, jobs and the journal are lost unless you replace the file with a copy.',
    store: 'Its data is read again from the service.',
  }
  return found.flatMap(({ file, is }) => {
    if (
      is !== 'empty' ||
      file === 'ledger' ||
      found.every((other) => other.file === file || other.is === 'missing')
    )
      return []
    log.write('warn', 'A file was empty', { file })
    return [{ id: `${file}-empty`, failure: emptied(file), since: clock.now(), done: consequences[file] }]
  })
}
