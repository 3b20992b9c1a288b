import { Failed } from './failure.ts'
import type { changeKinds } from './fields/change.ts'

export type ServiceInterface = 'metadata' | 'management'
type ParameterType = 'int32' | 'string' | 'guid' | 'boolean' | 'json'

export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly type: ParameterType
  readonly required: boolean
}

/** Groups of the Explorer, in the order in which technicians usually need them. */
export const operationGroups = [
  'inventory',
  'device',
  'firmware',
  'recovery',
  'products',
  'properties',
  'models',
  'service',
] as const
export type OperationGroup = (typeof operationGroups)[number]

/** What a write does. */
interface WriteEffect {
  /** Its name in filters and in locale files: `operation:reboot`, the sentence before it is sent. */
  readonly word: string
  /** Changes that a sync may find after it. */
  readonly changes: readonly (typeof changeKinds)[number][]
}

/**
 * One documented operation as data: everything that the core, the Explorer, the journal and the
 * demonstration know of it derives from its row. `published` is true if the specification gives path and method; otherwise
 * the operation is documented to exist and its path was observed in another client, or is null if it is not
 * published (a profile may name it).
 */
export interface Operation {
  readonly name: string
  readonly interface: ServiceInterface
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Relative to the interface's base address, parameters in braces, without the `.json` that every metadata path ends in. */
  readonly path: string | null
  readonly parameters: readonly OperationParameter[]
  readonly group: OperationGroup
  /** Not null: it changes a device, so it is executed as a write and takes a slot. */
  readonly effect: WriteEffect | null
  /** The only `api-version` that has it; null: both have it. */
  readonly apiVersion: 1 | 2 | null
  /** The member of an organization's profile that may name another path; null: none. */
  readonly template: string | null
  readonly published: boolean
  /** The response as the specification calls it, such as `array of Firmware`; null: not stated. */
  readonly answer: string | null
}

interface MetadataOperation<N extends string> extends Operation {
  readonly name: N
  readonly interface: 'metadata'
  readonly path: string
  readonly template: null
}
interface ManagementOperation<
  N extends string,
  P extends string | null,
  T extends string | null,
> extends Operation {
  readonly name: N
  readonly path: P
  readonly interface: 'management'
  readonly template: T
}

/** Types of path parameters (services.md#A31). */
const pathTypes: Readonly<Record<string, ParameterType>> = {
  apiVersion: 'int32',
  vendorId: 'int32',
  productId: 'int32',
  dfuProductId: 'int32',
}

const pathParameters = (path: string): OperationParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    type: pathTypes[name] ?? 'string',
    required: true,
  }))

const optional = (from: 'query' | 'body', name: string, type: ParameterType): OperationParameter => ({
  name,
  in: from,
  type,
  required: false,
})

export const metadata = <const N extends string>(
  name: N,
  group: OperationGroup,
  path: string,
  answer: string | null,
): MetadataOperation<N> => ({
  name,
  interface: 'metadata',
  method: 'GET',
  path,
  parameters: pathParameters(path),
  group,
  effect: null,
  apiVersion: null,
  template: null,
  published: true,
  answer,
})

const model = <const N extends string>(
  name: N,
  group: OperationGroup,
  path: string,
  answer: string | null,
): MetadataOperation<N> => metadata(name, group, `/models/v/{apiVersion}${path}`, answer)

const management = <const N extends string, const P extends string | null>(
  name: N,
  group: OperationGroup,
  method: Operation['method'],
  path: P,
  rest: Partial<Pick<Operation, 'effect' | 'apiVersion' | 'answer'>> & {
    readonly extra?: readonly OperationParameter[]
  } = {},
): ManagementOperation<N, P, null> => ({
  name,
  interface: 'management',
  method,
  path,
  parameters: [...pathParameters(path ?? ''), ...(rest.extra ?? [])],
  group,
  effect: rest.effect ?? null,
  apiVersion: rest.apiVersion ?? null,
  template: null,
  published: true,
  answer: rest.answer ?? null,
})

/** Its path is not published: a profile may name one. */
const unpublished = <const T extends string, N extends string, P extends string | null>(
  template: T,
  operation: ManagementOperation<N, P, null>,
): ManagementOperation<N, P, T> => ({ ...operation, template, published: false })

const restarts = ['rebooted', 'went-offline', 'back-online', 'status-changed'] as const

