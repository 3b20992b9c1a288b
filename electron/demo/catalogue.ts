import checksums from './data/checksums.json' with { type: 'json' }
import published from './data/firmware-catalog.json' with { type: 'json' }
import recovery from './data/recovery-ids.json' with { type: 'json' }
import { fileNameOf, olderVersions, releaseDate } from './firmware-files.ts'
import type { Kind } from './product-lines.ts'
import { bundledProducts } from './firmware-bundles.ts'
import { knownVariants, lineOf, partnerProducts, productsWithoutFirmware } from './product-lines.ts'
import { guidOf, mix, numberOf, roll } from './random.ts'

/** USB vendor id of every Jabra product (services.md#A40). */
export const jabraVendor = 2830

export interface Release {
  readonly version: string
  readonly releasedAt: number
  readonly stage: 'Public' | 'Beta'
  readonly revoked: boolean
  readonly fileName: string
  /** Bytes. */
  readonly fileSize: number
  /** Base64 of the 16 MD5 bytes (services.md#A1); null: not published. */
  readonly md5: string | null
}

export interface Variant {
  readonly vendorId: number
  readonly productId: number
  readonly variantType: string
  readonly name: string
  readonly entityId: string
}

export interface Product {
  readonly name: string
  readonly groupName: string
  readonly kind: Kind
  readonly deviceType: string | null
  readonly protocol: number | null
  readonly entityId: string
  readonly variants: readonly Variant[]
  /** Newest first. Empty: it has no public firmware of its own. */
  readonly releases: readonly Release[]
  /** Newest first: the firmware in bundles, for a product that publishes none itself. */
  readonly bundledReleases: readonly Release[]
  /** Versions that devices run, newest first, without revoked ones. */
  readonly versions: readonly string[]
  readonly dfuProductId: number | null
}

interface Listed {
  readonly productId: number
  readonly name: string
  readonly version: string
  readonly file: string
  readonly bytes: number
  readonly protocol: number
}

/** Further product ids of one product outside the recovery families (services.md#A7). */
const siblings: Readonly<Record<number, readonly number[]>> = { 9415: [9416], 9417: [9418], 12297: [12306] }

/** Known product and version; file name and size are made up. */
const evolve285: Listed = {
  productId: 9403,
  name: 'Jabra Evolve2 85',
  version: '1.5.7',
  file: 'Jabra_Evolve2_85-v1.5.7-vector.zip',
  bytes: 14_206_318,
  protocol: 7,
}

const md5Of: ReadonlyMap<string, string> = new Map(Object.entries(checksums))

/** These publish a newer release that was revoked: it must not become the latest. */
const revokedNewest: Readonly<Record<number, string>> = { 9495: '1.6.3', 12297: '9.4.0', 3648: '2.12.0' }

const releasesOf = (listed: Listed): Release[] => {
  const older = olderVersions(listed.version, listed.productId)
  const revokedVersion = revokedNewest[listed.productId]
  const versions = [...(revokedVersion === undefined ? [] : [revokedVersion]), listed.version, ...older]
  const revokedAt = roll(listed.productId, 5) < 0.4 ? 1 + (mix(listed.productId, 6) % older.length) : -1
  return versions.map((version, at) => {
    const fileName = fileNameOf(listed.file, listed.version, version)
    const age = older.indexOf(version) + 1
    const fileSize =
      age === 0
        ? listed.bytes
        : Math.max(4096, Math.round(listed.bytes * (1 - 0.013 * age - 0.01 * roll(listed.productId, age, 7))))
    return {
      version,
      releasedAt: releaseDate(listed.productId, at),
      stage: age > 0 && age === older.length && roll(listed.productId, 8) < 0.2 ? 'Beta' : 'Public',
      revoked: version === revokedVersion || (age > 0 && age === revokedAt),
      fileName,
      fileSize: version === revokedVersion ? listed.bytes + 2048 : fileSize,
      // The oldest release of some products has no checksum: the member may be missing.
      md5:
        age > 0 && age === older.length && roll(listed.productId, 9) < 0.25
          ? null
          : (md5Of.get(fileName) ?? null),
    }
  })
}

const megabyte = 1_048_576
/** The sizes of files in bundles are not known: large enough that their download can be watched. */
const bundledSizes: Readonly<Partial<Record<Kind, number>>> = {
  bar: 96 * megabyte,
  controller: 64 * megabyte,
  scheduler: 48 * megabyte,
}

