import { describe, expect, test } from 'vitest'
import { aDemonstration, aDraft, aHome, failureOf, here, keyOf, noKey, primaryKey } from './a-home.ts'

describe('a key from the environment', () => {
  test('serves the organization that first needs it, for this run, without the keychain', async () => {
    const home = aHome()
    home.keychain.trouble = 'no-bus'
    const first = await home.start({ keyFromEnvironment: ` ${primaryKey}\n` })
    const a = await first.organizations.add(aDraft({ name: 'A' }))
    expect(await first.organizations.keyRing(a.id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
    expect(keyOf(first.organizations, a.id)).toEqual({
      slot: 'primary',
      ...noKey,
      set: true,
      lastFour: '-one',
      keptIn: 'environment',
    })
    first.organizations.keyRing(a.id).accepted('primary')
    expect(keyOf(first.organizations, a.id)?.lastUsedAt).toBe(home.clock.now())
    const b = await first.organizations.add(aDraft({ name: 'B', managementUrl: 'https://elsewhere.example' }))
    expect(await failureOf(() => first.organizations.keyRing(b.id).inUse(here))).toEqual({
      kind: 'key-missing',
    })
    await first.stop()
    expect(keyOf((await home.start()).organizations, a.id)).toEqual({ slot: 'primary', ...noKey })
  })

  test.each(['name', 'id'] as const)(
    'serves the organization named on the command line by its %s, and not the current one',
    async (by) => {
      const home = aHome()
      const first = await home.start()
      const named = await first.organizations.add(aDraft({ name: 'Named' }))
      const current = await first.organizations.add(
        aDraft({ name: 'Current', managementUrl: 'https://elsewhere.example' }),
      )
      await first.stop()
      const { organizations } = await home.start({ keyFromEnvironment: primaryKey }, named[by])
      expect(await failureOf(() => organizations.keyRing(current.id).inUse(here))).toEqual({
        kind: 'key-missing',
      })
      expect(await organizations.keyRing(named.id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
      expect((await organizations.list()).environmentKeyOf).toBe(named.id)
    },
  )

  test('is sent to nobody when the named organization is not there', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.stop()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey }, 'no such name')
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
    expect((await organizations.list()).environmentKeyOf).toBeNull()
  })

  test('belongs to the organization that is current at the start, also before it is needed and whichever is current later', async () => {
    const home = aHome()
    const first = await home.start()
    const other = await first.organizations.add(
      aDraft({ name: 'Other', managementUrl: 'https://elsewhere.example' }),
    )
    const owner = await first.organizations.add(aDraft({ name: 'Owner' }))
    await first.stop()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
    await organizations.use({ id: other.id })
    expect(await failureOf(() => organizations.keyRing(other.id).inUse(here))).toEqual({
      kind: 'key-missing',
    })
    expect(await organizations.keyRing(owner.id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
    expect((await organizations.list()).environmentKeyOf).toBe(owner.id)
    expect(home.log).toContainEqual({
      level: 'info',
      message: 'The key of HEADROOM_KEY is for one organization in this run',
      details: { organization: owner.id },
    })
  })

  test('waits past a demonstration for the first organization that has keys of its own', async () => {
    const home = aHome()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
    const demonstration = await organizations.add(aDraft({ name: 'Demonstration', preset: 'demonstration' }))
    expect((await organizations.keyRing(demonstration.id).inUse(here)).key).toBe(aDemonstration.key)
    expect((await organizations.list()).environmentKeyOf).toBeNull()
    const own = await organizations.add(aDraft({ name: 'Own' }))
    expect((await organizations.list()).environmentKeyOf).toBe(own.id)
    expect(await organizations.keyRing(own.id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('goes to no other organization when its own is removed', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: primaryKey })
    const a = await organizations.add(aDraft({ name: 'A' }))
    const b = await organizations.add(aDraft({ name: 'B' }))
    await organizations.remove({ id: a.id })
    expect(await failureOf(() => organizations.keyRing(b.id).inUse(here))).toEqual({ kind: 'key-missing' })
  })

  test('stands in front of the stored one, and a refusal does not fall back on a stored key', async () => {
    const home = aHome()
    const { organizations } = await home.start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    const ring = organizations.keyRing(id)
    expect((await ring.inUse(here)).key).toBe('from-the-environment')
    expect(await ring.refused('primary', 'no')).toBe('stop')
    expect(keyOf(organizations, id)?.lastRefusedAt).toBe(home.clock.now())
  })

  test('gives way to a key entered by hand', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('that cannot be a key is told by the name of the variable', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'two words' })
    const { id } = await organizations.add(aDraft())
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toMatchObject({
      kind: 'invalid',
      field: 'HEADROOM_KEY',
    })
  })

  test('that cannot be a key does not keep what was read before from being shown', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    const scope = await first.organizations.budgetScope(id)
    await first.stop()
    expect(await (await home.start({ keyFromEnvironment: 'two words' })).organizations.budgetScope(id)).toBe(
      scope,
    )
  })

  test('is forgotten when its organization moves to another host after accepting it', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    await organizations.keyRing(id).inUse(here)
    organizations.keyRing(id).accepted('primary')
    await organizations.update({ id, draft: aDraft({ managementUrl: 'https://elsewhere.example' }) })
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
  })
})
