import { z } from 'zod'
import {
  byId,
  count,
  deviceSort,
  id,
  note,
  reference,
  selection,
  settingChanges,
  stages,
  start,
  suggestion,
  typed,
  where,
} from '../argument-parts.ts'
import type { Change } from './changes.ts'
import { local, event, method, write } from '../method.ts'
import type { DeviceSettings, ReadSettings, SettingsCost, SettingsSummary } from './settings.ts'
import type { WriteReport } from './writes.ts'
import type { NoLatestOfSome } from '../firmware.ts'
import type { ServiceRole } from '../firmware-verdict.ts'
import type { Json, JsonObject } from '../json.ts'
import {
  deviceGroupColumns,
  type ApprovedValue,
  type deviceFields,
  type DeviceSortColumn,
} from '../fields/device.ts'
import type { KeysWith, SortBy, Stored } from '../fields/field.ts'

/**
 * `online`, `offline`, `rebooting` and `unknown` are our own values; any other value is shown as received.
 */
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

/**
 * Compliance: a device's firmware compared with the catalogue as last read; `unknown`: no product, no
 * version, or no releases read.
 */
export type FirmwareWord = 'current' | 'behind' | 'ahead' | 'revoked' | 'unknown'

/**
 * `MeetingRoom` (services.md#B34) and `Personal` (services.md#B22) are normalized to this spelling; any other
 * value is shown as received.
 */
export type ClientType = 'MeetingRoom' | 'Personal' | (string & {})

/**
 * A device as a table row. Members that a service did not send are null; members of its record are the stored
 * fields.
 */
export interface DeviceRow extends Stored<typeof deviceFields> {
  /** The service's name, else the product name, else the id. */
  readonly name: string
  /**
   * `by`: number of releases between it and the latest; null if it is not behind, or the number cannot be
   * known. `why`: the reason for `unknown`, if known. `service`: the role of the service's own verdict;
   * missing: none, or it agrees.
   */
  readonly firmware: {
    readonly word: FirmwareWord
    readonly by: number | null
    readonly latest: string | null
    readonly why: NoLatestOfSome | null
    /** The valid approved version that `word` and `by` refer to; missing: they refer to the latest. */
    readonly comparedWith?: string
    /** Missing: no version is approved for it. `version` null: the approval has ended. */
    readonly approved?: { readonly word: Exclude<ApprovedValue, 'none'>; readonly version: string | null }
    readonly service?: ServiceRole
  }
  readonly status: DeviceStatus
  readonly observedAt: number
  /**
   * When the device itself reported its firmware version, if after its record was last received; null: the
   * record states the version.
   */
  readonly firmwareReadAt: number | null
  readonly gone: boolean
  readonly goneAt: number | null
  readonly room: {
    readonly id: string
    readonly name: string | null
    readonly location: string | null
  } | null
  /**
   * As its record states it; else the only client type under which the service listed it in the last sync.
   */
  readonly clientType: ClientType | null
  /** Local tags, by name. */
  readonly tags: readonly string[]
  /** The technician's note; missing: none. */
  readonly note?: string
}

export interface Device extends DeviceRow {
  readonly firmwareUpdateInProgress: boolean | null
  readonly computer: DeviceComputer | null
  readonly client: DeviceClient | null
  /** The record as received. */
  readonly raw: JsonObject
}

/**
 * The device's own report of its firmware, from an address of the profile; the form of the response is not
 * published.
 */
export interface DeviceFirmware {
  readonly deviceId: string
  /** null: the response contains none that can be recognized. */
  readonly version: string | null
  readonly updating: boolean | null
  readonly observedAt: number
  /** The response as received. */
  readonly raw: Json
}
export type DeviceColumn = KeysWith<typeof deviceFields, 'cell'>

export type DeviceSort = SortBy<DeviceSortColumn>

