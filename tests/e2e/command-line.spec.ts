import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { addOrganization, document, headroom } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'
import { control } from './service-switches.ts'

let home: Home
let service: Service
/** Of the sync before the tests. Each test leaves the organization with all its devices. */
let report: Readonly<Record<string, unknown>>

test.beforeAll(async () => {
  home = newHome()
  service = await startService('--devices', '500', '--rooms', '20')
  expect((await addOrganization(home, service)).code).toBe(0)
  report = await document(home, ['sync'], service.key)
})
test.afterAll(async () => {
  await service.end()
  home.remove()
})

interface DeviceList {
  readonly asOf: number
  readonly total: number
  readonly devices: readonly Record<string, unknown>[]
}

// The first test, because its budget has the calls of the sync and no others.
test('the main workflow on the command line: add, sync, list, releases, link, definitions, budget, each one JSON document', async () => {
  const { key } = service
  expect(report).toEqual({
    complete: true,
    devices: { read: 500, unreadable: 0, gone: 0 },
    rooms: { read: 20, unreadable: 0, gone: 0 },
    firmware: { notCompared: [], nothingPublished: false },
    calls: expect.any(Number),
    startedAt: expect.any(Number),
    finishedAt: expect.any(Number),
  })

  const devices = await document<DeviceList>(home, ['devices'], key)
  expect([
    devices.total,
    devices.devices.length,
    new Set(devices.devices.map((one) => one['id'])).size,
  ]).toEqual([500, 500, 500])
  expect(Object.keys(devices.devices[0] ?? {}).sort()).toEqual(
    // prettier-ignore
    ['addedAt', 'client', 'clientType', 'computer', 'firmware', 'firmwareReadAt', 'firmwareVersion', 'gone', 'goneAt', 'groupId', 'id', 'lastSeenAt', 'name', 'note', 'observedAt', 'productId', 'productName', 'raw', 'room', 'serialNumber', 'status', 'tags', 'variantType'],
  )
  expect(devices.devices.every((one) => (one['raw'] as { id: string }).id === one['id'])).toBe(true)

  const rooms = await document<{ total: number; rooms: readonly { devices: readonly unknown[] | null }[] }>(
    home,
    ['rooms'],
    key,
  )
  expect([
    rooms.total,
    rooms.rooms.length,
    rooms.rooms.some((room) => (room.devices?.length ?? 0) > 0),
  ]).toEqual([20, 20, true])

  const releases = await document<{
    product: { productId: number }
    releases: readonly { version: string; latest: boolean; revoked: boolean; md5: string | null }[]
    fromCache: boolean
  }>(home, ['releases', '2830/9416'], key)
  expect(releases.product.productId).toBe(9416)
  expect(
    releases.releases
      .filter((release) => release.latest)
      .map((release) => [release.version, release.revoked]),
  ).toEqual([['1.16.0', false]])
  expect(releases.releases[0]?.md5).toMatch(/^[0-9a-f]{32}$/)

  const link = await document<{ url: string; host: string; fromCache: boolean }>(
    home,
    ['firmware', 'link', '2830/9416', '1.16.0', '--build-type', 'Release'],
    key,
  )
  // The sync prefetches the firmware of the fleet's products.
  expect([new URL(link.url).host, link.fromCache]).toEqual([link.host, true])
  expect((await headroom(home, ['firmware', 'link', '2830/9416', '1.16.0'], { key })).output).toBe(
    `${link.url}\n`,
  )

  expect(await document(home, ['definitions', 'latest'], key)).toEqual({
    schemaVersion: '1.12.0',
    statedSchemaVersion: '1.12.0',
    schemasListed: true,
    passedOver: [],
    latest: '14.6.0',
    limit: '14.5.0',
    schemaInUse: '1.11.0',
    inUse: '14.5.0',
    reason: 'held-at-package',
    stage: 'Public',
    observedAt: expect.any(Number),
    fromCache: expect.any(Boolean),
  })

  const budget = await document<Record<string, unknown>>(home, ['budget'], key)
  expect(budget).toEqual({
    second: { used: expect.any(Number), limit: 100 },
    fiveMinutes: { used: report['calls'], limit: 10_000 },
    waiting: 0,
    pausedUntil: null,
    heldUntilAt: null,
    history: null,
  })
})

// Every kind of wrong usage: tests/cli/usage.test.ts.
test('wrong usage ends with 2 and explains it, on standard error alone', async () => {
  expect(await headroom(home, ['dance'])).toEqual({
    code: 2,
    output: '',
    errors: expect.stringContaining('There is no command "dance"'),
  })
})

test('a key with white space inside is rejected with the reason and never repeated', async () => {
  const said = await headroom(home, ['key', 'set', 'primary', '--stdin'], { input: 'abcdef01 23456789' })
  expect([said.code, said.output]).toEqual([2, ''])
  expect(said.errors).toMatch(/white ?space|space/i)
  expect(said.errors).not.toContain('abcdef01')
})

test('a wrong key is rejected once and reported; nothing that was read is lost', async () => {
  const said = await headroom(home, ['sync', '--json'], { key: '00000000000000000000000000000000' })
  expect([said.code, said.output]).toEqual([3, ''])
  expect(JSON.parse(said.errors)).toMatchObject({ kind: 'key-refused', slot: 'primary' })
  expect((await document<DeviceList>(home, ['devices'], service.key)).total).toBe(500)
})

// Every other kind of response that cannot be read: tests/cli/unreadable-answers.test.ts.
test('a service that returns html is reported as such, and the fleet read before is kept', async () => {
  const { key } = service
  await control(service, 'POST', '/faults', { name: 'html' })
  const said = await headroom(home, ['sync', '--json'], { key })
  expect([said.code, (JSON.parse(said.errors) as { kind: string }).kind]).toEqual([3, 'unreadable-answer'])
  expect((await headroom(home, ['sync'], { key })).errors).toMatch(/HTML page/)
  expect(await document<DeviceList>(home, ['devices'], key)).toMatchObject({ total: 500 })
  await control(service, 'DELETE', '/faults')
})

test('a damaged store is set aside and filled again', async () => {
  const { key } = service
  writeFileSync(join(home.folder, 'home', 'store.sqlite'), Buffer.alloc(64 * 1024, 'not a database '))
  expect((await document<DeviceList>(home, ['devices'], key)).total).toBe(0)
  expect(await document(home, ['sync'], key)).toMatchObject({ complete: true, devices: { read: 500 } })
  expect((await document<DeviceList>(home, ['devices'], key)).total).toBe(500)
})

test('a home that is a file is reported, and nothing is created in it', async () => {
  const taken = newHome()
  writeFileSync(join(taken.folder, 'home'), 'a file where the folder should be')
  const said = await headroom(taken, ['org', 'add', 'A', '--preset', 'demonstration'])
  taken.remove()
  expect(said.code).toBe(3)
  expect(said.errors).toMatch(/The data folder .* cannot be locked, and it contains no data yet/)
})
