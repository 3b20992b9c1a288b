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
  typed,
  where,
} from '../argument-parts.ts'
import { siteAtMost, siteSeparators, type SiteSeparator } from '../note.ts'
import type { Change } from './changes.ts'
import type { ListGroup, WordCount, DeviceStatus, FirmwareWord } from './devices.ts'
import { local, event, method } from '../method.ts'
import type { ServiceRole } from '../firmware-verdict.ts'
import type { JsonObject } from '../json.ts'
import type { SortBy } from '../fields/field.ts'
import { roomGroupColumns, type RoomColumn } from '../fields/room.ts'

/** `connected`, `disconnected` and `unknown` are our own values; any other value is shown as received. */
export type RoomStatus = 'connected' | 'disconnected' | 'unknown' | (string & {})

/**
 * Derived only from known data: `down`, every device is offline; `trouble`, some device is offline, reports
 * an error or runs revoked firmware, or the room is disconnected; `ok`, every device is online (or
 * rebooting); `unknown`, no device has a known status, or the status of some is unknown and the others are
 * online.
 */
export type RoomHealth = 'ok' | 'trouble' | 'down' | 'unknown'

export interface RoomDevice {
  readonly id: string
  readonly name: string | null
  readonly status: DeviceStatus
  readonly productName: string | null
  readonly serialNumber: string | null
  readonly firmwareVersion: string | null
  /** As the room's record states it. */
  readonly firmwareStatus: string | null
  /**
   * From the catalogue, else the service's own verdict; null for a device known only from the room's record,
   * which does not state it.
   */
  readonly firmware: FirmwareWord | null
  /** The role of the service's own verdict; missing: none, or it agrees. */
  readonly firmwareService?: ServiceRole
  readonly lastSeenAt: number | null
  readonly observedAt: number
  /** When the device itself reported its firmware version; missing: the record states it. */
  readonly firmwareReadAt?: number
}

export interface RoomRow {
  readonly id: string
  readonly name: string | null
  readonly status: RoomStatus
  readonly location: string | null
  /**
   * As set by a technician, else the part of its location before the first comma (a town in the names seen),
   * else as derived from its name.
   */
  readonly site: string | null
  /** Missing: its record states the site, or nothing does. */
  readonly siteFrom?: 'technician' | 'name'
  /** The technician's note; missing: none. */
  readonly note?: string
  readonly type: string | null
  readonly seatCount: number | null
  readonly groupIds: readonly string[]
  /** null: nothing is known about the room's devices. */
  readonly deviceCount: number | null
  readonly onlineCount: number | null
  readonly health: RoomHealth
  /**
   * When an offline device was last seen: in a room that is down the most recent one, else the earliest one;
   * null: none is offline, or the time is not known.
   */
  readonly offlineSinceAt: number | null
  /**
   * Devices whose status is not known, without rebooting ones; null: nothing is known about the room's
   * devices.
   */
  readonly unknownCount: number | null
  /** The worst among its devices: revoked, behind, unknown, ahead, current; null: no devices are known. */
  readonly worstFirmware: FirmwareWord | null
  /** Devices that are behind or revoked. */
  readonly behindCount: number | null
  /**
   * Devices whose compliance is the service's own verdict because the catalogue cannot compare them; missing:
   * none.
   */
  readonly byServiceCount?: number
  /** Devices on which the service disagrees with the catalogue; missing: none. */
  readonly contradictedCount?: number
  readonly lastSeenAt: number | null
  readonly observedAt: number
  readonly gone: boolean
  readonly goneAt: number | null
}

/** A device of a room as lists show it. */
export interface RoomMember {
  readonly id: string
  readonly name: string | null
  readonly productName: string | null
  readonly status: DeviceStatus
  readonly isRevoked: boolean
}

export interface RoomListRow extends RoomRow {
  /**
   * At most eight; devices that are not online or run revoked firmware come first; null: nothing is known
   * about its devices.
   */
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
  /** A filter over `roomVocabulary` (vocabularies.ts). One with problems is refused with `invalid`, field `where`. */
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

/** Sites that can be derived from the names of rooms without a location. */
export interface RoomSites {
  /** The separator that ends the site at the beginning of a name; null: names are not used. */
  readonly separator: SiteSeparator | null
  /** Rooms without a location and without a site set by a technician. */
  readonly rooms: number
  /**
   * The sites that result from each separator, the separator with most rooms first; separators that no name
   * contains are omitted.
   */
  readonly offers: readonly {
    readonly separator: SiteSeparator
    readonly rooms: number
    readonly sites: number
    /** The three sites with most rooms. */
    readonly examples: readonly string[]
    /** The twelve sites with most rooms, and the number of rooms of each. */
    readonly largest: readonly WordCount[]
  }[]
}

export const rooms = {
  list: method(z.strictObject({ where, sort: roomSort, start, count })).returns<RoomPage>(),
  /** As the groups of `devices.groups`. */
  groups: method(z.strictObject({ where, by: z.enum(roomGroupColumns) })).returns<readonly ListGroup[]>(),
  get: method(byId).returns<Room>(),
  /**
   * By its id, the group id of any of its devices, or its whole name. `not-found`; `invalid` names the ids of
   * several.
   */
  find: method(typed).returns<Room>(),
  history: method(byId).returns<readonly Change[]>(),
  /** The position of a room in a list; null: it does not match. */
  position: method(z.strictObject({ where, sort: roomSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /** As `devices.suggest`; `key` is of `roomVocabulary`. */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** Reads one room again from the service. */
  refresh: method(byId).returns<Room>(),
  /**
   * Note and site are stored in the workbook of this machine; null: removes the note, or uses the site of the
   * record.
   */
  setNote: local(z.strictObject({ id, note })).returns<Room>(),
  setSite: local(z.strictObject({ id, site: text(siteAtMost).nullable() })).returns<Room>(),
  sites: method(nothing).returns<RoomSites>(),
  chooseSites: local(z.strictObject({ separator: z.enum(siteSeparators).nullable() })).returns<RoomSites>(),
  changed: event<{ readonly count: number }>(),
}
