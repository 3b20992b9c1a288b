import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { WireResponse } from '../../../electron/core/platform.ts'
import type { Job, JobTerms, JobWork } from '../../../electron/contract/api/jobs.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import CancelDialog from '../../../renderer/jobs/CancelDialog.vue'
import { useJob, type JobTab } from '../../../renderer/jobs/job-store.ts'
import { useJobList, useJobs } from '../../../renderer/jobs/jobs-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { messages, toast, toasts } from '../../../renderer/components/toasts.ts'
import { offline } from '../../fake-management.ts'
import { answer } from '../../fake-transport.ts'
import { devicesOf, openCore, settle, type TestCore } from '../core.ts'
import { mountPage, openPage, textIn, type OpenedPage } from '../page.ts'

const terms = { startAt: null, window: null, keepTrying: false, canary: false }

async function begin(
  { handlers, finish }: TestCore,
  work: JobWork,
  more: Partial<JobTerms> = {},
): Promise<Job> {
  const plan = await finish(handlers.jobs.plan({ ...terms, ...more, work }))
  return handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber })
}
/** With 38 headsets of one product that are online. */
const fleet = { devices: 391 }
/** A change of two settings of them. */
const changeHeadsets = (core: TestCore): Promise<Job> =>
  begin(core, {
    kind: 'change-settings',
    selection: { kind: 'matching', where: 'product:"Evolve2 65 Stereo" status:online', except: [] },
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
/** The same job when it has ended, a minute ago. */
async function over(core: TestCore): Promise<void> {
  refuseSome(core)
  const { id } = await changeHeadsets(core)
  await ended(core, id)
}
async function reboot(core: TestCore, more: Partial<JobTerms> = {}): Promise<Job> {
  const [room] = (await core.handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })).rows
  const selection = { kind: 'picked', ids: [room!.id] } as const
  return begin(core, { kind: 'reboot-rooms', of: 'rooms', selection }, more)
}
const scheduled = (core: TestCore): Promise<Job> =>
  reboot(core, { startAt: core.clock.now() + 3 * 3_600_000 })
/** A room that is rebooted and watched. */
async function watched(core: TestCore): Promise<Job> {
  const job = await reboot(core)
  await core.advance(1_000)
  return job
}
/** The first of three rooms is rebooted, and two wait for it. */
async function oneOfThree(core: TestCore): Promise<Job> {
  const { rows } = await core.handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 3 })
  const selection = { kind: 'picked', ids: rows.map(({ id }) => id) } as const
  const job = await begin(core, { kind: 'reboot-rooms', of: 'rooms', selection }, { canary: true })
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
  const core = await openCore(fleet)
  const { id } = await prepare(core)
  return { ...(await mountPage(`/jobs/${id}`, true)), core, id }
}
/** Opens the job that is over, or an address beside it. */
async function openedOver(
  address: string | null = null,
  prepare: (core: TestCore) => unknown = () => undefined,
): Promise<OpenedPage & { readonly id: string }> {
  const core = await openCore(fleet, over)
  const { id } = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs[0]!
  await prepare(core)
  return { ...(await mountPage(address ?? `/jobs/${id}`, true)), core, id }
}

