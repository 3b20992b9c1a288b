import { describe, expect, test } from 'vitest'
import { aDraft, aHome, failureOf, keyOf, noKey, primaryKey } from './a-home.ts'

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

  test('that cannot be a key does not keep what was read before from being shown', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    const scope = await first.organizations.budgetScope(id)
    await first.stop()
    expect(await (await home.start({ keyFromEnvironment: 'two words' })).organizations.budgetScope(id)).toBe(scope)
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
