import { createHash } from 'node:crypto'
import type { MetadataOperationName } from '../contract/operations.ts'
import type { Answer } from './answer.ts'
import { gatewayError, json } from './answer.ts'
import type { Product, Release, Variant } from './catalogue.ts'
import { jabraVendor, productOf, products, variantOf } from './catalogue.ts'
import {
  catalogue,
  catalogueProduct,
  firmwareBundles,
  firmwareRecord,
  hostVariants,
  productContent,
  updaterConfigurations,
  variantRecord,
} from './catalogue-documents.ts'
import {
  allDefinitions,
  definitionVersions,
  definitionsBySchema,
  schemaOf,
  schemas,
  stageOf,
  trimmed,
} from './definitions.ts'
import { definitionsIn, hasDeviceModel, hasFeatureModel, unseenFeatures } from './firmware-settings.ts'
import {
  deviceModel,
  featureModel,
  joseDefinition,
  joseDefinitionV2,
  nameMap,
  telemetry,
} from './model-documents.ts'
import { openApi } from './open-api.ts'

type PathParameters = Readonly<Record<string, string>>

/**
 * The supported versions: the newest and the previous one, which is supported for six more months
 * (services.md#A36).
 */
const versions: readonly string[] = ['17', '18']
/** The family's name as published, and the name that observed clients send (services.md#A35). */
const families: readonly string[] = ['Brand SDK V4', 'Jabra SDK V4']

const int32 = (text: string | undefined): number =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : -1

/** null: not published. */
type Document = unknown

/**
 * The metadata interface: documents generated from the catalogue and the published definitions. `origin` is
 * the address of firmware files.
 */
export class Metadata {
  readonly #linkOf: (fileName: string, version: string) => string
  readonly #origin: () => string
  readonly #cached = new Map<string, Answer>()

  constructor(linkOf: (fileName: string, version: string) => string, origin: () => string) {
    this.#linkOf = linkOf
    this.#origin = origin
  }

