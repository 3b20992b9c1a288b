import { describe, expect, test } from 'vitest'
import type { KeySlot } from '../../../electron/contract/failure.ts'
import type { Organization } from '../../../electron/contract/api/organizations.ts'
import type { Organizations } from '../../../electron/core/organizations/organizations.ts'
import { settle } from '../../fake-clock.ts'
import { aDemonstration, aDraft, aHome, here, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

const anotherKey = '00112233445566778899aabbccdd-new'

async function withTwoKeys() {
  const home = aHome()
  const program = await home.start()
  const { organizations } = program
  const { id } = await organizations.add(aDraft())
  await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  await organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
  return { home, ...program, id }
}

/**
 * The state of the keys: which one is sent, which one is to be regenerated, whether all calls are stopped.
 */
const said = ({ keyInUse, regenerate, stoppedBecause }: Organization): unknown => [
  keyInUse,
  regenerate,
  stoppedBecause,
]
const sent = async (organizations: Organizations, id: string): Promise<KeySlot> =>
  (await organizations.keyRing(id).inUse(here)).slot

/** A call that gets a 401 for the key it sent. */
async function refuse(organizations: Organizations, id: string): Promise<unknown> {
  const ring = organizations.keyRing(id)
  const { slot } = await ring.inUse(here)
  return ring.refused(slot, 'Access denied')
}

describe('switching to the other key', () => {
  test('sends it from then on, also after a restart, with a reminder to regenerate the previous one', async () => {
    const { home, organizations, id, stop } = await withTwoKeys()
    const since = home.clock.now()
    expect(said(await organizations.useKey({ id, slot: 'secondary' }))).toEqual([
      'secondary',
      { slot: 'primary', since, because: 'swapped' },
      null,
    ])
    expect(await sent(organizations, id)).toBe('secondary')
    await stop()
    const again = await home.start()
    expect(said(again.organizations.get(id))).toEqual([
      'secondary',
      { slot: 'primary', since, because: 'swapped' },
      null,
    ])
    expect(await sent(again.organizations, id)).toBe('secondary')
  })

  test('and back leaves a reminder for the key that was left last', async () => {
    const { home, organizations, id } = await withTwoKeys()
    await organizations.useKey({ id, slot: 'secondary' })
    const back = await organizations.useKey({ id, slot: 'primary' })
    expect(said(back)).toEqual([
      'primary',
      { slot: 'secondary', since: home.clock.now(), because: 'swapped' },
      null,
    ])
  })

  test('does not outlast the address of the keys: the next one begins with its own', async () => {
    const { organizations, id } = await withTwoKeys()
    await organizations.useKey({ id, slot: 'secondary' })
    await organizations.update({ id, draft: aDraft({ preset: 'demonstration' }) })
    const { managementUrl } = await organizations.addresses(id)
    const { slot } = await organizations.keyRing(id).inUse(new URL(managementUrl).origin)
    expect([slot, organizations.get(id).keyInUse]).toEqual(['primary', 'primary'])
    await organizations.update({ id, draft: aDraft({ managementUrl: 'https://other.example' }) })
    await organizations.setKey({ id, slot: 'primary', key: anotherKey })
    const other = await organizations.keyRing(id).inUse('https://other.example')
    expect([other.slot, organizations.get(id).keyInUse]).toEqual(['primary', 'primary'])
  })

  test('to the one in use changes nothing', async () => {
    const { organizations, id } = await withTwoKeys()
    expect(said(await organizations.useKey({ id, slot: 'primary' }))).toEqual(['primary', null, null])
  })

  test('after all calls stopped lets them continue with the other key', async () => {
    const { organizations, id } = await withTwoKeys()
    expect([await refuse(organizations, id), await refuse(organizations, id)]).toEqual(['try-other', 'stop'])
    expect(organizations.get(id).stoppedBecause).toBe('key-refused')
    expect((await organizations.useKey({ id, slot: 'secondary' })).stoppedBecause).toBeNull()
    expect(await sent(organizations, id)).toBe('secondary')
    expect(await refuse(organizations, id)).toBe('stop')
  })

  test.each([
    ['that was never entered', {}, {}, 'No secondary key is stored. Enter it first.'],
    [
      'of a demonstration',
      { preset: 'demonstration' },
      {},
      'The demonstration has only one key, which it creates at each start.',
    ],
    [
      'beside HEADROOM_KEY',
      {},
      { keyFromEnvironment: anotherKey },
      'The key of HEADROOM_KEY is used in this run. To use another key, enter it.',
    ],
  ] as const)('explains why it fails: %s', async (_, draft, host, message) => {
    const { organizations } = await aHome().start({ ...host, demonstration: async () => aDemonstration })
    const { id } = await organizations.add(aDraft(draft))
    expect(await failureOf(() => organizations.useKey({ id, slot: 'secondary' }))).toEqual({
      kind: 'invalid',
      field: 'slot',
      message,
    })
  })
})

describe('the reminder to regenerate a key', () => {
  test('appears after a switch caused by a refusal, and says so', async () => {
    const { home, organizations, id } = await withTwoKeys()
    await refuse(organizations, id)
    const ring = organizations.keyRing(id)
    ring.accepted((await ring.inUse(here)).slot)
    await settle(20)
    expect(said(organizations.get(id))).toEqual([
      'secondary',
      { slot: 'primary', since: home.clock.now(), because: 'refused' },
      null,
    ])
  })

  test.each<
    [string, 'swapped' | 'refused', (organizations: Organizations, id: string) => Promise<unknown>, boolean]
  >([
    [
      'the technician says it was done',
      'swapped',
      (organizations, id) => organizations.keyRegenerated({ id, slot: 'primary' }),
      false,
    ],
    [
      'the technician says it of the other key',
      'swapped',
      (organizations, id) => organizations.keyRegenerated({ id, slot: 'secondary' }),
      true,
    ],
    [
      'another key is entered there',
      'swapped',
      (organizations, id) => organizations.setKey({ id, slot: 'primary', key: anotherKey }),
      false,
    ],
    [
      'the same key is entered there again',
      'swapped',
      (organizations, id) => organizations.setKey({ id, slot: 'primary', key: primaryKey }),
      true,
    ],
    [
      'an accepted key is forgotten here',
      'swapped',
      (organizations, id) => organizations.forgetKey({ id, slot: 'primary' }),
      true,
    ],
    [
      'a refused key is forgotten here',
      'refused',
      (organizations, id) => organizations.forgetKey({ id, slot: 'primary' }),
      false,
    ],
  ])('when %s (%s)', async (_, because, act, stays) => {
    const { organizations, id } = await withTwoKeys()
    if (because === 'swapped') await organizations.useKey({ id, slot: 'secondary' })
    else {
      await refuse(organizations, id)
      const ring = organizations.keyRing(id)
      ring.accepted((await ring.inUse(here)).slot)
      await settle(20)
    }
    expect(organizations.get(id).regenerate).toMatchObject({ slot: 'primary', because })
    await act(organizations, id)
    expect(organizations.get(id).regenerate).toEqual(
      stays ? expect.objectContaining({ slot: 'primary' }) : null,
    )
    expect(organizations.get(id).keyInUse).toBe('secondary')
  })

  test('replaces the message about the switch once dismissed', async () => {
    const { organizations, id } = await withTwoKeys()
    await refuse(organizations, id)
    const ring = organizations.keyRing(id)
    ring.accepted((await ring.inUse(here)).slot)
    await settle(20)
    expect(organizations.problems().map((problem) => problem.id)).toEqual([`key-swapped:${id}`])
    await organizations.keyRegenerated({ id, slot: 'primary' })
    expect(organizations.problems()).toEqual([])
  })
})
