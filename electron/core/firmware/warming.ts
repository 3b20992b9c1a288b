import { Failed } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { FirmwareLink, FirmwareLinkQuery, ProductId, ReleaseList } from '../../contract/api/firmware.ts'
import { publishedOrNull, type Ask, type Metadata, type Reading } from '../metadata/metadata.ts'

/** Chosen: products looked up side by side in the background, out of the metadata interface's eight. */
const warmedTogether = 2
/** Products in a row for which the service answered 5xx: the service is away, not one document. Chosen. */
const unavailableInARow = 3

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

/** Reads the catalogue, the releases of the products and the link of the latest of each. Never rejects with Failed. */
export async function warm(
  wanted: readonly ProductId[],
  signal: AbortSignal | null,
  {
    metadata,
    releases,
    link,
  }: {
    readonly metadata: Pick<Metadata, 'catalogue' | 'schemaVersions'>
    readonly releases: (id: ProductId, ask: Ask) => Promise<ReleaseList>
    readonly link: (query: FirmwareLinkQuery, ask: Ask) => Promise<FirmwareLink>
  },
): Promise<WarmReport> {
  const ask: Ask = { lane: 'bulk', signal }
  // A number that no address can name is nobody's product: nothing is published for it, and nothing is asked.
  const waiting = wanted.filter(({ productId }) => isProductId(productId))
  const report = { warmed: 0, notPublished: wanted.length - waiting.length }
  const asked = waiting.length
  let [found, unavailable, stopped] = [0, 0, false]

  async function next(): Promise<void> {
    for (
      let id = waiting.shift();
      id !== undefined && !stopped && signal?.aborted !== true;
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
  const nothingPublished =
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
