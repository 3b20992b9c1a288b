import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ChangeGroup } from '../../../electron/contract/api/changes.ts'
import { changeKinds } from '../../../electron/contract/fields/change.ts'
import { fromTo, groupDetail, groupSentence, wordOfKind } from '../../../renderer/lists/change-text.ts'
import { useChangesStore } from '../../../renderer/changes/changes-store.ts'
import { useLayoutStore } from '../../../renderer/layout/layout-store.ts'
import { addFjordbank, showFjordbank } from '../organizations/bring-organizations.ts'
import { changeProfile, openCore, settle, type TestCore } from '../core.ts'
import { openPage, type OpenedPage } from '../page.ts'

const group = (changes: Partial<ChangeGroup>): ChangeGroup => ({
  key: 'k',
  dayAt: 0,
  of: 'device',
  kind: 'went-offline',
  own: null,
  subjectId: null,
  productName: null,
  product: null,
  before: null,
  after: null,
  count: 1,
  firstAt: 0,
  lastAt: 0,
  names: [],
  more: 0,
  ...changes,
})

test('every kind of change has a label, and a sentence for one and for many', () => {
  const sentences = changeKinds.flatMap((kind) => [
    wordOfKind(kind),
    groupSentence(group({ kind })),
    groupSentence(group({ kind, of: 'room', count: 12 })),
  ])
  expect(sentences.filter((sentence) => sentence.startsWith('changes.') || sentence === '')).toEqual([])
})

describe('a group in one sentence', () => {
  test.each<readonly [string, Partial<ChangeGroup>]>([
    ['1 device went offline', {}],
    ['1,214 devices went offline', { count: 1_214 }],
    [
      'Firmware 2.7.0 → 2.9.2 on 120 devices',
      { kind: 'firmware-changed', before: '2.7.0', after: '2.9.2', count: 120 },
    ],
    ['Firmware nothing → 2.9.2 on 1 device', { kind: 'firmware-changed', after: '2.9.2' }],
    [
      'Online → Firmware update failed on 2 devices',
      { kind: 'status-changed', before: 'online', after: 'FirmwareUpdateFailed', count: 2 },
    ],
    ['3 rooms were disconnected', { of: 'room', count: 3 }],
  ])('%s', (sentence, given) => expect(groupSentence(group(given))).toBe(sentence))
})

test.each<readonly [string, string, Partial<ChangeGroup>]>([
  ['Oslo 3: Went offline', 'PanaCast 50', { names: ['Oslo 3'], subjectId: 'D1', productName: 'PanaCast 50' }],
  [
    'Oslo 3: Went offline',
    'PanaCast 50',
    { names: ['Oslo 3'], subjectId: 'D1', product: { id: 12_297, name: 'PanaCast 50' } },
  ],
  [
    'Oslo 3: Renamed',
    'Oslo → Oslo 3',
    { names: ['Oslo 3'], kind: 'renamed', before: 'Oslo', after: 'Oslo 3' },
  ],
  [
    '7 devices are no longer listed',
    'A, B, C and 2 more',
    { kind: 'gone', count: 7, names: ['A', 'B', 'C'], more: 2 },
  ],
  [
    '2 settings changed',
    'after your own action · Oslo 3',
    { kind: 'setting-changed', count: 2, names: ['Oslo 3'], subjectId: 'D1', own: { jobId: 'J' } },
  ],
  [
    '131 times personal devices went online or offline',
    'A, B and 129 more',
    { kind: 'on-off', count: 131, names: ['A', 'B'], more: 129 },
  ],
])('shows "%s" for a group and below it "%s"', (sentence, detail, given) => {
  expect([groupSentence(group(given)), groupDetail(group(given))]).toEqual([sentence, detail])
})

test('shows no values for going offline, but for a new name', () => {
  const change = { id: 1, of: 'device', subjectId: 'D', subjectName: 'New', observedAt: 0 } as const
  expect([
    fromTo({ ...change, kind: 'went-offline', before: 'online', after: 'offline' }),
    fromTo({ ...change, kind: 'renamed', before: 'Old', after: 'New' }),
    fromTo({ ...change, kind: 'appeared', before: null, after: null }),
  ]).toEqual([null, 'Old → New', null])
})

