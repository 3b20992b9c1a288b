import { describe, expect, it, vi } from 'vitest'
import { openCore, settle, type CoreOptions, type TestCore } from '../core.ts'
import { gridTexts, withSize } from '../lists/a-grid.ts'
import { mountPage, openPage, type OpenedPage } from '../page.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { roomsWhere } from './rooms-at-hand.ts'
import { useListLayouts } from '../../../renderer/lists/list-layout-store.ts'
import DataGrid from '../../../renderer/lists/DataGrid.vue'
import { useExports } from '../../../renderer/exports/exports-store.ts'
import { useRoomStore } from '../../../renderer/rooms/room-store.ts'
import { roomOrders, useRoomsStore } from '../../../renderer/rooms/rooms-store.ts'

/** The page as the layout shows it, with the status of the core. */
async function opened(
  options: Partial<CoreOptions> = {},
  prepare: (core: TestCore) => unknown = () => undefined,
): Promise<OpenedPage> {
  const page = await openPage('/rooms', options, prepare)
  await useLayoutStore().start()
  await settle()
  return page
}

describe('the Rooms page', () => {
  it('shows how many rooms there are and the age of the data', async () => {
    const { words } = await opened({ devices: 1_000 })
    expect(words()).toMatch(/20 rooms · as of \d\d:\d\d, 3 minutes ago/)
  })
  it.each(['latest', 'approved'] as const)('shows that firmware is compared with the %s', async (word) => {
    const { words } = await opened({ devices: 1_000 }, (core) =>
      core.handlers.firmware.compareWith({ with: word }),
    )
    expect(words()).toContain(`firmware compared with the ${word}`)
  })
  it.each<[string, Partial<CoreOptions>, (core: TestCore) => unknown, string]>([
    ['nothing was read yet', { organization: 'unread' }, () => undefined, 'Nothing synced yet'],
    [
      'the first sync is running',
      { organization: 'unread' },
      async (core) => {
        // The service requests a wait, and the clock is stopped.
        const headers = { 'retry-after': '60' }
        core.service.script('api.cloud', () => ({ kind: 'answer', status: 429, headers, body: '' }))
        void core.handlers.sync.run().catch(() => undefined)
        await settle()
      },
      'The first sync is running',
    ],
    [
      'the key was refused',
      { organization: 'unread' },
      async (core) => {
        core.service.faults.set({ name: 'refuse-primary-key', rate: 1, times: null, operation: null })
        await core.finish(core.handlers.sync.run().catch(() => undefined))
      },
      'The service refused the key',
    ],
    [
      'the rooms cannot be read',
      {},
      (core) =>
        core.fail('rooms.list', {
          kind: 'cache-unusable',
          file: 'store.sqlite',
          reason: 'damaged',
          message: '',
        }),
      'The file store.sqlite is damaged.',
    ],
  ])('shows when %s', async (_what, options, prepare, title) => {
    const { words } = await opened(options, prepare)
    expect(words()).toContain(title)
  })
  it('has a band between the rooms that need something and the others, by need only', async () => {
    const { page } = await opened({ devices: 1_000 })
    const rooms = useRoomsStore()
    const band = (): string => (page.find('.grid-band').exists() ? page.get('.grid-band').text() : '')
    const healthy = rooms.health.find(({ word }) => word === 'ok')!.count
    const byNeed = band()
    rooms.sort = roomOrders.name
    await settle()
    expect([byNeed, band()]).toEqual([`${healthy} rooms are OK`, ''])
  })
  it('does not call a room OK that restarts', async () => {
    const { page } = await opened({ devices: 1_000 }, async (core) => {
      const [room] = await roomsWhere(core, 'health:ok')
      vi.spyOn(core.handlers.jobs, 'restarts').mockResolvedValue([
        { roomId: room!.id, jobId: 'J1', state: 'sending', sentAt: null },
      ])
    })
    expect(page.get('.grid-band').text()).toMatch(/^\d+ rooms are OK or rebooting$/)
  })
  it('marks firmware that needs something by colour, without a background', async () => {
    withSize(1_400, 600)
    const { page } = await opened({ devices: 1_000 })
    const marked = page.findAll('.grid-step').map((one) => [one.text(), one.classes().at(-1)])
    expect([marked.find(([, kind]) => kind === 'warn'), page.findAll('.grid-row .pill').length]).toEqual([
      [expect.stringMatching(/^\d+ behind$/), 'warn'],
      0,
    ])
  })
  it('says why only of rooms that need something', async () => {
    withSize(1_400, 600)
    await opened({ devices: 1_000 })
    const rooms = useRoomsStore()
    const said = gridTexts().map(([, , , why], at) => [rooms.rowAt(at)!.health === 'ok', why === ''])
    expect(said.filter(([isOk, isEmpty]) => isOk !== isEmpty)).toEqual([])
    expect(said).toContainEqual([true, true])
  })
  it('has named chips for the status only where it differs', async () => {
    const { page, words } = await opened({ devices: 1_000 })
    const groups = page.findAll('.choices [role="group"]').length
    const kinds = useRoomsStore().statuses.length
    expect([groups, words().includes('Room connection, as reported')]).toEqual(
      kinds > 1 ? [2, true] : [1, false],
    )
  })
  it('offers to clear a filter that hides everything', async () => {
    const { words, button } = await opened()
    const rooms = useRoomsStore()
    rooms.where = 'nowhere'
    await settle()
    expect(words()).toContain('None of 6 rooms matches this filter.')
    await button('Clear filter').trigger('click')
    await settle()
    expect([rooms.where, rooms.total]).toEqual(['', 6])
  })
  it('opens a room by its address, lists its devices and shows its position', async () => {
    const core = await openCore()
    const [, second] = await roomsWhere(core, '')
    const { words, page } = await mountPage(`/rooms/${second!.id}`, true)
    const { room } = useRoomStore()
    expect(room?.id).toBe(second!.id)
    expect(words()).toContain(room?.devices?.[0]?.name)
    expect(page.get('.steps .place').text()).toContain('2 of 6')
  })
  it('applies the filter of a link', async () => {
    const { router } = await openPage('/rooms?where=health:trouble')
    expect([useRoomsStore().applied, router.currentRoute.value.query]).toEqual(['health:trouble', {}])
  })
  it('writes selections of chips into the one filter', async () => {
    await opened()
    const rooms = useRoomsStore()
    rooms.where = 'Oslo'
    rooms.choose('health', ['trouble', 'down'])
    rooms.choose('status', ['connected'])
    expect([rooms.where, rooms.chosenOf('health')]).toEqual([
      'Oslo health:trouble,down status:connected',
      ['trouble', 'down'],
    ])
    rooms.choose('health', [])
    expect(rooms.where).toBe('Oslo status:connected')
  })
  it('keeps the matches of the last valid filter while another is typed', async () => {
    await opened()
    const rooms = useRoomsStore()
    rooms.where = 'health:trouble'
    await settle()
    const { total } = rooms
    rooms.where = 'health:x'
    await settle()
    expect([rooms.problems.length, rooms.applied, rooms.total]).toEqual([1, 'health:trouble', total])
  })
  it('exports the chosen columns: how many are online, which are not, and by how many releases it is behind', async () => {
    const { button } = await openPage('/rooms')
    const chosen = ['name', 'deviceCount', 'worstFirmware'].map((column) => ({
      column,
      width: null,
      pinned: false,
    }))
    useListLayouts().keep('rooms', { columns: chosen })
    await button('Export').trigger('click')
    expect(useExports().offer?.columns).toEqual([
      'name',
      'onlineCount',
      'deviceCount',
      'unknownCount',
      'notOnline',
      'worstFirmware',
      'behindCount',
    ])
  })
  it('exports with why, and the columns that fit in the window, also those that a drawer hides', async () => {
    const { page, button } = await openPage('/rooms')
    page.findComponent(DataGrid).vm.$emit('visibleColumns', ['name'])
    await settle()
    await button('Export').trigger('click')
    expect(useExports().offer?.columns).toEqual([
      'name',
      'onlineCount',
      'deviceCount',
      'unknownCount',
      'notOnline',
      'health',
      'why',
      'offlineSinceAt',
      'worstFirmware',
      'behindCount',
      'site',
      'lastSeenAt',
    ])
  })
  it('sorts by several columns', async () => {
    const { core } = await opened()
    const sort = [
      { column: 'health', descending: false },
      { column: 'lastSeenAt', descending: true },
    ] as const
    useRoomsStore().sort = sort
    await settle()
    expect(core.requested.findLast((one) => one.channel === 'rooms.list')?.argument).toMatchObject({
      where: '',
      sort,
      start: 0,
    })
  })
  it('opens sorted by need, and changes the order with one click', async () => {
    const { button, page } = await opened()
    const pressed = (): string[] => page.findAll('[aria-pressed="true"]').map((one) => one.text())
    const first = [pressed(), useRoomsStore().sort]
    await button('Site').trigger('click')
    expect([first, pressed(), useRoomsStore().sort]).toEqual([
      [['Urgency'], roomOrders.need],
      ['Site'],
      roomOrders.site,
    ])
  })
  it('exports the matches in their order', async () => {
    const { button } = await opened({ devices: 1_000 })
    const rooms = useRoomsStore()
    rooms.where = 'health:trouble'
    await settle()
    await button('Export').trigger('click')
    expect(useExports().offer?.choices).toEqual([
      {
        label: `${rooms.total} rooms that match`,
        count: rooms.total,
        subject: { of: 'rooms', where: 'health:trouble', sort: roomOrders.need },
      },
    ])
  })
})

