import type { DefinitionInUse, SchemaVersions, Stage, InUseReason } from '../../contract/api/definitions.ts'
import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import type { Observed } from '../../contract/api/firmware.ts'
import { compareVersions, isSameVersion, isVersion } from '../lists/version-order.ts'
import {
  NotPublished,
  type Ask,
  type DefinitionLabel,
  type Metadata,
  type CachedDocument,
} from '../metadata/metadata.ts'

/**
 * The definition version in use, and why: the numerically greatest schema version that is not a prerelease
 * and whose latest definition version is published, but never above the definition limit. If none is listed,
 * the package's own is queried. Rejects with Failed.
 */
export async function findVersionInUse(
  metadata: Metadata,
  versionLimit: VersionLimit,
  ask: Ask,
): Promise<DefinitionInUse> {
  const list = await publishedOrWhen(metadata.schemaVersions(ask))
  const isListed = 'value' in list
  const versions = (isListed ? list.value : [versionLimit.package.schemaVersion])
    .filter(isVersion)
    .sort((a, b) => compareVersions(b, a))
  const released = versions.filter((version) => !isPrerelease(version))
  const [greatest] = released.length > 0 ? released : versions
  if (greatest === undefined) throw noNumber('schema')
  const latest = await latestOf(metadata, released.length > 0 ? released : versions, ask)
  const schemaVersion = latest?.schemaVersion ?? greatest
  const definitionVersion = latest?.definitionVersion ?? null
  if (definitionVersion !== null && !isVersion(definitionVersion)) throw noNumber('definition')
  const limited = limitVersion(schemaVersion, definitionVersion, versionLimit)
  return {
    schemaVersion,
    schemasListed: isListed,
    passedOver: latest?.passedOver ?? [],
    statedSchemaVersion: latest?.info.value.schemaVersion ?? null,
    latest: definitionVersion,
    ...limited,
    stage: await stageOf(metadata, limited.inUse, limited.schemaInUse, latest?.info.value ?? null, ask),
    ...together(latest === null ? [list] : [list, latest.info]),
  }
}

/** A document, or the time when it was found not to exist. */
async function publishedOrWhen<T>(
  reading: Promise<CachedDocument<T>>,
): Promise<CachedDocument<T> | Observed> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NotPublished) return error
    throw error
  }
}

/** `1.13.0-beta`: a version with a suffix is lower than the plain one. A `+build` has no effect. */
const isPrerelease = (version: string): boolean =>
  compareVersions(version, /^v?[\d.]+/i.exec(version.trim())?.[0] ?? version) < 0

interface Latest {
  readonly schemaVersion: string
  readonly info: CachedDocument<DefinitionLabel>
  readonly definitionVersion: string
  readonly passedOver: readonly string[]
}

/**
 * The first schema version, greatest first, whose latest definition version is published; null: there is
 * none.
 */
async function latestOf(
  metadata: Metadata,
  greatestFirst: readonly string[],
  ask: Ask,
): Promise<Latest | null> {
  const passedOver: string[] = []
  for (const schemaVersion of greatestFirst) {
    const info = await foundOrNull(metadata.latestInfo(schemaVersion, ask))
    const definitionVersion = info?.value.definitionVersion ?? null
    if (info !== null && definitionVersion !== null)
      return { schemaVersion, info, definitionVersion, passedOver }
    passedOver.push(schemaVersion)
  }
  return null
}

/** Only definition documents state the stage; a document of another version says nothing about this one. */
async function stageOf(
  metadata: Metadata,
  version: string,
  schemaVersion: string,
  info: DefinitionLabel | null,
  ask: Ask,
): Promise<Stage | null> {
  if (info !== null && info.stage !== null && info.definitionVersion === version) return info.stage
  try {
    const { value } = await metadata.gnpPropertiesTrimmed(schemaVersion, { ...ask, refresh: false })
    return isSameVersion(value.definitionVersion, version) ? value.stage : null
  } catch (error) {
    return unlessCancelled(error)
  }
}

/**
 * All schema versions, greatest first, with their latest definition version and its stage. If no list is
 * published, the installed package's own. Cells of an unreachable document are empty.
 */
export async function schemaVersions(
  metadata: Metadata,
  used: DefinitionInUse,
  ask: Ask,
): Promise<SchemaVersions['schemas']> {
  const listed = used.schemasListed ? (await metadata.schemaVersions(ask)).value : [used.schemaVersion]
  return await Promise.all(
    listed
      .filter(isVersion)
      .toSorted((a, b) => compareVersions(b, a))
      .map(async (version) => {
        const info = await metadata.latestInfo(version, ask).catch(unlessCancelled)
        const latest = info?.value.definitionVersion ?? null
        const stage =
          latest === null ? null : await stageOf(metadata, latest, version, info?.value ?? null, ask)
        return { version, stage, latest }
      }),
  )
}

const unlessCancelled = (error: unknown): null => {
  if (error instanceof Failed && !isKind(error.failure, 'cancelled')) return null
  throw error
}

const noNumber = (of: 'schema' | 'definition'): Failed => Failed.notFound(`a numeric ${of} version`)

/** Together, several documents have the age of the oldest. They count as cached only if all are. */
export const together = (readings: readonly Observed[]): Observed => ({
  observedAt: Math.min(...readings.map((reading) => reading.observedAt)),
  fromCache: readings.every((reading) => reading.fromCache),
})

interface VersionLimit {
  readonly package: { readonly version: string; readonly schemaVersion: string }
  /** The profile's own number; null: the package's version is the definition limit. */
  readonly profile: string | null
}

interface LimitedVersion {
  readonly limit: string
  readonly inUse: string
  readonly schemaInUse: string
  readonly reason: InUseReason
}

/**
 * The definition version in use (services.md#A34): the latest, but never above the definition
 * limit; if no latest is published (null), the limit. If the package's version is the limit, the package's
 * schema version is used. If the profile's number is the limit, it is used too, unless that number is above
 * the package's: then the service's schema version remains (chosen; schema versions are never deprecated,
 * services.md#A36).
 */
export function limitVersion(
  schemaVersion: string,
  latest: string | null,
  { package: installed, profile }: VersionLimit,
): LimitedVersion {
  const limit = profile ?? installed.version
  if (latest !== null && compareVersions(latest, limit) <= 0)
    return { limit, inUse: latest, schemaInUse: schemaVersion, reason: 'latest-within-limit' }
  const schemaInUse = compareVersions(limit, installed.version) <= 0 ? installed.schemaVersion : schemaVersion
  const reason =
    latest === null ? 'latest-not-published' : profile === null ? 'held-at-package' : 'held-at-profile'
  return { limit, inUse: limit, schemaInUse, reason }
}

/**
 * Never above the definition limit (services.md#A34). A document that was requested by schema version and
 * states no definition version is that schema's latest, which is above the definition limit if the limit
 * applies.
 */
export function isAboveLimit(
  definitionVersion: string | null,
  isBySchema: boolean,
  used: DefinitionInUse,
): boolean {
  if (definitionVersion !== null && isVersion(definitionVersion))
    return compareVersions(definitionVersion, used.limit) > 0
  return isBySchema && used.reason !== 'latest-within-limit'
}
