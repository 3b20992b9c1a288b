import { z } from 'zod'
import { byId, count, deviceSort, id, note, selection, start, suggestion, where } from '../argument-parts.ts'
import type { Change } from './changes.ts'
import { event, method } from '../method.ts'
import type { DeviceSettings, ReadSettings, SettingsCost, SettingsOver } from './settings.ts'
import type { NoLatestOfSome } from '../firmware.ts'
import type { ServiceRole } from '../firmware-verdict.ts'
import type { Json, JsonObject } from '../json.ts'
import {
  deviceGroupColumns,
  type ApprovedWord,
  type deviceFields,
  type DeviceSortColumn,
} from '../fields/device.ts'
import type { KeysWith, SortBy, Stored } from '../fields/field.ts'

/** `online`, `offline`, `rebooting` and `unknown` are ours; any other word is shown as received. */
export type DeviceStatus = 'online' | 'offline' | 'rebooting' | 'unknown' | (string & {})

export interface DeviceComputer {
  readonly name: string | null
  readonly operatingSystem: string | null
  readonly userName: string | null
  readonly ipAddress: string | null
  readonly macAddress: string | null
}

export interface DeviceClient {
  readonly client: string | null
  readonly name: string | null
  readonly version: string | null
  readonly type: string | null
  readonly autoUpdate: boolean | null
}

/** How a device's firmware stands against the catalogue as last read; `unknown`: no product, no version, or nothing read of it. */
export type FirmwareWord = 'current' | 'behind' | 'ahead' | 'revoked' | 'unknown'

/** `MeetingRoom` (specification, part 2) and `Personal` (observed) are spelled so whatever their case; any other word is shown as received. */
export type ClientType = 'MeetingRoom' | 'Personal' | (string & {})

/** A device as a row: what tables show. Members a service did not send are null; those of its record are the stored fields. */
export interface DeviceRow extends Stored<typeof deviceFields> {
  /** The service's name, else the product name, else the id. */
  readonly name: string
  /**
   * `by`: releases between it and the latest; null where it is not behind, or nobody can count them. `why` it is unknown, where that is known.
   * `service`: what part the service's own verdict has; missing: it has none, or agrees.
   */
  readonly firmware: {
    readonly word: FirmwareWord
    readonly by: number | null
    readonly latest: string | null
    readonly why: NoLatestOfSome | null
    /** The valid approved version that word and count compare with; missing: they compare with the latest. */
    readonly comparedWith?: string
    /** Missing: nothing is approved for it. `version` null: the approval has ended. */
    readonly approved?: { readonly word: Exclude<ApprovedWord, 'none'>; readonly version: string | null }
    readonly service?: ServiceRole
  }
  readonly status: DeviceStatus
  readonly observedAt: number
  /** When the device itself reported its firmware version, since its record was last received anew; null: the record tells it. */
  readonly firmwareReadAt: number | null
  readonly gone: boolean
  readonly goneAt: number | null
  readonly room: {
    readonly id: string
    readonly name: string | null
    readonly location: string | null
  } | null
  /** As its record tells; else the only client type under which the service listed it in the last sync. */
  readonly clientType: ClientType | null
  /** Local tags, by name. */
  readonly tags: readonly string[]
  /** What a technician noted of it; missing: nothing. */
  readonly note?: string
}

export interface Device extends DeviceRow {
  readonly firmwareUpdateInProgress: boolean | null
  readonly computer: DeviceComputer | null
  readonly client: DeviceClient | null
  /** The record as received. */
  readonly raw: JsonObject
}

/** What a device says of its firmware when it is asked: an address of the profile, whose answer nobody has published. */
export interface DeviceFirmware {
  readonly deviceId: string
  /** null: the answer names none that is known here. */
  readonly version: string | null
  readonly updating: boolean | null
  readonly observedAt: number
  /** The answer as received. */
  readonly raw: Json
}
export type DeviceColumn = KeysWith<typeof deviceFields, 'cell'>

export type DeviceSort = SortBy<DeviceSortColumn>

