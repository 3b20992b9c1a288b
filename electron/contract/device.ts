import type { JsonObject } from './json.ts'

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

/** A device as a row: what tables show. Members a service did not send are null. */
export interface DeviceRow {
  readonly id: string
  /** The service's name, else the product name, else the id. */
  readonly name: string
  readonly serialNumber: string | null
  readonly productId: number | null
  readonly variantType: string | null
  readonly productName: string | null
  readonly firmwareVersion: string | null
  readonly groupId: string | null
  readonly status: DeviceStatus
  readonly lastSeenAt: number | null
  readonly addedAt: number | null
  readonly observedAt: number
  readonly gone: boolean
  readonly goneAt: number | null
  readonly room: { readonly id: string; readonly name: string | null } | null
}

export interface Device extends DeviceRow {
  readonly firmwareUpdateInProgress: boolean | null
  readonly computer: DeviceComputer | null
  readonly client: DeviceClient | null
  /** The record as received. */
  readonly raw: JsonObject
}

export type DeviceColumn = 'name' | 'productName' | 'serialNumber' | 'firmwareVersion' | 'status' | 'lastSeenAt' | 'roomName' | 'userName'

export interface DeviceFilter {
  /** Free words; every one must be found in names, serials, MACs, users, rooms or products. */
  readonly text: string
  readonly statuses: readonly string[]
  readonly productNames: readonly string[]
  readonly gone: 'hide' | 'only' | 'show'
}

export interface DeviceWindowQuery {
  readonly filter: DeviceFilter
  readonly sort: { readonly column: DeviceColumn; readonly descending: boolean }
  /** Zero-based position of the first row. */
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface DeviceWindow {
  readonly rows: readonly (DeviceRow & { readonly userName: string | null })[]
  /** Rows that match the filter. */
  readonly total: number
  /** Devices of the organization, gone ones apart. */
  readonly all: number
  /** The oldest observation among the organization's last complete picture; null before the first page. */
  readonly asOf: number | null
}

/** How many devices there are by status and by product, for filters. */
export interface DeviceFacets {
  readonly statuses: readonly { readonly status: string; readonly count: number }[]
  readonly products: readonly { readonly productName: string; readonly count: number }[]
}

/** A record that is not an object or has no usable id: counted, kept and shown. */
export interface UnreadableRecord {
  readonly of: 'device' | 'room'
  readonly why: string
  readonly raw: string
  readonly observedAt: number
}
