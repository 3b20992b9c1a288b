import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JobWork } from '../../../electron/contract/api/jobs.ts'
import { AJobCore } from './a-job-core.ts'

let it: AJobCore

beforeEach(async () => {
  it = await AJobCore.open()
})
afterEach(() => it.close())

const counted = [
  'GetRoom',
  'RebootRoom',
  'GetDeviceSettings',
  'UpdateDeviceSettings',
  'ListDevicesWithSettings',
] as const
const byName = [{ column: 'name', descending: false }] as const
const roomIds = async (): Promise<readonly string[]> =>
  (await it.handlers.rooms.list({ where: '', sort: byName, start: 0, count: 500 })).rows.map(({ id }) => id)
const deviceIds = async (where = '"panacast 50"'): Promise<readonly string[]> =>
  (await it.handlers.devices.slice({ where, sort: byName, start: 0, count: 500 })).rows.map(({ id }) => id)

/** Numbers from 0 to 1, always in the same sequence. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

test('the cost of 20 jobs is exact, and monitoring never takes more calls than planned', async () => {
  const random = numbers(4_711)
  const [rooms, devices] = [await roomIds(), await deviceIds('status:online')]
  const some = (ids: readonly string[]): readonly string[] => ids.filter(() => random() < 0.25).slice(0, 12)
  const draw = (round: number): JobWork => {
    if (round % 2 === 1)
      return { kind: 'change-settings', selection: { kind: 'picked', ids: some(devices) }, changes: [{ name: 'fieldOfView', value: random() < 0.5 ? '_90deg' : '_120deg' }] } // prettier-ignore
    return random() < 0.5
      ? { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: some(rooms) } }
      : { kind: 'reboot-rooms', of: 'devices', selection: { kind: 'picked', ids: some(devices) } }
  }
  const every = (await it.handlers.rooms.list({ where: '', sort: byName, start: 0, count: 500 })).rows
  const roomOf = new Map(every.flatMap(({ id, groupIds }) => groupIds.map((groupId) => [groupId, id])))
  let jobs = 0
  for (let round = 0; jobs < 20 && round < 100; round++) {
    const work = draw(round)
    const plan = await it.plan(work)
    if (plan.items === 0) continue
    const before = { service: it.arrived(...counted), asked: it.asked.length }
    const { job, items } = await it.done(plan)
    const asked = it.asked
      .slice(before.asked)
      .filter((call) => !/^POST \/(?:devices|meetingrooms)\/api\/(?:devices|meetingrooms)$/.test(call))
    // Reads before the write, the write, and for settings one read after it; the rest is monitoring.
    const spent = { job: 0, after: 0 }
    const ends = new Map<string, number>()
    for (const call of asked) {
      const [, subject = ''] = /\/api\/\w+\/([^/]+)/.exec(call) ?? []
      const id = work.kind === 'reboot-rooms' ? (roomOf.get(subject) ?? subject) : subject
      const end = ends.get(id)
      spent[end === undefined || end > 0 ? 'job' : 'after']++
      if (/^(?:PATCH|POST) /.test(call)) ends.set(id, work.kind === 'reboot-rooms' ? 0 : 1)
      else if (end !== undefined) ends.set(id, Math.max(0, end - 1))
    }
    expect({ round, outcomes: items.filter(({ outcome }) => outcome !== 'done') }).toEqual({
      round,
      outcomes: [],
    })
    expect({ round, planned: plan.cost.calls }).toEqual({ round, planned: spent.job })
    expect(spent.after).toBeLessThanOrEqual(plan.watchingAtMost)
    expect([job.callsPlanned, job.callsUsed, it.arrived(...counted) - before.service]).toEqual([
      plan.cost.calls,
      asked.length,
      asked.length,
    ])
    await it.clock.advance(20 * 60_000)
    await it.passing(it.handlers.sync.run())
    jobs++
  }
  expect(jobs).toBe(20)
})

describe.each(['reboot-rooms', 'change-settings'] as const)('an interrupted write of %s', (kind) => {
  const operation = kind === 'reboot-rooms' ? 'RebootRoom' : 'UpdateDeviceSettings'
  const aWork = async (): Promise<JobWork> => {
    if (kind === 'reboot-rooms')
      return { kind, of: 'rooms', selection: { kind: 'picked', ids: (await roomIds()).slice(0, 1) } }
    const [id = ''] = await deviceIds()
    const { settings } = await it.passing(it.handlers.devices.settings({ id, refresh: true }))
    const value =
      settings.find(({ name }) => name === 'fieldOfView')!.value === '_90deg' ? '_120deg' : '_90deg'
    return { kind, selection: { kind: 'picked', ids: [id] }, changes: [{ name: 'fieldOfView', value }] }
  }

  test.each(['cut-mid-request', 'cut-before-answer', 'cut-mid-answer', 'error-500-late'] as const)(
    'by %s is unknown and never repeated',
    async (name) => {
      it.service.faults.set({ name, rate: 1, times: null, operation })
      const { job, items } = await it.done(await it.plan(await aWork()))
      expect([items[0]!.outcome, it.arrived(operation), job.retryable]).toEqual(['unknown', 1, 0])
      await it.clock.advance(30 * 60_000)
      expect(it.arrived(operation)).toBe(1)
    },
  )

  test('before it could connect is not sent, and not sent later if cancelled', async () => {
    const plan = await it.plan(await aWork())
    const back = await it.service.refuseConnections()
    const { id } = await it.start(plan)
    await it.until(async () => (await it.handlers.jobs.get({ id })).waitsFor === 'offline')
    await it.passing(it.handlers.jobs.cancel({ id }))
    await it.until(async () => (await it.handlers.jobs.get({ id })).state === 'ended')
    await back()
    await it.clock.advance(5 * 60_000)
    expect([
      (await it.items(id)).map(({ outcome, detail }) => [outcome, detail]),
      it.arrived(operation),
    ]).toEqual([[['failed', 'cancelled']], 0])
  })
})

test('a key refused during a job stops it at once; unsent items stay queued, and no more calls are made', async () => {
  await it.close()
  // More rooms than can be in flight at the same time.
  it = await AJobCore.open({ devices: 400, rooms: 40 })
  const plan = await it.plan({
    kind: 'reboot-rooms',
    of: 'rooms',
    selection: { kind: 'matching', where: '', except: [] },
  })
  it.service.faults.set({ name: 'refuse-primary-key', rate: 1, times: null, operation: 'RebootRoom' })
  const { id } = await it.start(plan)
  await it.until(async () => ['paused', 'ended'].includes((await it.handlers.jobs.get({ id })).state))
  await it.until(async () => (await it.handlers.jobs.get({ id })).underWay === 0)
  const job = await it.handlers.jobs.get({ id })
  expect([job.state, job.waitsFor]).toEqual(['paused', 'key'])
  const asked = it.asked.length
  await it.clock.advance(60 * 60_000)
  const items = await it.items(id)
  const ended = items.filter(({ state }) => state === 'ended')
  expect([it.asked.length - asked, it.service.counts().writes, items.length]).toEqual([0, {}, plan.items])
  // Items whose write was refused have ended; the others wait for the technician.
  expect(ended.map(({ outcome, failure }) => [outcome, failure?.kind])).toEqual(
    ended.map(() => ['failed', 'key-refused']),
  )
  expect(ended.length).toBeGreaterThan(0)
  expect(items.filter(({ state }) => state === 'queued').length).toBe(plan.items - ended.length)
  expect(plan.items - ended.length).toBeGreaterThan(0)
})
