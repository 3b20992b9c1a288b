import type { ProductVariant } from '../../contract/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { firstOf, idOf, listOf, memberOf, objectOf, objectsIn, textOf, textsIn } from './json-reading.ts'
import { releaseOf, type PublishedRelease } from './release-json.ts'

/** A product of the device catalogue (observed, 2.13). One product has several product ids, one product id several products (A7). */
export interface CatalogueProduct {
  readonly name: string
  readonly groupName: string | null
  /** As received, unknown words too (A5). */
  readonly deviceType: string | null
  readonly supportedProtocols: readonly string[]
  readonly variants: readonly ProductVariant[]
  readonly releases: readonly PublishedRelease[]
  readonly raw: JsonObject
}

export interface Catalogue {
  readonly products: readonly CatalogueProduct[]
  /** Records that are no product or have no usable product id. */
  readonly unreadable: number
}

/** null: not a catalogue at all. */
export function catalogueOf(json: Json): Catalogue | null {
  const root = Array.isArray(json) ? { products: json } : objectOf(json)
  if (root === null) return null
  const lists = [
    memberOf(root, 'unbundledProducts'),
    memberOf(root, 'products'),
    ...objectsIn(memberOf(root, 'bundles')).map((bundle) => memberOf(bundle, 'products')),
  ]
  if (lists.every((list) => list === undefined) && !Array.isArray(memberOf(root, 'bundles'))) return null
  const records = lists.flatMap((list) => listOf(list))
  const products = records.flatMap((record) => productOf(record) ?? [])
  return { products, unreadable: records.length - products.length }
}

function productOf(json: Json): CatalogueProduct | null {
  const record = objectOf(json)
  if (record === null) return null
  const variants = objectsIn(memberOf(record, 'variants')).flatMap((variant) => variantOf(variant) ?? [])
  const [first] = variants
  if (first === undefined) return null
  const groupName = firstOf(record, ['productGroupName', 'groupName'], textOf)
  return {
    name: firstOf(record, ['productName', 'name'], textOf) ?? groupName ?? first.name ?? `${first.vendorId}/${first.productId}`,
    groupName,
    deviceType: firstOf(record, ['deviceType'], textOf),
    supportedProtocols: textsIn(memberOf(record, 'supportedProtocols')),
    variants,
    releases: listOf(memberOf(record, 'firmwareReleases', 'releases')).flatMap((release) => releaseOf(release) ?? []),
    raw: record,
  }
}

/** Partner products have an empty variant type (A6). */
function variantOf(record: JsonObject): ProductVariant | null {
  const vendorId = idOf(memberOf(record, 'vendorId'))
  const productId = idOf(memberOf(record, 'productId'))
  if (vendorId === null || productId === null) return null
  return { vendorId, productId, variantType: textOf(memberOf(record, 'variantType')) ?? '', name: firstOf(record, ['name', 'variantName'], textOf) }
}
