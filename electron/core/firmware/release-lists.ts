import {
  Failed,
  failedWith,
  foundOrNull,
  isKind,
  type BundledFirmware,
  type Failure,
} from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import type { FirmwareRelease, ProductId, ReleaseQuery } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import {
  NotPublished,
  releasesFor,
  type Ask,
  type AddressedDocument,
  type Metadata,
  type PublishedRelease,
  type PublishedReleases,
  type CachedDocument,
} from '../metadata/metadata.ts'
import { ifAny, naming, fetchBundles, releasesInBundles } from './bundles.ts'
import { mustBeProductId, productKey, productName, type ListedProduct } from './product-list.ts'
import type { ProductLookup } from './product-lookup.ts'
import { inOrder, latestOf, type LatestRelease } from './releases.ts'
import { Listeners } from '../listeners.ts'

/** Says something about one product: the service answered for its list, but not usably. */
const isAboutProduct = (failure: Failure): boolean =>
  policyOf(failure).reach === 'one' && !isKind(failure, 'not-found') && !isKind(failure, 'timed-out')
/** Whether the catalogue, which lists releases too, may be shown instead. */
const catalogueMayAnswer = (failure: Failure): boolean =>
  isKind(failure, 'not-found') || policyOf(failure).copyHelps === 'always'

export interface OrderedReleases {
  readonly product: ListedProduct
  readonly source: CachedDocument<PublishedReleases>
  readonly ordered: readonly FirmwareRelease[]
  /** Why its own list could not be read: the releases are the catalogue's, and none is the latest. */
  readonly unread: Failure | null
  /** Every document of it came from the service in this call. */
  readonly isAnswered: boolean
  /** When the oldest of these documents was read, also that the product publishes no list itself. */
  readonly readAt: number
  readonly unreadable: readonly Json[]
  readonly beside: readonly Json[]
}

/** Without releases that name other variants only; missing: those of all variants of the product. */
export interface OfVariant {
  readonly variant?: string | null
}

/** Releases of products, newest first, from all places of publication. */
export interface ReleaseLists {
  /** Rejects with Failed. */
  readonly ordered: (query: ReleaseQuery & OfVariant, ask?: Ask) => Promise<OrderedReleases>
  /** From stored data; the catalogue's until the product's own list was asked for. */
  readonly latest: (product: ListedProduct) => Promise<LatestRelease | null>
  /** The product's releases in bundles; empty if these are unavailable. */
  readonly bundled: (id: ProductId, ask: Ask) => Promise<readonly PublishedRelease[]>
  /** Build types that responses contained, and build types reported to this module. */
  readonly buildTypesSeen: Set<string>
  /** `isRead`: false if the releases became unreadable. */
  readonly onReadAnew: (listener: (isRead: boolean) => void) => () => void
  readonly lookupFailure: (id: ProductId) => Failure | null
  /**
   * When the service answered about a product's releases, as stored for the current address, if only that it
   * publishes none; null: this is not stored. Rejects with Failed `cache-unusable`.
   */
  readonly storedAt: (id: ProductId) => Promise<number | null>
}

