import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guard, type ArgumentOf, type CallChannel } from '../../electron/contract/arguments.ts'
import { callChannels } from '../../electron/contract/wire.ts'
import { deviceSortColumns } from '../../electron/contract/device.ts'
import { assumedWords } from '../../electron/contract/organization.ts'
import { observedTemplates } from '../../electron/contract/template.ts'

const draft = {
  name: 'Aarhus',
  preset: 'custom',
  managementUrl: 'https://management.example',
  metadataUrl: 'https://metadata.example',
  managementVersion: 2,
  metadataVersion: 18,
  family: 'Brand SDK V4',
  vendorId: 2830,
  definitionCeiling: null,
  templates: observedTemplates,
  rebootBy: 'group-id',
  assumed: assumedWords,
} as const
const where = 'status:offline fw:<2.1 room:"Aarhus 3"'
const sort = [
  { column: 'lastSeenAt', descending: true },
  { column: 'name', descending: false },
] as const
const roomSort = [{ column: 'health', descending: false }] as const
const selection = { kind: 'matching', where, except: ['a'] } as const
const product = { vendorId: 2830, productId: 9395 }

/** One good argument for every call of the table; a call without one does not compile. */
const good: { readonly [C in CallChannel]: ArgumentOf<C> } = {
  'app.about': undefined,
  'app.standing': undefined,
  'app.preferences': undefined,
  'app.setPreferences': { theme: 'dark' },
  'app.openOutside': { url: 'https://support.example/page?x=1#y' },
  'app.copy': { text: 'https://firmware.example/file.zip' },
  'organizations.list': undefined,
  'organizations.add': draft,
  'organizations.update': { id: 'a', draft },
  'organizations.use': { id: 'a' },
  'organizations.remove': { id: 'a' },
  'organizations.setKey': { id: 'a', slot: 'primary', key: ' pasted \n' },
  'organizations.checkKey': { id: 'a', slot: 'secondary' },
  'organizations.forgetKey': { id: 'a', slot: 'primary' },
  'organizations.useKey': { id: 'a', slot: 'secondary' },
  'organizations.keyRegenerated': { id: 'a', slot: 'primary' },
  'sync.run': undefined,
  'sync.cancel': undefined,
  'sync.unreadable': undefined,
  'devices.window': { where, sort, start: 99_900, count: 500 },
  'devices.facets': { where },
  'devices.position': { where, sort, id: 'a' },
  'devices.suggest': { key: 'room', typed: 'aar' },
  'devices.selected': { selection },
  'devices.get': { id: 'D'.padEnd(41, '0') },
  'devices.history': { id: 'a' },
  'devices.settings': { id: 'a', refresh: true },
  'devices.settingsOver': { selection: { kind: 'picked', ids: ['D1'] } },
  'goldenProfiles.list': undefined,
  'goldenProfiles.get': { id: 'a' },
  'goldenProfiles.devices': { id: 'a', state: 'drifted', setting: null, start: 0, count: 100 },
  'goldenProfiles.deviceIds': { id: 'a', state: null, setting: 'videoStiching' },
  'goldenProfiles.save': { id: null, name: 'Rooms', productId: 12306, variantType: null, settings: [{ name: 'volume', value: 3, locked: true }] },
  'goldenProfiles.remove': { id: 'a' },
  'goldenProfiles.notAllowed': { start: 0, count: 100 },
  'rooms.list': { where: 'health:trouble', sort: roomSort, start: 0, count: 100 },
  'rooms.get': { id: 'a' },
  'rooms.history': { id: 'a' },
  'rooms.position': { where: '', sort: roomSort, id: 'a' },
  'rooms.suggest': { key: 'location', typed: '' },
  'rooms.refresh': { id: 'a' },
  'rooms.rebootPlan': { id: 'a' },
  'rooms.reboot': { id: 'a', unlock: true, wait: false },
  'changes.groups': { where: 'kind:gone', since: 'looked' },
  'changes.window': { where: '', since: 1_763_700_000_000, group: '["2026-11-21"]', start: 0, count: 100 },
  'changes.look': { at: null },
  'overview.get': undefined,
  'tags.list': undefined,
  'tags.change': { selection: { kind: 'picked', ids: ['a', 'b'] }, add: ['Spare'], remove: [] },
  'tags.rename': { from: 'Spare', to: 'Reserve' },
  'tags.remove': { name: 'Spare' },
  'tags.undo': { undo: 'u1' },
  'lists.list': undefined,
  'lists.paste': { text: 'ABC123\n00-1A-2B-3C-4D-5E', keep: true, name: null },
  'lists.remove': { name: 'Desk 4' },
  'views.list': { list: 'devices' },
  'views.save': { list: 'devices', name: 'Offline rooms', where, sort, columns: ['name', 'tags'] },
  'views.rename': { id: 3, name: 'Rooms to visit' },
  'views.remove': { id: 3 },
  'exports.start': {
    subject: { of: 'devices', selection, sort },
    format: 'csv',
    columns: null,
    delimiter: ';',
    timeZone: 'Europe/Copenhagen',
    viewName: null,
  },
  'exports.list': undefined,
  'exports.cancel': { id: 'a' },
  'exports.show': { id: 'a' },
  'connections.list': undefined,
  'firmware.products': { text: '0x24B3', owned: false, start: 0, count: 50 },
  'firmware.releases': product,
  'firmware.buildTypes': undefined,
  'firmware.link': { ...product, version: '4.2.0.21', buildType: 'Release', refresh: false },
  'firmware.standing': { deviceId: 'a' },
  'releaseNotes.get': product,
  'definitions.inUse': { refresh: true },
  'definitions.read': { ...product, variantType: '01-3F', firmwareVersion: '1.10.0' },
  'writes.lock': undefined,
  'writes.lockNow': undefined,
  'jobs.plan': {
    work: { kind: 'change-settings', selection, changes: [{ name: 'videoStiching', value: 'modern' }] },
    startAt: null,
    window: { from: 1_320, to: 300 },
    keepTrying: false,
    canary: false,
  },
  'jobs.planned': { plan: 'p1', start: 0, count: 100 },
  'jobs.start': { plan: 'p1', unlock: true, typed: 72 },
  'jobs.list': { start: 0, count: 50 },
  'jobs.get': { id: 'j1' },
  'jobs.items': { id: 'j1', show: 'open', start: 0, count: 100 },
  'jobs.pause': { id: 'j1' },
  'jobs.resume': { id: 'j1', unlock: false },
  'jobs.cancel': { id: 'j1' },
  'jobs.retry': { id: 'j1' },
  'jobs.check': { item: 7 },
  'webhooks.read': { text: '{}' },
  'webhooks.validate': { text: '{}' },
  'webhooks.check': { schema: '{}', payload: '{}' },
  'webhooks.steps': { done: ['name', 'address'] },
  'journal.list': { where: '', subjectId: null, start: 0, count: 100 },
  'explorer.operations': undefined,
  'explorer.run': { operation: 'GetRoom', parameters: { groupId: 'a b/c' }, unlock: false },
  'explorer.examples': undefined,
  'explorer.saveExample': { name: 'First page', operation: 'ListDevices', parameters: { pageSize: '1' } },
  'explorer.removeExample': { id: 7 },
  'explorer.history': undefined,
  'metadata.telemetry': { refresh: false },
  'metadata.recovery': { text: '0x24B9' },
  'metadata.versions': { refresh: true },
  'metadata.cacheSize': undefined,
  'metadata.clearCache': undefined,
}
const channels = callChannels as readonly CallChannel[]

