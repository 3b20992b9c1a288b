import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failed, type KeySlot } from '../../../electron/contract/failure.ts'
import { KeychainError } from '../../../electron/core/host.ts'
import type { Organizations } from '../../../electron/core/organizations/organizations.ts'
import { aDraft, aHome, primaryKey, secondaryKey } from './a-home.ts'

const failureOf = async (work: () => unknown) => {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Failed ? error.failure : error
  }
}
const noKey = { set: false, lastFour: null, keptIn: null, addedAt: null, lastUsedAt: null, lastRefusedAt: null }
const keyOf = (organizations: Organizations, id: string, slot: KeySlot = 'primary') => organizations.get(id).keys.find((key) => key.slot === slot)

test('a pasted key is trimmed, kept in the keychain under organization and slot, and told by its last four characters only', async () => {
  const home = aHome()
  const { organizations, stop } = await home.start()
  const { id } = await organizations.add(aDraft())
  const state = await organizations.setKey({ id, slot: 'primary', key: `\n  ${primaryKey}\t\r\n` })
  expect(state).toEqual({ slot: 'primary', ...noKey, set: true, lastFour: '-one', keptIn: 'keychain', addedAt: home.clock.now() })
  expect([...home.keychain.entries]).toEqual([[`${id}:primary`, primaryKey]])
  expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
  expect(JSON.stringify([await organizations.list(), organizations.troubles(), home.log])).not.toContain(primaryKey.slice(0, 12))
  await stop()
  for (const name of readdirSync(home.folder)) expect(readFileSync(join(home.folder, name)).includes(primaryKey)).toBe(false)
})

test('a key is there after a restart', async () => {
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
  expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'secondary', key: secondaryKey })
})

test.each([
  ['', 'Nothing was entered.'],
  [' \n ', 'Nothing was entered.'],
  ['abcd efgh', 'There is a space or a line break inside the key: copy the key alone, without the text around it.'],
  ['Primary key:\n0123', 'There is a space or a line break inside the key: copy the key alone, without the text around it.'],
  ['abcd\u00a0efgh', 'There is a space or a line break inside the key: copy the key alone, without the text around it.'],
  ['abcd\u0000efgh', 'There is an invisible control character inside the key: copy it again from the API portal.'],
  [
    'abcd\u200befgh',
    'There is a character inside the key that keys do not have, such as a typographic dash or an invisible mark: copy it again from the API portal.',
  ],
  [
    'abcd–efgh',
    'There is a character inside the key that keys do not have, such as a typographic dash or an invisible mark: copy it again from the API portal.',
  ],
  [
    'schlüssel',
    'There is a character inside the key that keys do not have, such as a typographic dash or an invisible mark: copy it again from the API portal.',
  ],
  ['x'.repeat(501), 'This is longer than 500 characters: copy the key alone.'],
])('%j is refused with the reason and nothing is stored', async (key, message) => {
  const home = aHome()
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  expect(await failureOf(() => organizations.setKey({ id, slot: 'primary', key }))).toEqual({ kind: 'invalid', field: 'key', message })
  expect([home.keychain.entries.size, keyOf(organizations, id)]).toEqual([0, { slot: 'primary', ...noKey }])
})

test('a key so short that four characters were half of it shows none of them', async () => {
  const { organizations } = await aHome().start()
  const { id } = await organizations.add(aDraft())
  expect((await organizations.setKey({ id, slot: 'primary', key: 'abcdefg' })).lastFour).toBeNull()
})

test('without a key a call is refused as "key missing", without asking the keychain', async () => {
  const home = aHome()
  home.keychain.trouble = 'no-bus'
  const { organizations } = await home.start()
  const { id } = await organizations.add(aDraft())
  expect(await failureOf(() => organizations.keyRing(id).inUse())).toEqual({ kind: 'key-missing' })
})

test('many calls at once ask the keychain once', async () => {
  const home = aHome()
  const first = await home.start()
  const { id } = await first.organizations.add(aDraft())
  await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
  await first.stop()
  let asked = 0
  const keychain = {
    get: (account: string) => {
      asked += 1
      return home.keychain.get(account)
    },
    set: (account: string, key: string) => home.keychain.set(account, key),
    remove: (account: string) => home.keychain.remove(account),
    state: () => home.keychain.state(),
  }
  const { organizations } = await home.start({ keychain })
  const ring = organizations.keyRing(id)
  await Promise.all(Array.from({ length: 50 }, () => ring.inUse()))
  await ring.inUse()
  expect(asked).toBe(1)
})

