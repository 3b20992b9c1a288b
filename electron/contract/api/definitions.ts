import { product, refresh, version } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { Observed } from './firmware.ts'
import type { Json } from '../json.ts'

/** `Candidate`, `Test`, `Beta`, `Public` are published; another word is shown as received. */
export type Stage = 'Candidate' | 'Test' | 'Beta' | 'Public' | (string & {})

export type CeilingReason =
  /** latest ≤ ceiling: the latest is in use. */
  | 'latest-within-ceiling'
  /** latest > the installed definitions package's version: the package's version is in use. */
  | 'held-at-package'
  /** latest > the profile's own ceiling: that is in use. */
  | 'held-at-profile'
  /** No schema version's latest is published: the ceiling is in use. */
  | 'latest-not-published'

/** Which property-definition version is in use, and why (specification, part 4 note 5). */
export interface DefinitionInUse extends Observed {
  /** The numerically greatest schema version the service publishes with its latest definition version; prereleases are none. Where none is listed, the installed package's own. */
  readonly schemaVersion: string
  /** False: the service publishes no list of schema versions. */
  readonly schemasListed: boolean
  /** Greater schema versions, whose latest definition version is not published. */
  readonly passedOver: readonly string[]
  /** The schema version that latest/info itself names; another than was asked for is a contradiction worth showing. null: not said. */
  readonly statedSchemaVersion: string | null
  /** The definition version of latest/info for that schema version; null: not published for any. */
  readonly latest: string | null
  /** The greatest definition version allowed: the package's, or the profile's own. */
  readonly ceiling: string
  /** The schema version that goes with the version in use: when held at the package, the package's own. */
  readonly schemaInUse: string
  readonly inUse: string
  readonly reason: CeilingReason
  /** Stage of the version in use where a definition document told it. */
  readonly stage: Stage | null
}

export interface PropertyDefinition {
  readonly name: string
  /** False: the definition is no object, so nothing but `raw` is known of it. */
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
  /** null: not said. Missing is never read as "does not restart". */
  readonly restarts: boolean | null
  readonly raw: Json
}

export interface DefinitionQuery {
  readonly vendorId: number
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
}

/** The documents that tell of a product variant's definitions, by the words of the command line. */
export type DefinitionDocumentName = 'properties' | 'device-model' | 'feature-model'

/** One document as received, and what it says of itself. */
export interface DefinitionDocument extends Observed {
  readonly document: DefinitionDocumentName
  readonly definitionVersion: string | null
  readonly schemaVersion: string | null
  readonly stage: Stage | null
  /** Its definition version is greater than the ceiling, or not known to be in use: it is shown as received, and nothing is taken from it. */
  readonly aboveCeiling: boolean
  readonly raw: Json
}

export interface ProductDefinitions extends Observed {
  readonly query: DefinitionQuery
  readonly inUse: DefinitionInUse
  /** Property definitions of the version in use, by name: those the device model defines or names, and those of the variant's own document. */
  readonly properties: readonly PropertyDefinition[]
  /** Neither document with properties is published. */
  readonly propertiesNotPublished: boolean
  /** Of the version in use, where a document of that very version tells it. */
  readonly stage: Stage | null
  /** The device model of the family, read by the definition version in use; null: not published, failed or above the ceiling. */
  readonly deviceModel: { readonly settings: readonly ModelSetting[]; readonly raw: Json } | null
  readonly featureModel: { readonly settings: readonly FeatureSetting[]; readonly raw: Json } | null
  /** Those that answered; a document in neither list is not published. */
  readonly documents: readonly DefinitionDocument[]
  readonly failed: readonly { readonly document: DefinitionDocumentName; readonly failure: Failure }[]
}

/** Which variant and firmware a product's definitions are read for where nobody says, and what the fleet runs. */
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
  /** The setting's name in the management interface; null: the document maps no name to it. */
  readonly name: string | null
  readonly kind: 'choice' | 'text' | 'number' | 'other'
  readonly supported: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly restarts: boolean | null
}

export const definitions = {
  inUse: method(refresh).returns<DefinitionInUse>(),
  /** `variantType`: the variant that was chosen already; null: none. */
  defaults: method(product.extend({ variantType: version.nullable() })).returns<DefinitionDefaults>(),
  read: method(
    product.extend({ variantType: version, firmwareVersion: version }),
  ).returns<ProductDefinitions>(),
}
