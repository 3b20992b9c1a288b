import { z } from 'zod'
import {
  byId,
  count,
  free,
  id,
  int32,
  nothing,
  settingChanges,
  start,
  text,
  version,
} from '../argument-parts.ts'
import { driftStates, type DriftState } from '../golden-profile.ts'
import { local, event, method } from '../method.ts'
import type { DeviceStatus } from './devices.ts'
import type { SettingChange } from './settings.ts'

/**
 * Settings that a technician wants on every device of a product, saved under a name for one organization. Not
 * an organization's profile.
 */
export interface GoldenProfile {
  readonly id: string
  readonly name: string
  readonly productId: number
  /** null: all variants of the product. */
  readonly variantType: string | null
  /** The product name of one of its devices when it was saved; null: none. */
  readonly productName: string | null
  /** At most 100. Values as typed; `locked` only if the lock is part of the profile. */
  readonly settings: readonly SettingChange[]
  readonly createdAt: number
  readonly changedAt: number
}

/** `id` null: a new one. Values that may be a password or a code are refused with `invalid`, field `settings.NAME`. */
export type GoldenProfileDraft = Pick<GoldenProfile, 'name' | 'productId' | 'variantType' | 'settings'> & {
  readonly id: string | null
}
export type DriftCounts = { readonly [S in DriftState]: number }

export interface GoldenProfileSummary {
  readonly profile: GoldenProfile
  /** Devices of the product (and variant) that are not gone: the sum of the counts. */
  readonly devices: number
  readonly counts: DriftCounts
  /** Time of the oldest reading in the counts; null: nothing was read. */
  readonly oldestReadAt: number | null
}

export interface GoldenProfileDetails extends GoldenProfileSummary {
  /** In the order of the golden profile. */
  readonly settings: readonly GoldenSettingSummary[]
}

/** One setting of a golden profile over all devices that were read. */
export interface GoldenSettingSummary {
  readonly name: string
  /** A device has it as a choice: its values are words of the service. Missing: they may be typed text. */
  readonly isChoice?: true
  /** As displayed. */
  readonly wanted: string
  /** The wanted lock; null: the lock does not matter. */
  readonly locked: boolean | null
  readonly asWanted: number
  readonly drifted: number
  readonly notAvailable: number
  /** Devices whose feature model does not allow the wanted value, and the reason for the first of them. */
  readonly refused: { readonly devices: number; readonly reason: string } | null
  /** Values of drifted devices, most frequent first, at most five. */
  readonly instead: readonly { readonly value: string; readonly count: number }[]
}

/**
 * `value`: another value. `lock`: the value matches, its lock does not. `not-allowed`: by the device's
 * feature model. `missing`: no such setting. `no-value`: the device reports none.
 */
type DriftReason = 'value' | 'lock' | 'not-allowed' | 'missing' | 'no-value'

/**
 * A setting of a device that does not match. Values as displayed; possible passwords and codes are shown as
 * dots.
 */
export interface SettingDrift {
  readonly name: string
  /** Missing: its values may be typed text. */
  readonly isChoice?: true
  readonly reason: DriftReason
  /** null: no such setting, or no value. */
  readonly now: string | null
  /** null: no golden profile contains it. */
  readonly wanted: string | null
  /**
   * Why the device's feature model does not allow the wanted value (or, without one, the current value);
   * null: it does, or does not say.
   */
  readonly refused: string | null
}

export interface DriftedDevice {
  readonly id: string
  readonly name: string
  readonly serialNumber: string | null
  readonly status: DeviceStatus
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  readonly room: string | null
  readonly userName: string | null
  readonly productName: string | null
  readonly state: DriftState
  /** When its settings were read; null: they were not. */
  readonly readAt: number | null
  /** Empty if the device matches or was not read. */
  readonly drift: readonly SettingDrift[]
}

export interface GoldenDevicesQuery {
  readonly id: string
  /** null: all. */
  readonly state: DriftState | null
  /** Only devices that do not match in this setting; null: any. */
  readonly setting: string | null
}
/** By name. */
export interface DriftedDeviceSlice {
  readonly rows: readonly DriftedDevice[]
  readonly total: number
}

/**
 * Stored values that the device's stored feature model does not allow: over all devices, without a golden
 * profile.
 */
export interface NotAllowedSlice extends DriftedDeviceSlice {
  /** Devices that are not gone. */
  readonly devices: number
  /** The number of them with stored settings. */
  readonly read: number
  /**
   * The number of devices with stored settings and without a stored feature model: nothing is known about
   * them.
   */
  readonly withoutModel: number
  readonly oldestReadAt: number | null
}

/** Which devices of a golden profile. */
export const goldenDevices = z.strictObject({
  id,
  state: z.enum(driftStates).nullable(),
  setting: text(200).nullable(),
})

/** Uses only settings that were read before; sends no request. */
export const goldenProfiles = {
  /** Natural sort by name. */
  list: method(nothing).returns<readonly GoldenProfileSummary[]>(),
  get: method(byId).returns<GoldenProfileDetails>(),
  devices: method(goldenDevices.extend({ start, count })).returns<DriftedDeviceSlice>(),
  /** The ids of those devices, for a job: the first 10,000; `total` is the number of all. */
  deviceIds: method(goldenDevices).returns<{ readonly ids: readonly string[]; readonly total: number }>(),
  /** A new or changed one. Names are unique in an organization, ignoring case. */
  save: local(
    z.strictObject({
      id: id.nullable(),
      name: free,
      productId: int32,
      variantType: version.nullable(),
      settings: settingChanges,
    }),
  ).returns<GoldenProfile>(),
  remove: local(byId).returns<void>(),
  notAllowed: method(z.strictObject({ start, count })).returns<NotAllowedSlice>(),
  /** Golden profiles, or the known settings of their devices. */
  changed: event<{ readonly count: number }>(),
}
