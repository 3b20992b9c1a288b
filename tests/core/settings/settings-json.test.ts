import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import {
  featuresByName,
  parseSetting,
  settingEntries,
} from '../../../electron/core/settings/settings-json.ts'

const feature = (kind: FeatureSetting['kind'], over: Partial<FeatureSetting> = {}): FeatureSetting => ({
  id: 'X',
  name: 'x',
  kind,
  supported: [],
  minimum: null,
  maximum: null,
  restarts: null,
  ...over,
})

describe('the kind of a setting', () => {
  it.each<[string, Json, { kind: string; value: unknown; locked: boolean | null }]>([
    ['isOn', { isOn: true }, { kind: 'on-off', value: true, locked: null }],
    ['isOn as text', { isOn: ' False ' }, { kind: 'on-off', value: false, locked: null }],
    ['isOn that is null', { isOn: null, isLocked: true }, { kind: 'on-off', value: null, locked: true }],
    ['selected', { selected: '_90deg', isLocked: false }, { kind: 'choice', value: '_90deg', locked: false }],
    ['selected that is null', { selected: null }, { kind: 'choice', value: null, locked: null }],
    ['selected that is a number', { selected: 50 }, { kind: 'choice', value: '50', locked: null }],
    ['a number', { value: 3.0 }, { kind: 'number', value: 3, locked: null }],
    ['a text', { value: 'Room 4' }, { kind: 'text', value: 'Room 4', locked: null }],
    ['an empty text', { value: '' }, { kind: 'text', value: '', locked: null }],
    ['a text that is null', { value: null }, { kind: 'text', value: null, locked: null }],
    ['a text of digits', { value: '0042' }, { kind: 'text', value: '0042', locked: null }],
    ['locked by its older name', { isOn: true, locked: true }, { kind: 'on-off', value: true, locked: true }],
    ['a lock that is no boolean', { isOn: true, isLocked: 7 }, { kind: 'on-off', value: true, locked: null }],
    [
      'several members',
      { isOn: false, selected: 'a', value: 1 },
      { kind: 'on-off', value: false, locked: null },
    ],
    [
      'several members, one of them with a value',
      { isOn: null, selected: 'a', value: null },
      { kind: 'choice', value: 'a', locked: null },
    ],
    [
      'several members, none with a value',
      { isOn: null, selected: null, value: null },
      { kind: 'on-off', value: null, locked: null },
    ],
    ['none of them', { isLocked: true, other: 1 }, { kind: 'unknown', value: null, locked: true }],
    [
      'members of other types',
      { isOn: 'perhaps', selected: true, value: {} },
      { kind: 'unknown', value: null, locked: null },
    ],
    ['a bare value', true, { kind: 'unknown', value: null, locked: null }],
    ['null', null, { kind: 'unknown', value: null, locked: null }],
    ['a list', [{ isOn: true }], { kind: 'unknown', value: null, locked: null }],
  ])('is decided by its members: %s', (_, entry, expected) => {
    const { kind, value, locked, raw } = parseSetting('x', entry, null)
    expect({ kind, value, locked, raw }).toEqual({ ...expected, raw: entry })
  })

  it.each<[string, Json, FeatureSetting['kind'], { kind: string; value: unknown }]>([
    [
      'which of several members is used',
      { isOn: false, selected: 'a', value: 1 },
      'choice',
      { kind: 'choice', value: 'a' },
    ],
    ['that digits are a number', { value: '3.0' }, 'number', { kind: 'number', value: 3 }],
    ['that a missing value is a number', { value: null }, 'number', { kind: 'number', value: null }],
    [
      'which of several empty members is used',
      { isOn: null, selected: null },
      'choice',
      { kind: 'choice', value: null },
    ],
    ['that a number is a text', { value: 1234 }, 'text', { kind: 'text', value: '1234' }],
    [
      'that a hidden number is a text',
      { value: { '•••': 'key.digest', isNumber: true } },
      'text',
      { kind: 'text', value: '•••' },
    ],
    [
      'that a hidden text is a number',
      { value: { '•••': 'key.digest', isNumber: false } },
      'number',
      { kind: 'number', value: '•••' },
    ],
    [
      'not whether a hidden number is one',
      { value: { '•••': 'key.digest', isNumber: true } },
      'other',
      { kind: 'number', value: '•••' },
    ],
    [
      'nothing that contradicts a present member',
      { selected: 'a' },
      'number',
      { kind: 'choice', value: 'a' },
    ],
  ])('is decided by the feature model: %s', (_, entry, kind, expected) => {
    const read = parseSetting('x', entry, feature(kind))
    expect({ kind: read.kind, value: read.value }).toEqual(expected)
  })

  it.each<[string, Json]>([
    ['with capitals', { Settings: { brightness: { Value: 4, IsLocked: true } } }],
    ['in a wrapper', { data: { settings: { brightness: { value: 4, isLocked: true } } } }],
    ['in a list of one', [{ settings: { brightness: { value: 4, is_locked: true } } }]],
  ])('an answer may be spelled or wrapped differently: %s', (_, answer) => {
    const read = (settingEntries(answer) ?? []).map(([name, entry]) => parseSetting(name, entry, null))
    expect(read.map(({ name, kind, value, locked }) => ({ name, kind, value, locked }))).toEqual([
      { name: 'brightness', kind: 'number', value: 4, locked: true },
    ])
  })

  it('any data is parsed as one setting with its raw entry', () => {
    const kinds = fc.constantFrom<FeatureSetting | null>(
      null,
      feature('choice'),
      feature('number'),
      feature('text'),
      feature('other'),
    )
    fc.assert(
      fc.property(fc.jsonValue(), kinds, (entry, model) => {
        const setting = parseSetting('x', entry as Json, model)
        expect(setting.raw).toBe(entry)
        expect(['string', 'number', 'boolean'].includes(typeof setting.value) || setting.value === null).toBe(
          true,
        )
      }),
    )
  })
})

