import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { systemClock } from '../../../electron/adapters/clock.ts'
import { operations } from '../../../electron/contract/operations.ts'
import { compareVersions } from '../../../electron/core/lists/version-order.ts'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { openMetadata, type Metadata } from '../../../electron/core/metadata/metadata.ts'
import {
  openMetadataClient,
  type ServiceClient,
} from '../../../electron/core/service-client/service-client.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { DocumentTable } from './document-table.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'

let service: Demonstration
let metadata: Metadata
const requested = new Set<string>()

beforeAll(async () => {
  service = await startDemonstration({
    now: fromMorning(),
    devices: 10,
    rooms: 2,
    key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  })
  const client = openMetadataClient({
    transport: openHttpTransport(),
    clock: systemClock,
    random: () => 0,
    baseUrl: service.metadataUrl,
    scrubber: new KnownKeys(),
  })
  const noting: ServiceClient = {
    send: (request) => {
      requested.add(request.operation)
      return client.send(request)
    },
    onReach: (listener) => client.onReach(listener),
    retrying: () => client.retrying(),
  }
  const cache = openDocumentCache({
    database: new DocumentTable(),
    clock: systemClock,
    log: { write: () => undefined },
  })
  metadata = openMetadata({
    client: noting,
    cache,
    baseUrl: service.metadataUrl,
    apiVersion: 18,
    family: 'Brand SDK V4',
  })
})
afterAll(() => service.stop())

const headset = { vendorId: 2830, productId: 9395 }
const variant = { ...headset, variantType: '01-64' }
const bar = { vendorId: 2830, productId: 12417 }
/** A room device that speaks Jose, with its newest firmware. */
async function onBar() {
  const { products } = (await metadata.catalogue()).value
  const found = products
    .flatMap(({ variants }) => variants)
    .find(({ productId }) => productId === bar.productId)
  const releases = (await metadata.firmwareReleases(bar)).value.releases.filter(
    (release) => release.revoked !== true,
  )
  const newest =
    releases
      .map(({ version }) => version)
      .sort(compareVersions)
      .at(-1) ?? ''
  return { ...bar, variantType: found?.variantType ?? '', firmwareVersion: newest }
}
const query = { ...variant, firmwareVersion: '2.9.2' }

