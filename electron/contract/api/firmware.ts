import { z } from 'zod'
import { count, free, id, nothing, product, stages, start, text, typed, version } from '../argument-parts.ts'
import { local, event, method } from '../method.ts'
import type { BundledFirmware, Failure } from '../failure.ts'
import type { Json, JsonObject } from '../json.ts'
import {
  compareWithValues,
  type CompareWith,
  type PrereleaseStage,
  type NoLatestOfSome,
} from '../firmware.ts'

/** Identity of a product variant: the triple of every metadata address. */
export interface ProductId {
  readonly vendorId: number
  readonly productId: number
}

/** A product of a group or a bundle. */
export interface NamedProduct extends ProductId {
  /** null: it is not published separately. */
  readonly name: string | null
}

/** When a metadata document was read, and whether this result came from the cache without a request. */
export interface Observed {
  readonly observedAt: number
  readonly fromCache: boolean
}

/**
 * Records of a document that cannot be parsed: they are counted, and the first ones are shown as received.
 */
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
  /** In lower case; missing: the record has none. */
  readonly entityId?: string
}

export interface Product {
  readonly vendorId: number
  readonly productId: number
  readonly name: string
  readonly groupName: string | null
  readonly deviceType: string | null
  readonly supportedProtocols: readonly string[]
  readonly variants: readonly ProductVariant[]
  /** Newest release that is not revoked and, unless included, not of a prerelease stage; null: none. */
  readonly latestVersion: string | null
  /** Devices of the current organization with this product id, without gone ones. */
  readonly deviceCount: number
}

export interface ProductQuery {
  /** Name, or product id in decimal or hex (`9395`, `0x24B3`, `24b3`, `VID_0B0E&PID_24B3`), or variant. */
  readonly text: string
  readonly owned: boolean
  readonly start: number
  readonly count: number
  /** From the stored catalogue, also when it is old: while a person types, no call is made for it. */
  readonly cachedOnly?: boolean
}

export interface ProductPage extends Observed {
  readonly rows: readonly Product[]
  readonly total: number
  /** Of the catalogue. */
  readonly unreadable: UnreadRecords
}

/** One version of a firmware bundle; null: the record does not say. */
export interface BundleName {
  readonly group: string | null
  readonly version: string | null
  readonly name: string | null
}

/** A set of firmware versions of several products that belong together. */
export interface FirmwareBundle extends BundleName {
  readonly members: readonly (NamedProduct & {
    /** null: the bundle names the product without a version. */
    readonly firmwareVersion: string | null
  })[]
  /** Records of a bundle without members whose content is not understood, as received: they may name some. */
  readonly unread: readonly Json[]
  readonly stage: string | null
  readonly revoked: boolean
  readonly raw: Json
}

export interface FirmwareBundles extends Observed {
  /** By group, the newest version first. */
  readonly bundles: readonly FirmwareBundle[]
  /** Other members of the response, as received. */
  readonly beside: readonly Json[]
}

export interface FirmwareRelease {
  readonly version: string
  /**
   * True for at most one release: the numerically greatest that is not revoked and, unless included, not of a
   * prerelease stage.
   */
  readonly latest: boolean
  readonly revoked: boolean
  /** As received; null: not stated. */
  readonly stage: string | null
  /** False: it names no published stage. Such a release counts as public. */
  readonly stageStated: boolean
  readonly releasedAt: number | null
  readonly fileName: string | null
  /** Bytes. */
  readonly fileSize: number | null
  /**
   * Lower-case hex of the published MD5, decoded from base64 (services.md#A1) or hex; null: not published or
   * not 16 bytes.
   */
  readonly md5: string | null
  readonly notesUrl: string | null
  /** Build types that the record names; empty: none. */
  readonly buildTypes: readonly string[]
  /** null: the product publishes it itself. */
  readonly bundle: BundleName | null
  readonly raw: JsonObject
}

export interface ReleaseQuery extends ProductId {
  /** Prerelease stages that may be the latest in this call; missing: those of the organization. */
  readonly includeStages?: readonly PrereleaseStage[]
}

/**
 * Why no release of a product is the latest: nothing is published, all were revoked, the others are
 * prereleases that are not included, the release for everyone has a version that cannot be compared, or
 * bundle groups name different newest versions. `list-unread`: its own list could not be read.
 */
export type NoLatest = 'not-published' | 'list-unread' | NoLatestOfSome

export interface ReleaseList extends Observed {
  readonly product: Product
  /** Newest first by numeric comparison. */
  readonly releases: readonly FirmwareRelease[]
  /** null: there is a latest release. */
  readonly noLatest: NoLatest | null
  /**
   * Why the product's own list could not be read: the releases are the catalogue's, which states no stages, so
   * none of them is the latest. Missing: it was read, or is not published.
   */
  readonly unread?: Failure
  readonly unreadable: UnreadRecords
  /** Other members of the response, as received. */
  readonly beside: readonly Json[]
}

