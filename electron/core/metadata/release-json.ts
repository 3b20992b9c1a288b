import type { BundleName, FirmwareRelease } from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { isHttps, textsWithin, md5In, momentOf, sizeOf, namesOtherProduct } from './file-json.ts'
import {
  booleanOf,
  documentList,
  entriesOf,
  firstOf,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  saysError,
  scalarTextOf,
  jsonText,
  textsIn,
  wordIn,
} from './json-reading.ts'

/**
 * A firmware release as published in the catalogue or by GetFirmwareReleasesByProductId. The record's fields
 * are not published.
 */
export interface PublishedRelease extends Omit<
  FirmwareRelease,
  'latest' | 'revoked' | 'stageStated' | 'bundle'
> {
  /**
   * null: the record does not state it. That differs from "not revoked" if another document states it
   * (services.md#A3).
   */
  readonly revoked: boolean | null
  /** The firmware bundle that contains it; missing: the product publishes it itself. */
  readonly bundle?: BundleName
}

export interface PublishedReleases {
  /** In the order received. */
  readonly releases: readonly PublishedRelease[]
  /**
   * Records without a version, also those with an empty one (services.md#A4), or of another product, as
   * received.
   */
  readonly unreadable: readonly Json[]
}

const listNames = ['releases', 'firmwareReleases', 'firmwares', 'firmware', 'versions', 'items', 'value']

/** The releases in a response: a list, also wrapped, or a dictionary by version. null: neither. */
export function releasesOf(json: Json): PublishedReleases | null {
  const list = documentList(json, ...listNames)
  if (list !== null) return parseReleases(list.map((value) => ({ key: null, value })))
  const root = objectOf(json)
  if (root === null || saysError(root)) return null
  const dictionary = [...listNames.map((name) => objectOf(memberOf(root, name))), root].find(
    (one) => one !== null && isByVersion(one),
  )
  return dictionary === undefined || dictionary === null ? null : parseReleases(entriesOf(dictionary) ?? [])
}

/** Without the releases that name none of these products. */
export function releasesFor(
  { releases, unreadable }: PublishedReleases,
  products: Parameters<typeof namesOtherProduct>[1],
): PublishedReleases {
  const others = new Set(
    releases.filter(({ raw }) => {
      const record = objectOf(raw)
      return record !== null && namesOtherProduct(record, products)
    }),
  )
  return {
    releases: releases.filter((one) => !others.has(one)),
    unreadable: [...unreadable, ...[...others].map(({ raw }) => raw)],
  }
}

/** Releases in a product of the catalogue: as `releasesOf`, for the member that contains them. */
export function releasesIn(json: Json | undefined): PublishedReleases {
  const isNone = json === undefined || Object.keys(objectOf(json) ?? { one: json }).length === 0
  return isNone
    ? { releases: [], unreadable: [] }
    : (releasesOf(json) ?? { releases: [], unreadable: [json] })
}

const isByVersion = (record: JsonObject): boolean => {
  const entries = Object.entries(record)
  return (
    entries.length > 0 &&
    entries.every(([key, value]) => /^v?\d+(?:\.\d+)+/i.test(key) && objectOf(value) !== null)
  )
}

function parseReleases(
  entries: readonly { readonly key: string | null; readonly value: Json }[],
): PublishedReleases {
  const parsed = entries.map(({ key, value }) => ({ value, release: releaseOf(value, key) }))
  return {
    releases: parsed.flatMap(({ release }) => release ?? []),
    unreadable: parsed.flatMap(({ value, release }) => (release === null ? [value] : [])),
  }
}

const versionNames = ['version', 'firmwareVersion', 'releaseVersion', 'versionNumber', 'semver']

/** `key`: the record's key in a dictionary. */
export function releaseOf(json: Json, key: string | null = null): PublishedRelease | null {
  const record = typeof json === 'string' ? { version: json } : objectOf(json)
  const version = record === null ? null : (firstOf(record, versionNames, versionOf) ?? key)
  if (record === null || version === null) return null
  const file = objectOf(memberOf(record, 'file', 'download', 'package', 'binary')) ?? {}
  const inFile = <T>(names: readonly string[], parse: (json: Json | undefined) => T | null): T | null =>
    firstOf(record, names, parse) ?? firstOf(file, names, parse)
  return {
    version: version.trim(),
    revoked: revokedOf(record),
    stage: stageOf(record),
    releasedAt: firstOf(
      record,
      ['releaseDate', 'releasedAt', 'releaseTime', 'publishedAt', 'date'],
      momentOf,
    ),
    fileName: inFile(['fileName', 'file'], jsonText) ?? firstOf(file, ['name'], jsonText),
    fileSize: inFile(['fileSize', 'sizeInBytes', 'size', 'bytes', 'contentLength'], sizeOf),
    md5: md5In(record) ?? md5In(file),
    notesUrl: firstOf(
      record,
      ['releaseNotesUrl', 'releaseNotesLink', 'releaseNotes', 'notesUrl', 'notes', 'changelog'],
      httpsWithin,
    ),
    buildTypes: [
      ...textsIn(memberOf(record, 'buildTypes')),
      ...listOf([memberOf(record, 'buildType') ?? null]).flatMap((word) => wordIn(word) ?? []),
    ],
    raw: record,
  }
}

