import { expect, it } from 'vitest'
import type { DefinitionItem, DevicesAtRisk } from '../../../electron/contract/api/definitions.ts'
import type { Setting } from '../../../electron/contract/api/settings.ts'
import { allows } from '../../../electron/core/definitions/devices-at-risk.ts'
import type { CachedValues } from '../../../electron/core/settings/settings.ts'
import { definitionsRig, featurePath, item, propertiesPath, query } from './a-definitions-rig.ts'

const to = '3.0.0'
const model = (lists: Record<string, readonly Record<string, string | number | readonly string[]>[]>) => ({
  settings: lists,
  settingIds: { sound: 'SOUND', volume: 'VOLUME', name: 'NAME', old: 'OLD', same: 'SAME' },
})
const before = model({
  listSettings: [
    { settingId: 'SOUND', supportedValues: ['normal', 'bass', 'treble'] },
    { settingId: 'OLD', supportedValues: ['on', 'off'] },
    { settingId: 'SAME', supportedValues: ['a'] },
  ],
  numberSettings: [{ settingId: 'VOLUME', minimumValue: 0, maximumValue: 12 }],
  stringSettings: [{ settingId: 'NAME', maximumLength: 32 }],
})
const after = model({
  listSettings: [
    { settingId: 'SOUND', supportedValues: ['bass', 'normal'] },
    { settingId: 'SAME', supportedValues: ['a'] },
  ],
  numberSettings: [{ settingId: 'VOLUME', minimumValue: 0, maximumValue: 7 }],
  stringSettings: [{ settingId: 'NAME', maximumLength: 8 }],
})

const setting = (name: string, value: Setting['value'], more: Partial<Setting> = {}): Setting => ({
  name,
  kind: 'unknown',
  value,
  locked: null,
  feature: null,
  raw: null,
  ...more,
})
const read = (deviceId: string, settings: readonly Setting[], observedAt = 5): CachedValues => ({
  deviceIds: [deviceId],
  settings,
  observedAt,
})
const unread = (deviceId: string): CachedValues => ({
  deviceIds: [deviceId],
  settings: null,
  observedAt: null,
})

async function risk(devices: readonly CachedValues[], firmware = { from: query.firmwareVersion, to }) {
  const requested: (readonly string[])[] = []
  const { definitions, service } = definitionsRig({
    cachedValues: async (_, names) => {
      requested.push(names)
      return devices
    },
  })
  service.set(featurePath, before).set(featurePath.replace('2.9.2', to), after)
  const found = await definitions.firmwareDifference({ ...query, ...firmware })
  return { devices: found.devices, requested }
}

it('counts devices only by settings that change or vanish', async () => {
  const found = await risk([
    read('still allowed', [setting('sound', 'bass'), setting('volume', 7), setting('name', 'short')]),
    read('value withdrawn', [setting('sound', 'treble')], 3),
    read('above the limit', [setting('volume', 8)]),
    read('too long', [setting('name', 'longer than eight')]),
    read('setting vanishes', [setting('old', 'on')]),
    read('not available', [setting('sound', null), setting('old', null)]),
    read('hidden', [setting('name', '•••', { hidden: 'digest' })]),
    read('has none of them', []),
    unread('never read'),
  ])
  expect(found).toEqual({
    requested: [['old', 'name', 'sound', 'volume']],
    devices: {
      total: 9,
      allowed: 3,
      notAllowed: 4,
      unknown: 2,
      ids: ['above the limit', 'setting vanishes', 'too long', 'value withdrawn'],
      unknownIds: ['hidden', 'never read'],
      oldestAt: 3,
    } satisfies DevicesAtRisk,
  })
})

it('a setting that another document of the new version still has does not vanish', async () => {
  const { definitions, service } = definitionsRig({
    cachedValues: async () => [read('a', [setting('old', 'on')])],
  })
  const properties = (firmware: string): string => propertiesPath.replace('2.9.2', firmware)
  const old = { valueType: { type: 'string', enum: ['on', 'off'] }, read: [{}] }
  const published = { definitionVersion: '14.5.0', properties: { old } }
  service.set(featurePath, before).set(featurePath.replace('2.9.2', to), after)
  service.set(properties('2.9.2'), published).set(properties(to), published)
  const { removed, devices } = await definitions.firmwareDifference({ ...query, from: '2.9.2', to })
  expect([removed.map(({ name }) => name), devices.ids]).toEqual([['old'], []])
})

