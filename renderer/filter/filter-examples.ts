import { listNames, type ListName } from '../../electron/contract/view.ts'
import type { FilterKey, FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { vocabularies } from '../../electron/contract/filter/filter-words.ts'

/** One example for every key: the language itself, so no text of a locale. A test fails when one is missing or cannot be read. */
export const filterExamples: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  devices: {
    status: 'status:offline',
    fw: 'fw:<2.1',
    age: 'age:>7d',
    room: 'room:"Aarhus Fjord 1"',
    location: 'location:Berlin',
    product: 'product:"Evolve2 65"',
    pid: 'pid:0x24B3',
    variant: 'variant:01-64',
    name: 'name:reception',
    serial: 'serial:00A1D4F',
    user: 'user:lund',
    computer: 'computer:PC-4471',
    os: 'os:"Windows 11"',
    ip: 'ip:10.4.12',
    mac: 'mac:AA:BB:CC',
    client: 'client:Direct',
    'client-version': 'client-version:<6.14',
    group: 'group:""',
    id: 'id:D9ECD629',
    tag: 'tag:spare',
    list: 'list:"Berlin move"',
    added: 'added:<30d',
    read: 'read:>24h',
    gone: 'gone:yes',
  },
  rooms: {
    name: 'name:fjord',
    location: 'location:Oslo',
    type: 'type:"Zoom Rooms"',
    status: 'status:disconnected',
    health: 'health:trouble,down',
    fw: 'fw:behind,revoked',
    seats: 'seats:>=8',
    devices: 'devices:0',
    online: 'online:0',
    offline: 'offline:>1',
    age: 'age:>7d',
    read: 'read:>24h',
    group: 'group:group-1',
    id: 'id:room-1',
    gone: 'gone:yes',
  },
  changes: {
    kind: 'kind:went-offline,gone',
    of: 'of:room',
    name: 'name:reception',
    product: 'product:PanaCast',
    room: 'room:Oslo',
    before: 'before:2.7.0',
    after: 'after:2.9.2',
    tag: 'tag:spare',
    id: 'id:D9ECD629',
    age: 'age:<24h',
  },
  journal: {
    outcome: 'outcome:unconfirmed,unknown',
    operation: 'operation:reboot',
    of: 'of:room',
    name: 'name:fjord',
    who: 'who:lund',
    age: 'age:<24h',
    before: 'before:sidetone',
    after: 'after:"zoom=on"',
    status: 'status:>=400',
    message: 'message:"being updated"',
    devices: 'devices:>4',
    id: 'id:D9ECD629',
    job: 'job:""',
    line: 'line:400',
  },
}

/** Which list a vocabulary is of: keys of the same name are explained differently. */
export const listOf = (vocabulary: FilterVocabulary): ListName =>
  listNames.find((name) => vocabularies[name] === vocabulary) ?? 'devices'

export const exampleFor = (list: ListName, key: FilterKey): string =>
  filterExamples[list][key.key] ?? `${key.key}:""`

/** Ages worth choosing from. */
export const ageExamples = ['>1h', '>24h', '>7d', '>30d', '<1h', '<24h', '<7d', '<30d'] as const
export const numberExamples = ['0', '>0', '>1', '>=4', '<10'] as const
