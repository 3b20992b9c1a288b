import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MethodName } from '../../electron/contract/rpc-client.ts'
import { methodNames, parseArgument } from '../../electron/contract/rpc-server.ts'
import { deviceSortColumns } from '../../electron/contract/fields/device.ts'
import { assumedValues } from '../../electron/contract/organization.ts'
import { cases, count } from '../setup/cases.ts'
import { draft, good, sort } from './good-arguments.ts'

test('every method has a valid argument here', () => {
  expect(Object.keys(good).sort()).toEqual([...methodNames].sort())
})

const sentinel = 'sentinel-key-0123456789'
/** Arbitrary values, generated once. */
const anything = fc.constantFrom(...fc.sample(fc.anything(), cases(3_333)))
/** Arguments for any method: generated once, and sent to each. */
const shapes: readonly unknown[] = fc.sample(
  fc.oneof(
    fc.anything({
      maxDepth: 2,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    }),
    fc.anything({
      values: [fc.string(), fc.constant(sentinel), fc.integer(), fc.double(), fc.boolean()],
      key: fc.oneof(fc.string(), fc.constant(sentinel)),
    }),
  ),
  cases(6_667),
)
/** Almost valid arguments of a method: the valid one with some arbitrary members. */
const nearly = (base: object): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(base).map(([name, value]) => [
        name,
        fc.oneof({ weight: 2, arbitrary: fc.constant<unknown>(value) }, { weight: 1, arbitrary: anything }),
      ]),
    ),
  )

describe.each(methodNames)('%s', (method) => {
  test('accepts a valid argument unchanged', () => {
    expect(parseArgument(method, good[method])).toEqual({ ok: true, value: good[method] })
  })

  test('rejects an unknown member', () => {
    expect(parseArgument(method, { ...good[method], another: 1 }).ok).toBe(false)
  })

  test('accepts or rejects any argument, and never repeats their content', () => {
    const holds = (argument: unknown): boolean => {
      const read = parseArgument(method, argument)
      if (read.ok) return true
      const { kind, field, message, ...more } = read.failure as {
        kind: string
        field: unknown
        message: unknown
      }
      const said =
        typeof field === 'string' && typeof message === 'string' && !`${field}\n${message}`.includes(sentinel)
      return kind === 'invalid' && said && Object.keys(more).length === 0
    }
    expect(shapes.filter((argument) => !holds(argument))).toEqual([])
    count('cases', cases(6_667), shapes.length)
    const base = good[method]
    fc.assert(fc.property(base === undefined ? anything : nearly(base), holds), { numRuns: cases(3_333) })
  })
})

