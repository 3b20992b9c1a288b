import type { Json, JsonObject } from '../../contract/json.ts'
import { labelOf, type DefinitionLabel } from './definition-json.ts'
import { documentList, firstOf, idOf, memberOf, objectOf, saysError, jsonText } from './json-reading.ts'

/**
 * A record whose fields the specification does not describe, and the product that it names, in any spelling of
 * the members.
 */
export interface TolerantRecord {
  readonly vendorId: number | null
  readonly productId: number | null
  readonly variantType: string | null
  readonly raw: Json
}

/** Members that name what a record is about: it is not only a list. */
const idNames = ['entityId', 'id', 'firmwareBundleGroupId', 'settingId', 'key']
const nameNames = ['name', 'productName', 'title', 'displayName', 'productGroupName']

/**
 * A document as a list of such records: the list itself; one record if it has a name; else the list it
 * contains. null: neither an object nor a list.
 */
export function tolerantRecordsOf(json: Json): readonly TolerantRecord[] | null {
  const root = objectOf(json)
  if (root === null) return Array.isArray(json) ? (json as readonly Json[]).map(tolerantRecord) : null
  const whole = tolerantRecord(json)
  if ((firstOf(root, [...idNames, ...nameNames], jsonText) ?? whole.productId) !== null) return [whole]
  return (
    documentList(json, 'items', 'value', 'products', 'variants', 'bundles')?.map(tolerantRecord) ?? [whole]
  )
}

function tolerantRecord(raw: Json): TolerantRecord {
  const record = objectOf(raw) ?? {}
  return {
    vendorId: idOf(memberOf(record, 'vendorId')),
    productId: idOf(memberOf(record, 'productId')),
    variantType: jsonText(memberOf(record, 'variantType')),
    raw,
  }
}

/**
 * GnpMapping (services.md#A32): the dictionary under `mapping`; entries that are not text are skipped. null:
 * there is none.
 */
export function mappingOf(json: Json): ReadonlyMap<string, string> | null {
  const mapping = objectOf(memberOf(objectOf(json) ?? {}, 'mapping'))
  return mapping === null
    ? null
    : new Map(
        Object.entries(mapping).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        ),
      )
}

export interface JoseDefinition extends DefinitionLabel {
  /** The fields of its settings and commands are not published. */
  readonly raw: JsonObject
}

/**
 * JoseDefinition, the outer record (services.md#A32); V2's fields are not published and are parsed in the
 * same way. null: it contains neither a list nor a record, or reports an error.
 */
export function joseDefinitionOf(json: Json): JoseDefinition | null {
  const root = objectOf(json)
  if (root === null) return null
  const holdsNothing = Object.values(root).every((value) => typeof value !== 'object' || value === null)
  return holdsNothing || saysError(root) ? null : { ...labelOf(root), raw: root }
}

/**
 * Recovery ids by vendor (DfuProductIdsForVendor, fields not published): a record per vendor with a list of
 * numbers under any name.
 */
export function recoveryIdsOf(json: Json): ReadonlyMap<number, ReadonlySet<number>> | null {
  const items = documentList(json, 'vendors', 'items', 'value')
  if (items === null) return null
  const found = new Map<number, Set<number>>()
  for (const item of items) {
    const record = objectOf(item)
    const vendorId = record === null ? null : firstOf(record, ['vendorId', 'id', 'vendor'], idOf)
    if (record === null || vendorId === null) continue
    const ids = found.get(vendorId) ?? new Set<number>()
    found.set(vendorId, ids)
    for (const list of Object.values(record).filter((value): value is readonly Json[] =>
      Array.isArray(value),
    ))
      for (const one of list) {
        const id = idOf(one) ?? firstOf(objectOf(one) ?? {}, ['dfuProductId', 'productId', 'id'], idOf)
        if (id !== null) ids.add(id)
      }
  }
  return found
}
