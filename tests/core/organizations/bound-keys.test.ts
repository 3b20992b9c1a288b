import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { aDraft, aHome, here, keyOf, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'
import { aHomeWithKeys, calling, editAddress, elsewhere, keys, slots } from './a-home-with-keys.ts'

describe.each(slots)('a %s key that is bound to another host', (slot) => {
  const notBound = { kind: 'key-not-bound', slot, boundTo: elsewhere, wouldGoTo: here }

  test('is not sent, and its card shows that from then on', async () => {
    const { organizations, id } = await aHomeWithKeys([slot])
    const reported: (readonly string[])[] = []
    organizations.onChange((ids) => reported.push(ids))
    expect(keyOf(organizations, id, slot)?.notBound).toBeNull()
    const ring = organizations.slotRing(id, slot)
    expect(await calling(organizations, id, { ring })).toEqual({ failure: notBound, sent: [] })
    expect(await calling(organizations, id, { ring })).toEqual({ failure: notBound, sent: [] })
    expect([keyOf(organizations, id, slot)?.notBound, reported]).toEqual([{ boundTo: elsewhere }, [[id]]])
  })

  test('does not affect the other key, which is still sent', async () => {
    const { organizations, id } = await aHomeWithKeys([slot])
    const other = slot === 'primary' ? 'secondary' : 'primary'
    expect(await calling(organizations, id, { ring: organizations.slotRing(id, other) })).toEqual({
      failure: null,
      sent: [['management.example', keys[other]]],
    })
  })
})

test('a refused key beside one that is bound to another host does not cause that one to be sent', async () => {
  const { organizations, id } = await aHomeWithKeys(['secondary'])
  const onlySecondary = { accepts: [secondaryKey] }
  expect(await calling(organizations, id, onlySecondary)).toEqual({
    failure: { kind: 'key-not-bound', slot: 'secondary', boundTo: elsewhere, wouldGoTo: here },
    sent: [['management.example', primaryKey]],
  })
  expect(await calling(organizations, id, onlySecondary)).toEqual({
    failure: { kind: 'key-refused', slot: 'primary', message: 'Access denied' },
    sent: [],
  })
})

describe('an address changed in the workbook file', () => {
  test.each<[from: string, to: string, boundTo: string, wouldGoTo: string]>([
    [here, elsewhere, here, elsewhere],
    [here, `${here}:8443`, here, `${here}:8443`],
    [here, 'http://management.example', here, 'http://management.example'],
    [here, 'https://management.example@elsewhere.example', here, elsewhere],
    [here, 'https://management.example.', here, 'https://management.example.'],
    [
      here,
      'https://management.example.elsewhere.example',
      here,
      'https://management.example.elsewhere.example',
    ],
    [here, 'https://mаnagement.example', here, 'https://xn--mnagement-0yh.example'],
    [`${here}:8443`, here, `${here}:8443`, here],
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4101', 'http://127.0.0.1:4100', 'http://127.0.0.1:4101'],
    ['http://127.0.0.1:4100', 'http://localhost:4100', 'http://127.0.0.1:4100', 'http://localhost:4100'],
  ])(
    'from %s to %s receives neither key, and the failure names both',
    async (from, to, boundTo, wouldGoTo) => {
      const { organizations, id } = await aHomeWithKeys([], aDraft({ managementUrl: from }), to)
      for (const slot of slots) {
        expect(await calling(organizations, id, { ring: organizations.slotRing(id, slot) })).toEqual({
          failure: { kind: 'key-not-bound', slot, boundTo, wouldGoTo },
          sent: [],
        })
        expect(keyOf(organizations, id, slot)?.notBound).toEqual({ boundTo })
      }
      expect(await calling(organizations, id)).toMatchObject({ sent: [] })
      expect(organizations.get(id).stoppedBecause).toBeNull()
    },
  )

  test.each([`${here}/tenant/api`, `${here}:443`, 'https://MANAGEMENT.example/'])(
    'to %s is the same origin: the key is sent',
    async (to) => {
      const { organizations, id } = await aHomeWithKeys([], aDraft(), to)
      expect(await calling(organizations, id)).toEqual({
        failure: null,
        sent: [['management.example', primaryKey]],
      })
    },
  )

  test('and corrected in the program does not require a key again that is bound to the corrected address', async () => {
    const { home, organizations, id } = await aHomeWithKeys(['secondary'], aDraft(), elsewhere)
    for (const slot of slots) await calling(organizations, id, { ring: organizations.slotRing(id, slot) })
    const { keys: reported } = await organizations.update({ id, draft: aDraft() })
    expect([reported.map(({ set }) => set), [...home.keychain.entries.values()]]).toEqual([
      [true, false],
      [`${primaryKey} ${here}`],
    ])
    expect(await calling(organizations, id)).toEqual({
      failure: null,
      sent: [['management.example', primaryKey]],
    })
  })

  test('of an organization that becomes a demonstration leaves no key behind, even one for another host', async () => {
    const { home, organizations, id } = await aHomeWithKeys(['primary', 'secondary'])
    await calling(organizations, id)
    await organizations.update({ id, draft: aDraft({ preset: 'demonstration' }) })
    expect(home.keychain.entries.size).toBe(0)
  })

  test.each(['nothing', '', 'https://', 'https://a b'])(
    'to %j, which is invalid, still lists the organization and accepts no key',
    async (to) => {
      const { organizations, id } = await aHomeWithKeys([], aDraft(), to)
      expect((await organizations.list()).organizations.map(({ managementUrl }) => managementUrl)).toEqual([
        to,
      ])
      expect(
        await failureOf(() => organizations.setKey({ id, slot: 'primary', key: 'another-key' })),
      ).toEqual({
        kind: 'invalid',
        field: 'managementUrl',
        message:
          'The organization has no usable management address. Correct the address before you enter a key.',
      })
    },
  )

  test('receives the key once it is entered again', async () => {
    const { organizations, id } = await aHomeWithKeys([], aDraft(), elsewhere)
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await calling(organizations, id)).toEqual({
      failure: null,
      sent: [['elsewhere.example', primaryKey]],
    })
  })

  test('of one organization to that of another sends neither one the key of the other', async () => {
    const { home, organizations, workbook, id, stop } = await aHomeWithKeys()
    const other = await organizations.add(aDraft({ name: 'Other', managementUrl: elsewhere }))
    await organizations.setKey({ id: other.id, slot: 'primary', key: 'key-of-the-other-one' })
    await editAddress(workbook, id, elsewhere)
    await editAddress(workbook, other.id, here)
    await stop()
    const again = (await home.start()).organizations
    expect([await calling(again, id), await calling(again, other.id)]).toEqual([
      { failure: { kind: 'key-not-bound', slot: 'primary', boundTo: here, wouldGoTo: elsewhere }, sent: [] },
      { failure: { kind: 'key-not-bound', slot: 'primary', boundTo: elsewhere, wouldGoTo: here }, sent: [] },
    ])
  })
})

