import type { Preferences } from '../../contract/api/app.ts'
import type { AppProblem } from '../../contract/api/app.ts'
import type { Failure } from '../../contract/failure.ts'
import {
  DatabaseError,
  type Database,
  type Platform,
  type SqlRow,
  type SqlValue,
  type Transaction,
} from '../platform.ts'
import { failedBy, failureOf, replaced } from './file-failure.ts'
import { parsed, parsePreferences, writePreferences, writeRemembered } from './preferences.ts'
import { prepareFile } from './format.ts'
import { workbookSchema } from './workbook-schema.ts'

/**
 * A technician's own data, and data that must not be lost. Features have their own SQL;
 * workbook-schema.ts has the tables.
 */
export interface Workbook {
  /** Rejects with Failed `cache-unusable`. */
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlRow[]>
  /** One transaction. Rejects with Failed `cache-unusable`, or with the exception of `work`. */
  write<T>(work: (transaction: Transaction) => T): Promise<T>
  preferences(): Promise<Preferences>
  /**
   * Changes only the given members, layouts list by list; returns all of them. Rejects with Failed `invalid`
   * for an invalid time zone.
   */
  setPreferences(changed: Partial<Preferences>): Promise<Preferences>
  /**
   * A platform's own data in addition to the preferences, such as `window`; null: there is none, or it cannot
   * be read.
   */
  remembered(name: RememberedName): Promise<unknown>
  /** `value` is plain JSON. */
  remember(name: RememberedName, value: unknown): Promise<void>
  /** Why data written here is lost after this run, so that no write may be sent; null: it is on the disk. */
  storageProblem(): Failure | null
  /** The problem found when the file was opened, and what was done about it; null: none. */
  readonly problem: AppProblem | null
  close(): Promise<void>
}

/** Names that are not preferences of the contract. */
type RememberedName = 'window' | 'notified' | 'newer-version'

/** The parts of the platform that the workbook needs. */
export type WorkbookPlatform = Pick<Platform, 'clock' | 'databases' | 'log'>

/**
 * Opens the workbook. A damaged file is set aside and a new one created; one that cannot be written is only
 * read in this run; `problem` reports both. Rejects with Failed `cache-unusable`: `newer` or `earlier` for a
 * file of another format, otherwise if it can be neither created nor read.
 */
export async function openWorkbook(platform: WorkbookPlatform): Promise<Workbook> {
  const { databases } = platform
  try {
    return faceOf(await prepared(databases.open('workbook')), null)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.reason !== 'damaged' && error.reason !== 'read-only' && error.reason !== 'disk-full')
      throw failedBy(error)
    platform.log.write('warn', 'The workbook cannot be used', { reason: error.reason })
    return await openInstead(platform, error).catch((second: unknown) => {
      throw failedBy(second)
    })
  }
}

async function openInstead({ clock, databases }: WorkbookPlatform, error: DatabaseError): Promise<Workbook> {
  const problem = { id: 'workbook', failure: failureOf(error), since: clock.now() }
  if (error.reason === 'damaged') {
    const name = await databases.setAside('workbook', 'damaged', problem.since)
    const done = `The damaged file was set aside as ${name} and a new workbook was created. Add your organizations again. Their data is then read again from the service.`
    return faceOf(await prepared(databases.open('workbook')), { ...problem, done })
  }
  const done = 'Headroom shows what is stored. It sends no actions and saves no edits.'
  return faceOf(await prepared(databases.openReadOnly('workbook', error)), { ...problem, done })
}

async function prepared(opening: Promise<Database>): Promise<Database> {
  const database = await opening
  try {
    await prepareFile(database, 'workbook', workbookSchema)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function faceOf(database: Database, problem: AppProblem | null): Workbook {
  const openedProblem = database.durable ? null : (problem?.failure ?? null)
  const withFailure = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw failedBy(error)
    }
  }
  const preferences = async (): Promise<Preferences> =>
    parsePreferences(await withFailure(database.query('SELECT name, value FROM preference')))
  return {
    query: (sql, parameters) => withFailure(database.query(sql, parameters)),
    write: (work) => withFailure(database.write(work)),
    preferences,
    async setPreferences(changed) {
      await withFailure(database.write((transaction) => writePreferences(transaction, changed)))
      return preferences()
    },
    async remembered(name) {
      const [row] = await withFailure(database.query('SELECT value FROM preference WHERE name = ?', [name]))
      return parsed(row?.['value'])
    },
    remember: (name, value) =>
      withFailure(database.write((transaction) => writeRemembered(transaction, name, value))),
    storageProblem: () => (database.durable ? null : (openedProblem ?? failureOf(replaced('workbook')))),
    problem,
    close: () => withFailure(database.close()),
  }
}