export interface DeviceListQuery {
  /** A filter over `deviceVocabulary` (vocabularies.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  readonly sort: DeviceSort
}

export interface DeviceSliceQuery extends DeviceListQuery {
  /** Zero-based position of the first row. */
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface DeviceSlice {
  readonly rows: readonly DeviceRow[]
  /** Rows that match the filter. */
  readonly total: number
  /** Devices of the organization, without gone ones. */
  readonly all: number
  /** The oldest observation in the organization's last complete sync; null before the first page. */
  readonly asOf: number | null
}

/** A value and the number of rows that have it. */
export interface WordCount {
  readonly word: string
  readonly count: number
}

/** Rows of a list that have the same value in one field. */
export interface ListGroup {
  /** Opaque; stable while its rows have the same value. */
  readonly key: string
  /** null: the value is not known. */
  readonly label: string | null
  readonly count: number
  /** How many of them call for work: devices that are behind or revoked, rooms with problems or down. */
  readonly needing: number
  /** The filter that shows them; null: no filter can. */
  readonly where: string | null
}

/** `stages` of the query: as if releases of these stages could be the latest; missing: the organization's. */
export interface DeviceGroups {
  /** The devices that match, grouped by one field: the largest group first, unknown values last. */
  readonly groups: readonly ListGroup[]
  /** Products whose releases were never read, if stages are given; otherwise 0. */
  readonly unread: number
}

/**
 * Number of devices for each value, largest first; each list is counted as if nothing were selected in it.
 */
export interface DeviceFacets {
  readonly statuses: readonly WordCount[]
  readonly products: readonly WordCount[]
  readonly firmware: readonly WordCount[]
}

/**
 * The devices of an action: all that match a filter except the excluded ones, or individually selected ones.
 * At most `namedAtMost` ids in both cases. It is evaluated when the action starts, so it includes devices
 * synced later.
 */
export type DeviceSelection =
  | { readonly kind: 'matching'; readonly where: string; readonly except: readonly string[] }
  | { readonly kind: 'picked'; readonly ids: readonly string[] }

/**
 * How pasted text was understood: entries (serials, MACs in any notation, ids) separated by white space,
 * commas, semicolons or quotes.
 */
export interface PastedList {
  /** The list's name, for `list:"…"`; null: no list was stored. */
  readonly name: string | null
  /** Distinct devices found, including gone ones. */
  readonly found: number
  /** The first 500 of them. */
  readonly devices: readonly {
    readonly word: string
    readonly id: string
    /** The complete title: user or room, product and serial number. */
    readonly name: string
    readonly gone: boolean
  }[]
  readonly notFound: readonly string[]
  /** Entries that name a device a second time. */
  readonly twice: readonly string[]
  /** Entries that match more than one device, such as the MAC of one computer: all of them are found. */
  readonly several: readonly WordCount[]
  /** Entries beyond the limit of 10,000. */
  readonly notRead: number
}

export interface DeviceList {
  readonly name: string
  readonly count: number
  readonly createdAt: number
}

/** A record that is not an object or has no usable id: it is counted, stored and shown. */
export interface UnreadableRecord {
  readonly of: 'device' | 'room'
  readonly why: string
  /** As received, truncated; null: this entry only counts the other records. */
  readonly raw: string | null
  readonly observedAt: number
  /** Number of records with exactly this text. */
  readonly times: number
}

export const devices = {
  slice: method(z.strictObject({ where, sort: deviceSort, start, count })).returns<DeviceSlice>(),
  groups: method(
    z.strictObject({ where, by: z.enum(deviceGroupColumns), stages: stages.exactOptional() }),
  ).returns<DeviceGroups>(),
  facets: method(z.strictObject({ where })).returns<DeviceFacets>(),
  /** The position of a device in a list, so that the list can scroll back to it; null: it does not match. */
  position: method(z.strictObject({ where, sort: deviceSort, id })).returns<{
    readonly index: number | null
    readonly total: number
  }>(),
  /**
   * Values of a field that start with or contain `typed`, most frequent first, at most 20. `key` is of
   * `deviceVocabulary`.
   */
  suggest: method(suggestion).returns<readonly WordCount[]>(),
  /** How many devices a selection contains now. */
  selected: method(z.strictObject({ selection })).returns<{ readonly count: number }>(),
  get: method(byId).returns<Device>(),
  /**
   * By its id, or by a serial number or name that only one device has. `not-found`; `invalid` names the ids
   * of several.
   */
  find: method(typed).returns<Device>(),
  /** Stored in the workbook of this machine; null: removes it. */
  setNote: local(z.strictObject({ id, note })).returns<Device>(),
  history: method(byId).returns<readonly Change[]>(),
  /** `refresh` false: the stored response with its age, if there is one; `storedOnly`: else `not-found`. */
  settings: method(
    z.strictObject({ id, refresh: z.boolean(), storedOnly: z.boolean().exactOptional() }),
  ).returns<DeviceSettings>(),
  /**
   * Changes settings of one device in one request: all are accepted or refused together. The current settings
   * are read first; a change that does not fit them is `invalid`, field `settings.NAME`. `wait`: until its
   * last action is a minute old; false: it returns `waiting` at once.
   */
  setSettings: write(
    z.strictObject({ id, changes: settingChanges, unlock: z.boolean(), wait: z.boolean(), reference }),
  ).returns<WriteReport>(),
  /** Queries the device through the address of the profile. Its row then shows that version. */
  firmware: method(byId).returns<DeviceFirmware>(),
  /** The settings these devices have, from stored responses: sends no request. */
  settingsSummary: method(z.strictObject({ selection })).returns<SettingsSummary>(),
  /** The cost of reading the settings of these devices; sends no request. */
  settingsCost: method(z.strictObject({ selection })).returns<SettingsCost>(),
  /** Reads them from the service and stores them: a task. */
  readSettings: method(z.strictObject({ selection })).returns<ReadSettings>(),
  changed: event<{ readonly count: number }>(),
}
