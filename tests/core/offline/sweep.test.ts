import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { OfflinePlan, OfflineReport } from '../../../electron/contract/api/offline.ts'
import {
  demonstrationTransport,
  managementUrl,
  metadataUrl,
  type DemonstrationTransport,
} from '../../demonstration-transport.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { runOn } from '../../cli/run-on.ts'
import { addOrganization } from '../../add-organization.ts'
import { clockAt } from '../writes/fast-clock.ts'

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

let service: DemonstrationTransport
let core: Core
let plan: OfflinePlan
let report: OfflineReport
/** Requests made by planning. */
let planned: number
/** The requests of the sweep. */
let asked: readonly string[]
/** A version of each product that no device runs and that is not the newest. */
const approved = new Map<number, string>()
const home = new TemporaryHome()
/** The sweep makes at most 20 requests a second. */
const clock = clockAt(20)

const owned = async () =>
  (await core.handlers.firmware.products({ text: '', owned: true, start: 0, count: 50 })).rows

beforeAll(async () => {
  service = demonstrationTransport({ devices: 12, rooms: 4, keys: [key, null], now: () => clock.now() })
  core = await createCore(
    fakePlatform(home, {
      clock,
      transport: {
        // Every copy is stale at once.
        attempt: async (request) => {
          const answer = await service.attempt(request)
          return answer.kind === 'answer'
            ? { ...answer, headers: { ...answer.headers, 'cache-control': 'max-age=0' } }
            : answer
        },
      },
    }),
  )
  const { firmware, sync, offline } = core.handlers
  await addOrganization(core.handlers, { managementUrl, metadataUrl }, { key })
  await sync.run()
  const all = (await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 50 })).rows
  for (const { productId } of await owned()) {
    if (approved.size === 2) break
    const inUse = all.filter((one) => one.productId === productId)
    const { releases } = await firmware.releases({ vendorId: 2830, productId })
    const unused = releases.findLast(
      ({ latest, revoked, version }) =>
        !latest && !revoked && inUse.every((one) => one.firmwareVersion !== version),
    )
    if (unused === undefined) continue
    approved.set(productId, unused.version)
    const forAll = { variant: null, reason: 'tried', expires: null }
    await firmware.approve({ vendorId: 2830, productId, version: unused.version, ...forAll })
  }
  const atFirst = service.attempts.length
  plan = await offline.plan()
  const before = service.attempts.length
  planned = before - atFirst
  report = await offline.prepare()
  asked = service.attempts.slice(before).map(({ url }) => url.slice(metadataUrl.length))
  service.offline = true
})
afterAll(async () => {
  await core.close()
  await home.remove()
})

test('the plan sends no request to the service', () => {
  expect([plan.products > 0, planned]).toEqual([true, 0])
})

test('a sweep asks for each address once, within the number told before', () => {
  const twice = asked.filter((url, index) => asked.indexOf(url) !== index)
  expect([report.failure, [...new Set(twice)], asked.length <= plan.requests]).toEqual([null, [], true])
})

test.each([
  'telemetry',
  'versions',
  'definitions versions',
  'definitions show --document name-map',
  'definitions show --document property-map',
  'definitions show --document properties',
  'definitions show PRODUCT',
  'definitions show PRODUCT --firmware APPROVED',
  'definitions show PRODUCT --document device-model --schema SCHEMA',
  'product PRODUCT',
  'product PRODUCT --platform Windows --agent-type DesktopAgent',
  'releases PRODUCT',
  'firmware bundles',
])('afterwards without a connection: %s', async (command) => {
  const { schemaInUse } = await core.handlers.definitions.inUse({ refresh: false })
  const ids = command.includes('APPROVED')
    ? [...approved.keys()]
    : (await owned()).map(({ productId }) => productId)
  const products = command.includes('PRODUCT') ? ids.slice(0, 2) : [0]
  const codes = []
  for (const product of products) {
    const words = command
      .replace('PRODUCT', `2830/${product}`)
      .replace('SCHEMA', schemaInUse)
      .replace('APPROVED', approved.get(product) ?? '')
    codes.push((await runOn(core, words.split(' '))).code)
  }
  expect([codes, products.length > 0]).toEqual([products.map(() => 0), true])
})

test('afterwards without a connection: an id never looked up before is found', async () => {
  const answer = await core.handlers.metadata.recovery({ text: '0x24B9' })
  expect([answer.firmware?.version, answer.fromCache, answer.failed]).toEqual(['1.5.7', true, []])
})
