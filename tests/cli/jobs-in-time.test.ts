import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Job, JobItem, JobPlan } from '../../electron/contract/api/jobs.ts'
import { AJobCore } from '../core/jobs/a-job-core.ts'
import { runOn, type Said } from './run-on.ts'

let it: AJobCore
beforeEach(async () => {
  it = await AJobCore.open({ devices: 240, rooms: 36 })
})
afterEach(() => it.close())

interface JobDocument {
  readonly job: Job
  readonly items: readonly JobItem[]
}
const run = (...words: readonly string[]): Promise<Said> => it.passing(runOn(it.core, words))
const jobOf = ({ output }: Said): JobDocument => JSON.parse(output) as JobDocument
/** Devices or rooms that match, as the command line lists them. */
async function listed<T>(of: 'devices' | 'rooms', where: string): Promise<readonly T[]> {
  const { output } = await run(of, '--where', where, '--json')
  return (JSON.parse(output) as Record<typeof of, readonly T[]>)[of]
}

test('an item sent without a response is unknown, never sent again, and resolved by a check', async () => {
  const ids = (await listed<{ id: string }>('rooms', 'health:ok')).slice(0, 3).map(({ id }) => id)
  const [, lost = ''] = ids
  it.service.faults.set({
    name: 'cut-before-answer',
    rate: 1,
    times: null,
    operation: 'RebootRoom',
    subjects: [lost],
  })
  const said = await run('reboot', ...ids, '--yes', '--unlock', '--no-watch', '--json')
  const { job, items } = jobOf(said)
  expect([said.code, items.find(({ target }) => target.id === lost)?.outcome, job.retryable]).toEqual([
    4,
    'unknown',
    0,
  ])
  // A check before the room went down cannot show a restart.
  await it.clock.advance(10_000)
  const checked = await run('jobs', 'check', job.id, '--json')
  expect([checked.code, jobOf(checked).job.counts, it.service.counts().writes[lost]]).toEqual([
    0,
    { done: 3, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 },
    1,
  ])
})

test('one job changes settings of several devices: verified, skipped where not allowed, ends with 4', async () => {
  const cameras = await listed<{ id: string; productName: string }>('devices', 'product:"PanaCast 50"')
  const [speaker] = await listed<{ id: string }>('devices', 'product:"Evolve2 65"')
  const ids = cameras
    .filter(({ productName }) => /^Jabra PanaCast 50($| \()/.test(productName))
    .slice(0, 3)
    .map(({ id }) => id)
  const words = ['settings', 'set', ...ids, speaker?.id ?? '', 'automaticZoomMode=activeSpeaker'] as const
  const plan = JSON.parse((await run(...words, '--dry-run', '--json')).output) as JobPlan
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
  expect(Object.values(it.service.counts().writes)).toEqual(items.map(() => 1))
})
