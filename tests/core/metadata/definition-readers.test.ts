import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import {
  gnpDefinitionOf,
  latestInfoOf,
  propertyOf,
  schemaVersionsOf,
} from '../../../electron/core/metadata/definition-json.ts'
import { deviceModelOf, featureModelOf, modelIsFor } from '../../../electron/core/metadata/model-json.ts'

describe('definitions', () => {
  it.each<[string, Json, readonly string[] | null]>([
    ['specification', [{ version: '1.10.0' }, { version: '1.2.0' }], ['1.10.0', '1.2.0']],
    ['plain texts', ['1.10.0'], ['1.10.0']],
    ['invalid records', [null, {}, { version: 3 }, { version: '1.2.0', extra: 1 }], ['1.2.0']],
    ['inside an object', { schemaVersions: [{ version: '1.2.0' }] }, ['1.2.0']],
    ['empty', [], null],
    ['an error', { message: 'x' }, null],
  ])('schema versions: %s', (_, json, expected) => {
    expect(schemaVersionsOf(json)).toEqual(expected)
  })

  it.each<[string, Json, string | null]>([
    ['specification', { schemaVersion: '1.11.0', definitionVersion: '14.6.0' }, '14.6.0'],
    ['A19 extra members', { definitionVersion: '14.6.0', extra: {} }, '14.6.0'],
    ['empty', { definitionVersion: '' }, null],
    ['a list', [], null],
    ['null', null, null],
  ])('latest info: %s', (_, json, expected) => {
    expect(latestInfoOf(json)?.definitionVersion ?? null).toBe(expected)
  })

  it('parses all 427 definitions of the published package', () => {
    const json = JSON.parse(
      readFileSync(
        new URL(import.meta.resolve('@gnaudio/jabra-properties-definition/properties.json')),
        'utf8',
      ),
    ) as Json
    const properties = gnpDefinitionOf(json)?.properties ?? []
    const count = (test: (property: (typeof properties)[number]) => boolean) => properties.filter(test).length
    expect({
      all: properties.length,
      commandsWithoutType: count((one) => one.type === null),
      read: count((one) => one.read),
      write: count((one) => one.write),
      event: count((one) => one.event),
      execute: count((one) => one.execute),
      restarts: count((one) => one.restarts === true),
      withAllowed: count((one) => one.allowed.length > 0),
      limited: count((one) => one.minimum !== null || one.maximum !== null),
    }).toEqual({
      all: 427,
      commandsWithoutType: 18,
      read: 360,
      write: 309,
      event: 57,
      execute: 20,
      restarts: 43,
      withAllowed: 142,
      limited: 27,
    })
    expect(properties.find((one) => one.name === 'sidetoneLevel')).toMatchObject({
      type: 'integer',
      minimum: -9,
      maximum: 6,
      restarts: null,
    })
    const odd = ['24HourFormat', 'gatt.batteryLevel']
    expect(odd.filter((name) => !properties.some((one) => one.name === name))).toEqual([]) // A20
  })

  it.each<[string, Json, Record<string, unknown>]>([
    [
      'A15 minValue',
      { valueType: { type: 'integer', minValue: 1, maximumValue: 5 } },
      { minimum: 1, maximum: 5 },
    ],
    [
      'A15 maximumLength',
      { valueType: { type: 'string', minimumLength: 1, maximumLength: 9 } },
      { minLength: 1, maxLength: 9 },
    ],
    ['limits next to the type', { valueType: { type: 'integer' }, minimum: 0 }, { minimum: 0 }],
    [
      'A20 names unchanged',
      { valueType: { type: 'string', enum: ['_0dB', '0dB', '50Hz', 7, true] } },
      { allowed: ['_0dB', '0dB', '50Hz', '7', 'true'] },
    ],
    ['A21 a command', { execute: [{}] }, { type: null, execute: true, read: false }],
    ['empty operations', { read: [], write: null, event: {} }, { read: false, write: false, event: true }],
    ['A12 restart stated', { needsConfigMode: false }, { restarts: false }],
    ['A12 restart not stated', {}, { restarts: null }],
    [
      'invalid limits',
      { valueType: { type: 'integer', minimum: 'low', maximum: null } },
      { minimum: null, maximum: null },
    ],
  ])('property: %s', (_, json, expected) => {
    expect(propertyOf('x', json)).toMatchObject(expected)
  })
})

