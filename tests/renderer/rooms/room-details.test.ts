import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Room, RoomDevice } from '../../../electron/contract/api/rooms.ts'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { formatMoment } from '../../../renderer/components/format.ts'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { useRoomRestarts } from '../../../renderer/rooms/room-restarts-store.ts'
import { inPlaces } from '../../../renderer/rooms/room-places.ts'
import { useRoomStore } from '../../../renderer/rooms/room-store.ts'
import { roomOrders } from '../../../renderer/rooms/rooms-store.ts'
import { firmwareAddresses, rebootRoom } from '../../reboot-room.ts'
import { changeProfile, openCore, settle, type TestCore } from '../core.ts'
import { presentAt } from '../present-at.ts'
import { mountPage, nextPage, textIn, type MountedPage } from '../page.ts'
import { aHealthyRoom, roomsWhere } from './rooms-at-hand.ts'

const broken: WireFault = { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'socket hang up' }
const refused: WireResponse = {
  kind: 'answer',
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ statusCode: 409, message: 'The room is being updated.' }),
}

/** A room with all devices online, open in the drawer of the list or on its page. */
async function opened(
  where: 'rooms' | 'room' = 'rooms',
  prepare: (core: TestCore, room: Room) => unknown = () => undefined,
): Promise<MountedPage & { readonly core: TestCore; readonly room: Room }> {
  const core = await openCore()
  const room = await aHealthyRoom(core)
  await prepare(core, room)
  return { ...(await mountPage(`/${where}/${room.id}`, true)), core, room }
}
/** Reboots the room; the service returns this, or its own response. */
const rebooted =
  (answer: WireResponse | WireFault | null) =>
  async (core: TestCore, room: Room): Promise<void> => {
    core.service.script('/reboot', () => answer)
    await core.finish(rebootRoom(core.handlers.jobs, room.id))
  }

/** The open room as the core returns it now. */
async function readAgain(core: TestCore, room: Room): Promise<void> {
  vi.spyOn(core.handlers.rooms, 'get').mockResolvedValue(room)
  await useRoomStore().again()
  await settle()
}