describe('the columns of rooms', () => {
  it('are restored as left, without unknown ones', async () => {
    const columns = [
      { column: 'location', width: 240, pinned: true },
      { column: 'of-another-version', width: null, pinned: false },
      { column: 'name', width: null, pinned: false },
    ]
    const { core, page } = await opened({}, ({ handlers }) =>
      handlers.app.setPreferences({ layouts: { rooms: { columns, sort: [] } } }),
    )
    const [location, , name] = columns
    const recalled = page.findComponent({ name: 'DataGrid' }).props('layout')
    page.findComponent(DataGrid).vm.$emit('layout', [name])
    await settle()
    expect([recalled, page.findComponent({ name: 'DataGrid' }).props('layout')]).toEqual([
      [location, name],
      [name],
    ])
    expect(core.argumentsOf('app.setPreferences')).toEqual([
      { layouts: { rooms: { columns: [name], sort: [] } } },
    ])
  })
})

describe('the slices of rooms', () => {
  const question = { where: '', sort: roomOrders.need, start: 0, count: 200 }

  it('are requested once for 200 rooms when the page is opened', async () => {
    const { core } = await opened()
    expect(core.argumentsOf('rooms.list')).toEqual([question])
  })
  it.each([
    ['rooms.changed', { count: 1 }],
    ['devices.changed', { count: 1 }],
  ] as const)('are requested again on %s', async (event, payload) => {
    const { core } = await opened()
    core.emit(event, payload)
    await settle()
    expect([core.argumentsOf('rooms.list'), useRoomsStore().changed]).toEqual([[question, question], 1])
  })
})
