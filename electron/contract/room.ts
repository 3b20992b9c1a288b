import type { DeviceStatus } from './device.ts'
import type { JsonObject } from './json.ts'

/** `connected`, `disconnected` and `unknown` are ours; any other word is shown as received. */
export type RoomStatus = 'connected' | 'disconnected' | 'unknown' | (string & {})

export interface RoomDevice {
  readonly id: string
  readonly name: string | null
  readonly status: DeviceStatus
  readonly productName: string | null
  readonly firmwareVersion: string | null
  readonly firmwareStatus: string | null
}

export interface RoomRow {
  readonly id: string
  readonly name: string | null
  readonly status: RoomStatus
  readonly location: string | null
  readonly type: string | null
  readonly seatCount: number | null
  readonly groupIds: readonly string[]
  /** null: nothing is known of the room's devices. */
  readonly deviceCount: number | null
  readonly onlineCount: number | null
  readonly lastSeenAt: number | null
  readonly observedAt: number
  readonly gone: boolean
  readonly goneAt: number | null
}

export interface Room extends RoomRow {
  readonly timeZone: string | null
  readonly createdAt: number | null
  readonly devices: readonly RoomDevice[] | null
  readonly raw: JsonObject
}

export interface RoomQuery {
  readonly text: string
  readonly statuses: readonly string[]
  readonly sort: { readonly column: 'name' | 'location' | 'status' | 'deviceCount' | 'seatCount' | 'lastSeenAt'; readonly descending: boolean }
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface RoomPage {
  readonly rows: readonly RoomRow[]
  readonly total: number
  readonly all: number
  readonly statuses: readonly { readonly status: string; readonly count: number }[]
  readonly asOf: number | null
}
