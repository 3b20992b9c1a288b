import { afterEach, beforeEach, expect, test } from 'vitest'
import { openConsole, type Console } from '../../../electron/core/console.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { aHost, type AHost } from '../../a-host.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let host: AHost
let service: Demonstration
let console: Console
let room: string

beforeEach(async () => {
  home = new TemporaryHome()
  host = aHost(home)
  service = await startDemonstration({
    now: fromMorning(),
    devices: 60,
    rooms: 6,
    key: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  })
  console = await openConsole(host)
  const custom = (await console.answers.organizations.list()).presets.find(
    (preset) => preset.name === 'custom',
  )
  const { id } = await console.answers.organizations.add({
    ...custom!.draft,
    name: 'Nordlys',
    managementUrl: service.managementUrl,
    metadataUrl: service.metadataUrl,
  })
  await console.answers.organizations.setKey({ id, slot: 'primary', key: service.key })
  await console.answers.sync.run()
  const query = {
    where: 'status:connected',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 10,
  } as const
  room = (await console.answers.rooms.list(query)).rows.find((row) => (row.onlineCount ?? 0) > 0)!.id
})
afterEach(async () => {
  await console.close()
  await service.stop()
  await home.remove()
})

const reboots = (): number =>
  Object.values(service.counts().arrivals['RebootRoom'] ?? {}).reduce((sum, count) => sum + count, 0)
const now = { unlock: true, wait: false }
const journal = async (): Promise<readonly (string | null)[]> =>
  (await console.answers.journal.list({ where: '', subjectId: room, start: 0, count: 10 })).lines.map(
    (line) => line.outcome,
  )

test('a reboot from the contract to the service and back: plan, lock, slot, journal, standing', async () => {
  const heard = new Set<string>()
  console.onAnnouncement((channel) => heard.add(channel))
  const plan = await console.answers.rooms.rebootPlan({ id: room })
  const { devices, problem, earliestAt, lock } = plan
  expect({ some: devices.length > 0, problem, earliestAt, lock }).toEqual({
    some: true,
    problem: null,
    earliestAt: null,
    lock: { unlocked: false, untilAt: null },
  })

  await expect(console.answers.rooms.reboot({ id: room, unlock: false, wait: false })).rejects.toMatchObject({
    failure: { kind: 'writes-locked' },
  })
  expect([reboots(), await journal()]).toEqual([0, []])

  expect(await console.answers.rooms.reboot({ id: room, ...now })).toMatchObject({
    outcome: 'accepted',
    failure: null,
  })
  expect(await console.answers.rooms.reboot({ id: room, ...now })).toMatchObject({ outcome: 'waiting' })
  expect([reboots(), await journal()]).toEqual([1, ['accepted']])
  expect((await console.answers.app.standing()).writeLock).toMatchObject({ unlocked: true })
  expect(await console.answers.writes.lockNow()).toEqual({ unlocked: false, untilAt: null })
  await expect
    .poll(() => [...heard])
    .toEqual(expect.arrayContaining(['writes.changed', 'journal.changed', 'app.changed']))
})

test('when the screen locks or the program starts anew, writes are locked; the minute of the room goes on', async () => {
  await console.answers.rooms.reboot({ id: room, ...now })
  console.lockWrites()
  expect((await console.answers.app.standing()).writeLock).toEqual({ unlocked: false, untilAt: null })

  await console.answers.rooms.reboot({ id: room, ...now })
  await console.close()
  console = await openConsole(host)
  expect(await console.answers.writes.lock()).toEqual({ unlocked: false, untilAt: null })
  expect(await console.answers.rooms.reboot({ id: room, ...now })).toMatchObject({ outcome: 'waiting' })
  expect(reboots()).toBe(1)
})

test('neither journal nor log nor answers hold the key', async () => {
  await console.answers.rooms.reboot({ id: room, ...now })
  const told = JSON.stringify([
    await console.answers.journal.list({ where: '', subjectId: null, start: 0, count: 10 }),
    host.lines,
  ])
  expect(told).not.toContain(service.key)
})

test('the journal names the organization as it is called when the write begins', async () => {
  const [organization] = (await console.answers.organizations.list()).organizations
  await console.answers.rooms.rebootPlan({ id: room })
  const { id, current, createdAt, keys, stoppedBecause, ...draft } = organization!
  void [current, createdAt, keys, stoppedBecause]
  await console.answers.organizations.update({ id, draft: { ...draft, name: 'Nordlys A/S' } })
  await console.answers.rooms.reboot({ id: room, ...now })
  const { lines } = await console.answers.journal.list({ where: '', subjectId: room, start: 0, count: 1 })
  expect(lines.map((line) => line.organizationName)).toEqual(['Nordlys A/S'])
})
