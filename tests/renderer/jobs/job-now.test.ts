import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, it, vi } from 'vitest'
import type { JobWait } from '../../../electron/contract/api/jobs.ts'
import { rebootOf } from '../../../renderer/jobs/job-plan-store.ts'
import { useJob } from '../../../renderer/jobs/job-store.ts'
import JobNow from '../../../renderer/jobs/JobNow.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { createPages } from '../../../renderer/router.ts'
import { devicesOf, openCore, settle } from '../core.ts'
import { textIn } from '../page.ts'

afterEach(() => vi.restoreAllMocks())

/** A job with one room in progress, in which the service lists these devices. */
async function opened(named: number, unknown: readonly string[], waits: readonly JobWait[] = []) {
  const core = await openCore()
  const { jobs, rooms } = core.handlers
  const { rows } = await rooms.list({ where: '', sort: [], start: 0, count: 1 })
  const terms = { startAt: core.clock.now() + 3_600_000, window: null, keepTrying: false, canary: false }
  const plan = await jobs.plan({ work: rebootOf(rows[0]!.id), ...terms })
  const job = await jobs.start({ plan: plan.id, unlock: true, typed: null })
  const { items } = await jobs.items({ id: job.id, show: null, start: 0, count: 1 })
  const deviceIds = [...(await devicesOf(core)).slice(0, named).map(({ id }) => id), ...unknown]
  const running = { ...job, asked: 10, underWay: 1 }
  vi.spyOn(jobs, 'get').mockResolvedValue(running)
  vi.spyOn(jobs, 'items').mockResolvedValue({ items: [{ ...items[0]!, deviceIds }], total: 1 })
  const waiting = vi.spyOn(jobs, 'waits').mockResolvedValue(waits)
  const pinia = createPinia()
  setActivePinia(pinia)
  await useJob().open(job.id)
  await settle()
  const page = mount(JobNow, {
    props: { job: running },
    global: { plugins: [pinia, i18n, createPages(() => true)] },
  })
  await settle()
  return { core, page, waiting, words: () => textIn(page.element) }
}

it('lists the devices of the only room, those without a name by their id', async () => {
  const { page, words } = await opened(2, ['NOBODY'])
  expect([
    page.findAll('li').length,
    words().includes('3 devices reboot'),
    words().includes('NOBODY'),
  ]).toEqual([3, true, true])
})
it('lists eight devices of a room and the number of the others, and looks up no more', async () => {
  const { core, page, words } = await opened(12, [])
  expect([
    page.findAll('li a').length,
    words().includes('and 4 more'),
    core.argumentsOf('devices.get').length,
  ]).toEqual([8, true, 8])
})
it('keeps the opened reason when another one has more items', async () => {
  const wait = (reason: JobWait['reason'], count: number): JobWait => ({
    reason,
    until: null,
    count,
    targets: [{ of: 'room', id: `of ${reason}`, name: `Room of ${reason}` }],
  })
  const { page, waiting, words } = await opened(1, [], [wait('device-minute', 5), wait('call-budget', 4)])
  await page.findAll('button').at(0)!.trigger('click')
  const before = words().includes('Room of device-minute')
  waiting.mockResolvedValue([wait('call-budget', 4), wait('device-minute', 3)])
  await useJob().again()
  await settle()
  expect([
    before,
    words().includes('Room of device-minute'),
    words().includes('Room of call-budget'),
  ]).toEqual([true, true, false])
})
