import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openCore, type TestCore } from '../core.ts'

const bar = { vendorId: 2830, productId: 12417 } as const
const day = 86_400_000

/** Every record of a response gets an unknown member. */
function withMore(json: Json): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(withMore)
  if (typeof json !== 'object' || json === null) return json
  return {
    ...Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withMore(value)])),
    unheardOf: 'kept',
  }
}

/** Puts the records of a response into an envelope, with an unknown member beside them. */
const wrapped = (json: Json): Json =>
  Array.isArray(json) ? { items: json, unheardOf: 'kept' } : { data: json, unheardOf: 'kept' }

const details =
  (productId: number = bar.productId) =>
  ({ handlers }: TestCore): Promise<unknown> =>
    handlers.firmware.details({
      vendorId: 2830,
      productId,
      variantType: null,
      platformOs: 'Windows',
      agentType: 'RoomAgent',
    })
const recover =
  (text: string) =>
  ({ handlers }: TestCore): Promise<unknown> =>
    handlers.metadata.recovery({ text })

describe('unknown members of a response are passed to the page', () => {
  const answers: readonly (readonly [string, string, (core: TestCore) => Promise<unknown>])[] = [
    [
      'releases',
      '/products/9395/firmware-releases',
      ({ handlers }) => handlers.firmware.releases({ vendorId: 2830, productId: 9395 }),
    ],
    [
      'a link',
      'downloadLink',
      ({ handlers }) =>
        handlers.firmware.link({
          vendorId: 2830,
          productId: 9395,
          version: 'latest',
          buildType: null,
          refresh: true,
        }),
    ],
    ['bundles', '/firmware-bundles.json', ({ handlers }) => handlers.firmware.bundles({ product: bar })],
    ['the catalogue, variants included', '/product-group-bundles/bundles.json', details()],
    ['variants', '/variants.json', details()],
    ['product information', '/information.json', details()],
    ['hosts', '/vendors/products/hosts.json', details()],
    ['products with an agent', '/with-agent/RoomAgent.json', details()],
    ['the ignore list', '/ignore-lists/gnp.json', details(2423)],
    ['groups', '/product-group-bundles/bundles/', details()],
    ['updater configurations', '/platforms/Windows.json', details()],
    ['recovery firmware', '/recovery/9401/firmware.json', recover('9401')],
    ['recovery configurations', '/recovery/772/firmware-updater-configurations.json', recover('772')],
    ['recovery ids', '/dfu-product-ids.json', recover('9401')],
  ]
  const forms = [
    ['in its records', withMore],
    ['next to its records', wrapped],
  ] as const
  it.each(
    answers.flatMap(([what, part, ask]) =>
      forms.map(([where, change]) => [`${what}, ${where}`, part, ask, change] as const),
    ),
  )('%s', async (_, part, ask, change) => {
    const core = await openCore()
    // Data of an earlier test is outdated now.
    core.sleep(2 * day)
    const before = JSON.stringify(await core.finish(ask(core))).includes('unheardOf')
    core.service.alter(part, change)
    core.sleep(2 * day)
    const after = JSON.stringify(await core.finish(ask(core))).includes('"unheardOf":"kept"')
    expect([before, after]).toEqual([false, true])
  })
})
