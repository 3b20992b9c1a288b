import type { FirmwareRelease, FirmwareStanding } from '../../contract/firmware.ts'
import type { PublishedRelease } from '../metadata/metadata.ts'
import { compareVersions, isVersion } from './version-order.ts'

/**
 * Releases newest first, at most one of them the latest: the numerically greatest that is not revoked.
 * Where a record does not say whether it is revoked, the catalogue's word for that version counts (A3): a revoked release is never offered.
 */
export function inOrder(published: readonly PublishedRelease[], catalogue: readonly PublishedRelease[]): readonly FirmwareRelease[] {
  const revokedThere = catalogue.filter((release) => release.revoked === true)
  const once = [...new Map(published.map((release) => [sameness(release), release])).values()]
  const sorted = once
    .map((release) => ({
      ...release,
      revoked: release.revoked ?? revokedThere.some((other) => compareVersions(other.version, release.version) === 0),
    }))
    .sort((a, b) => compareVersions(b.version, a.version))
  const latest = sorted.find((release) => !release.revoked && isVersion(release.version))
  return sorted.map((release) => {
    const { version, revoked, stage, releasedAt, fileName, fileSize, md5, notesUrl, raw } = release
    return { version, latest: release === latest, revoked, stage, releasedAt, fileName, fileSize, md5, notesUrl, raw }
  })
}

export function latestOf(published: readonly PublishedRelease[]): string | null {
  return inOrder(published, published).find((release) => release.latest)?.version ?? null
}

/** How an installed version stands against releases in order; `by` counts the newer versions that are not revoked, each once. */
export function standingOf(installed: string, releases: readonly FirmwareRelease[]): FirmwareStanding {
  const latest = releases.find((release) => release.latest)?.version ?? null
  const same = releases.filter((release) => compareVersions(release.version, installed) === 0)
  if (same.length > 0 && same.every((release) => release.revoked)) return { kind: 'revoked', latest }
  if (latest === null) return { kind: 'unknown', why: 'not-published' }
  const order = compareVersions(installed, latest)
  if (order === 0) return { kind: 'current', latest }
  if (order > 0) return { kind: 'ahead', latest }
  const newer = releases.filter((release) => !release.revoked && compareVersions(release.version, installed) > 0).map((release) => release.version)
  return { kind: 'behind', latest, by: newer.filter((version, i) => i === 0 || compareVersions(version, newer[i - 1] ?? null) !== 0).length }
}

/** Several catalogue products publish one release for a shared id; the same version with another checksum is another release (A8). */
const sameness = (release: PublishedRelease): string => JSON.stringify({ ...release, raw: null })
