import { expect, test } from '@playwright/test'
import type { Job, JobItem, JobPage, JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { addOrganization, document, headroom, startHeadroom, type Said, type Started } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'
import { control as switched, countsOf, type Counts } from './service-switches.ts'

let home: Home
let service: Service

const begin = async (...options: readonly string[]): Promise<void> => {
  home = newHome()
  service = await startService('--devices', '240', '--rooms', '36', ...options)
  expect((await addOrganization(home, service)).code).toBe(0)
  expect((await run('sync')).code).toBe(0)
}
test.afterEach(async () => {
  await service.end()
  home.remove()
})

const control = (method: string, path: string, body?: unknown): Promise<unknown> =>
  switched(service, method, path, body)
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
const sure = ['--yes', '--unlock', '--no-watch', '--json'] as const

/** Rooms with all devices online, according to the last sync; ids as in the counts of the service. */
const healthyRooms = async (): Promise<readonly { readonly id: string; readonly name: string | null }[]> =>
  (
    await document<{ rooms: { id: string; name: string | null }[] }>(
      home,
      ['rooms', '--where', 'health:ok'],
      service.key,
    )
  ).rooms
const roomIds = async (count: number): Promise<readonly string[]> =>
  (await healthyRooms()).slice(0, count).map(({ id }) => id)
const outcomes = (items: readonly JobItem[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(items.map((item) => [item.target.id, item.outcome]))

test('an item sent without a response is unknown, never sent again, and resolved by a check', async () => {
  await begin()
  const ids = await roomIds(3)
  await control('POST', '/faults', { name: 'cut-before-answer', operation: 'RebootRoom', subjects: [ids[1]] })
  const said = await run('reboot', ...ids, ...sure)
  const { job, items } = jobOf(said)
  expect([said.code, outcomes(items)[ids[1] ?? ''], job.retryable]).toEqual([4, 'unknown', 0])
  // A check before the room went down cannot show a restart; the next one can.
  const looked = async (): Promise<unknown> => {
    const { code, ...checked } = await run('jobs', 'check', job.id, '--json')
    return [code, jobOf({ code, ...checked }).job.counts, (await counts()).writes[ids[1] ?? '']]
  }
  await expect
    .poll(looked, { intervals: [1_000] })
    .toEqual([0, { done: 3, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }, 1])
})

const started = (...words: readonly string[]): Started => startHeadroom(home, words, { key: service.key })
const rebooted = async (): Promise<number> => Object.keys((await counts()).writes).length

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
  await expect.poll(heard).toContain('waits for its time window until')
  child.kill('SIGINT')
  const left = await said
  expect([left.code, jobOf(left).job.state]).toEqual([3, 'paused'])
  const cancelled = await document<Job>(home, ['jobs', 'cancel', jobOf(left).job.id], service.key)
  expect([cancelled.state, cancelled.counts.failed, (await counts()).writes]).toEqual(['ended', 2, {}])
})

test('one job changes settings of several devices: verified, skipped where not allowed, ends with 4', async () => {
  await begin()
  const devices = (
    await document<{ devices: { id: string; productName: string }[] }>(
      home,
      ['devices', '--where', 'product:"PanaCast 50"'],
      service.key,
    )
  ).devices
  const cameras = devices
    .filter(({ productName }) => /^Jabra PanaCast 50($| \()/.test(productName))
    .slice(0, 3)
  const speaker = (
    await document<{ devices: { id: string }[] }>(
      home,
      ['devices', '--where', 'product:"Evolve2 65"'],
      service.key,
    )
  ).devices[0]
  const ids = cameras.map(({ id }) => id)
  const words = ['settings', 'set', ...ids, speaker?.id ?? '', 'automaticZoomMode=activeSpeaker'] as const
  const plan = JSON.parse((await run(...words, '--dry-run', '--json')).output) as JobPlan & {
    planned: readonly PlannedItem[]
  }
  expect([plan.items > 0, plan.skipped.map(({ reason }) => reason).includes('not-allowed')]).toEqual([
    true,
    true,
  ])
  const said = await run(...words, '--yes', '--unlock', '--json')
  const { job, items } = jobOf(said)
  expect([
    said.code,
    job.counts.done,
    items.every(({ detail }) => detail === 'verified' || detail === 'applies-later'),
  ]).toEqual([4, plan.items, true])
  expect(Object.values((await counts()).writes)).toEqual(items.map(() => 1))
})
