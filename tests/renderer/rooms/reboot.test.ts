import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { describe, expect, it } from 'vitest'
import { deviceLabel } from '../../../electron/contract/device-name.ts'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { rebootOf, useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { useJobs } from '../../../renderer/jobs/jobs-store.ts'
import PlanDialog from '../../../renderer/jobs/PlanDialog.vue'
import { i18n } from '../../../renderer/locales/i18n.ts'
import { messages } from '../../../renderer/components/toasts.ts'
import { createPages } from '../../../renderer/router.ts'
import { useRoomRestarts } from '../../../renderer/rooms/room-restarts-store.ts'
import { rebootRoom } from '../../reboot-room.ts'
import { openCore, settle, type TestCore } from '../core.ts'
import { textIn } from '../page.ts'
import { aHealthyRoom } from './rooms-at-hand.ts'

const broken: WireFault = { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'socket hang up' }
const refused: WireResponse = {
  kind: 'answer',
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ statusCode: 409, message: 'The room is being updated.' }),
}
const posts = (core: TestCore): number =>
  core.service.attempts.filter(({ method, url }) => method === 'POST' && url.endsWith('/reboot')).length

/** The dialog of a room's reboot, as every page opens it. */
async function requested(core: TestCore, room: Pick<Room, 'id'>) {
  const pinia = createPinia()
  setActivePinia(pinia)
  const store = useJobPlan()
  const planned = core.finish(store.ask(rebootOf(room.id)))
  const router = createPages(() => true)
  await router.push('/rooms')
  mount(PlanDialog, { attachTo: document.body, global: { plugins: [pinia, i18n, router] } })
  await planned
  store.need(0, 0)
  await settle()
  const button = (name: string) =>
    [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
  const press = async (name: string): Promise<void> => {
    button(name)!.click()
    await settle()
  }
  return { store, button, press, words: () => textIn(document.body) }
}

describe('the reboot of one room', () => {
  it('is a plan that lists every device that restarts, the cost, and that it unlocks; nothing is sent', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    const { words } = await requested(core, room)
    const devices = room.devices ?? []
    expect([...document.querySelectorAll('[role=dialog] ul li')].map((one) => textIn(one))).toEqual(
      devices.map((device) => `${deviceLabel(device)}: Online`),
    )
    for (const part of [
      `Reboot ${room.name}`,
      `These ${devices.length} devices reboot. The room cannot be used until they are back.`,
      `${room.groupIds.length + 1} calls`,
      'Unlocks actions for 15 minutes.',
      'Unlock and reboot 1 room',
    ])
      expect(words()).toContain(part)
    expect(posts(core)).toBe(0)
  })
  it('is sent once, without unlocking if actions are unlocked already', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    const [other] = (
      await core.handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 9 })
    ).rows.filter(({ id }) => id !== room.id)
    await core.finish(rebootRoom(core.handlers.jobs, other!.id))
    const { press, button, store } = await requested(core, room)
    expect(button('Unlock and reboot 1 room')).toBeUndefined()
    await press('Reboot 1 room')
    await core.finish(store.start(false, null))
    expect([core.argumentsOf('jobs.start').length, store.request]).toEqual([1, null])
    while (posts(core) < 2) await core.advance(10)
    await core.advance(1_000)
    expect(posts(core)).toBe(2)
  })
  it('marks a device that the service does not list now, and does not wait for it', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    const [left] = room.devices ?? []
    core.service.alter('/meetingrooms/api/meetingrooms/', (record: { devices: { id: string }[] }) => ({
      ...record,
      devices: record.devices.filter(({ id }) => id !== left!.id),
    }))
    await requested(core, room)
    const marked = [...document.querySelectorAll('[role=dialog] li')].filter((row) =>
      textIn(row).includes('not listed now'),
    )
    expect(marked.map((row) => textIn(row))).toEqual([`${deviceLabel(left!)}: Online not listed now`])
  })
  it('reports an unreadable room, and plans again when it is readable', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    core.service.offline = true
    const { words, button, store } = await requested(core, room)
    expect(words()).toContain('Cannot reach api.cloud.jabra.com.')
    expect(button('Unlock and reboot 1 room')).toBeUndefined()
    core.service.offline = false
    await core.finish(store.look())
    await settle()
    expect(button('Unlock and reboot 1 room')).toBeDefined()
  })
  it('cannot start for a room whose devices are all offline, and explains it', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    core.service.alter(
      '/meetingrooms/api/meetingrooms/',
      (record: { devices: { deviceConnectionStatus: string }[] }) => ({
        ...record,
        devices: record.devices.map((device) => ({ ...device, deviceConnectionStatus: 'Offline' })),
      }),
    )
    const { words, button } = await requested(core, room)
    expect(words()).toContain('1 room left out: nothing online')
    expect(button('Unlock and reboot 1 room')).toBeUndefined()
  })
  it('shows from when it may start while a device waits for its minute', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
    const { store, words } = await requested(core, room)
    expect(store.rowAt(0)?.earliestAt).toBeGreaterThan(core.clock.now())
    expect(words()).toMatch(/What happens 1 .* from \d\d:\d\d Ends by about/)
  })
  it.each<[string, WireFault | null, boolean]>([
    ['reminds of a reboot without a response', broken, true],
    ['does not remind of one that was accepted', null, false],
  ])('%s', async (_, answer, reminds) => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    core.service.script('/reboot', () => answer)
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
    const { words } = await requested(core, room)
    expect(/The last reboot was sent at .* but no answer came\. Check the room first\./.test(words())).toBe(
      reminds,
    )
  })
  it('is scheduled in the time zone of the room, which the job stores', async () => {
    const core = await openCore()
    const rows = (await core.handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 50 })).rows
    const whole = await Promise.all(rows.map(({ id }) => core.handlers.rooms.get({ id })))
    const room = whole.find(({ timeZone }) => timeZone !== null && timeZone !== 'Europe/London')!
    const { store, words, press } = await requested(core, room)
    await press('At a time')
    expect(words()).toContain(`(${room.timeZone})`)
    const job = await core.finish(store.start(true, null))
    expect([job?.state, job?.timeZone]).toEqual(['waiting', room.timeZone])
  })
})

