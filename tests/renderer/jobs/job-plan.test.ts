import { mount, type VueWrapper } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { createPinia, setActivePinia } from 'pinia'
import type { JobWork } from '../../../electron/contract/api/jobs.ts'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { rebootOf, updateOf, useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import PlanDialog from '../../../renderer/jobs/PlanDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { markOfStatus, wordOfStatus } from '../../../renderer/components/status-kind.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { createPages } from '../../../renderer/router.ts'
import { aDeviceBehind, firmwareAddresses, rebootRoom } from '../../reboot-room.ts'
import { changeProfile, openCore, settle, type TestCore } from '../core.ts'
import { nextPage, textIn } from '../page.ts'

const rooms = (where: string): JobWork => ({
  kind: 'reboot-rooms',
  of: 'rooms',
  selection: { kind: 'matching', where, except: [] },
})
const roomsOf = async ({ handlers }: TestCore) =>
  (await handlers.rooms.list({ where: '', sort: [], start: 0, count: 10 })).rows

/** The service no longer returns the devices of the first of six rooms. */
async function withAnEmptyRoom(core: TestCore): Promise<void> {
  const [room] = await roomsOf(core)
  const emptied = (one: RoomRecord): RoomRecord => (one.id === room!.id ? { ...one, devices: null } : one)
  core.service.alter(
    '/meetingrooms/api/meetingrooms',
    (reported: RoomRecord | { readonly items: RoomRecord[] }) =>
      'items' in reported ? { ...reported, items: reported.items.map(emptied) } : emptied(reported),
  )
  core.service.alter('/devices/api/devices', (page: { readonly items: readonly DeviceRecord[] }) => ({
    ...page,
    items: page.items.map((one) =>
      room!.groupIds.includes(one.groupId ?? '') ? { ...one, groupId: null } : one,
    ),
  }))
  await core.finish(core.handlers.sync.run())
}
/** The first room is in a job that is scheduled. */
async function withARoomInAJob(core: TestCore): Promise<void> {
  const [first] = await roomsOf(core)
  const terms = { startAt: core.clock.now() + 3_600_000, window: null, keepTrying: false, canary: false }
  const { id } = await core.handlers.jobs.plan({ work: rebootOf(first!.id), ...terms })
  await core.handlers.jobs.start({ plan: id, unlock: true, typed: null })
}
interface RoomRecord {
  readonly id: string
  readonly devices: unknown
}
interface DeviceRecord {
  readonly groupId: string | null
}

const checkbox = (words: string): HTMLInputElement =>
  [...document.querySelectorAll('label')]
    .find((one) => one.textContent.includes(words))!
    .querySelector('input')!

async function aDialog(
  given: JobWork | ((core: TestCore) => Promise<JobWork>),
  prepare: (core: TestCore) => unknown = () => undefined,
) {
  const core = await openCore()
  await prepare(core)
  const work = typeof given === 'function' ? await given(core) : given
  const pinia = createPinia()
  setActivePinia(pinia)
  const store = useJobPlan()
  await core.finish(store.ask(work))
  const router = createPages(() => true)
  await router.push('/rooms')
  const open = (): VueWrapper =>
    mount(PlanDialog, { attachTo: document.body, global: { plugins: [pinia, i18n, router] } })
  const dialog = open()
  await settle()
  /** A segment of a choice, such as the second of *When*. */
  const choose = async (group: string, name: string): Promise<void> => {
    const found = [...document.querySelectorAll(`[role=group][aria-label="${group}"] button`)].find(
      (one) => one.textContent?.trim() === name,
    ) as HTMLButtonElement
    found.click()
    await settle()
  }
  const button = (name: string): HTMLButtonElement => {
    const found = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
    if (!found) throw new Error(`no button "${name}" in: ${textIn(document.body)}`)
    return found
  }
  const type = async (text: string): Promise<void> => {
    const field = document.querySelector<HTMLInputElement>('.number input')
    if (!field) throw new Error('no field for the number')
    field.value = text
    field.dispatchEvent(new Event('input'))
    await settle()
  }
  const submit = async (): Promise<void> => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
    await settle()
  }
  const starts = (): readonly unknown[] => core.argumentsOf('jobs.start')
  return {
    core,
    store,
    router,
    dialog,
    open,
    button,
    choose,
    type,
    submit,
    starts,
    words: () => textIn(document.body),
  }
}

