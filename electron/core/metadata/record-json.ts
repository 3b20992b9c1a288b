import type { Json, JsonObject } from '../../contract/json.ts'
import { isHttps, textsWithin } from './address.ts'
import { md5Of } from './file-json.ts'
import { documentList, firstOf, idOf, memberOf, objectOf, saysError, jsonText } from './json-reading.ts'

/**
 * The useful content of a record whose fields the specification does not describe: found by name at any
 * depth, never guessed.
 */
export interface TolerantRecord {
  readonly id: string | null
  readonly name: string | null
  readonly vendorId: number | null
  readonly productId: number | null
  readonly variantType: string | null
  readonly version: string | null
  /** https only, in document order, each once. */
  readonly links: readonly string[]
  /** Lower-case hex of every published MD5. */
  readonly checksums: readonly string[]
  readonly raw: Json
}

/**
 * A document as a list of such records: the list itself; one record if it has a name; else the list it
 * contains. null: neither an object nor a list.
 */
export function tolerantRecordsOf(json: Json): readonly TolerantRecord[] | null {
  const root = objectOf(json)
  if (root === null) return Array.isArray(json) ? (json as readonly Json[]).map(tolerantRecord) : null
  const whole = tolerantRecord(json)
  if ((whole.id ?? whole.name ?? whole.productId) !== null) return [whole]
  return (
    documentList(json, 'items', 'value', 'products', 'variants', 'bundles')?.map(tolerantRecord) ?? [whole]
  )
}

function tolerantRecord(raw: Json): TolerantRecord {
  const record = objectOf(raw) ?? {}
  const texts = textsWithin(raw)
  return {
    id: firstOf(record, ['entityId', 'id', 'firmwareBundleGroupId', 'settingId', 'key'], jsonText),
    name: firstOf(record, ['name', 'productName', 'title', 'displayName', 'productGroupName'], jsonText),
    vendorId: idOf(memberOf(record, 'vendorId')),
    productId: idOf(memberOf(record, 'productId')),
    variantType: jsonText(memberOf(record, 'variantType')),
    version: firstOf(
      record,
      ['version', 'firmwareVersion', 'definitionVersion', 'firmwareBundleVersion', 'schemaVersion'],
      jsonText,
    ),
    links: [...new Set(texts.flatMap(({ text }) => (isHttps(text) ? [text] : [])))],
    checksums: [
      ...new Set(
        texts.flatMap(({ path, text }) =>
          /md5|checksum/i.test(path.at(-1) ?? '') ? (md5Of(text) ?? []) : [],
        ),
      ),
    ],
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

export interface JoseDefinition {
  readonly schemaVersion: string | null
  readonly definitionVersion: string | null
  readonly stage: string | null
  /** The fields of the items are not published. */
  readonly settings: readonly TolerantRecord[]
  readonly commands: readonly TolerantRecord[]
  readonly raw: JsonObject
}

/**
 * JoseDefinition, the outer record (services.md#A32); V2's fields are not published and are parsed in the
 * same way. null: it contains neither a list nor a record, or reports an error.
 */
export function joseDefinitionOf(json: Json): JoseDefinition | null {
  const root = objectOf(json)
  if (root === null) return null
  const [settings, commands] = [memberOf(root, 'settings'), memberOf(root, 'commands')]
  const holdsNothing = Object.values(root).every((value) => typeof value !== 'object' || value === null)
  if (holdsNothing || saysError(root)) return null
  return {
    schemaVersion: jsonText(memberOf(root, 'schemaVersion')),
    definitionVersion: jsonText(memberOf(root, 'definitionVersion')),
    stage: jsonText(memberOf(root, 'stage')),
    settings: itemsOf(settings),
    commands: itemsOf(commands),
    raw: root,
  }
}

/** A list, or a dictionary by name. */
function itemsOf(json: Json | undefined): readonly TolerantRecord[] {
  if (Array.isArray(json)) return (json as readonly Json[]).map(tolerantRecord)
  return Object.entries(objectOf(json) ?? {}).map(([name, value]) => ({ ...tolerantRecord(value), name }))
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