describe('the Jobs page', () => {
  it('explains jobs when there are none', async () => {
    const { words } = await openPage('/jobs')
    expect(words()).toContain('No jobs yet A job applies an action to many rooms or devices')
  })
  it('lists jobs by what they do now, with the progress of those that run', async () => {
    const { page } = await openedOver('/jobs', async (core) => {
      await scheduled(core)
      await watched(core)
    })
    const groups = page.findAll('nav section').map((one) => textIn(one.element))
    expect(groups).toEqual([
      expect.stringMatching(/^Now Reboot .+ 0 of 1$/),
      expect.stringMatching(/^Scheduled Reboot .+ 19 Nov 2026 12:30$/),
      'Finished Change 2 settings of 38 devices 5 failed, 2 unknown 09:29',
    ])
    expect(page.findAll('nav [role="img"]').length).toBe(1)
  })
  it('says among the details that the computer stays awake, while a job runs', async () => {
    const { core, words } = await openPage('/jobs', {}, watched)
    useJob().tab = 'facts'
    await settle()
    const said = 'stays awake while a job runs, unless its lid is closed'
    const isSaid = [words().includes(said)]
    const { jobs } = await core.handlers.jobs.list({ start: 0, count: 1 })
    await ended(core, jobs[0]!.id)
    await useJob().again()
    await settle()
    expect([...isSaid, words().includes(said)]).toEqual([true, false])
  })
  it('takes back a message about a job that is opened', async () => {
    const { id } = await openedOver()
    toast({ text: 'It ended', about: id })
    toast({ text: 'Another one ended', about: 'other' })
    useJob().close()
    await mountPage(`/jobs/${id}`, true)
    expect(toasts.value.map(({ text }) => text)).toEqual(['Another one ended'])
  })
  it('shows the first job until another one is opened', async () => {
    const { page, router } = await openedOver('/jobs', watched)
    const first = page.get('h2.name').text()
    await page.findAll('nav a')[1]!.trigger('click')
    await settle()
    expect([
      first.startsWith('Reboot'),
      page.get('h2.name').text(),
      router.currentRoute.value.params,
    ]).toEqual([true, 'Change 2 settings of 38 devices', { id: useJob().job!.id }])
  })
  it('keeps the shown job when a newer one is added', async () => {
    const { core, page } = await openedOver('/jobs')
    await watched(core)
    await useJobList().again()
    await settle()
    expect([page.findAll('nav a').length, page.get('h2.name').text()]).toEqual([
      2,
      'Change 2 settings of 38 devices',
    ])
  })
  it('moves through the list with the arrow keys, as one Tab stop', async () => {
    const { page } = await openedOver('/jobs', watched)
    const links = page.findAll('nav a')
    ;(links[0]!.element as HTMLElement).focus()
    await links[0]!.trigger('keydown', { key: 'ArrowDown' })
    expect([
      links.map((one) => one.attributes('tabindex')),
      document.activeElement === links[1]!.element,
    ]).toEqual([['0', '-1'], true])
  })
  it('says so if the job of its address does not exist', async () => {
    const { words } = await openedOver('/jobs/none')
    expect(words()).toContain('Job not found')
  })
  it('shows and exports the jobs that match the filter', async () => {
    const { button, words } = await openedOver('/jobs?where=outcome:failed', watched)
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
    const { button, words } = await openedOver('/jobs?where=kind:firmware')
    const previous = words()
    await button('Clear filter').trigger('click')
    await settle()
    expect([previous.includes('No jobs match'), words().includes('1 job')]).toEqual([true, true])
  })
  it('exports all jobs', async () => {
    const { button } = await openedOver('/jobs')
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
    await button('Cancel job…').trigger('click')
    await settle()
    const known = Object.values(counts).reduce((sum, one) => sum + one, 0)
    expect(words()).toContain('Cancel “Change 2 settings of 38 devices”? · Nordlys A/S')
    expect(words()).toContain(`${all - known - sent} devices will not be changed.`)
    expect(words()).toContain(`${sent} are in progress. What was already sent cannot be stopped`)
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
  it('puts the question away when another job takes the place of the one it asks about', async () => {
    const core = await openCore(fleet)
    const second = await runningJob(core)
    const first = await watched(core)
    const { page, button, words } = await mountPage('/jobs?where=state:running', true)
    const shown = [useJob().job?.id]
    await button('Cancel job…').trigger('click')
    await settle()
    const isAsked = words().includes('Cancel “')
    await core.handlers.jobs.cancel(first)
    await useJobList().again()
    await settle()
    shown.push(useJob().job?.id)
    expect({ shown, isAsked, isStillAsked: words().includes('Cancel “') }).toEqual({
      shown: [first.id, second.id],
      isAsked: true,
      isStillAsked: false,
    })
    expect(page.get('h2.name').text()).toBe('Change 2 settings of 38 devices')
  })
  it('pauses the job that is shown, while another one is being loaded', async () => {
    const core = await openCore(fleet)
    const first = await runningJob(core)
    const second = await scheduled(core)
    const { router, button } = await mountPage(`/jobs/${first.id}`, true)
    const release = core.hold('jobs.get')
    await router.push(`/jobs/${second.id}`)
    await settle()
    await button('Pause').trigger('click')
    release()
    await settle()
    expect(core.argumentsOf('jobs.pause')).toEqual([{ id: first.id }])
  })
  it('names the room that is already rebooting, and what is not sent', async () => {
    const { words, button } = await opened(oneOfThree)
    const name = useJob().rowAt(0)?.target.name
    await button('Cancel job…').trigger('click')
    await settle()
    expect(words()).toContain(
      `2 rooms will not be rebooted. ${name} is already rebooting and cannot be stopped. Headroom stops watching it.`,
    )
  })
  it('says before a scheduled job is cancelled that nothing was sent', async () => {
    const { words, button } = await opened(scheduled)
    await button('Cancel job…').trigger('click')
    await settle()
    expect(words()).toContain('Nothing was sent yet. 1 room will not be rebooted.')
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
    const pane = document.querySelector('.pane')
    expect(document.activeElement).toBe(pane)
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
  it('copies the items of the open tab', async () => {
    const { core, copied, button, id } = await openedOver()
    await button('Copy list').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.items').at(-1)).toMatchObject({ id, show: 'attention', start: 0 })
    expect([
      copied[0]?.split('\n').length,
      copied[0]?.includes('Failed\tThe device is being updated.'),
    ]).toEqual([7, true])
  })
  it('shows why items cannot be read, and reloads them on demand', async () => {
    const { core, words, page } = await openedOver()
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
    await page.get('.failure button').trigger('click')
    await settle()
    expect([broken, words().includes('workbook.sqlite')]).toEqual([[true, 7], false])
  })
  it('suggests the items of the open tab for export, and all of them beside', async () => {
    const { button, id } = await openedOver()
    await button('Export this job').trigger('click')
    expect(useExports().offer?.choices.map(({ count, subject }) => [count, subject])).toEqual([
      [7, { of: 'job', id, show: 'attention', sort: [{ column: 'outcome', descending: false }] }],
      [38, { of: 'job', id, show: null, sort: [{ column: 'outcome', descending: false }] }],
    ])
  })
  it('says in one sentence what was done and what was not', async () => {
    const { page } = await openedOver()
    expect(textIn(page.get('.say').element)).toBe('31 of 38 changed. 5 failed , 2 unknown .')
  })
  it('opens on what needs a look by its whole reason: each with its room or user, product and end of the serial number', async () => {
    const { page } = await openedOver()
    const tabs = page.findAll('[role="tab"]').map((one) => textIn(one.element))
    const groups = page.findAll('tbody').map((group) => group.findAll('tr').map((one) => textIn(one.element)))
    const row = (action: string) =>
      expect.stringMatching(
        new RegExp(`^.+ Jabra Evolve2 65 Stereo · …\u2060\\w{5} 09:29 Journal ${action}$`),
      ) as string
    expect([tabs, groups]).toEqual([
      ['Needs attention 7', 'Done 31', 'All 38', 'Details'],
      [
        [
          'Unknown 2 The request was sent, but no answer came. It may have happened. It is not sent again automatically. Check all 2',
          row('Check now'),
          row('Check now'),
        ],
        ['Failed 5 The device is being updated.', ...Array.from({ length: 5 }, () => row('Try again'))],
      ],
    ])
  })
  it('checks all items of one reason, one after the other, until one cannot be read', async () => {
    const { core, button, words } = await openedOver()
    const [first, second] = useJob().newest
    const said = (): readonly unknown[] => [
      core.argumentsOf('jobs.check'),
      words().split('the result is still unknown').length - 1,
    ]
    core.fail('jobs.check', offline)
    await button('Check all 2').trigger('click')
    await settle()
    const failed = said()
    core.fail('jobs.check', null)
    await button('Check all 2').trigger('click')
    await settle()
    const [one, other] = [{ item: first?.id }, { item: second?.id }]
    expect([failed, said()]).toEqual([
      [[one], 0],
      [[one, one, other], 2],
    ])
  })
  it('opens on all items if nothing needs a look', async () => {
    const { page } = await opened(async (core) => ended(core, (await changeHeadsets(core)).id))
    expect(page.get('[role="tab"][aria-selected="true"]').text()).toBe('All38')
  })
  it('stays on its tab when the first item needs a look, and leaves it when it is empty', async () => {
    const { core, page, id } = await opened((prepared) => {
      refuseSome(prepared)
      return changeHeadsets(prepared)
    })
    const tab = (): string => page.get('[role="tab"][aria-selected="true"]').text().replace(/\d+$/, '')
    const atFirst = tab()
    while ((useJob().counts?.attention ?? 0) === 0) {
      await core.advance(50)
      await useJob().again()
    }
    const then = tab()
    await ended(core, id)
    await useJob().again()
    await settle()
    expect([atFirst, then, tab()]).toEqual(['In progress', 'In progress', 'Needs attention'])
  })
  it('opens on what needs a look by now when it is opened again', async () => {
    const { core, id } = await opened((prepared) => {
      refuseSome(prepared)
      return changeHeadsets(prepared)
    })
    const store = useJob()
    const atFirst = store.tab
    while ((store.counts?.attention ?? 0) === 0) {
      await core.advance(50)
      await store.again()
    }
    store.close()
    await store.open(id)
    expect([atFirst, (store.counts?.open ?? 0) > 0, store.tab]).toEqual(['open', true, 'attention'])
  })
  it('plans one failed item again, and all of them', async () => {
    const { core, page, button, id } = await openedOver()
    const store = useJob()
    const failed = store.newest.findIndex(({ outcome }) => outcome === 'failed')
    await page.findAll('tbody tr:not(:first-child)')[failed]!.get('button').trigger('click')
    await button('Try 5 again').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.retry')).toEqual([{ id, item: store.newest[failed]!.id }, { id }])
  })
  it('says that an item is tried again by another job', async () => {
    const { core, page, id } = await openedOver()
    const item = useJob().newest.find(({ outcome }) => outcome === 'failed')!
    const plan = await core.finish(core.handlers.jobs.retry({ id, item: item.id }))
    await core.finish(core.handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber }))
    await useJob().again()
    await settle()
    const row = page.findAll('tbody tr:not(:first-child)')[useJob().indexOf(item.id)!]!
    expect([plan.items, row.text().endsWith('Tried again'), row.find('button').exists()]).toEqual([
      1,
      true,
      false,
    ])
  })
  it('checks an item with an unknown result, and never sends it again', async () => {
    const { core, page, words } = await openedOver()
    const item = useJob().newest[0]!
    await page.get('tbody tr td button').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.check')).toEqual([{ item: item.id }])
    expect(core.argumentsOf('jobs.start')).toEqual([])
    expect(words()).toMatch(/: (Done|Failed)\.|the result is still unknown/)
  })
  it('shows items that wait for the same in one line, and each of them on demand', async () => {
    const { page, button } = await opened(oneOfThree)
    const first = useJob().newest[0]!.target.name!
    expect(page.findAll('[role="tab"]').map((one) => one.text())).toEqual([
      'In progress1',
      'Waiting2',
      'All3',
      'Details',
    ])
    useJob().tab = 'waiting'
    await settle()
    const line = page.get('.panel > ul > li')
    expect(textIn(line.element)).toBe(`2 wait until ${first} is back Show`)
    await button('Show').trigger('click')
    expect(line.findAll('li').length).toBe(2)
  })
  it('says below the only room in progress which devices reboot, what the others wait for, and when it ends', async () => {
    const { core, page } = await opened(oneOfThree)
    await settle()
    const [item] = useJob().newest
    const known = await devicesOf(core)
    const products = item!.deviceIds.map((id) => known.find((device) => device.id === id)?.productName)
    const [devices, waiting] = page.findAll('.now section').map(({ element }) => element)
    expect([
      textIn(page.get('.say').element),
      textIn(page.get('nav.overflow-auto p.line').element),
      textIn(devices!.querySelector('h3')!),
      [...devices!.querySelectorAll('li a')].map((one) => one.textContent),
      textIn(waiting!),
    ]).toEqual([
      expect.stringMatching(
        /^0 of 3 rebooted\. 1 in progress, 2 waiting \. ?waits for the first to come back ?Ends by about \d\d:\d\d, in 20 min$/i,
      ),
      '0 of 3 at most 20 min left',
      `${products.length} devices reboot`,
      products,
      expect.stringMatching(new RegExp(`^Waiting 2 2 wait until ${item!.target.name} is back Hide \\S`)),
    ])
  })
  it('ends at the same time until the job is read again, which is not announced', async () => {
    const { core, page } = await opened(oneOfThree)
    await settle()
    const end = (): string | undefined => /Ends by about .*/.exec(textIn(page.get('.say').element))?.[0]
    const before = end()!
    core.sleep(120_000)
    await settle()
    expect([end(), textIn(page.get('.say [role="status"]').element).includes('Ends')]).toEqual([
      before.replace('20 min', '18 min'),
      false,
    ])
  })
  it('offers to copy and export items only where they are listed', async () => {
    const { page } = await opened(oneOfThree)
    const offered = async (tab: JobTab): Promise<readonly string[]> => {
      useJob().tab = tab
      await settle()
      return page.findAll('.pane header button').map((one) => one.text())
    }
    const always = ['Pause', 'Cancel job…']
    expect([await offered('open'), await offered('waiting'), await offered('facts')]).toEqual([
      [...always, 'Copy list', 'Export this job'],
      always,
      always,
    ])
  })
  it('says that a job was cancelled, and asks to send what was not sent instead of trying it again', async () => {
    const { core, page, button, id } = await opened(async (prepared) => {
      const job = await oneOfThree(prepared)
      await prepared.handlers.jobs.cancel({ id: job.id })
      await ended(prepared, job.id)
      return prepared.handlers.jobs.get({ id: job.id })
    })
    const groups = (): readonly string[] =>
      page.findAll('tbody tr:first-child').map((one) => textIn(one.element))
    const first = groups()
    useJob().tab = 'notSent'
    await settle()
    const rowButtons = page.findAll('tbody:last-of-type tr:not(:first-child) button')
    expect([
      textIn(page.get('.say').element),
      page.findAll('[role="tab"]').map((one) => one.text()),
      [...first, ...groups()],
      rowButtons.map((one) => one.text()),
      rowButtons[0]?.attributes('aria-label')?.startsWith('Reboot '),
    ]).toEqual([
      'Cancelled 09:30 0 of 3 rebooted. 1 not confirmed , 2 not sent .',
      ['Needs attention1', 'Not sent2', 'All3', 'Details'],
      [expect.stringMatching(/^Not confirmed 1 Accepted/) as string, 'Not sent 2 Cancelled, nothing sent.'],
      ['Reboot', 'Reboot'],
      true,
    ])
    await button('Reboot the 2 not sent…').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.retry')).toEqual([{ id }])
  })
  it('shows the devices of a room that was not watched to its end, and reads them again on demand', async () => {
    const { core, page } = await opened(async (prepared) => {
      const job = await oneOfThree(prepared)
      await prepared.handlers.jobs.cancel({ id: job.id })
      return ended(prepared, job.id)
    })
    const [item] = useJob().newest
    const row = () => page.get('tbody tr:not(:first-child)')
    const before = textIn(row().element)
    const { length } = row().findAll('.picture')
    await row().get('button').trigger('click')
    await settle()
    const n = item?.deviceIds.length
    expect([length, before, core.argumentsOf('rooms.refresh'), textIn(row().element)]).toEqual([
      n,
      expect.stringMatching(new RegExp(`before: ${n} of ${n} online .+ Check now$`)) as string,
      [{ id: item?.target.id }],
      expect.stringMatching(/\d of \d online, read just now .+ Check now$/) as string,
    ])
  })
  it('says beside its begin when it ended, and after how long', async () => {
    const { page } = await openedOver()
    expect(textIn(page.get('.pane header p').element)).toMatch(
      /^Started \d+ Nov 2026 \d\d:\d\d by \S+ · Ended \d\d:\d\d, after \d+ s$/,
    )
  })
  it('shows its settings and terms among the details', async () => {
    const { words } = await openedOver()
    useJob().tab = 'facts'
    await settle()
    expect(words()).toContain('Settings Sidetone enabled: on, Sidetone level: +3 dB')
  })
  it('lists all items, those to look at first, if they are too many for rows of their own', async () => {
    await openedOver()
    const store = useJob()
    store.showAll()
    await settle()
    expect([store.tab, store.total, store.rowAt(0)?.outcome]).toEqual(['all', 38, 'unknown'])
  })
})

describe('job notifications', () => {
  it('appear once when a job that was seen running has ended, with its counts', async () => {
    const core = await openCore(fleet)
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
  it('do not appear for the job that is on screen', async () => {
    const { core, id } = await opened(runningJob)
    const stop = useJobs().follow(() => undefined)
    await settle()
    await ended(core, id)
    await useJobs().again()
    expect([useJobs().rowAt(0)?.state, messages.value]).toEqual(['ended', []])
    stop()
  })
})
