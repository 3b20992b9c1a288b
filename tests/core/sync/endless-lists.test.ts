import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { belowPublished } from '../../../electron/core/call-budget/call-budget.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { aDevice } from '../../a-device.ts'
import { openWireServer } from '../../adapters/wire-server.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { addOrganization } from '../../add-organization.ts'

interface HostilePage {
  readonly items: readonly unknown[]
  readonly continuationToken: string | null
}

let home: TemporaryHome
let server: Awaited<ReturnType<typeof openWireServer>>
let core: Core
/** The page of devices that follows a number of other pages of its stream. */
let page: (number: number, stream: string) => HostilePage
const requested = new Map<string, number>()

beforeEach(async () => {
  requested.clear()
  home = new TemporaryHome()
  server = await openWireServer(({ path, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (!path.startsWith('/devices/')) return response.end('{"items":[]}')
    const stream = (JSON.parse(body) as { deviceClientType: string }).deviceClientType
    const number = requested.get(stream) ?? 0
    requested.set(stream, number + 1)
    return response.end(JSON.stringify(page(number, stream)))
  })
  // Only the number of calls is tested here; the rate is tested elsewhere.
  core = await createCore(fakePlatform(home), {
    organization: null,
    limits: belowPublished({ perSecond: 10_000, perWindow: 100_000, windowInMs: 300_000 }),
  })
  await addOrganization(
    core.handlers,
    { managementUrl: server.url, metadataUrl: server.url },
    { key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90' },
  )
})
afterEach(async () => {
  await core.close()
  await server.close()
  await home.remove()
})

const devices = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => aDevice(from + index))
const endless = (why: string) => ({
  kind: 'unreadable-answer',
  call: { operation: 'ListDevices', host: 'management interface' },
  where: 'continuationToken',
  message: `${why}: the list would never end.`,
})
/** How the sync ended, and the number of calls for each stream of devices. */
async function synced() {
  const report = await core.handlers.sync.run()
  const { lastFailure } = (await core.handlers.app.status()).sync
  const known = (await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })).total
  return {
    complete: report.complete,
    read: report.devices,
    known,
    lastFailure,
    most: Math.max(...requested.values()),
  }
}
const nothingGone = (read: number, unreadable = 0) => ({ read, unreadable, gone: 0 })

// A page is requested while up to eight others are being written.
const pagesUnwritten = 10

describe('a service with endless lists costs each page with new records and about fifty more', () => {
  test('with empty pages and new tokens', async () => {
    page = (number) => ({ items: [], continuationToken: `token ${number}` })
    const { most, ...ended } = await synced()
    expect(ended).toEqual({
      complete: false,
      read: nothingGone(0),
      known: 0,
      lastFailure: endless('More than 50 pages in a row contained nothing new'),
    })
    expect(most).toBeLessThanOrEqual(51 + pagesUnwritten)
  })

  test('with the same ten devices and new tokens', async () => {
    page = (number) => ({ items: devices(0, 10), continuationToken: `token ${number}` })
    const { most, ...ended } = await synced()
    expect(ended).toMatchObject({
      complete: false,
      read: nothingGone(10),
      known: 10,
      lastFailure: { kind: 'unreadable-answer', where: 'continuationToken' },
    })
    expect(most).toBeLessThanOrEqual(53 + pagesUnwritten)
  })

  test('with the same unreadable records and new tokens', async () => {
    page = (number) => ({ items: [null, 'text'], continuationToken: `token ${number}` })
    const { most, ...ended } = await synced()
    expect(ended).toMatchObject({
      complete: false,
      read: { read: 0 },
      known: 0,
      lastFailure: { kind: 'unreadable-answer', where: 'continuationToken' },
    })
    expect(most).toBeLessThanOrEqual(52 + pagesUnwritten)
  })

  test('with an end that is postponed again and again after devices were read; none of them is gone', async () => {
    page = (number) =>
      number < 30
        ? { items: devices(10 * number, 10 * number + 10), continuationToken: `${number}` }
        : { items: [], continuationToken: null }
    expect(await synced()).toMatchObject({ complete: true, read: nothingGone(300), known: 300 })
    requested.clear()
    page = (number) => ({ items: devices(0, 10), continuationToken: `token ${number}` })
    expect(await synced()).toMatchObject({
      complete: false,
      read: nothingGone(10),
      known: 300,
      lastFailure: { kind: 'unreadable-answer' },
    })
  })
})

describe('a finite list is read to its end', () => {
  test('even if fifty of its pages in a row are empty', async () => {
    page = (number) => ({
      items: number === 0 || number === 51 ? devices(number, number + 10) : [],
      continuationToken: number < 51 ? `token ${number}` : null,
    })
    expect(await synced()).toMatchObject({ complete: true, read: nothingGone(20), lastFailure: null })
  })

  test('even if a service without filters sends all devices for each kind, on small pages', async () => {
    page = (number) => ({
      items: devices(5 * number, 5 * number + 5),
      continuationToken: number < 119 ? `token ${number}` : null,
    })
    expect(await synced()).toMatchObject({
      complete: true,
      read: nothingGone(600),
      lastFailure: null,
      most: 120,
    })
  })

  test('even if none of its records can be parsed', async () => {
    page = (number, stream) => ({
      items: [{ name: `${stream} ${number}` }, { name: `${stream} ${number}b` }],
      continuationToken: number < 149 ? `token ${number}` : null,
    })
    expect(await synced()).toMatchObject({
      complete: true,
      read: nothingGone(0, 600),
      lastFailure: null,
      most: 150,
    })
  })
})