describe('device model', () => {
  const model = (device: Record<string, Json>) =>
    deviceModelOf({ device: { vendorId: 2830, productId: 9395, variantType: '01-64', ...device } as Json })
  const setting = {
    id: 'SOUND_MODE',
    type: null,
    properties: [],
    possibleValues: [],
    access: null,
    restarts: null,
    group: null,
  }

  it.each<[string, Record<string, Json>, unknown[]]>([
    ['A10 no settings for a real firmware', { settings: [] }, []],
    ['A11 a missing section, and new ones', { holograms: [{}], settings: null }, []],
    ['A12 restart and access not stated', { settings: [{ settingId: 'SOUND_MODE' }] }, [setting]],
    [
      'A12 both said',
      { settings: [{ settingId: 'SOUND_MODE', requiresRestart: false, settingAccess: 'ReadOnly' }] },
      [{ ...setting, restarts: false, access: 'ReadOnly' }],
    ],
    [
      'A13 several properties',
      { settings: [{ settingId: 'SOUND_MODE', sdkProperties: ['a', 'b', null] }] },
      [{ ...setting, properties: ['a', 'b'] }],
    ],
    [
      'A13 a single one',
      { settings: [{ settingId: 'SOUND_MODE', sdkProperty: 'a' }] },
      [{ ...setting, properties: ['a'] }],
    ],
    [
      'A14 keys',
      {
        settings: [
          { settingId: 'SOUND_MODE', possibleValues: [{ key: 'bass' }, { key: 'treble', value: 2 }] },
        ],
      },
      [{ ...setting, possibleValues: ['bass', 'treble'] }],
    ],
    [
      'A14 values of every kind',
      {
        settings: [
          {
            settingId: 'SOUND_MODE',
            possibleValues: [{ value: 'a' }, { value: true }, { value: 0 }, { value: null }, {}, 'b', null],
          },
        ],
      },
      [{ ...setting, possibleValues: ['a', 'true', '0', 'b'] }],
    ],
    [
      'groups within groups',
      {
        settings: [
          {
            groupName: 'Audio',
            settings: [{ settingId: 'SOUND_MODE' }, { groupName: 'Deep', items: [{ id: 'X' }] }],
          },
        ],
      },
      [
        { ...setting, group: 'Audio' },
        { ...setting, id: 'X', group: 'Deep' },
      ],
    ],
    [
      'composite settings',
      { compositeSettings: [{ settingId: 'EQ', type: 'Composite' }] },
      [{ ...setting, id: 'EQ', type: 'Composite' }],
    ],
    ['invalid nodes', { settings: [null, 3, 'x', [], { settingId: '' }] }, []],
  ])('%s', (_, device, expected) => {
    expect(model(device)?.settings).toEqual(expected)
  })

  it('is parsed sixteen levels deep and no deeper', () => {
    const nested = (levels: number): Json =>
      levels === 1 ? [{ settingId: 'DEEP' }] : [{ settings: nested(levels - 1) }]
    expect([16, 17, 5000].map((levels) => model({ settings: nested(levels) })?.settings.length)).toEqual([
      1, 0, 0,
    ])
  })

  it.each<[string, Record<string, Json>, boolean]>([
    ['the same', {}, true],
    ['A24 other capitals', { variantType: '01-64'.toLowerCase() }, true],
    ['another product', { productId: 1 }, false],
    ['another variant', { variantType: '01-65' }, false],
    ['identity missing', { vendorId: null, productId: null, variantType: null }, true],
  ])('belongs to the requested product: %s', (_, device, expected) => {
    const read = model(device)
    expect(
      read !== null &&
        modelIsFor(read, { vendorId: 2830, productId: 9395, variantType: '01-64', firmwareVersion: '2.9.2' }),
    ).toBe(expected)
  })
})

describe('feature model', () => {
  it('joins descriptors and names of the management interface', () => {
    const read = featureModelOf({
      settings: {
        listSettings: [
          { settingId: 'FIELD_OF_VIEW', supportedValues: ['_90deg', '_120deg'], requiresRestart: true },
          { settingId: '' },
        ],
        stringSettings: [{ settingId: 'NAME', minimumLength: 1, maximumLength: 30, requiresRestart: false }],
        numberSettings: [{ settingId: 'LATENCY', minimumValue: 0 }],
        booleanSettings: [{ settingId: 'PLAZA', requiresRestart: false }, null],
      },
      settingIds: { fieldOfView: 'FIELD_OF_VIEW', name: 'NAME', videoStiching: 'STITCH', broken: 7 },
    })
    expect(read?.settings).toEqual([
      {
        id: 'FIELD_OF_VIEW',
        name: 'fieldOfView',
        kind: 'choice',
        supported: ['_90deg', '_120deg'],
        minimum: null,
        maximum: null,
        restarts: true,
      },
      { id: 'NAME', name: 'name', kind: 'text', supported: [], minimum: 1, maximum: 30, restarts: false },
      { id: 'LATENCY', name: null, kind: 'number', supported: [], minimum: 0, maximum: null, restarts: null },
      {
        id: 'PLAZA',
        name: null,
        kind: 'other',
        supported: [],
        minimum: null,
        maximum: null,
        restarts: false,
      },
    ])
  })

  it.each<[string, Json, number | null]>([
    ['A16 no names', { settings: { listSettings: [{ settingId: 'A' }] } }, 1],
    ['A17 names without descriptors', { settingIds: { a: 'A' } }, 0],
    ['invalid lists', { settings: { listSettings: null, numberSettings: {} } }, 0],
    ['an error', { title: 'Not found' }, null],
    ['a list', [], null],
  ])('%s', (_, json, expected) => {
    expect(featureModelOf(json)?.settings.length ?? null).toBe(expected)
  })
})
