import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { JobItem, JobWork } from '../../../electron/contract/api/jobs.ts'
import type { RoomRow } from '../../../electron/contract/api/rooms.ts'
import { AJobCore } from './a-job-core.ts'
import { rebootRoom } from '../../reboot-room.ts'

let it: AJobCore

beforeEach(async () => {
  it = await AJobCore.open()
})
afterEach(() => it.close())

const reboot = (selection: DeviceSelection, of: 'rooms' | 'devices' = 'rooms'): JobWork => ({
  kind: 'reboot-rooms',
  of,
  selection,
})
const picked = (...ids: readonly string[]): DeviceSelection => ({ kind: 'picked', ids })
const everyRoom = reboot({ kind: 'matching', where: '', except: [] })
const endings = (items: readonly JobItem[]): readonly (string | null)[] =>
  items.map(({ outcome, detail }) => `${outcome ?? ''} ${detail ?? ''}`.trim())

async function rooms(where = ''): Promise<readonly RoomRow[]> {
  return (
    await it.handlers.rooms.list({
      where,
      sort: [{ column: 'name', descending: false }],
      start: 0,
      count: 500,
    })
  ).rows
}
const withTwoGroupIds = async (): Promise<RoomRow> =>
  (await rooms()).find(({ groupIds }) => groupIds.length === 2)!

test('a reboot of all rooms is planned without a call, written once to each, and watched until they are back', async () => {
  const askedBefore = it.asked.length
  const plan = await it.plan(everyRoom)
  expect([plan.items, plan.skipped, plan.typeNumber, it.asked.length - askedBefore]).toEqual([12, [], 12, 0])

  const { job, items } = await it.done(plan)
  expect(job.counts).toEqual({ done: 12, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 })
  expect(new Set(endings(items))).toEqual(new Set(['done back-online', 'done did-not-come-back']))
  expect(it.arrived('RebootRoom')).toBe(12)
  expect(Object.values(it.service.counts().writes)).toEqual(Array.from({ length: 12 }, () => 1))
})

test('the store has the rooms as they were last read', async () => {
  const room = await withTwoGroupIds()
  const { items } = await it.done(await it.plan(reboot(picked(room.id))))
  expect(endings(items)).toEqual(['done back-online'])
  const after = await it.handlers.rooms.get({ id: room.id })
  expect(
    after
      .devices!.filter(({ status }) => status === 'online')
      .every(({ observedAt }) => observedAt > items[0]!.startedAt!),
  ).toBe(true)
})

describe('a selection is grouped into rooms', () => {
  test('a room named by its id and both its group ids is one item, read by both', async () => {
    const room = await withTwoGroupIds()
    const plan = await it.plan(reboot(picked(room.id, ...room.groupIds)))
    expect([plan.items, plan.cost.calls, plan.typeNumber]).toEqual([1, 3, null])
    await it.done(plan)
    expect(it.arrived('RebootRoom')).toBe(1)
  })

  test('devices select their room once; devices without a room and unknown ones are skipped with the reason', async () => {
    const room = await it.handlers.rooms.get({ id: (await withTwoGroupIds()).id })
    const [personal] = (await it.handlers.devices.slice({ where: 'room:""', sort: [], start: 0, count: 1 }))
      .rows
    const plan = await it.plan(
      reboot(picked(...room.devices!.map(({ id }) => id), personal!.id, 'nobody'), 'devices'),
    )
    expect((await it.planned(plan)).map(({ target, skipped }) => [target.id, skipped])).toEqual([
      [room.id, null],
      ['nobody', 'gone'],
      [personal!.id, 'no-room'],
    ])
  })

  test('every device that goes down is listed, with serial number and status', async () => {
    const room = await it.handlers.rooms.get({ id: (await withTwoGroupIds()).id })
    const [item] = await it.planned(await it.plan(reboot(picked(room.id))))
    expect(item).toEqual({
      target: { of: 'room', id: room.id, name: room.name },
      devices: room.devices!.map(({ id, name, status, serialNumber, productName }) => ({
        id,
        status,
        productName,
        name: `${name} · ${serialNumber}`,
      })),
      earliestAt: null,
      changes: [],
      skipped: null,
      timeZone: room.timeZone,
    })
  })
})

