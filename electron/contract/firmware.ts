import type { JsonObject } from './json.ts'

/** Identity of a product variant: the triple of every metadata address. */
export interface ProductId {
  readonly vendorId: number
  readonly productId: number
}

/** When a metadata document was read, and whether this answer came out of the cache without the service. */
export interface Observed {
  readonly observedAt: number
  readonly fromCache: boolean
}

export interface ProductVariant {
  readonly vendorId: number
  readonly productId: number
  readonly variantType: string
  readonly name: string | null
}

export interface Product {
  readonly vendorId: number
  readonly productId: number
  readonly name: string
  readonly groupName: string | null
  readonly deviceType: string | null
  readonly supportedProtocols: readonly string[]
  readonly variants: readonly ProductVariant[]
  /** Newest release that is not revoked; null: none published. */
  readonly latestVersion: string | null
  /** Devices of the current organization with this product id, gone ones apart. */
  readonly deviceCount: number
}

export interface ProductQuery {
  /** Name, or product id in decimal or hex (`9395`, `0x24B3`, `24b3`, `VID_0B0E&PID_24B3`), or variant. */
  readonly text: string
  readonly owned: boolean
  readonly start: number
  readonly count: number
}

export interface ProductPage extends Observed {
  readonly rows: readonly Product[]
  readonly total: number
}

export interface FirmwareRelease {
  readonly version: string
  /** True for exactly one release at most: the numerically greatest that is not revoked. */
  readonly latest: boolean
  readonly revoked: boolean
  readonly stage: string | null
  readonly releasedAt: number | null
  readonly fileName: string | null
  /** Bytes. */
  readonly fileSize: number | null
  /** Lower-case hex of the published MD5, decoded from base64 (observed); null: not published or not 16 bytes. */
  readonly md5: string | null
  readonly notesUrl: string | null
  readonly raw: JsonObject
}

export interface ReleaseList extends Observed {
  readonly product: Product
  /** Newest first by numeric comparison. */
  readonly releases: readonly FirmwareRelease[]
}

export interface FirmwareLinkQuery extends ProductId {
  readonly version: string
  readonly buildType: string
}

export interface FirmwareLink extends Observed {
  /** Exactly as received. */
  readonly url: string
  readonly host: string
  readonly raw: JsonObject
}

/** Build types are not published: an editable list, marked assumed, plus what answers showed. */
export interface BuildType {
  readonly name: string
  readonly source: 'assumed' | 'seen'
}

/** How a device's firmware stands against the catalogue. */
export type FirmwareStanding =
  | { readonly kind: 'current'; readonly latest: string }
  | { readonly kind: 'behind'; readonly latest: string; readonly by: number }
  | { readonly kind: 'ahead'; readonly latest: string }
  | { readonly kind: 'revoked'; readonly latest: string | null }
  | { readonly kind: 'unknown'; readonly why: 'no-product' | 'no-version' | 'not-published' | 'offline' }

export interface ReleaseNotes extends Observed {
  /** The content record that names the product; null: the content document names no such product. */
  readonly record: { readonly title: string; readonly links: readonly ContentLink[]; readonly images: readonly string[]; readonly raw: JsonObject } | null
}

export interface ContentLink {
  readonly kind: 'release-notes' | 'support' | 'other'
  readonly label: string
  /** https only. */
  readonly url: string
  readonly host: string
}
