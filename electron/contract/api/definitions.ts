import { z } from 'zod'
import { int32, product, refresh, version } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { Observed } from './firmware.ts'
import type { Json, JsonObject } from '../json.ts'
import { namedAtOnce, type SettingNamesResult } from '../setting-name.ts'

/** `Candidate`, `Test`, `Beta`, `Public` are published; any other value is shown as received. */
export type Stage = 'Candidate' | 'Test' | 'Beta' | 'Public' | (string & {})

export type InUseReason =
  /** latest ≤ definition limit: the latest is in use. */
  | 'latest-within-limit'
  /** latest > the installed definitions package's version: the package's version is in use. */
  | 'held-at-package'
  /** latest > the profile's own definition limit: the limit is in use. */
  | 'held-at-profile'
  /** No schema version's latest is published: the definition limit is in use. */
  | 'latest-not-published'

/** The property-definition version in use, and why (services.md#A34). */
export interface DefinitionInUse extends Observed {
  /**
   * The numerically greatest schema version for which the service publishes the latest definition version,
   * without prereleases. If none is listed, the installed package's own.
   */
  readonly schemaVersion: string
  /** False: the service publishes no list of schema versions. */
  readonly schemasListed: boolean
  /** Greater schema versions whose latest definition version is not published. */
  readonly passedOver: readonly string[]
  /**
   * The schema version that latest/info itself names; a difference from the requested one is shown as a
   * contradiction. null: not stated.
   */
  readonly statedSchemaVersion: string | null
  /** The definition version of latest/info for that schema version; null: not published for any. */
  readonly latest: string | null
  /** The greatest definition version allowed: the package's, or the profile's own. */
  readonly limit: string
  /** The schema version that belongs to the version in use: if limited to the package, the package's own. */
  readonly schemaInUse: string
  readonly inUse: string
  readonly reason: InUseReason
  /** Stage of the version in use, if a definition document states it. */
  readonly stage: Stage | null
}

export interface PropertyDefinition {
  readonly name: string
  /** False: the definition is not an object, so only `raw` is known. */
  readonly understood: boolean
  /** `string`, `boolean`, `integer`, `object`, `array`, or null for a command without a value. */
  readonly type: string | null
  readonly allowed: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly read: boolean
  readonly write: boolean
  readonly event: boolean
  readonly execute: boolean
  /** null: not stated. A missing member never means "does not restart". */
  readonly restarts: boolean | null
  readonly raw: Json
}

export interface DefinitionQuery {
  readonly vendorId: number
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
}

/** The documents about a product variant's definitions, by their command-line names. */
export type DefinitionDocumentName = 'properties' | 'device-model' | 'feature-model'

/** One document as received, and what it says about itself. */
export interface DefinitionDocument extends Observed {
  readonly document: DefinitionDocumentName
  readonly definitionVersion: string | null
  readonly schemaVersion: string | null
  readonly stage: Stage | null
  /**
   * Its definition version is above the definition limit, or not known to be in use: it is shown as received,
   * and nothing is taken from it.
   */
  readonly aboveLimit: boolean
  readonly raw: Json
}

export interface ProductDefinitions extends Observed {
  readonly query: DefinitionQuery
  readonly inUse: DefinitionInUse
  /**
   * Property definitions of the version in use, by name: those that the device model defines or names, and
   * those of the variant's own document.
   */
  readonly properties: readonly PropertyDefinition[]
  /** Neither document with properties is published. */
  readonly propertiesNotPublished: boolean
  /** The stage of the version in use, if a document of that version states it. */
  readonly stage: Stage | null
  /**
   * The device model of the family, read by the definition version in use; null: not published, failed or
   * above the definition limit.
   */
  readonly deviceModel: { readonly settings: readonly ModelSetting[]; readonly raw: Json } | null
  readonly featureModel: { readonly settings: readonly FeatureSetting[]; readonly raw: Json } | null
  /** The documents that were received; a document in neither list is not published. */
  readonly documents: readonly DefinitionDocument[]
  readonly failed: readonly { readonly document: DefinitionDocumentName; readonly failure: Failure }[]
}

/**
 * The variant and firmware for which a product's definitions are read by default, and what the fleet runs.
 */
export interface DefinitionDefaults {
  /** null: none is known. */
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  /** Variants and firmware versions of the organization's devices with this product, most frequent first; at most 50. */
  readonly fleet: readonly FleetFirmware[]
}

