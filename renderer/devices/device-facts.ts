import type { ClientType, Device, DeviceRow } from '../../electron/contract/api/devices.ts'
import type { ReleaseNotes } from '../../electron/contract/api/release-notes.ts'
import { text } from '../locales/i18n.ts'
import { formatHex, formatMoment } from '../components/format.ts'
import type { Fact } from '../components/fact.ts'

export interface FactGroup {
  readonly key: 'room' | 'user' | 'identity' | 'client'
  readonly facts: readonly Fact[]
}

/** The specified values in the user's language; any other as received. */
export const wordOfClientType = (type: ClientType): string =>
  type === 'MeetingRoom' || type === 'Personal' ? text(`devices.clientType.${type}`) : type

/** The service's own firmware status, if it decides or differs; empty: neither. */
export function serviceSentence({ word, service }: DeviceRow['firmware']): string {
  if (service === undefined) return ''
  const behind = word === 'behind' || word === 'revoked'
  return text(
    `devices.firmware.service.${service}.${behind === (service === 'decides') ? 'behind' : 'current'}`,
  )
}

const label = (key: string): string => text(`devices.facts.${key}`)

const moment = (value: number | null): string | null => (value === null ? null : formatMoment(value))
const fact = (key: string, value: string | null, more: Partial<Fact> = {}): Fact => ({
  key,
  label: label(key),
  value,
  ...more,
})

/**
 * The facts in the record of a device, without those above them: product and serial number. They have the age of the record, except facts with their own age.
 * Missing values are shown as unknown, never guessed.
 */
export function factsOf(device: Device): readonly FactGroup[] {
  const { computer, client, room } = device
  const onOff = client?.autoUpdate == null ? null : label(client.autoUpdate ? 'autoOn' : 'autoOff')
  return [
    {
      key: room === null ? 'user' : 'room',
      facts: [
        fact('room', room && (room.name ?? room.id)),
        ...(room === null ? [] : [fact('location', room.location)]),
        fact('user', computer?.userName ?? null),
        fact('computer', computer?.name ?? null),
        fact('system', computer?.operatingSystem ?? null),
        fact('ip', computer?.ipAddress ?? null, { mono: true }),
        fact('mac', computer?.macAddress ?? null, { mono: true }),
      ],
    },
    {
      key: 'identity',
      facts: [
        fact(
          'firmware',
          device.firmwareVersion,
          device.firmwareReadAt === null ? {} : { at: device.firmwareReadAt },
        ),
        fact('variant', device.variantType),
        fact('lastSeen', moment(device.lastSeenAt), { at: device.lastSeenAt }),
        fact('added', moment(device.addedAt)),
      ],
    },
    {
      key: 'client',
      facts: [
        fact('client', client?.name ?? client?.client ?? null),
        fact('clientVersion', client?.version ?? null),
        fact('clientType', device.clientType === null ? null : wordOfClientType(device.clientType)),
        fact('clientUpdate', onOff),
      ],
    },
  ]
}

/** Ids come last, because they are rarely needed. */
export const advancedFactsOf = ({ productId, groupId, id }: Device): readonly Fact[] => [
  fact('productId', productId === null ? null : `${formatHex(productId)} · ${productId}`, {
    copy: productId === null ? false : formatHex(productId),
  }),
  fact('groupId', groupId, { mono: true }),
  fact('deviceId', id, { mono: true }),
]

/**
 * Published data of the product other than firmware. Addresses are https. What the content document does not
 * contain is shown as not published; what could not be read is shown as unknown.
 */
export function productFactsOf(content: ReleaseNotes | null): readonly Fact[] {
  const at = content?.observedAt ?? null
  const none = content === null ? label('notRead') : label('notPublished')
  const support = content?.record?.links.find((one) => one.kind === 'support' && one.offered) ?? null
  return [{ key: 'support', label: label('support'), value: support?.url ?? null, none, at }]
}

/** All facts as text, one line each, for a ticket. */
export const factsAsText = (facts: readonly Fact[]): string =>
  facts
    .flatMap(({ label: name, value, copy }) =>
      value === null ? [] : [`${name}: ${typeof copy === 'string' ? copy : value}`],
    )
    .join('\n')
