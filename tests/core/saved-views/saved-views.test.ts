import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { SavedViewDraft } from '../../../electron/contract/api/views.ts'
import { openSavedViews, type SavedViews } from '../../../electron/core/saved-views/saved-views.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { failureOf } from '../../failure-of.ts'

let home: TemporaryHome
let clock: FakeClock
let workbook: Workbook
let views: SavedViews
beforeEach(async () => {
  home = new TemporaryHome()
  clock = new FakeClock()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  views = openSavedViews({ workbook, clock })
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const aView = (name: string, changes: Partial<SavedViewDraft> = {}): SavedViewDraft => ({
  list: 'devices',
  name,
  where: 'status:offline',
  sort: [{ column: 'lastSeenAt', descending: true }],
  columns: ['name', 'status'],
  ...changes,
})
const names = async (): Promise<string[]> => (await views.list('devices')).map(({ name }) => name)

describe('a saved view', () => {
  test('is stored unchanged over a restart', async () => {
    const at = clock.now()
    await views.save(aView(' Offline '))
    await workbook.close()
    workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
    expect(await openSavedViews({ workbook, clock }).list('devices')).toEqual([
      {
        id: 1,
        list: 'devices',
        name: 'Offline',
        where: 'status:offline',
        sort: [{ column: 'lastSeenAt', descending: true }],
        columns: ['name', 'status'],
        createdAt: at,
      },
    ])
  })

  test('of the same name, in any case, is replaced and keeps its id', async () => {
    await views.save(aView('Ånd'))
    await views.save(aView('AND', { where: 'gone:yes', columns: null }))
    expect(
      (await views.list('devices')).map(({ id, name, where, columns }) => ({ id, name, where, columns })),
    ).toEqual([{ id: 1, name: 'AND', where: 'gone:yes', columns: null }])
  })

  test('of another list may have the same name', async () => {
    await views.save(aView('Trouble'))
    expect((await views.save(aView('Trouble', { list: 'rooms' }))).map(({ list }) => list)).toEqual(['rooms'])
    expect(await names()).toEqual(['Trouble'])
  })

  test('is listed by name in natural order', async () => {
    for (const name of ['Floor 10', 'floor 9', 'Årsskifte']) await views.save(aView(name))
    expect(await names()).toEqual(['Årsskifte', 'floor 9', 'Floor 10'])
  })

  test('keeps a filter that cannot be parsed', async () => {
    expect((await views.save(aView('Later', { where: 'colour:blue "' }))).map(({ where }) => where)).toEqual([
      'colour:blue "',
    ])
  })

  test('can be renamed, also to another spelling of its own name', async () => {
    await views.save(aView('one'))
    await views.rename(1, 'One')
    expect((await views.rename(1, ' ONE two ')).map(({ name }) => name)).toEqual(['ONE two'])
  })

  test('cannot take the name of another', async () => {
    await views.save(aView('one'))
    await views.save(aView('two'))
    expect(await failureOf(views.rename(1, 'TWO'))).toEqual({
      kind: 'invalid',
      field: 'name',
      message: 'Another saved view of this list has this name already.',
    })
    expect(await names()).toEqual(['one', 'two'])
  })

  test('can be removed', async () => {
    await views.save(aView('one'))
    expect(await views.remove(1)).toEqual([])
  })

  test.each([
    ['renamed', () => views.rename(7, 'x')],
    ['removed', () => views.remove(7)],
  ])('that does not exist cannot be %s', async (_, work) => {
    expect(await failureOf(work())).toEqual({ kind: 'not-found', call: null, what: 'saved view' })
  })

  it.each([
    ['', 'Enter a name.'],
    ['x'.repeat(61), 'A name can have at most 60 characters. This one has 61.'],
    ['a\nb', 'A name cannot contain line breaks, tabs or other control characters.'],
    ['\u0301', 'A name needs at least one letter, digit or symbol.'],
  ])('named %j is rejected', async (name, message) => {
    expect(await failureOf(views.save(aView(name)))).toEqual({ kind: 'invalid', field: 'name', message })
  })

  test('beyond the two hundredth is rejected, but an existing one can be replaced', async () => {
    await workbook.write((transaction) => {
      for (let number = 1; number <= 200; number++)
        transaction.run(
          `INSERT INTO saved_view (list, name, name_folded, filter, sort, created_at) VALUES ('changes', ?1, ?1, '', '[]', 1)`,
          [`v${number}`],
        )
    })
    expect(await failureOf(views.save(aView('more')))).toEqual({
      kind: 'invalid',
      field: 'name',
      message: 'There are already 200 saved views, which is the maximum. Remove one first.',
    })
    expect(await views.save(aView('V7', { list: 'changes' }))).toHaveLength(200)
  })

  it.each([
    ['{', '{'],
    ['null', '7'],
    ['"x"', 'null'],
  ])('with altered sort %s and columns %s is loaded without them', async (sort, columns) => {
    await views.save(aView('one'))
    await workbook.write((transaction) =>
      transaction.run('UPDATE saved_view SET sort = ?, columns = ?', [sort, columns]),
    )
    expect((await views.list('devices')).map((view) => [view.sort, view.columns])).toEqual([[[], null]])
  })

  test('that was partly altered keeps the readable part', async () => {
    await views.save(aView('one'))
    await workbook.write((transaction) =>
      transaction.run('UPDATE saved_view SET sort = ?, columns = ?', [
        '[{"column":"name"},{"column":7},null,[]]',
        '["name",7,null]',
      ]),
    )
    expect((await views.list('devices')).map((view) => [view.sort, view.columns])).toEqual([
      [[{ column: 'name', descending: false }], ['name']],
    ])
  })
})