const gnp = '/protocol-definitions/gnp'
const jose = '/protocol-definitions/jose/vendors/{vendorId}/products/{productId}'
const product = '/vendors/{vendorId}/products/{productId}'
const variant = `${product}/variants/{variantType}`
const firmware = `${variant}/firmware-versions/{firmwareVersion}`
const recovery = '/vendors/{vendorId}/products/recovery/{dfuProductId}'
const bundles = '/product-group-bundles'
const pageInBody = [
  optional('body', 'sortDescending', 'boolean'),
  optional('body', 'pageSize', 'int32'),
  optional('body', 'continuationToken', 'string'),
]
const asGuid = <N extends string>(operation: MetadataOperation<N>): MetadataOperation<N> => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === 'entityId' ? { ...parameter, type: 'guid' } : parameter,
  ),
})

/** Every documented operation of both interfaces, as services.md lists them. */
export const operations = [
  model('GetTelemetry', 'service', '/telemetry', 'TelemetrySettings'),
  model('GetGnpSchemaVersions', 'properties', `${gnp}/schema-versions`, 'array of SchemaVersion'),
  model(
    'GetGnpPropertyMapBySchemaVersion',
    'properties',
    `${gnp}/schema-versions/{schemaVersion}/property-map`,
    'GnpMapping',
  ),
  model(
    'GetGnpPropertiesForProductVariant',
    'properties',
    `${gnp}${variant}/firmware-versions/{firmwareVersion}/schema-versions/{schemaVersion}/properties`,
    'GnpDefinition',
  ),
  model(
    'GetGnpPropertiesBySchema',
    'properties',
    `${gnp}/schema-versions/{schemaVersion}/properties`,
    'GnpDefinition',
  ),
  model(
    'GetGnpPropertiesBySchemaTrimmed',
    'properties',
    `${gnp}/schema-versions/{schemaVersion}/properties/trimmed`,
    'GnpDefinition',
  ),
  model(
    'GetGnpDefinitionVersionLatest',
    'properties',
    `${gnp}/definition-versions/schema-versions/{schemaVersion}/latest/info`,
    'ProtocolVersion',
  ),
  model(
    'GetJoseDefinitionV1ByFirmwareVersion',
    'properties',
    `${jose}/firmware-versions/{firmwareVersion}/schema-versions/1/definition`,
    'JoseDefinition',
  ),
  model(
    'GetJoseDefinitionV2ByFirmwareVersion',
    'properties',
    `${jose}/variants/{variantType}/firmware-versions/{firmwareVersion}/schema-versions/2/definition`,
    'JoseDefinitionV2',
  ),
  model('GetDeviceSettingsNameMap', 'models', '/product-mapping/name-map', 'NameMapRoot'),
  model(
    'GetLatestDeviceModelBySchema',
    'models',
    `${firmware}/device-models/{sdk}/schema-versions/{schemaVersion}`,
    'DeviceModelRoot',
  ),
  model(
    'GetDeviceModelByDefinition',
    'models',
    `${firmware}/device-models/{sdk}/definition-versions/{definitionVersion}`,
    'DeviceModelRoot',
  ),
  model('GetProductVariants', 'products', '/vendors/products/{entityId}/variants', 'array of ProductVariant'),
  model('GetFeatureModelByProductVariant', 'models', `${firmware}/feature-model`, 'FeatureModelRoot'),
  model(
    'GetFeatureModelByEntityId',
    'models',
    '/vendors/products/{entityId}/firmware-versions/{firmwareVersion}/feature-model',
    'FeatureModelRoot',
  ),
  model('GetProductInformation', 'products', `${variant}/information`, 'ProductInformation'),
  model(
    'GetVariantIdentifiersForHostProducts',
    'products',
    '/vendors/products/hosts',
    'array of VariantIdentifier',
  ),
  model(
    'GetVariantIdentifiersForProductsWithAgent',
    'products',
    '/vendors/products/with-agent/{agentType}',
    'array of VariantIdentifier',
  ),
  model('GetIgnoredGnpProducts', 'products', '/ignore-lists/gnp', 'ProtocolIgnoreList'),
  model(
    'GetProductGroupBundleProductByVariant',
    'products',
    `${bundles}${variant}`,
    'ProductGroupBundleProduct',
  ),
  asGuid(
    model(
      'GetProductGroupBundleProductByVariantEntityId',
      'products',
      `${bundles}/vendors/products/variants/{entityId}`,
      'ProductGroupBundleProduct',
    ),
  ),
  model(
    'GetProductGroupBundleProductByEntityId',
    'products',
    `${bundles}/vendors/products/{entityId}`,
    'ProductGroupBundleProduct',
  ),
  model('GetProductGroupBundles', 'products', `${bundles}/bundles`, 'ProductGroupBundlesRoot'),
  model(
    'GetProductGroupBundleByName',
    'products',
    `${bundles}/bundles/{productGroupBundleName}`,
    'ProductGroupBundlesRoot',
  ),
  model(
    'GetFirmwareUpdaterConfigurations',
    'recovery',
    `${variant}/firmware-updater-configurations/platforms/{platformOs}`,
    'array of FirmwareUpdaterConfiguration',
  ),
  model(
    'GetDfuProductIds',
    'recovery',
    '/vendors/products/variants/firmware-updater-configurations/dfu-product-ids',
    'array of DfuProductIdsForVendor',
  ),
  model('GetLatestFirmwareFromDfuPid', 'recovery', `${recovery}/firmware`, 'Firmware'),
  model(
    'GetFirmwareUpdaterConfigurationsByDfuPid',
    'recovery',
    `${recovery}/firmware-updater-configurations`,
    'array of FirmwareUpdaterConfiguration',
  ),
  model('GetFirmwareReleasesByProductId', 'firmware', `${product}/firmware-releases`, 'array of Firmware'),
  model(
    'GetFirmwareDownloadLinkByProduct',
    'firmware',
    `${product}/firmware-versions/{firmwareVersion}/build-types/{buildType}/downloadLink`,
    'FirmwareDownloadLink',
  ),
  model('GetFirmwareBundles', 'firmware', '/vendors/products/firmware-bundles', 'array of FirmwareBundle'),
  model(
    'GetFirmwareBundlesByGroupIdAndBundleVersion',
    'firmware',
    '/vendors/products/firmware-bundles/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}',
    'array of FirmwareBundle',
  ),
  model(
    'GetFirmwareDownloadLinkByFirmwareBundleByBuildType',
    'firmware',
    `${product}/firmware-bundle-groups/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}/build-types/{buildType}/downloadLink`,
    'FirmwareDownloadLink',
  ),
  /**
   * The machine-readable description of the models endpoints (services.md#A37). The specification names no
   * operation: the name is ours.
   */
  model('GetOpenApi', 'service', '/openapi', null),
  /** Product web content (services.md#A38). The specification names no operation: the name is ours. */
  metadata('GetProductContent', 'products', '/content/v/{apiVersion}/products', null),

  management('ListDevices', 'inventory', 'POST', '/devices/api/devices', {
    apiVersion: 2,
    extra: [optional('body', 'deviceClientType', 'string'), ...pageInBody],
  }),
  management('ListDevicesV1', 'inventory', 'GET', '/devices/api/devices', {
    apiVersion: 1,
    extra: [
      optional('query', 'DeviceClientType', 'string'),
      optional('query', 'PageSize', 'int32'),
      optional('query', 'ContinuationToken', 'string'),
    ],
  }),
  management('ListMeetingRooms', 'inventory', 'POST', '/meetingrooms/api/meetingrooms', {
    extra: pageInBody,
    answer: 'a page of rooms',
  }),
  management('GetRoom', 'inventory', 'GET', '/meetingrooms/api/meetingrooms/{groupId}', { answer: 'a room' }),
  management('RebootRoom', 'inventory', 'POST', '/meetingrooms/api/meetingrooms/{groupId}/reboot', {
    effect: { word: 'reboot', changes: restarts },
  }),
  /** Observed path (services.md#B42): published is only that settings can be read and changed. */
  unpublished(
    'deviceSettings',
    management('GetDeviceSettings', 'device', 'GET', '/devices/api/devices/{deviceId}/settings'),
  ),
  unpublished(
    'updateDeviceSettings',
    management('UpdateDeviceSettings', 'device', 'PATCH', '/devices/api/devices/{deviceId}/settings', {
      effect: { word: 'settings', changes: ['setting-changed'] },
      extra: [{ name: 'settings', in: 'body', type: 'json', required: true }],
    }),
  ),
  /** Documented to exist; no path is published or observed. Its pages are those of the device list. */
  unpublished(
    'devicesWithSettings',
    management('ListDevicesWithSettings', 'inventory', 'POST', null, {
      apiVersion: 2,
      extra: [optional('body', 'deviceClientType', 'string'), ...pageInBody],
    }),
  ),
  unpublished('firmwareRead', management('GetDeviceFirmware', 'device', 'GET', null)),
  /** Its template may also contain `{firmwareVersion}`, and a JSON body after the path. */
  unpublished(
    'firmwareUpdate',
    management('UpdateDeviceFirmware', 'device', 'POST', null, {
      effect: { word: 'firmware', changes: ['firmware-changed', ...restarts] },
    }),
  ),
] as const satisfies readonly Operation[]

