import { expect, it } from 'vitest'
import type { JobPlan } from '../../../electron/contract/api/jobs.ts'
import type { Outcome } from '../../../electron/contract/failure.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { aCore, settle } from '../open-page.ts'

it('a list that comes after another organization was taken changes nothing that is shown', async () => {
  const core = aCore()
  const jobs = useJobs()
  const releaseLate = core.hold('jobs.list')
  const late = jobs.again()
  const releaseNew = core.hold('jobs.list')
  const now = jobs.startOver()
  releaseNew()
  await now
  const shown = jobs.total
  // What the late answer tells is another list.
  const work = { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'matching', where: '', except: [] } }
  const plan = (await core.call('jobs.plan', {
    work,
    startAt: null,
    window: null,
    keepTrying: false,
    canary: false,
  })) as Outcome<JobPlan>
  if (!plan.ok) throw new Error('no plan')
  await core.call('jobs.start', { plan: plan.value.id, unlock: true, typed: plan.value.typeNumber })
  releaseLate()
  await late
  await settle()
  expect(jobs.total).toBe(shown)
})