export interface FirmwareLinkQuery extends ReleaseQuery {
  /**
   * `latest`: the newest release that may be the latest; `approved`: the approved version. For a bundle also
   * the bundle's own version.
   */
  readonly version: string
  /** The variant whose approved version is meant; missing: the version for all variants. */
  readonly variant?: string
  /** Group or name of the firmware bundle it is to come from; missing: the product's own release, else the bundle that has it. */
  readonly bundle?: string
  /** null: the organization's default, because the values are not published. */
  readonly buildType: string | null
}

/** A download link record (its fields are not published) and its parsed content. */
export interface FirmwareLink extends Observed {
  /** Version of the firmware, even if the bundle's version was requested. */
  readonly version: string
  readonly buildType: string
  /** The bundle it comes from; null: the product's own release. */
  readonly bundle: { readonly group: string; readonly version: string } | null
  /**
   * As received; a relative one is resolved against its document. null: the record has no address that may be
   * offered.
   */
  readonly url: string | null
  readonly host: string | null
  /** An address in the record that may not be offered: plain http, or another scheme. */
  readonly refused: string | null
  /** When the link expires according to the record or the address itself; null: not stated. */
  readonly expiresAt: number | null
  readonly bytes: number | null
  /** Lower-case hex. */
  readonly md5: string | null
  /** As received. */
  readonly raw: JsonObject
}

/**
 * Build types are not published. This is an editable list, marked as assumed, and those seen in responses.
 */
export interface BuildType {
  readonly name: string
  readonly source: 'assumed' | 'seen'
}

/** `approved`: the approved version that it is compared with; missing: it is compared with the latest. */
type Compared =
  | { readonly latest: string; readonly approved?: undefined }
  | { readonly latest: string | null; readonly approved: string }

/** Result of comparing a device's firmware with the catalogue or with the approved version. */
export type FirmwareCompliance =
  | ({ readonly kind: 'current' } & Compared)
  | ({ readonly kind: 'behind'; readonly by: number } & Compared)
  | ({ readonly kind: 'ahead' } & Compared)
  | { readonly kind: 'revoked'; readonly latest: string | null; readonly approved?: string }
  /**
   * `not-a-product-id`: a number that no address of the service accepts (services.md#A31).
   * `no-version`: the device reports none; `not-a-version`: its version cannot be compared.
   */
  | {
      readonly kind: 'unknown'
      readonly why: 'no-product' | 'not-a-product-id' | 'no-version' | 'not-a-version' | NoLatest | 'offline'
      /** For `bundles-differ`: the newest of each group. */
      readonly bundles?: readonly BundledFirmware[]
    }

/** `revoked`: its version was revoked after approval. `expired` and `revoked` approvals have no effect. */
export type ApprovalState = 'valid' | 'expired' | 'revoked'

/**
 * An approval: a version for a product, or for one of its variants (null: for all variants without their
 * own).
 */
export interface ApprovedVariant extends ProductId {
  readonly variant: string | null
}

export interface ApprovalQuery extends ApprovedVariant {
  /** A version that is listed and not revoked, or `latest`. */
  readonly version: string
  readonly reason: string
  /** The last day, `2026-12-31`, in the time zone of the preferences; null: no end. */
  readonly expires: string | null
}

export interface Approval {
  readonly product: ProductId & { readonly name: string }
  readonly variant: string | null
  readonly version: string
  readonly reason: string
  readonly who: string
  readonly at: number
  /** The first moment after its last day. */
  readonly expiresAt: number | null
  readonly state: ApprovalState
}

export interface Approvals {
  /** The versions that the organization's devices are compared with. */
  readonly comparedWith: CompareWith
  /** By product. */
  readonly approvals: readonly Approval[]
}

/** A product of the fleet and the compliance of its devices, without gone ones. */
export interface ProductStatus extends ProductId {
  readonly name: string
  readonly devices: number
  readonly current: number
  readonly behind: number
  readonly ahead: number
  readonly revoked: number
  readonly unknown: number
  /** The newest release that may be the latest, of the list that was compared; null: none. */
  readonly newest: string | null
  /** When `newest` was released; null: not stated. */
  readonly newestReleasedAt: number | null
  /** The valid approved version, if all variants have the same; null: none. */
  readonly approved: string | null
  /** The versions that most devices run, most frequent first; null: not known. */
  readonly inUse: readonly { readonly version: string | null; readonly devices: number }[]
}

/** A running comparison of the fleet: the products whose releases were asked for, of all. */
export interface Comparing {
  readonly done: number
  readonly total: number
}

