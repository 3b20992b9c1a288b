import { z } from 'zod'
import { id } from '../argument-parts.ts'
import type { FormFactor } from '../form-factor.ts'
import { method } from '../method.ts'
import type { DeviceRow } from './devices.ts'
import type { RoomRow } from './rooms.ts'
import type { Setting, SettingChange } from './settings.ts'

/** The facts of rooms that are compared. */
export const comparedFacts = ['seats', 'timeZone', 'site', 'type'] as const
export type ComparedFact = (typeof comparedFacts)[number]

/**
 * Why a difference stays as it is. `absent`: B does not have the setting; `only-b`: A has nothing to copy;
 * `not-published`: the profile has no address for the change; `unlisted`: B is not in the inventory.
 */
export type StaysBecause =
  | 'absent'
  | 'only-b'
  | 'not-allowed'
  | 'confidential'
  | 'another-product'
  | 'revoked'
  | 'downgrade'
  | 'not-published'
  | 'unlisted'
  | 'missing-device'
  | 'extra-device'
  | 'room-fact'

/** `none`: the device or the setting does not exist there; `unknown`: not read, or not stated. */
export interface ComparedValue {
  readonly state: 'known' | 'none' | 'unknown'
  /** null also for a setting that the service has without a value. */
  readonly value: Setting['value']
  /** Only of a setting. */
  readonly locked: boolean
  /** null: nothing was read. */
  readonly readAt: number | null
}

/** What makes B like A. */
export type LikeA =
  | { readonly kind: 'update'; readonly version: string }
  | { readonly kind: 'set'; readonly change: SettingChange }

/** One line of a comparison. `change` and `stays` are null unless it is `different`, and then one of them is not. */
export interface ComparedRow {
  /** `settings`: they were not read on at least one side. */
  readonly what: 'device' | 'product' | 'firmware' | 'setting' | 'settings' | 'fact'
  /** Of the setting or of the fact; else empty. */
  readonly name: string
  readonly a: ComparedValue
  readonly b: ComparedValue
  readonly verdict: 'same' | 'different' | 'unknown'
  readonly change: LikeA | null
  /** `why`: the reason of the feature model. */
  readonly stays: { readonly because: StaysBecause; readonly why: string | null } | null
}

export interface ComparedDevice extends Pick<
  DeviceRow,
  | 'id'
  | 'name'
  | 'status'
  | 'productId'
  | 'productName'
  | 'variantType'
  | 'serialNumber'
  | 'firmwareVersion'
  | 'firmware'
  | 'observedAt'
  | 'gone'
> {
  /** False: only the record of its room names it. */
  readonly listed: boolean
  /** When its settings were read; null: they were not. */
  readonly settingsReadAt: number | null
}

/** Two devices of one role, or one that has no counterpart. */
export interface ComparedPair {
  readonly role: FormFactor
  readonly a: ComparedDevice | null
  readonly b: ComparedDevice | null
  readonly rows: readonly ComparedRow[]
}

export interface ComparedSide {
  readonly id: string
  readonly name: string | null
  readonly observedAt: number
  readonly gone: boolean
  /** null: the side is a device. */
  readonly room: Pick<RoomRow, 'health' | 'deviceCount' | 'onlineCount'> | null
  /** null: nothing is known about the room's devices. */
  readonly devices: readonly ComparedDevice[] | null
}

/** From stored data; sends nothing. */
export interface Comparison {
  readonly a: ComparedSide
  readonly b: ComparedSide
  /** By role; in a role the pairs first, then those without a counterpart. */
  readonly pairs: readonly ComparedPair[]
  /** Empty for devices. */
  readonly facts: readonly ComparedRow[]
  readonly counts: { readonly different: number; readonly unknown: number; readonly same: number }
}

export const comparison = {
  rooms: method(z.strictObject({ a: id, b: id })).returns<Comparison>(),
  devices: method(z.strictObject({ a: id, b: id })).returns<Comparison>(),
}
