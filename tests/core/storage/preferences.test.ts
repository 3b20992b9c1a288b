import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Preferences } from '../../../electron/contract/api/app.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { ListLayout } from '../../../electron/contract/api/views.ts'
import { gridNames } from '../../../electron/contract/view.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let workbook: Workbook
const open = (): Promise<Workbook> =>
  openWorkbook({ clock: new FakeClock(), databases: home.databases, log: { write: () => undefined } })
beforeEach(async () => {
  home = new TemporaryHome()
  workbook = await open()
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const asTheyCome: Preferences = {
  theme: 'system',
  contrast: 'regular',
  density: 'regular',
  language: 'en',
  timeZone: null,
  syncEveryInMinutes: 15,
  staleAfterInHours: 24,
  downloadsAtOnce: 3,
  downloadFolder: null,
  exportFormat: 'csv',
  exportDelimiter: ',',
  notifications: [],
  roomDownAfterInMinutes: 10,
  quietHours: null,
  layouts: {},
  drawerWidth: null,
  lastPage: null,
}
const layout: ListLayout = {
  columns: [{ column: 'name', width: 200, pinned: true }],
  sort: [{ column: 'name', descending: true }],
}
const stored = (name: string, value: string): Promise<unknown> =>
  workbook.write((transaction) =>
    transaction.run('INSERT INTO preference (name, value) VALUES (?, ?)', [name, value]),
  )

describe('preferences', () => {
  test('of a new workbook are the defaults', async () => {
    expect(await workbook.preferences()).toEqual(asTheyCome)
  })

  test('change one by one and are stored over a restart', async () => {
    await workbook.setPreferences({ theme: 'dark', timeZone: 'Europe/Copenhagen' })
    const all = await workbook.setPreferences({ lastPage: '/devices?where=aarhus', staleAfterInHours: 48 })
    expect(all).toEqual({
      ...asTheyCome,
      theme: 'dark',
      timeZone: 'Europe/Copenhagen',
      lastPage: '/devices?where=aarhus',
      staleAfterInHours: 48,
    })
    await workbook.close()
    workbook = await open()
    expect(await workbook.preferences()).toEqual(all)
  })

  it.each([
    ['theme', '"purple"'],
    ['theme', '["dark"]'],
    ['contrast', 'true'],
    ['density', 'nonsense{'],
    ['language', '"da"'],
    ['timeZone', '"Mars/Olympus"'],
    ['timeZone', '"+01:00"'],
    ['timeZone', '7'],
    ['syncEveryInMinutes', '0'],
    ['syncEveryInMinutes', '1441'],
    ['syncEveryInMinutes', '1.5'],
    ['syncEveryInMinutes', '"15"'],
    ['staleAfterInHours', '-1'],
    ['staleAfterInHours', '1e300'],
    ['exportFormat', '"pdf"'],
    ['exportDelimiter', '"x"'],
    ['notifications', '["rain"]'],
    ['roomDownAfterInMinutes', '0'],
    ['quietHours', '{"from":1440,"to":60}'],
    ['lastPage', '{"page":1}'],
    ['layouts', 'null'],
    ['layouts', '[1]'],
    ['layouts', '{"devices":null,"rooms":[],"changes":"x"}'],
    ['layouts', '{"devices":{"columns":[{"width":3}],"sort":[]}}'],
    ['layouts', '{"__proto__":{"columns":[{"column":"name"}]},"phones":{"columns":[{"column":"name"}]}}'],
    ['window', '{"theme":"dark"}'],
    ['toString', '1'],
  ])('%s with the altered value %s is the default', async (name, value) => {
    await stored(name, value)
    expect(await workbook.preferences()).toEqual(asTheyCome)
  })

  test('keep the valid part of an altered layout', async () => {
    const columns = [
      { column: 'name', width: 5, pinned: 'yes' },
      { column: 'status', width: 80, pinned: true },
      { column: 7 },
      null,
      { column: 'name' },
      { column: '' },
    ]
    await stored(
      'layouts',
      JSON.stringify({
        devices: { columns, sort: [{ column: 'name' }, 'x', { column: 'name', descending: true }] },
        rooms: { columns: [] },
      }),
    )
    expect((await workbook.preferences()).layouts).toEqual({
      devices: {
        columns: [
          { column: 'name', width: null, pinned: false },
          { column: 'status', width: 80, pinned: true },
        ],
        sort: [{ column: 'name', descending: false }],
      },
    })
  })

  test('store the columns of every grid, also of one without saved views', async () => {
    const changed = { columns: [{ column: 'what', width: 200, pinned: true }], sort: [] }
    const layouts = Object.fromEntries(gridNames.map((grid) => [grid, changed]))
    await workbook.setPreferences({ layouts })
    expect((await workbook.preferences()).layouts).toEqual(layouts)
  })

  test('store at most sixty columns and four sort keys of a list', async () => {
    const many = Array.from({ length: 70 }, (_, index) => ({ column: `c${index}` }))
    await stored('layouts', JSON.stringify({ rooms: { columns: many, sort: many } }))
    const { rooms } = (await workbook.preferences()).layouts
    expect([rooms?.columns.length, rooms?.sort.length]).toEqual([60, 4])
  })

  test('of one list do not affect the layouts of others', async () => {
    await workbook.setPreferences({ layouts: { devices: layout } })
    expect((await workbook.setPreferences({ layouts: { rooms: layout } })).layouts).toEqual({
      devices: layout,
      rooms: layout,
    })
  })

  test('of a list without selected columns keep its order and its group', async () => {
    const sorted = { columns: [], sort: [{ column: 'status', descending: true }] }
    const grouped = { columns: [], sort: [], group: 'location' }
    await workbook.setPreferences({ layouts: { devices: sorted, rooms: grouped } })
    expect((await workbook.preferences()).layouts).toEqual({ devices: sorted, rooms: grouped })
  })

  test('of a list without columns, order and group restore its default', async () => {
    await workbook.setPreferences({ layouts: { devices: layout, rooms: layout } })
    expect(
      (await workbook.setPreferences({ layouts: { devices: { columns: [], sort: [] } } })).layouts,
    ).toEqual({ rooms: layout })
  })

  it.each(['Mars/Olympus', '', '+01:00', 'Europe/Copenhagen; DROP TABLE preference'])(
    'reject %j as a time zone and change nothing',
    async (timeZone) => {
      const error: unknown = await workbook
        .setPreferences({ theme: 'dark', timeZone })
        .catch((thrown: unknown) => thrown)
      expect(error instanceof Failed ? error.failure : error).toEqual({
        kind: 'invalid',
        field: 'timeZone',
        message: 'There is no time zone with this name. Write it like Europe/Copenhagen.',
      })
      expect(await workbook.preferences()).toEqual(asTheyCome)
    },
  )
})

describe('values stored by a platform', () => {
  test('are stored over a restart, and are no preference', async () => {
    await workbook.remember('window', { width: 900 })
    await workbook.close()
    workbook = await open()
    expect([await workbook.remembered('window'), await workbook.preferences()]).toEqual([
      { width: 900 },
      asTheyCome,
    ])
  })

  test.each(['', '{', 'undefined'])('altered to %j are empty', async (value) => {
    await stored('window', value)
    expect(await workbook.remembered('window')).toBeNull()
  })
})
