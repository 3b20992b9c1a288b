import { Failed, failedWith } from '../../contract/failure.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import type {
  BuildType,
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareRelease,
  ReleaseQuery,
} from '../../contract/api/firmware.ts'
import { withMeant } from '../../contract/near-words.ts'
import type { Clock } from '../platform.ts'
import {
  goodForMs,
  type Ask,
  type Metadata,
  type PublishedRelease,
  type DownloadLink,
  type CachedDocument,
} from '../metadata/metadata.ts'
import { compareVersions } from '../lists/version-order.ts'
import type { Approvals } from './approvals.ts'
import { ifAny, isNamed, fetchBundles, releasesInBundles } from './bundles.ts'
import { productKey, productName } from './product-list.ts'
import { withoutRefresh, type ReleaseLists } from './release-lists.ts'
import { inOrder, whyNoLatest } from './releases.ts'

export function openDownloadLinks(deps: {
  readonly clock: Pick<Clock, 'now'>
  readonly metadata: Metadata
  readonly lists: Pick<ReleaseLists, 'ordered' | 'bundled' | 'buildTypesSeen'>
  readonly assumedBuildTypes: readonly string[]
  readonly includeStages: readonly PrereleaseStage[]
  readonly approvals: Pick<Approvals, 'versionFor'> | undefined
}) {
  const { clock, metadata, lists, assumedBuildTypes, includeStages, approvals } = deps
  async function buildTypes(): Promise<readonly BuildType[]> {
    const others = [...lists.buildTypesSeen].filter((name) => !assumedBuildTypes.includes(name)).sort()
    return [...assumedBuildTypes, ...others].map((name) => ({
      name,
      source: lists.buildTypesSeen.has(name) ? 'seen' : 'assumed',
    }))
  }

  function usualBuildType(release: Pick<PublishedRelease, 'buildTypes'> | null): string {
    return (
      assumedBuildTypes.find((word) => release?.buildTypes.includes(word) === true) ??
      assumedBuildTypes[0] ??
      ''
    )
  }

  /** Also rejects with Failed `not-found` if the latest is requested and there is none. */
  async function link(requested: FirmwareLinkQuery, ask: Ask): Promise<FirmwareLink> {
    const query =
      requested.version === 'approved' && approvals !== undefined
        ? { ...requested, version: await approvals.versionFor(requested, requested.variant ?? null) }
        : requested
    const release = await findRelease(query, ask)
    try {
      return await linkOf(query, release, ask)
    } catch (error) {
      if (!failedWith(error, 'not-found')) throw error
      const bundled = release.bundle === null ? await versionInBundles(query, ask) : null
      if (bundled !== null) return linkOf(query, bundled, ask)
      const listed = await ifAny(metadata.firmwareReleases(query, withoutRefresh(ask)))
      const versions = (listed?.value.releases ?? []).flatMap(({ version, revoked }) =>
        revoked === true ? [] : version,
      )
      const { failure } = error
      throw new Failed({ ...failure, what: withMeant(failure.what, query.version, versions) })
    }
  }

  /** The members of a release that are needed to request its link. */
  type RequestedRelease = Pick<FirmwareRelease, 'version' | 'buildTypes' | 'bundle'>

  async function linkOf(
    query: FirmwareLinkQuery,
    release: RequestedRelease,
    ask: Ask,
  ): Promise<FirmwareLink> {
    const { vendorId: vendor, productId } = query
    const { version } = release
    const buildType = query.buildType ?? usualBuildType(release)
    const { group = null, version: bundleVersion = null } = release.bundle ?? {}
    const bundle = group === null || bundleVersion === null ? null : { group, version: bundleVersion }
    const load = (how: Ask) =>
      bundle === null
        ? metadata.downloadLink({ vendorId: vendor, productId, version, buildType }, how)
        : metadata.downloadLinkByBundle(
            {
              vendorId: vendor,
              productId,
              firmwareBundleGroupId: bundle.group,
              firmwareBundleVersion: bundle.version,
              buildType,
            },
            how,
          )
    const first = await load(ask)
    // A cached link that has expired is useless even if its headers call it fresh: the copy is only used if
    // the service does not respond.
    const { value, observedAt, fromCache } =
      first.fromCache && hasEnded(first, clock.now()) ? await load({ ...ask, refresh: true }) : first
    lists.buildTypesSeen.add(buildType)
    return { version, buildType, bundle, ...publicLink(value, observedAt), observedAt, fromCache }
  }

  async function findRelease(query: FirmwareLinkQuery, ask: Ask): Promise<RequestedRelease> {
    const quietly = withoutRefresh(ask)
    if (query.bundle !== undefined) return inBundle(query, query.bundle, quietly)
    if (query.version === 'latest') return latestRelease(query, quietly)
    // The record is needed for the build type only: a version that no list names can still be requested.
    const known = query.buildType === null ? await ifAny(metadata.firmwareReleases(query, quietly)) : null
    const published = known?.value.releases.find((one) => compareVersions(one.version, query.version) === 0)
    return { version: query.version, buildTypes: published?.buildTypes ?? [], bundle: null }
  }

  /** A version that the product does not publish itself; null: no bundle contains it either. */
  async function versionInBundles(query: FirmwareLinkQuery, ask: Ask): Promise<FirmwareRelease | null> {
    const there = orderedInBundles(query, await lists.bundled(query, withoutRefresh(ask)))
    const [first, ...others] = withVersion(there, query.version)
    const another = others.find((one) => compareVersions(one.version, first?.version ?? null) !== 0)
    if (first !== undefined && another !== undefined)
      throw Failed.invalid(
        'bundle',
        `Several bundles have version ${query.version}: ${[first, another].map(releaseText).join(' and ')}.`,
      )
    return first ?? null
  }

  /** By the firmware version; if no release has it, by the bundle's own version. Those of a revoked bundle come last. */
  function withVersion(releases: readonly FirmwareRelease[], version: string): readonly FirmwareRelease[] {
    const byFirmware = releases.filter((one) => compareVersions(one.version, version) === 0)
    const found =
      byFirmware.length > 0
        ? byFirmware
        : releases.filter((one) => compareVersions(one.bundle?.version ?? '', version) === 0)
    return found.toSorted((a, b) => Number(a.revoked) - Number(b.revoked))
  }

  const orderedInBundles = (
    query: ReleaseQuery,
    releases: readonly PublishedRelease[],
  ): readonly FirmwareRelease[] => inOrder(releases, [], query.includeStages ?? includeStages)

  async function inBundle(query: FirmwareLinkQuery, bundle: string, ask: Ask): Promise<FirmwareRelease> {
    const { value } = await fetchBundles(metadata, ask)
    const releases = releasesInBundles(
      value.filter((one) => isNamed(one, bundle)),
      query,
    )
    const there = orderedInBundles(query, releases)
    const found =
      query.version === 'latest' ? there.find((one) => one.latest) : withVersion(there, query.version)[0]
    if (found !== undefined) return found
    throw Failed.notFound(
      `${query.version === 'latest' ? 'a release' : `version ${query.version}`} of ${productKey(query)} in the bundle ${bundle}`,
    )
  }

  async function latestRelease(query: ReleaseQuery, ask: Ask): Promise<FirmwareRelease> {
    const { product, ordered, unread } = await lists.ordered(query, ask)
    const latest = ordered.find((release) => release.latest)
    if (unread !== null) throw new Failed(unread)
    if (latest === undefined)
      throw Failed.notFound(
        missing[whyNoLatest(ordered, query.includeStages ?? includeStages)](productName(product)),
      )
    return latest
  }

  return { buildTypes, link, usualBuildType }
}

