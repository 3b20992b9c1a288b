import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openSettingsRows, type SettingsRows } from '../../../electron/core/settings/settings-rows.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { settingDifferences } from '../../../electron/core/settings/setting-differences.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const of = (settings: Json): Json => ({ settings })

describe('settings of a device read twice', () => {
  it.each<[string, Json, Json, readonly (readonly [string | null, string | null])[]]>([
    ['the same', of({ a: { isOn: true } }), of({ a: { isOn: true } }), []],
    [
      'in another order',
      of({ a: { isOn: true }, b: { value: 1 } }),
      of({ b: { value: 1 }, a: { isOn: true } }),
      [],
    ],
    ['on and off', of({ a: { isOn: true } }), of({ a: { isOn: false } }), [['a: on', 'a: off']]],
    [
      'another choice',
      of({ view: { selected: '_90deg' } }),
      of({ view: { selected: '_120deg' } }),
      [['view: _90deg', 'view: _120deg']],
    ],
    ['a number, then the same as text', of({ a: { value: 4 } }), of({ a: { value: '4' } }), []],
    ['a word for a truth value', of({ a: { isOn: 'true' } }), of({ a: { isOn: true } }), []],
    [
      'locked in between',
      of({ a: { isOn: true, isLocked: false } }),
      of({ a: { isOn: true, isLocked: true } }),
      [],
    ],
    ['not reported before', of({ a: { selected: null } }), of({ a: { selected: 'x' } }), []],
    ['no longer reported', of({ a: { selected: 'x' } }), of({ a: null }), []],
    ['new with other firmware', of({}), of({ a: { isOn: true } }), []],
    ['without one that was there', of({ a: { isOn: true } }), of({}), []],
    ['of an unknown kind', of({ a: { range: [1] } }), of({ a: { range: [2] } }), []],
    [
      'a code',
      of({ roomPinCode: { value: '0042' } }),
      of({ roomPinCode: { value: '0043' } }),
      [['roomPinCode: •••', 'roomPinCode: •••']],
    ],
    [
      'named like a member of every object',
      of({ constructor: { value: 1 } }),
      of({ constructor: { value: 2 } }),
      [['constructor: 1', 'constructor: 2']],
    ],
    ['no settings at all', null, 'x', []],
  ])('%s', (_what, before, after, found) => {
    expect(settingDifferences(before, after)).toEqual(
      found.map(([was, is]) => ({ kind: 'setting-changed', before: was, after: is })),
    )
  })
})

describe('recorded changes of a response', () => {
  let home: TemporaryHome
  let store: Store
  let rows: SettingsRows
  const answer = (volume: number, observedAt: number) => ({
    deviceId: 'd1',
    json: of({ volume: { value: volume }, led: { isOn: true } }),
    observedAt,
  })
  const recorded = async (): Promise<unknown> =>
    (
      await store.database.query(
        'SELECT organization_id, subject, subject_id, subject_name, kind, before, after, observed_at FROM change ORDER BY id',
      )
    ).map((row) => Object.values(row).join(' '))

  beforeEach(async () => {
    home = new TemporaryHome()
    store = await home.openStore(new FakeClock())
    rows = openSettingsRows(store, 'nordlys')
  })
  afterEach(() => home.remove())

  it('appear once, when the value differs', async () => {
    expect(await rows.keep([answer(5, 100)])).toBe(0)
    expect(await rows.keep([answer(7, 200)])).toBe(1)
    expect(await rows.keep([answer(7, 300)])).toBe(0)
    expect(await recorded()).toEqual(['nordlys device d1 d1 setting-changed volume: 5 volume: 7 200'])
  })

  it('appear also when the cached settings were cleared after one of our own writes', async () => {
    await rows.keep([answer(5, 100)])
    await rows.forget('d1')
    expect(await rows.find('d1')).toBe(null)
    // A read immediately after a write may still show the old value (services.md#B24).
    await rows.keep([answer(5, 200)])
    await rows.forget('d1')
    await rows.keep([answer(7, 300)])
    expect(await recorded()).toEqual(['nordlys device d1 d1 setting-changed volume: 5 volume: 7 300'])
    expect(await rows.find('d1')).toMatchObject({ observedAt: 300 })
  })

  it('do not appear for a response older than the known one, nor for another organization', async () => {
    await rows.keep([answer(5, 200)])
    await rows.keep([answer(7, 100)])
    await openSettingsRows(store, 'other').keep([answer(9, 300)])
    expect(await recorded()).toEqual([])
  })
})
