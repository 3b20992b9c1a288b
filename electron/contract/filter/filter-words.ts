import type { FilterKey, FilterKind, FilterVocabulary } from './filter.ts'

const key = (
  name: string,
  kind: FilterKind,
  more: Partial<Omit<FilterKey, 'key' | 'kind'>> = {},
): FilterKey => ({
  key: name,
  kind,
  aliases: [],
  choices: [],
  mayBeMissing: true,
  ...more,
})

export const firmwareStandingWords = ['current', 'behind', 'ahead', 'revoked', 'unknown'] as const
/** The service's word decides for want of a catalogue, or says otherwise than the catalogue. */
export const firmwareServiceWords = ['by-service', 'contradicted'] as const
const statusWords = ['online', 'offline', 'rebooting', 'unknown']
/** The filter of the device list (specification, part 2); `Personal` is observed. */
export const clientTypeWords = ['MeetingRoom', 'Personal'] as const
const goneWords = ['no', 'yes', 'any']

/** What lists of devices are filtered by. Where nothing is said of `gone`, devices that are gone are left out. */
export const deviceVocabulary: FilterVocabulary = [
  key('status', 'word', { choices: statusWords, mayBeMissing: false }),
  key('fw', 'version', {
    aliases: ['firmware'],
    choices: [...firmwareStandingWords, ...firmwareServiceWords],
  }),
  /** Time since the device was last seen by its service. */
  key('age', 'age', { aliases: ['seen', 'last-seen'] }),
  key('room', 'text'),
  key('location', 'text'),
  key('product', 'text'),
  key('pid', 'product-id', { aliases: ['product-id'] }),
  key('variant', 'text'),
  key('name', 'text', { mayBeMissing: false }),
  key('serial', 'text'),
  key('user', 'text'),
  key('computer', 'text', { aliases: ['pc'] }),
  key('os', 'text'),
  key('ip', 'text'),
  key('mac', 'text'),
  key('client', 'text'),
  key('client-version', 'version'),
  key('client-type', 'word', { aliases: ['type'], choices: clientTypeWords }),
  key('group', 'word', { aliases: ['group-id'] }),
  key('id', 'word', { mayBeMissing: false }),
  key('tag', 'word', { aliases: ['tags'] }),
  key('list', 'word', { mayBeMissing: false }),
  key('added', 'age'),
  /** Time since the record was read. */
  key('read', 'age', { mayBeMissing: false }),
  key('gone', 'choice', { choices: goneWords, mayBeMissing: false }),
]

export const roomHealthWords = ['ok', 'trouble', 'down', 'unknown'] as const

export const roomVocabulary: FilterVocabulary = [
  key('name', 'text'),
  key('location', 'text'),
  key('type', 'text'),
  key('status', 'word', { choices: ['connected', 'disconnected', 'unknown'], mayBeMissing: false }),
  key('health', 'choice', { choices: roomHealthWords, mayBeMissing: false }),
  key('fw', 'choice', { aliases: ['firmware'], choices: firmwareStandingWords, mayBeMissing: false }),
  key('seats', 'number'),
  key('devices', 'number'),
  key('online', 'number'),
  key('offline', 'number'),
  key('age', 'age', { aliases: ['seen', 'last-seen'] }),
  key('read', 'age', { mayBeMissing: false }),
  key('group', 'word', { aliases: ['group-id'] }),
  key('id', 'word', { mayBeMissing: false }),
  key('gone', 'choice', { choices: goneWords, mayBeMissing: false }),
]

export const changeKindWords = [
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

export const changeVocabulary: FilterVocabulary = [
  key('kind', 'choice', { choices: changeKindWords, mayBeMissing: false }),
  key('of', 'choice', { choices: ['device', 'room'], mayBeMissing: false }),
  key('name', 'text', { mayBeMissing: false }),
  key('product', 'text'),
  key('room', 'text'),
  key('before', 'text'),
  key('after', 'text'),
  key('tag', 'word', { aliases: ['tags'] }),
  key('id', 'word', { mayBeMissing: false }),
  key('age', 'age', { mayBeMissing: false }),
]

/** `not-sent`: it never left; `unknown`: the program ended before it knew, or it is at it now. */
export const journalOutcomeWords = ['accepted', 'refused', 'not-sent', 'unconfirmed', 'unknown'] as const
/** Operations that write have a short word beside their name in the specification. */
export const journalOperationWords = {
  reboot: 'RebootRoom',
  settings: 'UpdateDeviceSettings',
  firmware: 'UpdateDeviceFirmware',
} as const

/** What the journal is filtered by. */
export const journalVocabulary: FilterVocabulary = [
  key('outcome', 'choice', { choices: journalOutcomeWords, mayBeMissing: false }),
  key('operation', 'word', {
    aliases: ['what'],
    choices: Object.keys(journalOperationWords),
    mayBeMissing: false,
  }),
  key('of', 'choice', { choices: ['device', 'room', 'organization'], mayBeMissing: false }),
  key('name', 'text'),
  key('who', 'text', { mayBeMissing: false }),
  key('age', 'age', { mayBeMissing: false }),
  key('before', 'text'),
  key('after', 'text'),
  key('status', 'number'),
  key('message', 'text'),
  key('devices', 'number', { mayBeMissing: false }),
  /** The room or device it was for, or any device it took down. */
  key('id', 'word', { mayBeMissing: false }),
  /** `""`: single writes. */
  key('job', 'word'),
  key('line', 'number', { mayBeMissing: false }),
]

export const vocabularies = {
  devices: deviceVocabulary,
  rooms: roomVocabulary,
  changes: changeVocabulary,
  journal: journalVocabulary,
} as const