  answer(operation: string, parameters: PathParameters): Answer {
    if (!versions.includes(parameters['apiVersion'] ?? '')) return notPublished()
    const id = `${operation} ${JSON.stringify(parameters)}`
    const cached = this.#cached.get(id)
    if (cached !== undefined) return cached
    const read = (
      this.#documents as Readonly<Record<string, ((parameters: PathParameters) => Document) | undefined>>
    )[operation]
    const document = read?.(parameters) ?? null
    if (document === null) return notPublished()
    const text = JSON.stringify(document)
    const etag = `"${createHash('sha1').update(text).digest('base64url')}"`
    const answer = json(null, 200, { etag, 'cache-control': 'public, max-age=300' })
    const whole = { ...answer, body: text }
    // Only documents for all products are stored, because they are large. Documents of one product are cheap
    // to generate again.
    if (Object.keys(parameters).length <= 2 && this.#cached.size < 64) this.#cached.set(id, whole)
    return whole
  }

  readonly #documents: Readonly<Record<MetadataOperationName, (parameters: PathParameters) => Document>> = {
    GetTelemetry: () => telemetry(),
    GetGnpSchemaVersions: () => schemas.map(({ version }) => ({ version })),
    GetGnpPropertyMapBySchemaVersion: ({ schemaVersion = '' }) => {
      const schema = schemaOf(schemaVersion)
      if (schema === null) return null
      const named = Object.entries(definitionsBySchema(schema)).flatMap(([name, { autogenName }]) =>
        autogenName === undefined ? [] : [[name, autogenName] as const],
      )
      return { mapping: Object.fromEntries(named) }
    },
    GetGnpPropertiesForProductVariant: (parameters) => {
      const found = firmwareOf(parameters)
      const schema = schemaOf(parameters['schemaVersion'] ?? '')
      if (found === null || schema === null) return null
      return {
        definitionVersion: schema.latest,
        schemaVersion: schema.version,
        stage: stageOf(schema.latest),
        properties: definitionsIn(found.product, parameters['firmwareVersion'] ?? '', schema),
      }
    },
    GetGnpPropertiesBySchema: ({ schemaVersion = '' }) => {
      const schema = schemaOf(schemaVersion)
      return schema === null
        ? null
        : {
            definitionVersion: schema.latest,
            schemaVersion,
            stage: stageOf(schema.latest),
            properties: definitionsBySchema(schema),
          }
    },
    GetGnpPropertiesBySchemaTrimmed: ({ schemaVersion = '' }) => {
      const schema = schemaOf(schemaVersion)
      return schema === null
        ? null
        : {
            definitionVersion: schema.latest,
            schemaVersion,
            stage: stageOf(schema.latest),
            properties: trimmed(definitionsBySchema(schema)),
          }
    },
    GetGnpDefinitionVersionLatest: ({ schemaVersion = '' }) => {
      const schema = schemaOf(schemaVersion)
      return schema === null ? null : { schemaVersion, definitionVersion: schema.latest }
    },
    GetJoseDefinitionV1ByFirmwareVersion: ({ vendorId, productId, firmwareVersion = '' }) => {
      const product = productOf(int32(vendorId), int32(productId))
      return product === null || !runs(product, firmwareVersion)
        ? null
        : joseDefinition(product, firmwareVersion)
    },
    GetJoseDefinitionV2ByFirmwareVersion: (parameters) => {
      const found = firmwareOf(parameters)
      return found === null ? null : joseDefinitionV2(found.product, parameters['firmwareVersion'] ?? '')
    },
    GetDeviceSettingsNameMap: () => nameMap(products),
    GetLatestDeviceModelBySchema: (parameters) => {
      const schema = schemaOf(parameters['schemaVersion'] ?? '')
      return schema === null ? null : model(parameters, schema.latest)
    },
    GetDeviceModelByDefinition: (parameters) => model(parameters, parameters['definitionVersion'] ?? ''),
    GetProductVariants: ({ entityId = '' }) =>
      byEntity(entityId)?.product.variants.map(variantRecord) ?? null,
    GetFeatureModelByProductVariant: (parameters) => {
      const found = firmwareOf(parameters)
      return found === null ? null : features(found.product, parameters['firmwareVersion'] ?? '')
    },
    GetFeatureModelByEntityId: ({ entityId = '', firmwareVersion = '' }) => {
      const found = byEntity(entityId)
      return found === null || !runs(found.product, firmwareVersion)
        ? null
        : features(found.product, firmwareVersion)
    },
    GetProductInformation: (parameters) => {
      const found = variantIn(parameters)
      if (found === null) return null
      const { firmwareReleases: _, variants: __, ...information } = catalogueProduct(found.product)
      return { ...information, variant: variantRecord(found.variant) }
    },
    GetVariantIdentifiersForHostProducts: () => hostVariants(null),
    GetVariantIdentifiersForProductsWithAgent: ({ agentType = '' }) => hostVariants(agentType),
    GetIgnoredGnpProducts: () => ({
      products: [
        { vendorId: jabraVendor, productId: 2423 },
        { vendorId: jabraVendor, productId: 9999 },
      ],
    }),
    GetProductGroupBundleProductByVariant: (parameters) => {
      const found = variantIn(parameters)
      return found === null ? null : catalogueProduct(found.product)
    },
    GetProductGroupBundleProductByVariantEntityId: ({ entityId = '' }) => {
      const found = byEntity(entityId)
      return found === null || found.variant === null ? null : catalogueProduct(found.product)
    },
    GetProductGroupBundleProductByEntityId: ({ entityId = '' }) => {
      const found = byEntity(entityId)
      return found === null ? null : catalogueProduct(found.product)
    },
    GetProductGroupBundles: () => catalogue(),
    GetProductGroupBundleByName: ({ productGroupBundleName = '' }) => {
      const bundles = catalogue().bundles.filter((bundle) => bundle.name === productGroupBundleName)
      return bundles.length === 0 ? null : { bundles, unbundledProducts: [] }
    },
    GetFirmwareUpdaterConfigurations: (parameters) => {
      const found = variantIn(parameters)
      return found === null ? null : updaterConfigurations(found.product, parameters['platformOs'] ?? '')
    },
    GetDfuProductIds: () => [
      {
        vendorId: jabraVendor,
        dfuProductIds: [...new Set(products.flatMap((product) => product.dfuProductId ?? []))].sort(
          (one, other) => one - other,
        ),
      },
    ],
    GetLatestFirmwareFromDfuPid: (parameters) => {
      const product = recovering(parameters)
      const latest = product?.releases.find((release) => !release.revoked)
      return latest === undefined ? null : firmwareRecord(latest)
    },
    GetFirmwareUpdaterConfigurationsByDfuPid: (parameters) => {
      const product = recovering(parameters)
      return product === null
        ? null
        : ['Windows', 'macOS'].flatMap((platform) => updaterConfigurations(product, platform) ?? [])
    },
    GetFirmwareReleasesByProductId: ({ vendorId, productId }) => {
      const product = productOf(int32(vendorId), int32(productId))
      if (product === null || product.releases.length === 0) return null
      // The order is undefined (services.md#A4): a fixed one that is not by version.
      return product.releases
        .map((release) => ({ order: release.md5 ?? release.version, release }))
        .sort((one, other) => (one.order < other.order ? -1 : 1))
        .map(({ release }) => firmwareRecord(release, product))
    },
    GetFirmwareDownloadLinkByProduct: ({ vendorId, productId, firmwareVersion = '', buildType = '' }) =>
      this.#link(
        productOf(int32(vendorId), int32(productId)),
        (product) => product.releases,
        firmwareVersion,
        buildType,
      ),
    GetFirmwareBundles: () => firmwareBundles(),
    GetFirmwareBundlesByGroupIdAndBundleVersion: ({ firmwareBundleGroupId, firmwareBundleVersion }) => {
      const found = firmwareBundles().filter(
        (bundle) =>
          bundle.firmwareBundleGroupId === firmwareBundleGroupId && bundle.version === firmwareBundleVersion,
      )
      return found.length === 0 ? null : found
    },
    GetFirmwareDownloadLinkByFirmwareBundleByBuildType: ({
      vendorId,
      productId,
      firmwareBundleGroupId,
      firmwareBundleVersion,
      buildType = '',
    }) => {
      const bundle = firmwareBundles().find(
        (one) => one.firmwareBundleGroupId === firmwareBundleGroupId && one.version === firmwareBundleVersion,
      )
      const member = bundle?.firmwares.find(
        (one) => one.vendorId === int32(vendorId) && one.productId === int32(productId),
      )
      return member === undefined
        ? null
        : this.#link(
            productOf(member.vendorId, member.productId),
            (product) => [...product.releases, ...product.bundledReleases],
            String(member.version),
            buildType,
          )
    },
    GetOpenApi: ({ apiVersion = '' }) => openApi(apiVersion),
    GetProductContent: () => productContent(this.#origin()),
  }

  /**
   * Shape and build types are not published: assumed. `Release` is valid for every release, `Beta` for the
   * newest of the camera products.
   */
  #link(
    product: Product | null,
    releasesOf: (product: Product) => readonly Release[],
    version: string,
    buildType: string,
  ): Document {
    if (product === null) return null
    const release = releasesOf(product).find((one) => one.version === version)
    if (release === undefined) return null
    if (
      buildType !== 'Release' &&
      !(buildType === 'Beta' && product.kind === 'video' && release === product.releases[0])
    )
      return null
    return {
      downloadUrl: this.#linkOf(release.fileName, release.version),
      fileName: release.fileName,
      fileSize: release.fileSize,
      ...(release.md5 === null ? {} : { md5Checksum: release.md5 }),
      version: release.version,
      buildType,
    }
  }
}

