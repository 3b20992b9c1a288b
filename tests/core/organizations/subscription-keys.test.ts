import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../electron/core/platform.ts'
import { aDraft, aHome, aHomeFolder, here, keyOf, noKey, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

test('a pasted key is trimmed, stored in the keychain by organization and slot, and shown only by its last four characters', async () => {
  const home = aHomeFolder()
  const { organizations, stop } = await home.start()
  const { id } = await organizations.add(aDraft())
  const state = await organizations.setKey({ id, slot: 'primary', key: `\n  ${primaryKey}\t\r\n` })
  expect(state).toEqual({
    slot: 'primary',
    ...noKey,
    set: true,
    lastFour: '-one',
    keptIn: 'keychain',
    addedAt: home.clock.now(),
  })
  expect([...home.keychain.entries]).toEqual([[`${id}:primary`, `${primaryKey} ${here}`]])
  expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  expect(JSON.stringify([await organizations.list(), organizations.problems(), home.log])).not.toContain(
    primaryKey.slice(0, 12),
  )
  await stop()
  for (const name of readdirSync(home.folder))
    expect(readFileSync(join(home.folder, name)).includes(primaryKey)).toBe(false)
})

test('a key is stored over a restart', async () => {
  const home = aHome()
  const first = await home.start()
  const { id } = await first.organizations.add(aDraft())
  await first.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
  await first.stop()
  const { organizations } = await home.start()
  expect(keyOf(organizations, id, 'secondary')).toEqual({
    slot: 'secondary',
    ...noKey,
    set: true,
    lastFour: '-two',
    keptIn: 'keychain',
    addedAt: home.clock.now(),
  })
  expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'secondary', key: secondaryKey })
})

test.each([
  ['', 'Nothing was entered.'],
  [' \n ', 'Nothing was entered.'],
  ['abcd efgh', 'The key contains a space or a line break. Copy only the key, without the text around it.'],
  [
    'Primary key:\n0123',
    'The key contains a space or a line break. Copy only the key, without the text around it.',
  ],
  [
    'abcd\u00a0efgh',
    'The key contains a space or a line break. Copy only the key, without the text around it.',
  ],
  ['abcd\u0000efgh', 'The key contains an invisible control character. Copy it again from the API portal.'],
  [
    'abcd\u200befgh',
    'The key contains an invalid character, such as a typographic dash or an invisible mark. Copy it again from the API portal.',
  ],
  [
    'abcd–efgh',
    'The key contains an invalid character, such as a typographic dash or an invisible mark. Copy it again from the API portal.',
  ],
  [
    'schlüssel',
    'The key contains an invalid character, such as a typographic dash or an invisible mark. Copy it again from the API portal.',
  ],
  ['x'.repeat(501), 'This is longer than 500 characters. Copy only the key.'],
])('%j is rejected with the reason and nothing is stored', async (key, message) => {
  const home = aHome()
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  expect(await failureOf(() => organizations.setKey({ id, slot: 'primary', key }))).toEqual({
    kind: 'invalid',
    field: 'key',
    message,
  })
  expect([home.keychain.entries.size, keyOf(organizations, id)]).toEqual([0, { slot: 'primary', ...noKey }])
})

test('the key of the other slot is rejected as a duplicate', async () => {
  const home = aHome()
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect(
    await failureOf(() => organizations.setKey({ id, slot: 'secondary', key: ` ${primaryKey}` })),
  ).toEqual({
    kind: 'invalid',
    field: 'key',
    message: 'This key is already stored as the primary key. Enter a different one.',
  })
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect([...home.keychain.entries.keys()]).toEqual([`${id}:primary`])
})

test('a key so short that four characters were half of it shows none of them', async () => {
  const { organizations } = await aHome().start()
  const { id } = await organizations.add(aDraft())
  expect((await organizations.setKey({ id, slot: 'primary', key: 'abcdefg' })).lastFour).toBeNull()
})

test('without a key a call fails with "key missing", without using the keychain', async () => {
  const home = aHome()
  home.keychain.problem = 'no-bus'
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
})

test('many simultaneous calls read the keychain once', async () => {
  const home = aHome()
  const first = await home.start()
  const { id } = await first.organizations.add(aDraft())
  await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
  await first.stop()
  let requested = 0
  const keychain = {
    get: (account: string) => {
      requested += 1
      return home.keychain.get(account)
    },
    set: (account: string, key: string) => home.keychain.set(account, key),
    remove: (account: string) => home.keychain.remove(account),
    state: () => home.keychain.state(),
  }
  const { organizations } = await home.start({ keychain })
  const ring = organizations.keyRing(id)
  await Promise.all(Array.from({ length: 50 }, () => ring.inUse(here)))
  await ring.inUse(here)
  expect(requested).toBe(1)
})

