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
import { event, method } from '../method.ts'
import type { DeviceStatus } from './devices.ts'
import type { SettingChange } from './settings.ts'

/** Settings a technician wants every device of a product to have, kept under a name for one organization. Not an organization's profile. */
export interface GoldenProfile {
  readonly id: string
  readonly name: string
  readonly productId: number
  /** null: all variants of the product. */
  readonly variantType: string | null
  /** As a device of it was called when it was saved; null: no device told. */
  readonly productName: string | null
  /** At most 100. Values as typed; `locked` only where the lock is wanted too. */
  readonly settings: readonly SettingChange[]
  readonly createdAt: number
  readonly changedAt: number
}

/** `id` null: a new one. Values that may be a password or a code are refused with `invalid`, field `settings.NAME`. */
export type GoldenProfileDraft = Pick<GoldenProfile, 'name' | 'productId' | 'variantType' | 'settings'> & {
  readonly id: string | null
}
export type DriftCounts = { readonly [S in DriftState]: number }

export interface GoldenProfileStanding {
  readonly profile: GoldenProfile
  /** Devices of the product (and variant) that are not gone: the sum of the counts. */
  readonly devices: number
  readonly counts: DriftCounts
  /** The oldest reading the counts rest on; null: nothing was read. */
  readonly oldestReadAt: number | null
}

export interface GoldenProfileDetails extends GoldenProfileStanding {
  /** In the order of the golden profile. */
  readonly settings: readonly GoldenSettingStanding[]
}

/** One setting of a golden profile over all devices that were read. */
export interface GoldenSettingStanding {
  readonly name: string
  /** For people. */
  readonly wanted: string
  /** Whether the lock is wanted, and how; null: as it is. */
  readonly locked: boolean | null
  readonly asWanted: number
  readonly drifted: number
  readonly notAvailable: number
  /** Devices whose feature model does not take the wanted value, and why the first of them does not. */
  readonly refused: { readonly devices: number; readonly reason: string } | null
  /** What drifted devices tell instead, most first, at most five. */
  readonly instead: readonly { readonly value: string; readonly count: number }[]
}

/** `value`: another value. `lock`: the value is as wanted, its lock is not. `not-allowed`: by the device's feature model. `missing`: no such setting. `no-value`: the device tells none. */
export type DriftReason = 'value' | 'lock' | 'not-allowed' | 'missing' | 'no-value'

/** A setting of a device that is not as wanted. Values are for people; what may be a password or a code is dots. */
export interface SettingDrift {
  readonly name: string
  readonly reason: DriftReason
  /** null: no such setting, or no value. */
  readonly now: string | null
  /** null: no golden profile asks for it. */
  readonly wanted: string | null
  /** Why the device's feature model does not take the wanted value (or, where none is wanted, the one there is); null: it does, or says nothing. */
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
  /** Empty where it is as wanted or not read. */
  readonly drift: readonly SettingDrift[]
}

export interface GoldenDevicesQuery {
  readonly id: string
  /** null: all. */
  readonly state: DriftState | null
  /** Only devices where this setting is not as wanted; null: any. */
  readonly setting: string | null
}
/** By name. */
export interface DriftedDeviceWindow {
  readonly rows: readonly DriftedDevice[]
  readonly total: number
}

/** Kept values that the device's feature model, as kept, does not allow: over all devices, without any golden profile. */
export interface NotAllowedWindow extends DriftedDeviceWindow {
  /** Devices that are not gone. */
  readonly devices: number
  /** Of these, whose settings are kept. */
  readonly read: number
  /** Of those read, for which no feature model is kept: nothing can be said of them. */
  readonly withoutModel: number
  readonly oldestReadAt: number | null
}

/** Which devices of a golden profile. */
export const goldenDevices = z.strictObject({
  id,
  state: z.enum(driftStates).nullable(),
  setting: text(200).nullable(),
})

/** Every judgement is made from settings that were read before: nothing is asked of a device or a service. */
export const goldenProfiles = {
  /** By name as people count. */
  list: method(nothing).returns<readonly GoldenProfileStanding[]>(),
  get: method(byId).returns<GoldenProfileDetails>(),
  devices: method(goldenDevices.extend({ start, count })).returns<DriftedDeviceWindow>(),
  /** The ids of those devices, for a job: the first 10,000; `total` says of how many. */
  deviceIds: method(goldenDevices).returns<{ readonly ids: readonly string[]; readonly total: number }>(),
  /** A new one, or one changed. Names are unique in an organization, in whatever case. */
  save: method(
    z.strictObject({
      id: id.nullable(),
      name: free,
      productId: int32,
      variantType: version.nullable(),
      settings: settingChanges,
    }),
  ).returns<GoldenProfile>(),
  remove: method(byId).returns<void>(),
  notAllowed: method(z.strictObject({ start, count })).returns<NotAllowedWindow>(),
  /** Golden profiles, or what is known of the devices they are compared with. */
  changed: event<{ readonly count: number }>(),
}