test('every call of the table has a guard, and no other channel passes one', () => {
  expect(Object.keys(good).sort()).toEqual([...channels].sort())
  for (const channel of ['devices.changed', 'devices.drop', 'toString', '__proto__', 'constructor', '']) {
    expect(guard(channel, undefined)).toEqual({ ok: false, failure: { kind: 'invalid', field: 'channel', message: 'There is no such call.' } })
  }
})

const sentinel = 'sentinel-key-0123456789'
const anything = fc.anything()
/** What may be sent on any channel: generated once, and asked of each. */
const shapes: readonly unknown[] = fc.sample(
  fc.oneof(
    fc.anything({ maxDepth: 2, withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
    fc.anything({
      values: [fc.string(), fc.constant(sentinel), fc.integer(), fc.double(), fc.boolean()],
      key: fc.oneof(fc.string(), fc.constant(sentinel)),
    }),
  ),
  6_667,
)
/** What nearly fits a channel: its good argument, some members of which are anything. */
const nearly = (base: object): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(base).map(([name, value]) => [name, fc.oneof({ weight: 2, arbitrary: fc.constant<unknown>(value) }, { weight: 1, arbitrary: anything })]),
    ),
  )

describe.each(channels)('%s', (channel) => {
  test('takes a good argument as it is', () => {
    expect(guard(channel, good[channel])).toEqual({ ok: true, value: good[channel] })
  })

  test('refuses an unknown member beside the good ones', () => {
    expect(guard(channel, { ...good[channel], another: 1 }).ok).toBe(false)
  })

  test('of 10,000 arguments of any shape takes or refuses every one, and never says what was sent', () => {
    const holds = (argument: unknown): boolean => {
      const read = guard(channel, argument)
      if (read.ok) return true
      const { kind, field, message, ...more } = read.failure as { kind: string; field: unknown; message: unknown }
      const said = typeof field === 'string' && typeof message === 'string' && !`${field}\n${message}`.includes(sentinel)
      return kind === 'invalid' && said && Object.keys(more).length === 0
    }
    expect(shapes.filter((argument) => !holds(argument))).toEqual([])
    const base = good[channel]
    fc.assert(fc.property(base === undefined ? anything : nearly(base), holds), { numRuns: 3_333 })
  })
})

