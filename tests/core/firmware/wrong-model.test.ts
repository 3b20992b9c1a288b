import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openFirmware, type Firmware } from '../../../electron/core/firmware/firmware.ts'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { openMetadata } from '../../../electron/core/metadata/metadata.ts'
import type { ServiceClient } from '../../../electron/core/service-client/service-client.ts'
import { products as catalogue, type Product, type Variant } from '../../../electron/demo/catalogue.ts'
import { bundleGroups } from '../../../electron/demo/firmware-bundles.ts'
import { demonstrationTransport, metadataUrl } from '../../demonstration-transport.ts'
import { FakeClock } from '../../fake-clock.ts'
import { DocumentTable } from '../metadata/document-table.ts'

/** The demonstration's documents over the real parser; expectations come from the demonstration's own catalogue. */
let firmware: Firmware
beforeAll(() => {
  const clock = new FakeClock()
  const transport = demonstrationTransport({
    devices: 0,
    rooms: 0,
    keys: ['0'.repeat(32), null],
    now: () => clock.now(),
  })
  const client: ServiceClient = {
    send: async ({ operation, path }) => {
      const answer = await transport.attempt({
        method: 'GET',
        url: `${metadataUrl}${path}`,
        headers: {},
        body: null,
        timeoutInMs: 10_000,
        signal: null,
      } as never)
      if (answer.kind !== 'answer' || answer.status !== 200)
        throw new Failed({ kind: 'not-found', call: { operation, host: 'demonstration' }, what: path })
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        text: String(answer.body),
        json: JSON.parse(String(answer.body)) as Json,
        receivedAt: clock.now(),
        attempts: 1,
      }
    },
    retrying: () => 0,
    onReach: () => () => undefined,
  }
  const cache = openDocumentCache({ database: new DocumentTable(), clock, log: { write: () => undefined } })
  firmware = openFirmware({
    clock,
    metadata: openMetadata({ client, cache, baseUrl: metadataUrl, apiVersion: 18, family: 'Jabra SDK V4' }),
    deviceCounts: async () => new Map(),
    vendorId: 2830,
    assumedBuildTypes: ['Release'],
  })
})

const key = ({ vendorId, productId }: { vendorId: number; productId: number }): string =>
  `${vendorId}/${productId}`
const every: readonly { readonly product: Product; readonly variant: Variant }[] = catalogue.flatMap(
  (product) => product.variants.map((variant) => ({ product, variant })),
)
const bare = (text: string): string => text.toLowerCase().replace(/^jabra /, '')
const hex = (id: number): string => id.toString(16).padStart(4, '0')
const ids = new Set(every.map(({ variant }) => variant.productId))

/** Every spelling of a product, and the products it may mean. */
const typings: readonly (readonly [text: string, belongs: (one: (typeof every)[number]) => boolean])[] = [
  ...every.flatMap(({ product, variant }) => {
    const { vendorId, productId } = variant
    const same = (one: (typeof every)[number]): boolean => key(one.variant) === key(variant)
    const ofId = (one: (typeof every)[number]): boolean => one.variant.productId === productId
    return [
      [key(variant), same],
      [`VID_${hex(vendorId)}&PID_${hex(productId)}`, same],
      [`${hex(vendorId)}:${hex(productId)}`, same],
      [`0x${hex(productId)}`, ofId],
      [String(productId), ofId],
      [
        hex(productId),
        (one: (typeof every)[number]) =>
          /^\d+$/.test(hex(productId)) && ids.has(Number(hex(productId)))
            ? one.variant.productId === Number(hex(productId))
            : ofId(one),
      ],
      [variant.entityId, (one: (typeof every)[number]) => one.variant.entityId === variant.entityId],
      [product.entityId, (one: (typeof every)[number]) => one.product.entityId === product.entityId],
      [product.name, (one: (typeof every)[number]) => bare(one.product.name) === bare(product.name)],
      ...(variant.variantType === ''
        ? []
        : [
            [
              variant.variantType.toLowerCase(),
              (one: (typeof every)[number]) => one.variant.variantType === variant.variantType,
            ] as const,
          ]),
    ] as const
  }),
  ...bundleGroups.map(
    ({ id, productIds }) =>
      [id, (one: (typeof every)[number]) => productIds.includes(one.variant.productId)] as const,
  ),
]

describe('over every product and variant of the catalogue', () => {
  it('no spelling of a variant finds another model', async () => {
    const wrong: string[] = []
    let found = 0
    for (const [text, belongs] of typings) {
      try {
        const product = await firmware.find(text)
        found++
        if (!every.some((one) => key(one.variant) === key(product) && belongs(one)))
          wrong.push(`${text} found ${key(product)}`)
      } catch (error) {
        // Several products match: all are named and none is selected.
        if (!(error instanceof Failed) || error.failure.kind !== 'invalid') throw error
        if (every.filter(belongs).length < 2) wrong.push(`${text} is not found: ${error.failure.message}`)
      }
    }
    expect([wrong, typings.length > 1_000, found > 700]).toEqual([[], true, true])
  })

  it('no release and no link returns the file of another model', async () => {
    const wrong: string[] = []
    let links = 0
    for (const id of new Map(every.map(({ variant }) => [key(variant), variant])).values()) {
      const own = every.filter((one) => key(one.variant) === key(id)).map(({ product }) => product)
      const offered = own.flatMap((one) => [...one.releases, ...one.bundledReleases])
      const { releases } = await firmware.releases(id).catch(() => ({ releases: [] }))
      if (releases.length === 0 && offered.length > 0) wrong.push(`${key(id)} has no releases`)
      for (const { version, bundle, latest } of releases) {
        const query = { vendorId: id.vendorId, productId: id.productId, buildType: null, refresh: false }
        const group = bundle?.group ?? null
        const requested = [
          { version, ...(group === null ? {} : { bundle: group }) },
          { version },
          ...(latest ? [{ version: 'latest' }] : []),
        ]
        for (const one of requested) {
          const link = await firmware.link({ ...query, ...one })
          const file = decodeURIComponent(new URL(link.url ?? '').pathname.split('/').at(-1) ?? '')
          links++
          if (!offered.some((known) => known.fileName === file && known.version === version))
            wrong.push(`${key(id)} ${version} offers ${file}`)
          if (one.version !== 'latest' && link.version !== version)
            wrong.push(`${key(id)} ${version} answers ${link.version}`)
        }
      }
    }
    expect([wrong, links > 800]).toEqual([[], true])
  })
})