test('a key held in memory for this run is not sent to another host either', async () => {
  const home = aHome()
  home.keychain.problem = 'no-bus'
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect(await calling(organizations, id, { path: '@elsewhere.example/api' })).toEqual({
    failure: { kind: 'key-not-bound', slot: 'primary', boundTo: here, wouldGoTo: elsewhere },
    sent: [],
  })
  expect(await calling(organizations, id)).toMatchObject({ failure: null })
})

test.each([
  ['@elsewhere.example/api', elsewhere],
  ['.elsewhere.example/api', 'https://management.example.elsewhere.example'],
  [':8443/api', `${here}:8443`],
])('receives no key when a path %s leads away from it', async (path, wouldGoTo) => {
  const { organizations, id } = await aHomeWithKeys()
  for (const ring of [organizations.keyRing(id), organizations.slotRing(id, 'primary')])
    expect(await calling(organizations, id, { ring, path })).toEqual({
      failure: { kind: 'key-not-bound', slot: 'primary', boundTo: here, wouldGoTo },
      sent: [],
    })
})

test('a rotation keeps the binding of each key, and binds the new key like the old one', async () => {
  const { home, organizations, workbook, id, stop } = await aHomeWithKeys()
  await organizations.useKey({ id, slot: 'secondary' })
  expect(await calling(organizations, id)).toEqual({
    failure: null,
    sent: [['management.example', secondaryKey]],
  })
  await organizations.keyRegenerated({ id, slot: 'primary' })
  await organizations.setKey({ id, slot: 'primary', key: 'regenerated-primary-key' })
  await organizations.useKey({ id, slot: 'primary' })
  expect([...home.keychain.entries]).toEqual([
    [`${id}:primary`, `regenerated-primary-key ${here}`],
    [`${id}:secondary`, `${secondaryKey} ${here}`],
  ])
  await editAddress(workbook, id, elsewhere)
  await stop()
  expect(await calling((await home.start()).organizations, id)).toEqual({
    failure: { kind: 'key-not-bound', slot: 'primary', boundTo: here, wouldGoTo: elsewhere },
    sent: [],
  })
})

