import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { definitionsPackage } from '../../../electron/adapters/definitions-package.ts'
import type { DocumentKind } from '../../../electron/contract/api/definitions.ts'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import { differencesOf } from '../../../electron/core/definitions/document-differences.ts'
import {
  deviceModelItems,
  featureModelItems,
  gnpDefinitionOf,
  joseItems,
  nameMapItems,
  propertyItems,
} from '../../../electron/core/metadata/metadata.ts'
import { definitionsRig, featurePath, gnp, query, selected } from './a-definitions-rig.ts'

const none = new Map<string, string>()
const itemsOf = {
  properties: (json) => propertyItems(gnpDefinitionOf(json)?.properties ?? [], none),
  'device-model': (json) => deviceModelItems(json, none),
  'feature-model': (json) => featureModelItems(json, none),
  jose: (json) => joseItems(json as JsonObject, none),
  'name-map': (json) => nameMapItems(json),
} satisfies Partial<Record<DocumentKind, (json: Json) => unknown>>
type Kind = keyof typeof itemsOf

/** Names alone, and `name.member: from → to`. */
const differencesIn = (kind: Kind, left: Json, right: Json) => {
  const { added, removed, changed } = differencesOf(kind, itemsOf[kind](left), itemsOf[kind](right))
  return [
    ...added.map(({ name }) => `+ ${name}`),
    ...removed.map(({ name }) => `- ${name}`),
    ...changed.map(
      ({ name, member, from, to }) => `${name}.${member}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    ),
  ]
}

const properties = (named: JsonObject): Json => ({ schemaVersion: '1.11.0', properties: named })
const text = (allowed: readonly Json[], more: JsonObject = {}): Json => ({
  valueType: { type: 'string', enum: allowed },
  read: [{}],
  ...more,
})
const model = (...settings: Json[]): Json => ({ device: { settings } })
const feature = (lists: JsonObject): Json => ({ settings: lists, settingIds: { volume: 'VOLUME' } })

describe('differences between two documents', () => {
  it.each<[string, Kind, Json, Json, readonly string[]]>([
    [
      'a setting that is new',
      'properties',
      properties({ a: text(['x']) }),
      properties({ a: text(['x']), b: text([]) }),
      ['+ b'],
    ],
    [
      'a rename is a removal and an addition',
      'properties',
      properties({ a: text(['x']) }),
      properties({ b: text(['x']) }),
      ['+ b', '- a'],
    ],
    [
      'a value withdrawn',
      'properties',
      properties({ a: text(['x', 'y']) }),
      properties({ a: text(['x']) }),
      ['a.allowed: ["x","y"] → ["x"]'],
    ],
    [
      'values in another order',
      'properties',
      properties({ a: text(['x', 'y']) }),
      properties({ a: text(['y', 'x']) }),
      [],
    ],
    [
      'keys in another case and order',
      'properties',
      properties({ a: { valueType: { type: 'string' }, read: [{}] } }),
      { Properties: { A: { Read: [{}], ValueType: { Type: 'string' } } } },
      [],
    ],
    [
      'a text and a number',
      'properties',
      properties({ a: text(['1']) }),
      properties({ a: text([1]) }),
      ['a.allowed: ["1"] → [1]'],
    ],
    [
      'type, access and restart',
      'properties',
      properties({ a: { valueType: { type: 'integer' }, read: [{}] } }),
      properties({ a: { valueType: { type: 'string' }, read: [{}], write: [{}], needsConfigMode: true } }),
      ['a.access: ["read"] → ["read","write"]', 'a.restarts: null → true', 'a.type: "integer" → "string"'],
    ],
    [
      'the inside of an object',
      'properties',
      properties({ a: { valueType: { type: 'object', properties: { x: { type: 'string' } } }, read: [{}] } }),
      properties({
        a: { valueType: { type: 'object', properties: { x: { type: 'integer' } } }, read: [{}] },
      }),
      ['a.structure: {"properties":{"x":{"type":"string"}}} → {"properties":{"x":{"type":"integer"}}}'],
    ],
    [
      'a definition that is no object',
      'properties',
      properties({ a: 'x' }),
      properties({ a: 'y' }),
      ['a.value: "x" → "y"'],
    ],
    [
      'a limit of a device model',
      'device-model',
      model({ settingId: 'VOLUME', minimum: 0, maximum: 12 }),
      model({ settingId: 'VOLUME', minValue: 0.0, maxValue: '7' }),
      ['VOLUME.maximum: 12 → 7'],
    ],
    [
      'settings of one name in another order',
      'device-model',
      model({ settingId: 'A', type: 'Enum' }, { settingId: 'A', type: 'String' }),
      model({ settingId: 'A', type: 'String' }, { settingId: 'A', type: 'Enum' }),
      [],
    ],
    [
      'a feature model',
      'feature-model',
      feature({ numberSettings: [{ settingId: 'VOLUME', minimumValue: 0, maximumValue: 12 }] }),
      feature({
        numberSettings: [{ settingId: 'VOLUME', minimumValue: 0, maximumValue: 7, requiresRestart: true }],
      }),
      ['volume.maximum: 12 → 7', 'volume.restarts: null → true'],
    ],
    [
      'Jose definitions, by member and value, a list and a dictionary alike',
      'jose',
      { settings: [{ name: 'volume', anything: { deep: [1, 2] } }], commands: [{ name: 'reboot' }] },
      { settings: { volume: { anything: { Deep: [2, 1] }, other: 3 } }, commands: { reboot: {}, reset: {} } },
      ['+ reset', 'volume.other: null → 3'],
    ],
    [
      'a name map',
      'name-map',
      { settingIds: { a: 'A' } },
      { settingIds: { a: 'B' } },
      ['a.value: "A" → "B"'],
    ],
  ])('%s', (_, kind, left, right, expected) => {
    expect(differencesIn(kind, left, right)).toEqual(expected)
  })
})

const installed = definitionsPackage.properties() as JsonObject
const without = (names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(installed).filter(([name]) => !names.includes(name)))

describe('the one real document, of the installed package', () => {
  it('differs from a copy without two properties and one value by exactly these', () => {
    const { reboot: _, ...sound } = { soundMode: text(['normal']), reboot: null }
    expect(
      differencesIn('properties', installed, { ...without(['reboot', 'batteryLevel']), ...sound }),
    ).toEqual([
      '- batteryLevel',
      '- reboot',
      ...differencesIn('properties', { soundMode: installed['soundMode'] ?? null }, sound),
    ])
  })
})

describe('the comparison', () => {
  const value = fc.oneof(fc.constantFrom('a', 'A', 'b', 1, 2, true), fc.integer())
  const record = fc.dictionary(
    fc.constantFrom('minimum', 'maximum', 'requiresRestart', 'type', 'settingAccess', 'unit'),
    value,
  )
  const name = fc.constantFrom('A', 'a', 'VOLUME', 'SOUND_MODE')
  const json = fc.oneof(
    fc.array(fc.tuple(name, record, fc.array(value)), { maxLength: 6 }).map((entries) => ({
      settings: entries.map(([settingId, one, possibleValues]) => ({ ...one, settingId, possibleValues })),
    })),
    fc.dictionary(fc.constantFrom('settings', 'commands', 'x'), fc.jsonValue({ maxDepth: 3 })),
  ) as fc.Arbitrary<JsonObject>
  const documents = fc.record({
    kind: fc.constantFrom<Kind>('device-model', 'jose', 'properties', 'feature-model', 'name-map'),
    left: json,
    right: json,
  })

  it('gives the same result with its sides swapped', () => {
    fc.assert(
      fc.property(documents, ({ kind, left, right }) => {
        const [before, after] = [itemsOf[kind](left), itemsOf[kind](right)]
        const { added, removed, changed, unchanged } = differencesOf(kind, before, after)
        expect(differencesOf(kind, after, before)).toEqual({
          added: removed,
          removed: added,
          changed: changed.map((one) => ({ ...one, from: one.to, to: one.from })),
          unchanged,
        })
      }),
    )
  })

  it('of equal documents is empty, regardless of their order', () => {
    fc.assert(
      fc.property(documents, ({ kind, left }) => {
        const items = itemsOf[kind](left)
        const { added, removed, changed } = differencesOf(kind, items, items.toReversed())
        expect([added, removed, changed]).toEqual([[], [], []])
      }),
    )
  })
})

describe('a failed comparison', () => {
  const other = { ...query, firmwareVersion: '3.0.0' }
  const onOther = (path: string): string => path.replace('2.9.2', '3.0.0')

  it('is a gap when one side is unpublished, fails or contains nothing known, and absent when neither side has it', async () => {
    const { definitions, service } = definitionsRig()
    service.set(featurePath, feature({})).set(onOther(featurePath), feature({}))
    service.set(`${gnp}/schema-versions/1.10.0/property-map`, { mapping: { soundMode: 'X' } })
    service.set(`${gnp}/schema-versions/1.11.0/property-map`, { mapping: {} })
    const call = { operation: 'GetJoseDefinitionV2ByFirmwareVersion', host: 'h' }
    const failure = { kind: 'service-unavailable', call, status: 500, message: null } as const
    const jose =
      '/protocol-definitions/jose/vendors/2830/products/9395/variants/01-64/firmware-versions/3.0.0'
    service.documents.set(`${jose}/schema-versions/2/definition`, { failure })
    const found = await definitions.compare({
      left: selected(query, { schemaVersion: '1.10.0' }),
      right: selected(other),
      kinds: ['feature-model', 'jose', 'properties', 'property-map'],
    })
    expect([found.gaps, found.absent, found.compared]).toEqual([
      [
        { document: 'jose', side: 'left', reason: 'not-published', failure: null },
        { document: 'jose', side: 'right', reason: 'failed', failure },
      ],
      ['properties'],
      ['feature-model', 'property-map'],
    ])
  })
})
