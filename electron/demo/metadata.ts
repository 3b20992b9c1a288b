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
  definitionsBySchema,
  schemaOf,
  schemaOfDefinition,
  schemas,
  stageOf,
  trimmed,
  type Schema,
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
    GetGnpPropertyMapBySchemaVersion: ofSchema((schema) => {
      const named = Object.entries(definitionsBySchema(schema)).flatMap(([name, { autogenName }]) =>
        autogenName === undefined ? [] : [[name, autogenName] as const],
      )
      return { mapping: Object.fromEntries(named) }
    }),
    GetGnpPropertiesForProductVariant: ofFirmware(({ product, version }, parameters) =>
      ofSchema((schema) => gnpDefinition(schema, definitionsIn(product, version, schema)))(parameters),
    ),
    GetGnpPropertiesBySchema: ofSchema((schema) => gnpDefinition(schema, definitionsBySchema(schema))),
    GetGnpPropertiesBySchemaTrimmed: ofSchema((schema) =>
      gnpDefinition(schema, trimmed(definitionsBySchema(schema))),
    ),
    GetGnpDefinitionVersionLatest: ofSchema(({ version, latest }) => ({
      schemaVersion: version,
      definitionVersion: latest,
    })),
    GetJoseDefinitionV1ByFirmwareVersion: ofProduct((product, { firmwareVersion = '' }) =>
      runs(product, firmwareVersion) ? joseDefinition(product, firmwareVersion) : null,
    ),
    GetJoseDefinitionV2ByFirmwareVersion: ofFirmware(({ product, version }) =>
      joseDefinitionV2(product, version),
    ),
    GetDeviceSettingsNameMap: () => nameMap(products),
    GetLatestDeviceModelBySchema: ofSchema((schema, parameters) => model(parameters, schema)),
    GetDeviceModelByDefinition: (parameters) =>
      model(parameters, schemaOfDefinition(parameters['definitionVersion'] ?? '')),
    GetProductVariants: ofEntity(({ product }) => product.variants.map(variantRecord)),
    GetFeatureModelByProductVariant: ofFirmware(({ product, version }) => features(product, version)),
    GetFeatureModelByEntityId: ofEntity(({ product }, { firmwareVersion = '' }) =>
      runs(product, firmwareVersion) ? features(product, firmwareVersion) : null,
    ),
    GetProductInformation: ofVariant(({ product, variant }) => {
      const { firmwareReleases: _, variants: __, ...information } = catalogueProduct(product)
      return { ...information, variant: variantRecord(variant) }
    }),
    GetVariantIdentifiersForHostProducts: () => hostVariants(null),
    GetVariantIdentifiersForProductsWithAgent: ({ agentType = '' }) => hostVariants(agentType),
    GetIgnoredGnpProducts: () => ({
      products: [
        { vendorId: jabraVendor, productId: 2423 },
        { vendorId: jabraVendor, productId: 9999 },
      ],
    }),
    GetProductGroupBundleProductByVariant: ofVariant(({ product }) => catalogueProduct(product)),
    GetProductGroupBundleProductByVariantEntityId: ofEntity(({ product, variant }) =>
      variant === null ? null : catalogueProduct(product),
    ),
    GetProductGroupBundleProductByEntityId: ofEntity(({ product, variant }) =>
      variant === null ? catalogueProduct(product) : null,
    ),
    GetProductGroupBundles: () => catalogue(),
    GetProductGroupBundleByName: ({ productGroupBundleName = '' }) => {
      const bundles = catalogue().bundles.filter((bundle) => bundle.name === productGroupBundleName)
      return bundles.length === 0 ? null : { bundles, unbundledProducts: [] }
    },
    GetFirmwareUpdaterConfigurations: ofVariant(({ product }, { platformOs = '' }) =>
      updaterConfigurations(product, platformOs),
    ),
    GetDfuProductIds: () => [
      {
        vendorId: jabraVendor,
        dfuProductIds: [...new Set(products.flatMap((product) => product.dfuProductId ?? []))].sort(
          (one, other) => one - other,
        ),
      },
    ],
    GetLatestFirmwareFromDfuPid: ofRecovery(({ releases }) => {
      const latest = releases.find((release) => !release.revoked)
      return latest === undefined ? null : firmwareRecord(latest)
    }),
    GetFirmwareUpdaterConfigurationsByDfuPid: ofRecovery((product) =>
      ['Windows', 'macOS'].flatMap((platform) => updaterConfigurations(product, platform) ?? []),
    ),
    GetFirmwareReleasesByProductId: ofProduct((product) =>
      product.releases.length === 0
        ? null
        : // The order is undefined (services.md#A4): a fixed one that is not by version.
          product.releases
            .map((release) => ({ order: release.md5 ?? release.version, release }))
            .sort((one, other) => (one.order < other.order ? -1 : 1))
            .map(({ release }) => firmwareRecord(release, product)),
    ),
    GetFirmwareDownloadLinkByProduct: ofProduct((product, { firmwareVersion = '', buildType = '' }) =>
      this.#link(product, product.releases, firmwareVersion, buildType),
    ),
    GetFirmwareBundles: () => firmwareBundles(),
    GetFirmwareBundlesByGroupIdAndBundleVersion: (parameters) => {
      const found = bundlesNamed(parameters)
      return found.length === 0 ? null : found
    },
    GetFirmwareDownloadLinkByFirmwareBundleByBuildType: ofProduct((product, parameters) => {
      const member = bundlesNamed(parameters)[0]?.firmwares.find(
        (one) =>
          one.vendorId === int32(parameters['vendorId']) && one.productId === int32(parameters['productId']),
      )
      const releases = [...product.releases, ...product.bundledReleases]
      return member && this.#link(product, releases, String(member.version), parameters['buildType'] ?? '')
    }),
    GetOpenApi: ({ apiVersion = '' }) => openApi(apiVersion),
    GetProductContent: () => productContent(this.#origin()),
  }

  /**
   * Shape and build types are not published: assumed. `Release` is valid for every release, `Beta` for the
   * newest of the camera products.
   */
  #link(product: Product, releases: readonly Release[], version: string, buildType: string): Document {
    const release = releases.find((one) => one.version === version)
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