export interface DeviceListQuery {
  /** A filter over `deviceVocabulary` (filter-words.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  readonly sort: DeviceSort
}

export interface DeviceWindowQuery extends DeviceListQuery {
  /** Zero-based position of the first row. */
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface DeviceWindow {
  readonly rows: readonly DeviceRow[]
  /** Rows that match the filter. */
  readonly total: number
  /** Devices of the organization, gone ones apart. */
  readonly all: number
  /** The oldest observation among the organization's last complete picture; null before the first page. */
  readonly asOf: number | null
}

/** A word that occurs and in how many rows. */
export interface WordCount {
  readonly word: string
  readonly count: number
}

/** Rows of a list that have the same in one field. */
export interface ListGroup {
  /** Opaque; the same while its rows have the same. */
  readonly key: string
  /** null: nothing is known there. */
  readonly label: string | null
  readonly count: number
  /** How many of them call for work: devices that are behind or revoked, rooms in trouble or down. */
  readonly needing: number
  /** The filter that shows them; null: none can. */
  readonly where: string | null
}

/** How many devices there are by each of these, most first; each list is counted as if nothing were chosen in it. */
export interface DeviceFacets {
  readonly statuses: readonly WordCount[]
  readonly products: readonly WordCount[]
  readonly firmware: readonly WordCount[]
}

/**
 * Which devices an action means: all that match a filter but those excepted, or those picked one by one. At most `namedAtMost` ids
 * either way. It is a rule, not a list: what a sync brings later is looked at when the action begins.
 */
export type DeviceSelection =
  | { readonly kind: 'matching'; readonly where: string; readonly except: readonly string[] }
  | { readonly kind: 'picked'; readonly ids: readonly string[] }

/** What pasted text was taken for: words parted by white space, commas, semicolons or quotes; serials, MACs in any notation, ids. */
export interface PastedList {
  /** The list's name, for `list:"…"`; null: nothing was kept. */
  readonly name: string | null
  /** Distinct devices found, gone ones too. */
  readonly found: number
  /** The first 500 of them. */
  readonly devices: readonly {
    readonly word: string
    readonly id: string
    /** Whole: user or room, product and serial number. */
    readonly name: string
    readonly gone: boolean
  }[]
  readonly notFound: readonly string[]
  /** Words that name a device named before. */
  readonly twice: readonly string[]
  /** Words that more than one device answers to, such as one computer's MAC: all of them are found. */
  readonly several: readonly WordCount[]
  /** Words beyond the 10,000 that are read. */
  readonly notRead: number
}

export interface DeviceList {
  readonly name: string
  readonly count: number
  readonly createdAt: number
}

/** A record that is not an object or has no usable id: counted, kept and shown. */
export interface UnreadableRecord {
  readonly of: 'device' | 'room'
  readonly why: string
  /** As received, cut; null: as many others that are counted only. */
  readonly raw: string | null
  readonly observedAt: number
  /** How many of this very text were sent. */
  readonly times: number
}

export const devices = {
  window: method(z.strictObject({ where, sort: deviceSort, start, count })).returns<DeviceWindow>(),
  /** The devices that match, by what stands in one field: the largest group first, what is not known last. */
  groups: method(z.strictObject({ where, by: z.enum(deviceGroupColumns) })).returns<readonly ListGroup[]>(),
  facets: method(z.strictObject({ where })).returns<DeviceFacets>(),
  /** Where a device stands in a list, so that a list keeps its place; null: it does not match. */
  position: method(z.strictObject({ where, sort: deviceSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /** What stands in a field and begins with or holds `typed`, most first, at most 20. `key` is of `deviceVocabulary`. */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** How many devices a selection means now. */
  selected: method(z.strictObject({ selection })).returns<{ readonly count: number }>(),
  get: method(byId).returns<Device>(),
  /** Kept in the workbook of this machine; null: none any more. */
  setNote: method(z.strictObject({ id, note })).returns<Device>(),
  history: method(byId).returns<readonly Change[]>(),
  /** `refresh` false: what was read before, with its age, where there is such. */
  settings: method(z.strictObject({ id, refresh: z.boolean() })).returns<DeviceSettings>(),
  /** Asks the device, by the address of the profile. Its row shows the version from then on. */
  firmware: method(byId).returns<DeviceFirmware>(),
  /** Which settings these devices have, from what was read before: asks no device. */
  settingsOver: method(z.strictObject({ selection })).returns<SettingsOver>(),
  /** What reading the settings of these devices costs; nothing is sent. */
  settingsCost: method(z.strictObject({ selection })).returns<SettingsCost>(),
  /** Reads them from the service and keeps them: a task. */
  readSettings: method(z.strictObject({ selection })).returns<ReadSettings>(),
  changed: event<{ readonly count: number }>(),
}
