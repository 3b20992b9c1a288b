import { prereleaseStages, type PrereleaseStage } from '../../contract/firmware.ts'
import type { FirmwareRelease, FirmwareCompliance, NoLatest } from '../../contract/api/firmware.ts'
import type { BundledFirmware } from '../../contract/failure.ts'
import type { PublishedRelease } from '../metadata/metadata.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'

/** The prerelease stage of a text, in any case; null: another text, or none. */
const prereleaseOf = (stage: string | null): PrereleaseStage | null =>
  prereleaseStages.find((one) => one.toLowerCase() === stage?.trim().toLowerCase()) ?? null

/**
 * Whether a release is for everyone: neither revoked nor of a prerelease stage that was not included. A
 * release without a stage is for everyone; change this if such releases turn out to be prereleases.
 */
function isOffered(
  release: { readonly revoked: boolean; readonly stage: string | null },
  included: readonly PrereleaseStage[],
): boolean {
  const prerelease = prereleaseOf(release.stage)
  return !release.revoked && (prerelease === null || included.includes(prerelease))
}

/**
 * Releases newest first, at most one of them the latest: the numerically greatest for everyone; `included`
 * are the prerelease stages the technician selected. A release that any record, also of the catalogue, calls
 * revoked is revoked: it is never offered. If a record does not state its stage, another record's value for
 * that release, else the catalogue's value for that version applies (services.md#A3). Of releases in bundles
 * the newest of every group must be the same.
 */
export function inOrder(
  published: readonly PublishedRelease[],
  catalogue: readonly PublishedRelease[],
  included: readonly PrereleaseStage[] = [],
): readonly FirmwareRelease[] {
  const revoked = [...published, ...catalogue].filter((one) => one.revoked === true)
  const whole = published.map((release) => {
    const there = catalogue.filter((other) => compareVersions(other.version, release.version) === 0)
    const staged = (other: PublishedRelease) => other.stage !== null
    return {
      ...release,
      revoked:
        revoked.some((other) => isSameRelease(release, other)) ||
        there.some(
          (other) =>
            other.revoked === true &&
            (release.revoked === null || release.md5 === null || other.md5 === null),
        ),
      stage:
        release.stage ??
        published.find((other) => staged(other) && isSameRelease(release, other))?.stage ??
        there.find(staged)?.stage ??
        null,
    }
  })
  const sorted = [...new Map(whole.map((release) => [sameness(release), release])).values()].sort(newestFirst)
  const newest = newestOfGroups(sorted, included)
  const latest = differ(newest) ? undefined : newest[0]
  return sorted.map((release) => {
    const { stage } = release
    const stageStated = prereleaseOf(stage) !== null || stage?.trim().toLowerCase() === 'public'
    return {
      ...release,
      latest: release === latest,
      stageStated,
      bundle: release.bundle ?? null,
    }
  })
}

interface Versioned {
  readonly version: string
  readonly revoked: boolean
  readonly stage: string | null
  readonly bundle?: PublishedRelease['bundle'] | null
}

const newestFirst = (a: PublishedRelease, b: PublishedRelease): number =>
  compareVersions(b.version, a.version) || compareVersions(b.bundle?.version ?? '', a.bundle?.version ?? '')

/**
 * From sorted releases, the newest offered one of every bundle group; a product's own releases are one group.
 */
function newestOfGroups<R extends Versioned>(
  sorted: readonly R[],
  included: readonly PrereleaseStage[],
): readonly R[] {
  const byGroup = new Map<string, R>()
  for (const release of sorted) {
    const { group = null, name = null } = release.bundle ?? {}
    const key = (group ?? name ?? '').toLowerCase()
    if (!byGroup.has(key) && isOffered(release, included) && isVersion(release.version))
      byGroup.set(key, release)
  }
  return [...byGroup.values()]
}

const differ = (newest: readonly Versioned[]): boolean =>
  newest.some(({ version }) => compareVersions(version, newest[0]?.version ?? null) !== 0)

