import { expect, test } from '@playwright/test'
import type { Job, JobItem, JobPage } from '../../electron/contract/api/jobs.ts'
import { addOrganization, document, headroom, startHeadroom, type Said, type Started } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'
import { countsOf, type Counts } from './service-switches.ts'

let home: Home
let service: Service

const begin = async (...options: readonly string[]): Promise<void> => {
  home = newHome()
  service = await startService('--devices', '480', '--rooms', '72', ...options)
  expect((await addOrganization(home, service)).code).toBe(0)
  expect((await run('sync')).code).toBe(0)
}
test.afterEach(async () => {
  await service.end()
  home.remove()
})

const counts = (): Promise<Counts> => countsOf(service)

interface JobDocument {
  readonly job: Job
  readonly items: readonly JobItem[]
}
const run = (...words: readonly string[]): Promise<Said> => headroom(home, words, { key: service.key })
const jobOf = (said: Said): JobDocument => {
  if (said.output === '') throw new Error(`nothing but: ${said.errors}`)
  return JSON.parse(said.output) as JobDocument
}
/** Rooms with two devices online: one may go offline at any time, by its own rhythm. */
const roomsOnline = async (): Promise<readonly { readonly id: string; readonly name: string | null }[]> =>
  (
    await document<{ rooms: { id: string; name: string | null }[] }>(
      home,
      ['rooms', '--where', 'online:>1'],
      service.key,
    )
  ).rooms
const roomIds = async (count: number): Promise<readonly string[]> =>
  (await roomsOnline()).slice(0, count).map(({ id }) => id)

const started = (...words: readonly string[]): Started => startHeadroom(home, words, { key: service.key })
const rebooted = async (): Promise<number> => Object.keys((await counts()).writes).length

// Jobs that end without a person: tests/cli/jobs-in-time.test.ts.
test('Ctrl+C pauses a job and explains how to resume; resumed, it ends', async () => {
  await begin('--latency', '150')
  const ids = await roomIds(20)
  const { child, said } = started(
    'reboot',
    ...ids,
    '--yes',
    '--unlock',
    '--no-watch',
    '--count',
    String(ids.length),
    '--json',
  )
  await expect.poll(rebooted, { intervals: [20] }).toBeGreaterThan(2)
  child.kill('SIGINT')
  // Rooms that went down are watched until the second Ctrl+C ends the watch.
  await expect
    .poll(async () => (await document<JobPage>(home, ['jobs'], service.key)).jobs[0]?.state)
    .toBe('paused')
  child.kill('SIGINT')
  const paused = await said
  expect([paused.code, paused.errors.includes('Resume it with headroom jobs resume')]).toEqual([4, true])
  const { job } = jobOf(paused)
  const resumed = await run('jobs', 'resume', job.id, '--unlock', '--no-watch', '--json')
  expect([resumed.code, jobOf(resumed).job.state, jobOf(resumed).job.counts.done]).toEqual([
    0,
    'ended',
    ids.length,
  ])
  expect((await counts()).writes).toEqual(Object.fromEntries(ids.map((id) => [id, 1])))
})

test('a job outside its time window waits, is cancelled from the list, and sends nothing', async () => {
  await begin()
  const hour = new Date().getHours()
  const window = `${(hour + 3) % 24}:00-${(hour + 4) % 24}:00`
  const { child, said, heard } = started(
    'reboot',
    ...(await roomIds(2)),
    '--yes',
    '--unlock',
    '--window',
    window,
    '--json',
  )
  await expect.poll(heard).toContain('window opens at')
  child.kill('SIGINT')
  const left = await said
  expect([left.code, jobOf(left).job.state]).toEqual([3, 'paused'])
  const cancelled = await document<Job>(home, ['jobs', 'cancel', jobOf(left).job.id], service.key)
  expect([cancelled.state, cancelled.counts.failed, (await counts()).writes]).toEqual(['ended', 2, {}])
})
