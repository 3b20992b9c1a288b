import type { FeatureSetting } from './definitions.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * One setting of a device. The member that is present gives its kind (services.md#B8): `isOn`, `selected`,
 * `value` number or text.
 */
export interface Setting {
  readonly name: string
  readonly kind: 'on-off' | 'choice' | 'number' | 'text' | 'unknown'
  /** null: the service has the setting without a value ("not available"). */
  readonly value: string | number | boolean | null
  /**
   * Present: the value may be a password or a code, and `value` is dots. Equal values give equal text, made
   * with a key of this computer.
   */
  readonly hidden?: string
  /** null: not stated. */
  readonly locked: boolean | null
  /** The values that the feature model allows; null: it has no entry for this name. */
  readonly feature: FeatureSetting | null
  readonly raw: Json
}

export interface SettingChange {
  readonly name: string
  /** Text is parsed as the setting's kind: `on`, `3`. */
  readonly value: string | number | boolean
  /** Missing: unchanged. */
  readonly locked?: boolean
}

export interface DeviceSettings {
  readonly deviceId: string
  readonly settings: readonly Setting[]
  readonly observedAt: number
  readonly fromCache: boolean
  /** The endpoint is not published; its template was observed or is from the profile. */
  readonly source: 'observed' | 'profile'
  readonly raw: JsonObject
}

/** The cost of reading the settings of devices, before anything is sent. */
export interface SettingsCost {
  readonly devices: number
  readonly calls: number
  /** True: the settings are read in pages of devices; false: with one call for each device. */
  readonly byPages: boolean
}

export interface ReadSettings {
  /** Devices whose settings were read and stored. */
  readonly devices: number
  /** Devices or records whose settings were not read. */
  readonly withoutSettings: number
  /** Devices of the inventory that the pages did not contain; 0 with one call for each device. */
  readonly missed: number
  /** Devices of the pages that the inventory does not contain. */
  readonly notInInventory: number
  readonly calls: number
}

/** The known settings of many devices, from earlier reads. */
export interface SettingsSummary {
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
    /** When the considered devices were last read; null: none was read. */
    readonly readAt: number | null
    /** A device of it that was not read, preferably online; null: all were read. */
    readonly unreadId: string | null
  }[]
  /** By name. */
  readonly settings: readonly SettingSummary[]
}
export interface SettingSummary {
  readonly name: string
  /** `unknown` also if products have it in different kinds. */
  readonly kind: Setting['kind']
  readonly kindsDiffer: boolean
  /** Devices of the products where it was seen. */
  readonly devices: number
  readonly products: readonly string[]
  /** The values that every one of them allows; null: nothing is published for any. */
  readonly feature: FeatureSetting | null
  /** False: for some of them nothing is published. */
  readonly published: boolean
  /** Values that only some of them allow. */
  readonly onlySome: readonly string[]
  /** It is locked on at least one. */
  readonly locked: boolean
  /** Values seen, at most five. */
  readonly values: readonly (string | number | boolean)[]
  /** The known values of the selected devices; null: too many devices were read. */
  readonly counts: ValueCounts | null
}
export interface ValueCounts {
  /** The most frequent ones, at most five. */
  readonly values: readonly { readonly value: string | number | boolean; readonly devices: number }[]
  readonly different: number
  /** Devices of which a value is known. */
  readonly devices: number
}
