import type { Device } from '../../contract/api/devices.ts'
import type { Room } from '../../contract/api/rooms.ts'

/** The documents of the format `records`: their members and order are a promise to scripts. */
export const deviceRecord = (one: Device): unknown => ({
  id: one.id,
  name: one.name,
  serialNumber: one.serialNumber,
  productId: one.productId,
  variantType: one.variantType,
  productName: one.productName,
  firmwareVersion: one.firmwareVersion,
  firmware: one.firmware,
  groupId: one.groupId,
  status: one.status,
  lastSeenAt: one.lastSeenAt,
  addedAt: one.addedAt,
  observedAt: one.observedAt,
  firmwareReadAt: one.firmwareReadAt,
  gone: one.gone,
  goneAt: one.goneAt,
  room: one.room,
  computer: one.computer,
  client: one.client,
  clientType: one.clientType,
  tags: one.tags,
  note: one.note ?? null,
  raw: one.raw,
})

export const roomRecord = (one: Room): unknown => ({
  id: one.id,
  name: one.name,
  status: one.status,
  location: one.location,
  site: one.site,
  note: one.note ?? null,
  seatCount: one.seatCount,
  type: one.type,
  groupIds: one.groupIds,
  health: one.health,
  worstFirmware: one.worstFirmware,
  lastSeenAt: one.lastSeenAt,
  devices: one.devices,
  observedAt: one.observedAt,
  gone: one.gone,
  goneAt: one.goneAt,
  raw: one.raw,
})
