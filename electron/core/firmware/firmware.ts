import { Failed, type BundledFirmware, type Failure, type FailureKind } from '../../contract/failure.ts'
import { isProductId, type PrereleaseStage } from '../../contract/firmware.ts'
import type {
  BuildType,
  FirmwareBundles,
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareRelease,
  FirmwareStanding,
  FleetStatus,
  NoLatest,
  Product,
  ProductId,
  ProductPage,
  ProductQuery,
  ReleaseList,
  ReleaseQuery,
  UnreadRecords,
} from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { Clock } from '../platform.ts'
import type {
  Ask,
  Catalogue,
  Metadata,
  PublishedRelease,
  PublishedReleases,
  Reading,
} from '../metadata/metadata.ts'
import { publishedOrNull } from '../metadata/metadata.ts'
import { ifAny, isNamed, listedBundles, naming, readBundles, releasesInBundles } from './bundles.ts'
import type { Approvals } from './approvals.ts'
import { hasEnded, shownLink } from './link-expiry.ts'
import { productDetails } from './product-details.ts'
import { idsTyped, mustBeProductId } from './product-ids.ts'
import {
  keyOf,
  listProducts,
  nameOf,
  plain,
  productOf,
  search,
  unlisted,
  withTypedId,
  type ListedProduct,
} from './product-list.ts'
import { inOrder, latestOf, standingOf, whyNoLatest } from './releases.ts'
import { compareVersions, isVersion } from '../lists/version-order.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { Devices } from '../devices/devices.ts'

export { openApprovals, type Approvals } from './approvals.ts'
export { openCompliance, type Compliance } from './compliance.ts'
export { openRecovery, type Recovery } from './recovery.ts'
export { compareVersions, isVersion } from '../lists/version-order.ts'

/** Chosen: records that cannot be read and are shown; all are counted. */
const unreadAtMost = 50
/** Chosen: products looked up side by side in the background, out of the metadata interface's eight. */
const warmedTogether = 2
/** Products in a row for which the service answered 5xx: the service is away, not one document. Chosen. */
const unavailableInARow = 3
/** Failures that say nothing about one product: the service was not heard, or was not to be asked. */
const aboutNoProduct: ReadonlySet<FailureKind> = new Set([
  'not-found',
  'offline',
  'timed-out',
  'rate-limited',
  'cancelled',
  'cache-unusable',
])
const catalogueMayAnswer: ReadonlySet<FailureKind> = new Set([
  'not-found',
  'offline',
  'timed-out',
  'service-unavailable',
  'rate-limited',
])

export interface WarmReport {
  /** Products whose releases are there now. */
  readonly warmed: number
  /** Products without releases or link: "not published" is an answer too. */
  readonly notPublished: number
  /** Products not looked up: the work was cancelled, or the service did not answer. */
  readonly left: number
  /** Neither the catalogue nor any other document was found: the metadata address or its version is wrong. Missing: something was. */
  readonly nothingPublished?: true
}

export interface Firmware {
  products(query: ProductQuery): Promise<ProductPage>
  releases(query: ReleaseQuery, ask?: Ask): Promise<ReleaseList>
  buildTypes(): Promise<readonly BuildType[]>
  /** Firmware bundles, all or those that name a product. Rejects with Failed. */
  bundles(product: ProductId | null, ask?: Ask): Promise<FirmwareBundles>
  /** Rejects with Failed `not-found` also where the latest is asked for and there is none. */
  link(query: FirmwareLinkQuery & { readonly refresh: boolean }): Promise<FirmwareLink>
  /** The build type of a release where none is said: the first of the profile's list that the release names, else the first of the list. */
  usualBuildType(release: Pick<PublishedRelease, 'buildTypes'> | null): string
  /** Of a device as it reports itself; the device record has no vendor (observed), so the organization's counts unless one is given. */
  standing(device: {
    readonly productId: number | null
    readonly firmwareVersion: string | null
    readonly variantType?: string | null
    readonly vendorId?: number
  }): Promise<FirmwareStanding>
  /**
   * The same for several versions of one product, by version as given; one that is no version is not among them. `approved`: compared with
   * this version instead of the latest. Rejects with Failed
   * `invalid` for a number that is no product id, or what kept its releases from being read.
   */
  standings(
    query: ReleaseQuery & { readonly approved?: string | null },
    versions: readonly string[],
    ask?: Ask,
  ): Promise<ReadonlyMap<string, FirmwareStanding>>
  /** Called when releases or the catalogue came from the service, or could not be read any more. Returns the function that ends it. */
  onReadAnew(listener: () => void): () => void
  /** Why the releases of a product could not be read when they were last asked for; null: they could, or the service was away. */
  lookupFailure(id: ProductId): Failure | null
  /** Whether the last `warm` found nothing published at all, and nothing was found since. */
  nothingPublished(): boolean
  /** `2830/9395`, `9395`, `0x24B3` … or a name. Rejects with Failed `invalid` naming the candidates, or `not-found`. */
  find(text: string): Promise<Product>
  /** By its ids, named where the catalogue knows them; never rejects with Failed for want of a catalogue. */
  product(id: ProductId, ask?: Ask): Promise<Product>
  /** Products the catalogue publishes this very file for: same version, same checksum. Empty without a catalogue. */
  productsWithFile(file: { readonly version: string; readonly md5: string }): Promise<readonly Product[]>
  /**
   * After a sync: catalogue, releases and the link (usual build type) of the latest version of these products (default: those the fleet has),
   * in the background, so that they are there without a connection. Never rejects with Failed: what it could not do it tells.
   */
  warm(options: {
    readonly products?: readonly ProductId[]
    readonly signal?: AbortSignal | null
  }): Promise<WarmReport>
}

