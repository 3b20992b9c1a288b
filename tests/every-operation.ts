import type { Explorer } from '../electron/core/explorer/explorer.ts'
import { openConnectedCore, type ConnectedCore } from './connected-core.ts'

/** A core on the demonstration, with values for the parameters of every documented operation. */
export interface EveryOperation extends ConnectedCore {
  readonly explorer: Explorer
  /** Real ids of the demonstration for every required parameter; for the others `special`. */
  readonly parametersOf: (operation: string) => Readonly<Record<string, string>>
}

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
interface Product {
  readonly entityId: string
  readonly variants: readonly {
    readonly variantType: string
    readonly productId: number
    readonly entityId: string
  }[]
}

export async function everyOperation(): Promise<EveryOperation> {
  const connected = await openConnectedCore({ devices: 120, rooms: 8 })
  await connected.add({ templates })
  const { explorer } = await connected.core.sessions.current()
  const operations = await connected.core.handlers.explorer.knownOperations()

  const json = async <T>(operation: string, parameters: Record<string, string> = {}): Promise<T> =>
    JSON.parse((await explorer.run({ operation, parameters, unlock: false }, { whole: true })).body) as T
  const catalogue = await json<{
    bundles: { name: string; products: Product[] }[]
    unbundledProducts: Product[]
  }>('GetProductGroupBundles')
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
  const values: Readonly<Record<string, string>> = {
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
  /** Values for operations that need others. */
  const special: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    GetJoseDefinitionV1ByFirmwareVersion: onRoom,
    GetJoseDefinitionV2ByFirmwareVersion: onRoom,
    GetProductGroupBundleProductByVariantEntityId: { entityId: product.variants[0]!.entityId },
    GetFirmwareDownloadLinkByFirmwareBundleByBuildType: bar,
    ListDevices: { pageSize: '2', sortDescending: 'true' },
    ListDevicesV1: { PageSize: '2', DeviceClientType: 'MeetingRoom' },
    ListMeetingRooms: { pageSize: '2' },
    ListDevicesWithSettings: { pageSize: '2' },
  }
  return {
    ...connected,
    explorer,
    parametersOf: (operation) => {
      const { parameters } = operations.find((one) => one.name === operation)!
      const needed = Object.fromEntries(
        parameters
          .filter((one) => one.required && values[one.name] !== undefined)
          .map((one) => [one.name, values[one.name]!]),
      )
      const own = Object.entries(special[operation] ?? {}).filter(([parameter]) =>
        parameters.some((one) => one.name === parameter),
      )
      return { ...needed, ...Object.fromEntries(own) }
    },
  }
}
