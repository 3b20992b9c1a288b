import type { DeviceClient, DeviceComputer, DeviceStatus } from '../../contract/api/devices.ts'
import { clientTypeValues, type deviceFields } from '../../contract/fields/device.ts'
import type { Stored } from '../../contract/fields/field.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import {
  flagOf,
  idOf,
  innerObject,
  instantOf,
  integerOf,
  macOf,
  membersOf,
  objectOf,
  labelOf,
  wordOf,
} from './members.ts'

/** A device parsed from one record: the service's data in our types. Member names: services.md#B40. */
export interface DeviceRecord extends Stored<typeof deviceFields> {
  /**
   * The service's name, else the product name, else the id (services.md#B40: the name may be null or empty).
   */
  readonly name: string
  readonly firmwareUpdateInProgress: boolean | null
  /**
   * The service's own verdict, if the device's record has one; seen only in records of rooms
   * (services.md#B41). Missing: it has none.
   */
  readonly firmwareStatus?: string
  readonly status: DeviceStatus
  readonly computer: DeviceComputer | null
  readonly client: DeviceClient | null
  readonly raw: JsonObject
}

export type ParseResult<T> =
  | { readonly readable: true; readonly record: T }
  | { readonly readable: false; readonly why: string }

/**
 * Members that may contain the device in a record without its own id. No shape is published; add a member
 * when one is observed.
 */
const wrappers = ['device', 'item', 'resource', 'data', 'record']

/**
 * Never throws. A record without a usable id, or that is not an object, is unreadable; other defects give
 * null members.
 */
export function parseDevice(json: Json): ParseResult<DeviceRecord> {
  const raw = objectOf(json)
  if (!raw) return { readable: false, why: 'not-an-object' }
  const found = identifiedDevice(raw)
  if (found === null) return { readable: false, why: 'no-usable-id' }
  const { id, member } = found
  const productName = labelOf(member('productName'))
  const firmwareStatus = labelOf(member('firmwareStatus'))
  const computer = parseComputer(innerObject(member('computer')))
  const client = parseClient(innerObject(member('jabraClient')), member('clientType', 'deviceClientType'))
  return {
    readable: true,
    record: {
      id,
      name: labelOf(member('name')) ?? productName ?? id,
      serialNumber: labelOf(member('serialNumber')),
      productId: integerOf(member('productId')),
      variantType: labelOf(member('variantType')),
      productName,
      firmwareVersion: labelOf(member('firmwareVersion')),
      firmwareUpdateInProgress: flagOf(member('firmwareUpdateInProgress')),
      ...(firmwareStatus === null ? {} : { firmwareStatus }),
      groupId: idOf(member('groupId')),
      status: deviceStatus(member('deviceConnectionStatus'), member('isConnected')),
      lastSeenAt: instantOf(member('lastSeenAt')),
      addedAt: instantOf(member('addedAt')),
      userName: computer?.userName ?? null,
      computerName: computer?.name ?? null,
      operatingSystem: computer?.operatingSystem ?? null,
      ipAddress: computer?.ipAddress ?? null,
      macAddress: computer?.macAddress ?? null,
      clientName: client?.name ?? client?.client ?? null,
      clientVersion: client?.version ?? null,
      clientType: client?.type ?? null,
      computer,
      client,
      raw,
    },
  }
}

export const identifiedDevice = (raw: JsonObject): Identified | null =>
  withId(raw, ['id', 'deviceId'], wrappers)

export interface Identified {
  readonly id: string
  readonly member: ReturnType<typeof membersOf>
}

/**
 * The id of a record and its members: its own, or those of the contained object with an id. null: no usable
 * id.
 */
export function withId(
  raw: JsonObject,
  names: readonly string[],
  inside: readonly string[],
): Identified | null {
  const member = membersOf(raw)
  const id = idOf(member(...names))
  if (id !== null) return { id, member }
  for (const name of inside) {
    const inner = innerObject(member(name))
    const innerMember = inner === null ? null : membersOf(inner)
    const innerId = innerMember === null ? null : idOf(innerMember(...names))
    if (innerMember !== null && innerId !== null) return { id: innerId, member: innerMember }
  }
  return null
}

/**
 * The status in any case (services.md#B12); if it is missing, as for personal devices, from
 * `isConnected`. With neither it is unknown, never offline.
 */
export function deviceStatus(word: Json | undefined, isConnected: Json | undefined): DeviceStatus {
  const known = wordOf(word, ['online', 'offline', 'rebooting', 'unknown'])
  if (known !== null) return known
  const connected = flagOf(isConnected)
  return connected === null ? 'unknown' : connected ? 'online' : 'offline'
}

function parseComputer(raw: JsonObject | null): DeviceComputer | null {
  if (!raw) return null
  const member = membersOf(raw)
  return {
    name: labelOf(member('computerName')),
    operatingSystem: labelOf(member('operatingSystem')),
    userName: labelOf(member('userName')),
    ipAddress: labelOf(member('ipAddress')),
    macAddress: macOf(member('macAddress')),
  }
}

/** `beside`: the client type, if the record itself contains it. */
function parseClient(raw: JsonObject | null, beside: Json | undefined): DeviceClient | null {
  const type = clientTypeOf(beside)
  if (!raw) return type === null ? null : { client: null, name: null, version: null, type, autoUpdate: null }
  const member = membersOf(raw)
  return {
    client: labelOf(member('client')),
    name: labelOf(member('clientName')),
    version: labelOf(member('clientVersion')),
    type: clientTypeOf(member('clientType')) ?? type,
    autoUpdate: flagOf(member('autoUpdate')),
  }
}

/**
 * Normalizes the values of the specification in any case and with any separators (services.md#B12); another
 * value remains as received.
 */
function clientTypeOf(value: Json | undefined): string | null {
  const text = labelOf(value)
  if (text === null) return null
  const bare = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return clientTypeValues.find((word) => word.toLowerCase() === bare) ?? text
}
