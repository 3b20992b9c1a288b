import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { SettingDrift } from '../../../electron/contract/api/golden-profiles.ts'
import type { Setting, SettingChange } from '../../../electron/contract/api/settings.ts'
import { driftFrom, notAllowed, stateBy } from '../../../electron/core/golden-profiles/setting-drift.ts'

const feature = (changes: Partial<FeatureSetting>): FeatureSetting => ({
  id: 'X',
  name: 'x',
  kind: 'choice',
  supported: [],
  minimum: null,
  maximum: null,
  restarts: null,
  ...changes,
})
const setting = (changes: Partial<Setting>): Setting => ({
  name: 'x',
  kind: 'choice',
  value: 'a',
  locked: false,
  feature: null,
  raw: null,
  ...changes,
})
const allowed = feature({ supported: ['a', 'b'] })
const limited = feature({ kind: 'number', minimum: 0, maximum: 10 })
const oneOf = 'The value must be one of: a, b.'

describe('a setting compared with the wanted value', () => {
  it.each<
    [
      string,
      Partial<Setting> | null,
      Pick<SettingChange, 'value' | 'locked'>,
      Omit<SettingDrift, 'name'> | null,
    ]
  >([
    ['the value it has', {}, { value: 'a' }, null],
    ['another value', {}, { value: 'b' }, { reason: 'value', now: 'a', wanted: 'b', refused: null }],
    ['on, wanted as a text', { kind: 'on-off', value: true }, { value: 'on' }, null],
    [
      'on, wanted off',
      { kind: 'on-off', value: true },
      { value: false },
      { reason: 'value', now: 'on', wanted: 'off', refused: null },
    ],
    ['a number, wanted as text', { kind: 'number', value: 3 }, { value: ' 3.0' }, null],
    [
      'a text of digits, which is no number',
      { kind: 'text', value: '0042' },
      { value: '42' },
      { reason: 'value', now: '0042', wanted: '42', refused: null },
    ],
    ['no such setting', null, { value: true }, { reason: 'missing', now: null, wanted: 'on', refused: null }],
    [
      'no value',
      { value: null },
      { value: 'a' },
      { reason: 'no-value', now: null, wanted: 'a', refused: null },
    ],
    [
      'a setting of an unknown kind',
      { kind: 'unknown', value: null },
      { value: 'a' },
      {
        reason: 'no-value',
        now: null,
        wanted: 'a',
        refused: 'The type of this setting is not known, so it cannot be changed.',
      },
    ],
    [
      'a wanted value that its model does not allow',
      { feature: allowed },
      { value: 'c' },
      { reason: 'value', now: 'a', wanted: 'c', refused: oneOf },
    ],
    [
      'the wanted value, which its model does not allow',
      { value: 'c', feature: allowed },
      { value: 'c' },
      { reason: 'not-allowed', now: 'c', wanted: 'c', refused: oneOf },
    ],
    [
      'the value, unlocked though the lock is wanted',
      {},
      { value: 'a', locked: true },
      { reason: 'lock', now: 'a', wanted: 'a', refused: null },
    ],
    ['the value, if a missing lock means unlocked', { locked: null }, { value: 'a', locked: false }, null],
    [
      'the value, if a lock is wanted and a missing one means unlocked',
      { locked: null },
      { value: 'a', locked: true },
      { reason: 'lock', now: 'a', wanted: 'a', refused: null },
    ],
    ['locked, if no lock is wanted', { locked: true }, { value: 'a' }, null],
  ])('%s', (_what, has, wants, expected) => {
    const found = driftFrom(
      [{ name: 'x', ...wants }],
      has === null ? [setting({ name: 'other' })] : [setting(has)],
    )
    const mark = has !== null && has.kind === undefined ? { isChoice: true } : {}
    expect(found).toEqual(expected === null ? [] : [{ name: 'x', ...mark, ...expected }])
  })

  it('says whether its values are a choice: others may be typed text', () => {
    const found = driftFrom(
      ['choice', 'text', 'missing'].map((name) => ({ name, value: 'minus3dB' })),
      [setting({ name: 'choice' }), setting({ name: 'text', kind: 'text' })],
    )
    expect(found.map(({ isChoice }) => isChoice)).toEqual([true, undefined, undefined])
  })

  it('shows no password of the device', () => {
    const [drift] = driftFrom(
      [{ name: 'adminPassword', value: 'wanted' }],
      [setting({ name: 'adminPassword', kind: 'text', value: 'secret' })],
    )
    expect([drift?.now, drift?.wanted]).toEqual(['•••', '•••'])
  })

  it('shortens a value longer than a line', () => {
    const [drift] = driftFrom(
      [{ name: 'x', value: 'b' }],
      [setting({ kind: 'text', value: 'a'.repeat(5_000) })],
    )
    expect(drift?.now).toBe(`${'a'.repeat(200)}…`)
  })
})

describe('a device', () => {
  const drift = (reason: SettingDrift['reason']): SettingDrift => ({
    name: 'x',
    reason,
    now: null,
    wanted: null,
    refused: null,
  })
  it.each([
    [[], 'as-wanted'],
    [['value'], 'drifted'],
    [['lock'], 'drifted'],
    [['not-allowed'], 'drifted'],
    [['missing', 'no-value'], 'not-available'],
    [['missing', 'value'], 'drifted'],
  ] as const)('with %j is %s', (reasons, state) => {
    expect(stateBy(reasons.map(drift))).toBe(state)
  })
})

describe('values that are not allowed', () => {
  it('are listed with the reason, and without a feature model everything is allowed', () => {
    const settings = [
      setting({ name: 'fine', value: 'b', feature: allowed }),
      setting({ name: 'other', value: 'z', feature: allowed }),
      setting({ name: 'unpublished', value: 'z' }),
      setting({ name: 'empty', value: null, feature: allowed }),
      setting({ name: 'loud', kind: 'number', value: 11, feature: limited }),
    ]
    expect(notAllowed(settings)).toEqual([
      { name: 'other', isChoice: true, reason: 'not-allowed', now: 'z', wanted: null, refused: oneOf },
      {
        name: 'loud',
        reason: 'not-allowed',
        now: '11',
        wanted: null,
        refused: 'The value must be from 0 to 10.',
      },
    ])
  })
})

it('a golden profile made of the allowed values of a device matches that device', () => {
  const value = fc.oneof(
    fc.boolean().map((one) => ({ kind: 'on-off' as const, value: one })),
    fc.stringMatching(/^[a-z0-9_]{1,8}$/).map((one) => ({ kind: 'choice' as const, value: one })),
    fc.integer().map((one) => ({ kind: 'number' as const, value: one })),
    fc.string().map((one) => ({ kind: 'text' as const, value: one })),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.boolean()), { maxLength: 20 }), (values) => {
      const settings = values.map(([one, locked], index) =>
        setting({ ...one, name: `setting${index}`, locked }),
      )
      const wanted = settings.map(({ name, value: has, locked }) => ({
        name,
        value: has ?? '',
        locked: locked === true,
      }))
      expect(driftFrom(wanted, settings)).toEqual([])
    }),
  )
})
