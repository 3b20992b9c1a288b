import type { ProductId, ProductVariant } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import {
  documentList,
  documentRecord,
  entriesOf,
  firstOf,
  idOf,
  listOf,
  memberOf,
  objectOf,
  objectsIn,
  recordEntriesOf,
  saysError,
  jsonText,
  textsIn,
  type Entry,
} from './json-reading.ts'
import { releasesFor, releasesIn, type PublishedRelease } from './release-json.ts'

/**
 * A product of the device catalogue (services.md#A41). One product has several product ids, one product id
 * several products (services.md#A7).
 */
export interface CatalogueProduct {
  readonly name: string
  readonly groupName: string | null
  /** As received, including unknown values (services.md#A5). */
  readonly deviceType: string | null
  readonly supportedProtocols: readonly string[]
  readonly variants: readonly ProductVariant[]
  /** Of the product and of its variants, in lower case (inferred, 2.10). */
  readonly entityIds: readonly string[]
  readonly releases: readonly PublishedRelease[]
  readonly raw: JsonObject
}

export interface Catalogue {
  readonly products: readonly CatalogueProduct[]
  /** Product-group bundles that have a name, with the ids of their products. */
  readonly bundles: readonly {
    readonly name: string
    readonly products: readonly ProductId[]
    readonly raw: Json
  }[]
  /**
   * Records of products, variants and releases that cannot be parsed, as received: they are shown and
   * counted.
   */
  readonly unreadable: readonly Json[]
}

/** The products of a catalogue, bundled or not. null: not a catalogue at all. */
export function catalogueOf(json: Json): Catalogue | null {
  const root: JsonObject | null = Array.isArray(json) ? { products: json as readonly Json[] } : objectOf(json)
  if (root === null || saysError(root)) return null
  const bundles = recordEntriesOf(memberOf(root, 'bundles'), 'bundles')
  const lists = ['unbundledProducts', 'products'].map((name) =>
    recordEntriesOf(memberOf(root, name), 'products'),
  )
  const saysNone = ['unbundledProducts', 'products', 'bundles'].some((name) => root[name] === null)
  if (bundles === null && lists.every((list) => list === null) && !saysNone) return otherwise(root)
  const inBundles = (bundles ?? []).map(({ key, value }) => {
    const bundle = documentRecord(value, (one) => hasProducts(one)) ?? objectOf(value)
    const listed = memberOf(bundle ?? {}, 'products')
    const products = recordEntriesOf(listed, 'products')
    const isRead = products !== null || (listed === undefined && bundle !== null && !mayHoldRecords(bundle))
    const name = bundle === null ? key : (firstOf(bundle, bundleNames, jsonText) ?? key)
    return { value, name, products: products ?? [], isRead }
  })
  return catalogueFrom(
    [...lists, ...inBundles.map(({ products }) => products)].flatMap((list) => list ?? []),
    inBundles.flatMap(({ value, isRead }) => (isRead ? [] : [value])),
    inBundles.flatMap(({ value, name, products }) =>
      name === null
        ? []
        : [
            {
              raw: value,
              name,
              products: products.flatMap(({ key, value: product }) =>
                (productOf(product, key)?.product.variants ?? []).map(({ vendorId, productId }) => ({
                  vendorId,
                  productId,
                })),
              ),
            },
          ],
    ),
  )
}

const bundleNames = ['name', 'bundleName', 'productGroupBundleName', 'title', 'displayName']

/** The product in a response about one product (ProductGroupBundleProduct). null: it contains none. */
export function catalogueProductOf(json: Json): Catalogue | null {
  const record = documentRecord(json, (one) => variantEntries(one, null).length > 0)
  const alone = record === null ? null : catalogueFrom([{ key: null, value: record }], [], [])
  return alone !== null && alone.products.length > 0 ? alone : catalogueOf(json)
}

/**
 * A bundle that consists only of a name has no products; a bundle with other records has products in an
 * unknown form.
 */
const mayHoldRecords = (bundle: JsonObject): boolean =>
  Object.values(bundle).some((value) => objectOf(value) !== null || objectsIn(value).length > 0)

const hasProducts = (bundle: JsonObject): boolean => memberOf(bundle, 'products') !== undefined

/** A catalogue inside a wrapper, or a list of products under another name. */
function otherwise(root: JsonObject): Catalogue | null {
  const inside = objectOf(memberOf(root, 'data', 'result', 'catalogue', 'catalog'))
  if (inside !== null) return catalogueOf(inside)
  const records = documentList(root, 'items', 'value')
  return records === null ? null : catalogueFrom(entriesOf(records) ?? [], [], [])
}