describe('the plan of a job', () => {
  it('lists rooms, devices, what is left out, cost and lock, and sends nothing', async () => {
    const { starts, words, store } = await aDialog(rooms(''), withAnEmptyRoom)
    const plan = store.plan!
    expect([plan.items, plan.devices, plan.offline]).toEqual([5, 13, 4])
    expect(words()).toContain('Reboots 13 devices in 5 rooms. 4 devices in them are offline and not reached.')
    expect(words()).toContain(`${plan.cost.calls} calls, about`)
    expect(words()).toContain(`and up to ${plan.watchingAtMost} to confirm the results`)
    expect(words()).toMatch(/13 devices in 5 rooms ?now ?Ends by about \d\d:40 your time, in 1[01] min/)
    expect(words()).toContain('1 room left out: devices unknown')
    expect(words()).toContain('Unlocks actions for 15 minutes. This job goes on after that.')
    expect(starts()).toEqual([])
  })
  it('warns of a job that its devices are in', async () => {
    const { router, store } = await aDialog(rooms(''), withARoomInAJob)
    const warning = document.querySelector('[role=alert]')!
    expect(warning.textContent.trim()).toMatch(
      /^\d devices? (is|are) also in the job “Reboot .+” \(waiting\): .+\. It would be rebooted twice\.\s*Show job\s*0 of 1 rebooted so far\. This job does not wait for it\. Both share the call limit, and a device gets one action a minute at most\.$/,
    )
    const arrived = nextPage(router)
    warning.querySelector('a')!.click()
    await arrived
    expect([router.currentRoute.value.path, store.plan]).toEqual([expect.stringMatching(/^\/jobs\/./), null])
  })
  it('says at its button that a number has to be typed before it starts', async () => {
    const { button } = await aDialog(rooms(''))
    const ids = button('Unlock and reboot 6 rooms').getAttribute('aria-describedby')!.split(' ')
    expect(ids.map((id) => document.getElementById(id)?.textContent.trim())).toEqual(['', 'Type 6 to start'])
  })
  it('says that another job is running, if they share no device', async () => {
    const { store, words } = await aDialog(
      async (core) => rebootOf((await roomsOf(core))[1]!.id),
      async (core) => {
        const [first] = await roomsOf(core)
        await rebootRoom(core.handlers.jobs, first!.id)
        await core.advance(1_000)
      },
    )
    await useJobs().show()
    await settle()
    expect([store.plan!.alsoIn, document.querySelector('[role=alert]'), words()]).toEqual([
      [],
      null,
      expect.stringMatching(
        /“Reboot .+” is running too: 0 of 1 rebooted\. Both share the call limit\. ?Show job/,
      ),
    ])
  })
  it('leaves rooms that are in another job out, and takes them in again', async () => {
    const { core, store } = await aDialog(rooms(''), withARoomInAJob)
    const box = (): HTMLInputElement => checkbox('Leave out rooms that are in another job')
    const all = store.plan!.items
    box().click()
    await core.finish(settle())
    const left = [store.plan!.items, store.plan!.skipped, store.plan!.alsoIn.length]
    box().click()
    await core.finish(settle())
    expect([left, store.plan!.items, store.plan!.alsoIn.length]).toEqual([
      [all - 1, [{ reason: 'in-other-job', count: 1 }], 0],
      all,
      1,
    ])
  })
  it('leaves rooms in working hours out, and takes them in again', async () => {
    const { core, store, words } = await aDialog(rooms(''))
    const box = (): HTMLInputElement => checkbox('Leave out rooms in working hours')
    const { items, zones } = store.plan!
    const inUse = /such as|It is/.test(words())
    box().click()
    await core.finish(settle())
    const [{ reason, count }] = store.plan!.skipped as [{ reason: string; count: number }]
    const left = [store.plan!.items + count, store.plan!.zones.length < zones.length, box().checked]
    const isSaid = words().includes('may be in use')
    box().click()
    await core.finish(settle())
    expect({ inUse, reason, left, isSaid, again: store.plan!.items }).toEqual({
      inUse: true,
      reason: 'in-use',
      left: [items, true, true],
      isSaid: false,
      again: items,
    })
  })
  it('takes a choice back while the plan of it is on its way', async () => {
    const { core, store } = await aDialog(rooms(''), withARoomInAJob)
    const box = (): HTMLInputElement => checkbox('Leave out rooms that are in another job')
    const all = store.plan!.items
    const release = core.hold('jobs.plan')
    for (let click = 0; click < 2; click++) {
      box().click()
      await settle()
    }
    const during = box().checked
    release()
    await core.finish(settle())
    expect([during, box().checked, store.plan!.items]).toEqual([false, false, all])
  })
  it('offers no choice if all its rooms are in another job', async () => {
    const { store } = await aDialog(async (core) => {
      const [first] = await roomsOf(core)
      return rebootOf(first!.id)
    }, withARoomInAJob)
    const isOffered = textIn(document.body).includes('Leave out rooms')
    expect([store.plan!.items, store.plan!.alsoIn.length, isOffered]).toEqual([1, 1, false])
  })
  it('names the organization in its title', async () => {
    const { store } = await aDialog(rooms(''))
    expect(document.querySelector('[role="dialog"] h2')?.textContent).toBe('Reboot 6 rooms · Nordlys A/S')
    expect(store.plan!.organization.name).toBe('Nordlys A/S')
  })
  it('is exported whole, with what is left out', async () => {
    const { store, button } = await aDialog(rooms(''), withAnEmptyRoom)
    const { id } = store.plan!
    button('Export').click()
    expect(useExports().offer?.choices).toEqual([
      { label: 'All 6 rows', count: 6, subject: { of: 'plan', plan: id } },
    ])
  })
  it.each(['', '5', '6 6', 'all', '-6', '06'])(
    'asks to type the number above five: "%s" is wrong',
    async (typed) => {
      const { type, submit, starts, button } = await aDialog(rooms(''))
      await type(typed)
      await submit()
      expect([button('Unlock and reboot 6 rooms').disabled, starts()]).toEqual([true, []])
    },
  )
  it.each([
    ['one of more than five rooms goes first', 6, true],
    ['five go at once', 5, false],
  ])('%s, unless a person chooses otherwise', async (_, count, canary) => {
    const { store } = await aDialog(async (core) => {
      const ids = (await roomsOf(core)).slice(0, count).map(({ id }) => id)
      return { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids } }
    })
    expect([store.plan!.items, store.terms.canary]).toEqual([count, canary])
  })
  it('starts once with the typed number, as planned, and a message links to the job', async () => {
    const { store, type, submit, starts, router } = await aDialog(rooms(''))
    const { id, items } = store.plan!
    await type(String(items))
    await Promise.all([submit(), submit()])
    const terms = { startAt: null, window: null, keepTrying: false, canary: true }
    expect(starts()).toEqual([{ plan: id, unlock: true, typed: items, terms }])
    expect([store.request, store.started?.asked, messages.value[0]?.text]).toEqual([
      null,
      items,
      `Started: Reboot ${items} rooms`,
    ])
    const arrived = nextPage(router)
    messages.value[0]?.action?.run()
    await arrived
    expect(router.currentRoute.value.fullPath).toBe(`/jobs/${store.started?.id}`)
  })
  it('opens the job it started when jobs are on screen, without a message', async () => {
    const { store, type, submit, router } = await aDialog(rooms(''))
    await router.push('/jobs')
    const told = messages.value.length
    await type(String(store.plan!.items))
    await submit()
    await expect.poll(() => router.currentRoute.value.fullPath).toBe(`/jobs/${store.started?.id}`)
    expect(messages.value.length).toBe(told)
  })
  it('starts with a click up to five, and does not unlock unlocked actions again', async () => {
    const { submit, starts, words, store } = await aDialog(
      async (core) => {
        const ids = (await roomsOf(core)).slice(0, 2).map(({ id }) => id)
        return { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids } }
      },
      async (core) => {
        const room = (await roomsOf(core)).at(-1)!
        await core.finish(rebootRoom(core.handlers.jobs, room.id))
      },
    )
    expect(words()).not.toContain('to start More than five')
    const { id } = store.plan!
    await settle()
    await submit()
    expect(starts()).toMatchObject([{ plan: id, unlock: false, typed: null }])
  })
  it('proposes a start time that has passed in no zone of its rooms', async () => {
    setTimeZone('America/Los_Angeles')
    const { words, choose } = await aDialog(rooms(''))
    await choose('When', 'At a time')
    // 09:30 UTC: the next full hour is 11:00 in Stockholm, where it has not passed.
    expect(words()).toContain(
      '11:00 by each room’s clock By yours Berlin, Copenhagen, Stockholm 02:00 New York 08:00 Headroom must be running and the computer awake then',
    )
  })
  it('uses the time zone of the preferences for start time and window, not that of the computer', async () => {
    setTimeZone('Pacific/Auckland')
    const { store, words, choose } = await aDialog(rooms(''))
    const fill = async (name: string, text: string): Promise<void> => {
      const field = document.querySelector<HTMLInputElement>(`.fields input[aria-label="${name}"]`)!
      field.value = text
      for (const event of ['input', 'change']) field.dispatchEvent(new Event(event))
      await settle()
    }
    await choose('When', 'At a time')
    const day = document.querySelector<HTMLSelectElement>('.fields select')!
    day.value = day.options[2]!.value
    day.dispatchEvent(new Event('change'))
    await fill('Start time', '2130')
    expect(words()).toContain(
      '21:30 by each room’s clock By yours Berlin, Copenhagen, Stockholm 22 Nov 2026 09:30',
    )
    expect(new Date(store.terms.startAt ?? 0).toLocaleString('sv-SE', { timeZone: 'Pacific/Auckland' })).toBe(
      `${day.value} 21:30:00`,
    )
    await fill('Start time', '25:00')
    expect([store.terms.startAt, words().includes('Enter a time, such as 22:00.')]).toEqual([null, true])
    await choose('When', 'In a window')
    expect(words()).toContain(
      'Every day between these times, by each room’s own clock. Nothing new is sent outside them.',
    )
    await fill('To', '6')
    expect([
      store.terms.window,
      document.querySelector<HTMLInputElement>('.fields input[aria-label="To"]')?.value,
    ]).toEqual([{ from: 1320, to: 360 }, '06:00'])
    await fill('To', '22.00')
    expect([store.terms.window, words().includes('Enter two different times.')]).toEqual([null, true])
  })
  it('changes canary, keep trying and ticket without planning again', async () => {
    const { core, choose, type, submit, starts, store } = await aDialog(rooms(''))
    await choose('Order', 'One room first')
    checkbox('Wait if the call limit').dispatchEvent(new Event('change'))
    const ticket = document.querySelector<HTMLInputElement>('input[placeholder="Optional"]')!
    ticket.value = ' INC0042 '
    ticket.dispatchEvent(new Event('change'))
    await type(String(store.plan!.items))
    await submit()
    expect(starts()).toMatchObject([
      { terms: { startAt: null, window: null, keepTrying: true, canary: true, ticket: 'INC0042' } },
    ])
    expect(core.argumentsOf('jobs.plan')).toHaveLength(1)
  })
  it('shows the rejection of the core without starting, and can be viewed again', async () => {
    const { core, store, type, submit, words, button } = await aDialog(rooms(''))
    core.fail('jobs.start', { kind: 'data-folder', reason: 'replaced', holder: null, detail: null })
    await type(String(store.plan!.items))
    await submit()
    expect(words()).toContain('The lock of the data folder was deleted')
    expect(store.started).toBe(null)
    core.fail('jobs.start', null)
    const previous = store.plan!.id
    button('Plan again').click()
    await settle()
    expect([store.plan!.id === previous, store.startFailure]).toEqual([false, null])
  })
  it('asks for the number again when another plan is shown', async () => {
    const { core, store, type, button } = await aDialog(rooms(''))
    await type(String(store.plan!.items))
    const previous = [store.plan!.id, button('Unlock and reboot 6 rooms').disabled]
    await core.finish(store.look())
    await settle()
    const field = document.querySelector<HTMLInputElement>('.number input')
    expect([
      previous,
      store.plan!.id === previous[0],
      field?.value,
      button('Unlock and reboot 6 rooms').disabled,
    ]).toEqual([[previous[0], false], false, '', true])
  })
  it('cannot start while a time is invalid', async () => {
    const { store, type, submit, starts, button, choose, words } = await aDialog(rooms(''))
    await type(String(store.plan!.items))
    await choose('When', 'In a window')
    const to = document.querySelector<HTMLInputElement>('.fields input[aria-label="To"]')!
    to.value = '22:00'
    for (const event of ['input', 'change']) to.dispatchEvent(new Event(event))
    await settle()
    await submit()
    expect([
      button('Unlock and reboot 6 rooms').disabled,
      words().includes('Correct the time first.'),
      starts(),
    ]).toEqual([true, true, []])
  })
  it('shows the last plan while it is made again, which cannot be started', async () => {
    const { core, store, type, submit, starts, words, button } = await aDialog(rooms(''))
    await type(String(store.plan!.items))
    const release = core.hold('jobs.plan')
    const again = store.look()
    await submit()
    await store.start(true, 6)
    const during = [
      button('Unlock and reboot 6 rooms').disabled,
      words().includes('Planning again. Nothing is changed.'),
      words().includes('devices in 6 rooms.'),
    ]
    release()
    await core.finish(again)
    expect([during, starts()]).toEqual([[true, true, true], []])
  })
  it.each([
    ['', '', true],
    ['5', 'That is not 6.', true],
    ['6', '', false],
  ])('says beside the button why "%s" does not start: %s', async (typed, why, disabled) => {
    const { type, button } = await aDialog(rooms(''))
    await type(typed)
    const start = button('Unlock and reboot 6 rooms')
    const described = document.getElementById(start.getAttribute('aria-describedby')!.split(' ')[0]!)
    expect([described!.textContent, start.disabled]).toEqual([why, disabled])
  })
  it('is not started by Enter in the ticket', async () => {
    const { type } = await aDialog(rooms(''))
    await type('6')
    const enter = new KeyboardEvent('keydown', { key: 'Enter', cancelable: true, bubbles: true })
    document.querySelector('input[placeholder="Optional"]')!.dispatchEvent(enter)
    expect(enter.defaultPrevented).toBe(true)
  })
  it('tries the room first that is chosen, in a new plan', async () => {
    const { core, store, choose, type, button, words, starts } = await aDialog(rooms(''))
    await choose('Order', 'One room first')
    await type('6')
    const [usual, , chosen] = [0, 1, 2].map((index) => store.rowAt(index)!.target)
    button('Choose which…').click()
    await settle()
    const before = [words().includes(`First ${usual!.name}`), words().includes('Goes first. Select another')]
    const row = [...document.querySelectorAll<HTMLElement>('[role=gridcell]')].find(
      (cell) => cell.textContent?.trim() === chosen!.name,
    )!
    row.click()
    await settle()
    button('Try this one first').click()
    await core.finish(settle())
    await settle()
    expect([before, words().includes(`First ${chosen!.name}`)]).toEqual([[true, true], true])
    expect([core.argumentsOf('jobs.plan').at(-1), starts()]).toMatchObject([{ first: [chosen!.id] }, []])
    expect(document.querySelector<HTMLInputElement>('.number input')?.value).toBe('')
  })
  it('cannot start without items', async () => {
    const { words, store } = await aDialog(async (core) => {
      const ids = (await roomsOf(core)).slice(0, 1).map(({ id }) => id)
      return { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids } }
    }, withAnEmptyRoom)
    expect([
      store.plan?.items,
      words().includes('No room to reboot'),
      words().includes('Nothing would be sent.'),
      words().includes('Unlock and reboot'),
    ]).toEqual([0, true, true, false])
  })
  it('shows old and new settings, rejected values, and the saving by pages', async () => {
    const work: JobWork = {
      kind: 'change-settings',
      selection: { kind: 'matching', where: 'product:"Evolve2 65"', except: [] },
      changes: [{ name: 'sidetoneLevelEnum', value: 'plus3dB' }],
    }
    const { words, store } = await aDialog(work, async ({ handlers }) => {
      const { organizations, presets } = await handlers.organizations.list()
      const { id, templates } = organizations[0]!
      const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
      const devicesWithSettings = 'POST /devices/api/devices/settings'
      await handlers.organizations.update({
        id,
        draft: { ...draft, templates: { ...templates, devicesWithSettings } },
      })
    })
    expect(words()).toContain(`Change 1 setting of ${store.plan!.items} devices`)
    expect(store.plan!.savedCalls).toBeGreaterThan(0)
    expect(words()).toContain(`reading in pages saves ${store.plan!.savedCalls} calls`)
    store.need(0, 0)
    await settle()
    expect(store.rowAt(0)?.changes).toEqual([
      {
        name: 'sidetoneLevelEnum',
        now: 'minus9dB',
        new: 'plus3dB',
        allowed: true,
        reason: null,
        restarts: false,
      },
    ])
  })
})

