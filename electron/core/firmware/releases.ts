import { prereleaseStages, type PrereleaseStage } from '../../contract/firmware.ts'
import type { FirmwareRelease, FirmwareStanding, NoLatest } from '../../contract/api/firmware.ts'
import type { PublishedRelease } from '../metadata/metadata.ts'
import { compareVersions, isVersion } from './version-order.ts'

/** The prerelease stage a word names, in whatever case; null: another word, or none. */
const prereleaseOf = (stage: string | null): PrereleaseStage | null =>
  prereleaseStages.find((one) => one.toLowerCase() === stage?.trim().toLowerCase()) ?? null

/** Whether a release is offered to everyone: neither revoked nor of a prerelease stage that was not asked for. One that names no stage is (chosen). */
function isOffered(
  release: { readonly revoked: boolean; readonly stage: string | null },
  included: readonly PrereleaseStage[],
): boolean {
  const prerelease = prereleaseOf(release.stage)
  return !release.revoked && (prerelease === null || included.includes(prerelease))
}

/**
 * Releases newest first, at most one of them the latest: the numerically greatest that is offered to everyone; `included` are the
 * prerelease stages the technician asked for. Where a record does not say whether it is revoked, or its stage, the catalogue's word for
 * that version counts (A3): a revoked release is never offered.
 */
export function inOrder(
  published: readonly PublishedRelease[],
  catalogue: readonly PublishedRelease[],
  included: readonly PrereleaseStage[] = [],
): readonly FirmwareRelease[] {
  const once = [...new Map(published.map((release) => [sameness(release), release])).values()]
  const sorted = once
    .map((release) => {
      const there = catalogue.filter((other) => compareVersions(other.version, release.version) === 0)
      const stage = release.stage ?? there.find((other) => other.stage !== null)?.stage ?? null
      return { ...release, revoked: release.revoked ?? there.some((other) => other.revoked === true), stage }
    })
    .sort((a, b) => compareVersions(b.version, a.version))
  const latest = sorted.find((release) => isOffered(release, included) && isVersion(release.version))
  return sorted.map((release) => {
    const { version, revoked, stage, releasedAt, fileName, fileSize, md5, notesUrl, raw } = release
    const stageStated = prereleaseOf(stage) !== null || stage?.trim().toLowerCase() === 'public'
    return {
      version,
      latest: release === latest,
      revoked,
      stage,
      stageStated,
      releasedAt,
      fileName,
      fileSize,
      md5,
      notesUrl,
      raw,
    }
  })
}

export function latestOf(
  published: readonly PublishedRelease[],
  included: readonly PrereleaseStage[] = [],
): string | null {
  return inOrder(published, published, included).find((release) => release.latest)?.version ?? null
}

/** Of releases in order, none of which is the latest. */
export function whyNoLatest(
  releases: readonly FirmwareRelease[],
  included: readonly PrereleaseStage[] = [],
): NoLatest {
  if (releases.length === 0) return 'not-published'
  if (releases.every((release) => release.revoked)) return 'all-revoked'
  return releases.some((release) => isOffered(release, included))
    ? 'no-readable-version'
    : 'no-public-release'
}

/** How an installed version stands against releases in order; `by` counts the newer versions that are offered to everyone, each once. */
export function standingOf(
  installed: string,
  releases: readonly FirmwareRelease[],
  included: readonly PrereleaseStage[] = [],
): FirmwareStanding {
  const latest = releases.find((release) => release.latest)?.version ?? null
  const same = releases.filter((release) => compareVersions(release.version, installed) === 0)
  if (same.length > 0 && same.every((release) => release.revoked)) return { kind: 'revoked', latest }
  if (latest === null) return { kind: 'unknown', why: whyNoLatest(releases, included) }
  const order = compareVersions(installed, latest)
  if (order === 0) return { kind: 'current', latest }
  if (order > 0) return { kind: 'ahead', latest }
  const newer = releases
    .filter((release) => isOffered(release, included) && compareVersions(release.version, installed) > 0)
    .map(({ version }) => version)
  return {
    kind: 'behind',
    latest,
    by: newer.filter((version, i) => i === 0 || compareVersions(version, newer[i - 1] ?? null) !== 0).length,
  }
}

/** Several catalogue products publish one release for a shared id; the same version with another checksum is another release (A8). */
const sameness = (release: PublishedRelease): string => JSON.stringify({ ...release, raw: null })