function catalogueFrom(
  records: readonly Entry[],
  unreadable: readonly Json[],
  bundles: Catalogue['bundles'],
): Catalogue {
  const parsed = records.map(({ key, value }) => ({ value, product: productOf(value, key) }))
  return {
    products: parsed.flatMap(({ product }) => product?.product ?? []),
    bundles,
    unreadable: [
      ...unreadable,
      ...parsed.flatMap(({ value, product }) => (product === null ? [value] : product.unreadable)),
    ],
  }
}

/** `key`: the record's key in a dictionary: its name, or its product id. */
function productOf(
  json: Json,
  key: string | null,
): { readonly product: CatalogueProduct; readonly unreadable: readonly Json[] } | null {
  const record = objectOf(json)
  if (record === null) return null
  const entries = variantEntries(record, key)
  const parsed = entries.map((entry) => ({ entry, variant: variantOf(record, entry, key) }))
  const variants = parsed.flatMap(({ variant }) => variant ?? [])
  const [first] = variants
  if (first === undefined) return null
  const groupName = firstOf(record, ['productGroupName', 'groupName'], jsonText)
  const keyName = key !== null && idOf(key) === null ? key : null
  const releases = releasesFor(releasesIn(memberOf(record, 'firmwareReleases', 'releases')), variants)
  return {
    product: {
      name:
        firstOf(record, ['productName', 'name'], jsonText) ??
        keyName ??
        groupName ??
        first.name ??
        `${first.vendorId}/${first.productId}`,
      groupName,
      deviceType: firstOf(record, ['deviceType'], jsonText),
      supportedProtocols: [
        ...textsIn(memberOf(record, 'supportedProtocols')),
        ...listOf([memberOf(record, 'supportedProtocols') ?? null]).flatMap((one) => jsonText(one) ?? []),
      ],
      variants,
      entityIds: [
        ...new Set(
          [record, ...objectsIn(entries.map(({ value }) => value))].flatMap(
            (one) => firstOf(one, entityNames, jsonText)?.trim().toLowerCase() ?? [],
          ),
        ),
      ],
      releases: releases.releases,
      raw: record,
    },
    unreadable: [
      ...parsed.flatMap(({ entry, variant }) => (variant === null ? [entry.value] : [])),
      ...releases.unreadable,
    ],
  }
}

const entityNames = ['entityId', 'entityGuid', 'guid']
const idNames = ['productId', 'usbProductId', 'pid']
const vendorNames = ['vendorId', 'usbVendorId', 'vid']

/**
 * The variants of a product: a list, a dictionary by variant type or product id, a single record; without
 * any, the product's own ids.
 */
function variantEntries(record: JsonObject, productKey: string | null): readonly Entry[] {
  const named = memberOf(record, 'variants', 'productVariants', 'variant')
  const single = objectOf(named)
  const entries =
    single !== null && firstOf(single, idNames, idOf) !== null
      ? [{ key: null, value: single }]
      : (entriesOf(named) ?? [])
  if (entries.length > 0) return entries
  const several = listOf(memberOf(record, 'productIds', 'pids')).map((productId): Entry => ({
    key: null,
    value: { productId },
  }))
  const own = firstOf(record, idNames, idOf) ?? (productKey === null ? null : idOf(productKey))
  return several.length > 0 ? several : own === null ? [] : [{ key: null, value: record }]
}

/**
 * Partner products have an empty variant type (services.md#A6). Members missing in a variant may be in its
 * product.
 */
function variantOf(
  product: JsonObject,
  { key, value }: Entry,
  productKey: string | null,
): ProductVariant | null {
  const record = objectOf(value) ?? (idOf(value) === null ? null : { productId: value })
  if (record === null) return null
  const keyId = key === null ? null : idOf(key)
  const productId =
    firstOf(record, idNames, idOf) ??
    keyId ??
    firstOf(product, idNames, idOf) ??
    (productKey === null ? null : idOf(productKey))
  const vendorId = firstOf(record, vendorNames, idOf) ?? firstOf(product, vendorNames, idOf)
  if (vendorId === null || productId === null) return null
  const variantType =
    firstOf(record, ['variantType', 'variant'], jsonText)?.trim() ??
    (key !== null && keyId === null ? key.trim() : '')
  const entityId =
    record === product ? null : (firstOf(record, entityNames, jsonText)?.trim().toLowerCase() ?? null)
  // The product itself used as a variant: its name is the product's.
  return {
    vendorId,
    productId,
    variantType,
    name: record === product ? null : firstOf(record, ['name', 'variantName'], jsonText),
    ...(entityId === null ? {} : { entityId }),
  }
}
