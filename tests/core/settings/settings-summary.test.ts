import { beforeEach, describe, expect, it, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { demonstrationTemplates, openConnectedCore } from '../../connected-core.ts'
import type { FeatureSetting } from '../../../electron/contract/api/definitions.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import { mergedSettings, type SettingsOfProduct } from '../../../electron/core/settings/settings-summary.ts'

const feature = (changes: Partial<FeatureSetting> = {}): FeatureSetting => ({
  id: 'X',
  name: 'x',
  kind: 'choice',
  supported: [],
  minimum: null,
  maximum: null,
  restarts: false,
  ...changes,
})
const setting = (changes: Partial<Setting> = {}): Setting => ({
  name: 'x',
  kind: 'choice',
  value: null,
  locked: null,
  feature: null,
  raw: {},
  ...changes,
})
const product = (name: string, devices: number, ...settings: Setting[][]): SettingsOfProduct => ({
  product: name,
  devices,
  settings,
})

describe('a setting that several products have', () => {
  it('allows what all of them allow, and shows what only some do', () => {
    const [merged] = mergedSettings([
      product('A', 3, [setting({ value: 'b', feature: feature({ supported: ['a', 'b', 'c'] }) })]),
      product('B', 4, [
        setting({ value: 'c', locked: true, feature: feature({ supported: ['c', 'b'], restarts: true }) }),
      ]),
      product('C', 9, [setting({ name: 'other' })]),
    ]).filter(({ name }) => name === 'x')
    expect(merged).toEqual({
      name: 'x',
      kind: 'choice',
      kindsDiffer: false,
      devices: 7,
      products: ['A', 'B'],
      feature: feature({ supported: ['b', 'c'], restarts: true }),
      published: true,
      onlySome: ['a'],
      locked: true,
      values: ['b', 'c'],
      counts: null,
    })
  })

  it.each<[string, readonly (FeatureSetting | null)[], Partial<FeatureSetting> | null, boolean]>([
    [
      'limits are the narrowest',
      [feature({ minimum: 0, maximum: 10 }), feature({ minimum: 2, maximum: 20 })],
      { minimum: 2, maximum: 10 },
      true,
    ],
    [
      'one that is published for some only',
      [feature({ supported: ['a'] }), null],
      { supported: ['a'], restarts: null },
      false,
    ],
    ['one that is published for none', [null, null], null, false],
    [
      'a restart that is not stated for one',
      [feature({ restarts: false }), feature({ restarts: null })],
      { restarts: null },
      true,
    ],
    [
      'models of different kinds',
      [feature({ kind: 'text' }), feature({ kind: 'number' })],
      { kind: 'other' },
      true,
    ],
  ])('%s', (_what, features, expected, published) => {
    const [merged] = mergedSettings(
      features.map((one, i) => product(`P${i}`, 1, [setting({ feature: one })])),
    )
    expect([merged?.published, merged?.feature]).toEqual([
      published,
      expected === null ? null : feature(expected),
    ])
  })

  it('of different kinds cannot be set', () => {
    const [merged] = mergedSettings([
      product('A', 1, [setting({ kind: 'number' })], [setting({ kind: 'text' })]),
    ])
    expect([merged?.kind, merged?.kindsDiffer]).toEqual(['unknown', true])
  })
})

describe('settings over several devices of the demonstration', () => {
  let core: Core
  let service: Demonstration
  beforeEach(async () => {
    const opened = await openConnectedCore({ devices: 60, rooms: 8 })
    ;({ service, core } = opened)
    await opened.add({ family: 'Jabra SDK V4', templates: demonstrationTemplates })
    await core.handlers.sync.run()
    return opened.close
  })

  test('are unknown before any device was read; those of one device then apply to its product', async () => {
    const { devices } = core.handlers
    const selection = { kind: 'matching', where: '"panacast 50"', except: [] } as const
    const before = await devices.settingsSummary({ selection })
    expect(before.devices).toBeGreaterThan(1)
    expect([before.settings, before.products.map(({ read, readAt }) => [read, readAt])]).toEqual([
      [],
      before.products.map(() => [0, null]),
    ])
    const id = before.products[0]?.unreadId ?? ''
    await devices.settings({ id, refresh: true })
    const after = await devices.settingsSummary({ selection })
    expect(after.products[0]).toMatchObject({ devices: before.products[0]?.devices, read: 1 })
    expect(after.settings.find(({ name }) => name === 'fieldOfView')).toMatchObject({
      kind: 'choice',
      devices: before.products[0]?.devices,
      feature: { supported: ['_90deg', '_120deg', '_140deg', '_180deg'] },
      onlySome: [],
      counts: { values: [{ devices: 1 }], different: 1, devices: 1 },
    })
    expect(service.counts().arrivals['GetDeviceSettings']).toEqual({ 200: 1 })
  })

  test('are counted by value over all devices that were read, the most frequent value first', async () => {
    const { devices } = core.handlers
    const selection = { kind: 'matching', where: '', except: [] } as const
    await devices.readSettings({ selection })
    const values: unknown[] = []
    for (const { id } of (await devices.slice({ where: '', sort: [], start: 0, count: 100 })).rows) {
      const { settings } = await devices.settings({ id, refresh: false })
      values.push(...settings.flatMap(({ name, value }) => (name === 'sidetoneEnabled' ? [value] : [])))
    }
    const summary = await devices.settingsSummary({ selection })
    const counts = summary.settings.find(({ name }) => name === 'sidetoneEnabled')?.counts
    const expected = [true, false]
      .map((value) => ({ value, devices: values.filter((one) => one === value).length }))
      .filter((one) => one.devices > 0)
      .toSorted((a, b) => b.devices - a.devices)
    expect(counts).toEqual({
      values: expected,
      different: expected.length,
      devices: expected.reduce((sum, one) => sum + one.devices, 0),
    })
    expect(expected.length).toBeGreaterThan(1)
  })
})
