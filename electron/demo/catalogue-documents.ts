import type { Product, Release, Variant } from './catalogue.ts'
import { jabraVendor, productOf, products } from './catalogue.ts'
import { bundleGroups } from './firmware-bundles.ts'
import { pictureLink, slugOf } from './product-pictures.ts'
import { mix, numberOf, roll } from './random.ts'
import { releaseNoteTexts } from './release-note-texts.ts'

/** A variant as the catalogue lists it (services.md#A41); `entityId` is inferred. */
export const variantRecord = (variant: Variant): Readonly<Record<string, unknown>> => ({
  vendorId: variant.vendorId,
  productId: variant.productId,
  variantType: variant.variantType,
  name: variant.name,
  entityId: variant.entityId,
})

const supportPage = (product: Product): string =>
  `https://www.jabra.com/supportpages/${slugOf(product.groupName || product.name)}`
const notesPage = (product: Product): string => `${supportPage(product)}/release-notes`

/**
 * Members as the catalogue and the sibling XML service spell them; which of them this document has
 * is not published: assumed.
 */
export const firmwareRecord = (
  release: Release,
  product: Product | null = null,
): Readonly<Record<string, unknown>> => ({
  version: release.version,
  releaseDate: new Date(release.releasedAt).toISOString(),
  stage: release.stage,
  fileName: release.fileName,
  fileSize: release.fileSize,
  ...(release.md5 === null ? {} : { md5Checksum: release.md5 }),
  // Missing means not revoked (services.md#A3).
  ...(release.revoked || numberOf(release.version) % 3 === 0 ? { revoked: release.revoked } : {}),
  ...(product === null ? {} : { releaseNotesUrl: `${notesPage(product)}#${release.version}` }),
})

/** A product of the catalogue (services.md#A41), with the gaps of the real one. */
export const catalogueProduct = (
  product: Product,
): {
  readonly variants: readonly unknown[]
  readonly firmwareReleases?: readonly unknown[]
  readonly [name: string]: unknown
} => {
  const gap = mix(numberOf(product.name), 701)
  return {
    entityId: product.entityId,
    productName: product.name,
    ...(gap % 17 === 0 ? {} : { productGroupName: product.groupName }),
    ...(product.deviceType === null ? {} : { deviceType: product.deviceType }),
    ...(gap % 11 === 0 ? {} : { firmwareDowngradeAllowed: gap % 4 !== 0 }),
    ...(product.kind === 'partner'
      ? {}
      : {
          supportedProtocols:
            product.kind === 'bar' || product.kind === 'controller' || product.kind === 'scheduler'
              ? ['GNP', 'JOSE']
              : ['GNP'],
        }),
    variants: product.variants.map((variant) => ({
      ...variantRecord(variant),
      ...(product.protocol === null ? {} : { fwuProtocolId: product.protocol }),
    })),
    ...(product.releases.length === 0 && gap % 2 === 0
      ? {}
      : {
          firmwareReleases: product.releases.map(({ version, md5, revoked }) => ({
            version,
            ...(md5 === null ? {} : { md5Checksum: md5 }),
            ...(revoked ? { revoked } : {}),
          })),
        }),
  }
}

/** Products of one group (inferred); names and members are assumed. */
const bundleMembers: readonly { readonly name: string; readonly productIds: readonly number[] }[] = [
  { name: 'PanaCast 50 Video Bar System', productIds: [12344, 12364] },
  { name: 'PanaCast 50 Room System', productIds: [12297, 12367] },
  { name: 'PanaCast 40 VBS', productIds: [12417, 12432] },
]

interface Catalogue {
  readonly bundles: readonly { readonly name: string; readonly products: readonly unknown[] }[]
  readonly unbundledProducts: readonly unknown[]
}

export const catalogue = (): Catalogue => {
  const bundled = new Set<Product>()
  const bundles = bundleMembers.map(({ name, productIds }) => ({
    name,
    products: productIds.flatMap((productId) => {
      const product = productOf(jabraVendor, productId)
      if (product === null) return []
      bundled.add(product)
      return [catalogueProduct(product)]
    }),
  }))
  return {
    bundles,
    unbundledProducts: products.filter((product) => !bundled.has(product)).map(catalogueProduct),
  }
}

