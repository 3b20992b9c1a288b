import type { ProductId } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { idOf, listOf, memberOf, objectsIn, jsonText } from './json-reading.ts'

/**
 * Whether a record about firmware names ids, or variants, none of which is one of these products'. A record
 * without ids names no other product; without a variant type, a product is compared by its ids only.
 */
export function namesOtherProduct(
  record: JsonObject,
  products: readonly (ProductId & { readonly variantType?: string })[],
): boolean {
  const places = [
    record,
    ...['product', 'products', 'variants'].flatMap((name) => objectsIn(several(memberOf(record, name)))),
  ]
  const named = <T>(names: readonly string[], parse: (json: Json) => readonly T[]): readonly T[] =>
    places.flatMap((place) => names.flatMap((name) => several(memberOf(place, name)).flatMap(parse)))
  const differ = <T>(found: readonly T[], own: readonly T[]): boolean =>
    found.length > 0 && !found.some((one) => own.includes(one))
  const types = products.flatMap(({ variantType = '' }) => folded(variantType))
  return (
    differ(
      named(['vendorId', 'vendorIds', 'usbVendorId', 'vid'], idsOf),
      products.map((one) => one.vendorId),
    ) ||
    differ(
      named(['productId', 'productIds', 'usbProductId', 'pid', 'pids'], idsOf),
      products.map((one) => one.productId),
    ) ||
    (types.length > 0 &&
      differ(
        named(['variantType', 'variantTypes', 'variant'], (json) => folded(jsonText(json) ?? '')),
        types,
      ))
  )
}

const several = (json: Json | undefined): readonly Json[] =>
  json === undefined ? [] : Array.isArray(json) ? listOf(json) : [json]

/** Four digits may be hexadecimal, too. */
function idsOf(json: Json): readonly number[] {
  const hex = typeof json === 'string' && /^\d{4}$/.test(json.trim()) ? [Number.parseInt(json, 16)] : []
  return [...hex, ...[idOf(json)].filter((id) => id !== null)]
}

const folded = (word: string): readonly string[] => (word.trim() === '' ? [] : [word.trim().toLowerCase()])