/** Text, a number, or numbers by name: `{ "major": 2, "minor": 9, "patch": 2 }`. */
function versionOf(json: Json | undefined): string | null {
  const record = objectOf(json)
  if (record === null) return scalarTextOf(json)
  const parts = [['major'], ['minor'], ['patch', 'revision', 'micro'], ['build']].map((names) =>
    firstOf(record, names, numberOf),
  )
  const numbers = parts.filter((part) => part !== null)
  return numbers.length > 1
    ? numbers.join('.')
    : firstOf(record, ['version', 'value', 'text', 'name'], scalarTextOf)
}

const stageNames = ['stage', 'releaseStage', 'channel', 'releaseChannel', 'maturity']
/** The published values (services.md#A32): recognized even under another member name. */
const stagePattern = /^(?:candidate|test|beta|public)$/i

function stageOf(record: JsonObject): string | null {
  const other = firstOf(record, ['releaseType', 'type', ...stateNames], wordIn)
  return firstOf(record, stageNames, wordIn) ?? (other !== null && stagePattern.test(other) ? other : null)
}

const stateNames = [
  'status',
  'state',
  'releaseStatus',
  'releaseState',
  'lifecycle',
  'lifecycleState',
  'availability',
]
const revokedPattern =
  /^(?:is[\s_-]*)?(?:revoked|withdrawn|recalled|retracted|pulled|blocked|removed|unpublished|discontinued)$/i
const notRevokedPattern =
  /^(?:|none|never|n\/?a|-+|–|active|available|published|valid|ok|not[\s_-]*(?:revoked|withdrawn))$/i
/** Members whose presence means revoked. */
const revokedNames = [
  'revoked',
  'isRevoked',
  'withdrawn',
  'isWithdrawn',
  'recalled',
  'isRecalled',
  'retracted',
  'pulled',
  'blocked',
  'isBlocked',
]
const revokedMoments = [
  'revokedAt',
  'revokedOn',
  'revokedDate',
  'revocation',
  'revocationDate',
  'revokedReason',
  'revocationReason',
  'withdrawnAt',
  'withdrawnDate',
  'recalledAt',
]
const offeredNames = ['available', 'isAvailable', 'active', 'isActive']

/**
 * Whether a release is revoked, in any form that a service may use; a boolean that may be missing was
 * observed (services.md#A3). In doubt it counts as revoked, because a revoked release must not be offered as
 * the latest. null: not stated.
 */
function revokedOf(record: JsonObject): boolean | null {
  const said = [
    ...revokedNames.map((name) => revokedAs(memberOf(record, name))),
    ...revokedMoments.map((name) => (revokedAs(memberOf(record, name)) === true ? true : null)),
    ...[...stateNames, ...stageNames].map((name) =>
      revokedPattern.test(wordIn(memberOf(record, name)) ?? '') ? true : null,
    ),
    ...['tags', 'labels', 'flags'].map((name) =>
      textsIn(memberOf(record, name)).some((word) => revokedPattern.test(word.trim())) ? true : null,
    ),
    ...offeredNames.map((name) => (booleanOf(memberOf(record, name)) === false ? true : null)),
  ]
  return said.includes(true) ? true : said.includes(false) ? false : null
}

/** A boolean in any form; any other text, a date or a record means that it was revoked. */
function revokedAs(json: Json | undefined): boolean | null {
  if (json === undefined) return null
  if (Array.isArray(json)) return json.length > 0
  const record = objectOf(json)
  if (record !== null)
    return firstOf(record, ['value', 'revoked', 'isRevoked'], booleanOf) ?? Object.keys(record).length > 0
  const plain = booleanOf(json)
  if (plain !== null) return plain
  const word = scalarTextOf(json) ?? ''
  return word === '' ? null : !notRevokedPattern.test(word)
}

const httpsWithin = (json: Json | undefined): string | null =>
  json === undefined ? null : (textsWithin(json).find(({ text }) => isHttps(text))?.text ?? null)
