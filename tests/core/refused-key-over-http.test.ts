import { beforeEach, describe, expect, test } from 'vitest'
import type { Core } from '../../electron/core/app.ts'
import type { Demonstration } from '../../electron/demo/demonstration.ts'
import { openConnectedCore, serviceKeys } from '../connected-core.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { rebootOf, rebootRoom } from '../reboot-room.ts'

let service: Demonstration
let core: Core
let id: string
/** A currently valid key, which the switches of the demonstration require. */
let goodKey: string

beforeEach(async () => {
  const opened = await openConnectedCore({ devices: 1500, rooms: 90, latencyMs: 10 })
  ;({ service, core } = opened)
  goodKey = serviceKeys.primary
  id = await opened.add()
  return opened.close
})

/** Another person regenerates a key in the portal. */
async function regenerate(slot: 'primary' | 'secondary'): Promise<string> {
  const answer = await fetch(service.managementUrl.replace(/management$/, 'demonstration/keys'), {
    method: 'POST',
    headers: { 'Ocp-Apim-Subscription-Key': goodKey },
    body: JSON.stringify({ regenerate: slot }),
  })
  goodKey = ((await answer.json()) as { key: string }).key
  return goodKey
}
const arrivals = (status?: string): number =>
  Object.entries(service.counts().arrivals)
    .filter(([operation]) => operation !== 'connection')
    .flatMap(([, byStatus]) => Object.entries(byStatus))
    .reduce((sum, [one, count]) => sum + (status === undefined || one === status ? count : 0), 0)

/** Begins a sync and runs `then` in its middle, with every stream in flight. */
async function inTheMiddleOfASync(then: () => Promise<unknown>): Promise<string> {
  const middle = new Promise<unknown>((resolve, reject) => {
    const end = core.onEvent(() => {
      if (arrivals('200') < 8) return
      end()
      then().then(resolve, reject)
    })
  })
  const sync = core.handlers.sync.run().then(
    ({ complete, devices }) => `complete ${String(complete)}, ${devices.read} devices`,
    (error: unknown) => (error instanceof Failed ? error.failure.kind : String(error)),
  )
  await middle
  return sync
}

/** Every action that a technician may try while the organization is stopped. */
async function pressEverything(): Promise<string[]> {
  const { handlers } = core
  const { rows } = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })
  const { rows: rooms } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })
  const [device, room] = [rows[0]?.id ?? 'D0', rooms[0]?.id ?? 'R0']
  const pressed = [
    () => handlers.sync.run(),
    () => handlers.devices.settings({ id: device, refresh: true }),
    () => handlers.rooms.refresh({ id: room }),
    () => handlers.jobs.plan(rebootOf(room)),
    () => rebootRoom(handlers.jobs, room),
    () => handlers.sync.run(),
  ]
  const kinds: string[] = []
  for (const press of pressed) {
    const kind = await press().then(
      () => 'answered',
      (error: unknown) => (error instanceof Failed ? error.failure.kind : String(error)),
    )
    kinds.push(kind)
  }
  return kinds
}

describe('keys that are regenerated during a sync over real HTTP', () => {
  test('with only one key: the streams in flight are refused, and then no call arrives, whichever control is used', async () => {
    expect(await inTheMiddleOfASync(() => regenerate('primary'))).toMatch('complete false')
    expect((await core.handlers.app.status()).sync.lastFailure).toMatchObject({
      kind: 'key-refused',
      slot: 'primary',
    })
    // Two streams of devices and one of rooms, each with the call that was in flight.
    expect(arrivals('401')).toBeGreaterThan(0)
    expect(arrivals('401')).toBeLessThanOrEqual(3)
    const before = arrivals()
    expect(new Set(await pressEverything())).toEqual(new Set(['key-refused']))
    expect(arrivals() - before).toBe(0)
    const { problems } = await core.handlers.app.status()
    expect(problems.map(({ id: problem }) => problem)).toEqual([`key-refused:${id}`])
  })

  test('the primary one, with a good secondary one: the sync continues to its end with that, and the switch is reported', async () => {
    await core.handlers.organizations.setKey({ id, slot: 'secondary', key: serviceKeys.secondary })
    expect(await inTheMiddleOfASync(() => regenerate('primary'))).toBe('complete true, 1500 devices')
    expect(arrivals('401')).toBeLessThanOrEqual(3)
    const [organization] = (await core.handlers.organizations.list()).organizations
    expect(organization).toMatchObject({
      keyInUse: 'secondary',
      regenerate: { slot: 'primary', because: 'refused' },
      stoppedBecause: null,
    })
    expect((await core.handlers.app.status()).problems.map(({ id: problem }) => problem)).toEqual([
      `key-swapped:${id}`,
    ])
  })

  test('both: the secondary one is tried once, and then no call arrives until a new key is entered', async () => {
    await core.handlers.organizations.setKey({ id, slot: 'secondary', key: serviceKeys.secondary })
    let newKey = ''
    const outcome = await inTheMiddleOfASync(async () => {
      newKey = await regenerate('primary')
      await regenerate('secondary')
    })
    expect(outcome).toMatch('complete false')
    expect(arrivals('401')).toBeLessThanOrEqual(4)
    const before = arrivals()
    await pressEverything()
    expect(arrivals() - before).toBe(0)

    await core.handlers.organizations.setKey({ id, slot: 'primary', key: newKey })
    expect(arrivals() - before).toBe(0)
    expect(await core.handlers.organizations.checkKey({ id, slot: 'primary' })).toMatchObject({
      accepted: true,
    })
    expect(await core.handlers.sync.run()).toMatchObject({ complete: true, devices: { read: 1500 } })
    // The other key is not replaced yet.
    expect((await core.handlers.app.status()).problems).toMatchObject([
      { id: `key-swapped:${id}`, failure: { slot: 'secondary' } },
    ])
  })
})
