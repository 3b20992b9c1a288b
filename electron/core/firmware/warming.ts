import { Failed, foundOrNull, orNull } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { FirmwareLink, FirmwareLinkQuery, ProductId, ReleaseList } from '../../contract/api/firmware.ts'
import type { Ask, Metadata, CachedDocument } from '../metadata/metadata.ts'

/**
 * Products looked up in parallel in the background, out of the metadata interface's eight. Raise it if this
 * is slow and pages stay fast.
 */
const warmedTogether = 2
/**
 * Number of products in a row with a 5xx response after which the service counts as unavailable. Raise it if
 * single documents often fail.
 */
const unavailableInARow = 3

export interface WarmReport {
  /** Products whose releases are available now. */
  readonly warmed: number
  /** Products without releases or link; a product that publishes none counts as read. */
  readonly notPublished: number
  /** Products not looked up: the work was cancelled, or the service was unavailable. */
  readonly left: number
  /**
   * Neither the catalogue nor any other document was found: the metadata address or its version is wrong.
   * Missing: something was found.
   */
  readonly nothingPublished?: true
}

/** Reads the catalogue, the releases of the products and the link of the latest of each. Never rejects with Failed. */
export async function warm(
  wanted: readonly ProductId[],
  signal: AbortSignal | null,
  {
    metadata,
    releases,
    link,
    asked,
  }: {
    readonly metadata: Pick<Metadata, 'catalogue' | 'schemaVersions'>
    readonly releases: (id: ProductId, ask: Ask) => Promise<ReleaseList>
    readonly link: (query: FirmwareLinkQuery, ask: Ask) => Promise<FirmwareLink>
    readonly asked: (id: ProductId) => void
  },
): Promise<WarmReport> {
  const ask: Ask = { lane: 'bulk', signal }
  // No address accepts this number: nothing is published for it, and no request is sent.
  const waiting = wanted.filter(({ productId }) => isProductId(productId))
  const report = { warmed: 0, notPublished: wanted.length - waiting.length }
  const requested = waiting.length
  let [found, unavailable, stopped] = [0, 0, false]

  async function next(): Promise<void> {
    for (
      let id = waiting.shift();
      id !== undefined && !stopped && signal?.aborted !== true;
      id = waiting.shift()
    ) {
      try {
        const list = await releases(id, ask).finally(() => signal?.aborted === true || asked(id))
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
        // An unavailable document affects one product; if the service is unavailable, the rest would fail
        // later in the same way.
        else if (kind === 'service-unavailable') stopped = ++unavailable >= unavailableInARow
        else if (kind !== 'unreadable-answer' && kind !== 'refused') stopped = true
      }
    }
  }

  const catalogue = await isPublished(metadata.catalogue(ask))
  await Promise.all(Array.from({ length: warmedTogether }, next))
  const left = wanted.length - report.warmed - report.notPublished
  const nothingPublished =
    catalogue === false &&
    found === 0 &&
    report.notPublished >= requested &&
    left === 0 &&
    (await isPublished(metadata.schemaVersions(ask))) === false
  return { ...report, left, ...(nothingPublished ? { nothingPublished } : {}) }
}

/** null: not known. */
const isPublished = (reading: Promise<CachedDocument<unknown>>): Promise<boolean | null> =>
  orNull(foundOrNull(reading).then((found) => found !== null))