export function openReleaseLists(deps: {
  readonly metadata: Metadata
  readonly lookup: ProductLookup
  readonly includeStages: readonly PrereleaseStage[]
}): ReleaseLists {
  const { metadata, lookup, includeStages } = deps
  /** Latest releases from the releases themselves, which are more reliable than the catalogue. */
  const latestKnown = new Map<string, LatestRelease | null>()
  const buildTypesSeen = new Set<string>()
  const listeners = new Listeners<[isRead: boolean]>()
  const lookupFailures = new Map<string, Failure>()

  async function latestOfProduct(product: ListedProduct): Promise<LatestRelease | null> {
    await recallLatest(product)
    const known = latestKnown.get(productKey(product))
    if (known !== undefined) return known
    // The catalogue's is not the latest of a list that cannot be read.
    return lookupFailures.has(productKey(product)) ? null : latestOf(product.releases, includeStages)
  }

  /** Releases of a product read in an earlier run: they contain stages, which the catalogue does not. */
  async function recallLatest(product: ListedProduct): Promise<void> {
    if (latestKnown.has(productKey(product))) return
    const cached = await ifAny(metadata.firmwareReleases(product, { cachedOnly: true }))
    const own = cached === null ? [] : releasesFor(cached.value, ownVariants(product)).releases
    const releases =
      own.length > 0 || product.releases.length > 0 ? own : await bundled(product, { cachedOnly: true })
    if (releases.length > 0 && !latestKnown.has(productKey(product)))
      noteLatest(product, inOrder(releases, product.releases, includeStages))
  }

  const bundled = async (id: ProductId, ask: Ask): Promise<readonly PublishedRelease[]> =>
    releasesInBundles((await ifAny(fetchBundles(metadata, ask)))?.value ?? [], id)

  const noteLatest = (id: ProductId, newestFirst: readonly FirmwareRelease[]): void =>
    void latestKnown.set(productKey(id), newestFirst.find((release) => release.latest) ?? null)

  async function ordered(id: ReleaseQuery & OfVariant, ask?: Ask): Promise<OrderedReleases> {
    try {
      const list = await loadInOrder(id, ask)
      if (list.unread !== null) noteFailure(id, list.unread, ask)
      else if (ask?.cachedOnly !== true) lookupFailures.delete(productKey(id))
      return list
    } catch (error) {
      if (error instanceof Failed) noteFailure(id, error.failure, ask)
      throw error
    }
  }

  function noteFailure(id: ProductId, failure: Failure, ask?: Ask): void {
    if (ask?.cachedOnly === true || !isAboutProduct(failure)) return
    lookupFailures.set(productKey(id), failure)
    listeners.notify(false)
  }

  async function loadInOrder(id: ReleaseQuery & OfVariant, ask?: Ask): Promise<OrderedReleases> {
    mustBeProductId(id)
    const [catalogue, received] = await Promise.all([
      ifAny(metadata.catalogue(withoutRefresh(ask))),
      publishedReleases(id, ask),
    ])
    const product = lookup.product(id, catalogue)
    const { vendorId, productId } = id
    const variant = id.variant ?? ''
    const variants = variant === '' ? ownVariants(product) : [{ vendorId, productId, variantType: variant }]
    const published =
      received instanceof Failed ? received : { ...received, value: releasesFor(received.value, variants) }
    const isOwn = !(published instanceof Failed) && published.value.releases.length > 0
    // Asked again only if it lists the product's releases, or alone states which were revoked.
    const isWhole = isOwn && published.value.releases.every(({ revoked }) => revoked !== null)
    const isRenewed = ask?.refresh === true && !isWhole && product.releases.length > 0
    const inUse = isRenewed ? await metadata.catalogue(ask) : catalogue
    const listed = isRenewed ? lookup.product(id, inUse) : product
    const inCatalogue =
      inUse === null || listed.releases.length === 0
        ? null
        : { ...inUse, value: releasesFor({ releases: listed.releases, unreadable: [] }, variants) }
    const own = published instanceof Failed ? inCatalogue : isOwn ? published : (inCatalogue ?? published)
    const isNone =
      own === null
        ? failedWith(published, 'not-found')
        : own.value.releases.length + own.value.unreadable.length === 0
    const inBundles = isNone ? await loadFromBundles(product, ask) : null
    const source = inBundles ?? own
    if (source === null) throw published as Failed
    for (const word of source.value.releases.flatMap((release) => release.buildTypes))
      buildTypesSeen.add(word)
    const unread =
      published instanceof Failed && !isKind(published.failure, 'not-found') ? published.failure : null
    // The catalogue states neither stages nor every revocation: none of its releases may be offered.
    const newestFirst = inOrder(
      source.value.releases,
      listed.releases,
      id.includeStages ?? includeStages,
    ).map((release) => (unread === null ? release : { ...release, latest: false }))
    if (id.includeStages === undefined && variant === '') noteLatest(id, newestFirst)
    const isReloaded =
      catalogue?.fromCache === false ||
      (!(published instanceof Failed) && !published.fromCache) ||
      inBundles?.fromCache === false
    if (isReloaded) listeners.notify(true)
    return {
      product,
      source,
      ordered: newestFirst,
      unread,
      isAnswered: !source.fromCache && isAnswered(received) && !(isRenewed && inUse?.fromCache === true),
      readAt: Math.min(
        source.observedAt,
        received instanceof NotPublished ? received.observedAt : Infinity,
        isRenewed ? (inUse?.observedAt ?? Infinity) : Infinity,
      ),
      unreadable: published instanceof Failed ? [] : published.value.unreadable,
      beside: published instanceof Failed ? [] : published.beside(),
    }
  }

  /**
   * Releases of a product that publishes none itself; null: no available bundle names it. Rejects with Failed
   * `not-found` with the bundles that name it, if none states a version.
   */
  async function loadFromBundles(
    product: ListedProduct,
    ask?: Ask,
  ): Promise<CachedDocument<PublishedReleases> | null> {
    const asked = fetchBundles(metadata, ask, product)
    const bundles = await (ask?.refresh === true ? foundOrNull(asked) : ifAny(asked))
    const named = bundles?.value.filter((one) => naming(one, product)) ?? []
    // Another bundle may serve it now, which a stored list lacks.
    const isOld = ask?.refresh === true && bundles?.fromCache === true
    if (bundles === null || (named.length === 0 && !isOld)) return null
    const releases = releasesInBundles(named, product)
    if (releases.length > 0) return { ...bundles, value: { releases, unreadable: [] } }
    throw notPublishedAlone(
      product,
      named.map(({ group, name, version }) => ({
        bundle: name ?? group ?? productKey(product),
        bundleVersion: version,
        firmware: null,
      })),
    )
  }

  /** The failure as a value if the catalogue, which lists releases too, may be shown instead. */
  async function publishedReleases(
    id: ProductId,
    ask?: Ask,
  ): Promise<AddressedDocument<PublishedReleases> | Failed> {
    try {
      return await metadata.firmwareReleases(id, ask)
    } catch (error) {
      if (error instanceof Failed && catalogueMayAnswer(error.failure)) return error
      throw error
    }
  }

  async function storedAt(id: ProductId): Promise<number | null> {
    const ask = { cachedOnly: true } as const
    const own = await stored(metadata.firmwareReleases(id, ask))
    if (own === undefined) return null
    if (own !== null && own.value.releases.length > 0) return own.observedAt
    const catalogue = await stored(metadata.catalogue(ask))
    if (catalogue === undefined) return null
    if (catalogue !== null && lookup.product(id, catalogue).releases.length > 0) return catalogue.observedAt
    const bundles = await stored(metadata.firmwareBundles(ask))
    return bundles === undefined ? null : ((bundles ?? own ?? catalogue)?.observedAt ?? 0)
  }

  return {
    ordered,
    storedAt,
    latest: latestOfProduct,
    bundled,
    buildTypesSeen,
    onReadAnew: listeners.add,
    lookupFailure: (id) => lookupFailures.get(productKey(id)) ?? null,
  }
}

/** Also: the service said now that there is no such document. */
const isAnswered = (received: AddressedDocument<PublishedReleases> | Failed): boolean =>
  received instanceof Failed ? received instanceof NotPublished && !received.fromCache : !received.fromCache

/** A document from stored data; null: it is not published, undefined: it is not stored. */
async function stored<R>(reading: Promise<R>): Promise<R | null | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Failed) || isKind(error.failure, 'cache-unusable')) throw error
    return isKind(error.failure, 'not-found') ? null : undefined
  }
}

/** For a product that the catalogue lacks, its ids only. */
const ownVariants = (product: ListedProduct): readonly ProductId[] =>
  product.variants.length === 0 ? [product] : product.variants

const notPublishedAlone = (product: ListedProduct, inBundles: readonly BundledFirmware[]): Failed =>
  new Failed({
    kind: 'not-found',
    call: null,
    what: `firmware releases of ${productName(product)}`,
    inBundles,
  })

export const withoutRefresh = (ask?: Ask): Ask => ({
  lane: ask?.lane ?? 'interactive',
  cachedOnly: ask?.cachedOnly ?? false,
  signal: ask?.signal ?? null,
})