describe('a room in the drawer', () => {
  it('that a job restarts shows that, despite earlier data, and links to the job', async () => {
    const { words, button, core } = await opened('rooms', rebooted(null))
    const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
    expect(words()).toMatch(
      /Rebooting Accepted at .* Headroom watches the room until it is back online\. Show job/,
    )
    expect(button('Show job').attributes('href')).toContain(job!.id)
  })
  it.each(['rooms', 'room'] as const)('is rebooting by its health too: %s', async (where) => {
    const { page, room } = await opened(where, rebooted(null))
    expect([room.health, page.get('.state').text()]).toEqual(['ok', expect.stringMatching(/^Rebooting/)])
  })
  it('shows that the reboot is being sent until the service responds', async () => {
    const { words } = await opened('rooms', async (core, room) => {
      const answered = Promise.withResolvers<WireFault>()
      core.service.script('/reboot', () => answered.promise)
      const begun = rebootRoom(core.handlers.jobs, room.id)
      onTestFinished(async () => {
        answered.resolve(broken)
        await core.finish(begun)
      })
      while ((await core.handlers.jobs.restarts()).length === 0) await core.advance(10)
    })
    expect(words()).toContain('Rebooting Sending the reboot…')
  })
  it('with an accepted reboot that is no longer watched refers to the next sync', async () => {
    const { words } = await opened('rooms', async (core, room) => {
      await rebooted(null)(core, room)
      const [job] = (await core.handlers.jobs.list({ start: 0, count: 1 })).jobs
      await core.handlers.jobs.cancel({ id: job!.id })
      while ((await core.handlers.jobs.restarts()).length > 0) await core.advance(10)
    })
    expect(words()).toMatch(/Rebooting Accepted at .* The next sync shows whether the room is back online\./)
  })
  it('counts from its reboot while that runs, and leaves out what another one takes down', async () => {
    const { words, core, room } = await opened('rooms', rebooted(null))
    const [restart] = await core.handlers.jobs.restarts()
    const offline = { ...room, offlineSinceAt: restart!.sentAt! - 3_600_000 }
    const { sinceOf } = useRoomRestarts()
    expect([
      sinceOf(offline),
      sinceOf({ ...offline, id: 'another' }),
      words().includes('takes down'),
    ]).toEqual([restart!.sentAt, offline.offlineSinceAt, false])
  })
  it('shows for how long it is down, and since when', async () => {
    const room = await aHealthyRoom(await openCore())
    const offlineSinceAt = presentAt - 2 * 3_600_000
    const { label, about } = useRoomRestarts().headOf({ ...room, health: 'down', offlineSinceAt }, presentAt)
    expect([label, about]).toEqual([
      'Down for 2 h',
      `Its devices were last seen ${formatMoment(offlineSinceAt)}`,
    ])
  })
  it.each([
    ['the last reboot by Headroom, who started it and how it ended', rebooted(null), / by .+\. Accepted\./],
    ['no reboot that was refused', rebooted(refused), /^not rebooted by Headroom/],
  ])('shows %s', async (_, prepare, reported) => {
    const { page } = await opened('rooms', prepare)
    const fact = page.findAll('.fact').find((one) => one.get('dt').text() === 'Last reboot')
    expect(fact?.get('dd').text()).toMatch(reported)
  })
  it('shows how many of its devices are behind on firmware', async () => {
    const core = await openCore()
    const behind = (await roomsWhere(core, '')).find(({ behindCount }) => (behindCount ?? 0) > 0)!
    const { words } = await mountPage(`/rooms/${behind.id}`, true)
    expect(words()).toMatch(/\d+ devices? (is|are) behind on firmware\./)
  })
  it('no longer shows the reboot once every device is back', async () => {
    vi.useFakeTimers({ now: presentAt, toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { words, core } = await opened('rooms', rebooted(null))
    while ((await core.handlers.jobs.restarts()).length > 0) await core.advance(10_000)
    await vi.advanceTimersByTimeAsync(1_000)
    await settle()
    expect(words()).not.toContain('Headroom watches the room until it is back online.')
  })
  it('shows a reboot without a response until the room was read again', async () => {
    const { words, button, core } = await opened('rooms', rebooted(broken))
    expect(words()).toContain('A reboot may have happened')
    await core.advance(1_000)
    await button('Read again').trigger('click')
    await settle()
    expect(words()).not.toContain('A reboot may have happened')
  })
  it.each([
    ['it was refused', rebooted(refused)],
    ['there was none', () => undefined],
  ])('shows no reboot when %s', async (_, prepare) => {
    const { words } = await opened('rooms', prepare)
    expect(words()).not.toContain('Rebooting')
    expect(words()).not.toContain('may have happened')
  })
  it.each(['rooms', 'room'] as const)('opens the plan when "Reboot room…" is pressed: %s', async (where) => {
    const { button, core, room } = await opened(where)
    await button('Reboot room…').trigger('click')
    await settle()
    expect(core.argumentsOf('jobs.plan').map((draft) => (draft as { work: unknown }).work)).toEqual([
      { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [room.id] } },
    ])
    expect(useJobPlan().plan?.target?.id).toBe(room.id)
  })
  it.each(['rooms', 'room'] as const)(
    'offers an update of the devices that are behind: %s',
    async (where) => {
      const { button, core, room } = await opened(where, (one) =>
        changeProfile(one, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } })),
      )
      await readAgain(core, { ...room, behindCount: 1 })
      await button('Update firmware…').trigger('click')
      await settle()
      expect(core.argumentsOf('jobs.plan').map((draft) => (draft as { work: unknown }).work)).toMatchObject([
        { kind: 'update-firmware', of: 'rooms', selection: { kind: 'picked', ids: [room.id] } },
      ])
    },
  )
  it('lists its writes and links to the journal', async () => {
    const { page, words, button, router, room } = await opened('rooms', rebooted(null))
    const tab = page.findAll('[role=tab]').find((one) => one.text().startsWith('Journal'))
    await tab?.trigger('click')
    expect(words()).toContain('Reboot room · Accepted')
    expect(
      router.resolve(button('Show in journal').attributes('href')?.replace('#', '') ?? '').query['subject'],
    ).toBe(room.id)
  })
  it('refreshes the room on request and keeps its data beside a failure', async () => {
    const { button, core, words, room } = await opened()
    core.service.offline = true
    await button('Read again').trigger('click')
    await settle()
    expect(words()).toContain('The room could not be read. The data shown was read 3 minutes ago.')
    core.service.offline = false
    await button('Read again').trigger('click')
    await settle()
    expect(words()).not.toContain('could not be read')
    expect(core.argumentsOf('rooms.refresh')).toEqual([{ id: room.id }, { id: room.id }])
  })
  it('lists what a reboot takes down', async () => {
    const { words } = await opened()
    expect(words()).toMatch(/A reboot takes down \d+ devices: .+\./)
  })
  it('names the device that a reboot does not reach, because it is offline', async () => {
    const { core, room, words } = await opened()
    const [off, ...others] = room.devices!
    await readAgain(core, {
      ...room,
      health: 'trouble',
      devices: [{ ...off!, status: 'offline' }, ...others],
    })
    expect(words()).toMatch(/A reboot takes down .+ It does not reach .+: check its power and network\./)
  })
  it.each(['rooms', 'room'] as const)(
    'that is down says what to check, offers to read it again and no reboot: %s',
    async (where) => {
      const { core, room, page, words } = await opened(where)
      const devices = room.devices!.map((one) => ({ ...one, status: 'offline' }))
      const offlineSinceAt = presentAt - 2 * 3_600_000
      await readAgain(core, { ...room, devices, onlineCount: 0, health: 'down', offlineSinceAt })
      expect([
        words().includes('They cannot be rebooted from here: check their power and network.'),
        page.findAll('.row.actions .button').map((one) => [one.text(), one.classes('primary')]),
        page.findAll('.events li').map((one) => textIn(one.element))[0],
      ]).toEqual([
        true,
        [
          ['Read again', false],
          ['Print…', false],
          ...(where === 'room'
            ? [
                ['Compare…', false],
                ['Copy for ticket', true],
              ]
            : []),
        ],
        where === 'room' ? `Room went down 2 h ${formatMoment(offlineSinceAt)}` : undefined,
      ])
    },
  )
  it('shows that two group ids are one room', async () => {
    const { core, room, words } = await opened()
    await readAgain(core, { ...room, groupIds: ['group-2'] })
    expect(words()).not.toContain('two group IDs')
    await readAgain(core, { ...room, groupIds: ['group-2', 'group-2-control'] })
    expect(words()).toContain('This room has two group IDs.')
  })
})

