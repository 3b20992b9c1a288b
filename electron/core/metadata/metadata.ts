import { operationNamed, pathOf, type OperationName, type ParameterValue } from '../../contract/operations.ts'
import type { DefinitionQuery } from '../../contract/api/definitions.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import { firmwareBundlesOf } from './bundle-json.ts'
import { besideRecords } from './beside-records.ts'
import { catalogueOf, catalogueProductOf } from './catalogue-json.ts'
import { latestInfoOf, gnpDefinitionOf, schemaVersionsOf } from './definition-json.ts'
import type { DocumentCache } from './document-cache.ts'
import { NotTheDocument, type CachedDocument } from './document-copy.ts'
import { documentRecord, saysError } from './json-reading.ts'
import { openApiOf } from './open-api-json.ts'
import { deviceModelOf, featureModelOf, modelIsFor, type DeviceModel } from './model-json.ts'
import { joseDefinitionOf, mappingOf, recoveryIdsOf, tolerantRecordsOf } from './record-json.ts'
import { downloadLinkOf, namedLinkOf, type DownloadLink } from './link-json.ts'
import { releaseOf, releasesFor, releasesOf, type PublishedRelease } from './release-json.ts'
import { telemetryOf } from './telemetry-json.ts'

export { besideRecords } from './beside-records.ts'
export type { PublishedBundle } from './bundle-json.ts'
export type { Catalogue, CatalogueProduct } from './catalogue-json.ts'
export type { ResponseCopy, DocumentCache } from './document-cache.ts'
export { NotPublished, type CachedDocument } from './document-copy.ts'
export { gnpDefinitionOf } from './definition-json.ts'
export {
  deviceModelItems,
  displayNamesOf,
  featureModelItems,
  isEmptyDocument,
  joseItems,
  nameMapItems,
  propertyItems,
  propertyMapItems,
  settingTitlesOf,
} from './document-items.ts'
export { conditions, renews } from './document-copy.ts'
export type { DefinitionLabel, GnpDefinition } from './definition-json.ts'
export type { DeviceModel, FeatureModel } from './model-json.ts'
export { firstOf, objectOf, scalarTextOf } from './json-reading.ts'
export { unknownReads } from './open-api-json.ts'
export type { TolerantRecord } from './record-json.ts'
export { destinationOf, namesOtherProduct } from './file-json.ts'
export { strictFindings } from './records.ts'
export { goodForMs, type DownloadLink } from './link-json.ts'
export { releasesFor, type PublishedRelease, type PublishedReleases } from './release-json.ts'
export type { VersionWatching } from './version-watch.ts'

