import type { DeviceClient, DeviceComputer, DeviceStatus } from '../../contract/device.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { flagOf, idOf, instantOf, integerOf, macOf, objectOf, textOf, wordOf } from './members.ts'

/** A device as read from one record: what the service sent, in our types. Member names: observed 4.2. */
export interface DeviceRecord {
  readonly id: string
  /** The service's name, else the product name, else the id (observed 4.2: the name may be null or empty). */
  readonly name: string
  readonly serialNumber: string | null
  readonly productId: number | null
  readonly variantType: string | null
  readonly productName: string | null
  readonly firmwareVersion: string | null
  readonly firmwareUpdateInProgress: boolean | null
  readonly groupId: string | null
  readonly status: DeviceStatus
  readonly lastSeenAt: number | null
  readonly addedAt: number | null
  readonly computer: DeviceComputer | null
  readonly client: DeviceClient | null
  readonly raw: JsonObject
}

export type Reading<T> = { readonly readable: true; readonly record: T } | { readonly readable: false; readonly why: string }

/** Never throws. A record without a usable id, or that is no object, is unreadable; anything less is null members. */
export function readDevice(json: Json): Reading<DeviceRecord> {
  const raw = objectOf(json)
  if (!raw) return { readable: false, why: 'not-an-object' }
  const id = idOf(raw['id'])
  if (id === null) return { readable: false, why: 'no-usable-id' }
  const productName = textOf(raw['productName'])
  return {
    readable: true,
    record: {
      id,
      name: textOf(raw['name']) ?? productName ?? id,
      serialNumber: textOf(raw['serialNumber']),
      productId: integerOf(raw['productId']),
      variantType: textOf(raw['variantType']),
      productName,
      firmwareVersion: textOf(raw['firmwareVersion']),
      firmwareUpdateInProgress: flagOf(raw['firmwareUpdateInProgress']),
      groupId: textOf(raw['groupId']),
      status: deviceStatus(raw['deviceConnectionStatus'], raw['isConnected']),
      lastSeenAt: instantOf(raw['lastSeenAt']),
      addedAt: instantOf(raw['addedAt']),
      computer: readComputer(objectOf(raw['computer'])),
      client: readClient(objectOf(raw['jabraClient'])),
      raw,
    },
  }
}

/**
 * The status word in any case (observed, quirk B12); where it is missing, as for personal devices, `isConnected`.
 * Neither: unknown, never offline.
 */
export function deviceStatus(word: Json | undefined, isConnected: Json | undefined): DeviceStatus {
  const known = wordOf(word, ['online', 'offline', 'rebooting', 'unknown'])
  if (known !== null) return known
  const connected = flagOf(isConnected)
  return connected === null ? 'unknown' : connected ? 'online' : 'offline'
}

function readComputer(raw: JsonObject | null): DeviceComputer | null {
  if (!raw) return null
  return {
    name: textOf(raw['computerName']),
    operatingSystem: textOf(raw['operatingSystem']),
    userName: textOf(raw['userName']),
    ipAddress: textOf(raw['ipAddress']),
    macAddress: macOf(raw['macAddress']),
  }
}

function readClient(raw: JsonObject | null): DeviceClient | null {
  if (!raw) return null
  return {
    client: textOf(raw['client']),
    name: textOf(raw['clientName']),
    version: textOf(raw['clientVersion']),
    type: textOf(raw['clientType']),
    autoUpdate: flagOf(raw['autoUpdate']),
  }
}