// The last test compares what the others requested.
describe('every document of the metadata interface is parsed', { shuffle: false }, () => {
  test('telemetry, maps, versions, the description, product content', async () => {
    const { events } = (await metadata.telemetry()).value
    const map = (await metadata.propertyMap('1.11.0')).value
    const api = (await metadata.openApi()).value
    expect([
      events.map(({ kind }) => kind).filter((kind, at, all) => all.indexOf(kind) === at),
      map.names.size > 300,
      api.operations.length,
    ]).toEqual([['threshold', 'integer', 'boolean', 'call-summary'], true, 33])
    expect((await metadata.schemaVersions()).value).toContain('1.11.0')
    expect((await metadata.latestInfo('1.11.0')).value.definitionVersion).toBe('14.5.0')
    expect(typeof (await metadata.productContent()).value).toBe('object')
  })

  test('definitions, models and features', async () => {
    const gnp = (await metadata.gnpProperties(query, '1.11.0')).value
    const all = (await metadata.gnpPropertiesOfSchema('1.11.0')).value
    const trimmed = (await metadata.gnpPropertiesTrimmed('1.11.0')).value
    const [whole, cut, own] = [all, trimmed, gnp].map(({ properties }) => properties.length)
    expect({ whole, cut, some: own! > 10 }).toEqual({ whole: 427, cut: 427, some: true })
    const byDefinition = (await metadata.deviceModel(query, '14.5.0')).value
    expect((await metadata.deviceModelBySchema(query, '1.11.0')).value.settings).toEqual(
      byDefinition.settings,
    )
    const feature = (await metadata.featureModel(query)).value
    const entityId = (await metadata.catalogueProduct(variant)).value.products[0]?.raw['entityId'] as string
    expect((await metadata.featureModelOfEntity(entityId, query.firmwareVersion)).value.settings).toEqual(
      feature.settings,
    )
    for (const version of [1, 2] as const)
      expect((await metadata.joseDefinition(await onBar(), version)).value.raw['commands']).toContainEqual(
        expect.objectContaining({ name: 'reboot' }),
      )
  })

  test('catalogue, releases, links, bundles', async () => {
    const { products } = (await metadata.catalogue()).value
    const [bundle] = (
      await metadata.records('GetProductGroupBundleByName', {
        productGroupBundleName: 'PanaCast 50 Video Bar System',
      })
    ).value
    const { products: ofBundle50 } = bundle?.raw as { readonly products: readonly unknown[] }
    expect([products.length > ofBundle50.length, ofBundle50.length > 0]).toEqual([true, true])
    const release = (await onBar()).firmwareVersion
    const link = (await metadata.downloadLink({ ...bar, version: release, buildType: 'Release' })).value
    const ofBundle = { firmwareBundleGroupId: 'panacast-40-vbs', firmwareBundleVersion: '1.1.0' }
    expect(
      (await metadata.downloadLinkByBundle({ ...bar, ...ofBundle, buildType: 'Release' })).value.url,
    ).toBe(link.url)
    const [bundles, one] = [
      (await metadata.firmwareBundles()).value,
      (await metadata.firmwareBundle({ group: 'panacast-40-vbs', version: '1.1.0' })).value,
    ]
    expect([
      bundles.length,
      one.map(({ group, name, version, members }) => [group, name, version, members.length]),
    ]).toEqual([5, [['panacast-40-vbs', 'PanaCast 40 VBS', '1.1.0', 3]]])
  })

  test('variants, hosts, product information, ignored products', async () => {
    const [product] = (await metadata.catalogueProduct(variant)).value.products
    const entityId = product?.raw['entityId'] as string
    const variants = (await metadata.records('GetProductVariants', { entityId })).value
    const entityOf = ({ raw }: { readonly raw: unknown }): string =>
      (raw as { readonly entityId: string }).entityId
    const same = [
      await metadata.catalogueProduct({ entityId }),
      await metadata.catalogueProduct({ variantEntityId: entityOf(variants[0]!) }),
    ]
    expect(same.map(({ value }) => value.products)).toEqual([[product], [product]])
    expect(variants.map(({ vendorId, productId }) => [vendorId, productId])).toContainEqual([
      headset.vendorId,
      headset.productId,
    ])
    expect((await metadata.records('GetProductInformation', variant)).value.map(entityOf)).toEqual([entityId])
    const hosts = (await metadata.records('GetVariantIdentifiersForHostProducts', {})).value
    expect(
      (await metadata.records('GetVariantIdentifiersForProductsWithAgent', { agentType: 'RoomAgent' })).value,
    ).toEqual(hosts)
    expect(
      (await metadata.records('GetIgnoredGnpProducts', {})).value.map(({ productId }) => productId),
    ).toEqual([2423, 9999])
    expect((await metadata.nameMap()).value).toMatchObject({
      raw: { settingIds: { soundMode: 'SOUND_MODE' } },
    })
  })

  test('recovery ids, their firmware, updater configurations', async () => {
    const ids = [...((await metadata.recoveryIds()).value.get(2830) ?? [])]
    expect(ids).toContain(9401)
    expect(
      (await metadata.recoveryFirmware({ vendorId: 2830, productId: 9401 })).value.release.version,
    ).toMatch(/^\d+(\.\d+)+$/)
    const configurations = (await metadata.recoveryConfigurations({ vendorId: 2830, productId: 772 })).value
    expect(configurations.map(({ vendorId }) => vendorId)).toEqual([2830, 2830])
    expect(
      (await metadata.records('GetFirmwareUpdaterConfigurations', { ...variant, platformOs: 'Windows' }))
        .value,
    ).toHaveLength(1)
  })

  test('none is left out', () => {
    expect([...requested].sort()).toEqual(
      operations
        .filter((one) => one.interface === 'metadata')
        .map(({ name }) => name)
        .sort(),
    )
  })
})
