import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import type { WireRequest } from '../../../electron/core/platform.ts'
import { openConnectedCore } from '../../connected-core.ts'
import type { FakePlatform } from '../../fake-platform.ts'

let core: Core
let platform: FakePlatform

beforeEach(async () => {
  const opened = await openConnectedCore({ devices: 120, rooms: 8 })
  ;({ core, platform } = opened)
  await opened.add()
  return opened.close
})

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
  await expect.poll(() => devicesOf('fw:current,behind,ahead,revoked')).toBeGreaterThan(60)

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
      if (!new URL(request.url).pathname.startsWith('/metadata')) return attempt(request)
      if (holds) await promise
      inFlight++
      return attempt(request).finally(() => inFlight--)
    },
  })
  return async () => {
    holds = true
    await expect.poll(() => inFlight).toBe(0)
    return resolve
  }
}

test('firmware is compared again once the catalogue cache is cleared, and the results stay until then', async () => {
  const hold = catalogueHolder()
  core.startSyncing()
  // The service's own verdict needs no catalogue.
  const known = (): Promise<number> => devicesOf('fw:current,behind,ahead,revoked !fw:by-service')
  await expect.poll(known).toBeGreaterThan(60)
  const comparing = async (): Promise<unknown> => {
    const overview = await core.handlers.overview.get()
    const status = await core.handlers.firmware.status({})
    return [overview.firmware.comparing, status.comparing]
  }
  await expect.poll(comparing).toEqual([undefined, undefined])
  const letGo = await hold()
  const before = await known()
  await core.handlers.metadata.clearCache()
  const total = (await core.handlers.firmware.status({})).products.length
  await expect.poll(comparing).toEqual([
    { done: 0, total },
    { done: 0, total },
  ])
  expect(await known()).toBe(before)
  letGo()
  await expect.poll(comparing).toEqual([undefined, undefined])
  expect(await known()).toBe(before)
})

test('scheduled syncs follow the preference at once', async () => {
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 60 })
  core.startSyncing()
  await expect.poll(between).toBe(60)
  await core.handlers.app.setPreferences({ syncEveryInMinutes: 5 })
  expect(await between()).toBe(5)
  await core.handlers.app.setPreferences({ theme: 'dark' })
  expect(await between()).toBe(5)
})
