import { keysWith, type Field, type KeysWith } from './field.ts'

export const changeKinds = [
  'appeared',
  'gone',
  'came-back',
  'went-offline',
  'back-online',
  'rebooted',
  'firmware-changed',
  'moved-room',
  'renamed',
  'status-changed',
  'setting-changed',
] as const

/** By whom: `yes` means that it followed our own write. */
export const ownValues = ['no', 'yes'] as const

/** In the order of exported files. Product, serial number, user, room and tags are the current ones. */
// prettier-ignore
export const changeFields = [
  { key: 'observedAt', type: 'time', sort: 'number', label: 'Seen at', cell: 'age',
    filter: { key: 'age', kind: 'age', always: true, example: 'age:<24h' } },
  { key: 'of', type: 'text', sort: 'text', label: 'Of',
    filter: { key: 'of', kind: 'choice', always: true, choices: ['device', 'room'], example: 'of:room' } },
  { key: 'kind', type: 'text', sort: 'rank', label: 'Change', cell: 'kind',
    filter: { key: 'kind', kind: 'choice', always: true,
      choices: changeKinds, example: 'kind:went-offline,gone' } },
  { key: 'subjectName', type: 'text', sort: 'natural', label: 'Name', cell: 'name',
    filter: { key: 'name', kind: 'text', always: true, example: 'name:reception' } },
  { key: 'before', type: 'text', sort: 'text', label: 'Before',
    filter: { key: 'before', kind: 'text', example: 'before:2.7.0' } },
  { key: 'after', type: 'text', sort: 'text', label: 'After',
    filter: { key: 'after', kind: 'text', example: 'after:2.9.2' } },
  { key: 'productName', type: 'text', sort: 'text', label: 'Product', cell: 'text',
    filter: { key: 'product', kind: 'text', example: 'product:PanaCast' } },
  { key: 'serialNumber', type: 'text', sort: 'natural', label: 'Serial number' },
  { key: 'userName', type: 'text', sort: 'natural', label: 'User' },
  { key: 'roomName', type: 'text', sort: 'natural', label: 'Room',
    filter: { key: 'room', kind: 'text', example: 'room:Oslo' } },
  { key: 'tags', type: 'texts',
    filter: { key: 'tag', kind: 'word', aliases: ['tags'], example: 'tag:spare' } },
  { key: 'own', type: 'flag', label: 'After own write',
    filter: { key: 'own', kind: 'choice', always: true, choices: ownValues, example: 'own:no' } },
  { key: 'subjectId', type: 'text', sort: 'text', label: 'Id',
    filter: { key: 'id', kind: 'word', always: true, example: 'id:D9ECD629' } },
] as const satisfies readonly Field[]

export const changeSortColumns = keysWith(changeFields, 'sort')
export type ChangeSortColumn = KeysWith<typeof changeFields, 'sort'>
