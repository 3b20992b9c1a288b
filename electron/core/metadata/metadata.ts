import { operationNamed, pathOf, type OperationName, type ParameterValue } from '../../contract/operations.ts'
import type { DefinitionQuery } from '../../contract/api/definitions.ts'
import { Failed } from '../../contract/failure.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import { firmwareBundlesOf, type PublishedBundle } from './bundle-json.ts'
import { besideRecords } from './beside-records.ts'
import { catalogueOf, catalogueProductOf, type Catalogue } from './catalogue-json.ts'
import {
  latestInfoOf,
  gnpDefinitionOf,
  schemaVersionsOf,
  type GnpDefinition,
  type LatestInfo,
} from './definition-json.ts'
import type { DocumentCache } from './document-cache.ts'
import { NotTheDocument, type Reading } from './document-copy.ts'
import { documentRecord, saysError } from './json-reading.ts'
import { openApiOf, type OpenApi } from './open-api-json.ts'
import {
  deviceModelOf,
  featureModelOf,
  modelIsFor,
  type DeviceModel,
  type FeatureModel,
} from './model-json.ts'
import {
  joseDefinitionOf,
  mappingOf,
  recoveryIdsOf,
  tolerantRecordsOf,
  type JoseDefinition,
  type TolerantRecord,
} from './record-json.ts'
import { downloadLinkOf, namedLinkOf, type DownloadLink } from './link-json.ts'
import { releaseOf, releasesOf, type PublishedRelease, type PublishedReleases } from './release-json.ts'
import { telemetryOf, type TelemetryDefinitions } from './telemetry-json.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { Recovery } from '../firmware/firmware.ts'
import type { VersionWatching } from './version-watch.ts'

export { besideRecords } from './beside-records.ts'
export type { PublishedBundle } from './bundle-json.ts'
export type { Catalogue, CatalogueProduct } from './catalogue-json.ts'
export type { AnswerCopy, DocumentCache } from './document-cache.ts'
export { NotPublished, type Reading } from './document-copy.ts'
export { gnpDefinitionOf } from './definition-json.ts'
export {
  deviceModelItems,
  displayNamesOf,
  featureModelItems,
  joseItems,
  nameMapItems,
  propertyItems,
  propertyMapItems,
  settingTitlesOf,
} from './document-items.ts'
export { conditions, renews } from './freshness.ts'
export type { GnpDefinition, LatestInfo } from './definition-json.ts'
export type { DeviceModel, FeatureModel } from './model-json.ts'
export { firstOf, objectOf, scalarTextOf } from './json-reading.ts'
export type { OpenApi } from './open-api-json.ts'
export type { JoseDefinition, TolerantRecord } from './record-json.ts'
export { destinationOf } from './address.ts'
export { strictFindings } from './records.ts'
export { goodForMs, type DownloadLink } from './link-json.ts'
export type { PublishedRelease, PublishedReleases } from './release-json.ts'
export type { TelemetryDefinitions } from './telemetry-json.ts'

/** A document, and its address. */
export interface DocumentReading<T> extends Reading<T> {
  readonly address: string
  /** Its content apart from the records of `value`, as received. */
  readonly beside: () => readonly Json[]
}

export interface PropertyMap {
  /** Protocol names by property name. */
  readonly names: ReadonlyMap<string, string>
  readonly raw: Json
}

export interface Ask {
  /** Default `interactive`: a person waits for it. */
  readonly lane?: Lane
  /** True: send a request even if the copy is fresh. */
  readonly refresh?: boolean
  /** True: the copy is used regardless of its age, and no request is sent; `offline` if there is none. */
  readonly cachedOnly?: boolean
  readonly signal?: AbortSignal | null
}

/**
 * The metadata interface: one function for each document that the program uses. Each rejects with Failed:
 * `not-found` if the document is not published, `unreadable-answer` if it is something else, or the failure
 * of the request.
 */