/** What is missing if a product has no latest release. */
const missing: Readonly<Record<ReturnType<typeof whyNoLatest>, (product: string) => string>> = {
  'not-published': (product) => `a release of ${product}`,
  'all-revoked': (product) => `a release of ${product} that was not revoked`,
  'no-public-release': (product) => `a public release of ${product}`,
  'no-readable-version': (product) => `a release of ${product} whose version can be compared`,
  'bundles-differ': (product) => `a single newest version of ${product} (its bundles name different ones)`,
}

const releaseText = ({ version, bundle }: FirmwareRelease): string =>
  `${bundle?.name ?? bundle?.group ?? ''} ${bundle?.version ?? ''} (firmware ${version})`.trim()

/**
 * When a link expires, in epoch milliseconds: from its record, else from its address (signatures of Azure,
 * CloudFront and Amazon S3 contain it). null: neither states it.
 */
export function expiryOf(link: DownloadLink, observedAt: number): number | null {
  const goodFor = goodForMs(link)
  return (
    link.expiresAt ??
    (goodFor === null ? null : observedAt + goodFor) ??
    (link.url === null ? null : expiryIn(link.url))
  )
}

/** False also if no expiry is stated. */
const hasEnded = ({ value, observedAt }: CachedDocument<DownloadLink>, now: number): boolean =>
  (expiryOf(value, observedAt) ?? Number.POSITIVE_INFINITY) <= now

/** A link in the form of the window and the command line. */
const publicLink = (
  link: DownloadLink,
  observedAt: number,
): Omit<FirmwareLink, 'version' | 'buildType' | 'bundle' | 'observedAt' | 'fromCache'> => {
  const { url, refused, bytes, md5, raw } = link
  return {
    url,
    host: url === null ? null : new URL(url).host,
    refused,
    expiresAt: expiryOf(link, observedAt),
    bytes,
    md5,
    raw,
  }
}

function expiryIn(url: string): number | null {
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const seconds = (name: string): number | null =>
    /^\d{1,12}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null
  const day = /^\d{4}-\d{2}-\d{2}/.test(query.get('se') ?? '')
    ? Date.parse(query.get('se') ?? '')
    : Number.NaN
  if (!Number.isNaN(day)) return day
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(
      query.get('x-amz-date') ?? query.get('x-goog-date') ?? '',
    ) ?? []
  const signedFor = seconds('x-amz-expires') ?? seconds('x-goog-expires')
  if (year !== undefined && signedFor !== null)
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute), Number(second)) +
      signedFor * 1_000
    )
  const moment = seconds('expires')
  // Less than a year in seconds is a duration, and its start is not stated.
  return moment === null || moment < 31_536_000 ? null : moment * 1_000
}