const bundledReleasesOf = (productId: number, name: string, versions: readonly string[]): Release[] =>
  versions.map((version, at) => {
    const fileName = `${name.replaceAll(/[^A-Za-z0-9]+/g, '_')}_${version}.zip`
    return {
      version,
      releasedAt: releaseDate(productId, at),
      stage: 'Public',
      revoked: false,
      fileName,
      fileSize: (bundledSizes[lineOf(name).kind] ?? 2 * megabyte) - at * 4096 - (productId % 1000),
      md5: md5Of.get(fileName) ?? null,
    }
  })

const wordings = ['', ' MS', ' UC', ' MS Mono', ' UC Mono', ' UC Stereo']

/** Two hex digits for each byte, joined with a dash; a third byte names a configuration (published form). */
const variantCode = (typeGroup: number, productId: number, configuration: number): string => {
  const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')
  const identifier = 0x20 + (mix(productId, 11) % 0xc0)
  return [hex(typeGroup), hex(identifier), ...(configuration === 0 ? [] : [hex(configuration)])].join('-')
}

const variantsOf = (name: string, productIds: readonly number[]): Variant[] => {
  const line = lineOf(name)
  return productIds.flatMap((productId, at) => {
    const known = knownVariants[productId] ?? variantCode(line.typeGroup, productId, 0)
    const title = `${name}${wordings[at % wordings.length] ?? ''}`
    const one = (variantType: string, variantName: string): Variant => ({
      vendorId: jabraVendor,
      productId,
      variantType,
      name: variantName,
      entityId: guidOf(numberOf(variantType), productId, 12),
    })
    // Some ids are found under a second variant too (services.md#A7).
    const second = roll(productId, 13) < 0.3 ? [one(`${known}-02`, `${title} (Teams)`)] : []
    return [one(known, title), ...second]
  })
}

const groupOf = (name: string): string =>
  name
    .replace(/( (Mono|Stereo|Duo|MS|UC|Teams|Cisco|CN|Bar))+$/, '')
    .replace(/(Link 3\d\d)[ac]$/, '$1')
    .trim()

const fromListed = (listed: Listed): Product => {
  const line = lineOf(listed.name)
  const family = recovery.find((one) => one.productIds.includes(listed.productId))
  const productIds = [
    ...new Set([listed.productId, ...(siblings[listed.productId] ?? []), ...(family?.productIds ?? [])]),
  ]
  const releases = releasesOf(listed)
  return {
    name: listed.name,
    groupName: groupOf(listed.name),
    kind: line.kind,
    deviceType: line.deviceType,
    protocol: listed.productId === 9403 ? null : listed.protocol,
    entityId: guidOf(listed.productId, 14),
    variants: variantsOf(listed.name, productIds),
    releases,
    bundledReleases: [],
    versions: releases.filter((release) => !release.revoked).map((release) => release.version),
    dfuProductId: family?.dfuProductId ?? null,
  }
}

const withoutFirmware: readonly Product[] = productsWithoutFirmware.map(({ productId, name, versions }) => {
  const line = lineOf(name)
  return {
    name,
    groupName: groupOf(name),
    kind: line.kind,
    deviceType: line.deviceType,
    protocol: null,
    entityId: guidOf(productId, 14),
    variants: variantsOf(name, [productId]),
    releases: [],
    bundledReleases: bundledProducts.has(productId) ? bundledReleasesOf(productId, name, versions) : [],
    versions,
    dfuProductId: null,
  }
})

const partners: readonly Product[] = partnerProducts.map(({ vendorId, productId, name }) => ({
  name,
  groupName: '',
  kind: 'partner',
  deviceType: null,
  protocol: null,
  entityId: guidOf(vendorId, productId, 14),
  variants: [{ vendorId, productId, variantType: '', name, entityId: guidOf(vendorId, productId, 12) }],
  releases: [],
  bundledReleases: [],
  versions: [],
  dfuProductId: null,
}))

/** Every product of the demonstration: the published firmware snapshot, known products without public firmware, and partner products. */
export const products: readonly Product[] = [...published, evolve285]
  .map(fromListed)
  .concat(withoutFirmware, partners)

const byId = new Map<string, Product>()
for (const product of products)
  for (const variant of product.variants)
    if (!byId.has(`${variant.vendorId}/${variant.productId}`))
      byId.set(`${variant.vendorId}/${variant.productId}`, product)

export const productOf = (vendorId: number, productId: number): Product | null =>
  byId.get(`${vendorId}/${productId}`) ?? null

/** Variant codes are compared ignoring case (services.md#A24). */
export const variantOf = (
  vendorId: number,
  productId: number,
  variantType: string,
): { readonly product: Product; readonly variant: Variant } | null => {
  const product = productOf(vendorId, productId)
  const wanted = variantType.toUpperCase()
  const variant = product?.variants.find(
    (one) => one.productId === productId && one.variantType.toUpperCase() === wanted,
  )
  return product === null || variant === undefined ? null : { product, variant }
}