export interface Metadata {
  catalogue(ask?: Ask): Promise<DocumentReading<Catalogue>>
  /** As received, unordered (observed, 2.2). */
  schemaVersions(ask?: Ask): Promise<Reading<readonly string[]>>
  latestInfo(schemaVersion: string, ask?: Ask): Promise<Reading<LatestInfo>>
  /** As received, unordered (A4). */
  firmwareReleases(product: ProductId, ask?: Ask): Promise<DocumentReading<PublishedReleases>>
  downloadLink(query: LinkQuery, ask?: Ask): Promise<DocumentReading<DownloadLink>>
  featureModel(query: DefinitionQuery, ask?: Ask): Promise<DocumentReading<FeatureModel>>
  /** The device model of the organization's family. */
  deviceModel(
    query: DefinitionQuery,
    definitionVersion: string,
    ask?: Ask,
  ): Promise<DocumentReading<DeviceModel>>
  gnpProperties(
    query: DefinitionQuery,
    schemaVersion: string,
    ask?: Ask,
  ): Promise<DocumentReading<GnpDefinition>>
  /** The newest definition of a schema version, for all products; the smaller document. */
  gnpPropertiesTrimmed(schemaVersion: string, ask?: Ask): Promise<DocumentReading<GnpDefinition>>
  productContent(ask?: Ask): Promise<Reading<ProductContent>>
  telemetry(ask?: Ask): Promise<Reading<TelemetryDefinitions>>
  /** Every property of a schema version, for all products. */
  gnpPropertiesOfSchema(schemaVersion: string, ask?: Ask): Promise<DocumentReading<GnpDefinition>>
  /** The newest device model of the organization's family by schema version. */
  deviceModelBySchema(
    query: DefinitionQuery,
    schemaVersion: string,
    ask?: Ask,
  ): Promise<DocumentReading<DeviceModel>>
  featureModelOfEntity(
    entityId: string,
    firmwareVersion: string,
    ask?: Ask,
  ): Promise<DocumentReading<FeatureModel>>
  /**
   * One separate product, even if the catalogue omits it: by one of its variants, or by an entity id, the
   * variant's or its own.
   */
  catalogueProduct(
    by:
      | (ProductId & { readonly variantType: string })
      | { readonly variantEntityId: string }
      | { readonly entityId: string },
    ask?: Ask,
  ): Promise<Reading<Catalogue>>
  downloadLinkByBundle(query: BundleLinkQuery, ask?: Ask): Promise<Reading<DownloadLink>>
  /** As received, unordered. A list may omit the content of bundles: `firmwareBundle` has it. */
  firmwareBundles(ask?: Ask): Promise<DocumentReading<readonly PublishedBundle[]>>
  firmwareBundle(
    bundle: { readonly group: string; readonly version: string },
    ask?: Ask,
  ): Promise<DocumentReading<readonly PublishedBundle[]>>
  /** Jose definition, V1 by firmware version or V2 by variant too. */
  joseDefinition(
    query: DefinitionQuery,
    schemaVersion: 1 | 2,
    ask?: Ask,
  ): Promise<DocumentReading<JoseDefinition>>
  propertyMap(schemaVersion: string, ask?: Ask): Promise<DocumentReading<PropertyMap>>
  /** As received: its record is not published. */
  nameMap(ask?: Ask): Promise<DocumentReading<{ readonly raw: Json }>>
  /** The ids of devices in recovery mode, by vendor. */
  recoveryIds(ask?: Ask): Promise<DocumentReading<ReadonlyMap<number, ReadonlySet<number>>>>
  /** `productId` is the recovery id. The firmware's own link if its record has one. */
  recoveryFirmware(recoveryId: ProductId, ask?: Ask): Promise<DocumentReading<RecoveryFirmware>>
  recoveryConfigurations(
    recoveryId: ProductId,
    ask?: Ask,
  ): Promise<DocumentReading<readonly TolerantRecord[]>>
  /** The machine-readable description of a version of this interface; default: the one in use. */
  openApi(apiVersion?: number, ask?: Ask): Promise<Reading<OpenApi>>
  /** A document whose record the specification does not describe, as a list of tolerantly parsed records. */
  records(
    operation: RecordOperation,
    parameters: Readonly<Record<string, ParameterValue>>,
    ask?: Ask,
  ): Promise<DocumentReading<readonly TolerantRecord[]>>
}