export interface FirmwareParts {
  readonly clock: Pick<Clock, 'now'>
  readonly metadata: Metadata
  /** Devices of the organization by product id, gone ones apart. */
  readonly deviceCounts: () => Promise<ReadonlyMap<number, number>>
  /** The organization's vendor id: whose product ids its devices report. */
  readonly vendorId: number
  /** The profile's list, never empty, for the words of BuildType are not published. */
  readonly assumedBuildTypes: readonly string[]
  /** Prerelease stages whose releases may be the latest; missing: none. */
  readonly includeStages?: readonly PrereleaseStage[]
  /** Variants that devices of a product tell, most frequent first; missing: none. */
  readonly fleetVariants?: (productId: number) => Promise<readonly string[]>
  /** What a person approved; missing: nothing. */
  readonly approvals?: Pick<Approvals, 'decisions' | 'versionFor'>
}

/** Chosen: variants by which a product that the catalogue lacks is looked up. */
const lookedUpAtMost = 3
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function openFirmware({
  clock,
  metadata,
  deviceCounts,
  vendorId,
  assumedBuildTypes,
  includeStages = [],
  approvals,
  fleetVariants = async () => [],
}: FirmwareParts): Firmware {
  const listedOf = new WeakMap<Catalogue, readonly ListedProduct[]>()
  /** Latest versions learnt from the releases themselves, which know better than the catalogue. */
  const latestKnown = new Map<string, string | null>()
  const buildTypesSeen = new Set<string>()
  const listeners = new Set<() => void>()
  const lookupFailures = new Map<string, Failure>()
  /** Products that the catalogue lacks, as they were looked up by themselves. */
  const learnt = new Map<string, ListedProduct>()
  const nameless = (id: ProductId): ListedProduct => learnt.get(keyOf(id)) ?? unlisted(id)
  let nothingPublished = false

  function listed(catalogue: Reading<Catalogue>): readonly ListedProduct[] {
    const known = listedOf.get(catalogue.value) ?? listProducts(catalogue.value)
    listedOf.set(catalogue.value, known)
    return known
  }

  const countOf = (counts: ReadonlyMap<number, number>, product: ProductId): number =>
    product.vendorId === vendorId ? (counts.get(product.productId) ?? 0) : 0

  const asProduct = async (product: ListedProduct, counts: ReadonlyMap<number, number>): Promise<Product> => {
    await recallLatest(product)
    const latest = latestKnown.get(keyOf(product))
    return productOf(
      product,
      countOf(counts, product),
      latest === undefined ? latestOf(product.releases, includeStages) : latest,
    )
  }

  /** What a run before this one has read of a product's releases: they know stages, which the catalogue does not. */
  async function recallLatest(product: ListedProduct): Promise<void> {
    if (latestKnown.has(keyOf(product))) return
    const kept = await ifAny(metadata.firmwareReleases(product, { keptOnly: true }))
    const own = kept?.value.releases ?? []
    const releases =
      own.length > 0 || product.releases.length > 0 ? own : await bundled(product, { keptOnly: true })
    if (releases.length > 0 && !latestKnown.has(keyOf(product)))
      noteLatest(product, inOrder(releases, product.releases, includeStages))
  }

  /** The product's releases in bundles; none where these cannot be had. */
  const bundled = async (id: ProductId, ask: Ask): Promise<readonly PublishedRelease[]> =>
    releasesInBundles((await ifAny(readBundles(metadata, ask)))?.value ?? [], id)

  const noteLatest = (id: ProductId, ordered: readonly FirmwareRelease[]): void =>
    void latestKnown.set(keyOf(id), ordered.find((release) => release.latest)?.version ?? null)

  /** The catalogue where it can be had; a product id can be asked about without it. */
  const catalogueIfAny = (ask?: Ask): Promise<Reading<Catalogue> | null> => ifAny(metadata.catalogue(ask))

  async function products(query: ProductQuery): Promise<ProductPage> {
    const [catalogue, counts] = await Promise.all([metadata.catalogue(), deviceCounts()])
    const known = listed(catalogue)
    const all = query.owned ? owned(known, counts) : known
    const found = search(all, query.text)
    const shown = found.slice(query.start, query.start + query.count)
    const { observedAt, fromCache } = catalogue
    return {
      rows: await Promise.all(shown.map((product) => asProduct(product, counts))),
      total: found.length,
      unreadable: unread(catalogue.value.unreadable),
      observedAt,
      fromCache,
    }
  }

  /** The fleet's products, those no catalogue names among them. */
  function owned(
    known: readonly ListedProduct[],
    counts: ReadonlyMap<number, number>,
  ): readonly ListedProduct[] {
    const there = known.filter((product) => countOf(counts, product) > 0)
    const named = new Set(there.map((product) => product.productId))
    const others = [...counts].filter(([productId, count]) => count > 0 && !named.has(productId))
    return [...there, ...others.map(([productId]) => unlisted({ vendorId, productId }))]
  }

  async function releases(query: ReleaseQuery, ask?: Ask): Promise<ReleaseList> {
    const [counts, { product, source, ordered, unreadable }] = await Promise.all([
      deviceCounts(),
      orderedReleases(query, ask),
    ])
    const latestVersion = ordered.find((release) => release.latest)?.version ?? null
    const { observedAt, fromCache } = source
    return {
      product: { ...(await asProduct(product, counts)), latestVersion },
      releases: ordered,
      noLatest: latestVersion === null ? whyNoLatest(ordered, query.includeStages ?? includeStages) : null,
      unreadable: unread(unreadable),
      observedAt,
      fromCache,
    }
  }

  interface Ordered {
    readonly product: ListedProduct
    readonly source: Reading<PublishedReleases>
    readonly ordered: readonly FirmwareRelease[]
    readonly unreadable: readonly Json[]
  }

  async function orderedReleases(id: ReleaseQuery, ask?: Ask): Promise<Ordered> {
    try {
      const ordered = await readInOrder(id, ask)
      if (ask?.keptOnly !== true) lookupFailures.delete(keyOf(id))
      return ordered
    } catch (error) {
      if (error instanceof Failed && ask?.keptOnly !== true && !aboutNoProduct.has(error.failure.kind)) {
        lookupFailures.set(keyOf(id), error.failure)
        for (const listener of listeners) listener()
      }
      throw error
    }
  }

  async function readInOrder(id: ReleaseQuery, ask?: Ask): Promise<Ordered> {
    mustBeProductId(id)
    const [catalogue, published] = await Promise.all([
      catalogueIfAny(withoutRefresh(ask)),
      publishedReleases(id, ask),
    ])
    const product =
      (catalogue === null ? undefined : listed(catalogue).find((one) => keyOf(one) === keyOf(id))) ??
      nameless(id)
    const inCatalogue =
      catalogue === null || product.releases.length === 0
        ? null
        : { ...catalogue, value: { releases: product.releases, unreadable: [] } }
    const own =
      published instanceof Failed
        ? inCatalogue
        : published.value.releases.length > 0
          ? published
          : (inCatalogue ?? published)
    const isNone =
      own === null
        ? published instanceof Failed && published.failure.kind === 'not-found'
        : own.value.releases.length + own.value.unreadable.length === 0
    const inBundles = isNone ? await readInBundles(product, ask) : null
    const source = inBundles ?? own
    if (source === null) throw published as Failed
    noteBuildTypes(source.value.releases)
    const ordered = inOrder(source.value.releases, product.releases, id.includeStages ?? includeStages)
    if (id.includeStages === undefined) noteLatest(id, ordered)
    const readAnew =
      catalogue?.fromCache === false ||
      (!(published instanceof Failed) && !published.fromCache) ||
      inBundles?.fromCache === false
    nothingPublished = nothingPublished && !readAnew
    if (readAnew) for (const listener of listeners) listener()
    return {
      product,
      source,
      ordered,
      unreadable: published instanceof Failed ? [] : published.value.unreadable,
    }
  }

  /**
   * Releases of a product that publishes none itself; null: no bundle that can be had names it. Rejects with Failed `not-found` with the
   * bundles that name it, where none tells a version.
   */
  async function readInBundles(
    product: ListedProduct,
    ask?: Ask,
  ): Promise<Reading<PublishedReleases> | null> {
    const bundles = await ifAny(readBundles(metadata, ask))
    const named = bundles?.value.filter((one) => naming(one, product)) ?? []
    if (bundles === null || named.length === 0) return null
    const releases = releasesInBundles(named, product)
    if (releases.length > 0) return { ...bundles, value: { releases, unreadable: [] } }
    throw notPublishedAlone(
      product,
      named.map(({ group, name, version }) => ({
        bundle: name ?? group ?? keyOf(product),
        bundleVersion: version,
        firmware: null,
      })),
    )
  }

  async function bundles(id: ProductId | null, ask?: Ask): Promise<FirmwareBundles> {
    const { value, observedAt, fromCache } = await readBundles(metadata, ask)
    const shown = id === null ? value : value.filter((one) => naming(one, id))
    return { bundles: listedBundles(shown, vendorId), observedAt, fromCache }
  }

  /** The failure as a value where the catalogue, which lists releases too, may answer in its place. */
  async function publishedReleases(id: ProductId, ask?: Ask): Promise<Reading<PublishedReleases> | Failed> {
    try {
      return await metadata.firmwareReleases(id, ask)
    } catch (error) {
      if (error instanceof Failed && catalogueMayAnswer.has(error.failure.kind)) return error
      throw error
    }
  }

  function noteBuildTypes(published: readonly PublishedRelease[]): void {
    for (const word of published.flatMap((release) => release.buildTypes)) buildTypesSeen.add(word)
  }

  async function buildTypes(): Promise<readonly BuildType[]> {
    const others = [...buildTypesSeen].filter((name) => !assumedBuildTypes.includes(name)).sort()
    return [...assumedBuildTypes, ...others].map((name) => ({
      name,
      source: buildTypesSeen.has(name) ? 'seen' : 'assumed',
    }))
  }

  function usualBuildType(release: Pick<PublishedRelease, 'buildTypes'> | null): string {
    return (
      assumedBuildTypes.find((word) => release?.buildTypes.includes(word) === true) ??
      assumedBuildTypes[0] ??
      ''
    )
  }

  async function link(asked: FirmwareLinkQuery, ask: Ask): Promise<FirmwareLink> {
    const query =
      asked.version === 'approved' && approvals !== undefined
        ? { ...asked, version: await approvals.versionFor(asked, asked.variant ?? null) }
        : asked
    const release = await releaseAsked(query, ask)
    try {
      return await linkOf(query, release, ask)
    } catch (error) {
      const isMissing = error instanceof Failed && error.failure.kind === 'not-found'
      const bundled = isMissing && release.bundle === null ? await versionInBundles(query, ask) : null
      if (bundled === null) throw error
      return linkOf(query, bundled, ask)
    }
  }

  /** What is needed of a release to ask for its link. */
  type Asked = Pick<FirmwareRelease, 'version' | 'buildTypes' | 'bundle'>

  async function linkOf(query: FirmwareLinkQuery, release: Asked, ask: Ask): Promise<FirmwareLink> {
    const { vendorId: vendor, productId } = query
    const { version } = release
    const buildType = query.buildType ?? usualBuildType(release)
    const { group = null, version: bundleVersion = null } = release.bundle ?? {}
    const bundle = group === null || bundleVersion === null ? null : { group, version: bundleVersion }
    const read = (how: Ask) =>
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
    const first = await read(ask)
    // However fresh its headers call it, a kept link that has ended is of no use: the copy answers only where the service cannot.
    const { value, observedAt, fromCache } =
      first.fromCache && hasEnded(first, clock.now()) ? await read({ ...ask, refresh: true }) : first
    buildTypesSeen.add(buildType)
    return { version, buildType, bundle, ...shownLink(value, observedAt), observedAt, fromCache }
  }

  async function releaseAsked(query: FirmwareLinkQuery, ask: Ask): Promise<Asked> {
    const quietly = withoutRefresh(ask)
    if (query.bundle !== undefined) return inBundle(query, query.bundle, quietly)
    if (query.version === 'latest') return latestRelease(query, quietly)
    // Only the build type needs its record: whoever knows a version that no list names may ask for it all the same.
    const known = query.buildType === null ? await ifAny(metadata.firmwareReleases(query, quietly)) : null
    const published = known?.value.releases.find((one) => compareVersions(one.version, query.version) === 0)
    return { version: query.version, buildTypes: published?.buildTypes ?? [], bundle: null }
  }

  /** A version that the product does not publish itself; null: no bundle holds it either. */
  async function versionInBundles(query: FirmwareLinkQuery, ask: Ask): Promise<FirmwareRelease | null> {
    const there = orderedInBundles(query, await bundled(query, withoutRefresh(ask)))
    const [first, ...others] = withVersion(there, query.version)
    const another = others.find((one) => compareVersions(one.version, first?.version ?? null) !== 0)
    if (first !== undefined && another !== undefined)
      throw new Failed({
        kind: 'invalid',
        field: 'bundle',
        message: `${query.version} is a version of several bundles: ${[first, another].map(inWords).join(' and ')}`,
      })
    return first ?? null
  }

  /** By the version of the firmware; where no release has that one, by the bundle's own. */
  function withVersion(releases: readonly FirmwareRelease[], version: string): readonly FirmwareRelease[] {
    const byFirmware = releases.filter((one) => compareVersions(one.version, version) === 0)
    return byFirmware.length > 0
      ? byFirmware
      : releases.filter((one) => compareVersions(one.bundle?.version ?? '', version) === 0)
  }

  const orderedInBundles = (
    query: ReleaseQuery,
    releases: readonly PublishedRelease[],
  ): readonly FirmwareRelease[] => inOrder(releases, [], query.includeStages ?? includeStages)

  async function inBundle(query: FirmwareLinkQuery, bundle: string, ask: Ask): Promise<FirmwareRelease> {
    const { value } = await readBundles(metadata, ask)
    const releases = releasesInBundles(
      value.filter((one) => isNamed(one, bundle)),
      query,
    )
    const there = orderedInBundles(query, releases)
    const found =
      query.version === 'latest' ? there.find((one) => one.latest) : withVersion(there, query.version)[0]
    if (found !== undefined) return found
    throw new Failed({
      kind: 'not-found',
      call: null,
      what: `${query.version === 'latest' ? 'a release' : `version ${query.version}`} of ${keyOf(query)} in the bundle ${bundle}`,
    })
  }

  async function latestRelease(query: ReleaseQuery, ask: Ask): Promise<FirmwareRelease> {
    const { product, ordered } = await orderedReleases(query, ask)
    const latest = ordered.find((release) => release.latest)
    if (latest === undefined)
      throw new Failed({
        kind: 'not-found',
        call: null,
        what: missing[whyNoLatest(ordered, query.includeStages ?? includeStages)](nameOf(product)),
      })
    return latest
  }

  async function standing(device: {
    productId: number | null
    firmwareVersion: string | null
    variantType?: string | null
    vendorId?: number
  }): Promise<FirmwareStanding> {
    if (device.productId === null) return { kind: 'unknown', why: 'no-product' }
    if (!isProductId(device.productId)) return { kind: 'unknown', why: 'not-a-product-id' }
    if (device.firmwareVersion === null) return { kind: 'unknown', why: 'no-version' }
    const id = { vendorId: device.vendorId ?? vendorId, productId: device.productId }
    const decisions = await approvals?.decisions()
    const approved =
      decisions?.comparesWith === 'approved' ? decisions.of(id, device.variantType ?? null) : null
    const found = await standings({ ...id, approved: approved?.kind === 'valid' ? approved.version : null }, [
      device.firmwareVersion,
    ])
    return found.get(device.firmwareVersion) ?? { kind: 'unknown', why: 'not-a-version' }
  }

  async function standings(
    id: ReleaseQuery & { readonly approved?: string | null },
    versions: readonly string[],
    ask?: Ask,
  ): Promise<ReadonlyMap<string, FirmwareStanding>> {
    const asked = versions.filter(isVersion)
    const all = (each: (version: string) => FirmwareStanding): ReadonlyMap<string, FirmwareStanding> =>
      new Map(asked.map((version) => [version, each(version)]))
    if (asked.length === 0) return new Map()
    try {
      const { ordered } = await orderedReleases(id, ask)
      return all((version) =>
        standingOf(version, ordered, id.includeStages ?? includeStages, id.approved ?? null),
      )
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (error.failure.kind === 'not-found') return all(() => ({ kind: 'unknown', why: 'not-published' }))
      if (error.failure.kind === 'offline' || error.failure.kind === 'timed-out')
        return all(() => ({ kind: 'unknown', why: 'offline' }))
      throw error
    }
  }

  async function product(id: ProductId, ask?: Ask): Promise<Product> {
    const [catalogue, counts] = await Promise.all([catalogueIfAny(ask), deviceCounts()])
    const known = catalogue === null ? undefined : listed(catalogue).find((one) => keyOf(one) === keyOf(id))
    return asProduct(known ?? nameless(id), counts)
  }

  async function productsWithFile(file: { version: string; md5: string }): Promise<readonly Product[]> {
    const [catalogue, counts] = await Promise.all([catalogueIfAny(), deviceCounts()])
    const known = catalogue === null ? [] : listed(catalogue)
    const same = known.filter((one) =>
      one.releases.some((release) => release.md5 === file.md5 && release.version === file.version),
    )
    return Promise.all(same.map((one) => asProduct(one, counts)))
  }

  async function find(text: string): Promise<Product> {
    const counts = await deviceCounts()
    const typed = idsTyped(text)
    if (typed !== null && typed.vendorId !== null) {
      const id = { vendorId: typed.vendorId, productId: typed.productIds[0] ?? 0 }
      const known = await knownProduct(id)
      return asProduct(known ?? (await lookedUp(id)) ?? nameless(id), counts)
    }
    const catalogue = await metadata.catalogue()
    const known = listed(catalogue)
    const byId = withTypedId(known, text)
    const name = plain(text)
    const entityId = text.trim().toLowerCase()
    // The first of these readings that finds anything is meant.
    const readings: readonly (() => Promise<readonly ListedProduct[]> | readonly ListedProduct[])[] = [
      () => known.filter((product) => product.entityIds.includes(entityId)),
      () => byId.filter((product) => product.productId === byId[0]?.productId),
      () => known.filter((product) => product.names.some((one) => plain(one) === name)),
      () => known.filter((product) => product.variants.some((one) => isVariant(one.variantType, text))),
      () => inBundleCalled(text, catalogue.value, known),
      () => (typed === null ? [] : notInCatalogue(typed.productIds, counts)),
      () => (guid.test(entityId) ? byEntityId(entityId) : []),
      () => search(known, text),
    ]
    let candidates: readonly ListedProduct[] = []
    for (const reading of readings) {
      candidates = await reading()
      if (candidates.length > 0) break
    }
    const [only, ...more] = candidates
    if (only === undefined)
      throw new Failed({ kind: 'not-found', call: null, what: `a product called ${text.trim()}` })
    if (more.length === 0) return asProduct(only, counts)
    throw new Failed({
      kind: 'invalid',
      field: 'product',
      message: `${text.trim()} may be ${candidateNames(candidates)}`,
    })
  }

  async function knownProduct(id: ProductId): Promise<ListedProduct | null> {
    const catalogue = await catalogueIfAny()
    return (catalogue && listed(catalogue).find((one) => keyOf(one) === keyOf(id))) ?? null
  }

  /** The products of a bundle of this name: of the catalogue's, else of a firmware bundle. */
  async function inBundleCalled(
    text: string,
    catalogue: Catalogue,
    known: readonly ListedProduct[],
  ): Promise<readonly ListedProduct[]> {
    const members = catalogue.bundles.filter((one) => plain(one.name) === plain(text))
    const bundles = members.length > 0 ? null : await ifAny(readBundles(metadata))
    const ids = [
      ...members.flatMap((one) => one.products),
      ...(bundles?.value ?? [])
        .filter((one) => isNamed(one, text))
        .flatMap((one) => one.members)
        .map((one) => ({ vendorId: one.vendorId ?? vendorId, productId: one.productId })),
    ]
    const keys = new Set(ids.map(keyOf))
    const named = known.filter((product) => keys.has(keyOf(product)))
    const listedKeys = new Set(named.map(keyOf))
    const others = new Map(ids.filter((id) => !listedKeys.has(keyOf(id))).map((id) => [keyOf(id), id]))
    return [...named, ...[...others.values()].map(unlisted)]
  }

  /** Ids that the catalogue lacks, in the order to try: published by themselves, or of devices of the fleet. */
  async function notInCatalogue(
    productIds: readonly number[],
    counts: ReadonlyMap<number, number>,
  ): Promise<readonly ListedProduct[]> {
    for (const productId of productIds) {
      const id = { vendorId, productId }
      const found = await lookedUp(id)
      if (found !== null) return [found]
      if ((counts.get(productId) ?? 0) > 0) return [unlisted(id)]
    }
    return []
  }

  /** A product that the catalogue lacks, by the variants that its devices tell. null: not published either. */
  async function lookedUp(id: ProductId): Promise<ListedProduct | null> {
    const variants =
      id.vendorId === vendorId && isProductId(id.productId) ? await fleetVariants(id.productId) : []
    for (const variantType of variants.slice(0, lookedUpAtMost)) {
      const found = await ifAny(metadata.catalogueProduct({ ...id, variantType }))
      const product =
        found === null ? undefined : listProducts(found.value).find((one) => keyOf(one) === keyOf(id))
      if (product === undefined) continue
      learnt.set(keyOf(product), product)
      return product
    }
    return null
  }

  /** Of a variant, else of a product, that the catalogue lacks. */
  async function byEntityId(entityId: string): Promise<readonly ListedProduct[]> {
    const found =
      (await ifAny(metadata.catalogueProduct({ variantEntityId: entityId }))) ??
      (await ifAny(metadata.catalogueProduct({ entityId })))
    const products = found === null ? [] : listProducts(found.value)
    for (const product of products) learnt.set(keyOf(product), product)
    const named = products.filter((product) => product.entityIds.includes(entityId))
    return named.length > 0 ? named : products
  }

  async function warm(options: {
    products?: readonly ProductId[]
    signal?: AbortSignal | null
  }): Promise<WarmReport> {
    const ask: Ask = { lane: 'bulk', signal: options.signal ?? null }
    const wanted =
      options.products ??
      [...(await deviceCounts())]
        .filter(([, count]) => count > 0)
        .map(([productId]) => ({ vendorId, productId }))
    // A number that no address can name is nobody's product: nothing is published for it, and nothing is asked.
    const waiting = wanted.filter(({ productId }) => isProductId(productId))
    const report = { warmed: 0, notPublished: wanted.length - waiting.length }
    const asked = waiting.length
    let [found, unavailable, stopped] = [0, 0, false]

    async function next(): Promise<void> {
      for (
        let id = waiting.shift();
        id !== undefined && !stopped && options.signal?.aborted !== true;
        id = waiting.shift()
      ) {
        try {
          const list = await releases(id, ask)
          unavailable = 0
          found++
          const latest = list.releases.find((release) => release.latest)
          if (latest !== undefined)
            await link(
              {
                vendorId: id.vendorId,
                productId: id.productId,
                version: latest.version,
                buildType: null,
                ...(latest.bundle?.group == null ? {} : { bundle: latest.bundle.group }),
              },
              ask,
            )
          report.warmed++
        } catch (error) {
          if (!(error instanceof Failed)) throw error
          const { kind } = error.failure
          if (kind !== 'service-unavailable') unavailable = 0
          if (kind === 'not-found') report.notPublished++
          // One document that cannot be had costs one product; without the service the rest would only fail the same way, later.
          else if (kind === 'service-unavailable') stopped = ++unavailable >= unavailableInARow
          else if (kind !== 'unreadable-answer' && kind !== 'refused') stopped = true
        }
      }
    }

    const catalogue = await isPublished(metadata.catalogue(ask))
    await Promise.all(Array.from({ length: warmedTogether }, next))
    const left = wanted.length - report.warmed - report.notPublished
    nothingPublished =
      catalogue === false &&
      found === 0 &&
      report.notPublished >= asked &&
      left === 0 &&
      (await isPublished(metadata.schemaVersions(ask))) === false
    return { ...report, left, ...(nothingPublished ? { nothingPublished } : {}) }
  }

  /** null: nobody can tell. */
  async function isPublished(reading: Promise<Reading<unknown>>): Promise<boolean | null> {
    try {
      return (await publishedOrNull(reading)) !== null
    } catch (error) {
      if (error instanceof Failed) return null
      throw error
    }
  }

  return {
    products,
    releases,
    buildTypes,
    bundles,
    link: ({ refresh, ...query }) => link(query, { refresh }),
    usualBuildType,
    standing,
    standings,
    onReadAnew: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    lookupFailure: (id) => lookupFailures.get(keyOf(id)) ?? null,
    nothingPublished: () => nothingPublished,
    find,
    product,
    productsWithFile,
    warm,
  }
}

