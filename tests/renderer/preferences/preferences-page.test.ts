import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { MethodName } from '../../../electron/contract/rpc-client.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { formatMoment } from '../../../renderer/components/format.ts'
import { staleAfterInMs } from '../../../renderer/components/stale-limit.ts'
import { messages, takeBackLast } from '../../../renderer/components/toasts.ts'
import { devicesOf, settle, type TestCore } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'

let opened: OpenedPage
const NOON = Date.UTC(2026, 10, 21, 12)
const requested = (method: MethodName): readonly unknown[] => opened.core.argumentsOf(method)
const names = (section: string): (string | undefined)[] =>
  opened.page
    .get(`#preferences-${section}`)
    .findAll('.name')
    .map((one) => one.text())

async function choose(label: string): Promise<void> {
  const found = opened.page.findAll('label').find((one) => one.text() === label)
  if (!found) throw new Error(`nothing to choose called ${label}`)
  await found.get('input').setValue(true)
  await settle()
}
async function press(label: string): Promise<void> {
  await opened.page.get(`[aria-label="${label}"]`).trigger('click')
  await settle()
}

/** A light page; two tags, two lists and two views of the technician. */
async function prepare(core: TestCore): Promise<void> {
  const { app, tags, lists, views } = core.handlers
  await app.setPreferences({ theme: 'light' })
  const ids = (await devicesOf(core)).map(({ id }) => id)
  for (const [at, name] of ['spare', 'vip'].entries())
    await tags.change({ selection: { kind: 'picked', ids: ids.slice(at, at + 5) }, add: [name], remove: [] })
  for (const [at, name] of ['Berlin move', 'Repair'].entries())
    await lists.paste({ text: ids.slice(at, at + 4).join('\n'), keep: true, name })
  for (const name of ['Oslo', 'Offline'])
    await views.save({ list: 'devices', name, where: name.toLowerCase(), sort: [], columns: null })
}

beforeEach(async () => {
  opened = await openPage('/preferences', {}, prepare)
})

it('typing in the search shows only the matching preferences', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const visible = (what: string) =>
    opened.page.findAll<HTMLElement>(what).filter(({ element }) => element.style.display !== 'none')
  const found: unknown[] = []
  const expected: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['excel', ['exports'], ['Format', 'CSV separator']],
    ['DARK theme', ['appearance'], ['Theme']],
    ['revoked', ['notifications'], ['Firmware was revoked']],
    ['do not disturb', ['notifications'], []],
    ['nothing at all', [], []],
  ]
  for (const [words] of expected) {
    await opened.page.get('header input').setValue(words)
    vi.advanceTimersByTime(60)
    await settle()
    const sections = visible('[id^="preferences-"]').map(({ element }) =>
      element.id.replace('preferences-', ''),
    )
    expect(visible('nav li').length).toBe(sections.length)
    found.push([words, sections, visible('.lines > .line').map((line) => line.get('label').text())])
  }
  expect(found).toEqual(expected)
})

describe('a preference applies at once', () => {
  it('theme, contrast and density are stored and applied to the page', async () => {
    for (const label of ['Dark', 'High', 'Compact, 26 px']) await choose(label)
    expect([requested('app.setPreferences'), { ...document.documentElement.dataset }]).toEqual([
      [{ theme: 'dark' }, { contrast: 'high' }, { density: 'compact' }],
      expect.objectContaining({ theme: 'dark', contrast: 'high', density: 'compact' }),
    ])
  })
  it('another language changes every text without a restart', async () => {
    await choose('Pseudo (for translators)')
    expect(opened.page.get('h1').text()).toBe('⟦Þŕéƒéŕéñçéš one⟧')
  })
  it('times are shown in the selected zone', async () => {
    await opened.page.get('select').setValue('Asia/Tokyo')
    await settle()
    expect([requested('app.setPreferences'), formatMoment(NOON)]).toEqual([
      [{ timeZone: 'Asia/Tokyo' }],
      '21 Nov 2026 21:00',
    ])
  })
  it('the limit of old values is the same everywhere', async () => {
    await opened.page.get('#preferences-times input').setValue('48')
    await settle()
    expect([requested('app.setPreferences'), staleAfterInMs.value]).toEqual([
      [{ staleAfterInHours: 48 }],
      48 * 3_600_000,
    ])
  })
  it('minutes that are no whole number from 1 to 1,440 are reported as invalid and not applied', async () => {
    const minutes = opened.page.get('#preferences-sync input')
    const reported = () =>
      opened.page.findAll('#preferences-sync [role="alert"]').map((alert) => alert.text())
    const typed: unknown[] = []
    for (const invalid of ['0', '1441', '', '1.5', 'often', '-3']) {
      const before = requested('app.setPreferences').length
      await minutes.setValue(invalid)
      await settle()
      typed.push([invalid, reported(), requested('app.setPreferences').length - before])
      await minutes.setValue('30')
      await settle()
      expect(reported()).toEqual([])
    }
    expect(typed).toEqual(
      ['0', '1441', '', '1.5', 'often', '-3'].map((invalid) => [
        invalid,
        ['A whole number from 1 to 1,440'],
        0,
      ]),
    )
  })
  it('a rejection of the core is reverted and reported', async () => {
    opened.core.fail('app.setPreferences', { kind: 'bug', reference: 'R1' })
    await choose('Dark')
    expect([
      useLayoutStore().preferences.theme,
      document.documentElement.dataset['theme'],
      messages.value[0]?.kind,
    ]).toEqual(['light', 'light', 'bad'])
  })
})

