import type { DeviceStatus } from '../../contract/device.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { RoomStatus } from '../../contract/room.ts'
import { deviceStatus, type Reading } from './device-json.ts'
import { arrayOf, idOf, instantOf, integerOf, objectOf, textOf, wordOf } from './members.ts'

/** A device as its room's record tells of it (observed 4.4). */
export interface RoomDeviceRecord {
  readonly id: string
  readonly name: string | null
  readonly status: DeviceStatus
  readonly firmwareStatus: string | null
}

/** A room as read from one record. Member names: observed 4.4. */
export interface RoomRecord {
  readonly id: string
  /** Called `deviceGroupId` on a room, `groupId` on a device (observed, quirk B3). */
  readonly groupId: string | null
  readonly name: string | null
  readonly status: RoomStatus
  readonly location: string | null
  readonly type: string | null
  readonly seatCount: number | null
  readonly timeZone: string | null
  readonly createdAt: number | null
  /** null: the record says nothing of its devices. */
  readonly devices: readonly RoomDeviceRecord[] | null
  readonly raw: JsonObject
}

/** Never throws. */
export function readRoom(json: Json): Reading<RoomRecord> {
  const raw = objectOf(json)
  if (!raw) return { readable: false, why: 'not-an-object' }
  const id = idOf(raw['id'])
  if (id === null) return { readable: false, why: 'no-usable-id' }
  return {
    readable: true,
    record: {
      id,
      groupId: textOf(raw['deviceGroupId']) ?? textOf(raw['groupId']),
      name: textOf(raw['name']),
      status: wordOf(raw['status'], ['connected', 'disconnected', 'unknown']) ?? 'unknown',
      location: textOf(raw['locationName']),
      type: textOf(raw['roomType']),
      seatCount: integerOf(raw['seatCount']),
      timeZone: textOf(raw['ianaTimeZoneId']),
      createdAt: instantOf(raw['createdAt']),
      devices: arrayOf(raw['devices'])?.flatMap(readRoomDevice) ?? null,
      raw,
    },
  }
}

/** A member of the list that names no device is left out: it stays visible in the raw record. */
function readRoomDevice(json: Json): RoomDeviceRecord[] {
  const raw = objectOf(json)
  const id = raw && idOf(raw['id'])
  if (!raw || id === null) return []
  return [
    { id, name: textOf(raw['name']), status: deviceStatus(raw['deviceConnectionStatus'], raw['isConnected']), firmwareStatus: textOf(raw['firmwareStatus']) },
  ]
}
