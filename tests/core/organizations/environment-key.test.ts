import { describe, expect, test } from 'vitest'
import { aDemonstration, aDraft, aHome, here, keyOf, noKey, primaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

describe('a key from the environment', () => {
  test('is used by the first organization that needs it, for this run, without the keychain', async () => {
    const home = aHome()
    home.keychain.problem = 'no-bus'
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
    'is used by the organization given on the command line by its %s, not by the current one',
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

  test('is not sent when the given organization does not exist', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.stop()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey }, 'no such name')
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
    expect((await organizations.list()).environmentKeyOf).toBeNull()
  })

  test('belongs to the organization that is current at the start, even before it is needed and when another becomes current', async () => {
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
      message: 'The key of HEADROOM_KEY is used for one organization in this run',
      details: { organization: owner.id },
    })
  })

  test('skips a demonstration and belongs to the first organization that has keys', async () => {
    const home = aHome()
    const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
    const demonstration = await organizations.add(aDraft({ name: 'Demonstration', preset: 'demonstration' }))
    expect((await organizations.keyRing(demonstration.id).inUse(here)).key).toBe(aDemonstration.key)
    expect((await organizations.list()).environmentKeyOf).toBeNull()
    const own = await organizations.add(aDraft({ name: 'Own' }))
    expect((await organizations.list()).environmentKeyOf).toBe(own.id)
    expect(await organizations.keyRing(own.id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('moves to no other organization when its own is removed', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: primaryKey })
    const a = await organizations.add(aDraft({ name: 'A' }))
    const b = await organizations.add(aDraft({ name: 'B' }))
    await organizations.remove({ id: a.id })
    expect(await failureOf(() => organizations.keyRing(b.id).inUse(here))).toEqual({ kind: 'key-missing' })
  })

  test('takes precedence over the stored one, and a refusal does not fall back to a stored key', async () => {
    const home = aHome()
    const { organizations } = await home.start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    const ring = organizations.keyRing(id)
    expect((await ring.inUse(here)).key).toBe('from-the-environment')
    expect(await ring.refused('primary', 'no')).toBe('stop')
    expect(keyOf(organizations, id)?.lastRefusedAt).toBe(home.clock.now())
  })

  test('is replaced by a key entered by hand', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'from-the-environment' })
    const { id } = await organizations.add(aDraft())
    await organizations.setKey({ id, slot: 'primary', key: primaryKey })
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('that is invalid is reported by the name of the variable', async () => {
    const { organizations } = await aHome().start({ keyFromEnvironment: 'two words' })
    const { id } = await organizations.add(aDraft())
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toMatchObject({
      kind: 'invalid',
      field: 'HEADROOM_KEY',
    })
  })

  test('that is invalid does not hide what was read before', async () => {
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
