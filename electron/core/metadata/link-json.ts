import type { FirmwareLink } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { destinationOf, isOfferable, textsWithin, type Destination } from './address.ts'
import { md5In, momentOf, sizeOf } from './file-json.ts'
import { firstOf, memberOf, numberOf, objectOf, objectsIn, saysError } from './json-reading.ts'

export type DownloadLink = Pick<FirmwareLink, 'url' | 'refused' | 'expiresAt' | 'bytes' | 'md5' | 'raw'>

/**
 * Names of a link member, by reliability. FirmwareDownloadLink is not published; add a name when it is
 * observed.
 */
const linkNames = [
  'downloadUrl',
  'downloadLink',
  'downloadUri',
  'fileUrl',
  'url',
  'uri',
  'link',
  'href',
  'location',
  'address',
  'path',
]
/**
 * Names under which `files/a.zip` is a path relative to the document; the others may contain sentences and
 * places.
 */
const addressNames = new Set([
  'downloadUrl',
  'downloadLink',
  'downloadUri',
  'fileUrl',
  'url',
  'uri',
  'link',
  'href',
])

/**
 * The link in a response: under a known name at the top, then deeper, then anywhere. A record without a link
 * is still a record. null: not a link record.
 */
export function downloadLinkOf(json: Json, documentUrl: string): DownloadLink | null {
  const root =
    typeof json === 'string'
      ? { link: json }
      : (objectOf(json) ?? (Array.isArray(json) && json.length > 0 ? { answer: json } : null))
  if (root === null || Object.keys(root).length === 0) return null
  const found = namedDestination(root, documentUrl) ?? anywhere(root, documentUrl)
  if (found === null && saysError(root)) return null
  return linkRecord(root, found)
}

/** The link in a record about something else: under a known name, and only one that may be offered. */
export function namedLinkOf(root: JsonObject, documentUrl: string): DownloadLink | null {
  const found = namedDestination(root, documentUrl)
  return found?.offered === true ? linkRecord(root, found) : null
}

function linkRecord(root: JsonObject, found: Destination | null): DownloadLink {
  const places = placesIn(root)
  const first = <T>(names: readonly string[], parse: (json: Json | undefined) => T | null): T | null =>
    places.reduce<T | null>((known, place) => known ?? firstOf(place, names, parse), null)
  return {
    url: found?.offered === true ? found.url : null,
    refused: found === null || found.offered ? null : found.url,
    expiresAt: first(
      [
        'expires',
        'expiresAt',
        'expiresOn',
        'expiry',
        'expiryDate',
        'expiryTime',
        'expiration',
        'expirationDate',
        'validUntil',
        'validTo',
      ],
      momentOf,
    ),
    bytes: first(['fileSize', 'sizeInBytes', 'size', 'bytes', 'contentLength', 'length'], sizeOf),
    md5: places.reduce<string | null>((known, place) => known ?? md5In(place), null),
    raw: root,
  }
}

/** The record and its content two levels deep, including records in lists. */
function placesIn(root: JsonObject): readonly JsonObject[] {
  const inside = (place: JsonObject): readonly JsonObject[] =>
    Object.values(place).flatMap((value) => objectOf(value) ?? objectsIn(value))
  const first = inside(root)
  return [root, ...first, ...first.flatMap(inside)]
}

/** Of several links, one that may be offered is preferred, then one with a more reliable name. */
function namedDestination(root: JsonObject, documentUrl: string): Destination | null {
  let refused: Destination | null = null
  for (const place of placesIn(root)) {
    for (const name of linkNames) {
      const value = memberOf(place, name)
      const found =
        typeof value === 'string' ? destinationOf(value, documentUrl, addressNames.has(name)) : null
      if (found?.offered === true) return found
      refused ??= found
    }
  }
  return refused
}

function anywhere(root: JsonObject, documentUrl: string): Destination | null {
  for (const { text, path } of textsWithin(root)) {
    if (!isOfferable(text.trim()) || /note|support|image|checksum/i.test(path.join('.'))) continue
    const found = destinationOf(text, documentUrl, false)
    if (found?.offered === true) return found
  }
  return null
}

/** Validity of a link in milliseconds from its receipt, if the record gives seconds: `expiresIn`. */
export const goodForMs = (link: DownloadLink): number | null => {
  const seconds = firstOf(link.raw, ['expiresIn', 'expiresInSeconds', 'validForSeconds', 'ttl'], numberOf)
  return seconds === null || seconds < 0 ? null : seconds * 1_000
}
