import { z } from 'zod'
import { count, free, id, nothing, product, stages, start, version } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { Json, JsonObject } from '../json.ts'
import type { PrereleaseStage, NoLatestOfSome } from '../firmware.ts'

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

/** Records of a document that cannot be read: they are counted, and the first of them shown as received. */
export interface UnreadRecords {
  readonly count: number
  /** At most 50. */
  readonly records: readonly Json[]
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
  /** Newest release that is neither revoked nor, unless included, of a prerelease stage; null: there is none. */
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
  /** Of the catalogue. */
  readonly unreadable: UnreadRecords
}

export interface FirmwareRelease {
  readonly version: string
  /** True for exactly one release at most: the numerically greatest that is neither revoked nor, unless included, of a prerelease stage. */
  readonly latest: boolean
  readonly revoked: boolean
  /** As received; null: not said. */
  readonly stage: string | null
  /** False: it names none of the published stages. Such a release counts as public. */
  readonly stageStated: boolean
  readonly releasedAt: number | null
  readonly fileName: string | null
  /** Bytes. */
  readonly fileSize: number | null
  /** Lower-case hex of the published MD5, decoded from base64 (observed) or hex; null: not published or not 16 bytes. */
  readonly md5: string | null
  readonly notesUrl: string | null
  readonly raw: JsonObject
}

export interface ReleaseQuery extends ProductId {
  /** Prerelease stages that may be the latest, for this once; missing: those of the organization. */
  readonly includeStages?: readonly PrereleaseStage[]
}

/**
 * Why no release of a product is the latest: nothing is published, everything was revoked, all the others are prereleases that are not
 * included, or what is offered to everyone has a version that cannot be compared.
 */
export type NoLatest = 'not-published' | NoLatestOfSome

export interface ReleaseList extends Observed {
  readonly product: Product
  /** Newest first by numeric comparison. */
  readonly releases: readonly FirmwareRelease[]
  /** null: one of them is. */
  readonly noLatest: NoLatest | null
  readonly unreadable: UnreadRecords
}

export interface FirmwareLinkQuery extends ReleaseQuery {
  /** `latest`: the newest release that may be the latest. */
  readonly version: string
  /** null: the organization's usual one, for the words are not published. */
  readonly buildType: string | null
}

/** A download link record (its fields are not published), and what it says. */
export interface FirmwareLink extends Observed {
  readonly version: string
  readonly buildType: string
  /** As received; one that is relative to its document, resolved. null: the record holds no address that may be offered. */
  readonly url: string | null
  readonly host: string | null
  /** An address in the record that may not be offered: plain http, or another scheme. */
  readonly refused: string | null
  /** When the record, or the address itself, says that the link ends; null: not said. */
  readonly expiresAt: number | null
  readonly bytes: number | null
  /** Lower-case hex. */
  readonly md5: string | null
  /** As received. */
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
  /**
   * `not-a-product-id`: a number that no address of the service can name (specification, part 2: int32). `no-version`: the device tells none;
   * `not-a-version`: what it tells cannot be compared.
   */
  | {
      readonly kind: 'unknown'
      readonly why: 'no-product' | 'not-a-product-id' | 'no-version' | 'not-a-version' | NoLatest | 'offline'
    }

/** A product of the fleet whose firmware could not be compared with the catalogue as it is now, and why. */
export interface ProductNotCompared {
  readonly productId: number
  readonly productName: string | null
  /** Devices with this product id, gone ones apart. */
  readonly devices: number
  readonly failure: Failure
}

export interface ReleaseNotes extends Observed {
  /** The content record that names the product, by entity id, product id or name; null: the content document names no such product. */
  readonly record: {
    readonly title: string
    readonly links: readonly ContentLink[]
    readonly images: readonly string[]
    readonly raw: JsonObject
  } | null
}

export interface ContentLink {
  readonly kind: 'release-notes' | 'support' | 'other'
  readonly label: string
  readonly url: string
  readonly host: string
  /** False: not https, so it is shown and not opened. */
  readonly offered: boolean
}

const releases = product.extend({ includeStages: stages.exactOptional() })

export const firmware = {
  products: method(z.strictObject({ text: free, owned: z.boolean(), start, count })).returns<ProductPage>(),
  releases: method(releases).returns<ReleaseList>(),
  buildTypes: method(nothing).returns<readonly BuildType[]>(),
  link: method(
    releases.extend({ version, buildType: version.nullable(), refresh: z.boolean() }),
  ).returns<FirmwareLink>(),
  standing: method(z.strictObject({ deviceId: id })).returns<FirmwareStanding>(),
}

export const releaseNotes = {
  get: method(product).returns<ReleaseNotes>(),
}