export interface LinkQuery extends ProductId {
  readonly version: string
  readonly buildType: string
}

export interface BundleLinkQuery extends ProductId {
  readonly firmwareBundleGroupId: string
  readonly firmwareBundleVersion: string
  readonly buildType: string
}

/**
 * Product content as received, because its shape is not published, and its address: its links may be relative
 * to it.
 */
export interface ProductContent {
  readonly json: Json
  readonly documentUrl: string
}

export interface RecoveryFirmware {
  readonly release: PublishedRelease
  /** null: the record has no link under a known name. */
  readonly link: DownloadLink | null
}

export type RecordOperation = Extract<
  OperationName,
  | 'GetProductVariants'
  | 'GetProductInformation'
  | 'GetVariantIdentifiersForHostProducts'
  | 'GetVariantIdentifiersForProductsWithAgent'
  | 'GetIgnoredGnpProducts'
  | 'GetProductGroupBundleByName'
  | 'GetFirmwareUpdaterConfigurations'
>

export interface MetadataDeps {
  readonly client: ServiceClient
  readonly cache: DocumentCache
  /**
   * The organization's metadata base address, without a trailing slash: the client's own. It is the cache key
   * of copies.
   */
  readonly baseUrl: string
  readonly apiVersion: number
  /** The `sdk` path segment, not percent-encoded. */
  readonly family: string
}

