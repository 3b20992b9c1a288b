import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { WireResponse } from '../../../electron/core/platform.ts'
import type { Job, JobWork } from '../../../electron/contract/api/jobs.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import CancelDialog from '../../../renderer/jobs/CancelDialog.vue'
import { useJob } from '../../../renderer/jobs/job-store.ts'
import { useJobList, useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { answer } from '../../fake-transport.ts'
import { openCore, settle, type TestCore } from '../core.ts'
import { mountPage, openPage, textIn, type OpenedPage } from '../page.ts'

const terms = { startAt: null, window: null, keepTrying: false, canary: false }

async function begin({ handlers, finish }: TestCore, work: JobWork): Promise<Job> {
  const plan = await finish(handlers.jobs.plan({ ...terms, work }))
  return handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
}
/** A change of two settings of 38 headsets. */
const changeHeadsets = (core: TestCore): Promise<Job> =>
  begin(core, {
    kind: 'change-settings',
    selection: { kind: 'matching', where: 'product:"Evolve2 65 Stereo"', except: [] },
    changes: [
      { name: 'sidetoneLevelEnum', value: 'plus3dB' },
      { name: 'sidetoneEnabled', value: true },
    ],
  })
/** The same job, a moment later: some writes are sent, some are not. */
async function runningJob(core: TestCore): Promise<Job> {
  const job = await changeHeadsets(core)
  await core.advance(200)
  return core.handlers.jobs.get(job)
}
/** Five writes are rejected, and two get no response. */
function refuseSome({ service }: TestCore): void {
  let writes = 0
  service.script('/settings', ({ method }) => {
    if (method !== 'PATCH' || ++writes > 7) return null
    return writes > 5
      ? { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'reset' }
      : answer(409, { statusCode: 409, message: 'The device is being updated.' })
  })
}
/** The same job when it has ended. */
async function over(core: TestCore): Promise<Job> {
  refuseSome(core)
  const { id } = await changeHeadsets(core)
  return ended(core, id)
}
/** A room that is rebooted and watched. */
async function watched(core: TestCore): Promise<Job> {
  const [room] = (await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })).rows
  const job = await begin(core, {
    kind: 'reboot-rooms',
    of: 'rooms',
    selection: { kind: 'picked', ids: [room!.id] },
  })
  await core.advance(1_000)
  return job
}
async function ended(core: TestCore, id: string): Promise<Job> {
  for (;;) {
    const job = await core.handlers.jobs.get({ id })
    if (job.state === 'ended') return job
    await core.advance(1_000)
  }
}
/** Opens the job in the state that the test needs. */
async function opened(
  prepare: (core: TestCore) => Promise<Job>,
): Promise<OpenedPage & { readonly id: string }> {
  const core = await openCore()
  const { id } = await prepare(core)
  return { ...(await mountPage(`/jobs/${id}`, true)), core, id }
}

