import { describe, expect, test } from 'vitest'
import type { Organizations } from '../../../electron/core/organizations/organizations.ts'
import { aDraft, aHome, here, primaryKey, secondaryKey, type Home } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'
import { aHomeWithKeys, calling, elsewhere } from './a-home-with-keys.ts'

describe('binding a key', () => {
  test.each<[string, (home: Home) => Promise<{ organizations: Organizations; id: string }>, string, unknown]>(
    [
      [
        'for another address than the organization’s',
        async () => aHomeWithKeys(['primary']),
        elsewhere,
        {
          kind: 'invalid',
          field: 'origin',
          message: `The organization's management address is now at ${here}. Check it before you bind the key.`,
        },
      ],
      [
        'without a key',
        async (home) => {
          const { organizations } = await home.start()
          return { organizations, id: (await organizations.add(aDraft())).id }
        },
        here,
        { kind: 'key-missing' },
      ],
      [
        'in the demonstration',
        async (home) => {
          const { organizations } = await home.start()
          return { organizations, id: (await organizations.add(aDraft({ preset: 'demonstration' }))).id }
        },
        here,
        {
          kind: 'invalid',
          field: 'slot',
          message: 'The key of the demonstration is used in this run only. It cannot be bound.',
        },
      ],
      [
        'of the key of HEADROOM_KEY',
        async (home) => {
          const { organizations } = await home.start({ keyFromEnvironment: primaryKey })
          return { organizations, id: (await organizations.add(aDraft())).id }
        },
        here,
        {
          kind: 'invalid',
          field: 'slot',
          message: 'The key of HEADROOM_KEY is used in this run only. It cannot be bound.',
        },
      ],
    ],
  )('%s is rejected', async (_, started, origin, failure) => {
    const { organizations, id } = await started(aHome())
    expect(await failureOf(() => organizations.bindKey({ id, slot: 'primary', origin }))).toEqual(failure)
  })

  test('twice changes nothing', async () => {
    const { home, organizations, id } = await aHomeWithKeys(['primary'])
    await organizations.bindKey({ id, slot: 'primary', origin: here })
    await organizations.bindKey({ id, slot: 'primary', origin: here })
    expect(home.keychain.entries.get(`${id}:primary`)).toBe(`${primaryKey} ${here}`)
  })

  test('with a keychain locked meanwhile leaves the key unchanged and unsent', async () => {
    const { home, organizations, id } = await aHomeWithKeys(['primary'])
    const read = home.keychain.get.bind(home.keychain)
    home.keychain.get = async (account) => {
      const entry = await read(account)
      home.keychain.problem = 'locked'
      return entry
    }
    expect(await failureOf(() => organizations.bindKey({ id, slot: 'primary', origin: here }))).toMatchObject(
      {
        kind: 'keychain-unavailable',
        reason: 'locked',
      },
    )
    home.keychain.problem = null
    home.keychain.get = read
    expect(home.keychain.entries.get(`${id}:primary`)).toBe(primaryKey)
    expect(await calling(organizations, id)).toMatchObject({ failure: { kind: 'key-not-bound' }, sent: [] })
  })
})

describe('a refused key beside an unbound one', () => {
  const refused = { kind: 'key-refused', slot: 'primary', message: 'Access denied' }
  const onlySecondary = { accepts: [secondaryKey] }

  test('does not cause the other key to be sent', async () => {
    const { organizations, id } = await aHomeWithKeys(['secondary'])
    expect(await calling(organizations, id, onlySecondary)).toEqual({
      failure: { kind: 'key-not-bound', slot: 'secondary', boundTo: null, wouldGoTo: here },
      sent: [['management.example', primaryKey]],
    })
    expect(await calling(organizations, id, onlySecondary)).toEqual({ failure: refused, sent: [] })
  })

  test('continues with the other key once that is bound', async () => {
    const { organizations, id } = await aHomeWithKeys(['secondary'])
    await calling(organizations, id, onlySecondary)
    await organizations.bindKey({ id, slot: 'secondary', origin: here })
    expect(organizations.get(id)).toMatchObject({ keyInUse: 'secondary', stoppedBecause: null })
    expect(await calling(organizations, id, onlySecondary)).toEqual({
      failure: null,
      sent: [['management.example', secondaryKey]],
    })
  })
})
