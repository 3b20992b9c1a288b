import { beforeEach, expect, test } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { WireRequest } from '../../../electron/core/platform.ts'
import { addOrganization } from '../../add-organization.ts'
import { serviceKeys } from '../../connected-core.ts'
import { demonstrationTransport, managementUrl, metadataUrl } from '../../demonstration-transport.ts'
import { FakeClock } from '../../fake-clock.ts'
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { memoryDatabases } from '../../memory-databases.ts'

const devices = 120
let core: Core
let platform: FakePlatform
let clock: FakeClock

beforeEach(async () => {
  clock = new FakeClock()
  const transport = demonstrationTransport({
    devices,
    rooms: 8,
    keys: [serviceKeys.primary, null],
    now: () => clock.now(),
  })
  const home = { folder: '/home/headroom', databases: memoryDatabases() }
  platform = fakePlatform(home, { clock, transport })
  core = await createCore(platform)
  await addOrganization(core.handlers, { managementUrl, metadataUrl }, { key: serviceKeys.primary })
  return () => finish(core.close())
})

/** A turn of the event loop, in which responses arrive, and a tenth of a second. */
async function pass(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve))
  await clock.advance(100)
}
/** Work that waits for the limit of calls. */
async function finish<T>(work: Promise<T>): Promise<T> {
  let ended = false
  const end = (): void => void (ended = true)
  work.then(end, end)
  while (!ended) await pass()
  return work
}
/** What this returns while time passes. */
const poll = <T>(ask: () => T | Promise<T>) =>
  expect.poll(
    async () => {
      await pass()
      return ask()
    },
    { interval: 0 },
  )

const sort = [{ column: 'name', descending: false }] as const
const devicesOf = async (where: string): Promise<number> =>
  (await core.handlers.devices.slice({ where, sort, start: 0, count: 1 })).total
const between = async (): Promise<number> => {
  const { last, nextAt } = (await core.handlers.app.status()).sync
  return Math.round(((nextAt ?? 0) - (last?.finishedAt ?? 0)) / 60_000)
}

test('a sync updates the firmware in lists and rooms, and one room is refreshed', async () => {
  const heard = new Set<string>()
  core.startSyncing()
  await poll(() => devicesOf('fw:current,behind,ahead,revoked')).toBeGreaterThan(60)

  const behind = await core.handlers.rooms.list({
    where: 'fw:behind,revoked',
    sort,
    start: 0,
    count: 100,
  })
  expect(behind.rows.map((room) => (room.behindCount ?? 0) > 0)).toEqual(behind.rows.map(() => true))
  const { rows } = await core.handlers.rooms.list({ where: 'devices:>0', sort, start: 0, count: 1 })
  core.onEvent((channel) => heard.add(channel))
  const before = rows[0]!
  const room = await finish(core.handlers.rooms.refresh({ id: before.id }))
  expect([room.id, room.name, room.observedAt > before.observedAt]).toEqual([before.id, before.name, true])
  await poll(() => [...heard]).toEqual(
    expect.arrayContaining(['rooms.changed', 'devices.changed', 'changes.changed']),
  )
  heard.clear()
  await finish(core.handlers.sync.run())
  await poll(() => [...heard]).toEqual(
    expect.arrayContaining(['rooms.changed', 'devices.changed', 'changes.changed']),
  )
})

/**
 * Delays catalogue requests from now on, and waits for those in flight; returns the function that releases
 * them.
 */
function catalogueHolder(): () => Promise<() => void> {
  const { transport } = platform
  const attempt = transport.attempt.bind(transport)
  const { promise, resolve } = Promise.withResolvers<void>()
  let inFlight = 0
  let holds = false
  Object.assign(transport, {
    attempt: async (request: WireRequest) => {
      if (!request.url.startsWith(metadataUrl)) return attempt(request)
      if (holds) await promise
      inFlight++
      return attempt(request).finally(() => inFlight--)
    },
  })
  return async () => {
    holds = true
    await poll(() => inFlight).toBe(0)
    return resolve
  }
}

test('firmware is compared again once the catalogue cache is cleared, and the results stay until then', async () => {
  const hold = catalogueHolder()
  core.startSyncing()
  // The service's own verdict needs no catalogue.
  const known = (): Promise<number> => devicesOf('fw:current,behind,ahead,revoked !fw:by-service')
  // A comparison may end while the sync still adds devices.
  await poll(known).toBe(devices)
  const comparing = async (): Promise<unknown> => {
    const overview = await core.handlers.overview.get()
    const status = await core.handlers.firmware.status({})
    return [overview.firmware.comparing, status.comparing]
  }
  await poll(comparing).toEqual([undefined, undefined])
  const letGo = await hold()
  await core.handlers.metadata.clearCache()
  const total = (await core.handlers.firmware.status({})).products.length
  await poll(comparing).toEqual([
    { done: 0, total },
    { done: 0, total },
  ])
  expect(await known()).toBe(devices)
  letGo()
  await poll(comparing).toEqual([undefined, undefined])
  expect(await known()).toBe(devices)
})

test('scheduled syncs follow the preference at once', async () => {
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 60 })
  core.startSyncing()
  await poll(between).toBe(60)
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 5 })
  expect(await between()).toBe(5)
  await core.handlers.app.setPreferences({ theme: 'dark' })
  expect(await between()).toBe(5)
})
