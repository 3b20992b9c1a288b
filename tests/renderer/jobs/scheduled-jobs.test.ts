import { describe, expect, it } from 'vitest'
import { useJobList, useJobs } from '../../../renderer/jobs/jobs-store.ts'
import JobStrip from '../../../renderer/jobs/JobStrip.vue'
import { titleOfJob } from '../../../renderer/jobs/job-text.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { mount } from '@vue/test-utils'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { settle, type TestCore } from '../core.ts'
import { openPage, textIn } from '../page.ts'

const hour = 3_600_000

/** Schedules a reboot of the first room in three hours, then locks all actions, as after a restart. */
async function schedule({ handlers, finish, clock }: TestCore): Promise<void> {
  const { rows } = await handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 1 })
  const terms = { startAt: clock.now() + 3 * hour, window: null, keepTrying: false, canary: false }
  const plan = await finish(
    handlers.jobs.plan({
      ...terms,
      work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [rows[0]!.id] } },
    }),
  )
  await handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
  await handlers.writes.lockNow()
}

describe('an unarmed scheduled job', () => {
  it('is shown on its page and the status bar, and one click arms it', async () => {
    const { core, page, button, router } = await openPage('/jobs', {}, schedule)
    const strip = mount(JobStrip, { global: { plugins: [i18n, router] } })
    const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
    const said = 'Scheduled, needs unlocking'
    await router.replace({ name: 'jobs', params: { id: job!.id } })
    await settle()
    const pane = page.get('.pane')
    expect([
      textIn(pane.element).includes(`${said} 0 of 1 rebooted. 1 waiting . 19 Nov 2026 12:30`),
      textIn(strip.element),
    ]).toEqual([true, `${titleOfJob(job!)}: ${said} 19 Nov 2026 12:30`])
    await button('Unlock and run as scheduled').trigger('click')
    await settle()
    expect((await core.handlers.jobs.get({ id: job!.id })).state).toBe('waiting')
    expect(core.argumentsOf('jobs.resume')).toEqual([{ id: job!.id, unlock: true }])
  })
  it('that misses its time is reported once, nothing is sent, and it may be planned again', async () => {
    const { core, button, router } = await openPage('/jobs', {}, schedule)
    const jobs = useJobs()
    const stop = jobs.follow(() => undefined)
    await settle()
    await core.advance(3 * hour)
    await settle()
    await jobs.again()
    await settle()
    const [job] = jobs.newest
    await useJobList().again()
    expect(messages.value.map(({ text, kind }) => [kind, text])).toEqual([
      ['warn', `Reboot ${job!.target!.name}: missed its start time 19 Nov 2026 12:30, nothing was sent`],
    ])
    await router.replace({ name: 'jobs', params: { id: job!.id } })
    await settle()
    expect(button('Reboot the one not sent…').attributes('disabled')).toBeUndefined()
    expect(core.service.attempts.filter(({ method }) => method === 'POST')).toEqual([])
    stop()
  })
})
