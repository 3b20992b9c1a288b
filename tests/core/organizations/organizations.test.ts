import { describe, expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { assumedValues } from '../../../electron/contract/organization.ts'
import { observedTemplates } from '../../../electron/contract/template.ts'
import { checkedDraft } from '../../../electron/core/organizations/profile-check.ts'
import { presets } from '../../../electron/core/organizations/presets.ts'
import { aDemonstration, aDraft, aHome, here, noKey, primaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

test('a first start has no organization and offers the three presets', async () => {
  const { organizations } = await aHome().start()
  expect(await organizations.list()).toEqual({
    organizations: [],
    presets,
    keychain: { available: true, reason: null, message: null },
    environmentKeyOf: null,
  })
  expect(await organizations.find(null)).toBeNull()
  expect(presets.map(({ name }) => name)).toEqual(['demonstration', 'jabra-plus', 'custom'])
})

test('an added organization is current, complete, and stored over a restart', async () => {
  const home = aHome()
  const first = await home.start()
  const added = await first.organizations.add(aDraft({ definitionLimit: ' 14.5.0 ', name: '  Aarhus  ' }))
  expect(added).toEqual({
    ...aDraft({ definitionLimit: '14.5.0' }),
    setByPolicy: false,
    id: added.id,
    managementOrigin: here,
    current: true,
    createdAt: home.clock.now(),
    keys: [
      { slot: 'primary', ...noKey },
      { slot: 'secondary', ...noKey },
    ],
    keyInUse: 'primary',
    regenerate: null,
    stoppedBecause: null,
  })
  await first.stop()
  const second = await home.start()
  expect(await second.organizations.find(null)).toEqual(added)
})

test('the last used organization is current; when it is removed the oldest replaces it', async () => {
  const { organizations } = await aHome().start()
  const a = await organizations.add(aDraft({ name: 'A' }))
  const b = await organizations.add(aDraft({ name: 'B' }))
  const c = await organizations.add(aDraft({ name: 'C' }))
  expect((await organizations.find(null))?.id).toBe(c.id)
  await organizations.use({ id: b.id })
  expect((await organizations.list()).organizations.map(({ name, current }) => [name, current])).toEqual([
    ['A', false],
    ['B', true],
    ['C', false],
  ])
  await organizations.remove({ id: b.id })
  expect((await organizations.find(null))?.id).toBe(a.id)
})

test('a query for the current organization is not affected by a later switch', async () => {
  const { organizations } = await aHome().start()
  const a = await organizations.add(aDraft({ name: 'A' }))
  const b = await organizations.add(aDraft({ name: 'B' }))
  const before = organizations.find(null)
  const using = organizations.use({ id: a.id })
  const after = using.then(() => organizations.find(null))
  expect([(await before)?.id, (await after)?.id]).toEqual([b.id, a.id])
})

test('events name the ids of the changed organizations, until the subscription ends', async () => {
  const { organizations } = await aHome().start()
  const heard: (readonly string[])[] = []
  const end = organizations.onChange((ids) => heard.push(ids))
  const a = await organizations.add(aDraft({ name: 'A' }))
  const b = await organizations.add(aDraft({ name: 'B' }))
  await organizations.use({ id: a.id })
  end()
  await organizations.use({ id: b.id })
  expect(heard).toEqual([[a.id], [b.id, a.id], [a.id, b.id]])
})

test.each([
  'get',
  'use',
  'remove',
  'setKey',
  'forgetKey',
  'checkKey',
  'update',
  'addresses',
  'budgetScope',
] as const)('%s of a missing organization is a failure that says so', async (call) => {
  const { organizations } = await aHome().start()
  const id = 'nobody'
  const calls = {
    get: () => organizations.get(id),
    use: () => organizations.use({ id }),
    remove: () => organizations.remove({ id }),
    setKey: () => organizations.setKey({ id, slot: 'primary', key: primaryKey }),
    forgetKey: () => organizations.forgetKey({ id, slot: 'primary' }),
    checkKey: () => organizations.checkKey({ id, slot: 'primary' }, async () => undefined),
    update: () => organizations.update({ id, draft: aDraft() }),
    addresses: () => organizations.addresses(id),
    budgetScope: () => organizations.budgetScope(id),
  }
  expect(await failureOf(calls[call])).toEqual({ kind: 'not-found', call: null, what: 'organization' })
})

test.each([
  [{ managementVersion: 0 }, 'managementVersion', 'The version must be a whole number from 1 to 999.'],
  [{ managementVersion: 2.5 }, 'managementVersion', 'The version must be a whole number from 1 to 999.'],
  [{ metadataVersion: 1000 }, 'metadataVersion', 'The version must be a whole number from 1 to 999.'],
  [{ metadataVersion: Number.NaN }, 'metadataVersion', 'The version must be a whole number from 1 to 999.'],
  [
    { family: ' ' },
    'family',
    'The device-model family must have 1 to 100 characters, such as "Brand SDK V4".',
  ],
  [
    { family: 'x'.repeat(101) },
    'family',
    'The device-model family must have 1 to 100 characters, such as "Brand SDK V4".',
  ],
  [
    { family: 'Brand%20SDK%20V4' },
    'family',
    'Write the device-model family with plain spaces; it is percent-encoded when it is sent.',
  ],
  [{ family: 'Brand\u0000SDK' }, 'family', 'The device-model family contains a control character.'],
  [{ vendorId: -1 }, 'vendorId', 'The vendor ID must be a whole number, such as 2830.'],
  [{ vendorId: 2 ** 31 }, 'vendorId', 'The vendor ID must be a whole number, such as 2830.'],
  [
    { definitionLimit: 'latest' },
    'definitionLimit',
    'The highest supported definition version must be a version of up to four numbers, such as 14.5.0.',
  ],
  [
    { definitionLimit: '1.2.3.4.5' },
    'definitionLimit',
    'The highest supported definition version must be a version of up to four numbers, such as 14.5.0.',
  ],
  [
    { templates: { ...observedTemplates, deviceSettings: 'GET /settings' } },
    'templates.deviceSettings',
    'The path must name {deviceId}.',
  ],
  [
    {
      templates: {
        ...observedTemplates,
        firmwareUpdate: 'POST /own/{deviceId}/firm',
        devicesWithSettings: 'POST /own/7/Firm/',
      },
    },
    'templates.devicesWithSettings',
    'A POST to this path changes a device: it cannot be used for reading.',
  ],
  [
    { templates: { ...observedTemplates, firmwareUpdate: 'GET /{deviceId}' } },
    'templates.firmwareUpdate',
    'The method must be POST or PATCH.',
  ],
  [
    { assumed: { ...assumedValues, buildTypes: [' ', ''] } },
    'assumed.buildTypes',
    'Name at least one build type, such as Release.',
  ],
  [
    { assumed: { ...assumedValues, platforms: ['x'.repeat(61)] } },
    'assumed.platforms',
    'A value is longer than 60 characters.',
  ],
  [
    { assumed: { ...assumedValues, platforms: ['Windows,macOS'] } },
    'assumed.platforms',
    'A value contains a comma, a line break or another control character.',
  ],
  [
    { assumed: { ...assumedValues, agentTypes: ['Room\nAgent'] } },
    'assumed.agentTypes',
    'A value contains a comma, a line break or another control character.',
  ],
  [
    { assumed: { ...assumedValues, agentTypes: Array.from({ length: 31 }, (_, at) => `A${at}`) } },
    'assumed.agentTypes',
    'The list has more than 30 values.',
  ],
])('a profile with %j is rejected', async (changed, field, message) => {
  const { organizations } = await aHome().start()
  expect(await failureOf(() => organizations.add(aDraft(changed)))).toEqual({
    kind: 'invalid',
    field,
    message,
  })
})

describe('the demonstration', () => {
  const draft = presets[0]?.draft ?? aDraft()

  test('needs no address; its addresses and key belong to this start and are not stored', async () => {
    const home = aHome()
    const { organizations } = await home.start({ demonstration: async () => aDemonstration })
    const { id } = await organizations.add(draft)
    expect(await organizations.addresses(id)).toEqual({
      managementUrl: aDemonstration.managementUrl,
      metadataUrl: aDemonstration.metadataUrl,
    })
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: aDemonstration.key })
    expect(organizations.get(id).keys).toEqual([
      { slot: 'primary', ...noKey, set: true, lastFour: 'tart', keptIn: 'demonstration' },
      { slot: 'secondary', ...noKey },
    ])
    expect([home.keychain.entries.size, organizations.get(id).managementUrl]).toEqual([0, ''])
    expect(organizations.scrubber.text(`the key is ${aDemonstration.key}.`)).toBe(
      'the key is [subscription key].',
    )
  })

  test('that does not start is tried again with the next call', async () => {
    let starts = 0
    const { organizations } = await aHome().start({
      demonstration: async () => {
        starts += 1
        if (starts === 1) throw new Failed({ kind: 'cancelled' })
        return aDemonstration
      },
    })
    const { id } = await organizations.add(draft)
    expect(await failureOf(() => organizations.addresses(id))).toEqual({ kind: 'cancelled' })
    expect((await organizations.addresses(id)).managementUrl).toBe(aDemonstration.managementUrl)
  })

  test('that ends is started again by the next call, with a new key and budget, and this is told', async () => {
    let running = aDemonstration
    const { organizations } = await aHome().start({ demonstration: async () => running })
    const { id } = await organizations.add(draft)
    const scope = await organizations.budgetScope(id)
    expect(organizations.problems()).toEqual([])
    running = { ...aDemonstration, managementUrl: 'http://127.0.0.1:2', key: 'second-start' }
    expect(await organizations.budgetScope(id)).not.toBe(scope)
    expect((await organizations.addresses(id)).managementUrl).toBe('http://127.0.0.1:2')
    expect((await organizations.keyRing(id).inUse(here)).key).toBe('second-start')
    expect(organizations.problems().map(({ done }) => done)).toEqual([
      'The demonstration service ended and was started again, with its data as at the first start.',
    ])
  })

  test('accepts no key', async () => {
    const { organizations } = await aHome().start()
    const { id } = await organizations.add(draft)
    expect(await failureOf(() => organizations.setKey({ id, slot: 'primary', key: primaryKey }))).toEqual({
      kind: 'invalid',
      field: 'key',
      message: 'The demonstration creates its own key at each start. You cannot set one.',
    })
    expect(await failureOf(() => organizations.slotRing(id, 'secondary').inUse(here))).toEqual({
      kind: 'key-missing',
    })
  })

  test('has a new call budget at each start', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(draft)
    const scope = await first.organizations.budgetScope(id)
    expect(await first.organizations.budgetScope(id)).toBe(scope)
    await first.stop()
    expect(await (await home.start()).organizations.budgetScope(id)).not.toBe(scope)
  })
})

test('a device-model family may have 100 characters', () => {
  const family = 'x'.repeat(100)
  expect(checkedDraft({ ...aDraft(), family }).family).toBe(family)
})
