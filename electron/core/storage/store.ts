import type { AppProblem } from '../../contract/api/app.ts'
import { isKind, type Failure } from '../../contract/failure.ts'
import type { Progress } from '../../contract/progress.ts'
import { DatabaseError, type Cancel, type Clock, type Database, type Databases } from '../platform.ts'
import { reconcile, type DerivedPart } from './derived.ts'
import { failedBy, failureOf } from './file-failure.ts'
import { purgeOrganization, rowsOf } from './purge.ts'
import { prepareFile } from './format.ts'
import { storeSchema } from './store-schema.ts'
import { Listeners } from '../listeners.ts'

export type { DerivedPart, RecordKind } from './derived.ts'

/**
 * The mirror of the services on this machine. All of it can be read again, so it may be set aside, but this
 * is always reported.
 */
export interface Store {
  /** Every method rejects with Failed `cache-unusable` for an error of the file; any other error is a bug. */
  readonly database: Database
  /** Current problems of the cache, to show until they are solved. */
  problems(): readonly AppProblem[]
  onProblems(listener: () => void): () => void
  /** The derived parts that were rebuilt from raw records at this start. */
  readonly rebuilt: readonly string[]
  /**
   * Deletes all records, changes and reports of an organization in pieces. `forgot` gets the row count of
   * each piece; an exception from it ends the work, which must then be requested again. Metadata documents
   * remain: they belong to no organization.
   */
  forget(organizationId: string, forgot?: (rows: number) => void): Promise<void>
  /** The number of rows that `forget` reports. */
  rowsOf(organizationId: string): Promise<number>
  close(): Promise<void>
}

export interface StorePlatform {
  readonly clock: Clock
  readonly databases: Databases
}

/**
 * A rebuild that takes longer than this is reported. The same time as for other long work (tasks.ts): change
 * both together.
 */
const reportedAfterInMs = 500

/**
 * Opens the store and makes its derived tables match `parts`. A damaged file and one of an earlier
 * format are set aside and a new one is created; one that cannot be written is only read. `rebuilding`
 * gets the progress of a rebuild at this start. Rejects with Failed `cache-unusable` `newer` for a newer program's file.
 */
export async function openStore(
  { clock, databases }: StorePlatform,
  parts: readonly DerivedPart[],
  rebuilding: (progress: Progress) => void = () => undefined,
): Promise<Store> {
  const began = clock.monotonic()
  const tell = (progress: Progress): void => {
    if (clock.monotonic() - began >= reportedAfterInMs) rebuilding(progress)
  }
  const problems = new StoreProblems(clock)
  const prepared = async (
    opening: Promise<Database>,
  ): Promise<{ database: Database; rebuilt: readonly string[] }> => {
    const database = await opening
    try {
      await prepareFile(database, 'store', storeSchema)
      return { database, rebuilt: await reconcile(database, parts, tell) }
    } catch (error) {
      await database.close().catch(() => undefined)
      throw error
    }
  }
  const openInstead = async (error: DatabaseError): ReturnType<typeof prepared> => {
    if (error.reason === 'read-only' || error.reason === 'disk-full') {
      problems.add('store', failureOf(error), null)
      return prepared(databases.openReadOnly('store', error))
    }
    if (error.reason !== 'damaged' && error.reason !== 'earlier') throw error
    problems.add('store', failureOf(error), await databases.setAside('store', error.reason, clock.now()))
    return prepared(databases.open('store'))
  }

  const { database, rebuilt } = await prepared(databases.open('store'))
    .catch((error: unknown) => {
      if (error instanceof DatabaseError) return openInstead(error)
      throw error
    })
    .catch((error: unknown) => {
      throw failedBy(error)
    })
  const guarded = guard(database, problems)
  const noCheck = database.check === undefined ? null : checkLater(database, clock, problems)
  return {
    database: guarded,
    rebuilt,
    problems: () => problems.list(),
    onProblems: (listener) => problems.listen(listener),
    forget: (organizationId, forgot = () => undefined) =>
      purgeOrganization(guarded, parts, organizationId, forgot),
    rowsOf: (organizationId) => rowsOf(guarded, organizationId),
    close: () => {
      noCheck?.()
      return database.close()
    },
  }
}

/** Turns DatabaseError into Failed, and keeps the problem until a write succeeds again. */
function guard(database: Database, problems: StoreProblems): Database {
  const watch = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof DatabaseError && error.reason !== 'busy')
        problems.add('store-in-use', failureOf(error), null)
      throw failedBy(error)
    }
  }
  const watchWrite = async <T>(work: Promise<T>): Promise<T> => {
    const result = await watch(work)
    problems.settle('store-in-use')
    return result
  }
  return {
    get durable() {
      return database.durable
    },
    query: (...question) => watch(database.query(...question)),
    queryNumbers: (...question) => watch(database.queryNumbers(...question)),
    write: (work) => watchWrite(database.write(work)),
    perform: (procedure, input) => watchWrite(database.perform(procedure, input)),
    close: () => database.close(),
  }
}

/**
 * Delay of the check of the whole file after opening: the first window reads meanwhile. Raise it if the first
 * window is slow.
 */
const checkAfterInMs = 5_000

/**
 * Checks the files that were not checked at opening. Damage is reported, and the next start sets the file
 * aside. Returns the function that cancels the wait.
 */
function checkLater(database: Database, clock: Clock, problems: StoreProblems): Cancel {
  return clock.after(checkAfterInMs, () => {
    database.check?.().catch((error: unknown) => {
      if (error instanceof DatabaseError && error.reason === 'damaged')
        problems.add(
          'store',
          failureOf(error),
          'At the next start the file is set aside and its data is read again from the service.',
        )
    })
  })
}

/** Minimum time for which a problem during use is shown. Raise it if messages disappear too soon. */
const settledAfterInMs = 10_000

class StoreProblems {
  readonly #clock: Clock
  readonly #known = new Map<string, AppProblem>()
  readonly #listeners = new Listeners()

  constructor(clock: Clock) {
    this.#clock = clock
  }
  add(id: string, failure: Failure, done: string | null): void {
    if (this.#known.has(id)) return
    this.#known.set(id, { id, failure, since: this.#clock.now(), done })
    this.#listeners.notify()
  }
  /**
   * Called when a write succeeded. This does not repair a damaged file, and a small write may still fit on a
   * full disk.
   */
  settle(id: string): void {
    const problem = this.#known.get(id)
    if (!problem || this.#clock.now() - problem.since < settledAfterInMs) return
    if (isKind(problem.failure, 'cache-unusable') && problem.failure.reason === 'damaged') return
    this.#known.delete(id)
    this.#listeners.notify()
  }
  list(): readonly AppProblem[] {
    return [...this.#known.values()]
  }
  readonly listen = this.#listeners.add
}