export interface FleetStatus {
  readonly comparedWith: CompareWith
  /** Missing: no comparison is running. Otherwise the counts of products are parts, not to be shown. */
  readonly comparing?: Comparing
  readonly products: readonly ProductStatus[]
  /** Products whose releases were never read, if stages are given; otherwise 0. */
  readonly unread: number
}

/** What calls for a decision of a person. */
export interface FirmwareWarnings {
  /** Sentences about approvals that have no effect: an expired one, a revoked version. */
  readonly approvals: readonly string[]
  /** Products whose firmware could not be compared. */
  readonly notCompared: number
}

export interface ProductDetailsQuery extends ProductId {
  /** The variant; null: the first that is listed. */
  readonly variantType: string | null
  /** The values of these enumerations are not published; null: documents that need them are not fetched. */
  readonly platformOs: string | null
  readonly agentType: string | null
}

/** The documents about a product besides its releases. */
export type DetailDocument =
  | 'catalogue'
  | 'variants'
  | 'information'
  | 'hosts'
  | 'with-agent'
  | 'ignored'
  | 'groups'
  | 'updaters'
  | 'bundles'

/**
 * Published data of a product. null: not published, not requested, or unreadable; an unreadable document is
 * in `failed`.
 */
export interface ProductDetails {
  readonly product: Product
  /** The variant that was requested; null: the product has none. */
  readonly variantType: string | null
  readonly downgradeAllowed: boolean | null
  readonly updateProtocols: readonly string[]
  readonly isHost: boolean | null
  readonly hasAgent: boolean | null
  readonly isIgnored: boolean | null
  /** Product-group bundles that contain it, each with its records as received. */
  readonly groups: readonly {
    readonly name: string
    readonly products: readonly NamedProduct[]
    readonly records: readonly Json[]
  }[]
  readonly bundles: readonly FirmwareBundle[]
  /** Its records as received; for a product missing from the catalogue, its separately published record. */
  readonly catalogue: readonly JsonObject[]
  readonly variants: readonly Json[] | null
  /** Its records in the lists of hosts, of products with an agent and of ignored products. */
  readonly lists: readonly Json[]
  readonly information: readonly Json[] | null
  readonly updaters: readonly Json[] | null
  /** Other members of the responses, as received. */
  readonly beside: readonly Json[]
  readonly failed: readonly { readonly document: DetailDocument; readonly failure: Failure }[]
}

/** A product of the fleet whose firmware could not be compared with the current catalogue, and why. */
export interface ProductNotCompared {
  readonly productId: number
  readonly productName: string | null
  /** Devices with this product id, without gone ones. */
  readonly devices: number
  readonly failure: Failure
  /** The age of the release list of its last compliance, which remains; null: there is none. */
  readonly comparedAt: number | null
}

const releases = product.extend({ includeStages: stages.exactOptional() })

const variant = product.extend({ variant: version.nullable() })

export const firmware = {
  products: method(
    z.strictObject({
      text: free,
      owned: z.boolean(),
      start,
      count,
      cachedOnly: z.boolean().exactOptional(),
    }),
  ).returns<ProductPage>(),
  /**
   * Ids in any notation, a name, a variant, an entity id, the name of a bundle. `not-found`; `invalid` names
   * several.
   */
  find: method(typed).returns<Product>(),
  releases: method(releases).returns<ReleaseList>(),
  buildTypes: method(nothing).returns<readonly BuildType[]>(),
  link: method(
    releases.extend({
      version,
      buildType: version.nullable(),
      bundle: version.exactOptional(),
      variant: version.exactOptional(),
      refresh: z.boolean(),
    }),
  ).returns<FirmwareLink>(),
  /** All, or those that name a product. */
  bundles: method(z.strictObject({ product: product.nullable() })).returns<FirmwareBundles>(),
  compliance: method(z.strictObject({ deviceId: id })).returns<FirmwareCompliance>(),
  details: method(
    product.extend({
      variantType: version.nullable(),
      platformOs: version.nullable(),
      agentType: version.nullable(),
    }),
  ).returns<ProductDetails>(),
  approvals: method(nothing).returns<Approvals>(),
  approve: local(
    variant.extend({ version, reason: text(2_000), expires: text(40).nullable() }),
  ).returns<Approval>(),
  unapprove: local(variant).returns<void>(),
  compareWith: local(z.strictObject({ with: z.enum(compareWithValues) })).returns<Approvals>(),
  /** `stages`: as if releases of these stages could be the latest; missing: the organization's. */
  status: method(z.strictObject({ stages: stages.exactOptional() })).returns<FleetStatus>(),
  warnings: method(nothing).returns<FirmwareWarnings>(),
  /** How far a running comparison of the fleet is; null: none is running. */
  comparing: method(nothing).returns<Comparing | null>(),
  /** Approved versions, the versions that devices are compared with, or the progress of comparing. */
  changed: event<{ readonly count: number }>(),
}
