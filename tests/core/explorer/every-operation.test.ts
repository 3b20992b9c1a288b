import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExplorerAnswer } from '../../../electron/contract/api/explorer.ts'
import { operations } from '../../../electron/contract/operations.ts'
import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { documentedOperations, type Explorer } from '../../../electron/core/explorer/explorer.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
/** These paths are unpublished: the demonstration's own. */
const templates = {
  deviceSettings: 'GET /devices/api/devices/{deviceId}/settings',
  updateDeviceSettings: 'PATCH /devices/api/devices/{deviceId}/settings',
  devicesWithSettings: 'POST /devices/api/devices/settings',
  firmwareRead: 'GET /devices/api/devices/{deviceId}/firmware',
  firmwareUpdate: 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}',
}
const headset = { vendorId: '2830', productId: '9395', variantType: '01-64', firmwareVersion: '2.7.2' }
const bar = {
  vendorId: '2830',
  productId: '12417',
  firmwareBundleGroupId: 'panacast-40-vbs',
  firmwareBundleVersion: '1.1.0',
}

let home: TemporaryHome
let service: Demonstration
let core: Core
let explorer: Explorer
/** Real ids of the demonstration, for parameters that a row below does not name. */
let values: Record<string, string>
/** Values for operations that need others. */
let special: Record<string, Record<string, string>>

async function organization(name: string, changes: Partial<OrganizationDraft> = {}): Promise<Explorer> {
  const custom = (await core.handlers.organizations.list()).presets.find(
    (preset) => preset.name === 'custom',
  )!
  const { managementUrl, metadataUrl } = service
  const { id } = await core.handlers.organizations.add({
    ...custom.draft,
    name,
    managementUrl,
    metadataUrl,
    ...changes,
  })
  await core.handlers.organizations.setKey({ id, slot: 'primary', key })
  return (await core.sessions.current()).explorer
}

beforeAll(async () => {
  home = new TemporaryHome()
  service = await startDemonstration({ now: fromMorning(), devices: 120, rooms: 8, key })
  core = await createCore(fakePlatform(home))
  explorer = await organization('Nordlys', { templates })
  const json = async <T>(operation: string, parameters: Record<string, string> = {}): Promise<T> =>
    JSON.parse((await explorer.run({ operation, parameters, unlock: false }, { whole: true })).body) as T
  type Variant = { variantType: string; productId: number; entityId: string }
  const catalogue = await json<{
    bundles: { name: string; products: Product[] }[]
    unbundledProducts: Product[]
  }>('GetProductGroupBundles')
  type Product = { entityId: string; variants: Variant[]; firmwareReleases?: { version: string }[] }
  const product = catalogue.unbundledProducts.find((one) =>
    one.variants.some(({ productId }) => productId === 9395),
  )!
  const [recovery] = await json<{ dfuProductIds: number[] }[]>('GetDfuProductIds')
  const { items } = await json<{ items: { id: string; groupId: string }[] }>('ListDevices', {
    deviceClientType: 'MeetingRoom',
    pageSize: '5',
  })
  const roomVariant = [
    ...catalogue.bundles.flatMap(({ products }) => products),
    ...catalogue.unbundledProducts,
  ]
    .flatMap(({ variants }) => variants)
    .find(({ productId }) => String(productId) === bar.productId)!
  const latest = (
    await json<{ version: string; revoked?: boolean }[]>('GetFirmwareReleasesByProductId', {
      vendorId: '2830',
      productId: bar.productId,
    })
  ).find((one) => one.revoked !== true)!
  const onRoom = {
    productId: bar.productId,
    variantType: roomVariant.variantType,
    firmwareVersion: latest.version,
  }
  values = {
    ...headset,
    schemaVersion: '1.11.0',
    definitionVersion: '14.5.0',
    entityId: product.entityId,
    agentType: 'RoomAgent',
    platformOs: 'Windows',
    productGroupBundleName: catalogue.bundles[0]!.name,
    dfuProductId: String(recovery!.dfuProductIds[0]),
    buildType: 'Release',
    firmwareBundleGroupId: bar.firmwareBundleGroupId,
    firmwareBundleVersion: bar.firmwareBundleVersion,
    groupId: items[0]!.groupId,
    deviceId: items[1]!.id,
    settings: '{}',
  }
  special = {
    GetJoseDefinitionV1ByFirmwareVersion: onRoom,
    GetJoseDefinitionV2ByFirmwareVersion: onRoom,
    GetProductGroupBundleProductByVariantEntityId: { entityId: product.variants[0]!.entityId },
    GetFirmwareDownloadLinkByFirmwareBundleByBuildType: bar,
    ListDevices: { pageSize: '2', sortDescending: 'true' },
    ListDevicesV1: { PageSize: '2', DeviceClientType: 'MeetingRoom' },
    ListMeetingRooms: { pageSize: '2' },
    ListDevicesWithSettings: { pageSize: '2' },
  }
})
afterAll(async () => {
  await core.close()
  await service.stop()
  await home.remove()
})

