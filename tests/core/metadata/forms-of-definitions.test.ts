import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import {
  gnpDefinitionOf,
  latestInfoOf,
  propertyOf,
  schemaVersionsOf,
} from '../../../electron/core/metadata/definition-json.ts'
import { deviceModelOf, featureModelOf } from '../../../electron/core/metadata/model-json.ts'

describe('property definitions of any shape', () => {
  test.each<[Json]>([['text'], [null], [7], [true], [[1, 2]]])('%j is kept as received', (json) => {
    const { name, understood, type, raw } = propertyOf('x', json)
    expect({ name, understood, type, raw }).toEqual({ name: 'x', understood: false, type: null, raw: json })
  })

  test.each<[string, Json, object]>([
    [
      'a schema without a wrapper',
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'integer', minimum: 1, maximum: 5 },
    ],
    [
      'texts without a wrapper',
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', allowed: ['a', 'b'] },
    ],
    ['several types', { valueType: { type: ['string', 'null'] } }, { type: 'string or null' }],
    ['a type as text', { valueType: 'boolean' }, { type: 'boolean' }],
  ])('%s is parsed', (_, json, expected) => {
    expect(propertyOf('x', json)).toMatchObject({ understood: true, ...expected })
  })

  test.each<[string, Json, readonly string[] | null]>([
    ['a dictionary of anything', { properties: { b: 'text', a: null } }, ['a', 'b']],
    ['a list', { properties: [{ name: 'a' }, { propertyName: 'b' }, 'c', 7] }, ['#4', 'a', 'b', 'c']],
    ['in a wrapper', { data: { properties: { a: {} } } }, ['a']],
    ['null', { definitionVersion: '14.5.0', properties: null }, []],
    ['none at all', { definitionVersion: '14.5.0' }, []],
    ['an error', { error: { code: 1 } }, null],
    ['an error with a dictionary', { status: 500, title: 'no', properties: {} }, null],
  ])('of a document: %s', (_, json, expected) => {
    expect(gnpDefinitionOf(json)?.properties.map(({ name }) => name) ?? null).toEqual(expected)
  })

  it('include the members of the document itself, and the document as received', () => {
    const json = {
      definitionVersion: 14.5,
      SchemaVersion: ' 1.11.0 ',
      stage: { name: 'Beta' },
      properties: {},
    }
    expect(gnpDefinitionOf(json)).toEqual({
      definitionVersion: '14.5',
      schemaVersion: '1.11.0',
      stage: 'Beta',
      properties: [],
      raw: json,
    })
  })
})

describe('versions', () => {
  test.each<[string, Json, readonly string[] | null]>([
    ['by version', { '1.10.0': {}, '1.11.0': {} }, ['1.10.0', '1.11.0']],
    ['in a wrapper', { data: { items: [{ version: '1.10.0' }] } }, ['1.10.0']],
    ['numbers', [1.2], ['1.2']],
    ['an error', { code: 13, message: 'no', details: [] }, null],
  ])('of schemas: %s', (_, json, expected) => {
    expect(schemaVersionsOf(json)).toEqual(expected)
  })

  test.each<[string, Json, object | null]>([
    [
      'in a list',
      [{ schemaVersion: '1.11.0', definitionVersion: '14.5.0' }],
      { schemaVersion: '1.11.0', definitionVersion: '14.5.0' },
    ],
    ['in a wrapper', { data: { definitionVersion: '14.5.0' } }, { definitionVersion: '14.5.0' }],
    ['a number', { definitionVersion: 14 }, { definitionVersion: '14' }],
    ['an error', { code: 13, message: 'no', version: '1' }, null],
  ])('latest info: %s', (_, json, expected) => {
    if (expected === null) expect(latestInfoOf(json)).toBeNull()
    else expect(latestInfoOf(json)).toMatchObject(expected)
  })
})