describe('saved items of a technician', () => {
  it('a tag is renamed in place, and Ctrl+Z restores its old name', async () => {
    const previous = names('tags')
    await press('Rename spare')
    await opened.page.get('#preferences-tags form input').setValue('reserve')
    await opened.page.get('#preferences-tags form').trigger('submit')
    await settle()
    expect([requested('tags.rename'), names('tags').includes('reserve')]).toEqual([
      [{ from: 'spare', to: 'reserve' }],
      true,
    ])
    takeBackLast()
    await settle()
    expect(names('tags')).toEqual(previous)
  })
  it('Esc and the same name leave a tag unchanged', async () => {
    await press('Rename spare')
    await opened.page.get('#preferences-tags form').trigger('keydown', { key: 'Escape' })
    await press('Rename spare')
    await opened.page.get('#preferences-tags form').trigger('submit')
    await settle()
    expect(requested('tags.rename')).toEqual([])
  })
  it('a removed tag is restored from its message', async () => {
    const previous = names('tags')
    await press('Remove spare')
    expect(names('tags')).toEqual(previous.filter((name) => name !== 'spare'))
    takeBackLast()
    await settle()
    expect(names('tags')).toEqual(previous)
  })
  it('a removed list is restored with its devices', async () => {
    const previous = names('tags')
    await press('Remove Berlin move')
    expect(names('tags')).toEqual(previous.filter((name) => name !== 'Berlin move'))
    takeBackLast()
    await settle()
    const [pasted] = requested('lists.paste') as { text: string; keep: boolean; name: string }[]
    expect([names('tags'), pasted?.name, pasted?.keep, (pasted?.text.split('\n').length ?? 0) > 1]).toEqual([
      previous,
      'Berlin move',
      true,
      true,
    ])
  })
  it('the focus moves to the next item, from the last to the previous, and from the only one to the list', async () => {
    const focused: (string | null | undefined)[] = []
    for (const name of ['spare', 'Repair', 'Berlin move', 'vip']) {
      await press(`Remove ${name}`)
      const { activeElement } = document
      focused.push(activeElement?.getAttribute('aria-label') ?? activeElement?.className.split(' ')[0])
    }
    expect([names('tags'), focused]).toEqual([[], ['Remove vip', 'Remove Berlin move', 'box', 'box']])
  })
  it('a tag created elsewhere appears', async () => {
    const { core } = opened
    const [device] = await devicesOf(core)
    await core.handlers.tags.change({
      selection: { kind: 'picked', ids: [device!.id] },
      add: ['loan'],
      remove: [],
    })
    await core.advance(1_000)
    await settle()
    expect(names('tags')).toContain('loan')
  })
  it('tags belong to the organization in use', async () => {
    const { organizations } = opened.core.handlers
    const { presets } = await organizations.list()
    const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
    await organizations.add({ ...draft, name: 'Vesterbro Kommune' })
    await settle()
    expect([names('tags'), names('views')]).toEqual([[], ['Offline', 'Oslo']])
  })
  it('a removed view is restored unchanged', async () => {
    const previous = names('views')
    await press('Remove Oslo')
    expect(names('views')).toEqual(previous.filter((name) => name !== 'Oslo'))
    takeBackLast()
    await settle()
    expect(names('views').toSorted()).toEqual(previous.toSorted())
  })
  it('a rejected name is reported without an undo', async () => {
    opened.core.fail('tags.rename', { kind: 'bug', reference: 'R2' })
    await press('Rename spare')
    await opened.page.get('#preferences-tags form input').setValue('x')
    await opened.page.get('#preferences-tags form').trigger('submit')
    await settle()
    expect([messages.value.map((one) => [one.kind, one.action]), takeBackLast()]).toEqual([
      [['bad', null]],
      false,
    ])
  })
})