describe('a keychain that cannot be used', () => {
  test.each(['library-missing', 'no-bus', 'no-service', 'no-keyring', 'locked', 'unknown'] as const)(
    '(%s) keeps the key in memory for this run and says so',
    async (trouble) => {
      const home = aHome()
      home.keychain.trouble = trouble
      const { organizations, stop } = await home.start()
      const { id } = await organizations.add(aDraft())
      expect((await organizations.setKey({ id, slot: 'primary', key: primaryKey })).keptIn).toBe('memory')
      expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
      expect((await organizations.list()).keychain).toEqual({ available: false, reason: trouble, message: `keychain: ${trouble}` })
      expect(organizations.troubles()).toEqual([
        {
          id: 'keychain',
          failure: { kind: 'keychain-unavailable', reason: trouble, message: `keychain: ${trouble}` },
          since: home.clock.now(),
          done: 'The subscription key is kept in memory for this run. Enter it again after the next start.',
        },
      ])
      await stop()
      const again = await home.start()
      expect(keyOf(again.organizations, id)).toEqual({ slot: 'primary', ...noKey })
    },
  )

  test('that is locked when a stored key is needed is told as locked, never as "key missing", and the key is there once it opens', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await first.stop()
    home.keychain.trouble = 'locked'
    const { organizations } = await home.start()
    expect(await failureOf(() => organizations.keyRing(id).inUse())).toEqual({ kind: 'keychain-unavailable', reason: 'locked', message: 'keychain: locked' })
    expect(keyOf(organizations, id)?.set).toBe(true)
    home.keychain.trouble = null
    expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
    expect(organizations.troubles()).toEqual([])
  })

  test('that lost an entry says what that may mean', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await first.stop()
    home.keychain.entries.clear()
    const { organizations } = await home.start()
    expect(await failureOf(() => organizations.keyRing(id).inUse())).toMatchObject({
      kind: 'keychain-unavailable',
      reason: 'locked',
      message: expect.stringContaining('or another program removed the entry'),
    })
  })

  test('brings back the same key after a restart when it was stored before, and never an older one', async () => {
    const home = aHome()
    const first = await home.start()
    const same = await first.organizations.add(aDraft({ name: 'Same' }))
    const other = await first.organizations.add(aDraft({ name: 'Other' }))
    await first.organizations.setKey({ id: same.id, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: other.id, slot: 'primary', key: primaryKey })
    home.keychain.trouble = 'locked'
    await first.organizations.setKey({ id: same.id, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: other.id, slot: 'primary', key: secondaryKey })
    await first.stop()
    home.keychain.trouble = null
    const { organizations, stop } = await home.start()
    expect(keyOf(organizations, same.id)?.keptIn).toBe('keychain')
    expect(keyOf(organizations, other.id)).toEqual({ slot: 'primary', ...noKey })
    await stop()
    expect([...home.keychain.entries.keys()]).toEqual([`${same.id}:primary`])
  })

  test('that asks its owner for a password does not hold up the list', async () => {
    const home = aHome()
    let answer: (state: { usable: true }) => void = () => undefined
    let reached: () => void = () => undefined
    const asked = new Promise<void>((resolve) => (reached = resolve))
    const state = () => {
      reached()
      return new Promise<{ usable: true }>((resolve) => (answer = resolve))
    }
    const keychain = {
      get: home.keychain.get.bind(home.keychain),
      set: home.keychain.set.bind(home.keychain),
      remove: home.keychain.remove.bind(home.keychain),
      state,
    }
    const { organizations } = await home.start({ keychain })
    const changes: (readonly string[])[] = []
    organizations.onChange((ids) => changes.push(ids))
    const listed = organizations.list()
    await asked
    await home.clock.advance(1_500)
    expect((await listed).keychain).toMatchObject({ available: false, reason: 'locked' })
    answer({ usable: true })
    await home.clock.advance(0)
    expect(changes).toEqual([[]])
    expect((await organizations.list()).keychain).toEqual({ available: true, reason: null, message: null })
  })

  test('is asked again after half a minute, and a keychain that breaks while it is asked is one that cannot be used', async () => {
    const home = aHome()
    home.keychain.trouble = 'no-service'
    const broken = {
      ...{ get: home.keychain.get, set: home.keychain.set, remove: home.keychain.remove },
      state: () => Promise.reject(new KeychainError('unknown', 'broken')),
    }
    expect((await (await home.start({ keychain: broken })).organizations.list()).keychain).toEqual({
      available: false,
      reason: 'unknown',
      message: 'The keychain did not say whether it can be used.',
    })
    const { organizations } = await home.start()
    expect((await organizations.list()).keychain.available).toBe(false)
    home.keychain.trouble = null
    await home.clock.advance(29_999)
    expect((await organizations.list()).keychain.available).toBe(false)
    await home.clock.advance(1)
    expect((await organizations.list()).keychain.available).toBe(true)
  })
})

