import { Failed, orNull } from '../../contract/failure.ts'
import type { FirmwareRelease, ProductId, ReleaseList } from '../../contract/api/firmware.ts'
import type { ReleaseNote, ReleaseNotes, ReleaseNotesQuery } from '../../contract/api/release-notes.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { compareVersions, isSameVersion } from '../lists/version-order.ts'
import type { Ask, CatalogueProduct, Metadata } from '../metadata/metadata.ts'
import { plainName, type WantedProduct } from './content-evidence.ts'
import { recordOf } from './content-json.ts'
import { imageOrigins } from './content-links.ts'
import { notesIn, notesOfRelease, type PublishedNote } from './note-json.ts'
import { noteText } from './note-text.ts'
import type { NoteTree } from './note-tree.ts'

export interface ReleaseNotesReader {
  /**
   * The published texts about the product. Rejects with Failed; `record` is null if the content document does
   * not contain the product.
   */
  get(query: ReleaseNotesQuery, options?: { readonly refresh?: boolean }): Promise<ReleaseNotes>
  /** Addresses of the product's pictures in the content document. Rejects with Failed. */
  pictures(product: ProductId, ask?: Ask): Promise<NamedPictures>
  /**
   * After a sync: reads the content document in the background. Never rejects with Failed; returns whether it
   * is available now.
   */
  warm(options: { readonly signal?: AbortSignal | null }): Promise<boolean>
}

export interface NamedPictures {
  /** Small pictures first. */
  readonly addresses: readonly string[]
  /** The origins of all picture addresses in the document. */
  readonly origins: ReadonlySet<string>
}

export interface ReleaseNotesDeps {
  readonly metadata: Metadata
  /** Rejects with Failed. */
  readonly releases: (product: ProductId) => Promise<Pick<ReleaseList, 'releases'>>
}

export function openReleaseNotes({ metadata, releases }: ReleaseNotesDeps): ReleaseNotesReader {
  async function get(
    { vendorId, productId, version, since }: ReleaseNotesQuery,
    options?: { readonly refresh?: boolean },
  ): Promise<ReleaseNotes> {
    const ask: Ask = { refresh: options?.refresh ?? false }
    const product = { vendorId, productId }
    const [content, catalogue, list] = await Promise.all([
      metadata.productContent(ask),
      orNull(metadata.catalogue()),
      orNull(releases(product)),
    ])
    const { json, documentUrl } = content.value
    const named = catalogue?.value.products.filter((one) => has(one, product)) ?? []
    const wanted = wantedFrom(product, named)
    const record = recordOf(json, documentUrl, wanted)
    const title = record?.title ?? named[0]?.name ?? `${vendorId}/${productId}`
    const inContent =
      record === null
        ? { notes: [], other: [] }
        : notesIn(json, wanted, { record: record.raw, strength: record.strength })
    const published = list?.releases ?? []
    const isWanted = isRequested(version, since, published)
    const all = [
      ...inContent.notes.map((note) => ({ ...note, source: 'product-content' as const })),
      ...published.flatMap((release) =>
        notesOfRelease(release).map((note) => ({ ...note, source: 'firmware-releases' as const })),
      ),
    ].filter((note) => isWanted(note.version))
    // Loaded here, because the parsers of markup take a tenth of a command's start (measured).
    const { noteBudget, noteTree } = await import('./note-tree.ts')
    const budget = noteBudget()
    const notes = [...all]
      .sort((a, b) => compareVersions(b.version, a.version))
      .map((note) => publicNote(note, noteTree(note.text, note.format, documentUrl, budget), published))
    return {
      record: record === null ? null : { title, links: record.links, images: record.images, raw: record.raw },
      notes,
      withoutText:
        version === undefined && since === undefined
          ? []
          : published
              .map((release) => release.version)
              .filter((one) => isWanted(one) && !notes.some((note) => isSameVersion(note.version, one))),
      other: inContent.other,
      observedAt: content.observedAt,
      fromCache: content.fromCache,
    }
  }

  async function pictures(product: ProductId, ask?: Ask): Promise<NamedPictures> {
    const [content, catalogue] = await Promise.all([
      metadata.productContent(ask),
      orNull(metadata.catalogue(ask)),
    ])
    const { json, documentUrl } = content.value
    const named = catalogue?.value.products.filter((one) => has(one, product)) ?? []
    const images = recordOf(json, documentUrl, wantedFrom(product, named))?.images ?? []
    const isSmall = (url: string): boolean => /thumb/i.test(url)
    return {
      addresses: [...images.filter(isSmall), ...images.filter((url) => !isSmall(url))],
      origins: imageOrigins(json, documentUrl),
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

  return { get, pictures, warm }
}

/**
 * The requested versions: one; those after `since` up to the newest that is not revoked; without either all,
 * including notes without a version.
 */
function isRequested(
  version: string | undefined,
  since: string | undefined,
  releases: readonly FirmwareRelease[],
): (of: string | null) => boolean {
  if (version === undefined && since === undefined) return () => true
  if (since === undefined) return (of) => isSameVersion(of, version ?? '')
  const newest = releases.find((release) => !release.revoked)?.version
  const last = version ?? newest ?? null
  return (of) =>
    of !== null && compareVersions(of, since) > 0 && (last === null || compareVersions(of, last) <= 0)
}

function publicNote(
  note: PublishedNote & Pick<ReleaseNote, 'source'>,
  tree: NoteTree,
  releases: readonly FirmwareRelease[],
): ReleaseNote {
  return {
    ...note,
    revoked: releases.some((release) => release.revoked && isSameVersion(note.version, release.version)),
    ...tree,
    text: noteText(tree.blocks),
  }
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