/** Error bodies of the metadata interface are not published: a small one is assumed. */
const notPublished = (): Answer => gatewayError(404, 'The requested document does not exist.')

const runs = (product: Product, version: string): boolean => product.versions.includes(version)

const variantIn = (
  parameters: PathParameters,
): { readonly product: Product; readonly variant: Variant } | null =>
  variantOf(int32(parameters['vendorId']), int32(parameters['productId']), parameters['variantType'] ?? '')

/**
 * A revoked or special build has no documents (services.md#A18: the firmware that a device reports may have
 * no feature model).
 */
const firmwareOf = (
  parameters: PathParameters,
): { readonly product: Product; readonly variant: Variant } | null => {
  const found = variantIn(parameters)
  return found === null || !runs(found.product, parameters['firmwareVersion'] ?? '') ? null : found
}

const features = (product: Product, version: string): Document =>
  hasFeatureModel(product, version)
    ? (unseenFeatures(product, version) ?? featureModel(product, version))
    : null

const model = (parameters: PathParameters, definitionVersion: string): Document => {
  const found = firmwareOf(parameters)
  const sdk = parameters['sdk'] ?? ''
  if (found === null || !hasDeviceModel(found.product, parameters['firmwareVersion'] ?? '')) return null
  if (!families.includes(sdk) || !definitionVersions.includes(definitionVersion)) return null
  return deviceModel(found.product, found.variant, sdk, parameters['firmwareVersion'] ?? '', allDefinitions())
}

const byEntity = (
  entityId: string,
): { readonly product: Product; readonly variant: Variant | null } | null => {
  const wanted = entityId.toLowerCase()
  for (const product of products) {
    if (product.entityId === wanted) return { product, variant: null }
    const variant = product.variants.find((one) => one.entityId === wanted)
    if (variant !== undefined) return { product, variant }
  }
  return null
}

const recovering = (parameters: PathParameters): Product | null => {
  const dfuProductId = int32(parameters['dfuProductId'])
  return int32(parameters['vendorId']) === jabraVendor
    ? (products.find((product) => product.dfuProductId === dfuProductId) ?? null)
    : null
}
