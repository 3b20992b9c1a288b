import type { ClientType, Device, DeviceRow } from '../../electron/contract/api/devices.ts'
import type { ReleaseNotes } from '../../electron/contract/api/release-notes.ts'
import { text } from '../locales/i18n.ts'
import { formatHex, formatMoment } from '../parts/format.ts'
import type { Fact } from '../parts/fact.ts'
import { wordOfStatus } from '../parts/status-kind.ts'

export interface FactGroup {
  readonly key: 'state' | 'computer' | 'client' | 'identity'
  readonly facts: readonly Fact[]
}

/** The words of the specification in words of ours; any other as received. */
export const wordOfClientType = (type: ClientType): string =>
  type === 'MeetingRoom' || type === 'Personal' ? text(`devices.clientType.${type}`) : type

/** What the service itself says of the firmware, where that decides or differs; empty: neither. */
export function serviceSentence({ word, service }: DeviceRow['firmware']): string {
  if (service === undefined) return ''
  const behind = word === 'behind' || word === 'revoked'
  return text(
    `devices.firmware.service.${service}.${behind === (service === 'decides') ? 'behind' : 'current'}`,
  )
}

const label = (key: string): string => text(`devices.facts.${key}`)

/** Everything the record says of a device, with the age of what was observed. What was not sent is shown as not known, never guessed. */
export function factsOf(device: Device): readonly FactGroup[] {
  const at = device.observedAt
  const { computer, client, room } = device
  const moment = (value: number | null): string | null => (value === null ? null : formatMoment(value))
  const onOff = client?.autoUpdate == null ? null : label(client.autoUpdate ? 'autoOn' : 'autoOff')
  return [
    {
      key: 'state',
      facts: [
        { key: 'status', label: label('status'), value: wordOfStatus(device.status), at },
        {
          key: 'lastSeen',
          label: label('lastSeen'),
          value: moment(device.lastSeenAt),
          at: device.lastSeenAt,
        },
        {
          key: 'firmware',
          label: label('firmware'),
          value: device.firmwareVersion,
          at: device.firmwareReadAt ?? at,
        },
        { key: 'serial', label: label('serial'), value: device.serialNumber, at },
        {
          key: 'room',
          label: label('room'),
          value: room && (room.name ?? room.id),
          at,
          none: label('noRoom'),
        },
        { key: 'location', label: label('location'), value: room?.location ?? null, at },
      ],
    },
    {
      key: 'computer',
      facts: [
        { key: 'user', label: label('user'), value: computer?.userName ?? null, at },
        { key: 'computer', label: label('computer'), value: computer?.name ?? null, at },
        { key: 'system', label: label('system'), value: computer?.operatingSystem ?? null, at },
        { key: 'ip', label: label('ip'), value: computer?.ipAddress ?? null, at, mono: true },
        { key: 'mac', label: label('mac'), value: computer?.macAddress ?? null, at, mono: true },
      ],
    },
    {
      key: 'client',
      facts: [
        { key: 'client', label: label('client'), value: client?.name ?? client?.client ?? null, at },
        { key: 'clientVersion', label: label('clientVersion'), value: client?.version ?? null, at },
        {
          key: 'clientType',
          label: label('clientType'),
          value: device.clientType === null ? null : wordOfClientType(device.clientType),
          at,
        },
        { key: 'clientUpdate', label: label('clientUpdate'), value: onOff, at },
      ],
    },
    {
      key: 'identity',
      facts: [
        { key: 'product', label: label('product'), value: device.productName, at },
        {
          key: 'productId',
          label: label('productId'),
          value: device.productId === null ? null : `${formatHex(device.productId)} · ${device.productId}`,
          copy: device.productId === null ? false : formatHex(device.productId),
          at,
        },
        { key: 'variant', label: label('variant'), value: device.variantType, at },
        { key: 'added', label: label('added'), value: moment(device.addedAt), at },
        { key: 'groupId', label: label('groupId'), value: device.groupId, mono: true, at },
        { key: 'deviceId', label: label('deviceId'), value: device.id, mono: true, at },
      ],
    },
  ]
}

/**
 * What is published of the product besides firmware. An address is https; what the content document does not name is said to be not
 * published, and what could not be read is said to be not known.
 */
export function productFactsOf(content: ReleaseNotes | null): readonly Fact[] {
  const at = content?.observedAt ?? null
  const none = content === null ? label('notRead') : label('notPublished')
  const support = content?.record?.links.find((one) => one.kind === 'support' && one.offered) ?? null
  return [{ key: 'support', label: label('support'), value: support?.url ?? null, none, at }]
}

/** All of it as text, a line each, for a ticket. */
export const factsAsText = (facts: readonly Fact[]): string =>
  facts
    .flatMap(({ label: name, value, copy }) =>
      value === null ? [] : [`${name}: ${typeof copy === 'string' ? copy : value}`],
    )
    .join('\n')
