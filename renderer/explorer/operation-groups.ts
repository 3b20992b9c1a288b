import type { ExplorerOperation } from '../../electron/contract/api/explorer.ts'
import { operationNamed, type OperationName } from '../../electron/contract/operations.ts'

export type OperationGroup =
  | 'inventory'
  | 'device'
  | 'firmware'
  | 'recovery'
  | 'products'
  | 'properties'
  | 'models'
  | 'service'

/** In the order in which technicians usually need them. */
export const groupOrder: readonly OperationGroup[] = [
  'inventory',
  'device',
  'firmware',
  'recovery',
  'products',
  'properties',
  'models',
  'service',
]

/** A documented operation does not compile without a group. */
const groups: Readonly<Record<OperationName, OperationGroup>> = {
  ListDevices: 'inventory',
  ListDevicesV1: 'inventory',
  ListDevicesWithSettings: 'inventory',
  ListMeetingRooms: 'inventory',
  GetRoom: 'inventory',
  RebootRoom: 'inventory',
  GetDeviceSettings: 'device',
  UpdateDeviceSettings: 'device',
  GetDeviceFirmware: 'device',
  UpdateDeviceFirmware: 'device',
  GetFirmwareReleasesByProductId: 'firmware',
  GetFirmwareDownloadLinkByProduct: 'firmware',
  GetFirmwareBundles: 'firmware',
  GetFirmwareBundlesByGroupIdAndBundleVersion: 'firmware',
  GetFirmwareDownloadLinkByFirmwareBundleByBuildType: 'firmware',
  GetDfuProductIds: 'recovery',
  GetLatestFirmwareFromDfuPid: 'recovery',
  GetFirmwareUpdaterConfigurationsByDfuPid: 'recovery',
  GetFirmwareUpdaterConfigurations: 'recovery',
  GetProductGroupBundles: 'products',
  GetProductGroupBundleByName: 'products',
  GetProductGroupBundleProductByVariant: 'products',
  GetProductGroupBundleProductByVariantEntityId: 'products',
  GetProductGroupBundleProductByEntityId: 'products',
  GetProductVariants: 'products',
  GetProductInformation: 'products',
  GetVariantIdentifiersForHostProducts: 'products',
  GetVariantIdentifiersForProductsWithAgent: 'products',
  GetIgnoredGnpProducts: 'products',
  GetProductContent: 'products',
  GetGnpSchemaVersions: 'properties',
  GetGnpDefinitionVersionLatest: 'properties',
  GetGnpPropertiesForProductVariant: 'properties',
  GetGnpPropertiesBySchema: 'properties',
  GetGnpPropertiesBySchemaTrimmed: 'properties',
  GetGnpPropertyMapBySchemaVersion: 'properties',
  GetJoseDefinitionV1ByFirmwareVersion: 'properties',
  GetJoseDefinitionV2ByFirmwareVersion: 'properties',
  GetLatestDeviceModelBySchema: 'models',
  GetDeviceModelByDefinition: 'models',
  GetFeatureModelByProductVariant: 'models',
  GetFeatureModelByEntityId: 'models',
  GetDeviceSettingsNameMap: 'models',
  GetTelemetry: 'service',
  GetOpenApi: 'service',
}

/** An operation without an entry is listed with the service's own documents. */
export const groupOf = (name: string): OperationGroup =>
  Object.hasOwn(groups, name) ? groups[name as OperationName] : 'service'

/** In the order of the table above: the most used first in each group. */
const places: readonly string[] = Object.keys(groups)
export const byPlace = (a: ExplorerOperation, b: ExplorerOperation): number =>
  placeOf(a.name) - placeOf(b.name)
const placeOf = (name: string): number => (places.includes(name) ? places.indexOf(name) : places.length)

/** The source of an operation's path: the specification, another client, this organization's own template, or none. */
export function pathSource({
  name,
  path,
  published,
}: ExplorerOperation): 'published' | 'observed' | 'template' | 'none' {
  if (path === null) return 'none'
  if (published) return 'published'
  return operationNamed(name)?.path === path ? 'observed' : 'template'
}
