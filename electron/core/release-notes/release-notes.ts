import { Failed } from '../../contract/failure.ts'
import type { ProductId, ReleaseNotes } from '../../contract/api/firmware.ts'
import type { Ask, Catalogue, CatalogueProduct, Metadata } from '../metadata/metadata.ts'
import { plainName, type WantedProduct } from './content-evidence.ts'
import { recordOf } from './content-json.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

export interface ReleaseNotesReader {
  /** What product content says about the product. Rejects with Failed; `record` is null when the document names no such product. */
  get(product: ProductId, options?: { readonly refresh?: boolean }): Promise<ReleaseNotes>
  /** After a sync: the content document, in the background. Never rejects with Failed; answers whether it is there now. */
  warm(options: { readonly signal?: AbortSignal | null }): Promise<boolean>
}

export function openReleaseNotes({ metadata }: { readonly metadata: Metadata }): ReleaseNotesReader {
  /** Names help to find the record; without a catalogue the product id alone has to do. */
  async function catalogueIfAny(): Promise<Catalogue | null> {
    try {
      return (await metadata.catalogue()).value
    } catch (error) {
      if (error instanceof Failed) return null
      throw error
    }
  }

  async function get(product: ProductId, options?: { readonly refresh?: boolean }): Promise<ReleaseNotes> {
    const ask: Ask = { refresh: options?.refresh ?? false }
    const [content, catalogue] = await Promise.all([metadata.productContent(ask), catalogueIfAny()])
    const named = catalogue?.products.filter((one) => has(one, product)) ?? []
    const record = recordOf(content.value.json, content.value.documentUrl, wantedFrom(product, named))
    const title = record?.title ?? named[0]?.name ?? `${product.vendorId}/${product.productId}`
    return {
      record: record === null ? null : { ...record, title },
      observedAt: content.observedAt,
      fromCache: content.fromCache,
    }
  }

  async function warm({ signal = null }: { readonly signal?: AbortSignal | null }): Promise<boolean> {
    try {
      await metadata.productContent({ lane: 'bulk', signal })
      return true
    } catch (error) {
      if (error instanceof Failed) return false
      throw error
    }
  }

  return { get, warm }
}

const has = (product: CatalogueProduct, { vendorId, productId }: ProductId): boolean =>
  product.variants.some((variant) => variant.vendorId === vendorId && variant.productId === productId)

function wantedFrom(
  { vendorId, productId }: ProductId,
  products: readonly CatalogueProduct[],
): WantedProduct {
  const own = products.flatMap((product) =>
    product.variants.filter((variant) => variant.vendorId === vendorId && variant.productId === productId),
  )
  const names = [...products.map((product) => product.name), ...own.flatMap((variant) => variant.name ?? [])]
  const groups = products.flatMap((product) => product.groupName ?? [])
  const entityIds = new Set(products.flatMap((product) => product.entityIds))
  return {
    vendorId,
    productId,
    entityIds,
    names: new Set(names.map(plainName)),
    groupNames: new Set(groups.map(plainName)),
  }
}

export const releaseNoteHandlers = (
  session: () => Promise<{ readonly releaseNotes: ReleaseNotesReader }>,
): Handlers<'releaseNotes'> => ({
  get: async (product) => (await session()).releaseNotes.get(product),
})