describe('the Changes page', () => {
  let core: TestCore
  beforeEach(async () => {
    core = await openCore()
  })

  test('shows what is new since the last visit, and opens a group to its newest twenty', async () => {
    const changes = useChangesStore()
    await changes.show()
    const first = changes.groups?.groups[0]
    if (!first) throw new Error('no groups')
    changes.toggle(first)
    await settle()
    expect([core.argumentsOf('changes.groups'), core.argumentsOf('changes.slice')]).toEqual([
      [{ where: '', since: 'looked', folded: true }],
      [{ where: '', since: 'looked', folded: true, group: first.key, start: 0, count: 20 }],
    ])
    expect(changes.opened.get(first.key)?.total).toBe(first.count)
  })

  test('keeps a group open when the organization is renamed, and not for another one', async () => {
    await addFjordbank(core)
    await useLayoutStore().start()
    await settle()
    const changes = useChangesStore()
    onTestFinished(changes.follow())
    await changes.show()
    const first = changes.groups!.groups[0]!
    changes.toggle(first)
    await settle()
    await changeProfile(core, () => ({ name: 'Nordlys' }))
    await core.advance(1_000)
    await settle()
    const renamed = [...changes.opened.keys()]
    await showFjordbank(core)
    expect([renamed, [...changes.opened.keys()]]).toEqual([[first.key], []])
  })

  test('keeps a group closed that is closed during a reload', async () => {
    const changes = useChangesStore()
    await changes.show()
    const first = changes.groups!.groups[0]!
    changes.toggle(first)
    await settle()
    const release = core.hold('changes.slice')
    const reading = changes.again()
    changes.toggle(first)
    release()
    await reading
    expect([...changes.opened.keys()]).toEqual([])
  })

  test('the selected kind and author are terms of the filter, and leave its other terms unchanged', async () => {
    const changes = useChangesStore()
    changes.where = 'product:evolve kind:gone'
    changes.choose('kind', ['went-offline', 'gone'])
    changes.choose('own', ['no'])
    await settle()
    expect([changes.where, changes.chosenKinds, changes.chosenOwn]).toEqual([
      'product:evolve kind:went-offline,gone own:no',
      ['went-offline', 'gone'],
      ['no'],
    ])
  })

  test('shows nothing as new when marked as seen, and restores it on undo', async () => {
    const changes = useChangesStore()
    await changes.show()
    const previous = [changes.groups?.total, changes.groups?.seen]
    const takeBack = await changes.markSeen()
    const seen = changes.groups?.total
    await takeBack?.()
    expect([seen, [changes.groups?.total, changes.groups?.seen]]).toEqual([0, previous])
  })

  test('leaves new what a sync found after the page was read', async () => {
    const changes = useChangesStore()
    changes.where = 'kind:renamed'
    await changes.show()
    core.service.alter(
      '/devices/api/devices',
      (page: { readonly items: readonly { readonly name: string }[] }) => ({
        ...page,
        items: page.items.map((one, place) => (place === 0 ? { ...one, name: `${one.name} 2` } : one)),
      }),
    )
    await core.finish(core.handlers.sync.run())
    await core.advance(1)
    await changes.markSeen()
    expect(changes.groups?.groups.map(({ kind }) => kind)).toEqual(['renamed'])
  })

  test('keeps the visible data on a failure', async () => {
    const changes = useChangesStore()
    await changes.show()
    const visible = changes.groups
    core.fail('changes.groups', {
      kind: 'cache-unusable',
      file: 'store',
      reason: 'disk-full',
      message: 'full',
    })
    await changes.show()
    expect([changes.groups === visible, changes.failure?.kind]).toEqual([true, 'cache-unusable'])
  })

  test('shows one group as a list of its changes in slices, until every change is shown again', async () => {
    const changes = useChangesStore()
    await changes.show()
    const first = changes.groups?.groups[0]
    if (!first) throw new Error('no groups')
    changes.showOnly(first)
    await settle()
    const only = [changes.total, changes.rowAt(0)?.kind]
    changes.showOnly(null)
    await settle()
    expect([only, changes.total]).toEqual([[first.count, first.kind], changes.groups?.total])
  })
})

describe('the sentence above the changes', () => {
  const note = (page: OpenedPage['page']): string => page.get('.header .note').text()

  test('is about what the list below shows: all, marked as seen, filtered, or one group', async () => {
    const { page } = await openPage('/changes')
    const changes = useChangesStore()
    const all = changes.total!
    const said = [note(page)]
    const [first] = changes.groups!.groups
    changes.showOnly(first!)
    await settle()
    said.push(note(page))
    changes.showOnly(null)
    changes.asList = false
    changes.where = 'kind:renamed'
    await settle()
    said.push(note(page))
    expect(said.map((text) => text.replace(/ · [\d,]+ times? on or off, not counted$/, ''))).toEqual([
      `${all} changes, none marked as seen yet`,
      `${first!.count} change${first!.count === 1 ? '' : 's'}`,
      expect.stringMatching(/^\d+ changes? match$/),
    ])
  })
})

test('offers to mark as seen only where unseen changes are listed, if there were any', async () => {
  const { page } = await openPage('/changes')
  const changes = useChangesStore()
  const offered = (): string[] =>
    page
      .findAll('.header button')
      .filter((one) => one.text() === 'Mark as seen')
      .map((one) => (one.attributes('disabled') === undefined ? 'enabled' : 'disabled'))
  const said = [offered()]
  await changes.markSeen()
  await settle()
  said.push(offered())
  changes.span = 'week'
  await settle()
  said.push(offered())
  expect(said).toEqual([['enabled'], ['disabled'], []])
})

test('says nothing of marking as seen before the first change', async () => {
  const { page, words } = await openPage('/changes', { organization: 'unread' })
  expect([page.get('.header .note').text(), words().includes('Mark as seen')]).toEqual(['0 changes', false])
})