type Row = (typeof operations)[number]
export type OperationName = Row['name']
export type MetadataOperationName = Extract<Row, { interface: 'metadata' }>['name']
/** A member of the profile that names an unpublished path. */
export type TemplateName = NonNullable<Row['template']>
type TemplateRow = Extract<Row, { template: TemplateName }>

const byName: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.name, operation]),
)
/** The operations whose path a profile may name. */
export const templateOperations: readonly TemplateRow[] = operations.filter(
  (one): one is TemplateRow => one.template !== null,
)
/** The operation of a template. */
export const operationOfTemplate = (template: TemplateName): Row =>
  templateOperations.find((one) => one.template === template) as Row

/** The entry of a documented operation. */
export function operationNamed<N extends OperationName>(name: N): Extract<Row, { name: N }>
export function operationNamed(name: string): Operation | null
export function operationNamed(name: string): Operation | null {
  return byName.get(name) ?? null
}

export type ParameterValue = string | number | boolean

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const textOf = (parameter: OperationParameter, value: ParameterValue): string => {
  const text = String(value)
  if (parameter.type === 'int32') {
    const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= -2147483648 && number <= 2147483647))
      throw Failed.invalid(parameter.name, 'must be a whole number that fits 32 bits')
    return String(number)
  }
  if (parameter.type === 'guid' && !guid.test(text)) throw Failed.invalid(parameter.name, 'must be a guid')
  if (!text.isWellFormed()) throw Failed.invalid(parameter.name, 'contains an incomplete character')
  return text
}