it('changes nothing between equal versions, so every device is allowed', async () => {
  const { devices } = await risk([read('a', [setting('sound', 'treble')]), unread('b')], { from: to, to })
  expect(devices).toEqual({
    total: 2,
    allowed: 2,
    notAllowed: 0,
    unknown: 0,
    ids: [],
    unknownIds: [],
    oldestAt: null,
  })
})

it('knows of no device where nothing could be compared', async () => {
  const { definitions } = definitionsRig({
    cachedValues: async () => [read('b', [setting('sound', 'treble')]), unread('a')],
  })
  const { compared, devices } = await definitions.firmwareDifference({ ...query, from: '2.9.2', to })
  expect([compared, devices]).toEqual([
    [],
    { total: 2, allowed: 0, notAllowed: 0, unknown: 2, ids: [], unknownIds: ['a', 'b'], oldestAt: null },
  ])
})

it('counts devices for each line of two selections, and for no other line', async () => {
  const { definitions, service } = definitionsRig({
    cachedValues: async () => [
      read('withdrawn', [setting('sound', 'treble'), setting('volume', 7)]),
      read('both', [setting('sound', 'treble'), setting('volume', 8)]),
      read('vanishes', [setting('old', 'on')]),
      unread('never read'),
    ],
  })
  service.set(featurePath, before).set(featurePath.replace('2.9.2', to), after)
  const { variantType, firmwareVersion, ...product } = query
  const selection = {
    product,
    variantType,
    firmwareVersion,
    schemaVersion: null,
    definitionVersion: null,
    trimmed: false,
    source: 'service' as const,
  }
  const { yours } = await definitions.compare({
    left: selection,
    right: { ...selection, firmwareVersion: to },
    kinds: ['feature-model'],
  })
  expect({ ...yours, lines: yours?.lines.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }).toEqual({
    total: 4,
    lines: [
      { source: 'feature-model', name: 'old', devices: 1 },
      { source: 'feature-model', name: 'sound', devices: 2 },
      { source: 'feature-model', name: 'volume', devices: 1 },
    ],
  })
})

it('counts no devices between two products', async () => {
  const { definitions, service } = definitionsRig({
    cachedValues: async () => [read('a', [setting('sound', 'treble')])],
  })
  service.set(featurePath, before).set(featurePath.replace('9395', '9396'), after)
  const { variantType, firmwareVersion, ...product } = query
  const left = {
    product,
    variantType,
    firmwareVersion,
    schemaVersion: null,
    definitionVersion: null,
    trimmed: false,
    source: 'service' as const,
  }
  const right = { ...left, product: { ...product, productId: 9396 } }
  expect((await definitions.compare({ left, right, kinds: ['feature-model'] })).yours).toBe(null)
})

it('counts the same as a plain loop over all devices', async () => {
  const values = ['normal', 'bass', 'treble', null] as const
  const devices = Array.from({ length: 500 }, (_, index) =>
    index % 7 === 0
      ? unread(`d${index}`)
      : read(`d${index}`, [setting('sound', values[index % 4] ?? null), setting('volume', index % 13)]),
  )
  let [allowed, notAllowed, unknown] = [0, 0, 0]
  for (let index = 0; index < 500; index++) {
    if (index % 7 === 0) unknown++
    else if (values[index % 4] === 'treble' || index % 13 > 7) notAllowed++
    else allowed++
  }
  expect((await risk(devices)).devices).toMatchObject({ total: 500, allowed, notAllowed, unknown })
})

it.each<[string, Partial<DefinitionItem>, string | number | boolean, boolean]>([
  ['a number among texts', { allowed: ['1', '2'] }, 2, true],
  ['a value that is not listed', { allowed: ['a'] }, 'b', false],
  ['a number within limits', { minimum: 1, maximum: 3 }, 3, true],
  ['a number below', { minimum: 1 }, 0, false],
  ['a text instead of a number', { type: 'integer' }, 'bass', false],
  ['a text instead of a boolean', { type: 'Boolean' }, 'bass', false],
  ['a switch', { type: 'boolean' }, true, true],
  ['a text that is too short', { minLength: 3 }, 'ab', false],
  ['any value, if no rule is stated', {}, 'x', true],
])('%s', (_, changes, value, expected) => {
  expect(allows(item(changes), value)).toBe(expected)
})