/** A document, and its address. */
export interface AddressedDocument<T> extends CachedDocument<T> {
  readonly address: string
  /** Its content apart from the records of `value`, as received. */
  readonly beside: () => readonly Json[]
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

export type Metadata = ReturnType<typeof openMetadata>

export interface LinkQuery extends ProductId {
  readonly version: string
  readonly buildType: string
}

export interface BundleLinkQuery extends ProductId {
  readonly firmwareBundleGroupId: string
  readonly firmwareBundleVersion: string
  readonly buildType: string
}

export interface RecoveryFirmware {
  readonly release: PublishedRelease
  /** null: the record has no link under a known name. */
  readonly link: DownloadLink | null
}

type RecordOperation = Extract<
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

/**
 * The metadata interface: one function for each document that the program uses. Each rejects with Failed:
 * `not-found` if the document is not published, `unreadable-answer` if it is something else, or the failure
 * of the request.
 */
export function openMetadata(deps: MetadataDeps) {
  async function document<T>(
    operation: OperationName,
    parameters: Record<string, ParameterValue>,
    what: string,
    ask: Ask | undefined,
    parse: (json: Json, documentUrl: string) => T | NotTheDocument | null,
  ): Promise<AddressedDocument<T>> {
    const { client, cache, baseUrl, apiVersion } = deps
    const path = pathOf(operationNamed(operation), { apiVersion, ...parameters })
    const { lane = 'interactive', refresh = false, cachedOnly = false, signal = null } = ask ?? {}
    const reading = await cache.load<{ readonly value: T; readonly json: Json }>({
      client,
      baseUrl,
      operation,
      path,
      what,
      lane,
      refresh,
      cachedOnly,
      signal,
      parse(json, documentUrl) {
        const value = parse(json, documentUrl)
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
    catalogue: (ask?: Ask) =>
      document('GetProductGroupBundles', {}, 'the device catalogue', ask, catalogueOf),
    /** As received, unordered (services.md#A4). */
    schemaVersions: (ask?: Ask) =>
      document('GetGnpSchemaVersions', {}, 'the list of schema versions', ask, schemaVersionsOf),
    latestInfo: (schemaVersion: string, ask?: Ask) =>
      document(
        'GetGnpDefinitionVersionLatest',
        { schemaVersion },
        `the latest definition version of schema ${schemaVersion}`,
        ask,
        latestInfoOf,
      ),
    /** As received, unordered (services.md#A4). */
    firmwareReleases: ({ vendorId, productId }: ProductId, ask?: Ask) =>
      document(
        'GetFirmwareReleasesByProductId',
        { vendorId, productId },
        `firmware releases of ${named({ vendorId, productId })}`,
        ask,
        (json) => {
          const published = releasesOf(json)
          return published && releasesFor(published, [{ vendorId, productId }])
        },
      ),
    downloadLink: ({ vendorId, productId, version, buildType }: LinkQuery, ask?: Ask) =>
      document(
        'GetFirmwareDownloadLinkByProduct',
        { vendorId, productId, firmwareVersion: version, buildType },
        `a ${buildType} download link of ${named({ vendorId, productId })} ${version}`,
        ask,
        (json, documentUrl) =>
          downloadLinkOf(json, documentUrl, { vendorId, productId, version, buildType, bundle: null }),
      ),
    featureModel: (query: DefinitionQuery, ask?: Ask) =>
      document(
        'GetFeatureModelByProductVariant',
        variantOf(query),
        `the feature model of ${variantName(query)}`,
        ask,
        featureModelOf,
      ),
    /** The device model of the organization's family. */
    deviceModel: (query: DefinitionQuery, definitionVersion: string, ask?: Ask) =>
      document(
        'GetDeviceModelByDefinition',
        { ...variantOf(query), sdk: deps.family, definitionVersion },
        `the device model of ${variantName(query)} by definition ${definitionVersion}`,
        ask,
        modelOf(query),
      ),
    gnpProperties: (query: DefinitionQuery, schemaVersion: string, ask?: Ask) =>
      document(
        'GetGnpPropertiesForProductVariant',
        { ...variantOf(query), schemaVersion },
        `the property definitions of ${variantName(query)} by schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    /** The newest definition of a schema version, for all products; the smaller document. */
    gnpPropertiesTrimmed: (schemaVersion: string, ask?: Ask) =>
      document(
        'GetGnpPropertiesBySchemaTrimmed',
        { schemaVersion },
        `the property definitions of schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    /** As received, because its shape is not published, and its address: its links may be relative to it. */
    productContent: (ask?: Ask) =>
      document('GetProductContent', {}, 'product content', ask, (json, documentUrl) =>
        isRecord(json) ? { json, documentUrl } : null,
      ),
    /** Every property of a schema version, for all products. */
    gnpPropertiesOfSchema: (schemaVersion: string, ask?: Ask) =>
      document(
        'GetGnpPropertiesBySchema',
        { schemaVersion },
        `all property definitions of schema ${schemaVersion}`,
        ask,
        gnpDefinitionOf,
      ),
    /** The newest device model of the organization's family by schema version. */
    deviceModelBySchema: (query: DefinitionQuery, schemaVersion: string, ask?: Ask) =>
      document(
        'GetLatestDeviceModelBySchema',
        { ...variantOf(query), sdk: deps.family, schemaVersion },
        `the device model of ${variantName(query)} by schema ${schemaVersion}`,
        ask,
        modelOf(query),
      ),
    featureModelOfEntity: (entityId: string, firmwareVersion: string, ask?: Ask) =>
      document(
        'GetFeatureModelByEntityId',
        { entityId, firmwareVersion },
        `the feature model of ${entityId} firmware ${firmwareVersion}`,
        ask,
        featureModelOf,
      ),
    downloadLinkByBundle: ({ vendorId, productId, ...bundle }: BundleLinkQuery, ask?: Ask) =>
      document(
        'GetFirmwareDownloadLinkByFirmwareBundleByBuildType',
        { vendorId, productId, ...bundle },
        `a ${bundle.buildType} download link of ${named({ vendorId, productId })} in bundle ${bundle.firmwareBundleGroupId} ${bundle.firmwareBundleVersion}`,
        ask,
        (json, documentUrl) =>
          downloadLinkOf(json, documentUrl, {
            vendorId,
            productId,
            version: null,
            buildType: bundle.buildType,
            bundle: { group: bundle.firmwareBundleGroupId, version: bundle.firmwareBundleVersion },
          }),
      ),
    /**
     * One separate product, even if the catalogue omits it: by one of its variants, or by an entity id, the
     * variant's or its own.
     */
    catalogueProduct(
      by:
        | (ProductId & { readonly variantType: string })
        | { readonly variantEntityId: string }
        | { readonly entityId: string },
    ) {
      const read = (operation: OperationName, parameters: Record<string, ParameterValue>, what: string) =>
        document(operation, parameters, `the product ${what}`, undefined, catalogueProductOf)
      if ('variantEntityId' in by)
        return read(
          'GetProductGroupBundleProductByVariantEntityId',
          { entityId: by.variantEntityId },
          `of variant ${by.variantEntityId}`,
        )
      if ('entityId' in by)
        return read('GetProductGroupBundleProductByEntityId', { entityId: by.entityId }, by.entityId)
      const { vendorId, productId, variantType } = by
      return read(
        'GetProductGroupBundleProductByVariant',
        { vendorId, productId, variantType },
        `${named(by)} ${variantType}`,
      )
    },
    /** As received, unordered. A list may omit the content of bundles: `firmwareBundle` has it. */
    firmwareBundles: (ask?: Ask) =>
      document('GetFirmwareBundles', {}, 'the list of firmware bundles', ask, firmwareBundlesOf),
    firmwareBundle: ({ group, version }: { readonly group: string; readonly version: string }, ask?: Ask) =>
      document(
        'GetFirmwareBundlesByGroupIdAndBundleVersion',
        { firmwareBundleGroupId: group, firmwareBundleVersion: version },
        `firmware bundle ${group} ${version}`,
        ask,
        firmwareBundlesOf,
      ),
    telemetry: (ask?: Ask) => document('GetTelemetry', {}, 'telemetry definitions', ask, telemetryOf),
    /** V1 by firmware version or V2 by variant too. */
    joseDefinition: (query: DefinitionQuery, schemaVersion: 1 | 2, ask?: Ask) => {
      const { variantType, ...byFirmware } = variantOf(query)
      return document(
        schemaVersion === 1 ? 'GetJoseDefinitionV1ByFirmwareVersion' : 'GetJoseDefinitionV2ByFirmwareVersion',
        schemaVersion === 1 ? byFirmware : { ...byFirmware, variantType },
        `the Jose definition V${schemaVersion} of ${variantName(query)}`,
        ask,
        joseDefinitionOf,
      )
    },
    /** `names`: protocol names by property name. */
    propertyMap: (schemaVersion: string, ask?: Ask) =>
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
    /** As received: its record is not published. */
    nameMap: (ask?: Ask) =>
      document('GetDeviceSettingsNameMap', {}, 'the name map of settings', ask, (json) =>
        isRecord(json) ? { raw: json } : null,
      ),
    /** The ids of devices in recovery mode, by vendor. */
    recoveryIds: (ask?: Ask) =>
      document('GetDfuProductIds', {}, 'the list of recovery ids', ask, recoveryIdsOf),
    /** `productId` is the recovery id. The firmware's own link if its record has one. */
    recoveryFirmware: ({ vendorId, productId }: ProductId) =>
      document(
        'GetLatestFirmwareFromDfuPid',
        { vendorId, dfuProductId: productId },
        `firmware for the recovery id ${named({ vendorId, productId })}`,
        undefined,
        (json, documentUrl): RecoveryFirmware | null => {
          const [only = null, ...others] = Array.isArray(json) ? (releasesOf(json)?.releases ?? []) : []
          const record = documentRecord(json, (one) => releaseOf(one) !== null)
          const release = others.length > 0 ? null : (only ?? releaseOf(record ?? json))
          return release === null ? null : { release, link: namedLinkOf(release.raw, documentUrl) }
        },
      ),
    recoveryConfigurations: ({ vendorId, productId }: ProductId) =>
      document(
        'GetFirmwareUpdaterConfigurationsByDfuPid',
        { vendorId, dfuProductId: productId },
        `updater configurations for the recovery id ${named({ vendorId, productId })}`,
        undefined,
        tolerantRecordsOf,
      ),
    /** The machine-readable description of a version of this interface; default: the one in use. */
    openApi: (apiVersion: number = deps.apiVersion, ask?: Ask) =>
      document('GetOpenApi', { apiVersion }, `the description of version ${apiVersion}`, ask, openApiOf),
    /** A document whose record the specification does not describe, as a list of tolerantly parsed records. */
    records: (operation: RecordOperation, parameters: Readonly<Record<string, ParameterValue>>) =>
      document(operation, { ...parameters }, operation, undefined, tolerantRecordsOf),
  }
}

/** An object or a list that does not report an error. */
const isRecord = (json: Json): boolean =>
  typeof json === 'object' && json !== null && (Array.isArray(json) || !saysError(json as JsonObject))
