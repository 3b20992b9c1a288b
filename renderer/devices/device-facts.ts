import type { Device } from '../../electron/contract/device.ts'
import { text } from '../locales/i18n.ts'
import { formatHex, formatMoment } from '../parts/format.ts'
import type { Fact } from '../parts/fact.ts'
import { wordOfStatus } from '../parts/status-kind.ts'

const label = (key: string): string => text(`devices.facts.${key}`)
const joined = (...words: readonly (string | null | undefined)[]): string | null => words.filter(Boolean).join(' ') || null

/** Everything the record says of a device, with the age of what was observed. What was not sent is shown as not known, never guessed. */
export function factsOf(device: Device): readonly Fact[] {
  const at = device.observedAt
  const { computer, client } = device
  return [
    { key: 'serial', label: label('serial'), value: device.serialNumber, at, copy: true },
    { key: 'status', label: label('status'), value: wordOfStatus(device.status), at },
    { key: 'firmware', label: label('firmware'), value: device.firmwareVersion, at },
    { key: 'lastSeen', label: label('lastSeen'), value: device.lastSeenAt === null ? null : formatMoment(device.lastSeenAt), at: device.lastSeenAt },
    { key: 'room', label: label('room'), value: device.room ? (device.room.name ?? device.room.id) : null, at },
    { key: 'user', label: label('user'), value: computer?.userName ?? null, at },
    { key: 'computer', label: label('computer'), value: computer?.name ?? null, at, copy: true },
    { key: 'system', label: label('system'), value: computer?.operatingSystem ?? null, at },
    { key: 'ip', label: label('ip'), value: computer?.ipAddress ?? null, at, mono: true, copy: true },
    { key: 'mac', label: label('mac'), value: computer?.macAddress ?? null, at, mono: true, copy: true },
    { key: 'client', label: label('client'), value: client ? joined(client.name ?? client.client, client.version) : null, at },
    {
      key: 'clientUpdate',
      label: label('clientUpdate'),
      value: client?.autoUpdate == null ? null : label(client.autoUpdate ? 'autoOn' : 'autoOff'),
      at,
    },
    {
      key: 'productId',
      label: label('productId'),
      value: device.productId === null ? null : `${device.productId} · ${formatHex(device.productId)}`,
      copy: true,
    },
    { key: 'variant', label: label('variant'), value: device.variantType },
    { key: 'added', label: label('added'), value: device.addedAt === null ? null : formatMoment(device.addedAt) },
    { key: 'groupId', label: label('groupId'), value: device.groupId, mono: true, copy: true },
    { key: 'deviceId', label: label('deviceId'), value: device.id, mono: true, copy: true },
  ]
}
