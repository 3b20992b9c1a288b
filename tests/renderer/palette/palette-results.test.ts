import { mount } from '@vue/test-utils'
import { getActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useJobPlan } from '../../../renderer/jobs/job-plan-store.ts'
import { copyTextKey } from '../../../renderer/components/clipboard.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { layoutEntries } from '../../../renderer/layout/layout-entries.ts'
import { i18n } from '../../../renderer/locales/i18n.ts'
import CommandPalette from '../../../renderer/palette/CommandPalette.vue'
import type { PageName } from '../../../renderer/router.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, settle } from '../core.ts'
import { nextPage, openPage, textIn } from '../page.ts'

/** What was typed, and the first lines. */
const nearest: Readonly<Record<string, readonly string[]>> = {
  'reboot cer': ['Reboot Ceres 2.20…'],
  'reboot oslo': ['Reboot 2 rooms in Oslo…', 'Reboot Frogner 1.22…'],
  'copy link anne': ['Copy firmware link for Anne Åkesson', 'Copy firmware link for Anne Johnson'],
  'print cer': ['Print the sheet of Ceres 2.20'],
  'approve 6.5': ['Approve 6.5.0 for Jabra PanaCast Control'],
  '6.5.0': ['Jabra PanaCast Control 6.5.0', 'Jabra PanaCast 50 VBS Bar 6.5.0'],
  'health:trouble': ['Rooms: health:trouble', 'Reboot 2 rooms…', 'Ceres 2.20'],
  oslo: ['Oslo', 'Reboot 2 rooms in Oslo…', 'Frogner 1.22'],
  ceres: ['Ceres 2.20', 'Reboot Ceres 2.20…'],
  bjørn: ['Bjørn Berglund', 'Bjørn Haugen', 'Bjørn Jensen'],
  bjorn: ['Björn Ågesen'],
  åse: ['Åse Berglund', 'Åse Dubois'],
  'anne evolve2 65': ['Anne Johnson', 'Anne Müller', 'Anne Murphy'],
  release: ['Release notes'],
  versions: ['Firmware'],
  'what changed': ['Changes'],
  compare: ['Compare'],
  definitions: ['Definitions'],
  help: ['Help', 'Keyboard shortcuts'],
}

const lock = vi.fn()
const none = (): undefined => undefined

/** The palette of a fleet of 1,200 devices, opened with its real pages and actions. */
async function openPalette({ unlocked = false, updates = false } = {}) {
  const opened = await openPage('/overview', { devices: 1_200 }, (core) =>
    updates
      ? changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } }))
      : undefined,
  )
  const { router, copied } = opened
  const entries = layoutEntries({
    pages: router.getRoutes().map(({ name }) => name as PageName),
    router,
    preferences: useLayoutStore().preferences,
    organizations: [],
    syncing: false,
    unlocked,
    undoable: false,
    jobs: [],
    set: none,
    use: none,
    sync: none,
    stopSync: none,
    lock,
    undo: none,
    copyLink: none,
    makeKit: none,
    prepareOffline: none,
    showSheet: none,
  })
  const wrapper = mount(CommandPalette, {
    attachTo: document.body,
    props: { open: true, entries, mac: false },
    global: {
      plugins: [getActivePinia()!, i18n, router],
      provide: {
        [copyTextKey as symbol]: (text: string) =>
          Promise.resolve(copied.length < (copied as string[]).push(text)),
      },
    },
  })
  await settle()
  const input = document.querySelector<HTMLInputElement>('.palette input')!
  const type = async (words: string): Promise<void> => {
    input.value = words
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await vi.advanceTimersByTimeAsync(80)
    await settle()
  }
  return {
    ...opened,
    wrapper,
    type,
    enter: async () => {
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      await settle()
    },
    titles: () => [...document.querySelectorAll('.palette .title')].map((one) => one.textContent),
    lines: () => [...document.querySelectorAll('.palette .entry')].map(textIn),
    groups: () => [...document.querySelectorAll('.palette .group')].map((one) => one.textContent),
  }
}

