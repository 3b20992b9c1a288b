import { expect, it } from 'vitest'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { openCore, settle } from '../core.ts'

it('a late list of another organization changes nothing that is shown', async () => {
  const core = await openCore()
  const jobs = useJobs()
  const releaseLate = core.hold('jobs.list')
  const late = jobs.again()
  const releaseNew = core.hold('jobs.list')
  const now = jobs.startOver()
  releaseNew()
  await now
  const shown = jobs.total
  // The late response contains another list.
  const { plan, start, list } = core.handlers.jobs
  const { id, typeNumber } = await core.finish(
    plan({
      work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'matching', where: '', except: [] } },
      startAt: null,
      window: null,
      keepTrying: false,
      canary: false,
    }),
  )
  await start({ plan: id, unlock: true, typed: typeNumber })
  expect((await list({ start: 0, count: 1 })).total).not.toBe(shown)
  releaseLate()
  await late
  await settle()
  expect(jobs.total).toBe(shown)
})
