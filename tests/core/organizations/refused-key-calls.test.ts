import { describe, expect, test } from 'vitest'
import { Failed, type KeySlot } from '../../../electron/contract/failure.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { WireResponse } from '../../../electron/core/platform.ts'
import { openManagementClient } from '../../../electron/core/service-client/service-client.ts'
import { answer, FakeTransport } from '../../fake-transport.ts'
import { FakeClock } from '../../fake-clock.ts'
import { aDraft, aHome, primaryKey, secondaryKey } from './a-home.ts'
import { failureOf } from '../../failure-of.ts'

/**
 * Real organizations, budget and client over a service that accepts the given keys; its n-th response arrives
 * after `answersAfter(n)` milliseconds.
 */
async function aFleetOfCalls(
  accepts: readonly string[],
  answersAfter: (index: number) => number,
  keychainTakesInMs = 0,
) {
  const home = aHome()
  const { clock } = home
  const { organizations: before } = await home.start()
  const { id } = await before.add(aDraft())
  await before.setKey({ id, slot: 'primary', key: primaryKey })
  await before.setKey({ id, slot: 'secondary', key: secondaryKey })
  // A restarted program reads each key when it is first needed.
  const { organizations } = await home.start()
  const read = home.keychain.get.bind(home.keychain)
  home.keychain.get = async (account) => {
    if (keychainTakesInMs > 0) await new Promise<void>((resolve) => clock.after(keychainTakesInMs, resolve))
    return read(account)
  }
  const sent: KeySlot[] = []
  const transport = new FakeTransport(async (request, index) => {
    const key = request.headers['Ocp-Apim-Subscription-Key'] ?? ''
    sent.push(key === secondaryKey ? 'secondary' : 'primary')
    await new Promise<void>((resolve) => clock.after(answersAfter(index), resolve))
    return accepts.includes(key)
      ? answer(200, { items: [] })
      : (answer(401, {
          statusCode: 401,
          message: 'Access denied due to invalid subscription key.',
        }) satisfies WireResponse)
  })
  const budget = await openCallBudget({ clock, random: () => 0, history: null })
  const client = openManagementClient({
    transport,
    budget,
    clock,
    random: () => 0,
    keys: organizations.keyRing(id),
    baseUrl: 'https://management.example',
    apiVersion: 2,
  })
  /** Sends many calls at once; returns the result of each and the time until the last one settled. */
  const sendAll = async (count: number) => {
    const begin = clock.monotonic()
    const outcomes: string[] = []
    const request = {
      operation: 'ListDevices',
      method: 'POST',
      path: '/devices/api/devices',
      body: {},
      lane: 'refresh',
      writes: false,
      signal: null,
    } as const
    for (let i = 0; i < count; i++) {
      void client.send(request).then(
        ({ status }) => outcomes.push(String(status)),
        (error: unknown) => outcomes.push(error instanceof Failed ? error.failure.kind : String(error)),
      )
    }
    let tookInMs = 0
    for (let passed = 0; outcomes.length < count && passed < 600_000; passed += 50) {
      await clock.advance(50)
      tookInMs = clock.monotonic() - begin
    }
    return { outcomes: [...new Set(outcomes)].sort(), count: outcomes.length, tookInMs }
  }
  return { organizations, id, sent, sendAll, budget, clock }
}

test('an error text that quotes the previous key after a switch shows neither key', async () => {
  const { organizations, id } = await aFleetOfCalls([], () => 0)
  const transport = new FakeTransport(({ headers }) => {
    const key = headers['Ocp-Apim-Subscription-Key'] ?? ''
    return key === primaryKey
      ? answer(401, { message: 'Access denied' })
      : answer(400, { message: `${primaryKey}, then ${key}` })
  })
  const clock = new FakeClock()
  const budget = await openCallBudget({ clock, random: () => 0, history: null })
  const client = openManagementClient({
    transport,
    budget,
    clock,
    random: () => 0,
    keys: organizations.keyRing(id),
    baseUrl: 'https://management.example',
    apiVersion: 2,
  })
  const request = {
    operation: 'ListDevices',
    method: 'POST',
    path: '/devices',
    body: {},
    lane: 'refresh',
    writes: false,
    signal: null,
  } as const
  expect(await failureOf(() => client.send(request))).toMatchObject({
    kind: 'refused',
    message: '[subscription key], then [subscription key]',
  })
})

const paces = [
  ['all at once', () => 100],
  ['one after the other', (index: number) => 100 + index * 7],
  ['the first one last', (index: number) => Math.max(10, 500 - index * 9)],
] as const

describe.each(paces)(
  'many calls in flight when the primary key is refused, with responses %s',
  (_, answersAfter) => {
    test('with a good secondary key: all succeed, and none waits long', async () => {
      const { sendAll, sent, organizations, id } = await aFleetOfCalls([secondaryKey], answersAfter)
      const { outcomes, count, tookInMs } = await sendAll(50)
      expect({ outcomes, count }).toEqual({ outcomes: ['200'], count: 50 })
      expect(sent.filter((slot) => slot === 'primary')).toHaveLength(50)
      expect(sent.filter((slot) => slot === 'secondary')).toHaveLength(50)
      expect(tookInMs).toBeLessThan(9_000)
      expect(organizations.get(id).stoppedBecause).toBeNull()
    })

    test('with a slow keychain: none waits longer than the keychain', async () => {
      const { sendAll, sent } = await aFleetOfCalls([secondaryKey], answersAfter, 400)
      const { outcomes, count, tookInMs } = await sendAll(50)
      expect({ outcomes, count }).toEqual({ outcomes: ['200'], count: 50 })
      expect(sent.filter((slot) => slot === 'secondary')).toHaveLength(50)
      expect(tookInMs).toBeLessThan(9_000)
    })

    test('during a pause of the budget: the one trial of the secondary key continues when late refusals arrive', async () => {
      const { sendAll, sent, budget, clock } = await aFleetOfCalls([secondaryKey], answersAfter)
      clock.after(50, () => budget.pauseUntil(clock.now() + 3_000))
      const { outcomes, count, tookInMs } = await sendAll(50)
      expect({ outcomes, count }).toEqual({ outcomes: ['200'], count: 50 })
      expect(sent.filter((slot) => slot === 'secondary')).toHaveLength(50)
      expect(tookInMs).toBeLessThan(9_000)
    })

    test('with a refused secondary key: it was tried once, and then nothing is sent', async () => {
      const { sendAll, sent } = await aFleetOfCalls([], answersAfter)
      expect(await sendAll(50)).toMatchObject({ outcomes: ['key-refused'], count: 50 })
      expect(sent.filter((slot) => slot === 'secondary')).toHaveLength(1)
      const before = sent.length
      expect(await sendAll(20)).toMatchObject({ outcomes: ['key-refused'], count: 20 })
      expect(sent).toHaveLength(before)
    })
  },
)
