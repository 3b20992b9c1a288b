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

/** What a note is made of. The kinds are ours: no markup of a service crosses the contract. */
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
  /** As declared, else as it reads. */
  readonly format: NoteFormat
  /** The document it stands in. */
  readonly source: 'product-content' | 'firmware-releases'
  /** The release of this version was revoked. */
  readonly revoked: boolean
  readonly blocks: readonly NoteBlock[]
  /** The same as plain lines; signs that a terminal would obey are shown as their number. */
  readonly text: string
  /** It is longer, larger or deeper than what is shown. */
  readonly cut: boolean
}

export interface ReleaseNotesQuery extends ProductId {
  /** The one version whose notes are wanted; with `since`, the last. */
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
  /** Newest first, those of the product itself at the end. */
  readonly notes: readonly ReleaseNote[]
  /** Published versions of those asked for that have no text, newest first; empty where no version was named. */
  readonly withoutText: readonly string[]
  /** What stands where notes belong and could not be read, as received. */
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
