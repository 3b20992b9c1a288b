import { mount, type VueWrapper } from '@vue/test-utils'
import { Headphones } from '@lucide/vue'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import { i18n } from '../../../renderer/locales/i18n.ts'
import CommandPalette from '../../../renderer/palette/CommandPalette.vue'
import { fuzzyPlaces } from '../../../renderer/palette/fuzzy.ts'
import type { PaletteEntry } from '../../../renderer/palette/palette-entry.ts'
import { findEntries } from '../../../renderer/palette/palette-finding.ts'
import { nearestFirst } from '../../../renderer/palette/palette-words.ts'
import { usePaletteStore } from '../../../renderer/palette/palette-store.ts'
import { openCore, settle, type TestCore } from '../core.ts'

const run = vi.fn()
const entry = (id: string, group: PaletteEntry['group'], title: string, alsoFoundBy = ''): PaletteEntry => ({
  id,
  group,
  title,
  detail: null,
  alsoFoundBy,
  icon: Headphones,
  leaves: false,
  run: () => run(id),
})
const entries = [
  entry('page devices', 'pages', 'Devices'),
  entry('page release-notes', 'pages', 'Release notes'),
  entry('action sync', 'actions', 'Sync now'),
  entry('preferences appearance', 'preferences', 'Appearance', 'theme dark'),
]

describe('fuzzy matches', () => {
  it.each([
    ['a word', 'release', ['Release notes']],
    ['words in another order', 'notes rel', ['Release notes']],
    ['a missing letter', 'relase', ['Release notes']],
    ['capitals', 'SYNC', ['Sync now']],
    ['marked letters', 'sýnc', ['Sync now']],
    ['no similar text', 'zzz', []],
  ])('%s', (_name, words, found) => {
    const titles = ['Devices', 'Release notes', 'Sync now']
    expect(fuzzyPlaces(titles, words).map((place) => titles[place])).toEqual(found)
  })
  it.each(['(', '[a-', '\\', '"', '*', '+?', '-'])('never throw for %s', (words) => {
    expect(() => fuzzyPlaces(['Devices'], words)).not.toThrow()
  })
})

describe('the groups of the palette', () => {
  const titles = (words: string, found: readonly PaletteEntry[] = [], recent: readonly PaletteEntry[] = []) =>
    findEntries(words, entries, found, recent).map(({ group, entries: visible }) => [
      group,
      ...visible.map((one) => one.title),
    ])
  it('show recent entries without text, then pages and actions, each once', () => {
    expect(titles('', [], entries.slice(2, 3))).toEqual([
      ['recent', 'Sync now'],
      ['pages', 'Devices', 'Release notes'],
    ])
  })
  it('count a word that begins words of both lines as one of the title', () => {
    const [bar] = nearestFirst([{ title: 'Bar 1', detail: 'Bar' }], ['bar'])
    expect(bar?.far).toBe(0)
  })
  it('find preferences by their subject', () => {
    expect(titles('dark')).toEqual([['preferences', 'Appearance']])
  })
  it('list people before rooms before pages where all begin as typed', () => {
    const found = [
      entry('device 1', 'devices', 'Devon'),
      entry('room 1', 'rooms', 'Devon 2.20'),
      entry('device 2', 'people', 'Devi Lund'),
    ]
    expect(titles('dev', found).map(([group]) => group)).toEqual(['people', 'rooms', 'pages', 'devices'])
  })
  it('list words that begin as typed before typed letters inside other words', () => {
    expect(titles('ase', [entry('device 2', 'people', 'Åse Lund')])).toEqual([
      ['people', 'Åse Lund'],
      ['pages', 'Release notes'],
    ])
  })
  it.each([
    ['mü', ['Anne Müller', 'Anne Murphy']],
    ['mu', ['Anne Murphy', 'Anne Müller']],
  ])('list those with the marks as typed first, of equally near ones: %s', (words, expected) => {
    const people = expected.toReversed().map((name) => entry(`device ${name}`, 'people', name))
    expect(titles(words, people)).toEqual([['people', ...expected]])
  })
  it('list five of each, the nearest first, and links to more last', () => {
    const found = [
      ...[1, 2, 3, 4].map((n) => entry(`device ${n}`, 'devices', `A${n} Joanne`)),
      { ...entry('more', 'devices', '9 more devices'), ofWords: true as const },
      ...[5, 6].map((n) => entry(`device ${n}`, 'devices', `Anne ${n}`)),
    ]
    expect(titles('anne', found)).toEqual([
      ['devices', 'Anne 5', 'Anne 6', 'A1 Joanne', 'A2 Joanne', 'A3 Joanne', '9 more devices'],
    ])
  })
})

describe('queries of the core', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('lists an entry that was used twice once, as the last', () => {
    setActivePinia(createPinia())
    const palette = usePaletteStore()
    for (const id of ['a', 'b', 'a']) palette.used(id)
    expect(palette.recent).toEqual(['a', 'b'])
  })

  it('are sent at most every 80 ms; words are searched as they are, a filter as a filter', async () => {
    const core = await openCore()
    const palette = usePaletteStore()
    for (const words of ['s', 'st', 'colour:red']) palette.type(words)
    await vi.advanceTimersByTimeAsync(80)
    palette.type('status:offline')
    await vi.advanceTimersByTimeAsync(80)
    await settle()
    const wheres = core
      .argumentsOf('devices.slice')
      .map((one) => (one as { where: string }).where)
      .filter((where) => !where.startsWith('user:'))
    expect([wheres, palette.busy]).toEqual([['s', '"colour:red"', 'status:offline'], false])
  })
  it('drop responses to earlier words', async () => {
    const core = await openCore()
    const palette = usePaletteStore()
    const release = core.hold('devices.slice')
    palette.type('evolve')
    await settle()
    palette.type('zzzz')
    await vi.advanceTimersByTimeAsync(80)
    release()
    await settle()
    expect([palette.devices.total, palette.busy]).toEqual([0, false])
  })
  it('that fail find nothing and keep the others', async () => {
    const core = await openCore()
    core.fail('firmware.products', { kind: 'bug', reference: 'R1' })
    const palette = usePaletteStore()
    palette.type('evolve')
    await settle()
    expect([palette.devices.rows.length, palette.products.rows, palette.busy]).toEqual([25, [], false])
  })
})

