import type { Json, JsonObject } from '../../contract/json.ts'

/** The product whose content is searched for. */
export interface WantedProduct {
  readonly vendorId: number
  readonly productId: number
  /** Of the product and its variants, in lower case. */
  readonly entityIds: ReadonlySet<string>
  /** Names of the product and its variants, as `plainName` makes them. */
  readonly names: ReadonlySet<string>
  /** Names of its product group: weaker evidence. */
  readonly groupNames: ReadonlySet<string>
}

/**
 * The position of a value: its own name, the name of its parent, the names beside its own; null in a list.
 */
export interface Place {
  readonly key: string | null
  readonly above: string | null
  readonly beside: readonly string[]
}

/**
 * Evidence that a value is about the product, strongest first: its entity id, its product id, its name, its
 * group's name.
 */
export interface Evidence {
  readonly strength: 4 | 3 | 2 | 1
}

const nameNames = [
  'name',
  'productName',
  'title',
  'displayName',
  'heading',
  'label',
  'model',
  'productGroupName',
  'groupName',
]

export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[™®©]/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .replace(/^jabra /, '')

/** The best evidence of the value itself without its content; null: none. */
export function productEvidence(node: Json, place: Place, wanted: WantedProduct): Evidence | null {
  const record = typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as JsonObject) : {}
  const names = [place.key, ...nameNames.flatMap((name) => textsOf(record[name]))].flatMap((name) =>
    name === null || name === '' ? [] : [plainName(name)],
  )
  if (namesEntity(record, place, wanted)) return { strength: 4 }
  if (namesProduct(record, place, wanted) || keyIsProduct(place, wanted)) return { strength: 3 }
  if (names.some((name) => wanted.names.has(name))) return { strength: 2 }
  return names.some((name) => wanted.groupNames.has(name)) ? { strength: 1 } : null
}

/** Whether a value itself names a product. */
export const namesSomeProduct = (node: Json): boolean =>
  typeof node === 'object' &&
  node !== null &&
  !Array.isArray(node) &&
  Object.keys(node).some((name) => productNames.test(name) || /^(?:entity_?id|product_?name)$/i.test(name))

/** The name of a record: its own, else its key if that looks like a name. */
export function titleOf(record: JsonObject, key: string | null): string | null {
  const own =
    nameNames.flatMap((name) => textsOf(record[name]).filter((text) => text.trim() !== ''))[0] ?? null
  return own ?? (key !== null && /[a-z]/i.test(key) && /\s/.test(key) ? key : null)
}

/** A text, or the texts of a record by language: `{ "en": "Evolve2 65 Mono" }`. */
const textsOf = (json: Json | undefined): readonly string[] => {
  if (typeof json === 'string') return [json]
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? Object.values(json as JsonObject).filter((value) => typeof value === 'string')
    : []
}

const entityNames =
  /^(?:(?:product|variant)?_?entity_?(?:ids?|guids?)|guids?|uuids?|(?:product|variant)_?guid|ids?)$/i

function namesEntity(record: JsonObject, { key }: Place, wanted: WantedProduct): boolean {
  const isIt = (json: Json | null): boolean =>
    typeof json === 'string' &&
    wanted.entityIds.has(
      json
        .trim()
        .replace(/^\{|\}$/g, '')
        .toLowerCase(),
    )
  return isIt(key) || valuesOf(record, entityNames).some(isIt)
}

const pairNames = /^(?:usb)?_?(?:product)?_?(?:pid|id|ids|pids|productids?)$/i
const productNames = /^(?:usb)?_?(?:product_?ids?|pids?)$/i
const vendorNames = /^(?:usb)?_?(?:vendor_?id|vid)$/i

function namesProduct(record: JsonObject, { key }: Place, wanted: WantedProduct): boolean {
  const [vendor] = valuesOf(record, vendorNames)
  const sameVendor = vendor === undefined || vendor === null || idMatches(vendor, wanted.vendorId)
  // A bare `id` may be anything, so it must contain vendor and product, or be under the name `product`.
  const ids = valuesOf(
    record,
    key !== null && /^product$/i.test(key) ? /^(?:id|product_?ids?|pids?)$/i : productNames,
  )
  return (
    valuesOf(record, pairNames).some((id) => isPair(id, wanted)) ||
    (sameVendor && ids.some((id) => idMatches(id, wanted.productId)))
  )
}

/** Values of the members with that name; list elements and comma-separated texts individually. */
const valuesOf = (record: JsonObject, names: RegExp): readonly Json[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (!names.test(name)) return []
    if (Array.isArray(value)) return value as readonly Json[]
    return typeof value === 'string' && value.includes(',') ? value.split(',') : [value]
  })

/** Names of dictionaries of products by id. */
const collections = /product|device|item|content|model|pid/i

/**
 * Whether a value is in a dictionary by product id: `"products": { "779": … }`, also by vendor: `{ "2830": {
 * "779": … } }`.
 */
function keyIsProduct({ key, above, beside }: Place, wanted: WantedProduct): boolean {
  if (key === null) return false
  if (isPair(key, wanted)) return true
  if (!idMatches(key, wanted.productId)) return false
  if (above !== null && looksLikeId(above)) return idMatches(above, wanted.vendorId)
  return (above !== null && collections.test(above)) || beside.every(looksLikeId)
}

const looksLikeId = (text: string): boolean =>
  /^(?:\d{1,10}|0x[0-9a-f]{1,8}|(?=[0-9a-f]*\d)[0-9a-f]{4})$/i.test(text.trim())

/** Ids as numbers, decimal text or hexadecimal text (`0x24B3`, `24B3`, `PID_24B3`). */
function idMatches(json: Json, id: number): boolean {
  if (typeof json === 'number') return json === id
  if (typeof json !== 'string') return false
  const text = json.trim().toLowerCase()
  const hex = id.toString(16)
  const marked = /^(?:0x|vid_|pid_)0*([0-9a-f]+)$/.exec(text)?.[1]
  return text === String(id) || marked === hex || (text === hex.padStart(4, '0') && /[a-f]/.test(text))
}

/** `2830/9395`, `2830-9395`, `0b0e:24b3`, `VID_0B0E&PID_24B3`. */
function isPair(json: Json, wanted: WantedProduct): boolean {
  if (typeof json !== 'string') return false
  const windows = /vid_([0-9a-f]{1,4}).{0,3}?pid_([0-9a-f]{1,4})/i.exec(json)
  if (windows !== null)
    return (
      Number.parseInt(windows[1] ?? '', 16) === wanted.vendorId &&
      Number.parseInt(windows[2] ?? '', 16) === wanted.productId
    )
  const [vendor, product, more] = json.split(/[/:_-]/)
  if (vendor === undefined || product === undefined || more !== undefined) return false
  return idMatches(vendor, wanted.vendorId) && idMatches(product, wanted.productId)
}
