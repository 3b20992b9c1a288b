import { Failed } from './failure.ts'

export type ServiceInterface = 'metadata' | 'management'
export type ParameterType = 'int32' | 'string' | 'guid' | 'boolean' | 'json'

export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  readonly type: ParameterType
  readonly required: boolean
}

/**
 * One documented operation as data. `published` is true if the specification gives path and method; otherwise
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
  /** True: changes a device, so it is executed as a write and takes a slot. */
  readonly writes: boolean
  readonly published: boolean
  /** The response as the specification calls it, such as `array of Firmware`; null: not stated. */
  readonly answer: string | null
}

interface NamedOperation<N extends string> extends Operation {
  readonly name: N
}

/** Types of path parameters: specification, part 2, "Identifiers used in paths". */
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

const metadata = <const N extends string>(
  name: N,
  path: string,
  answer: string | null,
): NamedOperation<N> => ({
  name,
  interface: 'metadata',
  method: 'GET',
  path,
  parameters: pathParameters(path),
  writes: false,
  published: true,
  answer,
})

const model = <const N extends string>(name: N, path: string, answer: string | null): NamedOperation<N> =>
  metadata(name, `/models/v/{apiVersion}${path}`, answer)

const management = <const N extends string>(
  name: N,
  method: Operation['method'],
  path: string | null,
  rest: Partial<Pick<Operation, 'writes' | 'published' | 'answer'>> & {
    readonly extra?: readonly OperationParameter[]
  } = {},
): NamedOperation<N> => ({
  name,
  interface: 'management',
  method,
  path,
  parameters: [...pathParameters(path ?? ''), ...(rest.extra ?? [])],
  writes: rest.writes ?? false,
  published: rest.published ?? true,
  answer: rest.answer ?? null,
})

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
const asGuid = <N extends string>(operation: NamedOperation<N>): NamedOperation<N> => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === 'entityId' ? { ...parameter, type: 'guid' } : parameter,
  ),
})