const parametersOf = (name: string): Record<string, string> => {
  const { parameters } = documentedOperations(templates).find((one) => one.name === name)!
  const needed = Object.fromEntries(
    parameters
      .filter((one) => one.required && values[one.name] !== undefined)
      .map((one) => [one.name, values[one.name]!]),
  )
  const own = Object.entries(special[name] ?? {}).filter(([parameter]) =>
    parameters.some((one) => one.name === parameter),
  )
  return { ...needed, ...Object.fromEntries(own) }
}
const run = (operation: string, unlock = false): Promise<ExplorerAnswer> =>
  explorer.run({ operation, parameters: parametersOf(operation), unlock })

const reading = operations.filter(({ writes }) => !writes).map(({ name }) => name)
const writing = operations.filter(({ writes }) => writes).map(({ name }) => name)

describe('every documented operation against the demonstration', () => {
  test.each(reading)('%s returns data, in the specified form if there is one', async (name) => {
    const { status, failure, unknownMembers, missingMembers, body, cut } = await run(name)
    expect({ status, failure, unknownMembers, missingMembers, cut }).toEqual({
      status: 200,
      failure: null,
      unknownMembers: [],
      missingMembers: [],
      cut: false,
    })
    expect(JSON.parse(body)).toBeTypeOf('object')
  })

  test.each(writing)('%s is rejected while actions are locked, and nothing is sent', async (name) => {
    const before = service.counts().arrivals
    expect(await failureOf(run(name))).toEqual({ kind: 'writes-locked' })
    expect(service.counts().arrivals).toEqual(before)
  })
})

describe('a confirmed operation that writes', () => {
  test('is sent, and the second one within the minute is not', async () => {
    const operation = 'RebootRoom'
    const first = await run(operation, true)
    const again = await run(operation, true)
    expect([first.status, first.report?.outcome, again.status, again.report?.outcome]).toEqual([
      200,
      'accepted',
      null,
      'waiting',
    ])
    expect(again.report?.earliestAt).toBeGreaterThan(first.startedAt + 60_000)
    expect(service.counts().arrivals['RebootRoom']).toEqual({ '200': 1 })
    const { lines } = await core.handlers.journal.list({ where: '', subjectId: null, start: 0, count: 10 })
    expect(lines.map((line) => [line.operation, line.outcome, line.status, line.target.of])).toContainEqual([
      'RebootRoom',
      'accepted',
      200,
      'room',
    ])
  })
})

describe('versions of the management interface', () => {
  test('allow calls of both device lists, regardless of the profile', async () => {
    const other = await organization('Nordlys by version 1', { managementVersion: 1 })
    const statuses = ['ListDevices', 'ListDevicesV1'].map(
      async (operation) => (await other.run({ operation, parameters: {}, unlock: false })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200])
  })
})