describe('a device model', () => {
  it('lists the properties of its settings, commands, attributes and events', () => {
    const device = {
      settings: [
        {
          groupName: 'Audio',
          settings: [
            {
              settingId: 'SOUND_MODE',
              type: 'Enum',
              sdkProperties: ['soundMode'],
              possibleValues: [{ key: 'bass' }],
              settingAccess: 'ReadWrite',
            },
          ],
        },
        { settingId: 'NAME', sdkProperty: 'bluetoothName', requiresRestart: true },
      ],
      commands: [{ commandId: 'REBOOT', sdkProperty: 'reboot' }],
      attributes: [{ attributeId: 'SERIAL', sdkProperty: 'serialNumber', settingAccess: 'ReadOnly' }],
      deviceEvents: [{ name: 'batteryLevel', property: 'batteryLevel' }],
      telemetry: [{ name: 'soundMode', property: 'soundMode' }],
    }
    const visible = deviceModelOf({ device })?.properties.map(
      ({ name, type, allowed, read, write, event, execute, restarts }) => [
        name,
        type,
        allowed.join(' '),
        Object.entries({ read, write, event, execute })
          .flatMap(([mark, on]) => (on ? [mark] : []))
          .join(' '),
        restarts,
      ],
    )
    expect(visible).toEqual([
      ['batteryLevel', null, '', 'event', null],
      ['bluetoothName', null, '', '', true],
      ['reboot', null, '', 'execute', null],
      ['serialNumber', null, '', 'read', null],
      ['soundMode', 'Enum', 'bass', 'read write event', null],
    ])
  })

  test.each<[string, Json, { properties: readonly string[]; settings: number } | null]>([
    [
      'that defines its properties',
      { device: { properties: { a: { valueType: { type: 'string' } } } } },
      { properties: ['a'], settings: 0 },
    ],
    [
      'that is the definitions of the variant',
      { definitionVersion: '14.5.0', properties: { a: {} } },
      { properties: ['a'], settings: 0 },
    ],
    [
      'without the outer object',
      { vendorId: 2830, settings: [{ settingId: 'A', sdkProperty: 'a' }] },
      { properties: ['a'], settings: 1 },
    ],
    [
      'whose settings are a dictionary',
      { device: { settings: { A: { sdkProperty: 'a' } } } },
      { properties: ['a'], settings: 1 },
    ],
    [
      'in a wrapper',
      { data: { device: { settings: [{ settingId: 'A' }] } } },
      { properties: [], settings: 1 },
    ],
    ['of an unpublished shape', { model: { parts: [1, 2] } }, { properties: [], settings: 0 }],
    ['that is null', {}, null],
    ['that is a list', [1, 2], null],
    ['that is an error', { code: 13, message: 'no' }, null],
    ['that is a sentence', { title: 'Not found', detail: 'no such model' }, null],
  ])('%s', (_, json, expected) => {
    const model = deviceModelOf(json)
    expect(
      model === null
        ? null
        : { properties: model.properties.map(({ name }) => name), settings: model.settings.length },
    ).toEqual(expected)
  })

  it('describes itself inside or outside', () => {
    const label = (json: Json) => {
      const { definitionVersion, schemaVersion, stage, raw } = deviceModelOf(json) ?? {}
      return { definitionVersion, schemaVersion, stage, raw }
    }
    const [inside, outside] = [
      { device: { definitionVersion: '14.6.0', stage: 'Candidate' } },
      {
        definitionVersion: '14.5.0',
        schemaVersion: '1.11.0',
        stage: 'Public',
        device: { definitionVersion: '1.0.0' },
      },
    ]
    expect([inside, outside].map(label)).toEqual([
      { definitionVersion: '14.6.0', schemaVersion: null, stage: 'Candidate', raw: inside },
      { definitionVersion: '14.5.0', schemaVersion: '1.11.0', stage: 'Public', raw: outside },
    ])
  })
})

describe('a feature model', () => {
  test.each<[string, Json, readonly string[] | null]>([
    [
      'whose settings are a list',
      { settings: [{ settingId: 'A', supportedValues: ['x'] }], settingIds: { a: 'A' } },
      ['A a'],
    ],
    [
      'whose settings are a dictionary',
      { settings: { A: { supportedValues: ['x'] } }, settingIds: { a: 'A' } },
      ['A a'],
    ],
    [
      'whose lists are dictionaries',
      { settings: { listSettings: { A: { supportedValues: ['x'] } } } },
      ['A '],
    ],
    [
      'whose names are a list',
      { settings: { listSettings: [{ settingId: 'A' }] }, settingIds: [{ name: 'a', settingId: 'A' }] },
      ['A a'],
    ],
    ['of an unpublished shape', { features: { zoom: true } }, []],
    ['that is null', {}, null],
    ['that is an error', { error: 'no' }, null],
  ])('%s', (_, json, expected) => {
    expect(featureModelOf(json)?.settings.map(({ id, name }) => `${id} ${name ?? ''}`) ?? null).toEqual(
      expected,
    )
  })
})
