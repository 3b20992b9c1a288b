import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Setting, SettingChange } from '../../../electron/contract/api/settings.ts'
import {
  changeBody,
  changeTexts,
  checkedChanges,
  valueFor,
} from '../../../electron/core/settings/setting-change.ts'
import { parseSetting } from '../../../electron/core/settings/settings-json.ts'

const feature = { id: 'X', name: null, supported: [], minimum: null, maximum: null, restarts: null }
const setting = (over: Partial<Setting> & Pick<Setting, 'name' | 'kind'>): Setting => ({
  value: null,
  locked: false,
  feature: null,
  raw: null,
  ...over,
})

const settings: readonly Setting[] = [
  setting({ name: 'led', kind: 'on-off', value: true, locked: true }),
  setting({
    name: 'view',
    kind: 'choice',
    value: '_90deg',
    feature: { ...feature, kind: 'choice', supported: ['_90deg', '_120deg'] },
  }),
  setting({ name: 'mode', kind: 'choice', value: null }),
  setting({
    name: 'volume',
    kind: 'number',
    value: 3,
    feature: { ...feature, kind: 'number', minimum: 0, maximum: 10 },
  }),
  setting({ name: 'gain', kind: 'number', value: 0 }),
  setting({
    name: 'label',
    kind: 'text',
    value: 'Room 4',
    feature: { ...feature, kind: 'text', minimum: 2, maximum: 8 },
  }),
  setting({ name: 'doorPin', kind: 'text', value: '0042' }),
  setting({ name: 'riddle', kind: 'unknown' }),
]

const failureOf = (changes: readonly SettingChange[]): unknown => {
  try {
    checkedChanges(settings, changes)
    return null
  } catch (error) {
    return error instanceof Failed ? error.failure : error
  }
}

describe('a change of settings', () => {
  it('is one body with all four members for each, as the one observed client sends them', () => {
    const changes = checkedChanges(settings, [
      { name: 'led', value: 'off' },
      { name: 'view', value: '_120deg', locked: true },
      { name: 'volume', value: '4.0' },
      { name: 'label', value: 'Room 5' },
      { name: 'doorPin', value: '1' },
      { name: 'mode', value: 'quiet' },
    ])
    expect(changeBody(changes)).toEqual({
      settings: {
        led: { isLocked: true, isOn: false, selected: '0', value: 0 },
        view: { isLocked: true, isOn: false, selected: '_120deg', value: '_120deg' },
        volume: { isLocked: false, isOn: false, selected: '4', value: 4 },
        label: { isLocked: false, isOn: false, selected: 'Room 5', value: 'Room 5' },
        doorPin: { isLocked: false, isOn: true, selected: '1', value: '1' },
        mode: { isLocked: false, isOn: false, selected: 'quiet', value: 'quiet' },
      },
    })
  })

  it('of a text that the service has as a number stays a text, with the limits of its length', () => {
    const model = { ...feature, kind: 'text', minimum: 3, maximum: 8 } as const
    const read = [
      parseSetting('extension', { value: 1234 }, model),
      parseSetting('pin', { value: { '•••': 'key.digest', isNumber: true } }, model),
    ]
    expect(read[0] && valueFor(read[0], read[0].value ?? '')).toEqual({ value: '1234' })
    const changes = checkedChanges(read, [
      { name: 'extension', value: '5678' },
      { name: 'pin', value: '0042' },
    ])
    expect(changeBody(changes)).toEqual({
      settings: {
        extension: { isLocked: false, isOn: false, selected: '5678', value: '5678' },
        pin: { isLocked: false, isOn: false, selected: '0042', value: '0042' },
      },
    })
  })

  it('logs old and new values in the journal, without codes', () => {
    const changes = checkedChanges(settings, [
      { name: 'led', value: false },
      { name: 'mode', value: 'quiet' },
      { name: 'doorPin', value: '1234' },
    ])
    expect(changeTexts(changes)).toEqual({
      before: 'led=on; mode=not available; doorPin=•••',
      after: 'led=off; mode=quiet; doorPin=•••',
    })
  })

  it.each<[string, readonly SettingChange[], string, string]>([
    ['nothing', [], 'settings', 'Choose at least one setting.'],
    [
      'too much',
      Array.from({ length: 101 }, () => ({ name: 'led', value: true })),
      'settings',
      'At most 100 settings can be changed at once.',
    ],
    ['a setting twice', [{ name: 'led', value: true }, { name: 'led', value: false }], 'settings.led', 'The setting is named twice.'], // prettier-ignore
    [
      'a setting that the device does not have',
      [{ name: 'wings', value: true }],
      'settings.wings',
      'The device does not have this setting.',
    ],
    [
      'a member of every object',
      [{ name: 'constructor', value: true }],
      'settings.constructor',
      'The device does not have this setting.',
    ],
    ['neither on nor off', [{ name: 'led', value: 'maybe' }], 'settings.led', 'The value must be on or off.'],
    [
      'a choice that is not offered',
      [{ name: 'view', value: '_180deg' }],
      'settings.view',
      'The value must be one of: _90deg, _120deg.',
    ],
    ['no choice', [{ name: 'mode', value: ' ' }], 'settings.mode', 'The value is empty.'],
    [
      'no number',
      [{ name: 'volume', value: 'loud' }],
      'settings.volume',
      'The value must be a whole number.',
    ],
    ['a fraction', [{ name: 'volume', value: 3.5 }], 'settings.volume', 'The value must be a whole number.'],
    [
      'more than allowed',
      [{ name: 'volume', value: 11 }],
      'settings.volume',
      'The value must be from 0 to 10.',
    ],
    [
      'less than allowed',
      [{ name: 'volume', value: -1 }],
      'settings.volume',
      'The value must be from 0 to 10.',
    ],
    [
      'a text that is too short',
      [{ name: 'label', value: 'x' }],
      'settings.label',
      'The text must have from 2 to 8 characters.',
    ],
    [
      'a text that is too long',
      [{ name: 'label', value: 'far too long' }],
      'settings.label',
      'The text must have from 2 to 8 characters.',
    ],
    [
      'an endless text',
      [{ name: 'doorPin', value: '1'.repeat(10_001) }],
      'settings.doorPin',
      'The text must have at most 10000 characters.',
    ],
    [
      'half a character',
      [{ name: 'doorPin', value: '\ud800' }],
      'settings.doorPin',
      'The text contains an incomplete character.',
    ],
    [
      'a setting of an unknown kind',
      [{ name: 'riddle', value: 1 }],
      'settings.riddle',
      'The type of this setting is not known, so it cannot be changed.',
    ],
  ])('of %s is rejected with the reason', (_, changes, field, message) => {
    expect(failureOf(changes)).toEqual({ kind: 'invalid', field, message })
  })
})
