import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { isProductId, type PrereleaseStage } from '../../contract/firmware.ts'
import type {
  BuildType,
  FirmwareBundles,
  FirmwareLink,
  FirmwareLinkQuery,
  FirmwareCompliance,
  FleetStatus,
  ProductNotCompared,
  Product,
  ProductId,
  ProductPage,
  ProductQuery,
  ReleaseList,
  ReleaseQuery,
  UnreadRecords,
} from '../../contract/api/firmware.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Clock } from '../platform.ts'
import type { Ask, Metadata, PublishedRelease } from '../metadata/metadata.ts'
import { ifAny, listedBundles, naming, fetchBundles } from './bundles.ts'
import type { Approvals } from './approvals.ts'
import { openDownloadLinks } from './download-links.ts'
import { productDetails } from './product-details.ts'
import { openProductLookup } from './product-lookup.ts'
import { productName, productOf, unlisted, type ListedProduct } from './product-list.ts'
import { search } from './product-search.ts'
import { openReleaseLists, type OfVariant, type OrderedReleases } from './release-lists.ts'
import { complianceOf, whyNoLatest, type LatestRelease } from './releases.ts'
import { isVersion } from '../lists/version-order.ts'
import { warm, type WarmReport } from './warming.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { Devices } from '../devices/devices.ts'

export type { Approvals } from './approvals.ts'
export { openCompliance, type Compliance } from './compliance.ts'
export { withdrawnInUse } from './fleet-status.ts'
export { productDetails } from './product-details.ts'
export { productKey } from './product-list.ts'
export { openRecovery, type Recovery } from './recovery.ts'
export { judgedUpdate, fetchRuleNow, fetchUpdateRule, type UpdateRule } from './update-rules.ts'

/**
 * Maximum of unreadable records to show; all are counted. Raise it if the first ones do not show the problem.
 */
const unreadAtMost = 50

export interface Firmware {
  products(query: ProductQuery): Promise<ProductPage>
  releases(query: ReleaseQuery, ask?: Ask): Promise<ReleaseList>
  /** The same without what a page says about the product, which counts its devices. Rejects with Failed. */
  releaseList(id: ProductId): Promise<Pick<OrderedReleases, 'product' | 'ordered' | 'unread' | 'source'>>
  /**
   * Asks the service again for the documents that list the product's releases. `isAnswered`: it answered for
   * each of them now. Rejects with Failed.
   */
  releasesNow(
    id: ProductId,
    signal: AbortSignal,
  ): Promise<Pick<OrderedReleases, 'ordered' | 'unread' | 'isAnswered' | 'readAt'>>
  buildTypes(): Promise<readonly BuildType[]>
  /** Firmware bundles, all or those that name a product. Rejects with Failed. */
  bundles(product: ProductId | null): Promise<FirmwareBundles>
  /** Also rejects with Failed `not-found` if the latest is requested and there is none. */
  link(query: FirmwareLinkQuery & { readonly refresh: boolean }): Promise<FirmwareLink>
  /**
   * The default build type of a release: the first of the profile's list that the release names, else the
   * first of the list.
   */
  usualBuildType(release: Pick<PublishedRelease, 'buildTypes'> | null): string
  /**
   * The compliance for the data of a device. The device record has no vendor (services.md#A40), so the
   * organization's vendor is used unless one is given.
   */
  compliance(device: {
    readonly productId: number | null
    readonly firmwareVersion: string | null
    readonly variantType?: string | null
    readonly vendorId?: number
  }): Promise<FirmwareCompliance>
  /**
   * The same for several versions of one product, by version as given; invalid versions are omitted.
   * `approved`: compared with this version instead of the latest. Rejects with Failed `invalid` for a number
   * that is not a product id, or with the failure of reading its releases.
   */
  compliances(
    query: ReleaseQuery & OfVariant & { readonly approved?: string | null },
    versions: readonly string[],
    ask?: Ask,
  ): Promise<ReadonlyMap<string, FirmwareCompliance>>
  /**
   * Called when releases or the catalogue came from the service, or became unreadable. Returns the function
   * that ends it.
   */
  onReadAnew(listener: () => void): () => void
  /** Why the last read of a product's releases failed; null: it succeeded, or the service was unavailable. */
  lookupFailure(id: ProductId): Failure | null
  /**
   * When the service answered about a product's releases, from stored data; null: this is not stored. Rejects
   * with Failed `cache-unusable`.
   */
  storedAt(id: ProductId): Promise<number | null>
  /** Whether the last `warm` found nothing published at all, and nothing was found since. */
  nothingPublished(): boolean
  /** `2830/9395`, `9395`, `0x24B3` … or a name. Rejects with Failed `invalid` naming the candidates, or `not-found`. */
  find(text: string): Promise<Product>
  /**
   * By its ids, with a name if the catalogue knows them; never rejects with Failed for a missing catalogue.
   */
  product(id: ProductId, ask?: Ask): Promise<Product>
  /** Names by id; null: no published record names it. Empty without a catalogue. */
  names(ask?: Ask): Promise<(id: ProductId) => string | null>
  /** Its records as received: from the catalogue, else its separately published record. */
  records(id: ProductId): Promise<readonly JsonObject[]>
  /** As `product`, for many: reads the catalogue and counts devices once. */
  byIds(ask?: Ask): Promise<(id: ProductId) => Promise<Product>>
  /** The release of `latestVersion`, for many; null: none. */
  latestByIds(ask?: Ask): Promise<(id: ProductId) => Promise<LatestRelease | null>>
  /**
   * Products for which the catalogue publishes the same file: same version, same checksum. Empty without a
   * catalogue.
   */
  productsWithFile(file: { readonly version: string; readonly md5: string }): Promise<readonly Product[]>
  /**
   * After a sync: reads catalogue, releases and the link (default build type) of the latest version of these
   * products (default: those of the fleet) in the background, so that they are available offline. `asked` is
   * called for each product whose list was read or failed. Never rejects with Failed: the result contains what
   * could not be read.
   */
  warm(options: {
    readonly products?: readonly ProductId[]
    readonly signal?: AbortSignal | null
    readonly asked?: (id: ProductId) => void
  }): Promise<WarmReport>
}

