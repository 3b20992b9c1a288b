import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { createCore } from '../../../electron/core/app.ts'
import { FakeClock } from '../../fake-clock.ts'
import { fakePlatform } from '../../fake-platform.ts'

export const files = ['store.sqlite', 'workbook.sqlite'] as const
const workerUrl = new URL('../../../electron/adapters/database-worker.ts', import.meta.url)
const all = { where: '', sort: [], start: 0, count: 500 } as const
/** Their order is no part of a format. */
const byName = (['name', 'id'] as const).map((column) => ({ column, descending: false }))

/** What this program shows of the files of a folder at that time, without a network. The folder is written to. */
export async function seenIn(folder: string, at: number): Promise<object> {
  const core = await createCore(
    fakePlatform(
      { folder, databases: openDatabases({ folder, workerUrl }) },
      {
        clock: new FakeClock(at),
        transport: {
          attempt: async () => ({ kind: 'fault', sent: 'no', reason: 'offline', message: 'ENOTFOUND' }),
        },
      },
    ),
  )
  const { handlers } = core
  const { devices, jobs, goldenProfiles, firmware, downloads, explorer } = handlers
  const { rows } = await devices.slice({ ...all, sort: byName })
  const profiles = await goldenProfiles.list()
  const listed = await jobs.list({ start: 0, count: 50 })
  const answers: Record<string, unknown> = {
    organizations: await handlers.organizations.list(),
    preferences: await handlers.app.preferences(),
    devices: rows,
    rooms: await handlers.rooms.list(all),
    changes: await handlers.changes.slice({ where: '', since: null, group: null, start: 0, count: 500 }),
    unreadable: await handlers.sync.unreadable(),
    tags: await handlers.tags.list(),
    lists: await handlers.lists.list(),
    views: await handlers.views.list({ list: 'devices' }),
    jobs: listed,
    items: await Promise.all(
      listed.jobs.map(({ id }) => jobs.items({ id, show: null, start: 0, count: 50 })),
    ),
    journal: await handlers.journal.list({ where: '', subjectId: null, start: 0, count: 500 }),
    goldenProfiles: await Promise.all(profiles.map(({ profile: { id } }) => goldenProfiles.get({ id }))),
    drift: await Promise.all(
      profiles.map(({ profile: { id } }) =>
        goldenProfiles.devices({ id, state: null, setting: null, start: 0, count: 50 }),
      ),
    ),
    approvals: await firmware.approvals(),
    firmware: await firmware.status({}),
    downloads: (await downloads.list()).downloads,
    ledger: await downloads.ledger({ product: null, start: 0, count: 50 }),
    examples: await explorer.examples(),
    history: await explorer.history(),
    connections: await handlers.connections.list(),
    budget: await handlers.budget.states(),
  }
  await core.close()
  return JSON.parse(JSON.stringify(answers)) as object
}

/** What `read` returns for each table of both files that is not derived from other rows. */
function ofTables<T>(
  folder: string,
  read: (database: DatabaseSync, table: string) => T,
): Readonly<Record<string, T>> {
  const byTable: Record<string, T> = {}
  for (const file of files) {
    const database = new DatabaseSync(join(folder, file), { readOnly: true })
    const named = (sql: string): readonly string[] =>
      database
        .prepare(sql)
        .all()
        .map(({ name }) => String(name))
    const derived =
      file === 'store.sqlite'
        ? named('SELECT value AS name FROM derived_stamp, json_each(derived_stamp.tables)')
        : []
    for (const table of named("SELECT name FROM sqlite_schema WHERE type = 'table'"))
      if (!derived.some((one) => table.startsWith(one))) byTable[table] = read(database, table)
    database.close()
  }
  return byTable
}

/** Every row as stored. */
export const rowsOf = (folder: string): Readonly<Record<string, readonly object[]>> =>
  ofTables(folder, (database, table) => database.prepare(`SELECT * FROM "${table}"`).all())

/** Each table with its indexes and triggers, without the comments. */
export const schemaOf = (folder: string): Readonly<Record<string, readonly string[]>> =>
  ofTables(folder, (database, table) =>
    database
      .prepare('SELECT sql FROM sqlite_schema WHERE tbl_name = ? ORDER BY name')
      .all(table)
      .map(({ sql }) =>
        String(sql)
          .replaceAll(/--.*\n/g, '')
          .replaceAll(/\s+/g, ' '),
      ),
  )
