import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../electron/core/platform.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let store: Store
let clock: FakeClock

beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
})
afterEach(() => home.remove())

async function synced(organizationId: string): Promise<void> {
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' }), null]
  management.rooms = [aRoom(1)]
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  await sync.close()
}

/** Every table with a column for the organization, including future tables. */
async function tablesOfOrganizations(database: Database): Promise<readonly string[]> {
  const rows = await database.query(
    `SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c ON c.name = 'organization_id' WHERE t.type = 'table' ORDER BY t.name`,
  )
  return rows.map((row) => String(row['name']))
}
const count = async (table: string, organizationId: string): Promise<number> => {
  const [row] = await store.database.query(`SELECT count(*) AS n FROM "${table}" WHERE organization_id = ?`, [
    organizationId,
  ])
  return Number(row?.['n'])
}

/** A row for a table that no sync writes to: every column has a value, and numbers are unique. */
let number = 4_711
async function fill(table: string, organizationId: string): Promise<void> {
  number++
  const columns = (await store.database.query(`SELECT name, type FROM pragma_table_info('${table}')`)).map(
    (row) => [String(row['name']), String(row['type'])],
  )
  const values = columns.map(([name, type]) =>
    name === 'organization_id' ? organizationId : type === 'INTEGER' ? number : 'x',
  )
  await store.database.write((transaction) => {
    const names = columns.map(([name]) => `"${name}"`).join(', ')
    transaction.run(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`, values)
  })
}

it('statuses of one run whose program ended are removed with the organization', async () => {
  const ofRuns = ['gone run-1', 'gone run-2', 'gone2 run-1', 'stays run-1']
  for (const owner of ofRuns) await fill('firmware_standing', owner)
  await store.forget('gone')
  expect(await Promise.all(ofRuns.map((owner) => count('firmware_standing', owner)))).toEqual([0, 0, 1, 1])
})

it('reports the rows of each piece, which add up to the count before', async () => {
  await synced('gone')
  await synced('stays')
  const counted = await store.rowsOf('gone')
  const pieces: number[] = []
  await store.forget('gone', (rows) => pieces.push(rows))
  expect({
    together: pieces.reduce((sum, rows) => sum + rows, 0),
    some: pieces.some((rows) => rows > 0),
    left: await store.rowsOf('gone'),
  }).toEqual({ together: counted, some: true, left: 0 })
})

it('a removed organization leaves no row in any table, and the others keep theirs', async () => {
  await synced('gone')
  await synced('stays')
  const tables = await tablesOfOrganizations(store.database)
  for (const table of tables)
    for (const organizationId of ['gone', 'stays'])
      if ((await count(table, organizationId)) === 0) await fill(table, organizationId)
  const before = await Promise.all(tables.map((table) => count(table, 'stays')))
  await store.forget('gone')
  expect(
    Object.fromEntries(
      await Promise.all(tables.map(async (table) => [table, await count(table, 'gone')] as const)),
    ),
  ).toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
  const stay = await Promise.all(tables.map((table) => count(table, 'stays')))
  expect({ many: tables.length > 12, stay }).toEqual({ many: true, stay: before })
})
