import { describe, expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { KeychainError } from '../../../electron/core/platform.ts'
import { aDraft, aHome, here, keyOf, noKey, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

describe('a keychain that cannot be used', () => {
  test.each(['library-missing', 'no-bus', 'no-service', 'no-keyring', 'locked', 'unknown'] as const)(
    '(%s) keeps the key in memory for this run and reports it',
    async (problem) => {
      const home = aHome()
      home.keychain.problem = problem
      const { organizations, stop } = await home.start()
      const { id } = await organizations.add(aDraft())
      expect((await organizations.setKey({ id, slot: 'primary', key: primaryKey })).keptIn).toBe('memory')
      expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
      expect((await organizations.list()).keychain).toEqual({
        available: false,
        reason: problem,
        message: `keychain: ${problem}`,
      })
      expect(organizations.problems()).toEqual([
        {
          id: 'keychain',
          failure: { kind: 'keychain-unavailable', reason: problem, message: `keychain: ${problem}` },
          since: home.clock.now(),
          done: 'The subscription key is kept in memory for this run. Enter it again after the next start.',
        },
      ])
      await stop()
      const again = await home.start()
      expect(keyOf(again.organizations, id)).toEqual({ slot: 'primary', ...noKey })
    },
  )

  test('that is locked when a stored key is needed is reported as locked, never as "key missing", and returns the key once it opens', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await first.stop()
    home.keychain.problem = 'locked'
    const { organizations } = await home.start()
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({
      kind: 'keychain-unavailable',
      reason: 'locked',
      message: 'keychain: locked',
    })
    expect(keyOf(organizations, id)?.set).toBe(true)
    home.keychain.problem = null
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
    expect(organizations.problems()).toEqual([])
  })

  test('that is locked after a check refused the other key stops nothing: the key in use is sent once it opens', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
    await first.stop()
    const { organizations } = await home.start()
    await organizations.checkKey({ id, slot: 'secondary' }, async () => {
      throw new Failed({ kind: 'key-refused', slot: 'secondary', message: 'Access denied' })
    })
    home.keychain.problem = 'locked'
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toMatchObject({
      kind: 'keychain-unavailable',
      reason: 'locked',
    })
    expect(organizations.get(id).stoppedBecause).toBeNull()
    home.keychain.problem = null
    expect(await organizations.keyRing(id).inUse(here)).toEqual({ slot: 'primary', key: primaryKey })
  })

  test('that lost an entry is reported with possible causes', async () => {
    const home = aHome()
    const first = await home.start()
    const { id } = await first.organizations.add(aDraft())
    await first.organizations.setKey({ id, slot: 'primary', key: primaryKey })
    await first.stop()
    home.keychain.entries.clear()
    const { organizations } = await home.start()
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toMatchObject({
      kind: 'keychain-unavailable',
      reason: 'locked',
      message: expect.stringContaining('or another program removed the entry'),
    })
  })

  test('returns the same key after a restart when it was stored before, and never an older one', async () => {
    const home = aHome()
    const first = await home.start()
    const same = await first.organizations.add(aDraft({ name: 'Same' }))
    const other = await first.organizations.add(aDraft({ name: 'Other' }))
    await first.organizations.setKey({ id: same.id, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: other.id, slot: 'primary', key: primaryKey })
    home.keychain.problem = 'locked'
    await first.organizations.setKey({ id: same.id, slot: 'primary', key: primaryKey })
    await first.organizations.setKey({ id: other.id, slot: 'primary', key: secondaryKey })
    await first.stop()
    home.keychain.problem = null
    const { organizations, stop } = await home.start()
    expect(keyOf(organizations, same.id)?.keptIn).toBe('keychain')
    expect(keyOf(organizations, other.id)).toEqual({ slot: 'primary', ...noKey })
    await stop()
    expect([...home.keychain.entries.keys()]).toEqual([`${same.id}:primary`])
  })

  test('that asks for a password does not delay the list', async () => {
    const home = aHome()
    let answer: (state: { usable: true }) => void = () => undefined
    let reached: () => void = () => undefined
    const requested = new Promise<void>((resolve) => (reached = resolve))
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
    await requested
    await home.clock.advance(1_500)
    expect((await listed).keychain).toMatchObject({ available: false, reason: 'locked' })
    answer({ usable: true })
    await home.clock.advance(0)
    expect(changes).toEqual([[]])
    expect((await organizations.list()).keychain).toEqual({ available: true, reason: null, message: null })
  })

  test('is tried again after half a minute, and counts as unusable if it fails then', async () => {
    const home = aHome()
    home.keychain.problem = 'no-service'
    const broken = {
      get: home.keychain.get,
      set: home.keychain.set,
      remove: home.keychain.remove,
      state: () => Promise.reject(new KeychainError('unknown', 'broken')),
    }
    expect((await (await home.start({ keychain: broken })).organizations.list()).keychain).toEqual({
      available: false,
      reason: 'unknown',
      message: 'The state of the keychain could not be read.',
    })
    const { organizations } = await home.start()
    expect((await organizations.list()).keychain.available).toBe(false)
    home.keychain.problem = null
    await home.clock.advance(29_999)
    expect((await organizations.list()).keychain.available).toBe(false)
    await home.clock.advance(1)
    expect((await organizations.list()).keychain.available).toBe(true)
  })
})