interface FirmwareBundle {
  readonly firmwareBundleGroupId: string
  readonly name: string
  readonly version: string
  readonly firmwares: readonly {
    readonly vendorId: number
    readonly productId: number
    readonly version?: unknown
  }[]
}

/** Member names are assumed: the record's fields are not published. */
export const firmwareBundles = (): readonly FirmwareBundle[] =>
  bundleGroups.flatMap(({ id, name, productIds, versions }) =>
    versions.map((bundleVersion, back) => ({
      firmwareBundleGroupId: id,
      name,
      version: bundleVersion,
      firmwares: productIds.flatMap((productId) => {
        const product = productOf(jabraVendor, productId)
        const version = product?.versions[back] ?? product?.versions.at(-1)
        const release = [...(product?.releases ?? []), ...(product?.bundledReleases ?? [])].find(
          (one) => one.version === version,
        )
        return release === undefined ? [] : [{ vendorId: jabraVendor, productId, ...firmwareRecord(release) }]
      }),
    })),
  )

/** The values for platforms are not published; clients assume these. */
const platforms: readonly string[] = ['Windows', 'macOS', 'Linux']

export const updaterConfigurations = (
  product: Product,
  platformOs: string,
): readonly Readonly<Record<string, unknown>>[] | null => {
  const platform = platforms.find((one) => one.toLowerCase() === platformOs.toLowerCase())
  if (platform === undefined) return null
  if (product.protocol === null) return []
  return [
    {
      platformOs: platform,
      fwuProtocolId: product.protocol,
      ...(product.dfuProductId === null ? {} : { dfuProductId: product.dfuProductId }),
      vendorId: jabraVendor,
      productIds: [...new Set(product.variants.map((variant) => variant.productId))],
      timeoutInSeconds: product.kind === 'bar' ? 1800 : 600,
      requiresCradle: product.kind === 'earbuds',
    },
  ]
}

/**
 * Products with their own client, or that host an agent. The values for agents are not published; two are
 * assumed.
 */
export const hostVariants = (agentType: string | null): readonly unknown[] | null => {
  if (agentType !== null && !['RoomAgent', 'DesktopAgent'].includes(agentType)) return null
  const kinds: readonly string[] =
    agentType === 'DesktopAgent' ? ['adapter'] : ['bar', 'controller', 'scheduler']
  return products
    .filter((product) => kinds.includes(product.kind))
    .flatMap((product) =>
      product.variants.map(({ vendorId, productId, variantType }) => ({ vendorId, productId, variantType })),
    )
}

/**
 * Images, support pages and release notes by product. The shape is not published: assumed, with two ways to
 * write links and a few gaps.
 */
export const productContent = (origin: string): Readonly<Record<string, unknown>> => ({
  products: products
    .filter((product) => product.kind !== 'partner' && roll(numberOf(product.name), 702) > 0.04)
    .map((product) => {
      const productIds = [...new Set(product.variants.map((variant) => variant.productId))]
      const listed = roll(numberOf(product.name), 703) < 0.25
      const releaseNotes = releaseNoteTexts(product)
      return {
        name: product.name,
        productGroupName: product.groupName,
        vendorId: jabraVendor,
        productIds,
        images:
          roll(numberOf(product.name), 704) < 0.06
            ? []
            : [
                { key: 'Image1280', value: pictureLink(origin, product, '1280') },
                { key: 'Thumbnail', value: pictureLink(origin, product, 'thumbnail') },
              ],
        ...(releaseNotes.length === 0 ? {} : { releaseNotes }),
        ...(listed
          ? {
              links: [
                { label: 'Support', url: supportPage(product) },
                ...(product.releases.length === 0
                  ? []
                  : [{ label: 'Release notes', url: notesPage(product) }]),
              ],
            }
          : {
              supportPageUrl: supportPage(product),
              ...(product.releases.length === 0 ? {} : { releaseNotesUrl: notesPage(product) }),
            }),
      }
    }),
})
