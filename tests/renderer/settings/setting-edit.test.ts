import { describe, expect, it } from 'vitest'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import {
  changeOf,
  isAsItIs,
  mayEdit,
  problemOf,
  editableValue,
  originalValue,
  type SettingValue,
} from '../../../renderer/settings/setting-edit.ts'

const feature = (changes: Partial<FeatureSetting>): FeatureSetting => ({
  id: 'X',
  name: 'x',
  kind: 'number',
  supported: [],
  minimum: null,
  maximum: null,
  restarts: null,
  ...changes,
})
const setting = (changes: Partial<Setting>): Setting => ({
  name: 'x',
  kind: 'number',
  value: 6,
  locked: null,
  feature: null,
  raw: {},
  ...changes,
})
const limits = feature({ minimum: 0, maximum: 10 })
const listed = feature({ kind: 'choice', supported: ['voice', 'off'] })
const lengths = feature({ kind: 'text', minimum: 2, maximum: 4 })

describe('a typed setting', () => {
  it.each<[Setting['kind'], FeatureSetting | null, SettingValue, string | null]>([
    ['number', limits, '10', null],
    ['number', limits, ' 3 ', null],
    ['number', limits, '11', 'Enter a number from 0 to 10'],
    ['number', limits, '-1', 'Enter a number from 0 to 10'],
    ['number', feature({ minimum: 5 }), '4', 'Enter a number from 5 to …'],
    ['number', null, '', 'Enter a whole number'],
    ['number', null, '3.5', 'Enter a whole number'],
    ['number', null, '1e3', 'Enter a whole number'],
    ['number', null, '9'.repeat(16), 'Enter a whole number'],
    ['choice', listed, 'off', null],
    ['choice', listed, 'loud', 'This value is not allowed'],
    ['choice', listed, '  ', 'Enter a value'],
    ['choice', null, 'anything', null],
    ['choice', feature({ kind: 'choice' }), 'anything', null],
    ['text', lengths, 'abc', null],
    ['text', lengths, 'abcdef', '2 characters too long'],
    ['text', lengths, 'a', 'Enter at least 2 characters'],
    ['text', null, '', null],
    ['text', null, 'x'.repeat(10_001), '1 characters too long'],
    ['on-off', null, false, null],
  ])('%s %o: %s', (kind, model, typed, problem) =>
    expect(problemOf({ name: 'x', kind, feature: model }, typed)).toBe(problem),
  )

  it.each<[Setting['kind'], SettingValue, unknown]>([
    ['number', ' 4 ', { name: 'x', value: 4 }],
    ['choice', ' off ', { name: 'x', value: 'off' }],
    ['text', ' two ', { name: 'x', value: ' two ' }],
    ['text', '0042', { name: 'x', value: '0042' }],
    ['on-off', true, { name: 'x', value: true }],
  ])('is sent as its kind: %s %s', (kind, typed, change) =>
    expect(changeOf({ name: 'x', kind, feature: null }, { typed, opensLock: false })).toEqual(change),
  )

  it('opens a lock only on request', () => {
    expect(changeOf(setting({ locked: true }), { typed: '6', opensLock: true })).toEqual({
      name: 'x',
      value: 6,
      locked: false,
    })
  })
  it.each<[Partial<Setting>, boolean]>([
    [{}, true],
    [{ kind: 'unknown', value: null }, false],
    [{ value: null }, false],
    [{ kind: 'on-off', value: false }, true],
    [{ kind: 'text', value: '' }, true],
  ])('may be edited: %o', (changes, may) => expect(mayEdit(setting(changes))).toBe(may))
  it('equal to the current one is not an edit, but an opened lock is', () => {
    expect({
      same: isAsItIs(setting({}), { typed: '6', opensLock: false }),
      opened: isAsItIs(setting({}), { typed: '6', opensLock: true }),
    }).toEqual({ same: true, opened: false })
  })
})

describe('a hidden value', () => {
  const hidden = setting({ kind: 'text', value: '•••', hidden: 'key.digest' })

  it('cannot be extended: its field is empty, and stays unchanged while nothing is typed', () => {
    expect([
      editableValue(hidden),
      editableValue(setting({})),
      isAsItIs(hidden, { typed: '', opensLock: false }),
      isAsItIs(hidden, { typed: '•••', opensLock: false }),
    ]).toEqual(['', 6, true, false])
  })

  it('is compared by its digest, so that another one is a conflict', () => {
    expect([
      originalValue(hidden),
      originalValue({ ...hidden, hidden: 'key.other' }),
      originalValue(setting({})),
    ]).toEqual(['key.digest', 'key.other', 6])
  })
})