test.each<readonly [MethodName, unknown, string, string]>([
  ['devices.get', {}, 'id', 'This must be of the type "string".'],
  ['devices.get', { id: '' }, 'id', 'This is empty.'],
  ['devices.get', { id: 'x'.repeat(513) }, 'id', 'This is longer than 512 characters.'],
  ['devices.get', { id: 'D\ud800' }, 'id', 'This contains an incomplete character.'],
  [
    'devices.selected',
    { selection: { kind: 'picked', ids: ['a', '\udc00'] } },
    'selection.ids.1',
    'This contains an incomplete character.',
  ],
  ['devices.get', { id: 7 }, 'id', 'This must be of the type "string".'],
  ['devices.get', { id: 'a', and: 'b' }, 'argument', 'This contains a member that the method does not know.'],
  ['devices.get', null, 'argument', 'This must be of the type "object".'],
  ['devices.slice', { ...good['devices.slice'], count: 501 }, 'count', 'This is greater than 500.'],
  ['devices.slice', { ...good['devices.slice'], start: -1 }, 'start', 'This is smaller than 0.'],
  ['devices.slice', { ...good['devices.slice'], start: 0.5 }, 'start', 'This must be a whole number.'],
  [
    'devices.slice',
    { ...good['devices.slice'], start: Number.NaN },
    'start',
    'This must be of the type "number".',
  ],
  [
    'devices.slice',
    { ...good['devices.slice'], where: 'x'.repeat(2_001) },
    'where',
    'This is longer than 2000 characters.',
  ],
  [
    'devices.slice',
    { ...good['devices.slice'], sort: Array.from({ length: 5 }, () => sort[0]) },
    'sort',
    'This is longer than 4 entries.',
  ],
  [
    'devices.slice',
    { ...good['devices.slice'], sort: [{ column: 'lists', descending: false }] },
    'sort.0.column',
    `This must be one of: ${deviceSortColumns.join(', ')}.`,
  ],
  [
    'devices.selected',
    { selection: { kind: 'picked', ids: Array.from({ length: 10_001 }, () => 'a') } },
    'selection.ids',
    'This is longer than 10000 entries.',
  ],
  [
    'tags.change',
    { ...good['tags.change'], add: Array.from({ length: 51 }, () => 'a') },
    'add',
    'This is longer than 50 entries.',
  ],
  [
    'lists.paste',
    { ...good['lists.paste'], text: 'x'.repeat(2_000_001) },
    'text',
    'This is longer than 2000000 characters.',
  ],
  [
    'exports.start',
    { ...good['exports.start'], format: 'pdf' },
    'format',
    'This must be one of: csv, json, jsonl, xlsx.',
  ],
  [
    'exports.open',
    { ...good['exports.open'], format: 'xlsx' },
    'format',
    'This must be one of: csv, json, jsonl, rows, records.',
  ],
  [
    'organizations.setKey',
    { id: 'a', slot: 'third', key: 'k' },
    'slot',
    'This must be one of: primary, secondary.',
  ],
  [
    'organizations.setKey',
    { id: 'a', slot: 'primary', key: 'k'.repeat(2_001) },
    'key',
    'This is longer than 2000 characters.',
  ],
  ['organizations.add', { ...draft, vendorId: 2 ** 31 }, 'vendorId', 'This is greater than 2147483647.'],
  [
    'organizations.add',
    { ...draft, assumed: { ...assumedValues, platforms: [''] } },
    'assumed.platforms.0',
    'This is empty.',
  ],
  [
    'organizations.add',
    { ...draft, assumed: { ...assumedValues, platforms: ['x'.repeat(61)] } },
    'assumed.platforms.0',
    'This is longer than 60 characters.',
  ],
  [
    'organizations.add',
    {
      ...draft,
      assumed: { ...assumedValues, agentTypes: Array.from({ length: 31 }, (_, at) => `Agent${at}`) },
    },
    'assumed.agentTypes',
    'This is longer than 30 entries.',
  ],
  [
    'organizations.add',
    { ...draft, assumed: { ...assumedValues, buildTypes: 'Release' } },
    'assumed.buildTypes',
    'This must be of the type "array".',
  ],
  [
    'organizations.add',
    { ...draft, assumed: { ...assumedValues, tools: [] } },
    'assumed',
    'This contains a member that the method does not know.',
  ],
  ['app.openOutside', { url: 'http://support.example' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'http://127.0.0.1.support.example/' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'http://127.0.0.1@support.example/' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'javascript:alert(1)//https://' }, 'url', 'This must be an https address.'],
  ['app.openOutside', { url: 'https://a b' }, 'url', 'This must be an https address.'],
  ['app.setPreferences', { theme: undefined }, 'theme', 'This must be one of: light, dark, system.'],
  ['jobs.resume', { id: 'a', unlock: 'yes' }, 'unlock', 'This must be of the type "boolean".'],
  ['jobs.resume', { id: 'a' }, 'unlock', 'This must be of the type "boolean".'],
  ['journal.list', { ...good['journal.list'], subjectId: '' }, 'subjectId', 'This is empty.'],
  ['journal.list', { ...good['journal.list'], count: 501 }, 'count', 'This is greater than 500.'],
  [
    'explorer.run',
    { ...good['explorer.run'], parameters: { groupId: 7 } },
    'parameters.groupId',
    'This must be of the type "string".',
  ],
  [
    'explorer.run',
    { ...good['explorer.run'], parameters: { settings: 'x'.repeat(100_001) } },
    'parameters.settings',
    'This is longer than 100000 characters.',
  ],
  [
    'explorer.run',
    {
      ...good['explorer.run'],
      parameters: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, ''])),
    },
    'parameters',
    'This has more than 50 members.',
  ],
  [
    'explorer.run',
    { ...good['explorer.run'], reference: 'client-1' },
    'reference',
    'This is not the reference of a client.',
  ],
  ['explorer.saveExample', { ...good['explorer.saveExample'], name: '' }, 'name', 'This is empty.'],
  [
    'explorer.saveExample',
    { ...good['explorer.saveExample'], name: 'x'.repeat(81) },
    'name',
    'This is longer than 80 characters.',
  ],
  ['explorer.removeExample', { id: -1 }, 'id', 'This is smaller than 0.'],
  ['metadata.recovery', { text: '0'.repeat(201) }, 'text', 'This is longer than 200 characters.'],
  ['sync.run', 0, 'argument', 'This method takes no argument.'],
])('%s rejects %j by naming %s: %s', (method, argument, field, message) => {
  expect(parseArgument(method, argument)).toEqual({ ok: false, failure: { kind: 'invalid', field, message } })
})

test.each<readonly [MethodName, object]>([
  ['devices.selected', { selection: { kind: 'picked', ids: Array.from({ length: 10_000 }, () => 'a') } }],
  [
    'devices.selected',
    { selection: { kind: 'matching', where: '', except: Array.from({ length: 10_000 }, () => 'a') } },
  ],
  ['devices.slice', { ...good['devices.slice'], count: 500, where: 'x'.repeat(2_000) }],
  ['devices.slice', { ...good['devices.slice'], sort: Array.from({ length: 4 }, () => sort[0]) }],
  ['tags.change', { ...good['tags.change'], add: Array.from({ length: 50 }, () => 'a') }],
  ['lists.paste', { ...good['lists.paste'], text: 'x'.repeat(2_000_000) }],
  ['organizations.setKey', { id: 'a', slot: 'primary', key: 'k'.repeat(2_000) }],
])('%s accepts the largest allowed argument: %#', (method, argument) => {
  expect(parseArgument(method, argument)).toEqual({ ok: true, value: argument })
})

test('rejects an argument that throws when read', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const hostile = Object.defineProperty({}, 'id', {
    enumerable: true,
    get: () => {
      throw new Error('looked at')
    },
  })
  for (const argument of [proxy, hostile])
    expect(parseArgument('devices.get', argument)).toEqual({
      ok: false,
      failure: { kind: 'invalid', field: 'argument', message: 'This cannot be read.' },
    })
})

test('accepts null for "no argument", as JSON carries it', () => {
  expect(parseArgument('sync.run', null)).toEqual({ ok: true, value: undefined })
})
