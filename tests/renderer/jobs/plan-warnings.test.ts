import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { rebootOf } from '../../../renderer/jobs/job-plan-store.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import PlanWarnings from '../../../renderer/jobs/PlanWarnings.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { createPages } from '../../../renderer/router.ts'
import { openCore, settle } from '../core.ts'
import { textIn } from '../page.ts'

afterEach(() => vi.restoreAllMocks())

/** A plan for a room that is in a job. `now`: the jobs since it was made. */
async function warnings(now: (job: Job, madeAt: number) => readonly Partial<Job>[]): Promise<string> {
  const core = await openCore()
  const { jobs, rooms } = core.handlers
  const { rows } = await rooms.list({ where: '', sort: [], start: 0, count: 1 })
  const work = rebootOf(rows[0]!.id)
  const draft = {
    work,
    startAt: core.clock.now() + 3_600_000,
    window: null,
    keepTrying: false,
    canary: false,
  }
  const job = await jobs.start({ plan: (await jobs.plan(draft)).id, unlock: true, typed: null })
  const plan = await jobs.plan({ ...draft, startAt: null })
  const listed = now(job, plan.madeAt).map((change) => ({ ...job, ...change }))
  vi.spyOn(jobs, 'list').mockResolvedValue({ jobs: listed, total: listed.length })
  const pinia = createPinia()
  setActivePinia(pinia)
  await useJobs().show()
  await settle()
  const page = mount(PlanWarnings, {
    props: { plan, alsoIn: ['It is also in this job.'], only: undefined },
    global: { plugins: [pinia, i18n, createPages(() => true)] },
  })
  return textIn(page.element.parentElement ?? page.element)
}
const others = (count: number, change: Partial<Job>): readonly Partial<Job>[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `other-${index}`,
    state: 'running' as const,
    ...change,
  }))

describe('the other jobs beside a plan', () => {
  it('are told with what they have done by now', async () => {
    const said = await warnings(({ counts }) => [{ asked: 5, counts: { ...counts, done: 2 } }])
    expect(said).toContain('2 of 5 rebooted so far.')
  })
  it('are no longer told after they ended', async () => {
    expect(await warnings(() => [{ state: 'ended' }])).toBe('')
  })
  it.each(['paused', 'unarmed'] as const)('share no call limit while they are %s', async (state) => {
    const said = await warnings(() => [{ state }])
    expect([said.includes('This job does not wait for it.'), said.includes('call limit')]).toEqual([
      true,
      false,
    ])
  })
  it('are at most three that share no device, and the number of the others', async () => {
    const said = await warnings((_, madeAt) => others(5, { createdAt: madeAt - 1 }))
    expect([said.match(/is running too/g)?.length, said.includes('and 2 more')]).toEqual([3, true])
  })
  it('do not include those since the plan, which may share a device', async () => {
    expect(await warnings((_, madeAt) => others(1, { createdAt: madeAt + 1 }))).not.toContain(
      'is running too',
    )
  })
})
