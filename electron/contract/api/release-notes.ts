import { product, version } from '../argument-parts.ts'
import type { Json, JsonObject } from '../json.ts'
import { method } from '../method.ts'
import type { Observed, ProductId } from './firmware.ts'

/** Text in a line. A line break is `\n`. */
export type NoteSpan =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly NoteSpan[] }
  | {
      readonly kind: 'link'
      readonly url: string
      readonly host: string
      /** False: not https, so it is shown and not opened. */
      readonly offered: boolean
      readonly content: readonly NoteSpan[]
    }

/** The elements of a note. The kinds are our own: no markup of a service crosses the contract. */
export type NoteBlock =
  | { readonly kind: 'heading' | 'paragraph'; readonly content: readonly NoteSpan[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly items: readonly (readonly NoteBlock[])[]
    }
  | {
      readonly kind: 'table'
      readonly rows: readonly {
        readonly head: boolean
        readonly cells: readonly (readonly NoteSpan[])[]
      }[]
    }

export type NoteFormat = 'plain' | 'markdown' | 'html'

export interface ReleaseNote {
  /** null: the text names none, so it belongs to the product. */
  readonly version: string | null
  /** Its format, as declared or else as detected. */
  readonly format: NoteFormat
  /** The document that contains it. */
  readonly source: 'product-content' | 'firmware-releases'
  /** The release of this version was revoked. */
  readonly revoked: boolean
  readonly blocks: readonly NoteBlock[]
  /** The same text as plain lines; control characters are shown as numbers. */
  readonly text: string
  /** It exceeds the limit of length, size or depth for display. */
  readonly cut: boolean
}

export interface ReleaseNotesQuery extends ProductId {
  /** The version whose notes are requested; with `since`, the last one. */
  readonly version?: string
  /** Notes of later versions, up to `version` or the newest that is not revoked. */
  readonly since?: string
}

export interface ReleaseNotes extends Observed {
  /** The content record that names the product, by entity id, product id or name; null: the content document names no such product. */
  readonly record: {
    readonly title: string
    readonly links: readonly ContentLink[]
    readonly images: readonly string[]
    readonly raw: JsonObject
  } | null
  /** Newest first; those of the product itself come last. */
  readonly notes: readonly ReleaseNote[]
  /**
   * Published versions in the requested range without a text, newest first; empty if no version was named.
   */
  readonly withoutText: readonly string[]
  /** Values found where notes were expected and that could not be parsed, as received. */
  readonly other: readonly Json[]
}

export interface ContentLink {
  readonly kind: 'release-notes' | 'support' | 'other'
  readonly label: string
  readonly url: string
  readonly host: string
  /** False: not https, so it is shown and not opened. */
  readonly offered: boolean
}

export const releaseNotes = {
  get: method(
    product.extend({ version: version.exactOptional(), since: version.exactOptional() }),
  ).returns<ReleaseNotes>(),
}