interface Found {
  readonly product: Product
  readonly variant: Variant
}
type Read<T> = (found: T, parameters: PathParameters) => Document

const variantIn = ({ vendorId, productId, variantType = '' }: PathParameters): Found | null =>
  variantOf(int32(vendorId), int32(productId), variantType)

/**
 * A revoked or special build has no documents (services.md#A18: the firmware that a device reports may have
 * no feature model).
 */
const firmwareIn = (parameters: PathParameters): (Found & { readonly version: string }) | null => {
  const { firmwareVersion: version = '' } = parameters
  const found = variantIn(parameters)
  return found === null || !runs(found.product, version) ? null : { ...found, version }
}

/** A document about what its parameters name; not published if they name nothing. */
const of =
  <T>(find: (parameters: PathParameters) => T | null) =>
  (read: Read<T>) =>
  (parameters: PathParameters): Document => {
    const found = find(parameters)
    return found === null ? null : read(found, parameters)
  }
const ofSchema = of(({ schemaVersion = '' }) => schemaOf(schemaVersion))
const ofProduct = of(({ vendorId, productId }) => productOf(int32(vendorId), int32(productId)))
const ofVariant = of(variantIn)
const ofFirmware = of(firmwareIn)
const ofEntity = of(({ entityId = '' }) => byEntity(entityId))

/** Its outer record, with these properties. */
const gnpDefinition = ({ version, latest }: Schema, properties: Document): Document => ({
  definitionVersion: latest,
  schemaVersion: version,
  stage: stageOf(latest),
  properties,
})

const features = (product: Product, version: string): Document =>
  hasFeatureModel(product, version)
    ? (unseenFeatures(product, version) ?? featureModel(product, version))
    : null

/** An older schema version yields a model without newer properties (services.md#A36). */
const model = (parameters: PathParameters, schema: Schema | null): Document =>
  ofFirmware(({ product, variant, version }, { sdk = '' }) =>
    schema !== null && hasDeviceModel(product, version) && families.includes(sdk)
      ? deviceModel(product, variant, sdk, version, definitionsIn(product, version, schema))
      : null,
  )(parameters)

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

const ofRecovery = of(({ vendorId, dfuProductId }) =>
  int32(vendorId) === jabraVendor
    ? (products.find((product) => product.dfuProductId === int32(dfuProductId)) ?? null)
    : null,
)

const bundlesNamed = ({ firmwareBundleGroupId, firmwareBundleVersion }: PathParameters) =>
  firmwareBundles().filter(
    (bundle) =>
      bundle.firmwareBundleGroupId === firmwareBundleGroupId && bundle.version === firmwareBundleVersion,
  )