export interface FirmwareDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly metadata: Metadata
  /** Devices of the organization by product id, without gone ones. */
  readonly deviceCounts: () => Promise<ReadonlyMap<number, number>>
  /** The organization's vendor id, to which the product ids of its devices belong. */
  readonly vendorId: number
  /** The profile's list, never empty, because the values of BuildType are not published. */
  readonly assumedBuildTypes: readonly string[]
  /** Prerelease stages whose releases may be the latest; missing: none. */
  readonly includeStages?: readonly PrereleaseStage[]
  /** Variants that devices of a product report, most frequent first; missing: none. */
  readonly fleetVariants?: (productId: number) => Promise<readonly string[]>
  /** The approved versions; missing: none. */
  readonly approvals?: Pick<Approvals, 'decisions' | 'versionFor'>
}

export function openFirmware(deps: FirmwareDeps): Firmware {
  const { clock, metadata, deviceCounts, vendorId, assumedBuildTypes, includeStages = [], approvals } = deps
  const { fleetVariants = async () => [] } = deps
  const lookup = openProductLookup({ metadata, vendorId, fleetVariants })
  const lists = openReleaseLists({ metadata, lookup, includeStages })
  const links = openDownloadLinks({ clock, metadata, lists, assumedBuildTypes, includeStages, approvals })
  let nothingPublished = false
  lists.onReadAnew((isRead) => {
    nothingPublished = nothingPublished && !isRead
  })

  const countOf = (counts: ReadonlyMap<number, number>, product: ProductId): number =>
    product.vendorId === vendorId ? (counts.get(product.productId) ?? 0) : 0

  const asProduct = async (product: ListedProduct, counts: ReadonlyMap<number, number>): Promise<Product> =>
    productOf(product, countOf(counts, product), (await lists.latest(product))?.version ?? null)

  async function products({ cachedOnly = false, ...query }: ProductQuery): Promise<ProductPage> {
    const [catalogue, counts] = await Promise.all([metadata.catalogue({ cachedOnly }), deviceCounts()])
    const known = lookup.listed(catalogue)
    const own = owned(known, counts)
    const all = query.owned ? own : [...new Set([...own, ...known])]
    const searched = search(all, query.text)
    const others = searched.length > 0 ? [] : await lookup.beside(query.text, catalogue, counts)
    const found = [...searched, ...others.filter((one) => !query.owned || countOf(counts, one) > 0)].sort(
      (a, b) => countOf(counts, b) - countOf(counts, a),
    )
    const listed = found.slice(query.start, query.start + query.count)
    const { observedAt, fromCache } = catalogue
    return {
      rows: await Promise.all(listed.map((product) => asProduct(product, counts))),
      total: found.length,
      unreadable: unreadRecords(catalogue.value.unreadable),
      observedAt,
      fromCache,
    }
  }

  /** The products of the fleet, including those missing from the catalogue. */
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
    const [counts, { product, source, ordered, unread, unreadable, beside }] = await Promise.all([
      deviceCounts(),
      lists.ordered(query, ask),
    ])
    const latest = ordered.find((release) => release.latest) ?? null
    const { observedAt, fromCache } = source
    return {
      product: {
        ...(await asProduct(product, counts)),
        latestVersion: latest?.version ?? null,
      },
      releases: ordered,
      noLatest:
        latest !== null
          ? null
          : unread !== null
            ? 'list-unread'
            : whyNoLatest(ordered, query.includeStages ?? includeStages),
      ...(unread === null ? {} : { unread }),
      unreadable: unreadRecords(unreadable),
      beside,
      observedAt,
      fromCache,
    }
  }

  async function bundles(id: ProductId | null): Promise<FirmwareBundles> {
    const [{ value, beside, observedAt, fromCache }, nameOfProduct] = await Promise.all([
      fetchBundles(metadata),
      names(),
    ])
    const listed = id === null ? value : value.filter((one) => naming(one, id))
    return {
      bundles: listedBundles(listed, vendorId, nameOfProduct),
      beside: [...listed.flatMap(({ raws }) => raws.slice(1)), ...beside()],
      observedAt,
      fromCache,
    }
  }

  async function compliance(device: {
    productId: number | null
    firmwareVersion: string | null
    variantType?: string | null
    vendorId?: number
  }): Promise<FirmwareCompliance> {
    if (device.productId === null) return { kind: 'unknown', why: 'no-product' }
    if (!isProductId(device.productId)) return { kind: 'unknown', why: 'not-a-product-id' }
    if (device.firmwareVersion === null) return { kind: 'unknown', why: 'no-version' }
    const id = { vendorId: device.vendorId ?? vendorId, productId: device.productId }
    const decisions = await approvals?.decisions()
    const approved =
      decisions?.comparesWith === 'approved' ? decisions.of(id, device.variantType ?? null) : null
    const found = await compliances(
      {
        ...id,
        variant: device.variantType ?? '',
        approved: approved?.kind === 'valid' ? approved.version : null,
      },
      [device.firmwareVersion],
    )
    return found.get(device.firmwareVersion) ?? { kind: 'unknown', why: 'not-a-version' }
  }

  async function compliances(
    id: ReleaseQuery & OfVariant & { readonly approved?: string | null },
    versions: readonly string[],
    ask?: Ask,
  ): Promise<ReadonlyMap<string, FirmwareCompliance>> {
    const readable = versions.filter(isVersion)
    const all = (each: (version: string) => FirmwareCompliance): ReadonlyMap<string, FirmwareCompliance> =>
      new Map(readable.map((version) => [version, each(version)]))
    if (readable.length === 0) return new Map()
    try {
      const { ordered, unread } = await lists.ordered(id, ask)
      return all((version) => {
        const found = complianceOf(version, ordered, id.includeStages ?? includeStages, id.approved ?? null)
        return found.kind === 'unknown' && unread !== null ? { kind: 'unknown', why: 'offline' } : found
      })
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (isKind(error.failure, 'not-found')) return all(() => ({ kind: 'unknown', why: 'not-published' }))
      if (isKind(error.failure, 'offline') || isKind(error.failure, 'timed-out'))
        return all(() => ({ kind: 'unknown', why: 'offline' }))
      throw error
    }
  }

  async function byIds(ask?: Ask): Promise<(id: ProductId) => Promise<Product>> {
    const [catalogue, counts] = await Promise.all([ifAny(metadata.catalogue(ask)), deviceCounts()])
    return (id) => asProduct(lookup.product(id, catalogue), counts)
  }
  async function latestByIds(ask?: Ask): Promise<(id: ProductId) => Promise<LatestRelease | null>> {
    const catalogue = await ifAny(metadata.catalogue(ask))
    return (id) => lists.latest(lookup.product(id, catalogue))
  }
  const product = async (id: ProductId, ask?: Ask): Promise<Product> => (await byIds(ask))(id)

  async function names(ask?: Ask): Promise<(id: ProductId) => string | null> {
    const catalogue = await ifAny(metadata.catalogue(ask))
    return (id) => {
      const known = lookup.published(id, catalogue)
      return known === null ? null : productName(known)
    }
  }

  async function productsWithFile(file: { version: string; md5: string }): Promise<readonly Product[]> {
    const [catalogue, counts] = await Promise.all([ifAny(metadata.catalogue()), deviceCounts()])
    const known = catalogue === null ? [] : lookup.listed(catalogue)
    const same = known.filter((one) =>
      one.releases.some((release) => release.md5 === file.md5 && release.version === file.version),
    )
    return Promise.all(same.map((one) => asProduct(one, counts)))
  }

  async function find(text: string): Promise<Product> {
    const counts = await deviceCounts()
    return asProduct(await lookup.find(text, counts), counts)
  }

  return {
    products,
    releases,
    releaseList: (id) => lists.ordered(id),
    releasesNow: (id, signal) => lists.ordered(id, { lane: 'write', refresh: true, signal }),
    buildTypes: links.buildTypes,
    bundles,
    link: ({ refresh, ...query }) => links.link(query, { refresh }),
    usualBuildType: links.usualBuildType,
    compliance,
    compliances,
    onReadAnew: lists.onReadAnew,
    lookupFailure: lists.lookupFailure,
    storedAt: lists.storedAt,
    nothingPublished: () => nothingPublished,
    find,
    product,
    byIds,
    latestByIds,
    names,
    records: async (id) => (await lookup.byId(id)).raws,
    productsWithFile,
    async warm({ products: wanted, signal = null, asked = () => undefined }) {
      const counted = wanted === undefined ? [...(await deviceCounts())] : []
      const ids = counted.filter(([, count]) => count > 0).map(([productId]) => ({ vendorId, productId }))
      const report = await warm(wanted ?? ids, signal, { metadata, releases, link: links.link, asked })
      nothingPublished = report.nothingPublished === true
      return report
    },
  }
}