describe('notifications', () => {
  const switchOf = (label: string) =>
    opened.page.get(`#preferences-notifications [role="switch"][aria-label="${label}"]`)
  const states = (): unknown[] =>
    opened.page
      .findAll('#preferences-notifications [role="switch"]')
      .map((one) => one.attributes('aria-checked'))

  it('are all off, and each is selected separately', async () => {
    const previous = states()
    await switchOf('A job ended or needs you').trigger('click')
    await settle()
    await switchOf('A room is down').trigger('click')
    await settle()
    expect([previous, states(), requested('app.setPreferences').at(-1)]).toEqual([
      Array.from({ length: 6 }, () => 'false'),
      ['true', 'true', 'false', 'false', 'false', 'false'],
      { notifications: ['room-down', 'job-ended'] },
    ])
  })
  it('ask how long a room is down below the notification about it, if it is on', async () => {
    const lines = (): readonly string[] =>
      opened.page
        .findAll('#preferences-notifications .line label')
        .map((one) => one.text())
        .slice(0, 2)
    const before = lines()
    await switchOf('A room is down').trigger('click')
    await settle()
    expect([before, lines()]).toEqual([
      ['A room is down', 'A job ended or needs you'],
      ['A room is down', 'Notify about a room after'],
    ])
  })
  it('have quiet hours, and two invalid or equal times are reported and not applied', async () => {
    await switchOf('Quiet hours').trigger('click')
    await settle()
    const until = opened.page.get('[aria-label="Quiet until"]')
    for (const typed of ['18:00', 'late', '6.15']) {
      await until.setValue(typed)
      await settle()
    }
    expect([requested('app.setPreferences'), opened.page.get('#preferences-notifications').text()]).toEqual([
      [{ quietHours: { from: 1_080, to: 450 } }, { quietHours: { from: 1_080, to: 375 } }],
      expect.not.stringContaining('Enter two different times'),
    ])
  })
})

describe('the data location', () => {
  it('shows the home folder, the cache and its clearing', async () => {
    expect(opened.page.get('#preferences-data').text()).toContain('/home/headroom')
    await opened.button('Clear documents').trigger('click')
    await settle()
    expect([
      requested('metadata.clearCache').length,
      opened.page.get('#preferences-data').text().includes('None stored.'),
    ]).toEqual([1, true])
  })
})

it('shows what is available before program and organization are loaded', async () => {
  const releases: (() => void)[] = []
  opened = await openPage('/preferences', {}, (core) =>
    releases.push(core.hold('app.about'), core.hold('organizations.list')),
  )
  const currentStates = (): unknown[] => [
    opened.page.find('#preferences-appearance').exists(),
    opened.page.get('#preferences-about').text().includes('linux x64'),
    requested('metadata.cacheSize').length,
  ]
  const previous = currentStates()
  for (const release of releases) release()
  await settle()
  expect([previous, currentStates()]).toEqual([
    [true, false, 0],
    [true, true, 1],
  ])
})

it('the section in sight is marked in the list of sections', async () => {
  await opened.router.push('/preferences/sync')
  await settle()
  expect(opened.page.findAll('nav a[aria-current]').map((one) => one.text())).toEqual(['Sync'])
})

it('a section that was opened stays at the top while what is above it is loaded', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
    return this.id === 'preferences-connections'
      ? document.getElementById('preferences-data')!.textContent.length
      : 0
  })
  opened.page.unmount()
  const release: (() => void)[] = []
  const { page } = await openPage('/preferences/connections', {}, (core) =>
    release.push(core.hold('metadata.cacheSize')),
  )
  const before = page.get<HTMLElement>('#preferences-connections').element.offsetTop
  release[0]?.()
  await settle()
  const top = (): number => page.get('.parts').element.scrollTop
  const part = page.get<HTMLElement>('#preferences-connections').element
  expect([part.offsetTop > before, top()]).toEqual([true, part.offsetTop])
})
