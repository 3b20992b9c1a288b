import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JobItem, JobPage, JobPlan, Job, PlannedItem } from '../../electron/contract/api/jobs.ts'
import type { JournalPage } from '../../electron/contract/api/journal.ts'
import { openSyncedCore, type ConnectedCore } from '../connected-core.ts'
import { runOn, type Said } from './run-on.ts'

let connected: ConnectedCore
beforeEach(async () => {
  connected = await openSyncedCore({ devices: 240, rooms: 36 })
})
afterEach(() => connected.close())

interface JobDocument {
  readonly job: Job
  readonly items: readonly JobItem[]
}
type Plan = JobPlan & { readonly planned: readonly PlannedItem[] }

const run = (...words: readonly string[]): Promise<Said> => runOn(connected.core, words)
const document = async <T>(...words: readonly string[]): Promise<T> =>
  JSON.parse((await run(...words, '--json')).output) as T
/** Ids of rooms with everything online. */
const roomIds = async (count: number): Promise<readonly string[]> =>
  (await document<{ rooms: { id: string }[] }>('rooms', '--where', 'health:ok')).rooms
    .slice(0, count)
    .map(({ id }) => id)
const sure = ['--yes', '--unlock', '--no-watch', '--json'] as const
const refuse = (name: 'refuse-403' | 'refuse-404', ...subjects: readonly string[]): void =>
  connected.service.faults.set({
    name,
    rate: 1,
    times: null,
    operation: 'RebootRoom',
    ...(subjects.length === 0 ? {} : { subjects }),
  })

test('a dry run lists every room and the cost; more than five rooms require typing their number; nothing is sent', async () => {
  const ids = await roomIds(7)
  const plan = await document<Plan>('reboot', ...ids, '--dry-run')
  expect([plan.items, plan.typeNumber, plan.planned.map(({ target }) => target.id).sort()]).toEqual([
    7,
    7,
    [...ids].sort(),
  ])
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
  const { arrivals, writes } = connected.service.counts()
  expect([arrivals['RebootRoom'], writes, (await document<JobPage>('jobs')).total]).toEqual([
    undefined,
    {},
    0,
  ])
})

test('the room named with --first goes first, and one that the job does not contain is refused', async () => {
  const [one = '', two = '', three = '', other = ''] = await roomIds(4)
  const plan = await document<Plan>('reboot', one, two, three, '--first', three, '--dry-run')
  const refused = await run('reboot', one, two, '--first', other, '--dry-run')
  expect([
    plan.draft.canary,
    plan.planned.map(({ target, after }) => [target.id, after !== undefined]),
    refused.code,
    refused.errors.split('\n')[0],
  ]).toEqual([
    true,
    [
      [three, false],
      [one, true],
      [two, true],
    ],
    2,
    `--first: "${other}" is not part of this job. --dry-run lists what is.`,
  ])
})

test('a job over several rooms reboots each once, costs what was planned, and is in jobs and journal', async () => {
  const sent = (): number =>
    ['GetRoom', 'RebootRoom']
      .flatMap((operation) => Object.values(connected.service.counts().arrivals[operation] ?? {}))
      .reduce((sum, one) => sum + one, 0)
  const ids = await roomIds(6)
  const plan = await document<JobPlan>('reboot', ...ids, '--dry-run')
  const before = sent()
  const said = await run('reboot', ...ids, ...sure, '--count', '6')
  const { job, items } = JSON.parse(said.output) as JobDocument
  expect([said.code, job.state, job.counts.done, items.map(({ detail }) => detail)]).toEqual([
    0,
    'ended',
    6,
    items.map(() => 'not-watched'),
  ])
  expect(said.errors).toContain('6 rooms of Nordlys:')
  expect(connected.service.counts().writes).toEqual(Object.fromEntries(ids.map((id) => [id, 1])))
  expect(sent() - before).toBe(plan.cost.calls)
  const listed = await document<JobPage>('jobs')
  const journal = await document<JournalPage>('journal')
  expect([
    listed.jobs.map(({ id }) => id),
    journal.lines.map(({ operation, outcome }) => [operation, outcome]),
  ]).toEqual([[job.id], ids.map(() => ['RebootRoom', 'accepted'])])
  expect((await document<JobDocument>('jobs', 'show', job.id.slice(0, 6))).items.length).toBe(6)
})

test('a partly done job ends with 4, a new job tries the failed items again, and a retry without --yes is wrong usage', async () => {
  const ids = await roomIds(4)
  const [failing = '', missing = '', third = '', fourth = ''] = ids
  refuse('refuse-403', failing)
  refuse('refuse-404', missing)
  const said = await run('reboot', ...ids, ...sure)
  const { job, items } = JSON.parse(said.output) as JobDocument
  expect([
    said.code,
    Object.fromEntries(items.map((item) => [item.target.id, item.outcome])),
    job.retryable,
  ]).toEqual([4, { [failing]: 'failed', [missing]: 'not-found', [third]: 'done', [fourth]: 'done' }, 1])
  connected.service.faults.clear()
  const plan = await document<Plan>('jobs', 'retry', job.id, '--dry-run')
  expect([plan.items, plan.planned.map(({ target }) => target.id)]).toEqual([1, [failing]])
  expect((await run('jobs', 'retry', job.id)).code).toBe(2)
})

test('a job with nothing done ends with 3', async () => {
  refuse('refuse-403')
  const said = await run('reboot', ...(await roomIds(2)), ...sure)
  expect([said.code, (JSON.parse(said.output) as JobDocument).job.counts.failed]).toEqual([3, 2])
})
