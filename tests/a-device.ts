import type { JsonObject } from '../electron/contract/json.ts'

/** A device record as the service sends it (services.md#B40); each number gives another device. */
export function aDevice(number: number, changes: JsonObject = {}): JsonObject {
  return {
    id: `D${String(number).padStart(8, '0')}`,
    serialNumber: `SN${String(number).padStart(6, '0')}`,
    name: `Device ${number}`,
    productId: 12306,
    variantType: '01',
    productName: 'Jabra PanaCast 50',
    firmwareVersion: '4.2.0.9',
    firmwareUpdateInProgress: false,
    groupId: null,
    addedAt: '2026-03-01T08:00:00Z',
    lastSeenAt: '2026-11-21T13:55:00.1234567Z',
    isConnected: true,
    deviceConnectionStatus: 'Online',
    computer: {
      computerName: `PC-${number}`,
      operatingSystem: 'Windows 11',
      userName: `user${number}`,
      ipAddress: '10.0.0.1',
      macAddress: 'aabbccddeeff',
    },
    jabraClient: {
      client: 'JabraPlus',
      clientName: 'Jabra+',
      clientVersion: '6.1.0',
      clientType: 'MeetingRoom',
      autoUpdate: true,
    },
    ...changes,
  }
}

/** A room record as the service sends it (services.md#B41). */
export function aRoom(number: number, changes: JsonObject = {}): JsonObject {
  return {
    id: `room-${number}`,
    deviceGroupId: `group-${number}`,
    name: `Room ${number}`,
    roomType: 'TeamsRooms',
    locationName: 'Aarhus',
    seatCount: 8,
    status: 'Connected',
    createdAt: '2026-01-01T00:00:00Z',
    ianaTimeZoneId: 'Europe/Copenhagen',
    devices: null,
    ...changes,
  }
}
