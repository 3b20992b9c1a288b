import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RoomMember } from '../../../electron/contract/api/rooms.ts'
import { parseFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { useOverviewStore } from '../../../renderer/overview/overview-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, openCore, settle, type TestCore } from '../core.ts'
import { nextPage, openPage, textIn, type OpenedPage } from '../page.ts'

const duringComparison = ({ handlers }: TestCore): void => {
  const get = handlers.overview.get.bind(handlers.overview)
  vi.spyOn(handlers.overview, 'get').mockImplementationOnce(async () => {
    const overview = await get()
    return { ...overview, firmware: { ...overview.firmware, comparing: { done: 8, total: 33 } } }
  })
}

/** The list in the section of a heading. */
function linesOf({ page }: OpenedPage, title: string): readonly string[] {
  const found = page.findAll('section').find((one) => one.find('h2').text() === title)
  return found?.findAll('li, tbody tr').map((one) => textIn(one.element)) ?? []
}

describe('the overview', () => {
  it('shows what needs doing, rooms, products, changes and where to go first', async () => {
    const opened = await openPage('/overview')
    expect([
      textIn(opened.page.get('.overview p').element),
      opened.page.findAll('section > header').map((one) => textIn(one.element)),
      linesOf(opened, 'Rooms'),
      linesOf(opened, 'Firmware').slice(0, 3),
      opened.page
        .findAll('.segments[role="img"]')
        .slice(0, 2)
        .map((one) => one.attributes('aria-label')),
      linesOf(opened, 'Needs attention'),
    ]).toEqual([
      '2 rooms have a device offline . 98 devices are behind and 5 run revoked firmware .',
      [
        'Needs attention All 2 rooms',
        'Rooms 3 of 6 OK',
        'Firmware 64% on the latest version All products',
        'Since 13 Nov 2026 09:30 24 changes',
      ],
      ['Aarhus 2', 'Ballerup 1', 'Boston 1', 'Hamburg 1', 'Stockholm 1'],
      ['current behind revoked', 'Evolve2 85 64% 6 2', 'Evolve2 65 Stereo 68% 12 1'],
      [
        '16 current, 6 behind, 2 on revoked firmware, 1 cannot be compared',
        '28 current, 12 behind, 1 on revoked firmware',
      ],
      [
        'Møns Klint 1.04 Trouble Door panel offline 1 h Open room Møns Klint 1.04',
        'Ceres 2.20 Trouble Video bar, Controller and 1 more offline 3 mo Open room Ceres 2.20',
      ],
    ])
  })

  it('says how far a comparison of firmware is in place of numbers, until it ended', async () => {
    const opened = await openPage('/overview', {}, duringComparison)
    const card = (): readonly string[] => [
      ...opened.page.findAll('section > header').map((one) => textIn(one.element)),
      ...linesOf(opened, 'Firmware').slice(1, 2),
    ]
    const during = [...card(), opened.words().includes('devices are behind')]
    opened.core.emit('firmware.changed', { count: 0 })
    await settle()
    expect([during, card()]).toEqual([
      [
        'Needs attention All 2 rooms',
        'Rooms 3 of 6 OK',
        'Firmware Comparing, 8 of 33 products',
        'Since 13 Nov 2026 09:30 24 changes',
        false,
      ],
      [
        'Needs attention All 2 rooms',
        'Rooms 3 of 6 OK',
        'Firmware 64% on the latest version All products',
        'Since 13 Nov 2026 09:30 24 changes',
        'Evolve2 85 64% 6 2',
      ],
    ])
  })

  it('is read again for the navigation until a comparison of firmware ended', async () => {
    const core = await openCore()
    duringComparison(core)
    const overview = useOverviewStore()
    const end = overview.followCounts(() => false)
    await overview.load()
    for (let event = 0; event < 2; event++) {
      core.emit('firmware.changed', { count: 0 })
      await settle()
    }
    end()
    expect([overview.overview?.firmware.comparing, core.argumentsOf('overview.get').length]).toEqual([
      undefined,
      2,
    ])
  })

  it.each([
    ['recorded', 1, false, 2],
    ['recorded by a sync, which ends with it', 1, true, 1],
    ['marked as seen', 0, true, 2],
  ])('is read again for the navigation when changes were %s', async (_, count, isSyncing, reads) => {
    const core = await openCore()
    const overview = useOverviewStore()
    onTestFinished(overview.followCounts(() => isSyncing))
    await overview.load()
    core.emit('changes.changed', { count })
    await settle()
    expect(core.argumentsOf('overview.get').length).toBe(reads)
  })

  it('is read again for the navigation when a version was approved', async () => {
    const core = await openCore()
    const overview = useOverviewStore()
    onTestFinished(overview.followCounts(() => false))
    await overview.load()
    core.emit('firmware.changed', { count: 1 })
    await settle()
    expect(core.argumentsOf('overview.get').length).toBe(2)
  })

  it('names products as Firmware does, also where the devices of a variant name it otherwise', async () => {
    const { handlers } = await openCore()
    const { products } = await handlers.firmware.status({})
    const names = new Map(products.map(({ productId, name }) => [productId, name]))
    const { firmware } = await handlers.overview.get()
    for (const { productId, productName } of firmware.products) expect(productName).toBe(names.get(productId))
  })

  it('links to lists by filters that can be parsed', async () => {
    const { page, router } = await openPage('/overview')
    const places = page
      .findAll('.overview a')
      .map((one) => router.resolve(one.attributes('href')!.slice(1)))
      .filter(({ query }) => query['where'])
    const unread = places.filter(
      ({ name, query }) =>
        parseFilter(String(query['where']), vocabularies[name as 'rooms']).problems.length > 0,
    )
    expect([places.length > 20, unread.map(({ fullPath }) => fullPath)]).toEqual([true, []])
  })

  it('shows the firmware baseline', async () => {
    const { words } = await openPage('/overview', {}, ({ handlers }) =>
      handlers.firmware.compareWith({ with: 'approved' }),
    )
    expect(words()).toContain('on the approved version, else the latest')
  })

  it.each<[string, RoomMember['status'], Partial<RoomMember>, string, number]>([
    ['a device has a fault', 'Faulty', {}, 'Reboot room…', 1],
    ['a device is offline and others are on', 'offline', { status: 'online' }, 'Open room', 0],
    ['a device that is on has revoked firmware', 'online', { isRevoked: true }, 'Update firmware…', 1],
    ['every device is offline', 'offline', { isRevoked: true }, 'Open room', 0],
    ['every device is online', 'online', {}, 'Open room', 0],
  ])('of a room where %s offers what reaches it', async (_, status, last, label, plans) => {
    const { core, button, router } = await openPage('/overview', {}, async (one) => {
      const { handlers } = one
      await changeProfile(one, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } }))
      const get = handlers.overview.get.bind(handlers.overview)
      vi.spyOn(handlers.overview, 'get').mockImplementation(async () => {
        const overview = await get()
        const worst = overview.rooms.worst.map((room) => ({
          ...room,
          members: room.members!.map((member, at, { length }) => ({
            ...member,
            status,
            ...(at === length - 1 ? last : {}),
          })),
        }))
        return { ...overview, rooms: { ...overview.rooms, worst } }
      })
    })
    const opened = nextPage(router)
    await button(`${label} Møns Klint 1.04`).trigger('click')
    // The page of rooms is loaded when it is first opened.
    await (plans === 1 ? settle() : opened)
    expect([router.currentRoute.value.name, core.argumentsOf('jobs.plan').length]).toEqual([
      plans === 1 ? 'overview' : 'rooms',
      plans,
    ])
  })

  it('follows a restart that is running from the same button, which keeps the focus', async () => {
    const { button, router, core } = await openPage('/overview')
    const action = button('Open room Møns Klint 1.04').element as HTMLElement
    action.focus()
    const room = (await core.handlers.rooms.find({ text: 'Møns Klint 1.04' })).id
    vi.spyOn(core.handlers.jobs, 'restarts').mockResolvedValue([
      { roomId: room, jobId: 'J1', state: 'sending', sentAt: null },
    ])
    core.emit('jobs.changed', { ids: ['J1'] })
    await settle()
    const focused = document.activeElement
    const opened = nextPage(router)
    await button('Show job Møns Klint 1.04').trigger('click')
    await opened
    expect([focused === action, router.currentRoute.value.params['id']]).toEqual([true, 'J1'])
  })

  it('lists eight rooms at most, or five in a low window, and names the next ones below', async () => {
    const { page } = await openPage('/overview', {}, ({ handlers }) => {
      const get = handlers.overview.get.bind(handlers.overview)
      vi.spyOn(handlers.overview, 'get').mockImplementation(async () => {
        const overview = await get()
        const [room] = overview.rooms.worst
        const worst = [...'ABCDEFGHIJ'].map((name) => ({
          ...room!,
          id: name,
          name,
        }))
        const health = { ...overview.rooms.health, down: 0, trouble: 14 }
        return { ...overview, rooms: { ...overview.rooms, worst, health } }
      })
    })
    expect([
      page.findAll('tbody button').map((one) => one.text()),
      page.findAll('.rest').map((one) => textIn(one.element)),
    ]).toEqual([
      [...'ABCDEFGH'].map((name) => `Open room ${name}`),
      ['9 more: F , G , H , I , J , …', '6 more: I , J , …'],
    ])
  })

  it('lists what happened since the last visit with names, rooms that went down first', async () => {
    const opened = await openPage('/overview', {}, ({ clock, handlers }) => {
      const get = handlers.overview.get.bind(handlers.overview)
      vi.spyOn(handlers.overview, 'get').mockImplementation(async () => {
        const overview = await get()
        const [room] = overview.rooms.worst
        const down = {
          ...room!,
          name: 'Aarhus 3',
          health: 'down' as const,
          offlineSinceAt: clock.now() - 7_200_000,
        }
        return { ...overview, rooms: { ...overview.rooms, worst: [down] } }
      })
    })
    expect(linesOf(opened, 'Since 13 Nov 2026 09:30').slice(0, 3)).toEqual([
      'Aarhus 3 Went down 2 h',
      'Ceres 2.20, Møns Klint 1.04 3 devices went offline 3 min',
      String.raw`CORP\sigsmit, CORP\katvoss 2 devices are no longer listed 1 d`,
    ])
  })

  it('lists one line where rooms changed with their devices, and one name of more than two', async () => {
    const opened = await openPage('/overview', {}, ({ handlers, clock }) => {
      const get = handlers.changes.groups.bind(handlers.changes)
      vi.spyOn(handlers.changes, 'groups').mockImplementation(async (query) => {
        const found = await get(query)
        const back = (of: 'room' | 'device', names: readonly string[], more: number) => ({
          ...found.groups[0]!,
          key: `${of} ${names.join()}`,
          of,
          kind: 'back-online' as const,
          count: names.length + more,
          names,
          more,
          subjectId: null,
          lastAt: clock.now() - 180_000,
        })
        const groups = [
          back('device', ['Ceres 2.20', 'Oslo 1'], 0),
          back('room', ['Ceres 2.20', 'Oslo 1'], 0),
          back('device', ['Aarhus 3', 'Berlin 2.11', 'Porto 1.07'], 2),
        ]
        return { ...found, groups }
      })
    })
    expect(linesOf(opened, 'Since 13 Nov 2026 09:30')).toEqual([
      'Ceres 2.20, Oslo 1 2 rooms reconnected 3 min',
      'Aarhus 3 and 4 more 5 devices came back online 3 min',
    ])
  })

  it('names each action by its visible text in every language', async () => {
    const { page } = await openPage('/overview', {}, ({ handlers }) =>
      handlers.app.setPreferences({ language: 'pseudo' }),
    )
    const actions = page
      .findAll('a, button')
      .map((one) => [one.attributes('aria-label'), one.text()] as const)
    expect(actions.filter(([label, visible]) => label !== undefined && !label.includes(visible))).toEqual([])
  })

  it('reloads when the fleet changes, and not when the organization is renamed', async () => {
    const { core } = await openPage('/overview')
    core.emit('devices.changed', { count: 1 })
    await settle()
    core.emit('organizations.changed', { ids: [] })
    await settle()
    expect(core.argumentsOf('overview.get').length).toBe(2)
  })
  it('shows nothing of the previous organization once another one is selected, and loads its own', async () => {
    const { core } = await openPage('/overview', {}, addFjordbank)
    const overview = useOverviewStore()
    const known = overview.overview?.roomCount
    const release = core.hold('overview.get')
    await showFjordbank(core)
    const meanwhile = overview.overview
    release()
    await settle()
    expect([known, meanwhile, overview.overview?.roomCount]).toEqual([6, null, 0])
  })
  it('is counted for the navigation when another organization is selected, on any page', async () => {
    const { core } = await openPage('/journal', {}, addFjordbank)
    const overview = useOverviewStore()
    await overview.load()
    const known = overview.overview?.roomCount
    await showFjordbank(core)
    expect([known, overview.overview?.roomCount]).toEqual([6, 0])
  })

  it('offers the first sync before it', async () => {
    const { core, button, words } = await openPage('/overview', { organization: 'unread' }, (one: TestCore) =>
      one.hold('sync.run'),
    )
    expect(words()).toContain('Nothing synced yet')
    await button('Sync now').trigger('click')
    await settle()
    expect(core.argumentsOf('sync.run').length).toBe(1)
  })

  it('reports an unreadable overview with a retry', async () => {
    const { core, page, words } = await openPage('/overview', {}, (one) =>
      one.fail('overview.get', { kind: 'bug', reference: 'R7' }),
    )
    const previous = page.get('[role="alert"]').text().includes('R7')
    core.fail('overview.get', null)
    await page.get('[role="alert"] button').trigger('click')
    await settle()
    expect([previous, words().includes('300 devices, 6 rooms')]).toEqual([true, true])
  })
})
