import { expect, test } from '@playwright/test'
import type { Job, JobItem, JobPage, JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import type { JournalPage } from '../../electron/contract/api/journal.ts'
import { addOrganization, document, headroom, startHeadroom, type Said, type Started } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'
import { arrivalsOf, control as switched, countsOf, type Counts } from './service-switches.ts'

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
const callsOfReboots = (): Promise<number> => arrivalsOf(service, 'GetRoom', 'RebootRoom')

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

test('a dry run lists every room and the cost; more than five rooms require typing their number; nothing is sent', async () => {
  await begin()
  const ids = await roomIds(7)
  const dry = await run('reboot', ...ids, '--dry-run', '--json')
  const plan = JSON.parse(dry.output) as JobPlan & { readonly planned: readonly PlannedItem[] }
  expect([dry.code, plan.items, plan.typeNumber, plan.planned.map(({ target }) => target.id).sort()]).toEqual(
    [0, 7, 7, [...ids].sort()],
  )
  const refused = [
    await run('reboot', ...ids),
    await run('reboot', ...ids, '--yes', '--unlock'),
    await run('reboot', ...ids, '--yes', '--unlock', '--count', '6'),
    await run('reboot', ...ids, '--yes', '--count', '7', '--json'),
    await run('reboot', ...ids, 'no such room', '--yes', '--unlock', '--count', '8', '--json'),
    await run('reboot', '--where', 'health:nonsense', '--yes', '--unlock'),
  ]
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 3, 3, 2])
  expect(refused[3]?.errors).toContain('"writes-locked"')
  expect(refused[4]?.errors).toContain('"not-found"')
  const [{ arrivals, writes }, jobs] = [await counts(), await document<JobPage>(home, ['jobs'], service.key)]
  expect([arrivals['RebootRoom'], writes, jobs.total]).toEqual([undefined, {}, 0])
})

test('a job over several rooms reboots each once, costs what was planned, and is in jobs and journal', async () => {
  await begin()
  const ids = await roomIds(6)
  const plan = JSON.parse((await run('reboot', ...ids, '--dry-run', '--json')).output) as JobPlan
  const before = await callsOfReboots()
  const said = await run('reboot', ...ids, ...sure, '--count', '6')
  const { job, items } = jobOf(said)
  expect([said.code, job.state, job.counts.done, items.map(({ detail }) => detail)]).toEqual([
    0,
    'ended',
    6,
    items.map(() => 'not-watched'),
  ])
  expect(said.errors).toContain('6 rooms:')
  expect((await counts()).writes).toEqual(Object.fromEntries(ids.map((id) => [id, 1])))
  expect((await callsOfReboots()) - before).toBe(plan.cost.calls)
  const listed = await document<JobPage>(home, ['jobs'], service.key)
  const journal = await document<JournalPage>(home, ['journal'], service.key)
  expect([
    listed.jobs.map(({ id }) => id),
    journal.lines.map(({ operation, outcome }) => [operation, outcome]),
  ]).toEqual([[job.id], ids.map(() => ['RebootRoom', 'accepted'])])
  expect(
    (await document<JobDocument>(home, ['jobs', 'show', job.id.slice(0, 6)], service.key)).items.length,
  ).toBe(6)
})

test('a partly done job ends with 4, a new job tries the failed items again, and a missing job is reported', async () => {
  await begin()
  const ids = await roomIds(4)
  await control('POST', '/faults', { name: 'refuse-403', operation: 'RebootRoom', subjects: [ids[0]] })
  await control('POST', '/faults', { name: 'refuse-404', operation: 'RebootRoom', subjects: [ids[1]] })
  const said = await run('reboot', ...ids, ...sure)
  const { job, items } = jobOf(said)
  expect([said.code, outcomes(items), job.retryable]).toEqual([
    4,
    { [ids[0] ?? '']: 'failed', [ids[1] ?? '']: 'not-found', [ids[2] ?? '']: 'done', [ids[3] ?? '']: 'done' },
    1,
  ])
  await control('DELETE', '/faults')
  // The service rejected the write, so the minute of the room's devices has begun.
  const plan = JSON.parse((await run('jobs', 'retry', job.id, '--dry-run', '--json')).output) as JobPlan & {
    planned: readonly PlannedItem[]
  }
  expect([plan.items, plan.planned.map(({ target }) => target.id)]).toEqual([1, [ids[0]]])
  expect((await run('jobs', 'retry', job.id)).code).toBe(2)
})

test('a job with nothing done ends with 3', async () => {
  await begin()
  await control('POST', '/faults', { name: 'refuse-403', operation: 'RebootRoom' })
  const said = await run('reboot', ...(await roomIds(2)), ...sure)
  expect([said.code, jobOf(said).job.counts.failed]).toEqual([3, 2])
})

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
    .poll(looked, { timeout: 60_000, intervals: [1_000] })
    .toEqual([0, { done: 3, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }, 1])
})

const started = (...words: readonly string[]): Started => startHeadroom(home, words, { key: service.key })
const rebooted = async (): Promise<number> => Object.keys((await counts()).writes).length

test('Ctrl+C pauses a job and explains how to resume; resumed, it ends', async () => {
  test.setTimeout(240_000)
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
  await expect.poll(rebooted, { intervals: [20], timeout: 60_000 }).toBeGreaterThan(2)
  child.kill('SIGINT')
  // Rooms that went down are watched until the second Ctrl+C ends the watch.
  await expect
    .poll(async () => (await document<JobPage>(home, ['jobs'], service.key)).jobs[0]?.state, {
      timeout: 30_000,
    })
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
  await expect.poll(heard, { timeout: 60_000 }).toContain('waits for its time window until')
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
