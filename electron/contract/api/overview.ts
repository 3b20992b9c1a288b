import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { ChangeKind } from './changes.ts'
import type { FirmwareWord, WordCount } from './devices.ts'
import type { ProductNotCompared } from './firmware.ts'
import type { RoomHealth } from './rooms.ts'

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
    /** Rooms in trouble or down, worst first, at most eight. */
    readonly worst: readonly RoomInTrouble[]
  }
  readonly firmware: {
    readonly words: Readonly<Record<FirmwareWord, number>>
    /** Missing: with the latest release. */
    readonly comparedWith?: 'approved'
    /** Most devices to do first, at most twelve; the devices of the rest, and those of no named product, are counted in `others`. */
    readonly products: readonly ProductFirmware[]
    readonly others: number
    /** Devices whose word is the service's, and devices of which it says otherwise than the catalogue; missing: neither. */
    readonly service?: { readonly decides: number; readonly contradicts: number }
    /** Products that could not be compared with the catalogue, most devices first; missing: none. */
    readonly notCompared?: readonly ProductNotCompared[]
  }
  readonly statuses: readonly WordCount[]
  /** Devices last seen longer ago than these, and never told. */
  readonly lastSeen: readonly { readonly atLeastInMs: number; readonly count: number }[]
  readonly neverSeen: number
  /** Devices by the age of what was read of them; the first is the youngest. `upToInMs` null: older than all before. */
  readonly ages: readonly { readonly upToInMs: number | null; readonly count: number }[]
  /** Devices whose record is older than the limit (preferences). */
  readonly stale: number
  /** Times a device was found gone in the last seven days. */
  readonly goneLately: number
  readonly unreadable: number
}

export interface RoomInTrouble {
  readonly id: string
  readonly name: string | null
  readonly location: string | null
  readonly health: RoomHealth
  readonly deviceCount: number | null
  readonly onlineCount: number | null
}

export interface ProductFirmware {
  readonly productName: string
  readonly current: number
  readonly behind: number
  readonly ahead: number
  readonly revoked: number
  readonly unknown: number
}

export const overview = {
  get: method(nothing).returns<Overview>(),
}