describe('notes and site of a room', () => {
  it('are saved on blur, and a site set by the technician is marked as such', async () => {
    const { page, core, room, words } = await opened()
    await page.get('aside input.input').setValue('Harbour')
    await page.get('aside textarea').setValue('The projector hums')
    await settle()
    const { site, siteFrom, note } = await core.handlers.rooms.get({ id: room.id })
    expect([site, siteFrom, note, words().includes('Set by you.')]).toEqual([
      'Harbour',
      'technician',
      'The projector hums',
      true,
    ])
  })
})

describe('the floor plan of a room', () => {
  it('places each device by its form, with its name, its state and a link', async () => {
    const core = await openCore()
    const [first] = await roomsWhere(core, 'health:trouble')
    const { devices } = await core.handlers.rooms.get({ id: first!.id })
    const { page } = await mountPage(`/rooms/${first!.id}`, true)
    const links = page.findAll('.plan a')
    expect(
      links
        .map((one) => [one.attributes('href')?.split('/').at(-1), one.attributes('aria-label')])
        .toSorted(),
    ).toEqual(
      devices!
        .map(({ id, status }) => [id, expect.stringMatching(new RegExp(`, ${status}`, 'i')) as string])
        .toSorted(),
    )
  })
  it.each([
    ['Jabra PanaCast 50', 'On the wall'],
    ['Jabra Speak2 75', 'On the table'],
    ['Jabra PanaCast Control', 'On the table'],
    ['Jabra Scheduler', 'At the door'],
    ['Something else', 'Elsewhere in the room'],
  ])('%s is placed: %s', async (productName, place) => {
    const { core, page, room } = await opened()
    const devices = room.devices!.slice(0, 1).map((one) => ({ ...one, productName }))
    await readAgain(core, { ...room, devices })
    expect(page.get('.plan ul:has(a)').attributes('aria-label')).toBe(place)
  })
})

describe('stepping from room to room', () => {
  it('keeps the tab and moves by J and Alt+ArrowUp', async () => {
    const core = await openCore()
    const [, second] = await roomsWhere(core, '')
    const { page, router } = await mountPage(`/rooms/${second!.id}`, true)
    await page
      .findAll('aside [role=tab]')
      .find((one) => one.text().startsWith('History'))
      ?.trigger('click')
    await page.get('aside').trigger('keydown', { key: 'j' })
    await settle()
    const after = router.currentRoute.value.params['id']
    await page.get('aside').trigger('keydown', { key: 'ArrowUp', altKey: true })
    await settle()
    expect([
      after === second!.id,
      router.currentRoute.value.params['id'],
      page.get('aside [role=tab][aria-selected=true]').text(),
    ]).toEqual([false, second!.id, expect.stringMatching(/^History/)])
  })
})