describe('the plan of a firmware update', () => {
  const ofLatest = async ({ handlers }: TestCore): Promise<JobWork> => {
    const { id } = await aDeviceBehind(handlers)
    return updateOf({ kind: 'picked', ids: [id] }, 'latest')
  }

  const withAddresses = (core: TestCore): Promise<void> =>
    changeProfile(core, ({ templates }) => ({
      templates: { ...templates, ...firmwareAddresses },
    }))

  it('counts the devices of each product, offers versions, and starts one job', async () => {
    const { store, submit, starts } = await aDialog(ofLatest, withAddresses)
    const [product] = store.plan!.products!
    expect(textIn(document.querySelector('.products tbody tr')!)).toBe(
      `${product!.name} 1 ${product!.from[0]!.version} ${product!.version}`,
    )
    await submit()
    expect([starts().length, store.started?.kind]).toEqual([1, 'update-firmware'])
  })

  /** Of another product. */
  async function withAnApproval(core: TestCore): Promise<void> {
    await withAddresses(core)
    const given = { vendorId: 2830, productId: 9395, version: '2.9.1', variant: null, expires: null }
    await core.handlers.firmware.approve({ ...given, reason: 'tested in Oslo' })
  }
  const latest = 'Latest version of each product'
  it.each([
    ['latest', false, [[latest], 0]],
    ['advised', false, [[latest], 0]],
    ['1.0.0', false, [[latest, '1.0.0'], 1]],
    [
      'advised',
      true,
      [['Approved version of each product, else the latest', 'Approved version of each product', latest], 0],
    ],
  ] as const)('of %s offers approved versions only if there are any: %s', async (version, any, offered) => {
    const those = async (core: TestCore): Promise<JobWork> => {
      const work = await ofLatest(core)
      return work.kind === 'update-firmware' ? { ...work, version } : work
    }
    await aDialog(those, any ? withAnApproval : withAddresses)
    const select = document.querySelector<HTMLSelectElement>('.choices select')!
    const options = [...select.options]
    expect([options.map(({ text }) => text), options.findIndex(({ selected }) => selected)]).toEqual(offered)
  })

  it('keeps the focus on the version when the approvals are known', async () => {
    let release = () => undefined as void
    await aDialog(ofLatest, async (core) => {
      await withAddresses(core)
      release = core.hold('firmware.approvals')
    })
    const select = document.querySelector<HTMLSelectElement>('.choices select')!
    const before = select.options.length
    select.focus()
    release()
    await settle()
    expect([before, select.options.length, document.activeElement === select]).toEqual([3, 1, true])
  })
  it.each([
    [
      'one of each product goes first in an update of more than five devices',
      'fw:behind status:online',
      true,
    ],
    ['fewer devices go at once', 'fw:behind status:online room:*', false],
  ] as const)('%s, unless a person chooses otherwise', async (_, where, canary) => {
    const update = updateOf({ kind: 'matching', where, except: [] }, 'latest')
    const { store } = await aDialog(update, withAddresses)
    expect([store.plan!.typeNumber !== null, store.terms.canary]).toEqual([canary, canary])
    await store.askFor(update)
    expect(store.terms.canary).toBe(canary)
  })

  it('leaves devices that are offline out, and takes them in again', async () => {
    const update = updateOf({ kind: 'matching', where: 'fw:behind', except: [] }, 'latest')
    const { core, store, choose } = await aDialog(update, withAddresses)
    const counts = () => [store.plan!.items, store.plan!.offline, store.plan!.skipped] as const
    const told = (): string => textIn(document.querySelector('.choices .offline')!)
    const all = counts()
    const [items, offline] = all
    const choices = [`All ${items}`, `${items - offline} not offline`] as const
    const said = [told()]
    await choose('Devices', choices[1])
    await core.finish(settle())
    const left = counts()
    said.push(told())
    await choose('Devices', choices[0])
    await core.finish(settle())
    const words = `Devices ${choices.join(' ')}`
    expect([offline > 0, left, counts(), said]).toEqual([
      true,
      [items - offline, 0, [{ reason: 'offline', count: offline }]],
      all,
      [
        `${words} ${offline} of ${items} devices are offline Unless they come back within 30 min, their results stay unknown.`,
        words,
      ],
    ])
  })

  it('shows of each product whether the device that goes first is online', async () => {
    const update = updateOf({ kind: 'matching', where: 'fw:behind', except: [] }, 'latest')
    const { store } = await aDialog(update, withAddresses)
    const shown = [...document.querySelectorAll('.products tbody .first')].map((cell) => [
      textIn(cell),
      cell.querySelector('.mark')!.className,
    ])
    const products = store.plan!.products!
    expect(shown).toEqual(
      products.map(({ first, firstStatus }) => [
        `${first.split(' · ')[0]} ${wordOfStatus(firstStatus)}`,
        `mark ${markOfStatus(firstStatus)}`,
      ]),
    )
    expect(new Set(products.map(({ firstStatus }) => firstStatus))).toContain('online')
  })

  it('lists the devices of a product, of which another one can be tried first', async () => {
    const twins = async ({ handlers }: TestCore): Promise<JobWork> => {
      const query = { where: 'fw:behind status:online', sort: [], start: 0, count: 100 } as const
      const { rows } = await handlers.devices.slice(query)
      const [ids] = [...Map.groupBy(rows, ({ productId }) => productId).values()]
        .map((of) => of.map(({ id }) => id))
        .filter(({ length }) => length > 1)
      return updateOf({ kind: 'picked', ids: ids! }, 'latest')
    }
    const { core, store, choose, button } = await aDialog(twins, withAddresses)
    const listed = (): readonly (string | undefined)[] =>
      [...document.querySelectorAll('.products .device')].map((one) =>
        textIn(one.querySelector('td:last-child')!),
      )
    await choose('Order', 'One device first')
    button('Choose which…').click()
    await core.finish(settle())
    const before = [listed().length === store.plan!.items, listed()[0], listed()[1]]
    const [, second] = store.ofProduct!.items
    button('Try this one first').click()
    await core.finish(settle())
    await core.finish(settle())
    expect([before, store.plan!.products![0]!.first, listed()[0]]).toEqual([
      [true, 'First', 'Try this one first'],
      second!.target.name,
      'First',
    ])
  })

  it('of more than three products says how many devices of each are at risk, and of the opened one what changes', async () => {
    const update = updateOf({ kind: 'matching', where: 'fw:behind', except: [] }, 'latest')
    const { core, store } = await aDialog(update, withAddresses)
    await core.finish(settle())
    const row = (): Element => document.querySelector('.products tbody tr')!
    const word = textIn(row().querySelector('td:last-child')!)
    const sentences = (): number => document.querySelectorAll('.products .changes').length
    const before = sentences()
    row().querySelector('button')!.click()
    await core.finish(settle())
    expect([store.plan!.products!.length > 3, word, before, sentences()]).toEqual([
      true,
      'settings not read',
      0,
      1,
    ])
    expect(textIn(document.querySelector('.products .changes')!)).toMatch(
      /^5 settings change\. Which of your \d+ devices are at risk is unknown until their settings are read$/,
    )
  })

  it('does not say that nothing could be compared while it compares', async () => {
    const update = updateOf({ kind: 'matching', where: 'fw:behind', except: [] }, 'latest')
    await aDialog(update, withAddresses)
    const cells = [...document.querySelectorAll('.products tbody td:last-child')].filter((cell) =>
      textIn(cell).endsWith('…'),
    )
    expect([cells.length > 0, cells.filter((cell) => cell.hasAttribute('title'))]).toEqual([true, []])
  })

  it('counts the devices at risk anew when it is opened again, because other devices may be among them', async () => {
    const { core, store, dialog, open } = await aDialog(ofLatest, withAddresses)
    const requested = (): number => core.argumentsOf('definitions.firmwareDifference').length
    await core.finish(settle())
    const before = requested()
    dialog.unmount()
    await core.finish(store.ask(store.plan!.draft.work))
    open()
    await core.finish(settle())
    expect([before, requested()]).toEqual([1, 2])
  })

  it('counts the devices at risk anew when others are among them, and not when some are left out', async () => {
    const { core, store } = await aDialog(ofLatest, withAddresses)
    const requested = (): number => core.argumentsOf('definitions.firmwareDifference').length
    await core.finish(settle())
    const [product] = store.plan!.products!
    const { version } = product!.from[0]!
    const query = { where: `pid:${product!.productId} fw:=${version}`, sort: [], start: 0, count: 2 } as const
    const ids = (await core.handlers.devices.slice(query)).rows.map(({ id }) => id)
    const counts = [requested()]
    for (const picked of [ids, ids.slice(0, 1), ids]) {
      await core.finish(store.askFor(updateOf({ kind: 'picked', ids: picked }, 'latest')))
      await core.finish(settle())
      counts.push(requested())
    }
    expect([ids.length, counts]).toEqual([2, [1, 2, 2, 2]])
  })

  it('marks the devices that are in another job', async () => {
    const { core, store } = await aDialog(ofLatest, withAddresses)
    const devices = async (): Promise<readonly string[]> => {
      store.product = 0
      await core.finish(settle())
      return [...document.querySelectorAll('.products .device')].map((one) => textIn(one))
    }
    const before = await devices()
    const { work } = store.plan!.draft
    await store.start(true, null)
    await core.finish(store.ask(work))
    expect(await devices()).toEqual(before.map((device) => `${device} in another job`))
  })

  it('plans again for another version, and skips devices for which it is not available with the reason', async () => {
    const { core, store, words } = await aDialog(ofLatest, withAnApproval)
    const select = document.querySelector<HTMLSelectElement>('select')!
    select.value = 'approved'
    select.dispatchEvent(new Event('change'))
    await core.finish(settle())
    expect([store.plan!.items, store.plan!.skipped]).toEqual([0, [{ reason: 'no-release', count: 1 }]])
    expect(words()).toContain('1 device left out: its product has no release of this version')
  })

  it('keeps a choice made while the plan of an earlier one is on its way', async () => {
    const { core, store } = await aDialog(async (opened) => {
      const work = await ofLatest(opened)
      return work.kind === 'update-firmware' ? { ...work, allowDowngrade: true } : work
    }, withAnApproval)
    const box = (): HTMLInputElement | null =>
      [...document.querySelectorAll('label')]
        .find((one) => one.textContent.includes('Include devices that run a newer version'))!
        .querySelector('input')
    const release = core.hold('jobs.plan')
    box()!.click()
    await settle()
    const select = document.querySelector<HTMLSelectElement>('select')!
    select.value = 'approved'
    select.dispatchEvent(new Event('change'))
    await settle()
    const during = [box()?.checked, select.value]
    release()
    await core.finish(settle())
    const last = core.argumentsOf('jobs.plan').at(-1)
    expect([during, last, store.plan!.draft]).toMatchObject([
      [false, 'approved'],
      { work: { version: 'approved', allowDowngrade: false } },
      { work: { version: 'approved', allowDowngrade: false } },
    ])
  })

  it('shows that the addresses are not published', async () => {
    const { words } = await aDialog(ofLatest, (core) =>
      changeProfile(core, ({ templates }) => ({ templates: { ...templates, firmwareUpdate: null } })),
    )
    expect(words()).toContain('not published')
  })
})
