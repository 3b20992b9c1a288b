import { Failed, foundOrNull, isKind, orNull, type Failure } from '../../contract/failure.ts'
import type { PrereleaseStage } from '../../contract/firmware.ts'
import type { FirmwareRelease, Product, ProductId } from '../../contract/api/firmware.ts'
import { isJsonObject, type Json } from '../../contract/json.ts'
import type { RecoveryFacts, RecoveryDocumentName } from '../../contract/api/metadata.ts'
import type { Clock } from '../platform.ts'
import type {
  AddressedDocument,
  DownloadLink,
  Metadata,
  PublishedRelease,
  RecoveryFirmware,
  TolerantRecord,
} from '../metadata/metadata.ts'
import type { RunningTask } from '../tasks.ts'
import { idsTyped } from './product-search.ts'
import { inOrder } from './releases.ts'

/** From the USB id of a device in recovery mode to its product and the firmware that restores it. */
export interface Recovery {
  /**
   * `text`: the id in any notation. Rejects with Failed `invalid` (field `text`) if it contains none. An
   * unpublished id also has a result, with unpublished parts as null. Each document may fail on its own;
   * rejects with Failed if all do.
   */
  look(query: { readonly text: string }): Promise<RecoveryFacts>
  /**
   * The published data of every recovery id of these vendors, in no order. `failure`: why some of it is
   * missing, from the first document that could not be read; null: all is present.
   */
  all(
    vendorIds: ReadonlySet<number>,
    task: RunningTask,
  ): Promise<{ readonly answers: readonly RecoveryFacts[]; readonly failure: Failure | null }>
}

export interface RecoveryDeps {
  readonly clock: Clock
  readonly metadata: Metadata
  /** A product by its ids, with a name if the catalogue knows it. */
  readonly product: (id: ProductId) => Promise<Product>
  /** Products for which the catalogue publishes the same file. */
  readonly productsWithFile: (file: {
    readonly version: string
    readonly md5: string
  }) => Promise<readonly Product[]>
  /** The releases of a product, from stored data. Rejects with Failed. */
  readonly releases: (id: ProductId) => Promise<{ readonly releases: readonly FirmwareRelease[] }>
  /** The vendor if only a product id is typed. */
  readonly vendorId: number
  /** The organization's default build type of a release: the values are not published. */
  readonly usualBuildType: (release: PublishedRelease) => string
  /** Prerelease stages whose releases may be the latest; missing: none. */
  readonly includeStages?: readonly PrereleaseStage[]
}

/** Maximum of products named for one id; the largest known family has six. Raise it for larger families. */
const productsAtMost = 24
/**
 * Recovery ids looked up in parallel, out of the metadata interface's eight. Raise it if this is slow and
 * pages stay fast.
 */
const togetherAtMost = 3
/**
 * Number of unreadable ids in a row after which the service counts as unavailable. Raise it if single
 * documents often fail.
 */
const unreadInARow = 3

