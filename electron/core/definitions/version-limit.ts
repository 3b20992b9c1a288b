import type { InUseReason } from '../../contract/api/definitions.ts'
import { compareVersions } from '../lists/version-order.ts'

export interface VersionLimit {
  readonly package: { readonly version: string; readonly schemaVersion: string }
  /** The profile's own number; null: the package's version is the definition limit. */
  readonly profile: string | null
}

export interface LimitedVersion {
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
