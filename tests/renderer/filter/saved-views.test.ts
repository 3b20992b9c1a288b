import { mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { listNames } from '../../../electron/contract/view.ts'
import { builtInViews, showsView } from '../../../renderer/filter/built-in-views.ts'
import { useSavedViews } from '../../../renderer/filter/saved-views-store.ts'
import SavedViewsMenu from '../../../renderer/filter/SavedViewsMenu.vue'
import { english, i18n } from '../../../renderer/locales/i18n.ts'
import { openCore, settle, type TestCore } from '../core.ts'

const state = { where: '', sort: [], columns: null }
const draft = {
  list: 'devices',
  name: 'Mine',
  where: 'tag:spare',
  sort: [{ column: 'name', descending: true }],
  columns: ['name'],
} as const
const names = (store: ReturnType<typeof useSavedViews>) => store.views.devices?.map(({ name }) => name)

describe('predefined views', () => {
  it.each(listNames)('of %s can all be parsed and have a name', (list) => {
    const reported = (
      english['filter'] as unknown as { views: { builtIn: Readonly<Record<string, object>> } }
    ).views.builtIn[list]
    expect(Object.keys(reported ?? {})).toEqual(Object.keys(builtInViews[list]))
    expect(
      Object.values(builtInViews[list]).flatMap((where) => parseFilter(where, vocabularies[list]).problems),
    ).toEqual([])
  })
})

describe('whether a list shows a view', () => {
  const view = {
    where: 'status:offline tag:spare',
    sort: [{ column: 'name', descending: false }],
    columns: ['name', 'status'],
  }
  it.each([
    ['the same', view, true],
    ['terms in another order', { ...view, where: 'tag:spare  status:offline' }, true],
    ['an alias', { ...view, where: 'tags:spare status:offline' }, true],
    ['another filter', { ...view, where: 'tag:spare' }, false],
    ['another order', { ...view, sort: [{ column: 'name', descending: true }] }, false],
    ['other columns', { ...view, columns: ['status', 'name'] }, false],
    ['no stated columns', { ...view, columns: null }, true],
  ])('%s', (_what, now, shows) => {
    expect(showsView('devices', view, now)).toBe(shows)
  })
})

/** Views that the technician saved earlier. */
async function stored(): Promise<TestCore> {
  const core = await openCore()
  const { save } = core.handlers.views
  await save({
    ...draft,
    name: 'Behind on Evolve2',
    where: 'fw:behind,revoked product:Evolve2',
    columns: ['name', 'firmware'],
  })
  await save({
    ...draft,
    name: 'Spares in Berlin',
    where: 'tag:spare location:Berlin',
    sort: [],
    columns: null,
  })
  return core
}

describe('saved views', () => {
  it('are saved, replaced by name, renamed and removed', async () => {
    await stored()
    const store = useSavedViews()
    expect(await store.save(draft)).toBe(null)
    await store.save({ ...draft, name: 'MINE', where: 'tag:loan' })
    expect(store.views.devices?.map(({ name, where }) => [name, where])).toEqual([
      ['Behind on Evolve2', 'fw:behind,revoked product:Evolve2'],
      ['MINE', 'tag:loan'],
      ['Spares in Berlin', 'tag:spare location:Berlin'],
    ])
    const mine = store.views.devices?.find(({ name }) => name === 'MINE')
    if (!mine) throw new Error('nothing saved')
    await store.rename(mine, 'Ours')
    expect(names(store)).toEqual(['Behind on Evolve2', 'Ours', 'Spares in Berlin'])
    await store.remove(mine)
    expect(names(store)).toEqual(['Behind on Evolve2', 'Spares in Berlin'])
  })
  it('report a failure and do not change', async () => {
    const core = await stored()
    const store = useSavedViews()
    await store.load('devices')
    core.fail('views.save', {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'disk-full',
      message: '',
    })
    expect([(await store.save(draft))?.kind, names(store)]).toEqual([
      'cache-unusable',
      ['Behind on Evolve2', 'Spares in Berlin'],
    ])
  })
  it('are named on the button, which shows when one was changed', async () => {
    await stored()
    const menu = mount(SavedViewsMenu, {
      props: { list: 'devices', ...state, where: 'location:Berlin tag:spare' },
      global: { plugins: [i18n], stubs: { teleport: true } },
    })
    await settle()
    expect(menu.get('button').text()).toMatch(/Spares in Berlin$/)
    const store = useSavedViews()
    const spares = store.views.devices?.find(({ name }) => name === 'Spares in Berlin')
    store.choose('devices', `saved ${spares?.id}`)
    await menu.setProps({ where: 'location:Berlin tag:spare anna' })
    expect(menu.get('button').text()).toMatch(/Spares in Berlinchanged$/)
    await menu.setProps({ where: 'tag:spare' })
    expect(menu.get('button').text()).toMatch(/Spares in Berlinchanged$/)
    await menu.setProps({ where: 'fw:behind status:online' })
    expect(menu.get('button').text()).toBe('Views')
    await menu.setProps({ where: '' })
    expect(menu.get('button').text()).toBe('Views')
  })
})