describe('the palette', () => {
  let core: TestCore
  let wrapper: VueWrapper
  let router: Router
  const input = (): HTMLInputElement =>
    document.querySelector<HTMLInputElement>('.palette input') as HTMLInputElement
  const active = (): string | null | undefined =>
    document.querySelector('.palette [aria-selected="true"] .title')?.textContent
  const key = (name: string): boolean =>
    input().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
  async function type(words: string): Promise<void> {
    input().value = words
    input().dispatchEvent(new Event('input', { bubbles: true }))
    await settle()
  }
  beforeEach(async () => {
    run.mockClear()
    core = await openCore()
    setActivePinia(createPinia())
    // The pages themselves are not tested here.
    const nowhere = { render: () => null }
    router = createRouter({
      history: createMemoryHistory(),
      routes: [
        { path: '/', component: nowhere },
        { name: 'devices', path: '/devices/:id', component: nowhere },
        { name: 'device', path: '/device/:id', component: nowhere },
        { name: 'rooms', path: '/rooms/:id', component: nowhere },
        { name: 'firmware', path: '/firmware/:vendorId/:productId', component: nowhere },
      ],
    })
    show(false)
    await wrapper.setProps({ open: true })
    await settle()
  })
  function show(open: boolean): void {
    wrapper = mount(CommandPalette, {
      attachTo: document.body,
      props: {
        open,
        entries,
        mac: false,
        // Also one that closes while it is mounted.
        'onUpdate:open': (is: boolean) => void nextTick(() => wrapper.setProps({ open: is })),
      },
      global: { plugins: [i18n, router] },
    })
  }

  it('marks typed text, with pattern characters taken literally', async () => {
    await type('evolve2 6')
    const marked = (): readonly string[] => [
      ...new Set([...document.querySelectorAll('.palette mark')].map((one) => one.textContent)),
    ]
    const previous = marked()
    await type('[(.*')
    expect([previous.toSorted(), marked()]).toEqual([['6', 'Evolve2'], []])
  })

  it('opens a device beside its list by Enter, on its page by Alt+Enter', async () => {
    const [device] = (await core.handlers.devices.slice({ where: '', sort: [], start: 0, count: 1 })).rows
    await type(device?.serialNumber ?? '')
    input().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', altKey: true, bubbles: true }))
    await settle()
    expect(router.currentRoute.value.name).toBe('device')
  })

  it('is a box with a list: screen readers get the active entry while the focus stays in the box', async () => {
    expect([input().getAttribute('role'), active()]).toEqual(['combobox', 'Reboot a room…'])
    for (const _ of [1, 2, 3, 4, 5, 6]) key('ArrowDown')
    await settle()
    expect([
      active(),
      document.getElementById(input().getAttribute('aria-activedescendant') ?? '')?.textContent?.trim(),
    ]).toEqual(['Release notes', 'Release notes'])
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) key('ArrowUp')
    await settle()
    expect(active()).toBe('Sync now')
  })
  it('lists its verbs first, each with the word that begins it', () => {
    const verbs = [...document.querySelectorAll('.palette [role="group"]')][0]
    expect([...(verbs?.querySelectorAll('.begins') ?? [])].map((one) => one.textContent)).toEqual([
      'reboot',
      'update',
      'copy link',
      'print',
      'approve',
    ])
    // They are words to type, not keys.
    expect(verbs?.querySelectorAll('kbd').length).toBe(0)
  })
  it('keeps what was typed before its box had the focus, and goes on after it', async () => {
    await wrapper.setProps({ open: false })
    await settle()
    usePaletteStore().type('eng')
    await wrapper.setProps({ open: true })
    await settle()
    const { value, selectionStart, selectionEnd } = input()
    expect([document.activeElement === input(), value, selectionStart, selectionEnd]).toEqual([
      true,
      'eng',
      3,
      3,
    ])
  })
  it('runs the active entry on Enter, closes, and remembers it', async () => {
    await type('sync')
    key('Enter')
    await settle()
    expect([run.mock.calls, document.querySelector('.palette')]).toEqual([[['action sync']], null])
    await wrapper.setProps({ open: true })
    await settle()
    expect([input().value, active(), document.querySelector('.palette .group')?.textContent]).toEqual([
      '',
      'Sync now',
      'Recent',
    ])
  })
  it('runs the first result that arrives if Enter was pressed before', async () => {
    const release = core.hold('devices.slice')
    await type('Evolve2')
    key('Enter')
    release()
    await settle()
    expect(document.querySelector('.palette')).toBeNull()
  })
  it('runs the first result if text, Enter and the results came before it was loaded', async () => {
    wrapper.unmount()
    const palette = usePaletteStore()
    palette.type('sync')
    palette.goes = true
    await settle()
    show(true)
    await settle()
    expect([run.mock.calls, document.querySelector('.palette')]).toEqual([[['action sync']], null])
  })
  it('shows that nothing was found, and for which text', async () => {
    await type('zzzz')
    expect(document.querySelector('.palette .none p')?.textContent).toBe('No results for “zzzz”')
  })
})