/** Every documented operation of both interfaces (specification, part 4). */
export const operations = [
  model('GetTelemetry', '/telemetry', 'TelemetrySettings'),
  model('GetGnpSchemaVersions', `${gnp}/schema-versions`, 'array of SchemaVersion'),
  model(
    'GetGnpPropertyMapBySchemaVersion',
    `${gnp}/schema-versions/{schemaVersion}/property-map`,
    'GnpMapping',
  ),
  model(
    'GetGnpPropertiesForProductVariant',
    `${gnp}${variant}/firmware-versions/{firmwareVersion}/schema-versions/{schemaVersion}/properties`,
    'GnpDefinition',
  ),
  model('GetGnpPropertiesBySchema', `${gnp}/schema-versions/{schemaVersion}/properties`, 'GnpDefinition'),
  model(
    'GetGnpPropertiesBySchemaTrimmed',
    `${gnp}/schema-versions/{schemaVersion}/properties/trimmed`,
    'GnpDefinition',
  ),
  model(
    'GetGnpDefinitionVersionLatest',
    `${gnp}/definition-versions/schema-versions/{schemaVersion}/latest/info`,
    'ProtocolVersion',
  ),
  model(
    'GetJoseDefinitionV1ByFirmwareVersion',
    `${jose}/firmware-versions/{firmwareVersion}/schema-versions/1/definition`,
    'JoseDefinition',
  ),
  model(
    'GetJoseDefinitionV2ByFirmwareVersion',
    `${jose}/variants/{variantType}/firmware-versions/{firmwareVersion}/schema-versions/2/definition`,
    'JoseDefinitionV2',
  ),
  model('GetDeviceSettingsNameMap', '/product-mapping/name-map', 'NameMapRoot'),
  model(
    'GetLatestDeviceModelBySchema',
    `${firmware}/device-models/{sdk}/schema-versions/{schemaVersion}`,
    'DeviceModelRoot',
  ),
  model(
    'GetDeviceModelByDefinition',
    `${firmware}/device-models/{sdk}/definition-versions/{definitionVersion}`,
    'DeviceModelRoot',
  ),
  model('GetProductVariants', '/vendors/products/{entityId}/variants', 'array of ProductVariant'),
  model('GetFeatureModelByProductVariant', `${firmware}/feature-model`, 'FeatureModelRoot'),
  model(
    'GetFeatureModelByEntityId',
    '/vendors/products/{entityId}/firmware-versions/{firmwareVersion}/feature-model',
    'FeatureModelRoot',
  ),
  model('GetProductInformation', `${variant}/information`, 'ProductInformation'),
  model('GetVariantIdentifiersForHostProducts', '/vendors/products/hosts', 'array of VariantIdentifier'),
  model(
    'GetVariantIdentifiersForProductsWithAgent',
    '/vendors/products/with-agent/{agentType}',
    'array of VariantIdentifier',
  ),
  model('GetIgnoredGnpProducts', '/ignore-lists/gnp', 'ProtocolIgnoreList'),
  model('GetProductGroupBundleProductByVariant', `${bundles}${variant}`, 'ProductGroupBundleProduct'),
  asGuid(
    model(
      'GetProductGroupBundleProductByVariantEntityId',
      `${bundles}/vendors/products/variants/{entityId}`,
      'ProductGroupBundleProduct',
    ),
  ),
  model(
    'GetProductGroupBundleProductByEntityId',
    `${bundles}/vendors/products/{entityId}`,
    'ProductGroupBundleProduct',
  ),
  model('GetProductGroupBundles', `${bundles}/bundles`, 'ProductGroupBundlesRoot'),
  model(
    'GetProductGroupBundleByName',
    `${bundles}/bundles/{productGroupBundleName}`,
    'ProductGroupBundlesRoot',
  ),
  model(
    'GetFirmwareUpdaterConfigurations',
    `${variant}/firmware-updater-configurations/platforms/{platformOs}`,
    'array of FirmwareUpdaterConfiguration',
  ),
  model(
    'GetDfuProductIds',
    '/vendors/products/variants/firmware-updater-configurations/dfu-product-ids',
    'array of DfuProductIdsForVendor',
  ),
  model('GetLatestFirmwareFromDfuPid', `${recovery}/firmware`, 'Firmware'),
  model(
    'GetFirmwareUpdaterConfigurationsByDfuPid',
    `${recovery}/firmware-updater-configurations`,
    'array of FirmwareUpdaterConfiguration',
  ),
  model('GetFirmwareReleasesByProductId', `${product}/firmware-releases`, 'array of Firmware'),
  model(
    'GetFirmwareDownloadLinkByProduct',
    `${product}/firmware-versions/{firmwareVersion}/build-types/{buildType}/downloadLink`,
    'FirmwareDownloadLink',
  ),
  model('GetFirmwareBundles', '/vendors/products/firmware-bundles', 'array of FirmwareBundle'),
  model(
    'GetFirmwareBundlesByGroupIdAndBundleVersion',
    '/vendors/products/firmware-bundles/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}',
    'array of FirmwareBundle',
  ),
  model(
    'GetFirmwareDownloadLinkByFirmwareBundleByBuildType',
    `${product}/firmware-bundle-groups/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}/build-types/{buildType}/downloadLink`,
    'FirmwareDownloadLink',
  ),
  /** The machine-readable description of the models endpoints (part 9). The specification names no operation: the name is ours. */
  model('GetOpenApi', '/openapi', null),
  /** Product web content (part 4, note 4). The specification names no operation: the name is ours. */
  metadata('GetProductContent', '/content/v/{apiVersion}/products', null),

  management('ListDevices', 'POST', '/devices/api/devices', {
    extra: [optional('body', 'deviceClientType', 'string'), ...pageInBody],
  }),
  management('ListDevicesV1', 'GET', '/devices/api/devices', {
    extra: [
      optional('query', 'DeviceClientType', 'string'),
      optional('query', 'PageSize', 'int32'),
      optional('query', 'ContinuationToken', 'string'),
    ],
  }),
  management('ListMeetingRooms', 'POST', '/meetingrooms/api/meetingrooms', {
    extra: pageInBody,
    answer: 'a page of rooms',
  }),
  management('GetRoom', 'GET', '/meetingrooms/api/meetingrooms/{groupId}', { answer: 'a room' }),
  management('RebootRoom', 'POST', '/meetingrooms/api/meetingrooms/{groupId}/reboot', { writes: true }),
  /** Observed path; the specification says only that reading and changing settings exists. */
  management('GetDeviceSettings', 'GET', '/devices/api/devices/{deviceId}/settings', { published: false }),
  management('UpdateDeviceSettings', 'PATCH', '/devices/api/devices/{deviceId}/settings', {
    published: false,
    writes: true,
    extra: [{ name: 'settings', in: 'body', type: 'json', required: true }],
  }),
  /** Documented to exist; no path is published or observed. */
  management('ListDevicesWithSettings', 'POST', null, {
    published: false,
    extra: [optional('body', 'deviceClientType', 'string'), ...pageInBody],
  }),
  management('GetDeviceFirmware', 'GET', null, { published: false }),
  management('UpdateDeviceFirmware', 'POST', null, { published: false, writes: true }),
] as const satisfies readonly Operation[]

export type OperationName = (typeof operations)[number]['name']

const byName: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.name, operation]),
)

/** The entry of a documented operation. */
export function operationNamed(name: OperationName): Operation
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