test('a room with a write within the minute shows its earliest time, waits without a call, and is then done', async () => {
  const room = await withTwoGroupIds()
  await it.passing(rebootRoom(it.handlers.jobs, room.id))
  // Otherwise the requests of its watch would be recorded below.
  const [first] = (await it.handlers.jobs.list({ start: 0, count: 1 })).jobs
  await it.handlers.jobs.cancel({ id: first!.id })
  const free = it.clock.now() + 61_000
  const plan = await it.plan(reboot(picked(room.id)))
  const [item] = await it.planned(plan)
  expect(Math.abs(item!.earliestAt! - free)).toBeLessThan(2_000)
  expect(plan.cost.aboutInMs).toBe(item!.earliestAt! - plan.madeAt)
  const askedBefore = it.asked.length
  const { id } = await it.start(plan)
  await it.until(async () => it.clock.now() >= item!.earliestAt! - 2_000)
  expect([it.asked.length - askedBefore, (await it.handlers.jobs.get({ id })).waitsFor]).toEqual([
    0,
    'device-minute',
  ])
  await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended')
  expect([it.arrived('RebootRoom'), (await it.items(id))[0]!.outcome]).toEqual([2, 'done'])
})

test('a room with nothing online any more gets no write', async () => {
  const room = await withTwoGroupIds()
  const plan = await it.plan(reboot(picked(room.id)))
  it.service.faults.set({ name: 'stays-down', rate: 1, times: null, operation: null })
  // Another person restarts it, and nothing comes back.
  const raw = await fetch(
    `${it.service.managementUrl}/meetingrooms/api/meetingrooms/${room.groupIds[0]!}/reboot`,
    {
      method: 'POST',
      headers: { 'Ocp-Apim-Subscription-Key': it.service.key, 'api-version': '2' },
    },
  )
  expect(raw.status).toBe(200)
  await it.clock.advance(300_000)
  const { items } = await it.done(plan)
  expect([endings(items), it.arrived('RebootRoom')]).toEqual([['failed nothing-online'], 1])
})

test('a room whose devices stay offline did not come back, within the planned number of calls', async () => {
  it.service.faults.set({ name: 'stays-down', rate: 1, times: null, operation: null })
  const plan = await it.plan(reboot(picked((await withTwoGroupIds()).id)))
  const { job, items } = await it.done(plan)
  expect(endings(items)).toEqual(['done did-not-come-back'])
  expect(job.callsUsed).toBeLessThanOrEqual(plan.cost.calls + plan.watchingAtMost)
  expect(items[0]!.endedAt! - items[0]!.startedAt!).toBeLessThan(10 * 60_000 + 30_000)
})

test.each([
  ['refuse-404', 'not-found'],
  ['refuse-403', 'failed'],
  ['refuse-400', 'failed'],
  ['error-500', 'unknown'],
] as const)('a service that returns %s ends the room as %s', async (name, outcome) => {
  it.service.faults.set({ name, rate: 1, times: null, operation: 'RebootRoom' })
  const { items } = await it.done(await it.plan(reboot(picked((await withTwoGroupIds()).id))))
  expect([items[0]!.outcome, it.arrived('RebootRoom')]).toEqual([outcome, 1])
})

test('an unknown result can be checked: a room that restarts now is done, one that does not stays unknown', async () => {
  const [one, other] = (await rooms()).slice(0, 2)
  it.service.faults.set({ name: 'error-500-late', rate: 1, times: 1, operation: 'RebootRoom' })
  const first = await it.done(await it.plan(reboot(picked(one!.id))))
  it.service.faults.set({ name: 'error-500', rate: 1, times: 1, operation: 'RebootRoom' })
  const second = await it.done(await it.plan(reboot(picked(other!.id))))
  expect(endings([...first.items, ...second.items])).toEqual(['unknown', 'unknown'])
  await it.clock.advance(5_000)
  for (const { items } of [first, second]) await it.passing(it.handlers.jobs.check({ item: items[0]!.id }))
  const after = [...(await it.items(first.job.id)), ...(await it.items(second.job.id))]
  expect([endings(after), it.arrived('RebootRoom')]).toEqual([['done not-watched', 'unknown'], 2])
})