describe('forgetting a key', () => {
  test('removes it from the keychain and from memory', async () => {
    const home = aHome()
    const { organizations } = await home.start()
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.forgetKey({ id, slot: 'primary' })).toEqual({ slot: 'primary', ...noKey })
    expect(home.keychain.entries.size).toBe(0)
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
  })

  test('of a removed organization removes both of its keys and leaves those of others', async () => {
    const home = aHome()
    const { organizations } = await home.start()
    const a = await organizations.add(aDraft({ name: 'A' }))
    const b = await organizations.add(aDraft({ name: 'B' }))
    for (const { id } of [a, b]) {
      await organizations.setKey({ id, slot: 'primary', key: primaryKey })
      await organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
    }
    await organizations.remove({ id: a.id })
    expect([...home.keychain.entries.keys()]).toEqual([`${b.id}:primary`, `${b.id}:secondary`])
    expect((await organizations.list()).organizations.map(({ id }) => id)).toEqual([b.id])
  })

  test('while the keychain is locked takes effect at once here, and in the keychain at the next start', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    home.keychain.problem = 'locked'
    await first.organizations.remove({ id })
    expect(first.organizations.problems()).toMatchObject([
      { id: 'keychain', done: expect.stringContaining('removed from there as soon as') },
    ])
    expect(home.keychain.entries.size).toBe(1)
    await first.stop()
    home.keychain.problem = null
    await (await home.start()).stop()
    expect(home.keychain.entries.size).toBe(0)
  })

  test('and entering it again keeps the new one', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    home.keychain.problem = 'locked'
    await first.organizations.forgetKey({ id, slot: 'primary' })
    home.keychain.problem = null
    await first.organizations.setKey({ id, slot: 'primary', key: secondaryKey })
    await first.stop()
    await (await home.start()).stop()
    expect([...home.keychain.entries]).toEqual([[`${id}:primary`, `${secondaryKey} ${here}`]])
  })
})

describe('when the management address changes', () => {
  test.each([
    ['another host', 'https://elsewhere.example'],
    ['another port', `${here}:8443`],
    ['http', 'http://127.0.0.1:4100'],
  ])(
    'to %s, both keys are forgotten and required again, whether they were ever accepted or not',
    async (_, managementUrl) => {
      const home = aHome()
      const { organizations } = await home.start()
      const { id } = await organizations.add(aDraft())
      await organizations.setKey({ id, slot: 'primary', key: primaryKey })
      await organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
      organizations.keyRing(id).accepted('primary')
      const changed = await organizations.update({ id, draft: aDraft({ managementUrl }) })
      expect([changed.keys.map(({ set }) => set), home.keychain.entries.size]).toEqual([[false, false], 0])
      const { origin } = new URL(managementUrl)
      expect(await failureOf(() => organizations.keyRing(id).inUse(origin))).toEqual({ kind: 'key-missing' })
      await organizations.setKey({ id, slot: 'primary', key: primaryKey })
      expect([...home.keychain.entries]).toEqual([[`${id}:primary`, `${primaryKey} ${origin}`]])
    },
  )

  test.each([
    { managementUrl: `${here}/another/path` },
    { metadataUrl: 'https://elsewhere.example' },
    { name: 'Odense' },
  ])('to %j, which is the same destination for a key, the key stays', async (changed) => {
    const { organizations } = await aHome().start()
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    organizations.keyRing(id).accepted('primary')
    await organizations.update({ id, draft: aDraft(changed) })
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('a rejected change forgets nothing', async () => {
    const { organizations } = await aHome().start()
    await organizations.add(aDraft({ name: 'Taken' }))
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    organizations.keyRing(id).accepted('primary')
    expect(
      await failureOf(() =>
        organizations.update({
          id,
          draft: aDraft({ name: 'Taken', managementUrl: 'https://elsewhere.example' }),
        }),
      ),
    ).toMatchObject({
      kind: 'invalid',
      field: 'name',
    })
    expect(keyOf(organizations, id)?.set).toBe(true)
  })
})

describe('times', () => {
  test('of use and refusal are shown at once and stored over a restart', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    const ring = first.organizations.keyRing(id)
    ring.accepted('primary')
    home.clock.jumpWall(5_000)
    ring.accepted('primary')
    const usedAt = home.clock.now()
    home.clock.jumpWall(1_000)
    await ring.inUse(here)
    await ring.refused('primary', null)
    const expected = { lastUsedAt: usedAt, lastRefusedAt: home.clock.now() }
    expect(keyOf(first.organizations, id)).toMatchObject(expected)
    await first.stop()
    expect(keyOf((await home.start()).organizations, id)).toMatchObject(expected)
  })
})

test.each([
  ['FEEDC0DE5e47e1e15e47e1e1feedc0de', '[may be a subscription key]'],
  ['at /tmp/feedc0de5e47e1e15e47e1e1feedc0de/a.ts:1', 'at /tmp/[may be a subscription key]/a.ts:1'],
  ['D9ECD6296804500D744A03C47526EA8B7C0A1C68', 'D9ECD6296804500D744A03C47526EA8B7C0A1C68'],
  ['9aa47d9e-8e5c-4d6a-9d5e-0c1a2b3c4d5e', '9aa47d9e-8e5c-4d6a-9d5e-0c1a2b3c4d5e'],
])('before the keychain was read, the log writes %s as %s', async (text, written) => {
  let scrub: (text: string) => string = () => ''
  await aHome().start({
    log: { write: () => undefined, scrubWith: (given: typeof scrub) => void (scrub = given) } as Log,
  })
  expect(scrub(text)).toBe(written)
})

test('the log leaves out every key of this run, including replaced ones, percent-encoded or in JSON', async () => {
  const home = aHome()
  let scrub: (text: string) => string = (text) => text
  const log = { write: () => undefined, scrubWith: (given: typeof scrub) => void (scrub = given) }
  const { organizations } = await home.start({ log })
  const { id } = await organizations.add(aDraft())
  const awkward = 'a"b\\c/d+e=f'
  await organizations.setKey({ id, slot: 'primary', key: awkward })
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect(
    scrub(`${awkward} ${encodeURIComponent(awkward)} ${JSON.stringify({ awkward })} ${primaryKey}`),
  ).toBe('[subscription key] [subscription key] {"awkward":"[subscription key]"} [subscription key]')
})
