import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failed, type KeySlot } from '../../../electron/contract/failure.ts'
import type { Organizations } from '../../../electron/core/organizations/organizations.ts'
import { KeyRotation } from '../../../electron/core/organizations/key-rotation.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { cases } from '../../setup/cases.ts'
import { aDraft, aHome, here, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

const refusal = (slot: KeySlot, message: string | null = null) => ({ kind: 'key-refused', slot, message })

/** An organization with two keys, and a service that accepts the given slots. Counts the calls. */
async function aService(accepts: readonly KeySlot[], keys: readonly KeySlot[] = ['primary', 'secondary']) {
  const home = aHome()
  const { organizations, stop } = await home.start()
  const { id } = await organizations.add(aDraft())
  if (keys.includes('primary')) await organizations.setKey({ id, slot: 'primary', key: primaryKey })
  if (keys.includes('secondary')) await organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
  const sent: KeySlot[] = []
  const accepting = new Set(accepts)
  /** A call as the service client makes it: it is repeated after `try-other`, and ends otherwise. */
  const call = async (ring = organizations.keyRing(id)): Promise<'answered' | 'refused'> => {
    for (;;) {
      const { slot } = await ring.inUse(here)
      sent.push(slot)
      await settle(3)
      if (accepting.has(slot)) {
        ring.accepted(slot)
        return 'answered'
      }
      if ((await ring.refused(slot, 'Access denied')) === 'stop') return 'refused'
    }
  }
  return { home, organizations, stop, id, sent, accepting, call }
}

describe('a refused primary key', () => {
  test('is replaced by the secondary one, the switch is reported, and later calls use it at once', async () => {
    const { organizations, id, sent, call, home } = await aService(['secondary'])
    expect(await call()).toBe('answered')
    expect(await call()).toBe('answered')
    expect(sent).toEqual(['primary', 'secondary', 'secondary'])
    expect(organizations.get(id).stoppedBecause).toBeNull()
    expect(organizations.problems()).toEqual([
      {
        id: `key-swapped:${id}`,
        failure: refusal('primary', 'Access denied'),
        since: home.clock.now(),
        done: 'Aarhus continues with the secondary key. Replace the primary key.',
      },
    ])
    expect(home.log.filter(({ level }) => level === 'info')).toEqual([
      {
        level: 'info',
        message: 'Another subscription key is in use',
        details: { organization: id, slot: 'secondary' },
      },
    ])
  })

  test('that is entered again is no longer refused, and is tried when the other one is refused', async () => {
    const { organizations, id, sent, accepting, call } = await aService(['secondary'])
    await call()
    await organizations.setKey({ id, slot: 'primary', key: 'the-key-as-it-is-in-the-portal-now' })
    expect(organizations.problems()).toEqual([])
    accepting.delete('secondary')
    accepting.add('primary')
    expect(await call()).toBe('answered')
    expect(sent).toEqual(['primary', 'secondary', 'secondary', 'primary'])
  })

  test('is not tried again after a restart', async () => {
    const { home, id, call, stop } = await aService(['secondary'])
    await call()
    await stop()
    expect((await (await home.start()).organizations.keyRing(id).inUse(here)).slot).toBe('secondary')
  })

  test('tries the secondary key once for a hundred simultaneous calls, and all of them succeed', async () => {
    const { sent, call } = await aService(['secondary'])
    const all = await Promise.all(Array.from({ length: 100 }, () => call()))
    expect(new Set(all)).toEqual(new Set(['answered']))
    const firstGood = sent.indexOf('secondary')
    expect(sent.slice(0, firstGood).every((slot) => slot === 'primary')).toBe(true)
    expect(sent.slice(firstGood).every((slot) => slot === 'secondary')).toBe(true)
  })

  test('without a secondary key stops everything at the first refusal', async () => {
    const { organizations, id, sent, call } = await aService([], ['primary'])
    expect(await call()).toBe('refused')
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual(
      refusal('primary', 'Access denied'),
    )
    expect(sent).toEqual(['primary'])
  })
})

describe('when both keys are refused', () => {
  test('the secondary one was tried once, and nothing is sent until the technician acts', async () => {
    const { organizations, id, sent, call, home } = await aService([])
    const first = await Promise.all(Array.from({ length: 20 }, () => failureOf(() => call())))
    expect(sent.filter((slot) => slot === 'secondary')).toEqual(['secondary'])
    expect(
      first.every(
        (failure) =>
          failure === null ||
          (typeof failure === 'object' && 'kind' in failure && failure.kind === 'key-refused'),
      ),
    ).toBe(true)
    const before = sent.length
    for (let i = 0; i < 20; i++)
      expect(await failureOf(() => call())).toEqual(refusal('secondary', 'Access denied'))
    await home.clock.advance(3_600_000)
    expect(await failureOf(() => call())).toEqual(refusal('secondary', 'Access denied'))
    expect(sent).toHaveLength(before)
    expect(organizations.get(id).stoppedBecause).toBe('key-refused')
    expect(organizations.problems()).toMatchObject([
      { id: `key-refused:${id}`, failure: refusal('secondary', 'Access denied'), done: null },
    ])
  })

  test.each(['primary', 'secondary'] as const)('a new %s key resumes calls', async (slot) => {
    const { organizations, id, sent, accepting, call } = await aService([])
    await call()
    accepting.add(slot)
    await organizations.setKey({ id, slot, key: 'a-new-key-from-the-portal' })
    expect(organizations.get(id).stoppedBecause).toBeNull()
    sent.length = 0
    expect(await call()).toBe('answered')
    expect(sent).toEqual([slot])
    expect(organizations.problems().filter(({ id: problem }) => problem.startsWith('key-refused'))).toEqual(
      [],
    )
  })

  test('other organizations continue', async () => {
    const { organizations, call } = await aService([])
    await call()
    const other = await organizations.add(aDraft({ name: 'Other' }))
    await organizations.setKey({ id: other.id, slot: 'primary', key: 'another-key-altogether' })
    expect((await organizations.keyRing(other.id).inUse(here)).slot).toBe('primary')
  })

  test('forgetting both keys is reported as "key missing"', async () => {
    const { organizations, id, call } = await aService([])
    await call()
    await organizations.forgetKey({ id, slot: 'secondary' })
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual(
      refusal('secondary', 'Access denied'),
    )
    await organizations.forgetKey({ id, slot: 'primary' })
    expect(await failureOf(() => organizations.keyRing(id).inUse(here))).toEqual({ kind: 'key-missing' })
  })
})

describe('checking a key', () => {
  const checkOver =
    (
      organizations: Organizations,
      call: (ring: ReturnType<Organizations['slotRing']>) => Promise<unknown>,
      accepts: readonly KeySlot[],
    ) =>
    async ({ id }: { id: string }, slot: KeySlot) => {
      const ring = organizations.slotRing(id, slot)
      await call({
        ...ring,
        refused: async (refused, message) => {
          await ring.refused(refused, message)
          return 'stop'
        },
      })
      if (!accepts.includes(slot)) throw new Failed({ kind: 'key-refused', slot, message: 'Access denied' })
    }

  test('reports a good key, and ends a stop caused by that key', async () => {
    const { organizations, id, accepting, call, sent, home } = await aService([])
    await call()
    accepting.add('secondary')
    sent.length = 0
    expect(
      await organizations.checkKey({ id, slot: 'secondary' }, checkOver(organizations, call, ['secondary'])),
    ).toEqual({
      slot: 'secondary',
      accepted: true,
      checkedAt: home.clock.now(),
    })
    expect(organizations.get(id)).toMatchObject({
      stoppedBecause: null,
      keys: [{}, { lastUsedAt: home.clock.now() }],
    })
    expect(await call()).toBe('answered')
    expect(sent).toEqual(['secondary', 'secondary'])
  })

  test('reports a refused key, without trying or stopping the one in use', async () => {
    const { organizations, id, call, sent, home } = await aService(['primary'])
    expect(
      await organizations.checkKey({ id, slot: 'secondary' }, checkOver(organizations, call, ['primary'])),
    ).toEqual({
      slot: 'secondary',
      accepted: false,
      checkedAt: home.clock.now(),
    })
    expect(await call()).toBe('answered')
    expect(sent).toEqual(['secondary', 'primary'])
    expect(organizations.get(id)).toMatchObject({
      stoppedBecause: null,
      keys: [{}, { lastRefusedAt: home.clock.now() }],
    })
  })

  test('stops the organization when the only key is refused', async () => {
    const { organizations, id, call } = await aService([], ['primary'])
    await organizations.checkKey({ id, slot: 'primary' }, checkOver(organizations, call, []))
    expect(organizations.get(id).stoppedBecause).toBe('key-refused')
  })

  test('offline reports only the connection failure', async () => {
    const { organizations, id } = await aService(['primary'])
    const offline = {
      kind: 'offline',
      call: { operation: 'ListDevices', host: 'management.example' },
      message: 'no network',
    } as const
    expect(
      await failureOf(() =>
        organizations.checkKey({ id, slot: 'primary' }, () => Promise.reject(new Failed(offline))),
      ),
    ).toEqual(offline)
    expect(organizations.get(id).stoppedBecause).toBeNull()
  })

  test('in an empty slot reports "key missing"', async () => {
    const { organizations, id, call } = await aService(['primary'], ['primary'])
    expect(
      await failureOf(() =>
        organizations.checkKey({ id, slot: 'secondary' }, checkOver(organizations, call, [])),
      ),
    ).toEqual({ kind: 'key-missing' })
  })
})

test('ignores responses to calls of a removed organization', async () => {
  const { organizations, id } = await aService(['primary'])
  const [ring, checking] = [organizations.keyRing(id), organizations.slotRing(id, 'primary')]
  await ring.inUse(here)
  await organizations.remove({ id })
  ring.accepted('primary')
  checking.accepted('primary')
  expect([await ring.refused('primary', null), await checking.refused('primary', null)]).toEqual([
    'stop',
    'stop',
  ])
  expect(await failureOf(() => ring.inUse(here))).toMatchObject({ kind: 'not-found' })
})

test('with an unreadable secondary key the primary one is still refused, without a wait', async () => {
  const { home, id, stop } = await aService([])
  await stop()
  const { organizations } = await home.start()
  const ring = organizations.keyRing(id)
  await ring.inUse(here)
  home.keychain.problem = 'locked'
  expect(await ring.refused('primary', 'no')).toBe('try-other')
  expect(await failureOf(() => ring.inUse(here))).toMatchObject({
    kind: 'keychain-unavailable',
    reason: 'locked',
  })
  expect(await failureOf(() => ring.inUse(here))).toEqual(refusal('primary', 'no'))
})

describe('the order of calls during a key trial', () => {
  const aRotation = () => {
    const clock = new FakeClock()
    const swaps: KeySlot[] = []
    return { clock, swaps, rotation: new KeyRotation(clock, 'primary', (slot) => swaps.push(slot)) }
  }

  test('a trial without a result lets the next call try after ten seconds', async () => {
    const { clock, rotation } = aRotation()
    await rotation.turn()
    expect(rotation.refused('primary', null, true)).toBe('try-other')
    expect(await rotation.turn()).toBe('secondary')
    let next: KeySlot | null = null
    void rotation.turn().then((slot) => (next = slot))
    await clock.advance(9_999)
    expect(next).toBeNull()
    await clock.advance(1)
    expect(next).toBe('secondary')
  })

  test('a refusal of a replaced key does not stop the new one', async () => {
    const { rotation } = aRotation()
    await rotation.turn()
    rotation.replaced('primary', true)
    expect(rotation.refused('primary', null, false)).toBe('try-other')
    expect([rotation.stopped, await rotation.turn()]).toEqual([null, 'primary'])
  })

  test('after the key that is being tried is forgotten, the other one is still refused', async () => {
    const { rotation } = aRotation()
    await rotation.turn()
    rotation.refused('primary', 'first', true)
    rotation.forgotten('secondary', true)
    expect(rotation.stopped).toEqual({ slot: 'primary', message: 'first' })
  })

  test('after the key in use is forgotten, calls continue with the other', async () => {
    const { rotation, swaps } = aRotation()
    rotation.forgotten('primary', true)
    expect([await rotation.turn(), swaps]).toEqual(['secondary', ['secondary']])
  })

  test('a check that refuses the key being tried stops everything', async () => {
    const { rotation } = aRotation()
    await rotation.turn()
    rotation.refused('primary', null, true)
    rotation.foundBad('secondary', 'checked', true)
    expect(rotation.stopped).toEqual({ slot: 'secondary', message: 'checked' })
    expect(rotation.refused('secondary', null, true)).toBe('stop')
  })

  test('a successful late call does not end the trial of the other key', async () => {
    const { rotation } = aRotation()
    await rotation.turn()
    rotation.refused('primary', null, true)
    rotation.accepted('primary')
    expect(rotation.trialSlot).toBe('secondary')
    rotation.accepted('secondary')
    rotation.accepted('secondary')
    expect([rotation.inUse, rotation.trialSlot, rotation.passedOver]).toEqual([
      'secondary',
      null,
      { slot: 'primary', message: null },
    ])
    expect(rotation.refused('primary', null, true)).toBe('try-other')
  })

  test('in any order of responses the second key gets one call at a time until it is known, and after a stop none is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(7), { minLength: 5, maxLength: 60 }),
        fc.boolean(),
        fc.boolean(),
        async (moves, secondGood, otherIsSet) => {
          const { rotation } = aRotation()
          const inFlight: KeySlot[] = []
          let known = false
          let trying = 0
          let most = 0
          let sentAfterStop = 0
          const start = () =>
            void rotation.turn().then(
              (slot) => {
                if (rotation.stopped !== null) sentAfterStop += 1
                if (slot === 'secondary' && !known) most = Math.max(most, ++trying)
                inFlight.push(slot)
              },
              () => undefined,
            )
          for (const move of moves) {
            if (move < 4) start()
            else {
              const slot = inFlight.splice(move % Math.max(1, inFlight.length), 1)[0]
              if (slot === 'secondary' && !known) trying -= 1
              if (slot === 'secondary' && secondGood) {
                known = true
                rotation.accepted(slot)
              } else if (slot !== undefined) rotation.refused(slot, null, otherIsSet)
            }
            await settle(5)
          }
          expect({ most: most <= 1, sentAfterStop, never: otherIsSet || most === 0 }).toEqual({
            most: true,
            sentAfterStop: 0,
            never: true,
          })
        },
      ),
      { numRuns: cases(300) },
    )
  })
})