describe('the Jobs page', () => {
  it('explains jobs when there are none', async () => {
    const { words } = await openPage('/jobs')
    expect(words()).toContain('No jobs yet A job applies an action to many rooms or devices')
  })
  it('counts jobs and unfinished ones', async () => {
    const { words } = await openPage('/jobs', {}, async (core) => {
      await over(core)
      await watched(core)
    })
    expect(words()).toContain('2 jobs · 1 not ended')
  })
  it('is sorted in the selected order, also in the export', async () => {
    const { core, button } = await openPage('/jobs', {}, async (of) => {
      await over(of)
      await watched(of)
    })
    const sort = [{ column: 'callsUsed' as const, descending: false }]
    useJobList().sort = sort
    await settle()
    await button('Export jobs').trigger('click')
    expect([
      core.argumentsOf('jobs.list').at(-1),
      useExports().offer?.choices.map(({ subject }) => subject),
    ]).toEqual([{ where: '', sort, start: 0, count: 100 }, [{ of: 'jobs', where: '', sort }]])
  })
  it('shows and exports the jobs that match the filter', async () => {
    const { button, words } = await openPage('/jobs?where=outcome:failed', {}, async (core) => {
      await over(core)
      await watched(core)
    })
    await button('Export jobs').trigger('click')
    expect([words().includes('1 job matches'), useExports().offer?.choices]).toEqual([
      true,
      [
        {
          label: '1 job matches',
          count: 1,
          subject: { of: 'jobs', where: 'outcome:failed', sort: [] },
        },
      ],
    ])
  })
  it('offers to clear a filter that no job matches', async () => {
    const { button, words } = await openPage('/jobs?where=kind:firmware', {}, over)
    const previous = words()
    await button('Clear filter').trigger('click')
    await settle()
    expect([previous.includes('No jobs match'), words().includes('1 job')]).toEqual([true, true])
  })
  it('exports all jobs', async () => {
    const { button } = await openPage('/jobs', {}, over)
    await button('Export jobs').trigger('click')
    expect(useExports().offer?.choices).toEqual([
      { label: 'All 1 job', count: 1, subject: { of: 'jobs', where: '', sort: [] } },
    ])
  })
  it('unlocks a job on resuming that was paused by the lock or the end of the program', async () => {
    const { core, button, id } = await opened(async (prepared) => {
      const job = await runningJob(prepared)
      await prepared.handlers.writes.lockNow()
      return job
    })
    await button('Unlock and resume').trigger('click')
    await settle()
    expect([core.argumentsOf('jobs.resume'), useJob().job?.state]).toEqual([
      [{ id, unlock: true }],
      'running',
    ])
  })
  it('pauses with one call, and reports a failure', async () => {
    const { core, button, words } = await opened(runningJob)
    core.fail('jobs.pause', { kind: 'data-folder', reason: 'replaced', holder: null, detail: null })
    await button('Pause').trigger('click')
    await settle()
    expect(words()).toContain('The lock of the data folder was deleted')
    core.fail('jobs.pause', null)
    await button('Pause').trigger('click')
    await settle()
    expect([core.argumentsOf('jobs.pause').length, useJob().job?.state]).toEqual([2, 'paused'])
  })
  it('asks before cancelling, and explains what continues', async () => {
    const patched = Promise.withResolvers<WireResponse>()
    const { core, button, words, id } = await opened((prepared) => {
      prepared.service.script('/settings', ({ method }) => (method === 'PATCH' ? patched.promise : null))
      return runningJob(prepared)
    })
    const { underWay: sent, asked: all, counts } = useJob().job as Job
    await button('Cancel job').trigger('click')
    await settle()
    const known = Object.values(counts).reduce((sum, one) => sum + one, 0)
    expect(words()).toContain('Cancel this job? · Nordlys A/S')
    expect(words()).toContain(`${all - known - sent} items will not be sent.`)
    expect(words()).toContain(`${sent} items were already sent. They are not undone`)
    expect(core.argumentsOf('jobs.cancel')).toEqual([])
    const confirm = [...document.querySelectorAll('button')].find(
      (one) => one.textContent?.trim() === 'Cancel the job',
    )
    confirm?.click()
    await settle()
    expect([core.argumentsOf('jobs.cancel'), useJob().job?.state]).toEqual([[{ id }], 'stopping'])
    patched.resolve(answer(200, {}))
    expect((await ended(core, id)).counts.done).toBeGreaterThan(0)
  })
  it('explains when cancelling only ends the watching', async () => {
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
    const said = textIn(document.body)
    dialog.unmount()
    expect(said).toContain('Everything was already sent. Cancelling only stops watching for results')
    expect(said).not.toContain('Headroom stops watching')
  })
  it('moves the focus to the job when a message disappears, and to the next button when a pressed one disappears', async () => {
    const { button } = await opened(runningJob)
    const aside = document.querySelector('aside')
    expect(document.activeElement).toBe(aside)
    const pause = button('Pause')
    ;(pause.element as HTMLElement).focus()
    await pause.trigger('click')
    await settle()
    expect([useJob().job?.state, document.activeElement?.textContent.trim()]).toEqual(['paused', 'Copy list'])
  })
  it('offers no resume for a paused job whose items were all sent, and shows what it waits for', async () => {
    const { words } = await opened(async (core) => {
      const job = await watched(core)
      await core.handlers.writes.lockNow()
      return job
    })
    expect(useJob().job).toMatchObject({ state: 'paused', asked: 1, underWay: 1 })
    expect(words()).not.toContain('Unlock and resume')
    expect(words()).toContain('Everything was sent. The job ends when all results are known.')
  })
  it('requests only the filtered outcome, and copies the list as filtered', async () => {
    const { core, copied, page, button, id } = await opened(over)
    const failed = useJob().job!.counts.failed
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Failed'))!
      .trigger('click')
    await settle()
    await button('Copy list').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.items').at(-1)).toMatchObject({ id, show: 'failed', start: 0 })
    expect([
      copied[0]?.split('\n').length,
      copied[0]?.includes('Failed\tThe device is being updated.'),
    ]).toEqual([failed, true])
  })
  it('shows why items cannot be read, and reloads them on demand', async () => {
    const { core, words, button } = await opened(over)
    core.fail('jobs.items', {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'damaged',
      message: '',
    })
    await useJob().again()
    await settle()
    const broken = [words().includes('workbook.sqlite'), useJob().total]
    core.fail('jobs.items', null)
    await button('Try again').trigger('click')
    await settle()
    expect([broken, words().includes('workbook.sqlite')]).toEqual([[true, 38], false])
  })
  it('suggests the filtered items for export, and all of them beside', async () => {
    const { page, button, id } = await opened(over)
    const { asked: all, counts } = useJob().job!
    await page
      .findAll('.chip')
      .find((one) => one.text().startsWith('Failed'))!
      .trigger('click')
    await settle()
    await button('Export…').trigger('click')
    expect(useExports().offer?.choices.map(({ count, subject }) => [count, subject])).toEqual([
      [counts.failed, { of: 'job', id, show: 'failed', sort: [] }],
      [all, { of: 'job', id, show: null, sort: [] }],
    ])
  })
  it('checks an item with an unknown result, and never sends it again', async () => {
    const { core, button, words } = await opened(over)
    expect(words()).toContain('Settings Sidetone enabled: on, Sidetone level enum: plus3dB')
    const store = useJob()
    store.show = 'unknown'
    await settle()
    const item = store.rowAt(0)!
    store.selected = item.id
    await settle()
    expect(words()).toContain('Check asks the service for the result. Nothing is sent again.')
    await button('Check').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.check')).toEqual([{ item: item.id }])
    expect(core.argumentsOf('jobs.start')).toEqual([])
  })
})

describe('job notifications', () => {
  it('appear once when a job that was seen running has ended, with its counts', async () => {
    const core = await openCore()
    refuseSome(core)
    const { id } = await changeHeadsets(core)
    const jobs = useJobs()
    const shown: string[] = []
    const stop = jobs.follow((one) => shown.push(one))
    await settle()
    expect(messages.value).toEqual([])
    const { counts } = await ended(core, id)
    await jobs.again()
    await jobs.again()
    expect(counts).toEqual({ done: 31, failed: 5, 'not-found': 0, 'not-supported': 0, unknown: 2 })
    expect(messages.value.map(({ text, kind }) => [kind, text])).toEqual([
      ['bad', 'Change 2 settings of 38 devices: 31 done, 5 failed, 2 unknown'],
    ])
    messages.value[0]?.action?.run()
    expect([shown, jobs.rowAt(0)?.id]).toEqual([[id], id])
    stop()
  })
})
