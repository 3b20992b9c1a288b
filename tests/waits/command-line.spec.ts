import { expect, test } from '@playwright/test'
import type { Job, JobItem, JobPage } from '../../electron/contract/api/jobs.ts'
import type { JournalPage } from '../../electron/contract/api/journal.ts'
import { addOrganization, document, headroom, startHeadroom, type Said } from '../e2e/headroom.ts'
import { newHome, startService, type Home, type Service } from '../e2e/program.ts'
import { control, countsOf } from '../e2e/service-switches.ts'

let home: Home
let service: Service

const begin = async (...options: readonly string[]): Promise<void> => {
  service = await startService('--devices', '240', '--rooms', '36', ...options)
  const firmwareUpdate = 'POST /devices/api/devices/{deviceId}/firmware/{firmwareVersion}'
  expect((await addOrganization(home, service, { templates: { firmwareUpdate } })).code).toBe(0)
  expect((await run('sync')).code).toBe(0)
}
test.beforeEach(() => {
  home = newHome()
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

const run = (...words: readonly string[]): Promise<Said> => headroom(home, words, { key: service.key })
const jobOf = (said: Said): { readonly job: Job; readonly items: readonly JobItem[] } => {
  if (said.output === '') throw new Error(`nothing but: ${said.errors}`)
  return JSON.parse(said.output) as { readonly job: Job; readonly items: readonly JobItem[] }
}
interface RoomOfList {
  readonly id: string
  readonly devices: readonly { readonly id: string }[] | null
}
/** Rooms with all devices online, according to the last sync. */
const healthyRooms = async (): Promise<readonly RoomOfList[]> =>
  (await document<{ rooms: RoomOfList[] }>(home, ['rooms', '--where', 'health:ok'], service.key)).rooms

// Two polls, after 20 s and 30 s.
test('watched rooms are reported as back online', async () => {
  await begin()
  const { id } = (await healthyRooms())[0]!
  const following = run('reboot', id, '--yes', '--unlock', '--json', '--count', '1')
  // Offline at the first poll, back at the second.
  const arrived = async (operation: string): Promise<number> =>
    Object.values((await countsOf(service)).arrivals[operation] ?? {}).reduce((sum, count) => sum + count, 0)
  await expect.poll(() => arrived('RebootRoom')).toBe(1)
  const looks = await arrived('GetRoom')
  await expect.poll(() => arrived('GetRoom')).toBeGreaterThan(looks)
  await control(service, 'POST', '/time', { advanceInMs: 150_000 })
  const said = await following
  const { items } = jobOf(said)
  expect([said.code, items.map(({ outcome, detail }) => [outcome, detail])]).toEqual([
    0,
    [['done', 'back-online']],
  ])
})

// The minute after the writes in flight.
test('a killed job continues where it was when it is resumed and unlocked: no room twice, none lost', async () => {
  await begin('--latency', '150')
  const ids = (await healthyRooms()).slice(0, 20).map(({ id }) => id)
  const rebooted = async (): Promise<number> => Object.keys((await countsOf(service)).writes).length
  const { child, said } = startHeadroom(
    home,
    ['reboot', ...ids, '--yes', '--unlock', '--no-watch', '--count', String(ids.length)],
    { key: service.key },
  )
  await expect.poll(rebooted, { intervals: [20] }).toBeGreaterThan(2)
  child.kill('SIGKILL')
  await said
  const before = await rebooted()
  expect(before).toBeLessThan(ids.length)

  const id = (await document<JobPage>(home, ['jobs'], service.key)).jobs[0]?.id ?? ''
  expect((await run('jobs', 'resume', id, '--json')).errors).toContain('"writes-locked"')
  const resumed = await run('jobs', 'resume', id, '--unlock', '--no-watch', '--json')
  const { job, items } = jobOf(resumed)
  const sum = Object.values(job.counts).reduce((all, count) => all + count, 0)
  expect([job.state, job.asked, sum, items.length]).toEqual(['ended', ids.length, ids.length, ids.length])
  const { writes } = await countsOf(service)
  expect(Object.entries(writes).filter(([, count]) => count !== 1)).toEqual([])
  // What the service executed is reported as done or unknown; everything else is not reported as done.
  expect(
    items.filter(({ target, outcome }) =>
      writes[target.id] === 1 ? !['done', 'unknown'].includes(outcome ?? '') : outcome === 'done',
    ),
  ).toEqual([])
  expect(resumed.code).toBe(job.counts.done === ids.length ? 0 : 4)
})

// The minute between two writes to a device.
test('a second reboot within the minute waits; with --no-wait it ends at once with 4 and shows when', async () => {
  await begin()
  const { id, devices } = (await healthyRooms())[0]!
  const reboot = (...more: readonly string[]): Promise<Said> =>
    run('reboot', id, '--yes', '--unlock', '--json', ...more)
  const lines = async (): Promise<JournalPage['lines']> =>
    (await document<JournalPage>(home, ['journal'], service.key)).lines
  expect((await reboot()).code).toBe(0)
  // Before anything else, because the minute passes: another kind of write to a device of the room shares it.
  const other = await run(
    'call',
    'UpdateDeviceFirmware',
    `deviceId=${devices![0]!.id}`,
    'firmwareVersion=1.0.0',
    '--yes',
    '--unlock',
    '--no-wait',
  )
  const refused = await reboot('--no-wait')
  const { outcome, reason, earliestAt } = JSON.parse(refused.output) as {
    outcome: string
    reason: null
    earliestAt: number
  }
  const [first] = await lines()
  expect([refused.code, outcome, reason, other.code]).toEqual([4, 'waiting', null, 4])
  expect(earliestAt).toBeGreaterThanOrEqual(first!.startedAt + 60_000)
  expect(earliestAt).toBeLessThanOrEqual(Date.now() + 60_000)

  const waited = await reboot()
  expect([waited.code, (JSON.parse(waited.output) as { outcome: string }).outcome]).toEqual([0, 'accepted'])
  const reported = await lines()
  expect([reported.length, reported[0]!.startedAt >= earliestAt]).toEqual([2, true])
  expect((await countsOf(service)).arrivals['RebootRoom']).toEqual({ 200: 2 })
})

// Five attempts with back-off.
test('without the service, cached data is still there, and a sync is reported as offline', async () => {
  await begin()
  const link = await document<{ url: string }>(
    home,
    ['firmware', 'link', '2830/9416', '1.16.0', '--build-type', 'Release'],
    service.key,
  )
  await service.end()
  expect((await document<{ total: number }>(home, ['devices'], service.key)).total).toBe(240)
  expect(await document(home, ['firmware', 'link', '2830/9416', '1.16.0'], service.key)).toMatchObject({
    url: link.url,
    fromCache: true,
  })
  const offline = await headroom(home, ['sync', '--json'], { key: service.key })
  expect([offline.code, offline.output, (JSON.parse(offline.errors) as { kind: string }).kind]).toEqual([
    3,
    '',
    'offline',
  ])
})
