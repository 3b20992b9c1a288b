import { keysWith, type Field, type KeysWith } from './field.ts'

export const complianceValues = ['current', 'behind', 'ahead', 'revoked', 'unknown'] as const
/**
 * The service's own verdict is used because there is no catalogue entry, or it disagrees with the catalogue.
 */
export const firmwareServiceValues = ['by-service', 'contradicted'] as const
/** Whether a device runs exactly the version approved for it; `expired`: the approval has ended, so neither. */
export const approvedValues = ['yes', 'no', 'none', 'expired'] as const
export type ApprovedValue = (typeof approvedValues)[number]
/** The filter of the device list (services.md#B34, services.md#B22). */
export const clientTypeValues = ['MeetingRoom', 'Personal'] as const
export const goneValues = ['no', 'yes', 'any'] as const

/** In the order of exported files. A filter without `gone` excludes gone devices. */
// prettier-ignore
export const deviceFields = [
  /** Its room or user, else its name (device-name.ts). */
  { key: 'userOrRoom', type: 'text', sort: 'natural', label: 'User or room', cell: 'name',
    filter: { key: 'who', kind: 'text', always: true, example: 'who:lund' } },
  { key: 'name', type: 'text', stored: true, sort: 'natural', label: 'Name', cell: 'text',
    filter: { key: 'name', kind: 'text', always: true, example: 'name:reception' } },
  { key: 'productName', type: 'text', stored: true, sort: 'text', group: true, label: 'Product', cell: 'text',
    filter: { key: 'product', kind: 'text', example: 'product:"Evolve2 65"' } },
  { key: 'serialNumber', type: 'text', stored: true, sort: 'natural', label: 'Serial number', cell: 'figures',
    filter: { key: 'serial', kind: 'text', example: 'serial:00A1D4F' } },
  { key: 'firmwareVersion', type: 'version', stored: true, sort: 'version', group: true, label: 'Firmware', cell: 'figures',
    filter: { key: 'fw', kind: 'version', aliases: ['firmware'],
      choices: [...complianceValues, ...firmwareServiceValues], example: 'fw:<2.1' } },
  { key: 'firmware', type: 'text', sort: 'rank', label: 'Compliance', cell: 'compliance' },
  { key: 'firmwareService', type: 'text', sort: 'rank', label: 'Compliance by' },
  { key: 'behindBy', type: 'number', sort: 'number', label: 'Releases behind' },
  { key: 'latestVersion', type: 'version', label: 'Latest firmware' },
  { key: 'approved', type: 'text', sort: 'text', label: 'Runs the approved version', cell: 'text',
    filter: { key: 'approved', kind: 'choice', always: true, choices: approvedValues, example: 'approved:no' } },
  { key: 'approvedVersion', type: 'version', label: 'Approved firmware' },
  { key: 'status', type: 'text', stored: true, sort: 'text', group: true, label: 'Status', cell: 'status',
    filter: { key: 'status', kind: 'word', always: true,
      choices: ['online', 'offline', 'rebooting', 'unknown'], example: 'status:offline' } },
  /** When its service last saw it. */
  { key: 'lastSeenAt', type: 'time', stored: true, sort: 'number', label: 'Last seen', cell: 'age',
    filter: { key: 'age', kind: 'age', aliases: ['seen', 'last-seen'], example: 'age:>7d' } },
  { key: 'roomName', type: 'text', sort: 'natural', group: true, label: 'Room', cell: 'text',
    filter: { key: 'room', kind: 'text', example: 'room:"Aarhus Fjord 1"' } },
  { key: 'location', type: 'text', sort: 'natural', group: true, label: 'Location', cell: 'text',
    filter: { key: 'location', kind: 'text', example: 'location:Berlin' } },
  { key: 'userName', type: 'text', stored: true, sort: 'natural', label: 'User', cell: 'text',
    filter: { key: 'user', kind: 'text', example: 'user:lund' } },
  { key: 'computerName', type: 'text', stored: true, sort: 'natural', label: 'Computer', cell: 'figures',
    filter: { key: 'computer', kind: 'text', aliases: ['pc'], example: 'computer:PC-4471' } },
  { key: 'operatingSystem', type: 'text', stored: true, sort: 'text', label: 'Operating system', cell: 'text',
    filter: { key: 'os', kind: 'text', example: 'os:"Windows 11"' } },
  { key: 'ipAddress', type: 'text', stored: true, sort: 'address', label: 'IP address', cell: 'figures',
    filter: { key: 'ip', kind: 'text', example: 'ip:10.4.12' } },
  { key: 'macAddress', type: 'text', stored: true, sort: 'mac', label: 'MAC address', cell: 'figures',
    filter: { key: 'mac', kind: 'text', example: 'mac:AA:BB:CC' } },
  { key: 'clientName', type: 'text', stored: true, sort: 'text', label: 'Client', cell: 'text',
    filter: { key: 'client', kind: 'text', example: 'client:Direct' } },
  { key: 'clientVersion', type: 'version', stored: true, sort: 'version', label: 'Client version', cell: 'figures',
    filter: { key: 'client-version', kind: 'version', example: 'client-version:<6.14' } },
  { key: 'clientType', type: 'text', stored: true, sort: 'text', label: 'Client type', cell: 'text',
    filter: { key: 'client-type', kind: 'word', aliases: ['type'],
      choices: clientTypeValues, example: 'client-type:MeetingRoom' } },
  { key: 'groupId', type: 'text', stored: true, sort: 'text', label: 'Group id', cell: 'code',
    filter: { key: 'group', kind: 'word', aliases: ['group-id'], example: 'group:""' } },
  { key: 'productId', type: 'number', stored: true, sort: 'number', label: 'Product id', cell: 'figures',
    filter: { key: 'pid', kind: 'product-id', aliases: ['product-id'], example: 'pid:0x24B3' } },
  { key: 'variantType', type: 'text', stored: true, sort: 'text', label: 'Variant', cell: 'figures',
    filter: { key: 'variant', kind: 'text', example: 'variant:01-64' } },
  { key: 'addedAt', type: 'time', stored: true, sort: 'number', label: 'Added', cell: 'age',
    filter: { key: 'added', kind: 'age', example: 'added:<30d' } },
  { key: 'tags', type: 'texts', sort: 'text', label: 'Tags', cell: 'tags',
    filter: { key: 'tag', kind: 'word', aliases: ['tags'], example: 'tag:spare' } },
  { key: 'note', type: 'text', sort: 'text', label: 'Note', cell: 'text',
    filter: { key: 'note', kind: 'text', example: 'note:loan' } },
  { key: 'lists', type: 'texts',
    filter: { key: 'list', kind: 'word', always: true, example: 'list:"Berlin move"' } },
  { key: 'id', type: 'text', stored: true, sort: 'text', label: 'Device id', cell: 'code',
    filter: { key: 'id', kind: 'word', always: true, example: 'id:D9ECD629' } },
  /** When the record was read. */
  { key: 'observedAt', type: 'time', sort: 'number', label: 'Read at', cell: 'age',
    filter: { key: 'read', kind: 'age', always: true, example: 'read:>24h' } },
  { key: 'goneAt', type: 'time', sort: 'number', label: 'Gone since',
    filter: { key: 'gone', kind: 'choice', always: true, choices: goneValues, example: 'gone:yes' } },
  /** When the device itself reported its version, if that is newer than its record. */
  { key: 'firmwareReadAt', type: 'time', label: 'Firmware reported at' },
] as const satisfies readonly Field[]

export const deviceSortColumns = keysWith(deviceFields, 'sort')
export type DeviceSortColumn = KeysWith<typeof deviceFields, 'sort'>

export const deviceGroupColumns = keysWith(deviceFields, 'group')
export type DeviceGroupColumn = KeysWith<typeof deviceFields, 'group'>
