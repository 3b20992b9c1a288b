import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { ChangeKind } from './changes.ts'
import type { FirmwareWord } from './devices.ts'
import type { ProductNotCompared } from './firmware.ts'
import type { RoomHealth, RoomListRow } from './rooms.ts'

/** Work to do, from the cache alone. Counts leave out what is gone. */
export interface Overview {
  /** The oldest observation; null: nothing read yet. */
  readonly asOf: number | null
  readonly deviceCount: number
  readonly roomCount: number
  readonly changes: {
    /** The earliest moment counted: after the last look, else the week before the newest change; null: nothing was ever kept. */
    readonly since: number | null
    readonly total: number
    readonly kinds: readonly { readonly word: ChangeKind; readonly count: number }[]
  }
  readonly rooms: {
    readonly health: Readonly<Record<RoomHealth, number>>
    /** Rooms in trouble, not down, with a device offline. */
    readonly withOffline: number
    /** Those with most rooms in trouble or down first, then with most rooms, at most twelve. */
    readonly sites: readonly SiteRooms[]
    /** The sites beyond, and their rooms. */
    readonly otherSites: { readonly count: number; readonly rooms: number }
    /** Rooms in trouble or down, worst first, at most eight. */
    readonly worst: readonly RoomListRow[]
  }
  readonly firmware: {
    readonly words: Readonly<Record<FirmwareWord, number>>
    /** Missing: with the latest release. */
    readonly comparedWith?: 'approved'
    /** Most devices to do first, at most eight; the devices of the rest, and those of no named product, are counted in `others`. */
    readonly products: readonly ProductFirmware[]
    readonly others: number
    /** Devices whose word is the service's, and devices of which it says otherwise than the catalogue; missing: neither. */
    readonly service?: { readonly decides: number; readonly contradicts: number }
    /** Products that could not be compared with the catalogue, most devices first; missing: none. */
    readonly notCompared?: readonly ProductNotCompared[]
  }
  /** Devices last seen a week ago or longer. */
  readonly silent: number
  /** Devices whose record is older than the limit (preferences). */
  readonly stale: number
}

/** Rooms of one site. */
export interface SiteRooms {
  /** null: the rooms have no location. */
  readonly name: string | null
  /** The filter that shows them; null: none can. */
  readonly where: string | null
  readonly health: Readonly<Record<RoomHealth, number>>
}

export interface ProductFirmware {
  readonly productName: string
  /** Of most of its devices; null: not told. */
  readonly productId: number | null
  readonly current: number
  readonly behind: number
  readonly ahead: number
  readonly revoked: number
  readonly unknown: number
}

export const overview = {
  get: method(nothing).returns<Overview>(),
}
