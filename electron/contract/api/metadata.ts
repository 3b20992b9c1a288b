import { z } from 'zod'
import { nothing, refresh, text } from '../argument-parts.ts'
import { local, method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { FirmwareRelease, Observed, Product, UnreadRecords } from './firmware.ts'
import type { Json, JsonObject } from '../json.ts'

/** Telemetry definitions (services.md#A32): a description of events, not a delivery. */
export interface Telemetry extends Observed {
  readonly events: readonly TelemetryEvent[]
  readonly unreadable: UnreadRecords
  readonly raw: JsonObject
}
/** An event without a name has null there; it is shown too. */
export type TelemetryEvent =
  | {
      readonly kind: 'threshold'
      readonly name: string | null
      readonly minimum: number | null
      readonly maximum: number | null
    }
  | {
      readonly kind: 'integer'
      readonly name: string | null
      readonly ascending: boolean | null
      readonly warning: number | null
      readonly error: number | null
    }
  | { readonly kind: 'boolean'; readonly name: string | null; readonly desired: boolean | null }
  | {
      readonly kind: 'call-summary'
      readonly name: string | null
      readonly deviceEventType: string | null
      readonly method: string | null
    }

/** A device in recovery mode: its product and the firmware that restores it. */
export interface RecoveryFacts extends Observed {
  readonly vendorId: number
  readonly dfuProductId: number
  /** Known products that recover through this id; the same number can be a product id. */
  readonly products: readonly Product[]
  /** null: not published for this id. */
  readonly firmware: FirmwareRelease | null
  readonly link: { readonly url: string; readonly host: string } | null
  /** Updater configurations as published; their fields are not. */
  readonly configurations: readonly JsonObject[]
  readonly raw: JsonObject | null
  /** Other members of the responses, as received, including the list of recovery ids. */
  readonly beside: readonly Json[]
  /** Unreadable documents: it is not known whether they are published. */
  readonly failed: readonly { readonly document: RecoveryDocumentName; readonly failure: Failure }[]
}

/** The documents about a recovery id. */
export type RecoveryDocumentName = 'ids' | 'firmware' | 'configurations' | 'link'

/** The metadata version in use, and whether a newer one is available (services.md#A36). */
export interface VersionWatch {
  readonly inUse: number
  /** The newest version whose openapi document was received; null: only the one in use is known. */
  readonly newer: number | null
  /** Six months after the next version was released; null: no newer one. */
  readonly supportedUntilAt: number | null
  /**
   * The known newer version, where the day on which the next one was released is not specified: that was when
   * this program first saw this one or earlier, so `supportedUntilAt` is the latest possible end.
   */
  readonly firstSeen: { readonly version: number; readonly at: number } | null
  readonly checkedAt: number
  readonly openapiKeptAt: number | null
  /** Operations this program uses whose path, parameters or response differ in the newer version. */
  readonly differences: readonly { readonly operation: string; readonly what: string }[]
  /** Operations this program uses that the description of a version marks as deprecated. */
  readonly deprecated: readonly { readonly version: number; readonly operation: string }[]
  /** Read operations of the newer version that the description of the one in use lacks. */
  readonly added: readonly { readonly operation: string | null; readonly path: string }[]
  /** Descriptions that say that they are of another version (`info.version`); a newer one of them does not count. */
  readonly otherVersions: readonly { readonly version: number; readonly says: string }[]
}

export interface DocumentCacheSize {
  readonly documents: number
  readonly bytes: number
}

export const metadata = {
  telemetry: method(refresh).returns<Telemetry>(),
  /** `text`: a USB id of a device in recovery mode, in any notation. */
  recovery: method(z.strictObject({ text: text(200) })).returns<RecoveryFacts>(),
  versions: method(refresh).returns<VersionWatch>(),
  cacheSize: method(nothing).returns<DocumentCacheSize>(),
  clearCache: local(nothing).returns<DocumentCacheSize>(),
}
