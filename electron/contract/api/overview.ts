import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { ChangeKind } from './changes.ts'
import type { FirmwareWord } from './devices.ts'
import type { Comparing, ProductNotCompared } from './firmware.ts'
import type { roomTroubles } from '../fields/room.ts'
import type { RoomHealth, RoomListRow } from './rooms.ts'

/** Work to do, from the cache alone. Counts exclude gone devices and rooms. */
export interface Overview {
  /** The oldest observation; null: nothing was read yet. */
  readonly asOf: number | null
  readonly deviceCount: number
  readonly roomCount: number
  readonly changes: {
    /**
     * Start of the period that is counted: when changes were last marked as seen, else a week before the
     * newest change; null: no change was ever stored.
     */
    readonly since: number | null
    readonly total: number
    readonly kinds: readonly { readonly word: ChangeKind; readonly count: number }[]
  }
  readonly rooms: {
    readonly health: Readonly<Record<RoomHealth, number>>
    /** Rooms in trouble by the first reason that holds. */
    readonly trouble: Readonly<Record<keyof typeof roomTroubles, number>>
    /** Sites with most rooms in trouble or down first, then with most rooms, at most twelve. */
    readonly sites: readonly SiteRooms[]
    /** The remaining sites and their rooms. */
    readonly otherSites: { readonly count: number; readonly rooms: number }
    /** Rooms in trouble or down, worst first, at most twelve. */
    readonly worst: readonly RoomListRow[]
  }
  readonly firmware: {
    readonly words: Readonly<Record<FirmwareWord, number>>
    /** Missing: no comparison is running. Otherwise the counts are parts, not to be shown. */
    readonly comparing?: Comparing
    /** Missing: compared with the latest release. */
    readonly comparedWith?: 'approved'
    /**
     * At most twelve products, those with most devices on revoked firmware first, then with most behind. The
     * devices of the other products, and those without a product id, are counted in `others`.
     */
    readonly products: readonly ProductFirmware[]
    readonly others: number
    /**
     * The number of devices whose compliance only the service states, and of devices for which the service
     * contradicts the catalogue; missing: neither.
     */
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
  /** The filter that shows them; null: no filter can. */
  readonly where: string | null
  readonly health: Readonly<Record<RoomHealth, number>>
}

export interface ProductFirmware {
  /** The shortest of the names that its devices state; null: none does. */
  readonly productName: string | null
  readonly productId: number
  readonly current: number
  readonly behind: number
  readonly ahead: number
  readonly revoked: number
  readonly unknown: number
}

export const overview = {
  get: method(nothing).returns<Overview>(),
}
