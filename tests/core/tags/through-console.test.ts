import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type Console } from '../../../electron/core/console.ts'
import { startDemonstration, type Demonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { aHost } from '../../a-host.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let service: Demonstration
let console: Console
beforeAll(async () => {
  home = new TemporaryHome()
  service = await startDemonstration({ now: fromMorning(), devices: 120, rooms: 8 })
  console = await openConsole(aHost(home, { demonstration: async () => service }))
  const preset = (await console.answers.organizations.list()).presets.find(
    ({ name }) => name === 'demonstration',
  )
  await console.answers.organizations.add({ ...preset!.draft, name: 'Demonstration' })
  await console.answers.sync.run()
})
afterAll(async () => {
  await console.close()
  await service.stop()
  await home.remove()
})

const matching = async (where: string) => {
  const { rows, total } = await console.answers.devices.window({
    where,
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 500,
  })
  return { total, ids: rows.map(({ id }) => id), tags: [...new Set(rows.flatMap(({ tags }) => tags))] }
}

test('everything that matches a filter is tagged, but for the exceptions, and found again by its tag', async () => {
  const { total, ids } = await matching('status:online')
  const selection = { kind: 'matching', where: 'status:online', except: [ids[0]!] } as const
  const change = await console.answers.tags.change({ selection, add: ['Spåre'], remove: [] })
  expect(change.changed).toBe(total - 1)
  expect(await matching('tag:SPARE')).toEqual({ total: total - 1, ids: ids.slice(1), tags: ['Spåre'] })
  expect((await matching('!tag:spare')).total).toBe(120 - (total - 1))
  await console.answers.tags.undo({ undo: change.undo! })
  expect((await matching('tag:spare')).total).toBe(0)
})

test('a renamed tag is found by its new name at once', async () => {
  const { ids } = await matching('')
  await console.answers.tags.change({
    selection: { kind: 'picked', ids: ids.slice(0, 3) },
    add: ['shelf'],
    remove: [],
  })
  await console.answers.tags.rename({ from: 'shelf', to: 'to: "b"'.replaceAll('"', "'") })
  expect([(await matching('tag:shelf')).total, (await matching(`tag:"to: 'b'"`)).total]).toEqual([0, 3])
  await console.answers.tags.remove({ name: `to: 'b'` })
})

test('a pasted list is a filter', async () => {
  const { rows } = await console.answers.devices.window({
    where: '',
    sort: [{ column: 'serialNumber', descending: false }],
    start: 0,
    count: 2,
  })
  const text = rows.map(({ serialNumber }) => serialNumber?.toLowerCase()).join(';')
  const { name, found, notFound } = await console.answers.lists.paste({
    text: `${text};nowhere`,
    keep: true,
    name: 'Visit 1',
  })
  expect({ name, found, notFound }).toEqual({ name: 'Visit 1', found: 2, notFound: ['nowhere'] })
  expect((await matching('list:"visit 1"')).ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  await console.answers.lists.remove({ name: 'VISIT 1' })
  expect((await matching('list:"visit 1"')).total).toBe(0)
})

test('a removed organization leaves no tag and no list', async () => {
  const { ids } = await matching('')
  await console.answers.tags.change({
    selection: { kind: 'picked', ids: ids.slice(0, 3) },
    add: ['shelf'],
    remove: [],
  })
  await console.answers.lists.paste({ text: ids[0]!, keep: true, name: 'Visit' })
  const id = (await console.answers.app.standing()).organizationId!
  await console.answers.organizations.remove({ id })
  await console.desks.forget(id)
  const { store, workbook } = console.shared
  const left = await Promise.all([
    ...['device_mark', 'device_mark_stamp'].map((table) => store.database.read(`SELECT * FROM ${table}`)),
    ...['tag', 'tagged_device', 'device_list', 'listed_device', 'device_mark_stamp'].map((table) =>
      workbook.read(`SELECT * FROM ${table}`),
    ),
  ])
  expect(left).toEqual([[], [], [], [], [], [], []])
})