describe('the settings of an answer', () => {
  it.each<[string, Json, unknown]>([
    ['by name', { settings: { a: 1, b: null } }, [['a', 1], ['b', null]]], // prettier-ignore
    ['none', { settings: {} }, []],
    ['null', { settings: null }, []],
    ['missing', { other: {} }, null],
    ['a list', { settings: [] }, null],
    ['a text', { settings: 'none' }, null],
    ['of a bare list', [], null],
    ['of nothing', null, null],
    ['named like a member of every object', JSON.parse('{"settings":{"__proto__":{"isOn":true},"constructor":{"isOn":false}}}') as Json, [['__proto__', { isOn: true }], ['constructor', { isOn: false }]]], // prettier-ignore
    ['that are only inherited', Object.create({ settings: {} }) as JsonObject, null],
  ])('%s', (_, json, expected) => {
    expect(settingEntries(json)).toEqual(expected)
  })
})

describe('the feature model of a setting', () => {
  const model = {
    settings: [
      feature('choice', { id: 'FIELD_OF_VIEW', name: 'fieldOfView', supported: ['_90deg'] }),
      feature('number', { id: 'ZOOM', name: null }),
    ],
    raw: {
      settingIds: { fieldOfView: 'FIELD_OF_VIEW', fieldOfView2: 'FIELD_OF_VIEW', lost: 'NOWHERE', odd: 7 },
    },
  }

  it.each([
    ['fieldOfView', 'FIELD_OF_VIEW'],
    ['fieldOfView2', 'FIELD_OF_VIEW'],
    ['lost', null],
    ['odd', null],
    ['toString', null],
    ['__proto__', null],
  ])('%s is found by its id (%s)', (name, id) => {
    const found = featuresByName(model)(name)
    expect(found === null ? null : [found.id, found.name]).toEqual(id === null ? null : [id, name])
  })

  it('is empty without a model', () => {
    expect(featuresByName(null)('fieldOfView')).toBeNull()
  })
})