describe('forgetting', () => {
  test('a key removes it from the keychain and from memory', async () => {
    const home = aHome()
    const { organizations } = await home.start()
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.forgetKey({ id, slot: 'primary' })).toEqual({ slot: 'primary', ...noKey })
    expect(home.keychain.entries.size).toBe(0)
    expect(await failureOf(() => organizations.keyRing(id).inUse())).toEqual({ kind: 'key-missing' })
  })

  test('an organization removes both of its keys and leaves those of others', async () => {
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

  test('while the keychain is locked is done at once here, and in the keychain at the next start', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    home.keychain.trouble = 'locked'
    await first.organizations.remove({ id })
    expect(first.organizations.troubles()).toMatchObject([{ id: 'keychain', done: expect.stringContaining('removed from there as soon as') }])
    expect(home.keychain.entries.size).toBe(1)
    await first.stop()
    home.keychain.trouble = null
    await (await home.start()).stop()
    expect(home.keychain.entries.size).toBe(0)
  })

  test('and entering it again keeps the new one', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    home.keychain.trouble = 'locked'
    await first.organizations.forgetKey({ id, slot: 'primary' })
    home.keychain.trouble = null
    await first.organizations.setKey({ id, slot: 'primary', key: secondaryKey })
    await first.stop()
    await (await home.start()).stop()
    expect([...home.keychain.entries]).toEqual([[`${id}:primary`, secondaryKey]])
  })
})

describe('when the management address changes to another host', () => {
  test('a key that the old host accepted is forgotten, so that it goes to no other host', async () => {
    const home = aHome()
    const { organizations } = await home.start()
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    organizations.keyRing(id).accepted('primary')
    await organizations.update({ id, draft: aDraft({ managementUrl: 'https://management.example/another/path' }) })
    expect(keyOf(organizations, id)?.set).toBe(true)
    const changed = await organizations.update({ id, draft: aDraft({ managementUrl: 'https://elsewhere.example' }) })
    expect([changed.keys[0]?.set, home.keychain.entries.size]).toEqual([false, 0])
  })

  test('a key that was never accepted stays: the old address was a slip', async () => {
    const { organizations } = await aHome().start()
    const { id } = await organizations.add(aDraft({ managementUrl: 'https://managment.example' }))
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await organizations.update({ id, draft: aDraft() })
    expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('a refused change forgets nothing', async () => {
    const { organizations } = await aHome().start()
    await organizations.add(aDraft({ name: 'Taken' }))
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    organizations.keyRing(id).accepted('primary')
    expect(await failureOf(() => organizations.update({ id, draft: aDraft({ name: 'Taken', managementUrl: 'https://elsewhere.example' }) }))).toMatchObject({
      kind: 'invalid',
      field: 'name',
    })
    expect(keyOf(organizations, id)?.set).toBe(true)
  })
})

describe('times', () => {
  test('of use and refusal are shown at once and are there after a restart', async () => {
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
    await ring.inUse()
    await ring.refused('primary', null)
    const expected = { lastUsedAt: usedAt, lastRefusedAt: home.clock.now() }
    expect(keyOf(first.organizations, id)).toMatchObject(expected)
    await first.stop()
    expect(keyOf((await home.start()).organizations, id)).toMatchObject(expected)
  })
})

describe('a key from the environment', () => {
  test('serves the organization that first needs it, for this run, without the keychain', async () => {
    const home = aHome()
    home.keychain.trouble = 'no-bus'
    const first = await home.start({ keyFromEnvironment: ` ${primaryKey}\n` })
    const a = await first.organizations.add(aDraft({ name: 'A' }))
    expect(await first.organizations.keyRing(a.id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
    expect(keyOf(first.organizations, a.id)).toEqual({ slot: 'primary', ...noKey, set: true, lastFour: '-one', keptIn: 'environment' })
    first.organizations.keyRing(a.id).accepted('primary')
    expect(keyOf(first.organizations, a.id)?.lastUsedAt).toBe(home.clock.now())
    const b = await first.organizations.add(aDraft({ name: 'B', managementUrl: 'https://elsewhere.example' }))
    expect(await failureOf(() => first.organizations.keyRing(b.id).inUse())).toEqual({ kind: 'key-missing' })
    await first.stop()
    expect(keyOf((await home.start()).organizations, a.id)).toEqual({ slot: 'primary', ...noKey })
  })

  test('stands in front of the stored one, and a refusal does not fall back on a stored key', async () => {
    const home = aHome()
    const { organizations } = await home.start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    const ring = organizations.keyRing(id)
    expect((await ring.inUse()).key).toBe('from-the-environment')
    expect(await ring.refused('primary', 'no')).toBe('stop')
    expect(keyOf(organizations, id)?.lastRefusedAt).toBe(home.clock.now())
  })

  test('gives way to a key entered by hand', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.keyRing(id).inUse()).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('that cannot be a key is told by the name of the variable', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'two words' })
    const { id } = await organizations.add(aDraft())
    expect(await failureOf(() => organizations.keyRing(id).inUse())).toMatchObject({ kind: 'invalid', field: 'HEADROOM_KEY' })
  })

  test('is forgotten when its organization moves to another host after accepting it', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    await organizations.keyRing(id).inUse()
    organizations.keyRing(id).accepted('primary')
    await organizations.update({ id, draft: aDraft({ managementUrl: 'https://elsewhere.example' }) })
    expect(await failureOf(() => organizations.keyRing(id).inUse())).toEqual({ kind: 'key-missing' })
  })
})

