import { Buffer } from 'node:buffer'
import type { Json, JsonObject } from '../../contract/json.ts'
import { firstOf, memberOf, numberOf, objectOf, objectsIn, jsonText, idOf, listOf } from './json-reading.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { isLoopback } from '../../contract/loopback.ts'

/** What a record states about a file: its MD5, its size, times, of which product it is, and its address. */

/**
 * Lower-case hex of an MD5. services.md#A1: base64 of the 16 raw bytes; hex is accepted too. Anything that is
 * not 16 bytes is not a checksum.
 */
export function md5Of(json: Json | undefined): string | null {
  const text = jsonText(json)?.trim() ?? ''
  const hex = text.replaceAll(/[:\s-]/g, '')
  if (/^[0-9a-f]{32}$/i.test(hex)) return hex.toLowerCase()
  return /^[A-Za-z0-9+/_-]{22}(?:==)?$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : null
}

const checksumNames = [
  'md5Checksum',
  'md5',
  'md5Hash',
  'md5Sum',
  'contentMd5',
  'checksum',
  'hash',
  'checksums',
  'hashes',
]

/**
 * The MD5 of a file record, also among several checksums: `{ "checksums": [{ "algorithm": "MD5", "value": …
 * }] }`.
 */
export function md5In(record: JsonObject): string | null {
  return firstOf(record, checksumNames, (json) => {
    for (const one of [...objectsIn(json), ...objectsIn([json ?? null])]) {
      const algorithm = firstOf(one, ['algorithm', 'type', 'name', 'kind'], jsonText)
      const found = firstOf(one, ['md5', 'value', 'hash', 'checksum', 'digest'], md5Of)
      if (found !== null && (algorithm === null || /md-?5/i.test(algorithm))) return found
    }
    return md5Of(json)
  })
}

/** Bytes: a whole number, not negative. */
export function sizeOf(json: Json | undefined): number | null {
  const record = objectOf(json)
  const size = record === null ? numberOf(json) : numberOf(memberOf(record, 'bytes', 'value'))
  return size !== null && Number.isSafeInteger(size) && size >= 0 ? size : null
}

/** Times of services are UTC (services.md#B21), even without a zone; Date would treat them as local. */
const inUtc = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/, '$1T$2Z')

/** Seconds since 1970 are at most this (the year 5138); greater numbers are milliseconds. */
const secondsAtMost = 100_000_000_000

/**
 * A time as epoch milliseconds: from ISO 8601, the date form of HTTP, or seconds or milliseconds since 1970.
 * Other forms are rejected.
 */
export function momentOf(json: Json | undefined): number | null {
  const text = jsonText(json)?.trim() ?? ''
  const [date, isoDay, httpDay] =
    /^(?:\d{4}-\d{2}-(\d{2})(?!\d)|[a-z]{3}, (\d{1,2}) [a-z]{3} \d{4}(?= ))/i.exec(text) ?? []
  const number = numberOf(json)
  // Numbers below a year in seconds are years, counts or fractions, not times.
  const at =
    date !== undefined
      ? // Date makes 3 March of 31 February.
        new Date(isoDay === undefined ? `${date} GMT` : date).getUTCDate() === Number(isoDay ?? httpDay)
        ? Date.parse(inUtc(text))
        : Number.NaN
      : number === null || number < 31_536_000
        ? Number.NaN
        : number <= secondsAtMost
          ? number * 1_000
          : number
  return Number.isNaN(at) || Math.abs(at) > 8_640_000_000_000_000 ? null : Math.round(at)
}

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

/** Whether a link may be offered: https, or http to this computer (the demonstration). */
export function isOfferable(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return hostname !== '' && (protocol === 'https:' || isLoopback(hostname))
}

export const isHttps = (text: string): boolean =>
  /^https:\/\//i.test(text) && URL.canParse(text) && new URL(text).hostname !== ''

/**
 * Target of a document's link. `offered` false: plain http to another computer, or another scheme; it is
 * shown and not opened.
 */
export interface Destination {
  readonly url: string
  readonly offered: boolean
}

/** A file name or a path: `files/a.zip`, `a.zip?sig=1`, also with blanks in it (services.md#A22). */
const looksRelative = /^(?:[^\s:?#]*\/[^\s:?#]+|[^:?#]*\.[a-z0-9]{2,5})(?:[?#]\S*)?$/i
const fromTheRoot = /^(?:\/|\.{1,2}\/)./

/**
 * A link in a document: an address, unchanged except for blanks at its ends, or one relative to the document
 * (`/path`, `//host/path`, and `path/file.zip` if `bare` paths are allowed). null: not an address.
 */
export function destinationOf(text: string, documentUrl: string, bare = true): Destination | null {
  const link = text.trim()
  // URL would treat a backslash as a slash and drop invisible characters.
  if (link === '' || /[\\\p{Cc}]/u.test(link)) return null
  if (/^https?:\/\//i.test(link))
    return !URL.canParse(link) || new URL(link).hostname === ''
      ? null
      : { url: link, offered: isOfferable(link) }
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return { url: link, offered: false }
  if (!bare && (/\s/.test(link) || !fromTheRoot.test(link))) return null
  if (!fromTheRoot.test(link) && !looksRelative.test(link)) return null
  if (!URL.canParse(link, documentUrl)) return null
  const url = new URL(link, documentUrl)
  // Only the demonstration, the source of the document, may use http, not another host.
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && link.startsWith('//')) url.protocol = 'https:'
  return url.hostname === '' ? null : { url: url.href, offered: isOfferable(url.href) }
}

/** A text and the names of the members on the path to it. */
interface TextAtPath {
  readonly path: readonly string[]
  readonly text: string
}

/** Every text in a JSON value in document order; nothing deeper than `depth`. */
export function textsWithin(json: Json, path: readonly string[] = [], depth = 16): readonly TextAtPath[] {
  if (typeof json === 'string') return [{ path, text: json }]
  if (typeof json !== 'object' || json === null || depth === 0) return []
  return Object.entries(json as Record<string, Json>).flatMap(([name, value]) =>
    textsWithin(value, [...path, name], depth - 1),
  )
}
