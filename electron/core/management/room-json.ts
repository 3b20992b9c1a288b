import type { DeviceStatus } from '../../contract/api/devices.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { RoomStatus } from '../../contract/api/rooms.ts'
import { deviceStatus, withId, type Identified, type ParseResult } from './device-json.ts'
import { arrayOf, idOf, instantOf, integerOf, membersOf, objectOf, labelOf, wordOf } from './members.ts'

/** A device as described by its room's record (services.md#B41). */
interface RoomDeviceRecord {
  readonly id: string
  readonly name: string | null
  readonly status: DeviceStatus
  readonly firmwareStatus: string | null
}

/** A room parsed from one record. Member names: services.md#B41. */
export interface RoomRecord {
  readonly id: string
  /** Called `deviceGroupId` on a room, `groupId` on a device (services.md#B3). */
  readonly groupId: string | null
  readonly name: string | null
  readonly status: RoomStatus
  readonly location: string | null
  readonly type: string | null
  readonly seatCount: number | null
  readonly timeZone: string | null
  readonly createdAt: number | null
  /** null: the record does not list its devices. */
  readonly devices: readonly RoomDeviceRecord[] | null
  readonly raw: JsonObject
}

/**
 * Members that may contain the room in a record without its own id. No shape is published; add a member when
 * one is observed.
 */
const wrappers = ['meetingRoom', 'room', 'item', 'resource', 'data', 'record']

/** Never throws. */
export function parseRoom(json: Json): ParseResult<RoomRecord> {
  const raw = objectOf(json)
  if (!raw) return { readable: false, why: 'not-an-object' }
  const found = identifiedRoom(raw)
  if (found === null) return { readable: false, why: 'no-usable-id' }
  const { id, member } = found
  return {
    readable: true,
    record: {
      id,
      groupId: groupIdOf(member),
      name: labelOf(member('name')),
      status: wordOf(member('status'), ['connected', 'disconnected', 'unknown']) ?? 'unknown',
      location: labelOf(member('locationName')),
      type: labelOf(member('roomType')),
      seatCount: integerOf(member('seatCount')),
      timeZone: labelOf(member('ianaTimeZoneId')),
      createdAt: instantOf(member('createdAt')),
      devices: parseRoomDevices(member('devices')),
      raw,
    },
  }
}

export const identifiedRoom = (raw: JsonObject): Identified | null =>
  withId(raw, ['id', 'roomId', 'meetingRoomId'], wrappers)

export const groupIdOf = (member: Identified['member']): string | null =>
  idOf(member('deviceGroupId')) ?? idOf(member('groupId'))

/** The list itself, or one inside an envelope; each device once. null: there is none. */
function parseRoomDevices(json: Json | undefined): readonly RoomDeviceRecord[] | null {
  const envelope = objectOf(json)
  const list = arrayOf(envelope === null ? json : membersOf(envelope)('items', 'devices'))
  return list === null
    ? null
    : [...new Map(list.flatMap(parseRoomDevice).map((device) => [device.id, device])).values()]
}

/** An entry without a device id is skipped: it remains visible in the raw record. */
function parseRoomDevice(json: Json): RoomDeviceRecord[] {
  const raw = objectOf(json)
  const found = raw && withId(raw, ['id', 'deviceId'], ['device'])
  if (!found) return []
  const { id, member } = found
  return [
    {
      id,
      name: labelOf(member('name')),
      status: deviceStatus(member('deviceConnectionStatus'), member('isConnected')),
      firmwareStatus: labelOf(member('firmwareStatus')),
    },
  ]
}
