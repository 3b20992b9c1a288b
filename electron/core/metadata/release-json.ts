import { Buffer } from 'node:buffer'
import type { Json, JsonObject } from '../../contract/json.ts'
import { isHttps, isOfferable, textsWithin } from './address.ts'
import { booleanOf, documentList, firstOf, listOf, memberOf, numberOf, objectOf, objectsIn, textOf, textsIn } from './json-reading.ts'

/** A firmware release as published, in the catalogue or by GetFirmwareReleasesByProductId. The record's fields are not published. */
export interface PublishedRelease {
  readonly version: string
  /** null: the record does not say, which is not the same as "not revoked" when another document does (A3). */
  readonly revoked: boolean | null
  readonly stage: string | null
  readonly releasedAt: number | null
  readonly fileName: string | null
  /** Bytes; files from 9 kB to 1.9 GB are known (A23). */
  readonly fileSize: number | null
  /** Lower-case hex. */
  readonly md5: string | null
  readonly notesUrl: string | null
  readonly buildTypes: readonly string[]
  readonly raw: JsonObject
}

/** The releases of an answer in the order received; null: not a list. A record without a version is left out (A4). */
export function releasesOf(json: Json): readonly PublishedRelease[] | null {
  return documentList(json, 'releases', 'firmwareReleases', 'firmwares', 'items', 'value')?.flatMap((item) => releaseOf(item) ?? []) ?? null
}

export function releaseOf(json: Json): PublishedRelease | null {
  const record = typeof json === 'string' ? { version: json } : objectOf(json)
  const version = record === null ? null : firstOf(record, ['version', 'firmwareVersion', 'releaseVersion'], textOf)
  if (record === null || version === null) return null
  return {
    version: version.trim(),
    revoked: firstOf(record, ['revoked', 'isRevoked'], booleanOf),
    stage: firstOf(record, ['stage', 'releaseStage'], textOf),
    releasedAt: firstOf(record, ['releaseDate', 'releasedAt', 'releaseTime', 'publishedAt', 'date'], momentOf),
    fileName: firstOf(record, ['fileName', 'file'], textOf),
    fileSize: firstOf(record, ['fileSize', 'sizeInBytes', 'size', 'bytes'], sizeOf),
    md5: firstOf(record, ['md5Checksum', 'md5', 'checksum'], md5Of),
    notesUrl: firstOf(record, ['releaseNotesUrl', 'releaseNotesLink', 'releaseNotes', 'notesUrl', 'notes', 'changelog'], httpsWithin),
    buildTypes: [...textsIn(memberOf(record, 'buildTypes')), ...listOf([memberOf(record, 'buildType') ?? null]).flatMap((word) => textOf(word) ?? [])],
    raw: record,
  }
}

/** Observed (A1): base64 of the 16 raw bytes, as hex here. Anything that does not decode to 16 bytes is no checksum. */
export function md5Of(json: Json | undefined): string | null {
  return typeof json === 'string' && /^[A-Za-z0-9+/]{22}==$/.test(json) ? Buffer.from(json, 'base64').toString('hex') : null
}

/** Epoch milliseconds from ISO 8601 text; other forms are not guessed at. */
function momentOf(json: Json | undefined): number | null {
  const at = typeof json === 'string' && /^\d{4}-\d{2}-\d{2}/.test(json) ? Date.parse(json) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function sizeOf(json: Json | undefined): number | null {
  const size = numberOf(json)
  return size !== null && Number.isSafeInteger(size) && size >= 0 ? size : null
}

const httpsWithin = (json: Json | undefined): string | null => (json === undefined ? null : (textsWithin(json).find(({ text }) => isHttps(text))?.text ?? null))

export interface DownloadLink {
  /** Exactly as received. */
  readonly url: string
  readonly raw: JsonObject
}

/** The names a link may go by: chosen, for FirmwareDownloadLink is not published. In order of trust. */
const linkNames = ['downloadUrl', 'downloadLink', 'downloadUri', 'fileUrl', 'url', 'uri', 'link', 'href', 'location', 'address']

/** The link of an answer: under a known name at the top, then one level down, then anywhere. null: no address that may be offered. */
export function downloadLinkOf(json: Json): DownloadLink | null {
  const root = objectOf(json)
  const raw = root ?? { answer: json }
  const named = root === null ? null : namedLinkOf(root)
  if (named !== null) return named
  const anywhere = textsWithin(json).find(({ text, path }) => isOfferable(text) && !/note|support|image|checksum/i.test(path.join('.')))
  return anywhere === undefined ? null : { url: anywhere.text, raw }
}

/** Under a known name only, at the top or one level down. */
export function namedLinkOf(root: JsonObject): DownloadLink | null {
  for (const place of [root, ...objectsIn(Object.values(root))]) {
    const named = firstOf(place, linkNames, offerable)
    if (named !== null) return { url: named, raw: root }
  }
  return null
}

const offerable = (json: Json | undefined): string | null => (typeof json === 'string' && isOfferable(json) ? json : null)