describe('the palette over a fleet', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('lists the nearest results first', async () => {
    const { type, titles } = await openPalette()
    const first: Record<string, readonly string[]> = {}
    for (const [words, expected] of Object.entries(nearest)) {
      await type(words)
      first[words] = titles().slice(0, expected.length)
    }
    expect(first).toEqual(nearest)
  })

  it('lists people before pages with the letters inside a word, and those only by a device name last', async () => {
    const { type, groups } = await openPalette()
    await type('åse')
    const marked = groups()
    await type('bjørn')
    expect([marked[0], marked.at(-1), groups()]).toEqual([
      'People',
      'Go to',
      ['People', 'Actions for “bjørn”', 'Devices'],
    ])
  })

  it.each([
    ['a room', 'reboot cer', { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked' } }],
    [
      'the rooms of a site, with their number in its line',
      'reboot oslo',
      { kind: 'reboot-rooms', selection: { kind: 'matching', where: 'site:=Oslo' } },
    ],
    [
      'the devices of a room',
      'update brixton',
      { kind: 'update-firmware', version: 'advised', of: 'rooms', selection: { kind: 'picked' } },
    ],
    [
      'the devices of a site, with the number of its rooms in its line',
      'update oslo',
      { kind: 'update-firmware', version: 'advised', of: 'rooms', selection: { where: 'site:=Oslo' } },
    ],
    [
      'the devices of a product',
      'update evolve2 85',
      { kind: 'update-firmware', selection: { where: 'product:="Jabra Evolve2 85"' } },
    ],
  ])('opens the plan of %s, which starts nothing', async (_name, words, work) => {
    const { core, type, enter } = await openPalette({ updates: words.startsWith('update') })
    await type(words)
    await enter()
    expect([useJobPlan().request, core.argumentsOf('jobs.start')]).toMatchObject([{ work }, []])
  })

  it('names the number of devices that an action is about, and takes a filter', async () => {
    const { core, type, titles } = await openPalette({ updates: true })
    await type('update fw:revoked')
    const { total } = await core.handlers.devices.slice({ where: 'fw:revoked', sort: [], start: 0, count: 0 })
    expect([total > 1, titles().at(-1)]).toEqual([true, `Update ${total} devices…`])
  })

  it('offers no update where the service publishes no address for it', async () => {
    const { type, groups } = await openPalette()
    await type('update cer')
    expect(groups()).not.toContain('Update')
  })

  it('lists what the other verbs can do with what one names', async () => {
    const { type, titles, groups } = await openPalette()
    await type('reboot cer')
    expect([groups(), titles()]).toEqual([
      ['Reboot', 'Actions for “cer”'],
      ['Reboot Ceres 2.20…', 'Open Ceres 2.20', 'Compare Ceres 2.20…', 'Print the sheet of Ceres 2.20'],
    ])
  })

  it('lists them also for the only room whose name has the letters inside a word', async () => {
    const { type, titles } = await openPalette()
    await type('reboot eres')
    expect(titles()).toEqual([
      'Reboot Ceres 2.20…',
      'Open Ceres 2.20',
      'Compare Ceres 2.20…',
      'Print the sheet of Ceres 2.20',
    ])
  })

  it('names devices of a room by their product, with the room below', async () => {
    const { type, lines } = await openPalette()
    await type('ceres')
    const devices = lines().filter((line) => /Online|Offline/.test(line))
    expect([devices.length > 1, devices.filter((line) => !/^Jabra .+ Ceres 2\.20 · \w+/.test(line))]).toEqual(
      [true, []],
    )
  })

  it('lists an update of all that a filter about firmware finds, and no reboot of their rooms', async () => {
    const { core, type, titles } = await openPalette({ updates: true })
    await type('fw:behind')
    const { total } = await core.handlers.devices.slice({ where: 'fw:behind', sort: [], start: 0, count: 0 })
    expect(titles().filter((title) => title.endsWith('…'))).toEqual([`Update ${total} devices…`])
  })

  it.each([
    ['compare cer', 'compare-rooms', 'Compare Ceres 2.20…'],
    ['compare anne müller', 'compare-devices', 'Compare Anne Müller…'],
  ])('compares what one names with another: %s', async (words, page, title) => {
    const { router, type, enter, titles } = await openPalette()
    await type(words)
    expect(titles()[0]).toBe(title)
    const opened = nextPage(router)
    await enter()
    await opened
    expect([router.currentRoute.value.name, router.currentRoute.value.params['b']]).toEqual([page, undefined])
  })

  it('shows the health of a room, as Rooms does', async () => {
    const { type, lines } = await openPalette()
    await type('ceres')
    expect(lines()[0]).toMatch(/Trouble$/)
  })

  it('names a device of a room by its product where a verb is about that device', async () => {
    const { type, lines } = await openPalette()
    await type('copy link cer')
    expect(lines()[0]).toMatch(/^Copy firmware link for Jabra \S.* Cer es 2\.20 · /)
  })

  it('copies the firmware link of a device', async () => {
    const { copied, type, enter } = await openPalette()
    await type('copy link anne müller')
    await enter()
    expect(copied).toEqual([expect.stringContaining('2.9.2')])
  })

  it('prints the sheet of a room when its page is there', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { router, type, enter } = await openPalette()
    await type('print cer')
    const opened = nextPage(router)
    await enter()
    await opened
    await settle()
    expect([router.currentRoute.value.name, print.mock.calls.length]).toEqual(['room', 1])
  })

  it('chooses the release to approve on the page of its product, and approves nothing', async () => {
    const { core, router, type, enter } = await openPalette()
    await type('approve 6.5 control')
    const opened = nextPage(router)
    await enter()
    await opened
    expect([
      router.currentRoute.value.name,
      router.currentRoute.value.query,
      core.argumentsOf('firmware.approve'),
    ]).toEqual(['firmware', { version: '6.5.0' }, []])
  })

  it('opens the definitions of a product', async () => {
    const { router, type, enter, groups } = await openPalette()
    await type('definitions 0x24B3')
    const [first] = groups()
    const opened = nextPage(router)
    await enter()
    await opened
    const { name, params } = router.currentRoute.value
    expect([first, name, params]).toEqual([
      'Definitions',
      'definitions',
      { vendorId: '2830', productId: '9395' },
    ])
  })

  it('opens the list of a typed filter, and shows its number before', async () => {
    const { core, router, type, enter, lines } = await openPalette()
    await type('fw:behind')
    const { total } = await core.handlers.devices.slice({ where: 'fw:behind', sort: [], start: 0, count: 0 })
    const line = lines()[0]
    // The page reads the filter of its address and then shortens it.
    const opened = new Promise((arrived) => {
      const stop = router.afterEach(({ query }) => {
        stop()
        arrived(query)
      })
    })
    await enter()
    expect([line, await opened]).toEqual([`Devices: fw:behind ${total}`, { where: 'fw:behind' }])
  })

  it('locks at once, and has nothing that unlocks', async () => {
    const { type, enter, lines } = await openPalette({ unlocked: true })
    await type('unlock')
    const found = lines()
    await type('lock')
    await enter()
    expect([found, lock.mock.calls.length]).toEqual([[], 1])
  })

  it('continues the text with a verb that is chosen by its beginning', async () => {
    const { type, enter, lines } = await openPalette()
    await type('reb')
    await enter()
    await vi.advanceTimersByTimeAsync(80)
    await settle()
    expect([
      document.querySelector<HTMLInputElement>('.palette input')?.value,
      lines()[0]?.startsWith('Reboot Ceres 2.20…'),
    ]).toEqual(['reboot ', true])
  })
})
