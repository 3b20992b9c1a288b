import type { FeatureSetting } from './definitions.ts'
import type { Json, JsonObject } from '../json.ts'

/** One setting of a device. Its kind is told by the member present (observed): `isOn`, `selected`, `value` number or text. */
export interface Setting {
  readonly name: string
  readonly kind: 'on-off' | 'choice' | 'number' | 'text' | 'unknown'
  /** null: the service has the setting and no value ("not available"). */
  readonly value: string | number | boolean | null
  /** There: the value may be a password or a code, and `value` is dots. The same text for the same value, made with a key of this computer. */
  readonly hidden?: string
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

/** What it costs to read the settings of devices, before anything is sent. */
export interface SettingsCost {
  readonly devices: number
  readonly calls: number
  /** Pages of devices with their settings hold those of every device; else there is a call for each device. */
  readonly byPages: boolean
}

export interface ReadSettings {
  /** Devices whose settings were read and kept. */
  readonly devices: number
  /** Devices or records of which none were read. */
  readonly withoutSettings: number
  readonly calls: number
}

/** What is known of the settings of many devices from what was read of them before. */
export interface SettingsOver {
  readonly devices: number
  /** Most devices first. */
  readonly products: readonly {
    /** Its name, or its id where it has none. */
    readonly product: string
    /** Of its devices. */
    readonly productIds: readonly number[]
    readonly devices: number
    /** Devices of it whose settings were read. */
    readonly read: number
    /** When that of those looked at was last; null: nothing was read. */
    readonly readAt: number | null
    /** A device of it that could be read to know more, an online one first; null: all were. */
    readonly unreadId: string | null
  }[]
  /** By name. */
  readonly settings: readonly SettingOver[]
}
export interface SettingOver {
  readonly name: string
  /** `unknown` too where products have it in different kinds. */
  readonly kind: Setting['kind']
  readonly kindsDiffer: boolean
  /** Devices of the products that were seen to have it. */
  readonly devices: number
  readonly products: readonly string[]
  /** What every one of them allows; null: nothing is published for any. */
  readonly feature: FeatureSetting | null
  /** False: for some of them nothing is published. */
  readonly published: boolean
  /** Values that only some of them allow. */
  readonly onlySome: readonly string[]
  /** One at least has it locked. */
  readonly locked: boolean
  /** Values seen, at most five. */
  readonly values: readonly (string | number | boolean)[]
}