describe('the page of a room', () => {
  it('has its name as title, and its plan has version, serial number and status of each device, without the vendor that all share', async () => {
    const { page } = await opened('room')
    const { room } = useRoomStore()
    expect([document.title, page.findAll('.plan li').map((one) => textIn(one.element))]).toEqual([
      `${room?.name} · Headroom`,
      inPlaces(room!.devices!).flatMap(({ devices }) =>
        devices.map(({ productName, firmwareVersion, serialNumber }) =>
          [productName?.replace(/^Jabra /, ''), firmwareVersion, serialNumber, 'Online'].join(' '),
        ),
      ),
    ])
  })
  it('has what was sent and when the room was created in one list', async () => {
    const { page } = await opened('room', rebooted(null))
    const labels = page.findAll('.past li').map((one) => one.get('.label').text())
    expect(labels).toEqual(['Reboot room · Accepted', 'Room added'])
  })
  it.each<[string, Partial<RoomDevice>, string]>([
    ['reboot', { status: 'Faulty' }, 'Reboot room…'],
    ['update', { firmware: 'revoked' }, 'Update firmware…'],
  ])('has one next action beside what is wrong, and not twice: %s', async (_, first, label) => {
    const { core, room, page } = await opened('room', (one) =>
      changeProfile(one, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } })),
    )
    const [device, ...others] = room.devices!
    const health = 'trouble' as const
    await readAgain(core, { ...room, health, behindCount: 1, devices: [{ ...device!, ...first }, ...others] })
    const buttons = page.findAll('button').map((one) => one.text())
    expect([
      page.findAll('.banner .button').map((one) => [one.text(), one.classes('primary')]),
      buttons.filter((one) => one === label).length,
    ]).toEqual([
      [
        [label, true],
        ['Copy for ticket', false],
      ],
      1,
    ])
  })
  it('copies for a ticket what is wrong, each device and the details', async () => {
    const { core, room, button, copied } = await opened('room')
    const devices = room.devices!.map((one) => ({ ...one, status: 'offline', lastSeenAt: null }))
    await readAgain(core, { ...room, devices, onlineCount: 0, health: 'down' })
    await button('Copy for ticket').trigger('click')
    const lines = copied[0]?.split('\n') ?? []
    expect([...lines.slice(0, 2), ...lines.slice(3, 5), lines.at(-1)]).toEqual([
      room.name,
      'Both devices are offline.',
      ...devices.map(({ serialNumber, firmwareVersion }) =>
        expect.stringMatching(new RegExp(`${serialNumber} · ${firmwareVersion} · Offline$`)),
      ),
      `Last read: ${formatMoment(room.observedAt)}`,
    ])
  })
  it('steps to the next room of the list, and by J', async () => {
    const core = await openCore()
    const urgent = { where: '', sort: roomOrders.need, start: 0, count: 3 }
    const [first, second, third] = (await core.handlers.rooms.list(urgent)).rows
    const { page, router } = await mountPage(`/room/${first!.id}`, true)
    const shown = [page.get('.head .place').text()]
    await page.get('.head .steps button:nth-of-type(2)').trigger('click')
    await settle()
    shown.push(String(router.currentRoute.value.params['id']))
    await page.get('.page').trigger('keydown', { key: 'j' })
    await settle()
    shown.push(String(router.currentRoute.value.params['id']))
    expect(shown).toEqual([expect.stringMatching(/1 of 6$/), second!.id, third!.id])
  })
  it('leads back to the list with the room open', async () => {
    const { button, router, room } = await opened('room')
    await button('Rooms').trigger('click')
    await nextPage(router)
    expect(router.currentRoute.value.fullPath).toBe(`/rooms/${room.id}`)
  })
  it('shows that no such room is known', async () => {
    await openCore()
    const { words } = await mountPage('/room/nowhere', true)
    expect(words()).toContain('Room not found')
  })
  it('shows why it cannot be read', async () => {
    const { words } = await opened('room', (core) =>
      core.fail('rooms.get', {
        kind: 'cache-unusable',
        file: 'store.sqlite',
        reason: 'damaged',
        message: '',
      }),
    )
    expect(words()).toContain('The file store.sqlite is damaged.')
  })
})