export function openMetadata(deps: MetadataDeps): Metadata {
  async function document<T>(
    operation: OperationName,
    parameters: Record<string, ParameterValue>,
    what: string,
    ask: Ask | undefined,
    read: (json: Json, documentUrl: string) => T | NotTheDocument | null,
  ): Promise<DocumentReading<T>> {
    const { client, cache, baseUrl, apiVersion } = deps
    const path = pathOf(operationNamed(operation), { apiVersion, ...parameters })
    const { lane = 'interactive', refresh = false, cachedOnly = false, signal = null } = ask ?? {}
    const reading = await cache.read<{ readonly value: T; readonly json: Json }>({
      client,
      baseUrl,
      operation,
      path,
      what,
      lane,
      refresh,
      cachedOnly,
      signal,
      read(json, documentUrl) {
        const value = read(json, documentUrl)
        if (value === null) return null
        return value instanceof NotTheDocument ? value : { value, json }
      },
    })
    const { value, json } = reading.value
    return { ...reading, value, address: baseUrl + path, beside: () => besideRecords(json, value) }
  }

  const named = ({ vendorId, productId }: ProductId): string => `${vendorId}/${productId}`
  const variantOf = ({ vendorId, productId, variantType, firmwareVersion }: DefinitionQuery) => ({
    vendorId,
    productId,
    variantType,
    firmwareVersion,
  })
  /** A model of another product is not the requested document. */
  const modelOf =
    (query: DefinitionQuery) =>
    (json: Json): DeviceModel | NotTheDocument | null => {
      const model = deviceModelOf(json)
      if (model === null || modelIsFor(model, query)) return model
      const { vendorId, productId, variantType } = model
      return new NotTheDocument(
        `This is the model of another product: ${vendorId ?? '?'}/${productId ?? '?'} ${variantType ?? ''}`.trim(),
      )
    }
  const variantName = (query: DefinitionQuery): string =>
    `${named(query)} ${query.variantType} firmware ${query.firmwareVersion}`

  return {
    catalogue: (ask) => document('GetProductGroupBundles', {}, 'the device catalogue', ask, catalogueOf),
    schemaVersions: (ask) =>
      document('GetGnpSchemaVersions', {}, 'the list of schema versions', ask, schemaVersionsOf),
    latestInfo: (schemaVersion, ask) =>
      document(
        'GetGnpDefinitionVersionLatest',
        { schemaVersion },
        `the latest definition version of schema ${schemaVersion}`,
        ask,
        latestInfoOf,
      ),
    firmwareReleases: ({ vendorId, productId }, ask) =>
      document(
        'GetFirmwareReleasesByProductId',
        { vendorId, productId },
        `firmware releases of ${named({ vendorId, productId })}`,
        ask,
        releasesOf,
      ),
    downloadLink: ({ vendorId, productId, version, buildType }, ask) =>
      document(
        'GetFirmwareDownloadLinkByProduct',
        { vendorId, productId, firmwareVersion: version, buildType },
        `a ${buildType} download link of ${named({ vendorId, productId })} ${version}`,
        ask,
        downloadLinkOf,
      ),
    featureModel: (query, ask) =>
      document(
        'GetFeatureModelByProductVariant',
        variantOf(query),
        `the feature model of ${variantName(query)}`,
        ask,
        featureModelOf,
      ),
    deviceModel: (query, definitionVersion, ask) =>
      document(
        'GetDeviceModelByDefinition',
        { ...variantOf(query), sdk: deps.family, definitionVersion },
        `the device model of ${variantName(query)} by definition ${definitionVersion}`,
        ask,
        modelOf(query),
      ),
    gnpProperties: (query, schemaVersion, ask) =>
      document(
        'GetGnpPropertiesForProductVariant',
        { ...variantOf(query), schemaVersion },
        `the property definitions of ${variantName(query)} by schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    gnpPropertiesTrimmed: (schemaVersion, ask) =>
      document(
        'GetGnpPropertiesBySchemaTrimmed',
        { schemaVersion },
        `the property definitions of schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    productContent: (ask) =>
      document('GetProductContent', {}, 'product content', ask, (json, documentUrl) =>
        isRecord(json) ? { json, documentUrl } : null,
      ),
    gnpPropertiesOfSchema: (schemaVersion, ask) =>
      document(
        'GetGnpPropertiesBySchema',
        { schemaVersion },
        `all property definitions of schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    deviceModelBySchema: (query, schemaVersion, ask) =>
      document(
        'GetLatestDeviceModelBySchema',
        { ...variantOf(query), sdk: deps.family, schemaVersion },
        `the device model of ${variantName(query)} by schema ${schemaVersion}`,
        ask,
        modelOf(query),
      ),
    featureModelOfEntity: (entityId, firmwareVersion, ask) =>
      document(
        'GetFeatureModelByEntityId',
        { entityId, firmwareVersion },
        `the feature model of ${entityId} firmware ${firmwareVersion}`,
        ask,
        featureModelOf,
      ),
    downloadLinkByBundle: (
      { vendorId, productId, firmwareBundleGroupId, firmwareBundleVersion, buildType },
      ask,
    ) =>
      document(
        'GetFirmwareDownloadLinkByFirmwareBundleByBuildType',
        { vendorId, productId, firmwareBundleGroupId, firmwareBundleVersion, buildType },
        `a ${buildType} download link of ${named({ vendorId, productId })} in bundle ${firmwareBundleGroupId} ${firmwareBundleVersion}`,
        ask,
        downloadLinkOf,
      ),
    catalogueProduct: (by, ask) => {
      const what = 'variantType' in by ? `${named(by)} ${by.variantType}` : Object.values(by).join('')
      return 'variantType' in by
        ? document(
            'GetProductGroupBundleProductByVariant',
            { vendorId: by.vendorId, productId: by.productId, variantType: by.variantType },
            `the product ${what}`,
            ask,
            catalogueProductOf,
          )
        : 'variantEntityId' in by
          ? document(
              'GetProductGroupBundleProductByVariantEntityId',
              { entityId: by.variantEntityId },
              `the product of variant ${what}`,
              ask,
              catalogueProductOf,
            )
          : document(
              'GetProductGroupBundleProductByEntityId',
              { entityId: by.entityId },
              `the product ${what}`,
              ask,
              catalogueProductOf,
            )
    },
    firmwareBundles: (ask) =>
      document('GetFirmwareBundles', {}, 'the list of firmware bundles', ask, firmwareBundlesOf),
    firmwareBundle: ({ group, version }, ask) =>
      document(
        'GetFirmwareBundlesByGroupIdAndBundleVersion',
        { firmwareBundleGroupId: group, firmwareBundleVersion: version },
        `firmware bundle ${group} ${version}`,
        ask,
        firmwareBundlesOf,
      ),
    telemetry: (ask) => document('GetTelemetry', {}, 'telemetry definitions', ask, telemetryOf),
    joseDefinition: (query, schemaVersion, ask) => {
      const { variantType, ...byFirmware } = variantOf(query)
      const what = `the Jose definition V${schemaVersion} of ${variantName(query)}`
      return schemaVersion === 1
        ? document('GetJoseDefinitionV1ByFirmwareVersion', byFirmware, what, ask, joseDefinitionOf)
        : document(
            'GetJoseDefinitionV2ByFirmwareVersion',
            { ...byFirmware, variantType },
            what,
            ask,
            joseDefinitionOf,
          )
    },
    propertyMap: (schemaVersion, ask) =>
      document(
        'GetGnpPropertyMapBySchemaVersion',
        { schemaVersion },
        `the property map of schema ${schemaVersion}`,
        ask,
        (json) => {
          const names = mappingOf(json)
          return names && { names, raw: json }
        },
      ),
    nameMap: (ask) =>
      document('GetDeviceSettingsNameMap', {}, 'the name map of settings', ask, (json) =>
        isRecord(json) ? { raw: json } : null,
      ),
    recoveryIds: (ask) => document('GetDfuProductIds', {}, 'the list of recovery ids', ask, recoveryIdsOf),
    recoveryFirmware: ({ vendorId, productId }, ask) =>
      document(
        'GetLatestFirmwareFromDfuPid',
        { vendorId, dfuProductId: productId },
        `firmware for the recovery id ${named({ vendorId, productId })}`,
        ask,
        (json, documentUrl) => {
          const [only = null, ...others] = Array.isArray(json) ? (releasesOf(json)?.releases ?? []) : []
          const record = documentRecord(json, (one) => releaseOf(one) !== null)
          const release = others.length > 0 ? null : (only ?? releaseOf(record ?? json))
          return release === null ? null : { release, link: namedLinkOf(release.raw, documentUrl) }
        },
      ),
    recoveryConfigurations: ({ vendorId, productId }, ask) =>
      document(
        'GetFirmwareUpdaterConfigurationsByDfuPid',
        { vendorId, dfuProductId: productId },
        `updater configurations for the recovery id ${named({ vendorId, productId })}`,
        ask,
        tolerantRecordsOf,
      ),
    openApi: (apiVersion = deps.apiVersion, ask) =>
      document('GetOpenApi', { apiVersion }, `the description of version ${apiVersion}`, ask, openApiOf),
    records: (operation, parameters, ask) =>
      document(operation, { ...parameters }, operation, ask, tolerantRecordsOf),
  }
}

/** An object or a list that does not report an error. */
const isRecord = (json: Json): boolean =>
  typeof json === 'object' && json !== null && (Array.isArray(json) || !saysError(json as JsonObject))

/** A failure "not published" becomes null; every other failure is thrown again. */
export async function publishedOrNull<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'not-found') return null
    throw error
  }
}

/** `forgetCatalogue`: deletes the cached catalogues through the given function. */
export const metadataHandlers = ({
  documents,
  session,
  forgetCatalogue,
}: {
  readonly documents: DocumentCache
  readonly session: () => Promise<{
    readonly metadata: Metadata
    readonly recovery: Recovery
    readonly versions: VersionWatching
  }>
  readonly forgetCatalogue: (clear: () => Promise<void>) => Promise<void>
}): Handlers<'metadata'> => ({
  telemetry: async ({ refresh }) => {
    const { value, observedAt, fromCache } = await (await session()).metadata.telemetry({ refresh })
    const { events, unreadable, raw } = value
    return {
      events,
      unreadable: { count: unreadable.length, records: unreadable.slice(0, unreadAtMost) },
      raw,
      observedAt,
      fromCache,
    }
  },
  recovery: async (query) => (await session()).recovery.look(query),
  versions: async (query) => (await session()).versions.check(query),
  cacheSize: () => documents.size(),
  clearCache: async () => {
    await forgetCatalogue(() => documents.clear())
    return documents.size()
  },
})

/**
 * Maximum of unreadable records to show; all are counted. Raise it if the first ones do not show the problem.
 */
const unreadAtMost = 50
