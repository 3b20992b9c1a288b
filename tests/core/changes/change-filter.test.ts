import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { changeSortColumns, type ChangeSortColumn } from '../../../electron/contract/fields/change.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { day, History, hour, organizationId } from './a-history.ts'

const history = new History()
afterAll(() => history.close())

/** Ids of the changes of the last day, in each order. */
const ordered: Readonly<Record<ChangeSortColumn, string>> = {
  observedAt: '5 6 7 8 9',
  of: '8 7 6 5 9',
  kind: '7 9 5 6 8',
  subjectName: '9 7 5 6 8',
  before: '5 9 8 7 6',
  after: '5 9 6 8 7',
  productName: '7 6 5 9 8',
  serialNumber: '5 6 7 8 9',
  userName: '5 6 7 8 9',
  roomName: '9 7 5 6 8',
  subjectId: '5 6 7 8 9',
}

describe('a filter', () => {
  beforeAll(async () => {
    await history.open()
    const now = history.clock.now()
    await history.record([
      { at: 10 * day, kind: 'went-offline', id: 'D1', before: 'online', after: 'offline' },
      { at: 20 * day, kind: 'back-online', id: 'D1', before: 'offline', after: 'online' },
      { at: 20 * day, kind: 'rebooted', id: 'D2' },
      { at: 20 * day, kind: 'gone', id: 'D1', organizationId: 'other' },
      {
        at: now - 5 * hour,
        kind: 'firmware-changed',
        id: 'D00000001',
        name: 'Ærø bar',
        before: '4.2.0.9',
        after: '4.2.0.21',
      },
      {
        at: now - 4 * hour,
        kind: 'moved-room',
        id: 'D00000002',
        name: 'Headset',
        before: null,
        after: 'Größe 100%',
      },
      { at: now - 3 * hour, kind: 'gone', id: 'D00000003', name: 'Pad' },
      { at: now - 2 * hour, kind: 'appeared', id: 'D00000004', name: 'New_one' },
      {
        at: now - 1 * hour,
        kind: 'went-offline',
        id: 'room-1',
        name: 'Århus 3',
        of: 'room',
        before: 'connected',
        after: 'disconnected',
      },
    ])
    await history.workbook.write((transaction) => {
      for (const [device, word] of [
        ['D00000001', 'spare'],
        ['D00000002', 'åbent'],
      ] as const)
        transaction.run(
          'INSERT INTO device_mark (organization_id, kind, word, device_id, name) VALUES (?, ?, ?, ?, ?)',
          [organizationId, 'tag', word.normalize('NFKD').replaceAll(/\p{M}/gu, ''), device, word],
        )
    })
  })

  // 5 firmware, 6 moved, 7 gone, 8 appeared, 9 room; 1 to 3 are our own, half a century old.
  it.each([
    ['kind:gone,appeared', '8 7'],
    ['KIND:Gone', '7'],
    ['of:room', '9'],
    ['!of:room age:<1d', '8 7 6 5'],
    ['name:ARO', ''],
    ['name:"ærø"', '5'],
    ['name:Ærø', '5'],
    ['name:arhus', '9'],
    ['name:="Pad"', '7'],
    ['name:="Pa"', ''],
    ['name:_', '8'],
    ['before:connected', '9'],
    ['before:"" age:<1d', '8 7 6'],
    ['after:grosse', ''],
    ['after:größe', '6'],
    ['after:%', '6'],
    ['after:=4.2.0.21', '5'],
    ['!after:4.2 age:<1d', '9 8 7 6'],
    ['product:panacast', '5'],
    ['product:CAFE', '7'],
    ['product:="jabra evolve2 65"', '6'],
    ['product:"" age:<1d', '9 8'],
    ['!product:jabra age:<1d', '9 8 7'],
    ['room:århus', '9 7 5'],
    ['room:="arhus 3"', '9 7 5'],
    ['room:basement', '6'],
    ['room:"" age:<1d', '8'],
    ['room:nowhere', ''],
    ['tag:SPARE', '5'],
    ['tag:åbent,spare', '6 5'],
    ['tag:"" age:<1d', '9 8 7'],
    ['!tag:spare age:<1d', '9 8 7 6'],
    ['id:d00000001', '5'],
    ['id:D0000000', ''],
    ['id:room-1', '9'],
    ['age:<=150min', '9 8'],
    ['age:>=4h age:<1w', '6 5'],
    ['headset', '6'],
    ['cafe', '7'],
    ['disconnected', '9'],
    ['!cafe age:<1d', '9 8 6 5'],
    ['4.2.0 panacast', '5'],
    ['"%"', '6'],
    ["'); DROP TABLE change; --", ''],
  ])('%s finds its matches', async (where, found) => {
    expect(await history.found(where)).toBe(found)
  })

  it.each(changeSortColumns)(
    'orders by %s: in slices as in files, the newest of equal ones first',
    async (column) => {
      const query = { where: 'age:<1d', since: null, sort: [{ column, descending: false }] }
      const { rows } = await history.changes.all(organizationId, query)
      const all: number[] = []
      for await (const { id } of rows) all.push(id)
      const slice = async (start: number) =>
        (await history.changes.slice(organizationId, { ...query, group: null, start, count: 3 })).rows.map(
          ({ id }) => id,
        )
      expect([all.join(' '), [...(await slice(0)), ...(await slice(3))]]).toEqual([ordered[column], all])
    },
  )

  it('order follows what is recorded', async () => {
    const own = new History()
    onTestFinished(() => own.close())
    await own.open()
    const first = async () =>
      (await own.rows({ where: 'kind:renamed', sort: [{ column: 'after', descending: true }] })).map(
        ({ id }) => id,
      )
    const before = await first()
    await own.record([
      { at: own.clock.now(), kind: 'renamed', id: 'D00000001', before: 'b', after: 'a' },
      { at: own.clock.now(), kind: 'renamed', id: 'D00000002', before: 'a', after: 'b' },
    ])
    expect([before, await first()]).toEqual([[], [2, 1]])
  })

  it('reports what is wrong and where when it cannot be parsed', async () => {
    const failure: unknown = await history.changes
      .groups(organizationId, { where: 'bar kind:lost', since: null })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failed)
    expect((failure as Failed).failure).toMatchObject({
      kind: 'invalid',
      field: 'where',
      message: expect.stringMatching(/lost.* at character \d+: .*gone/) as string,
    })
  })
})