export interface FleetFirmware {
  readonly variantType: string
  readonly firmwareVersion: string
  readonly count: number
}

export interface ModelSetting {
  readonly id: string
  readonly type: string | null
  readonly properties: readonly string[]
  readonly possibleValues: readonly string[]
  readonly access: string | null
  readonly restarts: boolean | null
  readonly group: string | null
}

export interface FeatureSetting {
  readonly id: string
  /** The setting's name in the management interface; null: the document does not map one to it. */
  readonly name: string | null
  readonly kind: 'choice' | 'text' | 'number' | 'other'
  readonly supported: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly restarts: boolean | null
}

export const documentKinds = [
  'properties',
  'device-model',
  'feature-model',
  'jose',
  'jose-v1',
  'property-map',
  'name-map',
] as const
/** The command-line names. `jose`: V2 if it is published, else V1. */
export type DocumentKind = (typeof documentKinds)[number]

/**
 * Selects a document. null members are chosen: variant and firmware as in `defaults`, the schema and
 * definition version in use. Without a product only documents that need none are available: properties of the
 * whole schema, and both maps.
 */
export interface DocumentSelection {
  readonly product: { readonly vendorId: number; readonly productId: number } | null
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  readonly schemaVersion: string | null
  readonly definitionVersion: string | null
  /** The properties of a schema version in their trimmed form, for all products. */
  readonly trimmed: boolean
  /** The installed definitions package holds only the properties of its own schema version. */
  readonly source: 'service' | 'package'
}

export type Access = 'read' | 'write' | 'event' | 'execute'

