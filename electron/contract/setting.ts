import type { FeatureSetting } from './definition.ts'
import type { Json, JsonObject } from './json.ts'

/** One setting of a device. Its kind is told by the member present (observed): `isOn`, `selected`, `value` number or text. */
export interface Setting {
  readonly name: string
  readonly kind: 'on-off' | 'choice' | 'number' | 'text' | 'unknown'
  /** null: the service has the setting and no value ("not available"). */
  readonly value: string | number | boolean | null
  /** null: not said. */
  readonly locked: boolean | null
  /** What the feature model allows; null: it has no entry for this name. */
  readonly feature: FeatureSetting | null
  readonly raw: Json
}

export interface SettingChange {
  readonly name: string
  /** Text is read as the setting's kind: `on`, `3`. */
  readonly value: string | number | boolean
  /** Missing: as it is. */
  readonly locked?: boolean
}

export interface DeviceSettings {
  readonly deviceId: string
  readonly settings: readonly Setting[]
  readonly observedAt: number
  readonly fromCache: boolean
  /** The endpoint is not published; the template it was read by comes from observation or from the profile. */
  readonly source: 'observed' | 'profile'
  readonly raw: JsonObject
}