/** Variants are compared whatever their case (observed, A24); partner products have none. */
const isVariant = (variantType: string, text: string): boolean =>
  variantType !== '' && variantType.toLowerCase() === text.trim().toLowerCase()

/** What there is none of, where there is no latest release of a product. */
const missing: Readonly<Record<NoLatest, (product: string) => string>> = {
  'not-published': (product) => `a release of ${product}`,
  'all-revoked': (product) => `a release of ${product} that was not revoked`,
  'no-public-release': (product) => `a public release of ${product}`,
  'no-readable-version': (product) => `a release of ${product} whose version can be compared`,
  'bundles-differ': (product) => `one newest version of ${product}: its bundles name different ones`,
}

const inWords = ({ version, bundle }: FirmwareRelease): string =>
  `${bundle?.name ?? bundle?.group ?? ''} ${bundle?.version ?? ''} (firmware ${version})`.trim()

const notPublishedAlone = (product: ListedProduct, inBundles: readonly BundledFirmware[]): Failed =>
  new Failed({ kind: 'not-found', call: null, what: `firmware releases of ${nameOf(product)}`, inBundles })

const unread = (records: readonly Json[]): UnreadRecords => ({
  count: records.length,
  records: records.slice(0, unreadAtMost),
})

const withoutRefresh = (ask?: Ask): Ask => ({
  lane: ask?.lane ?? 'interactive',
  keptOnly: ask?.keptOnly ?? false,
  signal: ask?.signal ?? null,
})

