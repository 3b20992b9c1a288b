import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../electron/adapters/clock.ts'
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

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

let service: DemonstrationTransport
let core: Core
let plan: OfflinePlan
let report: OfflineReport
/** The requests of the sweep. */
let asked: readonly string[]
const home = new TemporaryHome()

beforeAll(async () => {
  service = demonstrationTransport({ devices: 12, rooms: 4, keys: [key, null], now: () => Date.now() })
  core = await createCore(
    fakePlatform(home, {
      clock: systemClock,
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
  const { organizations, sync, offline } = core.handlers
  const { draft } = (await organizations.list()).presets.find(({ name }) => name === 'custom')!
  const { id } = await organizations.add({ ...draft, name: 'Nordlys', managementUrl, metadataUrl })
  await organizations.setKey({ id, slot: 'primary', key })
  await sync.run()
  plan = await offline.plan()
  const before = service.attempts.length
  report = await offline.prepare()
  asked = service.attempts.slice(before).map(({ url }) => url.slice(metadataUrl.length))
  service.offline = true
})
afterAll(async () => {
  await core.close()
  await home.remove()
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
  'definitions show PRODUCT --document device-model --schema SCHEMA',
  'product PRODUCT',
  'product PRODUCT --platform Windows --agent-type DesktopAgent',
  'releases PRODUCT',
  'firmware bundles',
])('afterwards without a connection: %s', async (command) => {
  const { rows } = await core.handlers.firmware.products({ text: '', owned: true, start: 0, count: 50 })
  const { schemaInUse } = await core.handlers.definitions.inUse({ refresh: false })
  const words = command.replace('SCHEMA', schemaInUse).split(' ')
  const products = command.includes('PRODUCT') ? rows.slice(0, 2) : [null]
  const codes = []
  for (const product of products)
    codes.push(
      (
        await runOn(
          core,
          words.map((word) => (word === 'PRODUCT' ? `2830/${product?.productId}` : word)),
        )
      ).code,
    )
  expect(codes).toEqual(products.map(() => 0))
})
