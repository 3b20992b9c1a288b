import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let service: Demonstration
let core: Core

beforeEach(async () => {
  home = new TemporaryHome()
  service = await startDemonstration({
    now: fromMorning(),
    devices: 120,
    rooms: 8,
    key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  })
  core = await createCore(fakePlatform(home))
  const custom = (await core.handlers.organizations.list()).presets.find((preset) => preset.name === 'custom')
  const { managementUrl, metadataUrl } = service
  const { id } = await core.handlers.organizations.add({
    ...custom!.draft,
    name: 'Nordlys',
    managementUrl,
    metadataUrl,
  })
  await core.handlers.organizations.setKey({ id, slot: 'primary', key: service.key })
})
afterEach(async () => {
  await core.close()
  await service.stop()
  await home.remove()
})

const sort = [{ column: 'name', descending: false }] as const
const devicesOf = async (where: string): Promise<number> =>
  (await core.handlers.devices.window({ where, sort, start: 0, count: 1 })).total
const between = async (): Promise<number> => {
  const { last, nextAt } = (await core.handlers.app.standing()).sync
  return Math.round(((nextAt ?? 0) - (last?.finishedAt ?? 0)) / 60_000)
}

test(
  'firmware is told of lists after a sync by itself, rooms follow, and one room is read anew',
  { timeout: 60_000 },
  async () => {
    const heard = new Set<string>()
    core.startSyncing()
    await expect
      .poll(() => devicesOf('fw:current,behind,ahead,revoked'), { timeout: 30_000 })
      .toBeGreaterThan(60)

    const behind = await core.handlers.rooms.list({
      where: 'fw:behind,revoked',
      sort,
      start: 0,
      count: 100,
    })
    expect(behind.rows.map((room) => (room.behindCount ?? 0) > 0)).toEqual(behind.rows.map(() => true))
    const { rows } = await core.handlers.rooms.list({ where: 'devices:>0', sort, start: 0, count: 1 })
    core.onAnnouncement((channel) => heard.add(channel))
    const before = rows[0]!
    const room = await core.handlers.rooms.refresh({ id: before.id })
    expect([room.id, room.name, room.observedAt > before.observedAt]).toEqual([before.id, before.name, true])
    await expect
      .poll(() => [...heard])
      .toEqual(expect.arrayContaining(['rooms.changed', 'devices.changed', 'changes.changed']))
    heard.clear()
    await core.handlers.sync.run()
    await expect
      .poll(() => [...heard])
      .toEqual(expect.arrayContaining(['rooms.changed', 'devices.changed', 'changes.changed']))
  },
)

test(
  'firmware is unknown once what was kept of the catalogue is thrown away, and is read anew',
  { timeout: 60_000 },
  async () => {
    core.startSyncing()
    // What the service itself says needs no catalogue.
    const known = (): Promise<number> => devicesOf('fw:current,behind,ahead,revoked !fw:by-service')
    await expect.poll(known, { timeout: 30_000 }).toBeGreaterThan(60)
    await core.handlers.metadata.clearCache()
    expect(await known()).toBe(0)
    await expect.poll(known, { timeout: 30_000 }).toBeGreaterThan(60)
  },
)

test('planned syncs follow the preference at once', { timeout: 60_000 }, async () => {
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 60 })
  core.startSyncing()
  await expect.poll(between, { timeout: 30_000 }).toBe(60)
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 5 })
  expect(await between()).toBe(5)
  await core.handlers.app.setPreferences({ theme: 'dark' })
  expect(await between()).toBe(5)
})