/** The name of a release in a bundle if there are several. */
const bundledFirmware = ({ version, bundle = null }: Versioned): BundledFirmware => ({
  bundle: bundle?.name ?? bundle?.group ?? '',
  bundleVersion: bundle?.version ?? null,
  firmware: version,
})

export type LatestRelease = Pick<FirmwareRelease, 'version' | 'releasedAt'>

export function latestOf(
  published: readonly PublishedRelease[],
  included: readonly PrereleaseStage[] = [],
): LatestRelease | null {
  return inOrder(published, published, included).find((release) => release.latest) ?? null
}

/** From sorted releases, without a latest one. */
export function whyNoLatest(
  releases: readonly FirmwareRelease[],
  included: readonly PrereleaseStage[] = [],
): Exclude<NoLatest, 'list-unread'> {
  if (releases.length === 0) return 'not-published'
  if (releases.every((release) => release.revoked)) return 'all-revoked'
  if (differ(newestOfGroups(releases, included))) return 'bundles-differ'
  return releases.some((release) => isOffered(release, included))
    ? 'no-readable-version'
    : 'no-public-release'
}

/**
 * Compares an installed version with sorted releases; `by` counts distinct newer versions that may be the
 * latest, and the approved version. `approved`: compared with this version; null: with the latest.
 */
export function complianceOf(
  installed: string,
  releases: readonly FirmwareRelease[],
  included: readonly PrereleaseStage[] = [],
  approved: string | null = null,
): FirmwareCompliance {
  const latest = releases.find((release) => release.latest)?.version ?? null
  const same = releases.filter((release) => compareVersions(release.version, installed) === 0)
  if (same.length > 0 && same.every((release) => release.revoked))
    return { kind: 'revoked', latest, ...(approved === null ? {} : { approved }) }
  if (approved !== null) {
    const order = compareVersions(installed, approved)
    if (order === 0) return { kind: 'current', latest, approved }
    if (order > 0) return { kind: 'ahead', latest, approved }
    const upTo = releases.filter(
      (one) => compareVersions(one.version, approved) === 0 || isOffered(one, included),
    )
    const by = newerThan(installed, upTo).filter((version) => compareVersions(version, approved) <= 0)
    return { kind: 'behind', latest, approved, by: Math.max(by.length, 1) }
  }
  if (latest === null) {
    const why = whyNoLatest(releases, included)
    return why === 'bundles-differ'
      ? { kind: 'unknown', why, bundles: newestOfGroups(releases, included).map(bundledFirmware) }
      : { kind: 'unknown', why }
  }
  const order = compareVersions(installed, latest)
  if (order === 0) return { kind: 'current', latest }
  if (order > 0) return { kind: 'ahead', latest }
  const offered = releases.filter((release) => isOffered(release, included))
  return { kind: 'behind', latest, by: newerThan(installed, offered).length }
}

/** Distinct versions of sorted releases. */
function newerThan(installed: string, releases: readonly FirmwareRelease[]): readonly string[] {
  const newer = releases
    .filter((release) => compareVersions(release.version, installed) > 0)
    .map(({ version }) => version)
  return newer.filter((version, i) => i === 0 || compareVersions(version, newer[i - 1] ?? null) !== 0)
}

/**
 * Whether two records describe one release: version and checksum (services.md#A8). Without checksums, only
 * records of one list or bundle do: another bundle may be revoked for another product's firmware.
 */
const isSameRelease = (one: PublishedRelease, other: PublishedRelease): boolean =>
  compareVersions(one.version, other.version) === 0 &&
  one.md5 === other.md5 &&
  (one.md5 !== null ||
    (one.bundle?.group === other.bundle?.group && one.bundle?.version === other.bundle?.version))

/**
 * Several catalogue products with a shared id publish the same release; the same version with another
 * checksum is a different release (services.md#A8).
 */
const sameness = (release: PublishedRelease): string => JSON.stringify({ ...release, raw: null })
