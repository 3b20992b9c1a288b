import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import type { WriteReport } from '../../../electron/contract/api/writes.ts'
import { useWriteLock } from '../../../renderer/frame/write-lock-store.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { refreshPresentTime } from '../../../renderer/parts/present-time.ts'
import { lastReboot } from '../../../renderer/rooms/reboot-plan-store.ts'
import { useReboot } from '../../../renderer/rooms/reboot-store.ts'
import { useRebootWatch } from '../../../renderer/rooms/reboot-watch-store.ts'
import RebootDialog from '../../../renderer/rooms/RebootDialog.vue'
import type { DoubleLink, DoubleOptions } from '../double-link.ts'
import { aCore, settle, wordsOf } from '../open-page.ts'

const NOW = Date.parse('2026-11-21T13:58:00Z')
const ROOM = 'room-2'

beforeEach(() => {
  vi.useFakeTimers({
    now: NOW,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
  refreshPresentTime()
})

const reboots = (core: DoubleLink): unknown[] =>
  core.asked.filter((one) => one.channel === 'rooms.reboot').map((one) => one.argument)
const core = (options: Partial<DoubleOptions> = {}): DoubleLink => aCore({ nowAt: NOW, ...options })

describe('the last reboot of a room', () => {
  const line = (operation: string, startedAt: number, endedAt: number | null): JournalLine => ({
    id: startedAt,
    organizationId: 'org-1',
    organizationName: 'Nordlys A/S',
    who: 'm.ito',
    operation,
    target: { of: 'room', id: ROOM, name: null },
    deviceIds: [],
    startedAt,
    endedAt,
    outcome: null,
    status: null,
    message: null,
    before: null,
    after: null,
  })
  it.each<[string, readonly JournalLine[], number | null, number | null]>([
    ['newer than the record', [line('RebootRoom', 90, 100)], 99, 90],
    ['as old as the record', [line('RebootRoom', 90, 100)], 100, null],
    ['without an end, begun after the record', [line('RebootRoom', 101, null)], 100, 101],
    [
      'found open after the record, begun before it',
      [{ ...line('RebootRoom', 90, 120), endFoundLater: true }],
      100,
      null,
    ],
    ['of a room that was never read', [line('RebootRoom', 90, 100)], null, 90],
    [
      'behind another write',
      [line('UpdateDeviceSettings', 120, 121), line('RebootRoom', 101, 102)],
      100,
      101,
    ],
    ['not there', [], null, null],
  ])('counts when it is %s', (_what, lines, observedAt, id) => {
    expect(lastReboot(lines, observedAt)?.id ?? null).toBe(id)
  })
})

describe('rebooting a room', () => {
  it('reads the plan and sends nothing before it is confirmed', async () => {
    const double = core()
    const reboot = useReboot()
    await reboot.open(ROOM)
    expect([reboot.step, reboot.plan?.devices.length ?? 0, reboots(double)]).toEqual([
      'asking',
      reboot.plan?.devices.length,
      [],
    ])
    expect(reboot.plan?.devices.length).toBeGreaterThan(0)
  })

  it('sends once and tells that the service accepted', async () => {
    const double = core()
    const reboot = useReboot()
    await reboot.open(ROOM)
    await reboot.confirm(true)
    await reboot.confirm(true)
    expect([reboot.step, reboot.report?.outcome, reboot.failure]).toEqual(['ended', 'accepted', null])
    expect(reboots(double)).toEqual([{ id: ROOM, unlock: true, wait: false }])
  })

  it.each<[WriteReport['outcome'], Failure['kind']]>([
    ['refused', 'refused'],
    ['unconfirmed', 'unconfirmed'],
  ])('tells how it ended when it is %s, and never sends it again by itself', async (outcome, kind) => {
    const double = core({ reboot: outcome })
    const reboot = useReboot()
    await reboot.open(ROOM)
    await reboot.confirm(true)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect([reboot.report?.outcome, reboot.failure?.kind, reboots(double).length]).toEqual([outcome, kind, 1])
  })

  it('waits for the minute of the devices, then sends once without unlocking again', async () => {
    const double = core({ reboot: 'waiting' })
    const reboot = useReboot()
    await reboot.open(ROOM)
    await reboot.confirm(true)
    expect([reboot.step, (reboot.waitingUntil ?? 0) - NOW]).toEqual(['waiting', 42_000])
    await vi.advanceTimersByTimeAsync(41_999)
    expect([reboot.step, reboots(double).length]).toEqual(['waiting', 1])
    await vi.advanceTimersByTimeAsync(1)
    expect([reboot.step, reboot.report?.outcome]).toEqual(['ended', 'accepted'])
    expect(reboots(double)).toEqual([
      { id: ROOM, unlock: true, wait: false },
      { id: ROOM, unlock: false, wait: false },
    ])
  })

  it('sends nothing after the dialog was closed while it waited', async () => {
    const double = core({ reboot: 'waiting' })
    const reboot = useReboot()
    await reboot.open(ROOM)
    await reboot.confirm(true)
    reboot.close()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    expect([reboot.roomId, reboots(double).length]).toEqual([null, 1])
  })

  it('is refused when writes were locked while it waited', async () => {
    core({ reboot: 'waiting' })
    const reboot = useReboot()
    await reboot.open(ROOM)
    await reboot.confirm(true)
    await useWriteLock().lockNow()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([reboot.step, reboot.report, reboot.failure]).toEqual(['ended', null, { kind: 'writes-locked' }])
  })

  it('cannot be confirmed when the members of the room are not known', async () => {
    const double = core({ devices: 2_000 })
    const reboot = useReboot()
    await reboot.open('room-23')
    await reboot.confirm(true)
    expect([reboot.plan?.problem, reboot.mayConfirm, reboots(double)]).toEqual(['members-unknown', false, []])
  })

  it('drops the plan of a room that was left meanwhile', async () => {
    const double = core()
    const release = double.hold('rooms.rebootPlan')
    const reboot = useReboot()
    const first = reboot.open(ROOM)
    reboot.close()
    release()
    await first
    expect([reboot.roomId, reboot.plan]).toEqual([null, null])
  })
})

describe('the reboot dialog', () => {
  async function shown(
    options: Partial<DoubleOptions> = {},
    room = ROOM,
  ): Promise<{ double: DoubleLink; press: (name: string) => Promise<void>; words: () => string }> {
    const double = aCore({ nowAt: NOW, ...options })
    const pinia = createPinia()
    setActivePinia(pinia)
    const page = { template: '<p />' }
    const router = createRouter({
      history: createMemoryHistory(),
      routes: [
        { path: '/', component: page },
        { name: 'journal', path: '/journal/:id?', component: page },
      ],
    })
    const opening = useReboot().open(room)
    mount(RebootDialog, { attachTo: document.body, global: { plugins: [pinia, i18n, router] } })
    await opening
    await settle()
    const press = async (name: string): Promise<void> => {
      const button = [...document.querySelectorAll('button, a')].find(
        (one) => one.textContent?.trim() === name,
      )
      if (!(button instanceof HTMLElement))
        throw new Error(`no button "${name}" in: ${wordsOf(document.body)}`)
      button.click()
      await settle()
    }
    return { double, press, words: () => wordsOf(document.body) }
  }

  it('names every device that restarts, what it costs and that it unlocks', async () => {
    const { words } = await shown()
    const devices = useReboot().plan?.devices ?? []
    expect(document.querySelectorAll('li')).toHaveLength(devices.length)
    for (const device of devices) expect(words()).toContain(device.name)
    expect(words()).toContain('2 calls, under 1% of the five-minute window')
    expect(words()).toContain('locked; confirming unlocks them for 15 minutes of activity')
    expect(words()).toContain('Unlock and reboot')
  })
  it('asks for no unlocking when writes are unlocked already', async () => {
    const { double, press, words } = await shown({ unlocked: true })
    expect(words()).toContain('unlocked, 14:00 left')
    await press('Reboot room')
    expect(reboots(double)).toEqual([{ id: ROOM, unlock: false, wait: false }])
  })
  it.each<[string, Partial<DoubleOptions>, string]>([
    ['accepted', {}, 'Accepted at'],
    ['refused', { reboot: 'refused' }, 'The service says: “The room is being updated.”'],
    ['unconfirmed', { reboot: 'unconfirmed' }, 'It may have happened'],
  ])('tells when it was %s', async (_outcome, options, told) => {
    const { press, words } = await shown(options)
    await press('Unlock and reboot')
    expect(words()).toContain(told)
  })
  it('offers no second attempt after an unconfirmed one, but a sync', async () => {
    const { press } = await shown({ reboot: 'unconfirmed' })
    await press('Unlock and reboot')
    expect(
      [...document.querySelectorAll('[role=dialog] button, [role=dialog] a')]
        .map((one) => one.textContent?.trim())
        .filter(Boolean),
    ).toEqual(['Show in journal', 'Sync now', 'Done'])
  })
  it('marks a device that the service does not list now, and does not wait for it', async () => {
    const { press } = await shown({ unlisted: true })
    const marked = [...document.querySelectorAll('[role=dialog] li')].map((row) =>
      wordsOf(row).includes('not listed now'),
    )
    await press('Unlock and reboot')
    const devices = useReboot().plan?.devices ?? []
    const watched = useRebootWatch()
      .rooms.get(ROOM)
      ?.devices.map(({ id }) => id)
    expect([marked, watched]).toEqual([
      devices.map((_, index) => index === 0),
      devices
        .slice(1)
        .filter(({ status }) => status === 'online')
        .map(({ id }) => id),
    ])
    expect(watched?.length).toBeGreaterThan(0)
  })
  it('counts down while it waits, and ends the waiting on request', async () => {
    const { double, press, words } = await shown({ reboot: 'waiting' })
    expect(words()).toMatch(/Starts at \d\d:\d\d, in 0:42: a device was written to less than a minute ago/)
    await press('Unlock and reboot')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(words()).toContain('0:40')
    await press('Do not send it')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(reboots(double)).toHaveLength(1)
  })
  it('reminds of a reboot that no answer came to, until the room was read again', async () => {
    const { press } = await shown({ reboot: 'unconfirmed', unwritten: true })
    expect(wordsOf(document.body)).not.toContain('Check the room first.')
    await press('Unlock and reboot')
    await press('Done')
    await useReboot().open(ROOM)
    await settle()
    expect(wordsOf(document.body)).toMatch(
      /The last reboot was sent at \d\d:\d\d and no answer came\. Check the room first\./,
    )
    expect(useReboot().mayConfirm).toBe(true)
  })
  it('does not remind of a reboot that was accepted', async () => {
    const { press } = await shown({ unwritten: true })
    await press('Unlock and reboot')
    await useReboot().open(ROOM)
    await settle()
    expect(wordsOf(document.body)).not.toContain('Check the room first.')
  })
  it('offers nothing to confirm for a room whose devices are not known', async () => {
    const { words } = await shown({ devices: 2_000 }, 'room-23')
    expect(words()).toContain('The devices of this room are not known')
    expect(words()).not.toContain('Unlock and reboot')
  })
  it('tells that nothing was sent when the room cannot be read', async () => {
    const { words } = await shown({ offline: true })
    expect(words()).toContain('Nothing was sent.')
    expect(words()).toContain('api.cloud.jabra.com cannot be reached.')
  })
})