/** One line of a document. Members that the document does not state are null or an empty list. */
export interface DefinitionItem {
  readonly name: string
  /** A display name if the document or the name map has one, else the name split into words. */
  readonly label: string
  /** Its other names: the setting id of a feature model's setting, the properties of a device model's. */
  readonly aliases: readonly string[]
  readonly group: string | null
  readonly type: string | null
  readonly allowed: readonly (string | number | boolean)[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly unit: string | null
  readonly default: Json
  readonly access: readonly Access[]
  readonly restarts: boolean | null
  /**
   * Further compared content: the inside of an object or a list, the targets of a map, every member of a Jose
   * item, a definition that is not an object.
   */
  readonly members: JsonObject
}

/** A definition document: what it says about itself, its items by name, and the document as received. */
export interface ReadDocument extends Observed {
  readonly document: DocumentKind
  /** Its address, or the file of the installed package. */
  readonly address: string
  readonly schemaVersion: string | null
  readonly definitionVersion: string | null
  readonly stage: Stage | null
  /** The version of the Jose definition that was received; null: not a Jose document. */
  readonly joseVersion: 1 | 2 | null
  /** Its definition version is greater than the highest supported, or not known to be in use. */
  readonly aboveLimit: boolean
  /** The document that was trusted at this address before, if it was newer; null: none. */
  readonly olderThan: TrustedDocument | null
  /** The definition version that was asked for; null: none can be asked for. */
  readonly askedFor: string | null
  /** False: it has no items because its shape is not understood. */
  readonly isUnderstood: boolean
  readonly items: readonly DefinitionItem[]
  readonly raw: Json
}

export interface TrustedDocument {
  readonly definitionVersion: string
  readonly observedAt: number
}

/** The result of each document: received, failed or not published. */
export interface ReadDocuments {
  /**
   * The values chosen for members that the selection left open; null: none could be chosen, or none was
   * needed.
   */
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  readonly documents: readonly ReadDocument[]
  readonly failed: readonly { readonly document: DocumentKind; readonly failure: Failure }[]
  readonly absent: readonly DocumentKind[]
}

/** The schema versions that the service publishes, and the definition version in use. */
export interface SchemaVersions {
  readonly schemas: readonly {
    readonly version: string
    /** Stage of its latest definition version; null: not stated. */
    readonly stage: Stage | null
    /** Its latest definition version; null: not published. */
    readonly latest: string | null
  }[]
  readonly inUse: DefinitionInUse
}

/** An item that only one of two documents has. */
export interface DefinitionLine extends Omit<DefinitionItem, 'members'> {
  readonly source: DocumentKind
}

/** One member of an item that both documents have, and that differs. */
export interface ChangedMember {
  readonly name: string
  readonly label: string
  readonly source: DocumentKind
  readonly member: string
  readonly from: Json
  readonly to: Json
}

/** Why a document could not be compared although the other side has it, or because it could not be read. */
export interface ComparisonGap {
  readonly document: DocumentKind
  readonly side: 'left' | 'right'
  /**
   * `above-limit`: its content is not used. `nothing-understood`: its shape is not understood.
   * `failed`: `failure` says why.
   */
  readonly reason: 'not-published' | 'above-limit' | 'nothing-understood' | 'failed'
  readonly failure: Failure | null
}

/** Differences between two sets of documents, by name. Reversing the comparison only exchanges the sides. */
export interface Comparison {
  readonly added: readonly DefinitionLine[]
  readonly removed: readonly DefinitionLine[]
  readonly changed: readonly ChangedMember[]
  readonly unchanged: readonly Pick<ChangedMember, 'name' | 'label' | 'source'>[]
  readonly gaps: readonly ComparisonGap[]
  /** Documents that neither side has. */
  readonly absent: readonly DocumentKind[]
  /** Documents that were compared. */
  readonly compared: readonly DocumentKind[]
}

/** What was compared on one side. */
export interface ComparedSide {
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  readonly documents: readonly Omit<ReadDocument, 'items' | 'raw'>[]
}

export interface DocumentComparison extends Comparison {
  readonly left: ComparedSide
  readonly right: ComparedSide
}

/** A line of a comparison, and how many devices hold a value that its new side does not allow. */
export interface LineAtRisk {
  readonly source: DocumentKind
  readonly name: string
  readonly devices: number
}

export interface SelectionComparison extends DocumentComparison {
  /**
   * Devices of the product of both sides and, if given, of the variant of the first; null: the sides have no
   * product in common.
   */
  readonly yours: { readonly total: number; readonly lines: readonly LineAtRisk[] } | null
}

/** Devices that are not gone, by the known values of the settings that differ. */
export interface DevicesAtRisk {
  readonly total: number
  readonly allowed: number
  /** A known value is no longer allowed, or its setting is removed. */
  readonly notAllowed: number
  /** A setting that differs was never read, or nothing could be compared. */
  readonly unknown: number
  /** The ids of devices whose value is not allowed. */
  readonly ids: readonly string[]
  readonly unknownIds: readonly string[]
  /** When the oldest judged value was read; null: none was. */
  readonly oldestAt: number | null
}

/** The differences between two firmware versions of a product. */
export interface FirmwareDifference extends DocumentComparison {
  readonly devices: DevicesAtRisk
}

const selection = z.strictObject({
  product: product.nullable(),
  variantType: version.nullable(),
  firmwareVersion: version.nullable(),
  schemaVersion: version.nullable(),
  definitionVersion: version.nullable(),
  trimmed: z.boolean(),
  source: z.enum(['service', 'package']),
})

/** null: all kinds that the selection can name. */
const kinds = z.array(z.enum(documentKinds)).min(1).max(documentKinds.length).readonly().nullable()

export const definitions = {
  /** All schema versions, greatest first. */
  versions: method(refresh).returns<SchemaVersions>(),
  documents: method(
    z.strictObject({
      selection,
      kinds,
    }),
  ).returns<ReadDocuments>(),
  compare: method(
    z.strictObject({ left: selection, right: selection, kinds }),
  ).returns<SelectionComparison>(),
  /** `variantType` null: the documents of the usual variant, and the devices of all variants. */
  firmwareDifference: method(
    product.extend({ variantType: version.nullable(), from: version, to: version }),
  ).returns<FirmwareDifference>(),
  /**
   * Display names and groups of settings: from the cached documents of the fleet's products, display names
   * also from the name map. `productIds`: the documents that apply to most devices of these products are
   * fetched if not cached; no other request is sent.
   */
  settingNames: method(
    z.strictObject({ productIds: z.array(int32).max(namedAtOnce).readonly() }),
  ).returns<SettingNamesResult>(),
  inUse: method(refresh).returns<DefinitionInUse>(),
  /** `variantType`: the variant that is already chosen; null: none. */
  defaults: method(product.extend({ variantType: version.nullable() })).returns<DefinitionDefaults>(),
  read: method(
    product.extend({ variantType: version, firmwareVersion: version }),
  ).returns<ProductDefinitions>(),
}