/** The result of a room's job, and its messages. */
async function ended(core: TestCore, room: Pick<Room, 'id'>): Promise<{ job: Job; said: readonly string[] }> {
  const jobs = useJobs()
  const stop = jobs.follow(() => undefined)
  await core.finish(rebootRoom(core.handlers.jobs, room.id))
  await jobs.again()
  for (let job: Job | undefined; job?.state !== 'ended';) {
    await core.advance(10_000)
    job = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs[0]
  }
  await jobs.again()
  await settle()
  stop()
  const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
  return { job: job!, said: messages.value.map(({ kind, text }) => `${kind} ${text}`) }
}

describe('a room after its reboot', () => {
  it('is shown as restarting from the job until every device is back, which is reported', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    const restarts = useRoomRestarts()
    const stop = restarts.follow()
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
    await settle()
    expect(await core.handlers.jobs.restarts()).toEqual([
      { roomId: room.id, jobId: expect.any(String), state: 'watching', sentAt: expect.any(Number) },
    ])
    const jobs = useJobs()
    const stopListening = jobs.follow(() => undefined)
    await settle()
    while ((await core.handlers.jobs.restarts()).length > 0) await core.advance(10_000)
    await jobs.again()
    await settle()
    expect(messages.value.map(({ kind, text }) => [kind, text])).toEqual([
      ['ok', `${room.name} is back online`],
    ])
    stop()
    stopListening()
  })
  it('that did not come back in time is shown as such', async () => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    core.service.alter(
      '/meetingrooms/api/meetingrooms/',
      (record: { devices: { deviceConnectionStatus: string }[] }) => ({
        ...record,
        devices: record.devices.map((device) => ({
          ...device,
          deviceConnectionStatus: posts(core) > 0 ? 'Offline' : 'Online',
        })),
      }),
    )
    const { job, said } = await ended(core, room)
    expect([job.counts.done, job.unseen, said]).toEqual([
      1,
      1,
      [`warn ${room.name}: reboot accepted, but not confirmed back online. Check the room.`],
    ])
  })
  it.each<[string, WireResponse | WireFault, Partial<Job['counts']>]>([
    ['was refused', refused, { failed: 1 }],
    ['got no response', broken, { unknown: 1 }],
  ])('that %s is reported as such, and is never sent again by itself', async (_, answer, counts) => {
    const core = await openCore()
    const room = await aHealthyRoom(core)
    core.service.script('/reboot', () => answer)
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
    await core.advance(10 * 60_000)
    const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
    expect([job?.state, job?.counts, posts(core)]).toEqual(['ended', expect.objectContaining(counts), 1])
  })
})
