import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { deviceTitle } from '../../electron/contract/device-name.ts'
import { formatHex } from '../components/format.ts'
import { wordOfClientType } from './device-facts.ts'

const special: Readonly<Partial<Record<DeviceColumn, (row: DeviceRow) => string | null>>> = {
  userOrRoom: deviceTitle,
  roomName: ({ room }) => (room ? (room.name ?? room.id) : null),
  location: ({ room }) => room?.location ?? null,
  clientType: ({ clientType }) => (clientType === null ? null : wordOfClientType(clientType)),
  productId: ({ productId }) => (productId === null ? null : formatHex(productId)),
}

/** The text of a column for a device; null: unknown, or no text. */
export function cellText(row: DeviceRow, column: DeviceColumn): string | null {
  const own = special[column]
  const value: unknown = own ? own(row) : row[column as keyof DeviceRow]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
