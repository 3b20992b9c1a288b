import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import CancelDialog from '../../../renderer/jobs/CancelDialog.vue'
import { useJob } from '../../../renderer/jobs/job-store.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { messages } from '../../../renderer/parts/toasts.ts'
import type { DoubleOptions } from '../double-link.ts'
import { aCore, openPage, settle, wordsOf } from '../open-page.ts'

const opened = (address: string, options: Partial<DoubleOptions> = {}) =>
  openPage(address, { devices: 2_000, ...options })
const asked = (core: { asked: readonly { channel: string; argument: unknown }[] }, channel: string) =>
  core.asked.filter((one) => one.channel === channel).map((one) => one.argument)

describe('the page of jobs', () => {
  it('says what jobs are where there are none', async () => {
    const { words } = await opened('/jobs', { jobless: true })
    expect(words()).toContain('No jobs yet A job is a change to many rooms or devices')
  })
  it('counts jobs and those not ended', async () => {
    const { words } = await opened('/jobs')
    expect(words()).toContain('6 jobs · 4 not ended')
  })
  it('says that another program is at work, and offers nothing it would refuse', async () => {
    const { words, button } = await opened('/jobs/job-6', { otherProgram: true })
    expect(words()).toContain(
      'Another program works for this organization headroom at a prompt, process 4711',
    )
    expect(button('Pause').attributes('disabled')).toBeDefined()
  })
  it('a job that is paused since the program ended is unlocked by resuming it', async () => {
    const { core, button } = await opened('/jobs/job-3')
    await button('Unlock and resume').trigger('click')
    await settle()
    expect([asked(core, 'jobs.resume'), useJob().job?.state]).toEqual([
      [{ id: 'job-3', unlock: true }],
      'running',
    ])
  })
  it('pausing is one call, and what cannot be done is told', async () => {
    const { core, button, words } = await opened('/jobs/job-6')
    core.fail('jobs.pause', { kind: 'other-program', name: 'headroom at a prompt', since: Date.now() })
    await button('Pause').trigger('click')
    await settle()
    expect(words()).toContain('headroom at a prompt')
    core.fail('jobs.pause', null)
    await button('Pause').trigger('click')
    await settle()
    expect([asked(core, 'jobs.pause').length, useJob().job?.state]).toEqual([2, 'paused'])
  })
  it('cancelling says what goes on all the same, and asks first', async () => {
    const { core, button, words } = await opened('/jobs/job-6')
    const { underWay, asked: all, counts } = useJob().job as Job
    await button('Cancel job').trigger('click')
    await settle()
    const ended = Object.values(counts).reduce((sum, one) => sum + one, 0)
    expect(words()).toContain(`${all - ended - underWay} that were not sent yet will not be sent.`)
    expect(words()).toContain(`${underWay} were sent already: they are not undone`)
    expect(asked(core, 'jobs.cancel')).toEqual([])
    const confirm = [...document.querySelectorAll('button')].find(
      (one) => one.textContent?.trim() === 'Cancel the job',
    )
    confirm?.click()
    await settle()
    expect([asked(core, 'jobs.cancel'), useJob().job?.state]).toEqual([[{ id: 'job-6' }], 'stopping'])
  })
  it('cancelling what was sent already says that only the watching ends', async () => {
    const job = {
      ...({ kind: 'reboot-rooms', asked: 4, target: null, underWay: 3, changes: [] } as unknown as Job),
      counts: { done: 1, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 },
    }
    const dialog = mount(CancelDialog, {
      props: { job },
      attachTo: document.body,
      global: { plugins: [i18n] },
    })
    await settle()
    const said = wordsOf(document.body)
    dialog.unmount()
    expect(said).toContain('Everything was sent already. Cancelling only ends the watching')
    expect(said).not.toContain('no longer watched')
  })
  it('whoever comes from a message that is gone, or presses a button that goes, has the focus on the job', async () => {
    const { button } = await opened('/jobs/job-6')
    const aside = document.querySelector('aside')
    expect(document.activeElement).toBe(aside)
    const pause = button('Pause')
    ;(pause.element as HTMLElement).focus()
    await pause.trigger('click')
    await settle()
    expect([useJob().job?.state, document.activeElement === aside]).toEqual(['paused', true])
  })
  it('a paused job whose items were all sent offers nothing to resume, and says what it waits for', async () => {
    const { words } = await opened('/jobs/job-3')
    const store = useJob()
    const { asked: all, counts } = store.job!
    store.job = { ...store.job!, underWay: all - Object.values(counts).reduce((sum, one) => sum + one, 0) }
    await settle()
    expect(words()).not.toContain('Unlock and resume')
    expect(words()).toContain('Everything was sent: the job ends when it is known how that ended')
  })
  it('the filter by outcome asks for those alone, and the list is copied as it is filtered', async () => {
    const { core, copied, page, button } = await opened('/jobs/job-2')
    const failed = useJob().job!.counts.failed
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Failed'))!
      .trigger('click')
    await settle()
    await button('Copy list').trigger('click')
    await settle()
    expect(asked(core, 'jobs.items').at(-1)).toMatchObject({ id: 'job-2', show: 'failed', start: 0 })
    expect([
      copied[0]?.split('\n').length,
      copied[0]?.includes('Failed\tThe room is being updated.'),
    ]).toEqual([failed, true])
  })
  it('what the filter shows is proposed for a file, and everything beside it', async () => {
    const { page, button } = await opened('/jobs/job-2')
    const { asked: all, counts } = useJob().job!
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Failed'))!
      .trigger('click')
    await settle()
    await button('Export…').trigger('click')
    expect(useExports().offer?.choices.map(({ count, subject }) => [count, subject])).toEqual([
      [counts.failed, { of: 'job', id: 'job-2', show: 'failed' }],
      [all, { of: 'job', id: 'job-2', show: null }],
    ])
  })
  it('an item nobody saw end is looked after, never sent again', async () => {
    const { core, button, words } = await opened('/jobs/job-2')
    const store = useJob()
    store.show = 'unknown'
    await settle()
    const item = store.rowAt(0)!
    store.selected = item.id
    await settle()
    expect(words()).toContain('Check asks the service what became of it. Nothing is sent again.')
    await button('Check').trigger('click')
    await settle()
    expect(asked(core, 'jobs.check')).toEqual([{ item: item.id }])
    expect(asked(core, 'jobs.start')).toEqual([])
  })
})

describe('following jobs', () => {
  it('tells once when a job that was seen running has ended, with its counts', async () => {
    const core = aCore({ devices: 1_000 })
    const jobs = useJobs()
    const shown: string[] = []
    const stop = jobs.follow((id) => shown.push(id))
    await settle()
    expect(messages.value).toEqual([])
    for (let step = 0; step < 40; step += 1) core.announce('jobs.changed', { ids: [] })
    await jobs.again()
    await jobs.again()
    const { state, counts, id } = jobs.rowAt(2)!
    const said = messages.value.filter((one) => one.text.startsWith('Change 2 settings of 120 devices:'))
    expect([id, state, said.length, said[0]?.kind]).toEqual(['job-4', 'ended', 1, 'bad'])
    expect(said[0]?.text).toContain(`${counts.done} done, ${counts.failed} failed`)
    said[0]?.action?.run()
    expect(shown).toEqual(['job-4'])
    stop()
  })
})