test.each<readonly [CallChannel, unknown, string, string]>([
  ['devices.get', {}, 'id', 'This must be of the kind "string".'],
  ['devices.get', { id: '' }, 'id', 'This is empty.'],
  ['devices.get', { id: 'x'.repeat(201) }, 'id', 'This is longer than 200 characters.'],
  ['devices.get', { id: 7 }, 'id', 'This must be of the kind "string".'],
  ['devices.get', { id: 'a', and: 'b' }, 'argument', 'There is a member here that this call does not know.'],
  ['devices.get', null, 'argument', 'This must be of the kind "object".'],
  ['devices.window', { ...good['devices.window'], count: 501 }, 'count', 'This is greater than 500.'],
  ['devices.window', { ...good['devices.window'], start: -1 }, 'start', 'This is smaller than 0.'],
  ['devices.window', { ...good['devices.window'], start: 0.5 }, 'start', 'This must be a whole number.'],
  ['devices.window', { ...good['devices.window'], start: Number.NaN }, 'start', 'This must be of the kind "number".'],
  ['devices.window', { ...good['devices.window'], where: 'x'.repeat(2_001) }, 'where', 'This is longer than 2000 characters.'],
  ['devices.window', { ...good['devices.window'], sort: Array.from({ length: 5 }, () => sort[0]) }, 'sort', 'This is longer than 4 entries.'],
  [
    'devices.window',
    { ...good['devices.window'], sort: [{ column: 'tags', descending: false }] },
    'sort.0.column',
    `This must be one of: ${deviceSortColumns.join(', ')}.`,
  ],
  [
    'devices.selected',
    { selection: { kind: 'picked', ids: Array.from({ length: 10_001 }, () => 'a') } },
    'selection.ids',
    'This is longer than 10000 entries.',
  ],
  ['tags.change', { ...good['tags.change'], add: Array.from({ length: 51 }, () => 'a') }, 'add', 'This is longer than 50 entries.'],
  ['lists.paste', { ...good['lists.paste'], text: 'x'.repeat(2_000_001) }, 'text', 'This is longer than 2000000 characters.'],
  ['exports.start', { ...good['exports.start'], format: 'pdf' }, 'format', 'This must be one of: csv, json, jsonl, xlsx.'],
  ['organizations.setKey', { id: 'a', slot: 'third', key: 'k' }, 'slot', 'This must be one of: primary, secondary.'],
  ['organizations.setKey', { id: 'a', slot: 'primary', key: 'k'.repeat(2_001) }, 'key', 'This is longer than 2000 characters.'],
  ['organizations.add', { ...draft, vendorId: 2 ** 31 }, 'vendorId', 'This is greater than 2147483647.'],
  ['organizations.add', { ...draft, assumed: { ...assumedWords, platforms: [''] } }, 'assumed.platforms.0', 'This is empty.'],
  ['organizations.add', { ...draft, assumed: { ...assumedWords, platforms: ['x'.repeat(61)] } }, 'assumed.platforms.0', 'This is longer than 60 characters.'],
  [
    'organizations.add',
    { ...draft, assumed: { ...assumedWords, agentTypes: Array.from({ length: 31 }, (_, at) => `Agent${at}`) } },
    'assumed.agentTypes',
    'This is longer than 30 entries.',
  ],
  ['organizations.add', { ...draft, assumed: { ...assumedWords, buildTypes: 'Release' } }, 'assumed.buildTypes', 'This must be of the kind "array".'],
  ['organizations.add', { ...draft, assumed: { ...assumedWords, tools: [] } }, 'assumed', 'There is a member here that this call does not know.'],
  ['app.openOutside', { url: 'http://support.example' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'javascript:alert(1)//https://' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'https://a b' }, 'url', 'This must be an https address.'],
  ['app.setPreferences', { theme: undefined }, 'theme', 'This must be one of: light, dark, system.'],
  ['rooms.reboot', { id: 'a', unlock: 'yes', wait: true }, 'unlock', 'This must be of the kind "boolean".'],
  ['rooms.reboot', { id: 'a', unlock: true }, 'wait', 'This must be of the kind "boolean".'],
  ['journal.list', { ...good['journal.list'], subjectId: '' }, 'subjectId', 'This is empty.'],
  ['journal.list', { ...good['journal.list'], count: 501 }, 'count', 'This is greater than 500.'],
  ['explorer.run', { ...good['explorer.run'], parameters: { groupId: 7 } }, 'parameters.groupId', 'This must be of the kind "string".'],
  ['explorer.run', { ...good['explorer.run'], parameters: { settings: 'x'.repeat(100_001) } }, 'parameters.settings', 'This is longer than 100000 characters.'],
  [
    'explorer.run',
    { ...good['explorer.run'], parameters: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, ''])) },
    'parameters',
    'This cannot be used here.',
  ],
  ['explorer.saveExample', { ...good['explorer.saveExample'], name: '' }, 'name', 'This is empty.'],
  ['explorer.saveExample', { ...good['explorer.saveExample'], name: 'x'.repeat(81) }, 'name', 'This is longer than 80 characters.'],
  ['explorer.removeExample', { id: -1 }, 'id', 'This is smaller than 0.'],
  ['metadata.recovery', { text: '0'.repeat(201) }, 'text', 'This is longer than 200 characters.'],
  ['sync.run', 0, 'argument', 'Nothing is expected here.'],
])('%s refuses %j by naming %s: %s', (channel, argument, field, message) => {
  expect(guard(channel, argument)).toEqual({ ok: false, failure: { kind: 'invalid', field, message } })
})

test('an argument that throws when it is looked at is refused', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const hostile = Object.defineProperty({}, 'id', {
    enumerable: true,
    get: () => {
      throw new Error('looked at')
    },
  })
  for (const argument of [proxy, hostile])
    expect(guard('devices.get', argument)).toEqual({ ok: false, failure: { kind: 'invalid', field: 'argument', message: 'This cannot be read.' } })
})

test('"nothing" may also arrive as null, as JSON carries it', () => {
  expect(guard('sync.run', null)).toEqual({ ok: true, value: undefined })
})
