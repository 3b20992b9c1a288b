import type { Observed } from './firmware.ts'
import type { JsonObject } from './json.ts'

/** `Candidate`, `Test`, `Beta`, `Public` are published; another word is shown as received. */
export type Stage = 'Candidate' | 'Test' | 'Beta' | 'Public' | (string & {})

export type CeilingReason =
  /** latest ≤ ceiling: the latest is in use. */
  | 'latest-within-ceiling'
  /** latest > the installed definitions package's version: the package's version is in use. */
  | 'held-at-package'
  /** latest > the profile's own ceiling: that is in use. */
  | 'held-at-profile'

/** Which property-definition version is in use, and why (specification, part 4 note 5). */
export interface DefinitionInUse extends Observed {
  /** The numerically greatest schema version the service publishes. */
  readonly schemaVersion: string
  /** The definition version of latest/info for that schema version. */
  readonly latest: string
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
  readonly raw: JsonObject
}

export interface DefinitionQuery {
  readonly vendorId: number
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
}

export interface DefinitionDocument extends Observed {
  readonly query: DefinitionQuery
  readonly inUse: DefinitionInUse
  /** Property definitions the device model names, by name; from the GNP document of the variant. */
  readonly properties: readonly PropertyDefinition[]
  readonly propertiesNotPublished: boolean
  readonly stage: Stage | null
  /** The device model of the family, read by the definition version in use; null: not published. */
  readonly deviceModel: { readonly settings: readonly ModelSetting[]; readonly raw: JsonObject } | null
  /** The feature model; null: not published. */
  readonly featureModel: { readonly settings: readonly FeatureSetting[]; readonly raw: JsonObject } | null
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
