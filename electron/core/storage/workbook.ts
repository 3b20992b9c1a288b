import type { Preferences } from '../../contract/api/app.ts'
import type { AppProblem } from '../../contract/api/app.ts'
import { Failed, type Failure } from '../../contract/failure.ts'
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
import { workbookMigrations } from './workbook-migrations.ts'

/**
 * A technician's own data, and data that must not be lost. Features have their own SQL;
 * workbook-migrations.ts creates the tables.
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
  /** The copy made before this start's migration; null: there was none. */
  readonly backup: string | null
  close(): Promise<void>
}

/** Names that are not preferences of the contract. */
export type RememberedName = 'window' | 'webhook-steps' | 'notified'

/** The parts of the platform that the workbook needs. */
export type WorkbookPlatform = Pick<Platform, 'clock' | 'databases' | 'log'>

/**
 * Opens the workbook, migrates it to this program's format and keeps a copy from before. A damaged file is
 * set aside and a new one created; one that cannot be written is used from memory for this run; `problem`
 * reports both. Rejects with Failed `cache-unusable`: `newer` if a later Headroom wrote it, otherwise if not
 * even a new one can be created.
 */
export async function openWorkbook(
  platform: WorkbookPlatform,
  migrations: readonly string[] = workbookMigrations,
): Promise<Workbook> {
  try {
    return faceOf(await openMigrated(platform, migrations), null)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.reason !== 'damaged' && error.reason !== 'read-only' && error.reason !== 'disk-full')
      throw failedBy(error)
    return await openInstead(platform, migrations, error)
  }
}

async function openInstead(
  platform: WorkbookPlatform,
  migrations: readonly string[],
  error: DatabaseError,
): Promise<Workbook> {
  const since = platform.clock.now()
  const failure = failureOf(error)
  platform.log.write('warn', 'The workbook cannot be used', { reason: error.reason })
  try {
    if (error.reason === 'damaged') {
      const name = await platform.databases.setAside('workbook', since)
      const done = `The damaged file was set aside as ${name} and a new workbook was created. Add your organizations again. Their data is then read again from the service.`
      return faceOf(await openMigrated(platform, migrations), { id: 'workbook', failure, since, done })
    }
    const opened = { database: await platform.databases.open('workbook', 'in-memory'), backup: null }
    await migrate(platform, opened.database, migrations, 'in-memory')
    return faceOf(opened, {
      id: 'workbook',
      failure,
      since,
      done: 'No actions are sent. Edits to organizations and preferences last until Headroom ends.',
    })
  } catch (second) {
    throw failedBy(second)
  }
}

interface Opened {
  readonly database: Database
  readonly backup: string | null
}

async function openMigrated(platform: WorkbookPlatform, migrations: readonly string[]): Promise<Opened> {
  const database = await platform.databases.open('workbook')
  try {
    return { database, backup: await migrate(platform, database, migrations, 'on-disk') }
  } catch (error) {
    await database.close()
    throw error
  }
}

const formatOf = (transaction: Transaction): number =>
  Number(transaction.first('PRAGMA user_version')?.['user_version'] ?? 0)

async function migrate(
  platform: WorkbookPlatform,
  database: Database,
  migrations: readonly string[],
  medium: 'on-disk' | 'in-memory',
): Promise<string | null> {
  const newest = migrations.length
  // Read first, so that a newer version is also reported while another program is writing to it.
  const [version] = await database.query('PRAGMA user_version')
  const found = Number(version?.['user_version'] ?? 0)
  if (found > newest) {
    throw new Failed({
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'newer',
      message: `The workbook was written by a newer Headroom (format ${found}; this one supports up to ${newest}). It was not changed. Start the newer Headroom, or choose another folder with HEADROOM_HOME.`,
    })
  }
  if (found === newest) return null
  const backup =
    found > 0 && medium === 'on-disk'
      ? await platform.databases.backUp('workbook', `before-format-${newest}`)
      : null
  await database.write((transaction) => {
    // Read again: another program may have migrated the file between the check and the lock.
    for (const [index, step] of migrations.entries())
      if (index >= formatOf(transaction)) transaction.script(`${step}; PRAGMA user_version = ${index + 1}`)
  })
  if (backup !== null)
    platform.log.write('info', 'The workbook was migrated', { from: found, to: newest, backup })
  return backup
}

function faceOf({ database, backup }: Opened, problem: AppProblem | null): Workbook {
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
    backup,
    close: () => withFailure(database.close()),
  }
}
