import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { ProductPicture } from '../../contract/api/pictures.ts'
import { Failed } from '../../contract/failure.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { requestFile, type FileRequestDeps } from '../downloads/downloads.ts'
import { FileBroken, type DataFolder, type FileResponse, type Log } from '../platform.ts'
import type { NamedPictures } from '../release-notes/release-notes.ts'
import { isOf, type CachedPicture, type CachedPictures } from './cached-pictures.ts'
import { pictureBytesAtMost, pictureHead, type PictureHead } from './picture-file.ts'

export { openCachedPictures, type PictureFile } from './cached-pictures.ts'

/** Chosen; raise it if a host needs more. */
const redirectsAtMost = 3
/** Maximum number of pictures of a product that are tried; further ones are other sizes and colours. */
const addressesAtMost = 4
/** Timeout for a file of 5 MB over a slow line. Raise it for slower lines. */
const fetchedWithinMs = 60_000
/**
 * Age after which a picture is fetched again; pictures hardly ever change. Offline, a picture is shown
 * regardless of its age.
 */
const renewedAfterMs = 30 * 86_400_000
/**
 * Delay before another attempt if the response was not a picture, or no host responded. Lower them if
 * pictures appear too late.
 */
const retryAfterMs = { refused: 86_400_000, broken: 600_000 }

/** Pictures of an organization's products. */
export interface Pictures {
  /** The stored pictures. Rejects with Failed `cache-unusable`. */
  list(): Promise<readonly ProductPicture[]>
  /** Fetched if none is stored; null: there is none. Rejects with Failed `cache-unusable`. */
  get(product: ProductId): Promise<ProductPicture | null>
  /** After a sync, one at a time: pictures that are missing or old. Rejects with Failed `cache-unusable`. */
  warm(products: readonly ProductId[], signal: AbortSignal): Promise<void>
  /** Stops what is being fetched. */
  close(): Promise<void>
}

export interface PicturesDeps extends FileRequestDeps {
  readonly log: Log
  readonly dataFolder: DataFolder
  readonly cache: CachedPictures
  /**
   * The key of the metadata interface of the products; for the demonstration it is the same on every port.
   */
  readonly interfaceName: string
  /** Rejects with Failed. */
  readonly named: (product: ProductId) => Promise<NamedPictures>
  /** Another picture is stored. */
  readonly changed: () => void
}

export function openPictures(deps: PicturesDeps): Pictures {
  const { clock, cache, interfaceName } = deps
  const stop = new AbortController()
  const inFlight = new Map<string, Promise<ProductPicture | null>>()
  /** By product: the monotonic time before which no request is made. */
  const notBefore = new Map<string, number>()

  const find = async (product: ProductId): Promise<CachedPicture | null> =>
    (await cache.all(interfaceName)).find(isOf(product)) ?? null

  function fetched(product: ProductId): Promise<ProductPicture | null> {
    const key = `${product.vendorId}/${product.productId}`
    const previous = inFlight.get(key)
    if (previous !== undefined) return previous
    if (
      clock.monotonic() < (notBefore.get(key) ?? 0) ||
      deps.dataFolder.problem() !== null ||
      stop.signal.aborted
    )
      return Promise.resolve(null)
    const fetching = fetchPicture(product, deps, stop.signal)
      .then(async (outcome) => {
        if (typeof outcome === 'object') return keep(product, outcome)
        if (outcome !== 'not-read') notBefore.set(key, clock.monotonic() + retryAfterMs[outcome])
        return null
      })
      .finally(() => inFlight.delete(key))
    inFlight.set(key, fetching)
    return fetching
  }

  async function keep(product: ProductId, { head, bytes }: Fetched): Promise<ProductPicture> {
    const { width, height } = head
    const id = createHash('sha256').update(bytes).digest('hex')
    const picture = { vendorId: product.vendorId, productId: product.productId, id, width, height }
    await cache.keep(interfaceName, { ...picture, fetchedAt: clock.now() }, head, bytes)
    deps.changed()
    return picture
  }

  return {
    list: async () => (await cache.all(interfaceName)).map(publicView),
    async get(product) {
      const picture = await find(product)
      return picture === null ? fetched(product) : publicView(picture)
    },
    async warm(products, signal) {
      const previous = await cache.all(interfaceName)
      for (const product of products) {
        if (signal.aborted) return
        const picture = previous.find(isOf(product))
        if (picture === undefined || clock.now() - picture.fetchedAt > renewedAfterMs) await fetched(product)
      }
    },
    async close() {
      stop.abort()
      await Promise.allSettled(inFlight.values())
    },
  }
}

const publicView = ({ fetchedAt: _, ...picture }: CachedPicture): ProductPicture => picture

interface Fetched {
  readonly head: PictureHead
  readonly bytes: Uint8Array
}

/**
 * `refused`: the response is not a picture that can be shown; `broken`: no response; `not-read`: the address
 * is not known yet.
 */
async function fetchPicture(
  product: ProductId,
  deps: PicturesDeps,
  closed: AbortSignal,
): Promise<Fetched | 'refused' | 'broken' | 'not-read'> {
  const { clock, log } = deps
  const late = new AbortController()
  const cancel = clock.after(fetchedWithinMs, () => late.abort())
  const signal = AbortSignal.any([closed, late.signal])
  let outcome: 'refused' | 'broken' = 'refused'
  try {
    const { addresses, origins } = await deps.named(product)
    for (const address of addresses.slice(0, addressesAtMost)) {
      try {
        const redirects = { atMost: redirectsAtMost, origins }
        const { answer } = await requestFile(address, { accept: 'image/*' }, signal, deps, redirects)
        const bytes = await bytesOf(answer)
        const head = bytes === null ? null : pictureHead(bytes)
        if (bytes !== null && head !== null) return { head, bytes }
      } catch (error) {
        if (error instanceof FileBroken) outcome = 'broken'
        else if (!(error instanceof Failed)) throw error
      }
    }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return 'not-read'
  } finally {
    cancel()
  }
  log.write('info', 'A product has no picture', { ...product, outcome })
  return outcome
}

/** null: the response contains no file, or is too large. */
async function bytesOf(answer: FileResponse): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  if (answer.status === 200 && !(Number(answer.headers['content-length'] ?? 0) > pictureBytesAtMost))
    for await (const piece of answer.body) {
      pieces.push(piece)
      length += piece.length
      if (length > pictureBytesAtMost) break
    }
  answer.close()
  return length === 0 || length > pictureBytesAtMost ? null : Buffer.concat(pieces)
}

export const pictureHandlers = (
  session: () => Promise<{ readonly pictures: Pictures }>,
): Handlers<'pictures'> => ({
  list: async () => (await session()).pictures.list(),
  get: async (product) => (await session()).pictures.get(product),
})