export function openRecovery(deps: RecoveryDeps): Recovery {
  const { clock, metadata, product, productsWithFile, releases } = deps
  const { vendorId, usualBuildType, includeStages = [] } = deps
  async function look({ text }: { readonly text: string }): Promise<RecoveryFacts> {
    const typed = idsTyped(text)
    const [first, ...others] =
      typed === null
        ? []
        : typed.productIds.map((id) => ({ vendorId: typed.vendorId ?? vendorId, productId: id }))
    if (first === undefined)
      throw Failed.invalid(
        'text',
        'No USB ID found. Known notations: 0x24B9, 24b9, 9401, VID_0B0E&PID_24B9, 0b0e:24b9.',
      )
    const ids = await part('ids', metadata.recoveryIds())
    // Digits alone may be decimal or hexadecimal: a reading that is a recovery id is preferred.
    const listed = [first, ...others].find(
      (id) => ids.reading?.value.get(id.vendorId)?.has(id.productId) === true,
    )
    for (const id of listed === undefined ? [first, ...others] : [listed]) {
      const answer = await resultFor(id, ids)
      if (listed !== undefined || answer.firmware !== null || answer.configurations.length > 0) return answer
    }
    return resultFor(first, ids)
  }

  async function resultFor(id: ProductId, ids: Part<unknown>): Promise<RecoveryFacts> {
    const parts = await Promise.all([
      part('firmware', metadata.recoveryFirmware(id)),
      part('configurations', metadata.recoveryConfigurations(id)),
    ])
    const unread = [ids, ...parts].flatMap((one) => one.failed)
    const [first] = unread
    if (first !== undefined && unread.length > parts.length) throw new Failed(first.failure)
    const [{ reading: firmware }, { reading: configurations }] = parts
    const runtime = runtimeIds(id, configurations?.value ?? [], firmware?.value ?? null)
    const products = await namedProducts(id, runtime, firmware?.value.release ?? null)
    const release = firmware === null ? null : await judged(firmware.value.release, products)
    const own = firmware?.value.link ?? null
    const { link, failed } =
      firmware === null || release?.revoked === true
        ? { link: null, failed: [] }
        : own !== null
          ? { link: own, failed: [] }
          : await linkOf(products, firmware.value.release)
    const readings = [firmware, configurations, ids.reading].filter((reading) => reading !== null)
    return {
      vendorId: id.vendorId,
      dfuProductId: id.productId,
      products,
      firmware: release,
      link: link === null || link.url === null ? null : { url: link.url, host: new URL(link.url).host },
      configurations: (configurations?.value ?? []).flatMap(({ raw }) => (isJsonObject(raw) ? [raw] : [])),
      raw: firmware?.value.release.raw ?? null,
      beside: readings.flatMap((reading) => reading.beside()),
      observedAt:
        readings.length === 0 ? clock.now() : Math.min(...readings.map((reading) => reading.observedAt)),
      fromCache: readings.length > 0 && readings.every((reading) => reading.fromCache),
      failed: [...unread, ...failed],
    }
  }

  /** As the lists of these products judge the release: its own record may not state that it was revoked. */
  async function judged(
    release: PublishedRelease,
    products: readonly Product[],
  ): Promise<FirmwareRelease | null> {
    const lists = await Promise.all(products.map((one) => orNull(releases(one))))
    const listed = lists.flatMap((list) => list?.releases ?? []).map(({ bundle: _, ...one }) => one)
    return inOrder([release], listed, includeStages)[0] ?? null
  }

  /**
   * The products named with the id; else those for which the catalogue publishes the same file (several
   * products share one checksum, services.md#A8); else the product with that number: one in its normal mode,
   * or one that keeps its id (services.md#A44).
   */
  async function namedProducts(
    id: ProductId,
    runtime: readonly ProductId[],
    release: PublishedRelease | null,
  ): Promise<readonly Product[]> {
    if (runtime.length > 0) return Promise.all(runtime.map(product))
    const { version, md5 } = release ?? { version: '', md5: null }
    const sameFile =
      md5 === null
        ? []
        : (await productsWithFile({ version, md5 }))
            .filter((one) => one.vendorId === id.vendorId)
            .slice(0, productsAtMost)
    if (sameFile.length > 0) return sameFile
    const itself = await product(id)
    // A number that is missing from the catalogue is a recovery id only, not a product.
    return itself.variants.length > 0 ? [itself] : []
  }

  /**
   * The link of the first product that publishes exactly this version; null: none does, or the request
   * failed.
   */
  async function linkOf(
    products: readonly Product[],
    release: PublishedRelease,
  ): Promise<{ readonly link: DownloadLink | null; readonly failed: RecoveryFacts['failed'] }> {
    const failed: RecoveryFacts['failed'][number][] = []
    for (const { vendorId: vendor, productId } of products) {
      const query = {
        vendorId: vendor,
        productId,
        version: release.version,
        buildType: usualBuildType(release),
      }
      const answer = await part('link', metadata.downloadLink(query))
      if (answer.reading !== null && answer.reading.value.url !== null)
        return { link: answer.reading.value, failed: [] }
      failed.push(...answer.failed)
      // If the service is unavailable, the others would fail in the same way.
      if (answer.failed.some(({ failure }) => !isKind(failure, 'unreadable-answer'))) break
    }
    return { link: null, failed: failed.slice(0, 1) }
  }

  async function all(
    vendorIds: ReadonlySet<number>,
    task: RunningTask,
  ): Promise<{ readonly answers: readonly RecoveryFacts[]; readonly failure: Failure | null }> {
    const ids = await part('ids', metadata.recoveryIds())
    const listed = [...(ids.reading?.value ?? [])].flatMap(([vendor, productIds]) =>
      vendorIds.has(vendor) ? [...productIds].map((productId) => ({ vendorId: vendor, productId })) : [],
    )
    const answers: RecoveryFacts[] = []
    let failure = ids.failed[0]?.failure ?? null
    let [at, inARow] = [0, 0]
    async function next(): Promise<void> {
      for (let id = listed[at]; id !== undefined && inARow < unreadInARow; id = listed[at]) {
        task.step('documents', at++, listed.length)
        const answer = await resultFor(id, ids)
        failure ??= answer.failed[0]?.failure ?? null
        inARow = answer.failed.length > 1 ? inARow + 1 : 0
        if (answer.firmware !== null || answer.configurations.length > 0) answers.push(answer)
      }
    }
    await Promise.all(Array.from({ length: togetherAtMost }, next))
    return { answers, failure }
  }

  return { look, all }
}

/** A requested document: null if not published or failed. */
interface Part<T> {
  readonly reading: AddressedDocument<T> | null
  readonly failed: RecoveryFacts['failed']
}

/** An unreachable or unreadable document affects only itself. */
async function part<T>(
  document: RecoveryDocumentName,
  reading: Promise<AddressedDocument<T>>,
): Promise<Part<T>> {
  try {
    return { reading: await foundOrNull(reading), failed: [] }
  } catch (error) {
    if (!(error instanceof Failed) || isKind(error.failure, 'cancelled')) throw error
    return { reading: null, failed: [{ document, failure: error.failure }] }
  }
}

/**
 * Product ids in configurations or firmware, under member names that suggest products and not recovery (their
 * fields are not published).
 */
function runtimeIds(
  id: ProductId,
  configurations: readonly TolerantRecord[],
  firmware: RecoveryFirmware | null,
): readonly ProductId[] {
  const found = new Map<string, ProductId>()
  const raws = [...configurations.map(({ raw }) => raw), ...(firmware === null ? [] : [firmware.release.raw])]
  for (const raw of raws.filter(isJsonObject)) {
    const own = typeof raw['vendorId'] === 'number' ? raw['vendorId'] : id.vendorId
    for (const [name, value] of Object.entries(raw)) {
      if (!/^(?:product|target|runtime|normal).*(?:ids?|pids?)$/i.test(name)) continue
      for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
        if (
          typeof one === 'number' &&
          Number.isInteger(one) &&
          one > 0 &&
          one <= 2_147_483_647 &&
          found.size < productsAtMost
        )
          found.set(`${own}/${one}`, { vendorId: own, productId: one })
      }
    }
  }
  return [...found.values()]
}
