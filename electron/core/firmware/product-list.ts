import { Failed } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { Product, ProductId, ProductVariant } from '../../contract/api/firmware.ts'
import type { JsonObject } from '../../contract/json.ts'
import { byNameOrder } from '../../contract/name-order.ts'
import {
  releasesFor,
  type Catalogue,
  type CatalogueProduct,
  type PublishedRelease,
} from '../metadata/metadata.ts'

/**
 * A product id with all of the catalogue's data about it: several catalogue products may share one id
 * (services.md#A7).
 */
export interface ListedProduct {
  readonly vendorId: number
  readonly productId: number
  /** In the order of the catalogue, each once. */
  readonly names: readonly string[]
  readonly groupName: string | null
  readonly deviceType: string | null
  readonly supportedProtocols: readonly string[]
  readonly variants: readonly ProductVariant[]
  readonly releases: readonly PublishedRelease[]
  /** Its records as received. */
  readonly raws: readonly JsonObject[]
  /** In lower case. */
  readonly entityIds: readonly string[]
  /** The text that free words search, in lower case. */
  readonly searched: string
}

export const productKey = ({ vendorId, productId }: ProductId): string => `${vendorId}/${productId}`

/** Throws Failed `invalid`, field `productId`. */
export function mustBeProductId({ productId }: ProductId): void {
  if (!isProductId(productId))
    throw Failed.invalid(
      'productId',
      `${productId} is not a product ID: ${productId < 0 ? 'it is negative' : 'it does not fit 32 bits'}, so nothing is published for it.`,
    )
}

/** One entry per vendor and product id, by name. */
export function listProducts(catalogue: Catalogue): readonly ListedProduct[] {
  const byId = new Map<
    string,
    { id: ProductId; products: Set<CatalogueProduct>; variants: Map<string, ProductVariant> }
  >()
  for (const product of catalogue.products) {
    for (const variant of product.variants) {
      const key = productKey(variant)
      const entry = byId.get(key) ?? { id: variant, products: new Set(), variants: new Map() }
      byId.set(key, entry)
      entry.products.add(product)
      const name = variant.name ?? product.name
      entry.variants.set(`${variant.variantType.toLowerCase()} ${name}`, { ...variant, name })
    }
  }
  return [...byId.values()]
    .map(({ id, products, variants }) => listed(id, [...products], [...variants.values()]))
    .sort(byName)
}

function listed(
  { vendorId, productId }: ProductId,
  products: readonly CatalogueProduct[],
  variants: readonly ProductVariant[],
): ListedProduct {
  const names = [...new Set(products.map((product) => product.name))]
  const first = <T>(read: (product: CatalogueProduct) => T | null): T | null =>
    products.map(read).find((value) => value !== null) ?? null
  const groupName = first((product) => product.groupName)
  const deviceType = first((product) => product.deviceType)
  return {
    vendorId,
    productId,
    names,
    groupName,
    deviceType,
    supportedProtocols: [...new Set(products.flatMap((product) => product.supportedProtocols))],
    variants,
    // One catalogue product may have several ids: its release may name one of them only.
    releases: releasesFor(
      { releases: products.flatMap((product) => product.releases), unreadable: [] },
      variants,
    ).releases,
    raws: products.map((product) => product.raw),
    entityIds: [...new Set(products.flatMap((product) => entityIdsOf(product, { vendorId, productId })))],
    searched: [
      ...names,
      groupName,
      deviceType,
      ...variants.flatMap((variant) => [variant.variantType, variant.name]),
    ]
      .join('\n')
      .toLowerCase(),
  }
}

/**
 * A product's own entity ids, and those of its variants with this id: another product id means another model.
 */
const entityIdsOf = (product: CatalogueProduct, id: ProductId): readonly string[] => {
  const others = product.variants.flatMap((variant) =>
    productKey(variant) === productKey(id) ? [] : (variant.entityId ?? []),
  )
  return product.entityIds.filter((entityId) => !others.includes(entityId))
}

/** An id missing from the catalogue, so that its releases can still be requested. */
export const unlisted = ({ vendorId, productId }: ProductId): ListedProduct => ({
  vendorId,
  productId,
  names: [productKey({ vendorId, productId })],
  groupName: null,
  deviceType: null,
  supportedProtocols: [],
  variants: [],
  releases: [],
  raws: [],
  entityIds: [],
  searched: '',
})

export const productName = (product: ListedProduct): string =>
  product.names.length <= 3
    ? product.names.join(' / ')
    : `${product.names.slice(0, 2).join(' / ')} and ${product.names.length - 2} more`

export function productOf(
  product: ListedProduct,
  deviceCount: number,
  latestVersion: string | null,
): Product {
  const { vendorId, productId, groupName, deviceType, supportedProtocols, variants } = product
  return {
    vendorId,
    productId,
    name: productName(product),
    groupName,
    deviceType,
    supportedProtocols,
    variants,
    latestVersion,
    deviceCount,
  }
}

const byName = (a: ListedProduct, b: ListedProduct): number =>
  byNameOrder(productName(a), productName(b)) || a.vendorId - b.vendorId || a.productId - b.productId
