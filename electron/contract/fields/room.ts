import { complianceValues, goneValues } from './device.ts'
import { keysWith, type Field, type KeysWith } from './field.ts'

export const roomHealths = ['ok', 'trouble', 'down', 'unknown'] as const

/** Why a room is in trouble, as a filter of rooms: each room is found by one of them. */
export const roomTroubles = {
  offline: 'health:trouble offline:>=1',
  revoked: 'health:trouble !offline:>=1 fw:revoked',
  disconnected: 'health:trouble !offline:>=1 !fw:revoked status:disconnected',
  fault: 'health:trouble !offline:>=1 !fw:revoked !status:disconnected',
} as const

/** In the order of exported files. A filter without `gone` excludes gone rooms. */
// prettier-ignore
export const roomFields = [
  { key: 'name', type: 'text', sort: 'natural', label: 'Name', cell: 'name',
    filter: { key: 'name', kind: 'text', example: 'name:fjord' } },
  { key: 'location', type: 'text', sort: 'natural', group: true, label: 'Location', cell: 'text',
    filter: { key: 'location', kind: 'text', example: 'location:Oslo' } },
  { key: 'site', type: 'text', sort: 'natural', group: true, label: 'Site', cell: 'text',
    filter: { key: 'site', kind: 'text', example: 'site:Oslo' } },
  { key: 'note', type: 'text', sort: 'text', label: 'Note', cell: 'text',
    filter: { key: 'note', kind: 'text', example: 'note:projector' } },
  { key: 'type', type: 'text', sort: 'natural', group: true, label: 'Type', cell: 'text',
    filter: { key: 'type', kind: 'text', example: 'type:"Zoom Rooms"' } },
  { key: 'seatCount', type: 'number', sort: 'number', label: 'Seats', cell: 'figures',
    filter: { key: 'seats', kind: 'number', example: 'seats:>=8' } },
  { key: 'status', type: 'text', sort: 'text', group: true, label: 'Status', cell: 'status',
    filter: { key: 'status', kind: 'word', always: true,
      choices: ['connected', 'disconnected', 'unknown'], example: 'status:disconnected' } },
  { key: 'health', type: 'text', sort: 'rank', group: true, label: 'Health', cell: 'health',
    filter: { key: 'health', kind: 'choice', always: true,
      choices: roomHealths, example: 'health:trouble,down' } },
  { key: 'why', type: 'text', label: 'Why' },
  { key: 'offlineSinceAt', type: 'time', sort: 'number', label: 'Offline since', cell: 'age',
    filter: { key: 'for', kind: 'age', example: 'for:>1d' } },
  { key: 'deviceCount', type: 'number', sort: 'number', label: 'Devices', cell: 'figures',
    filter: { key: 'devices', kind: 'number', example: 'devices:0' } },
  { key: 'onlineCount', type: 'number', sort: 'number', label: 'Devices online',
    filter: { key: 'online', kind: 'number', example: 'online:0' } },
  { key: 'offlineCount', type: 'number', sort: 'number', filter: { key: 'offline', kind: 'number', example: 'offline:>1' } },
  { key: 'unknownCount', type: 'number', sort: 'number', label: 'Devices of unknown status' },
  { key: 'notOnline', type: 'texts', label: 'Devices not online' },
  { key: 'worstFirmware', type: 'text', sort: 'rank', label: 'Worst firmware', cell: 'compliance',
    filter: { key: 'fw', kind: 'choice', always: true, aliases: ['firmware'],
      choices: complianceValues, example: 'fw:behind,revoked' } },
  { key: 'behindCount', type: 'number', sort: 'number', label: 'Devices behind' },
  { key: 'byServiceCount', type: 'number', sort: 'number', label: 'Devices rated by the service' },
  { key: 'contradictedCount', type: 'number', sort: 'number', label: 'Devices disputed by the service' },
  { key: 'lastSeenAt', type: 'time', sort: 'number', label: 'Last activity', cell: 'age',
    filter: { key: 'age', kind: 'age', aliases: ['seen', 'last-seen'], example: 'age:>7d' } },
  { key: 'id', type: 'text', sort: 'text', label: 'Room id',
    filter: { key: 'id', kind: 'word', always: true, example: 'id:room-1' } },
  { key: 'groupIds', type: 'texts', sort: 'text', label: 'Group ids',
    filter: { key: 'group', kind: 'word', aliases: ['group-id'], example: 'group:group-1' } },
  { key: 'observedAt', type: 'time', sort: 'number', label: 'Read at', cell: 'age',
    filter: { key: 'read', kind: 'age', always: true, example: 'read:>24h' } },
  { key: 'goneAt', type: 'time', sort: 'number', label: 'Gone since',
    filter: { key: 'gone', kind: 'choice', always: true, choices: goneValues, example: 'gone:yes' } },
] as const satisfies readonly Field[]

export const roomSortColumns = keysWith(roomFields, 'sort')
export type RoomColumn = KeysWith<typeof roomFields, 'sort'>

export const roomGroupColumns = keysWith(roomFields, 'group')
export type RoomGroupColumn = KeysWith<typeof roomFields, 'group'>