function candidateNames(products: readonly ListedProduct[]): string {
  const shown = products.slice(0, 8).map((product) => `${nameOf(product)} (${keyOf(product)})`)
  return products.length > shown.length
    ? `${shown.join(', ')} or ${products.length - shown.length} more`
    : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1) ?? ''}`
}

export const firmwareHandlers = (
  devices: Pick<Devices, 'get'>,
  session: () => Promise<{
    readonly organization: { readonly id: string; readonly vendorId: number }
    readonly firmware: Firmware
    readonly metadata: Metadata
    readonly approvals: Approvals
    readonly agreeOnFirmware: () => Promise<void>
    readonly fleetStatus: () => Promise<FleetStatus>
  }>,
  changed: () => void,
): Handlers<'firmware'> => {
  /** Lists, counts and filters agree before the answer comes. */
  const thenAgree = async <T>(work: (approvals: Approvals) => Promise<T>): Promise<T> => {
    const { approvals, agreeOnFirmware } = await session()
    const result = await work(approvals)
    await agreeOnFirmware()
    changed()
    return result
  }
  return {
    products: async (query) => (await session()).firmware.products(query),
    releases: async (product) => (await session()).firmware.releases(product),
    buildTypes: async () => (await session()).firmware.buildTypes(),
    bundles: async ({ product }) => (await session()).firmware.bundles(product),
    link: async (query) => (await session()).firmware.link(query),
    standing: async ({ deviceId }) => {
      const { organization, firmware } = await session()
      return firmware.standing(await devices.get(organization.id, deviceId))
    },
    details: async (query) => {
      const { metadata, firmware } = await session()
      return productDetails(metadata, firmware, query)
    },
    approvals: async () => (await session()).approvals.list(),
    approve: (query) => thenAgree((approvals) => approvals.approve(query)),
    unapprove: (one) => thenAgree((approvals) => approvals.unapprove(one)),
    compareWith: ({ with: word }) =>
      thenAgree(async (approvals) => {
        await approvals.compareWith(word)
        return approvals.list()
      }),
    status: async () => (await session()).fleetStatus(),
  }
}
