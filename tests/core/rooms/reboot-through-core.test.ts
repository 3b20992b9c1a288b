import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { WireRequest } from '../../../electron/core/platform.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { openSyncedCore, type ConnectedCore } from '../../connected-core.ts'
import type { FakePlatform } from '../../fake-platform.ts'
import { rebootOf, rebootRoom } from '../../reboot-room.ts'

let opened: ConnectedCore
let platform: FakePlatform
let service: Demonstration
let core: Core
let room: string

beforeEach(async () => {
  opened = await openSyncedCore({ devices: 60, rooms: 6 })
  ;({ platform, service, core } = opened)
  const query = {
    where: 'status:connected',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 10,
  } as const
  room = (await core.handlers.rooms.list(query)).rows.find((row) => (row.onlineCount ?? 0) > 0)!.id
})
afterEach(async () => {
  await core.close()
  await opened.close()
})

const reboots = (): number =>
  Object.values(service.counts().arrivals['RebootRoom'] ?? {}).reduce((sum, count) => sum + count, 0)
const journal = async (): Promise<readonly (string | null)[]> =>
  (await core.handlers.journal.list({ where: '', subjectId: room, start: 0, count: 10 })).lines.map(
    (line) => line.outcome,
  )

test('a reboot goes from the contract to the service and back: plan, lock, slot, journal, status', async () => {
  const heard = new Set<string>()
  core.onEvent((channel) => heard.add(channel))
  const plan = await core.handlers.jobs.plan(rebootOf(room))
  const { items } = await core.handlers.jobs.planned({ plan: plan.id, start: 0, count: 1 })
  expect([
    plan.devices > 0,
    plan.lock,
    items.map(({ target, skipped, earliestAt }) => [target.id, skipped, earliestAt]),
  ]).toEqual([true, { unlocked: false, untilAt: null }, [[room, null, null]]])

  await expect(rebootRoom(core.handlers.jobs, room, false)).rejects.toMatchObject({
    failure: { kind: 'writes-locked' },
  })
  expect([reboots(), await journal()]).toEqual([0, []])

  expect(await rebootRoom(core.handlers.jobs, room)).toMatchObject({
    outcome: 'accepted',
    failure: null,
  })
  expect(await rebootRoom(core.handlers.jobs, room)).toMatchObject({ outcome: 'waiting' })
  expect([reboots(), await journal()]).toEqual([1, ['accepted']])
  expect((await core.handlers.app.status()).writeLock).toMatchObject({ unlocked: true })
  expect(await core.handlers.writes.lockNow()).toEqual({ unlocked: false, untilAt: null })
  await expect
    .poll(() => [...heard])
    .toEqual(expect.arrayContaining(['writes.changed', 'journal.changed', 'app.changed']))
})

test('actions lock when the screen locks or the program restarts, and the minute of the room continues', async () => {
  await rebootRoom(core.handlers.jobs, room)
  core.lockWrites()
  expect((await core.handlers.app.status()).writeLock).toEqual({ unlocked: false, untilAt: null })

  await rebootRoom(core.handlers.jobs, room)
  await core.close()
  core = await createCore(platform)
  expect(await core.handlers.writes.lock()).toEqual({ unlocked: false, untilAt: null })
  expect(await rebootRoom(core.handlers.jobs, room)).toMatchObject({ outcome: 'waiting' })
  expect(reboots()).toBe(1)
})

test('neither journal nor log nor results contain the key', async () => {
  await rebootRoom(core.handlers.jobs, room)
  const reported = JSON.stringify([
    await core.handlers.journal.list({ where: '', subjectId: null, start: 0, count: 10 }),
    platform.lines,
  ])
  expect(reported).not.toContain(service.key)
})

test('the journal names the organization as it is called when the write begins', async () => {
  const [organization] = (await core.handlers.organizations.list()).organizations
  await core.handlers.jobs.plan(rebootOf(room))
  const { id, current, createdAt, keys, stoppedBecause, ...draft } = organization!
  void [current, createdAt, keys, stoppedBecause]
  await core.handlers.organizations.update({ id, draft: { ...draft, name: 'Nordlys A/S' } })
  await rebootRoom(core.handlers.jobs, room)
  await core.handlers.firmware.approve({
    vendorId: 2830,
    productId: 2115,
    variant: null,
    version: '1.5.0',
    reason: 'tried',
    expires: null,
  })
  const { lines } = await core.handlers.journal.list({ where: '', subjectId: null, start: 0, count: 2 })
  expect(lines.map((line) => line.organizationName)).toEqual(['Nordlys A/S', 'Nordlys A/S'])
  const session = await core.sessions.current()
  expect(session.organization.name).toBe('Nordlys A/S')
})

test.each<[string, (left: Promise<void>[]) => Promise<unknown>]>([
  ['closes', async (left) => left.push(core.close())],
  [
    'changes its addresses',
    async () => {
      const [organization] = (await core.handlers.organizations.list()).organizations
      const { id, current, createdAt, keys, stoppedBecause, ...draft } = organization!
      void [current, createdAt, keys, stoppedBecause]
      return core.handlers.organizations.update({ id, draft: { ...draft, managementVersion: 1 } })
    },
  ],
])(
  'a query of another client, while an organization that %s waits for an answer, ends no write',
  async (_, leave) => {
    const [arrives, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { attempt } = platform.transport
    Object.assign(platform.transport, {
      attempt: async (request: WireRequest) => {
        const response = await attempt(request)
        if (!/reboot/i.test(request.url)) return response
        arrives.resolve()
        await answers.promise
        return response
      },
    })
    const { handlers } = core.connect({ organization: null, name: 'another client' })
    const rebooting = rebootRoom(core.handlers.jobs, room).catch(() => null)
    await arrives.promise
    const left: Promise<void>[] = []
    await leave(left)
    const asked: Promise<unknown>[] = []
    for (let turns = 0; turns < 100; turns += 1) {
      asked.push(handlers.jobs.list({ start: 0, count: 1 }).catch(() => null))
      await new Promise((resolve) => void setImmediate(resolve))
    }
    answers.resolve()
    await Promise.all([...left, rebooting, ...asked])
    await core.close()
    core = await createCore(platform)
    const { jobs } = await core.handlers.jobs.list({ start: 0, count: 1 })
    const unknown = jobs.map(({ counts }) => counts.unknown)
    expect([reboots(), await journal(), unknown]).toEqual([1, ['accepted'], [0]])
  },
)