const unreadRecords = (records: readonly Json[]): UnreadRecords => ({
  count: records.length,
  records: records.slice(0, unreadAtMost),
})

export const firmwareHandlers = (
  devices: Pick<Devices, 'get'>,
  session: () => Promise<{
    readonly organization: { readonly id: string; readonly vendorId: number }
    readonly firmware: Firmware
    readonly metadata: Metadata
    readonly approvals: Approvals
    readonly recomputeCompliance: () => Promise<void>
    readonly fleetStatus: (stages: readonly PrereleaseStage[] | null) => Promise<FleetStatus>
    readonly notCompared: () => Promise<readonly ProductNotCompared[]>
  }>,
  changed: () => void,
): Omit<Handlers<'firmware'>, 'comparing'> => {
  /** Lists, counts and filters are consistent before the method returns. */
  const thenAgree = async <T>(work: (approvals: Approvals) => Promise<T>): Promise<T> => {
    const { approvals, recomputeCompliance } = await session()
    const result = await work(approvals)
    await recomputeCompliance()
    changed()
    return result
  }
  return {
    products: async (query) => (await session()).firmware.products(query),
    releases: async (product) => (await session()).firmware.releases(product),
    find: async ({ text }) => (await session()).firmware.find(text),
    buildTypes: async () => (await session()).firmware.buildTypes(),
    bundles: async ({ product }) => (await session()).firmware.bundles(product),
    link: async (query) => (await session()).firmware.link(query),
    compliance: async ({ deviceId }) => {
      const { organization, firmware } = await session()
      return firmware.compliance(await devices.get(organization.id, deviceId))
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
    status: async ({ stages = null }) => (await session()).fleetStatus(stages),
    async warnings() {
      const { approvals, notCompared } = await session()
      const [warnings, products] = await Promise.all([approvals.warnings(), notCompared()])
      return { approvals: warnings, notCompared: products.length }
    },
  }
}