/**
 * A URL parser removes empty, `.` and `..` segments, even percent-encoded ones, and would request another
 * document.
 */
const segmentOf = (parameter: OperationParameter, value: ParameterValue | undefined): string => {
  const text = value === undefined ? '' : textOf(parameter, value)
  if (text === '') throw Failed.invalid(parameter.name, 'is missing')
  if (text === '.' || text === '..') throw Failed.invalid(parameter.name, 'cannot be a path segment')
  return encodeURIComponent(text)
}

/**
 * The path of a call, relative to the interface's base address. It begins with `/`; every parameter is
 * percent-encoded exactly once. The metadata interface gets `.json` appended, the management interface the
 * given query parameters. Body parameters are not used here. `template` replaces the operation's own path if
 * a profile names one. Throws Failed `invalid` for a missing, unknown or malformed value.
 */
export const pathOf = (
  operation: Operation,
  parameters: Readonly<Record<string, ParameterValue>> = {},
  template: string | null = operation.path,
): string => {
  if (template === null || template === '')
    throw Failed.invalid('path', `No path is published for ${operation.name}.`)
  const known: readonly OperationParameter[] =
    template === operation.path
      ? operation.parameters
      : [...pathParameters(template), ...operation.parameters]
  for (const name of Object.keys(parameters)) {
    if (!known.some((parameter) => parameter.name === name))
      throw Failed.invalid(name, `is not a parameter of ${operation.name}`)
  }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = known.find((one) => one.name === name && one.in === 'path')
    if (parameter === undefined) throw Failed.invalid(name, `is not a parameter of ${operation.name}`)
    return segmentOf(parameter, Object.hasOwn(parameters, name) ? parameters[name] : undefined)
  })
  if (operation.interface === 'metadata') return `${path}.json`
  const query = known.flatMap((parameter) => {
    const value =
      parameter.in === 'query' && Object.hasOwn(parameters, parameter.name)
        ? parameters[parameter.name]
        : undefined
    return value === undefined ? [] : [`${parameter.name}=${encodeURIComponent(textOf(parameter, value))}`]
  })
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}
