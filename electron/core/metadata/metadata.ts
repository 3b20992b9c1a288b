import { operationNamed, pathOf, type OperationName, type ParameterValue } from '../../contract/operations.ts'
import type { DefinitionQuery } from '../../contract/definition.ts'
import { Failed } from '../../contract/failure.ts'
import type { FirmwareLinkQuery, ProductId } from '../../contract/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import { catalogueOf, type Catalogue } from './catalogue-json.ts'
import { latestInfoOf, gnpDefinitionOf, schemaVersionsOf, type GnpDefinition, type LatestInfo } from './definition-json.ts'
import type { DocumentCache, Reading } from './document-cache.ts'
import { deviceModelOf, featureModelOf, modelIsFor, type DeviceModel, type FeatureModel } from './model-json.ts'
import { downloadLinkOf, releasesOf, type DownloadLink, type PublishedRelease } from './release-json.ts'

export type { Catalogue, CatalogueProduct } from './catalogue-json.ts'
export type { Reading } from './document-cache.ts'
export type { GnpDefinition, LatestInfo } from './definition-json.ts'
export type { DeviceModel, FeatureModel } from './model-json.ts'
export type { DownloadLink, PublishedRelease } from './release-json.ts'

export interface Ask {
  /** Default `interactive`: someone waits for it. */
  readonly lane?: Lane
  /** True: ask the service even when the copy is fresh. */
  readonly refresh?: boolean
  readonly signal?: AbortSignal | null
}

/**
 * Interface A: one function per document the program lives on. Every one rejects with Failed: `not-found` when the document is
 * not published, `unreadable-answer` when it is something else altogether, or what kept the service from answering.
 */
export interface Metadata {
  catalogue(ask?: Ask): Promise<Reading<Catalogue>>
  /** As received, unordered (observed, 2.2). */
  schemaVersions(ask?: Ask): Promise<Reading<readonly string[]>>
  latestInfo(schemaVersion: string, ask?: Ask): Promise<Reading<LatestInfo>>
  /** As received, unordered (A4). */
  firmwareReleases(product: ProductId, ask?: Ask): Promise<Reading<readonly PublishedRelease[]>>
  downloadLink(query: FirmwareLinkQuery, ask?: Ask): Promise<Reading<DownloadLink>>
  featureModel(query: DefinitionQuery, ask?: Ask): Promise<Reading<FeatureModel>>
  /** The device model of the organization's family. */
  deviceModel(query: DefinitionQuery, definitionVersion: string, ask?: Ask): Promise<Reading<DeviceModel>>
  gnpProperties(query: DefinitionQuery, schemaVersion: string, ask?: Ask): Promise<Reading<GnpDefinition>>
  /** The newest definition of a schema version, without the product; the smaller document. */
  gnpPropertiesTrimmed(schemaVersion: string, ask?: Ask): Promise<Reading<GnpDefinition>>
  /** As received: its shape is not published. */
  productContent(ask?: Ask): Promise<Reading<Json>>
}

export interface MetadataParts {
  readonly client: ServiceClient
  readonly cache: DocumentCache
  /** The organization's metadata base address, without a trailing slash: the client's own. Copies are kept by it. */
  readonly baseUrl: string
  readonly apiVersion: number
  /** The `sdk` path segment, not percent-encoded. */
  readonly family: string
}

export function openMetadata(parts: MetadataParts): Metadata {
  async function document<T>(
    operation: OperationName,
    parameters: Record<string, ParameterValue>,
    what: string,
    ask: Ask | undefined,
    read: (json: Json) => T | null,
  ): Promise<Reading<T>> {
    const { client, cache, baseUrl, apiVersion } = parts
    const path = pathOf(operationNamed(operation), { ...parameters, apiVersion })
    const { lane = 'interactive', refresh = false, signal = null } = ask ?? {}
    return await cache.read({ client, baseUrl, operation, path, what, lane, refresh, signal, read })
  }

  const named = ({ vendorId, productId }: ProductId): string => `${vendorId}/${productId}`
  const variantOf = ({ vendorId, productId, variantType, firmwareVersion }: DefinitionQuery) => ({ vendorId, productId, variantType, firmwareVersion })
  const variantName = (query: DefinitionQuery): string => `${named(query)} ${query.variantType} firmware ${query.firmwareVersion}`

  return {
    catalogue: (ask) => document('GetProductGroupBundles', {}, 'the device catalogue', ask, catalogueOf),
    schemaVersions: (ask) => document('GetGnpSchemaVersions', {}, 'the list of schema versions', ask, schemaVersionsOf),
    latestInfo: (schemaVersion, ask) =>
      document('GetGnpDefinitionVersionLatest', { schemaVersion }, `the latest definition version of schema ${schemaVersion}`, ask, latestInfoOf),
    firmwareReleases: ({ vendorId, productId }, ask) =>
      document('GetFirmwareReleasesByProductId', { vendorId, productId }, `firmware releases of ${named({ vendorId, productId })}`, ask, releasesOf),
    downloadLink: ({ vendorId, productId, version, buildType }, ask) =>
      document(
        'GetFirmwareDownloadLinkByProduct',
        { vendorId, productId, firmwareVersion: version, buildType },
        `a ${buildType} download link of ${named({ vendorId, productId })} ${version}`,
        ask,
        downloadLinkOf,
      ),
    featureModel: (query, ask) =>
      document('GetFeatureModelByProductVariant', variantOf(query), `the feature model of ${variantName(query)}`, ask, featureModelOf),
    deviceModel: (query, definitionVersion, ask) =>
      document(
        'GetDeviceModelByDefinition',
        { ...variantOf(query), sdk: parts.family, definitionVersion },
        `the device model of ${variantName(query)} by definition ${definitionVersion}`,
        ask,
        (json) => {
          const model = deviceModelOf(json)
          return model !== null && modelIsFor(model, query) ? model : null
        },
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
      document('GetGnpPropertiesBySchemaTrimmed', { schemaVersion }, `the property definitions of schema ${schemaVersion}`, ask, gnpDefinitionOf),
    productContent: (ask) => document('GetProductContent', {}, 'product content', ask, (json) => (typeof json === 'object' ? json : null)),
  }
}

/** "Not published" as null; every other failure stays one. */
export async function publishedOrNull<T>(reading: Promise<Reading<T>>): Promise<Reading<T> | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'not-found') return null
    throw error
  }
}
