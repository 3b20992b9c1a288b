import { z } from 'zod'
import {
  byId,
  count,
  id,
  note,
  nothing,
  roomSort,
  start,
  suggestion,
  text,
  where,
} from '../argument-parts.ts'
import { siteAtMost, siteSeparators, type SiteSeparator } from '../note.ts'
import type { Change } from './changes.ts'
import type { ListGroup, WordCount, DeviceStatus, FirmwareWord } from './devices.ts'
import { event, method } from '../method.ts'
import type { ServiceRole } from '../firmware-verdict.ts'
import type { JsonObject } from '../json.ts'
import type { SortBy } from '../fields/field.ts'
import { roomGroupColumns, type RoomColumn } from '../fields/room.ts'

/** `connected`, `disconnected` and `unknown` are ours; any other word is shown as received. */
export type RoomStatus = 'connected' | 'disconnected' | 'unknown' | (string & {})

/**
 * Told only from what is known: `down`, every device is offline; `trouble`, some device is offline, tells of an error or runs
 * revoked firmware, or the room is disconnected; `ok`, every device is online (or rebooting); `unknown`, nothing is known of its devices, or of some and the rest is well.
 */
export type RoomHealth = 'ok' | 'trouble' | 'down' | 'unknown'

export interface RoomDevice {
  readonly id: string
  readonly name: string | null
  readonly status: DeviceStatus
  readonly productName: string | null
  readonly serialNumber: string | null
  readonly firmwareVersion: string | null
  /** As the room's record tells it. */
  readonly firmwareStatus: string | null
  /** Against the catalogue, else by the service's word; null for a device that is known from the room's record only, which says nothing of it. */
  readonly firmware: FirmwareWord | null
  /** What part the service's own verdict has; missing: it has none, or agrees. */
  readonly firmwareService?: ServiceRole
  readonly lastSeenAt: number | null
  readonly observedAt: number
  /** When the device itself reported its firmware version; missing: the record tells it. */
  readonly firmwareReadAt?: number
}

export interface RoomRow {
  readonly id: string
  readonly name: string | null
  readonly status: RoomStatus
  readonly location: string | null
  /** As a technician set it, else what stands before the first comma of its location (observed: a town), else what its name tells. */
  readonly site: string | null
  /** Missing: its record tells the site, or nothing does. */
  readonly siteFrom?: 'technician' | 'name'
  /** What a technician noted of it; missing: nothing. */
  readonly note?: string
  readonly type: string | null
  readonly seatCount: number | null
  readonly groupIds: readonly string[]
  /** null: nothing is known of the room's devices. */
  readonly deviceCount: number | null
  readonly onlineCount: number | null
  readonly health: RoomHealth
  /** When an offline device was last seen: in a room that is down the one seen last, else the one seen first; null: none is offline, or it is not told. */
  readonly offlineSinceAt: number | null
  /** Devices whose status is not known, rebooting ones apart; null: nothing is known of the room's devices. */
  readonly unknownCount: number | null
  /** The worst among its devices: revoked, behind, unknown, ahead, current; null: no devices are known. */
  readonly worstFirmware: FirmwareWord | null
  /** Devices that are behind or revoked. */
  readonly behindCount: number | null
  /** Devices whose word is the service's, for the catalogue cannot compare; missing: none. */
  readonly byServiceCount?: number
  /** Devices of which the service says otherwise than the catalogue; missing: none. */
  readonly contradictedCount?: number
  readonly lastSeenAt: number | null
  readonly observedAt: number
  readonly gone: boolean
  readonly goneAt: number | null
}

/** A device of a room as lists draw it. */
export interface RoomMember {
  readonly id: string
  readonly name: string | null
  readonly productName: string | null
  readonly status: DeviceStatus
  readonly isRevoked: boolean
}

export interface RoomListRow extends RoomRow {
  /** At most eight, those first that are not online or run revoked firmware; null: nothing is known of its devices. */
  readonly members: readonly RoomMember[] | null
}

export interface Room extends RoomRow {
  readonly timeZone: string | null
  readonly createdAt: number | null
  readonly devices: readonly RoomDevice[] | null
  readonly raw: JsonObject
}
export type RoomSort = SortBy<RoomColumn>

export interface RoomQuery {
  /** A filter over `roomVocabulary` (filter-words.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  readonly sort: RoomSort
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface RoomPage {
  readonly rows: readonly RoomListRow[]
  readonly total: number
  readonly all: number
  readonly statuses: readonly WordCount[]
  readonly health: readonly WordCount[]
  readonly asOf: number | null
}

/** What the names of rooms without a location tell of their sites. */
export interface RoomSites {
  /** Up to which sign a name tells the site; null: names are not asked. */
  readonly separator: SiteSeparator | null
  /** Rooms without a location that nobody gave a site. */
  readonly rooms: number
  /** What each sign would make of their names, most rooms first; signs that stand in no name are left out. */
  readonly offers: readonly {
    readonly separator: SiteSeparator
    readonly rooms: number
    readonly sites: number
    /** The three sites with most rooms. */
    readonly examples: readonly string[]
  }[]
}

export const rooms = {
  list: method(z.strictObject({ where, sort: roomSort, start, count })).returns<RoomPage>(),
  /** As `devices.groups`. */
  groups: method(z.strictObject({ where, by: z.enum(roomGroupColumns) })).returns<readonly ListGroup[]>(),
  get: method(byId).returns<Room>(),
  history: method(byId).returns<readonly Change[]>(),
  /** Where a room stands in a list; null: it does not match. */
  position: method(z.strictObject({ where, sort: roomSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /** As `devices.suggest`; `key` is of `roomVocabulary`. */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** Reads one room anew from the service. */
  refresh: method(byId).returns<Room>(),
  /** Note and site are kept in the workbook of this machine; null: none any more, or as the record tells it. */
  setNote: method(z.strictObject({ id, note })).returns<Room>(),
  setSite: method(z.strictObject({ id, site: text(siteAtMost).nullable() })).returns<Room>(),
  sites: method(nothing).returns<RoomSites>(),
  chooseSites: method(z.strictObject({ separator: z.enum(siteSeparators).nullable() })).returns<RoomSites>(),
  changed: event<{ readonly count: number }>(),
}
