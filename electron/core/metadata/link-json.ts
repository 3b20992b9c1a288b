import type { FirmwareLink, ProductId } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'
import {
  destinationOf,
  isOfferable,
  textsWithin,
  md5In,
  momentOf,
  sizeOf,
  namesOtherProduct,
  type Destination,
} from './file-json.ts'
import { NotTheDocument } from './document-copy.ts'
import { firstOf, memberOf, numberOf, objectOf, objectsIn, saysError, scalarTextOf } from './json-reading.ts'

export type DownloadLink = Pick<FirmwareLink, 'url' | 'refused' | 'expiresAt' | 'bytes' | 'md5' | 'raw'>

/** Names under which `files/a.zip` is a path relative to the document. */
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
 * Names of a link member, by reliability; the last ones may contain sentences and places.
 * FirmwareDownloadLink is not published; add a name when it is observed.
 */
const linkNames = [...addressNames, 'location', 'address', 'path']

/** What a link was requested for. */
export interface WantedFile extends ProductId {
  readonly buildType: string
  /** The firmware's version; null: a link by bundle, whose record may name the version of either. */
  readonly version: string | null
  readonly bundle: { readonly group: string; readonly version: string } | null
}

/**
 * The link in a response: under a known name at the top, then deeper, then anywhere; of several, that of the
 * wanted build type. A record without a link is still a record. A link that names another file is not the
 * document. null: not a link record.
 */
export function downloadLinkOf(json: Json, documentUrl: string): DownloadLink | null
export function downloadLinkOf(
  json: Json,
  documentUrl: string,
  wanted: WantedFile,
): DownloadLink | NotTheDocument | null
export function downloadLinkOf(
  json: Json,
  documentUrl: string,
  wanted: WantedFile | null = null,
): DownloadLink | NotTheDocument | null {
  const root =
    typeof json === 'string'
      ? { link: json }
      : (objectOf(json) ?? (Array.isArray(json) && json.length > 0 ? { answer: json } : null))
  if (root === null || Object.keys(root).length === 0) return null
  const named = namedDestination(root, documentUrl, wanted?.buildType ?? null)
  const found = named?.found ?? anywhere(root, documentUrl)
  if (found === null && saysError(root)) return null
  const about = named?.places ?? [root]
  const other = wanted === null || found === null ? null : otherFile(about, wanted)
  return other === null ? linkRecord(root, found, about) : new NotTheDocument(other)
}

/** What the records of a link name instead of the wanted file; null: nothing else. */
function otherFile(places: readonly JsonObject[], wanted: WantedFile): string | null {
  const { vendorId, productId, version, buildType, bundle } = wanted
  const named = (...names: readonly string[]): string | null =>
    places.reduce<string | null>((known, place) => known ?? firstOf(place, names, scalarTextOf), null)
  const differs = (one: string | null, ...own: readonly (string | null)[]): one is string =>
    one !== null && !own.some((each) => each?.trim().toLowerCase() === one.trim().toLowerCase())
  const differsAsVersion = (one: string | null, own: string | null): one is string =>
    one !== null && own !== null && isVersion(one) && compareVersions(one, own) !== 0
  if (places.some((place) => namesOtherProduct(place, [{ vendorId, productId }])))
    return `The link is of another product than ${vendorId}/${productId}.`
  const file = named('firmwareVersion', 'version', 'releaseVersion')
  if (differsAsVersion(file, version)) return `The link is of version ${file}, not ${String(version)}.`
  const type = named('buildType')
  if (differs(type, buildType)) return `The link is of the build type ${type}, not ${buildType}.`
  const group = named('firmwareBundleGroupId', 'bundleGroupId')
  const release = named('firmwareBundleVersion', 'bundleVersion')
  return bundle !== null && (differs(group, bundle.group) || differsAsVersion(release, bundle.version))
    ? `The link is of another bundle than ${bundle.group} ${bundle.version}.`
    : null
}

/** The link in a record about something else: under a known name, and only one that may be offered. */
export function namedLinkOf(root: JsonObject, documentUrl: string): DownloadLink | null {
  const named = namedDestination(root, documentUrl, null)
  return named?.found.offered === true ? linkRecord(root, named.found, named.places) : null
}

/** `about`: the record with the link and those around it, whose members are more reliable than others. */
function linkRecord(root: JsonObject, found: Destination | null, about: readonly JsonObject[]): DownloadLink {
  const places = [...about, ...placesIn(root).map(({ record }) => record)]
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

interface Place {
  readonly record: JsonObject
  readonly around: readonly JsonObject[]
}

/** The record and its content two levels deep, including records in lists. */
function placesIn(root: JsonObject): readonly Place[] {
  const inside = ({ record, around }: Place): readonly Place[] =>
    Object.values(record).flatMap((value) =>
      objectsIn(Array.isArray(value) ? value : [value]).map((one) => ({
        record: one,
        around: [record, ...around],
      })),
    )
  const top: Place = { record: root, around: [] }
  const first = inside(top)
  return [top, ...first, ...first.flatMap(inside)]
}

/**
 * Of several links, one that may be offered is preferred, then one whose records name the build type, then
 * one with a more reliable name.
 */
function namedDestination(
  root: JsonObject,
  documentUrl: string,
  buildType: string | null,
): { readonly found: Destination; readonly places: readonly JsonObject[] } | null {
  const isWanted = ({ record, around }: Place): boolean =>
    [record, ...around].some(
      (one) => scalarTextOf(memberOf(one, 'buildType'))?.toLowerCase() === buildType?.trim().toLowerCase(),
    )
  const all = placesIn(root)
  const links = [...all.filter(isWanted), ...all].flatMap((place) =>
    linkNames.flatMap((name) => {
      const value = memberOf(place.record, name)
      const found =
        typeof value === 'string' ? destinationOf(value, documentUrl, addressNames.has(name)) : null
      return found === null ? [] : [{ found, places: [place.record, ...place.around] }]
    }),
  )
  return links.find(({ found }) => found.offered) ?? links[0] ?? null
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
