import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { openSyncedCore, type ConnectedCore } from '../../connected-core.ts'

let opened: ConnectedCore
let core: Core
beforeEach(async () => {
  opened = await openSyncedCore({ devices: 120, rooms: 8 })
  ;({ core } = opened)
})
afterEach(() => opened.close())

const matching = async (where: string) => {
  const { rows, total } = await core.handlers.devices.slice({
    where,
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 500,
  })
  return { total, ids: rows.map(({ id }) => id), tags: [...new Set(rows.flatMap(({ tags }) => tags))] }
}

test('everything that matches a filter is tagged, except the exceptions, and found again by its tag', async () => {
  const { total, ids } = await matching('status:online')
  const selection = { kind: 'matching', where: 'status:online', except: [ids[0]!] } as const
  const change = await core.handlers.tags.change({ selection, add: ['Spåre'], remove: [] })
  expect(change.changed).toBe(total - 1)
  expect(await matching('tag:SPARE')).toEqual({ total: total - 1, ids: ids.slice(1), tags: ['Spåre'] })
  expect((await matching('!tag:spare')).total).toBe(120 - (total - 1))
  await core.handlers.tags.undo({ undo: change.undo! })
  expect((await matching('tag:spare')).total).toBe(0)
})

test('a renamed tag is found by its new name at once', async () => {
  const { ids } = await matching('')
  await core.handlers.tags.change({
    selection: { kind: 'picked', ids: ids.slice(0, 3) },
    add: ['shelf'],
    remove: [],
  })
  await core.handlers.tags.rename({ from: 'shelf', to: 'to: "b"'.replaceAll('"', "'") })
  expect([(await matching('tag:shelf')).total, (await matching(`tag:"to: 'b'"`)).total]).toEqual([0, 3])
  await core.handlers.tags.remove({ name: `to: 'b'` })
})

test('a pasted list is a filter', async () => {
  const { rows } = await core.handlers.devices.slice({
    where: '',
    sort: [{ column: 'serialNumber', descending: false }],
    start: 0,
    count: 2,
  })
  const text = rows.map(({ serialNumber }) => serialNumber?.toLowerCase()).join(';')
  const { name, found, notFound } = await core.handlers.lists.paste({
    text: `${text};nowhere`,
    keep: true,
    name: 'Visit 1',
  })
  expect({ name, found, notFound }).toEqual({ name: 'Visit 1', found: 2, notFound: ['nowhere'] })
  expect((await matching('list:"visit 1"')).ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  await core.handlers.lists.remove({ name: 'VISIT 1' })
  expect((await matching('list:"visit 1"')).total).toBe(0)
})

test('a note on a device is in its row, searchable and sortable, and is no tag', async () => {
  const { ids } = await matching('')
  const [first = '', second = ''] = ids
  await core.handlers.devices.setNote({ id: first, note: 'Loan to Åse, until May' })
  const { note, tags } = await core.handlers.devices.setNote({ id: second, note: 'battery' })
  const [found, none] = [await matching('note:åse'), await matching('note:""')]
  const { rows } = await core.handlers.devices.slice({
    where: '!note:""',
    sort: [{ column: 'note', descending: false }],
    start: 0,
    count: 500,
  })
  await core.handlers.devices.setNote({ id: first, note: null })
  expect([
    note,
    tags,
    found.ids,
    none.total,
    rows.map((row) => row.note),
    (await matching('note:loan')).total,
  ]).toEqual(['battery', [], [first], 118, ['battery', 'Loan to Åse, until May'], 0])
})

test('a removed organization leaves no tag and no list', async () => {
  const { ids } = await matching('')
  await core.handlers.tags.change({
    selection: { kind: 'picked', ids: ids.slice(0, 3) },
    add: ['shelf'],
    remove: [],
  })
  await core.handlers.lists.paste({ text: ids[0]!, keep: true, name: 'Visit' })
  const id = (await core.handlers.app.status()).organizationId!
  await core.handlers.organizations.remove({ id })
  await core.sessions.forget(id, unwatched)
  expect(await core.shared.workbook.query('SELECT * FROM device_mark')).toEqual([])
})
