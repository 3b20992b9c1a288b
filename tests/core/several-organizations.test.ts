import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Organization } from '../../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import { unwatched } from '../../electron/core/tasks.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { rebootRoom } from '../reboot-room.ts'
import { addOrganization } from '../add-organization.ts'

const northKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const southKey = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

let home: TemporaryHome
let platform: FakePlatform
let north: Demonstration
let south: Demonstration
let core: Core

beforeEach(async () => {
  home = new TemporaryHome()
  platform = fakePlatform(home)
  north = await startDemonstration({
    now: fromMorning(),
    devices: 900,
    rooms: 54,
    key: northKey,
    latencyMs: 10,
  })
  south = await startDemonstration({ now: fromMorning(), devices: 300, rooms: 18, seed: 2, key: southKey })
  core = await createCore(platform)
})
afterEach(async () => {
  await core.close()
  await north.stop()
  await south.stop()
  await home.remove()
})

const add = (name: string, service: Demonstration, key: string): Promise<Organization> =>
  addOrganization(core.handlers, service, { name, key })
const use = ({ id }: Organization): Promise<Organization> => core.handlers.organizations.use({ id })
const count = async (): Promise<number> =>
  (await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })).total
const used = async (): Promise<number> => (await core.handlers.app.status()).budget.fiveMinutes.used

test('switching during a sync loses nothing: both end complete, each with its own devices and its own budget', async () => {
  const [a, b] = [await add('North', north, northKey), await add('South', south, southKey)]
  await use(a)
  const northern = core.handlers.sync.run()
  await use(b)
  const southern = core.handlers.sync.run()
  expect([await northern, await southern]).toMatchObject([
    { complete: true, devices: { read: 900 } },
    { complete: true, devices: { read: 300 } },
  ])
  const southUsed = await used()
  expect(await count()).toBe(300)
  await use(a)
  expect(await count()).toBe(900)
  expect([await used(), southUsed]).toEqual([(await northern).calls, (await southern).calls])
})

test('a refused key of one organization stops only that one', async () => {
  const [a, b] = [await add('North', north, southKey), await add('South', south, southKey)]
  await use(a)
  await expect(core.handlers.sync.run()).rejects.toMatchObject({ failure: { kind: 'key-refused' } })
  await use(b)
  expect(await core.handlers.sync.run()).toMatchObject({ complete: true, devices: { read: 300 } })
  const { organizations } = await core.handlers.organizations.list()
  expect(organizations.map(({ name, stoppedBecause }) => [name, stoppedBecause])).toEqual([
    ['North', 'key-refused'],
    ['South', null],
  ])
})

test('two profiles with the same key share one budget', async () => {
  const [a, b] = [await add('By day', south, southKey), await add('By night', south, southKey)]
  await use(a)
  const { calls } = await core.handlers.sync.run()
  await use(b)
  expect(await used()).toBe(calls)
  const second = await core.handlers.sync.run()
  await use(a)
  expect(await used()).toBe(calls + second.calls)
})

test('actions unlocked for one organization stay locked for the other', async () => {
  const [a, b] = [await add('North', north, northKey), await add('South', south, southKey)]
  await use(a)
  await core.handlers.sync.run()
  const { rows } = await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 54 })
  const room = rows.find(({ onlineCount }) => (onlineCount ?? 0) > 0)!
  expect(await rebootRoom(core.handlers.jobs, room.id)).toMatchObject({ outcome: 'accepted' })
  expect((await core.handlers.writes.lock()).unlocked).toBe(true)
  await use(b)
  expect((await core.handlers.writes.lock()).unlocked).toBe(false)
})

test('removing an organization while it syncs stops it, deletes its data and leaves the other unchanged', async () => {
  const [a, b] = [await add('North', north, northKey), await add('South', south, southKey)]
  await core.handlers.sync.run()
  await use(a)
  const northern = core.handlers.sync.run().catch(() => 'ended')
  await core.handlers.organizations.remove({ id: a.id })
  expect((await core.handlers.organizations.list()).organizations.map(({ name }) => name)).toEqual(['South'])
  expect([...platform.keychain.entries.values()]).toEqual([
    `${southKey} ${new URL(south.managementUrl).origin}`,
  ])
  await northern
  await core.sessions.forget(a.id, unwatched)
  const { store, workbook } = core.shared
  const owners = async (table: string): Promise<unknown[]> =>
    (await store.database.query(`SELECT DISTINCT organization_id AS id FROM ${table}`)).map(
      (row) => row['id'],
    )
  for (const table of ['raw_record', 'device_row', 'room_row', 'device_class', 'room_member', 'sync_report'])
    expect([table, await owners(table)]).toEqual([table, [b.id]])
  expect(await owners('sync_stream')).toEqual([])
  expect((await workbook.query('SELECT id FROM organization')).map((row) => row['id'])).toEqual([b.id])
  expect(await count()).toBe(300)
})