describe('calls are counted together', () => {
  test('for profiles with the same key, in either slot, after a restart too; others apart', async () => {
    const home = aHome()
    const first = await home.start()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await first.organizations.add(aDraft({ name }))).id)
    const [a = '', b = '', c = ''] = ids
    await first.organizations.setKey({ id: a, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: b, slot: 'primary', key: secondaryKey })
    expect(await first.organizations.budgetScope(a)).not.toBe(await first.organizations.budgetScope(b))
    await first.organizations.setKey({ id: b, slot: 'secondary', key: primaryKey })
    await first.stop()
    const { organizations } = await home.start()
    const scopes = await Promise.all([a, b, c].map((id) => organizations.budgetScope(id)))
    expect([scopes[0] === scopes[1], scopes[0] === scopes[2]]).toEqual([true, false])
  })

  test('for a key from the environment that another profile has stored', async () => {
    const home = aHome()
    const first = await home.start()
    const a = await first.organizations.add(aDraft({ name: 'A' }))
    await first.organizations.setKey({ id: a.id, slot: 'primary', key: primaryKey })
    await first.stop()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
    const b = await organizations.add(aDraft({ name: 'B' }))
    expect(await organizations.budgetScope(b.id)).toBe(await organizations.budgetScope(a.id))
  })

  test('and the scope says nothing of the key', async () => {
    const { organizations } = await aHome().start()
    const { id } = await organizations.add(aDraft())
    const before = await organizations.budgetScope(id)
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.budgetScope(id)).toBe(before)
  })
})

test('the log is told to leave out every key this run has seen, replaced ones too, percent-encoded or in JSON', async () => {
  const home = aHome()
  let scrub: (text: string) => string = (text) => text
  const log = { write: () => undefined, scrubWith: (given: typeof scrub) => void (scrub = given) }
  const { organizations } = await home.start({ log })
  const { id } = await organizations.add(aDraft())
  const awkward = 'a"b\\c/d+e=f'
  await organizations.setKey({ id, slot: 'primary', key: awkward })
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  expect(scrub(`${awkward} ${encodeURIComponent(awkward)} ${JSON.stringify({ awkward })} ${primaryKey}`)).toBe(
    '[subscription key] [subscription key] {"awkward":"[subscription key]"} [subscription key]',
  )
})