test('one key entered for two hosts shares one budget, and goes to each host from its own organization', async () => {
  const { organizations } = await aHome().start()
  const a = await organizations.add(aDraft({ name: 'A' }))
  const b = await organizations.add(aDraft({ name: 'B', managementUrl: elsewhere }))
  for (const { id } of [a, b]) await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect([(await calling(organizations, a.id)).sent, (await calling(organizations, b.id)).sent]).toEqual([
    [['management.example', primaryKey]],
    [['elsewhere.example', primaryKey]],
  ])
  expect(await organizations.budgetScope(a.id)).toBe(await organizations.budgetScope(b.id))
})

describe.each([
  '',
  primaryKey,
  `${primaryKey}\n`,
  `${primaryKey} ${here}/path`,
  `${primaryKey} ${here} more`,
  `${primaryKey} technician@elsewhere`,
  'a text of another program',
])('a keychain entry that contains %j', (entry) => {
  const unreadable = { kind: 'key-unreadable', slot: 'primary' }
  const ugly = async () => {
    const known = await aHomeWithKeys()
    known.home.keychain.entries.set(`${known.id}:primary`, entry)
    return known
  }

  test('is reported, not sent, and not overwritten', async () => {
    const { home, organizations, id } = await ugly()
    expect(await calling(organizations, id)).toEqual({ failure: unreadable, sent: [] })
    await organizations.useKey({ id, slot: 'secondary' })
    await organizations.useKey({ id, slot: 'primary' })
    expect(home.keychain.entries.get(`${id}:primary`)).toBe(entry)
    expect(keyOf(organizations, id)?.set).toBe(true)
  })

  test('does not prevent removing the other key from stored texts', async () => {
    const { organizations } = await ugly()
    const scrub = await organizations.keyScrubber()
    expect(scrub(`called with ${secondaryKey}`)).toBe('called with [subscription key]')
  })

  test('is replaced when the technician enters the key', async () => {
    const { home, organizations, id } = await ugly()
    await calling(organizations, id)
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(home.keychain.entries.get(`${id}:primary`)).toBe(`${primaryKey} ${here}`)
    expect(await calling(organizations, id)).toMatchObject({ failure: null })
  })
})

test('removing a key from texts leaves its host, which is no secret', async () => {
  const { organizations, id } = await aHomeWithKeys()
  await calling(organizations, id)
  expect(organizations.scrubber.text(`${primaryKey} ${here}, ${here}`)).toBe(
    `[subscription key] ${here}, ${here}`,
  )
})

test('a key that is not sent is still removed from all written texts', async () => {
  const { organizations, id } = await aHomeWithKeys(['primary'])
  await calling(organizations, id)
  expect(organizations.scrubber.text(`typed ${primaryKey} here`)).toBe('typed [subscription key] here')
})

test('checking a key that is not sent reports nothing about it', async () => {
  const { organizations, id } = await aHomeWithKeys(['primary'])
  const asking = async (): Promise<void> => {
    await organizations.slotRing(id, 'primary').inUse(here)
  }
  expect(await failureOf(() => organizations.checkKey({ id, slot: 'primary' }, asking))).toEqual({
    kind: 'key-not-bound',
    slot: 'primary',
    boundTo: elsewhere,
    wouldGoTo: here,
  } satisfies Failure)
  expect(keyOf(organizations, id)).toMatchObject({ lastRefusedAt: null, lastUsedAt: null })
})
