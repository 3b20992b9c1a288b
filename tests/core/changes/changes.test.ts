import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dropOldChanges, openChanges } from '../../../electron/core/changes/changes.ts'
import { followedOwnWrite } from '../../../electron/core/changes/own-writes.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { FakeClock } from '../../fake-clock.ts'
import { day, everything, History, organizationId } from './a-history.ts'
import { failureOf } from '../../failure-of.ts'

let history: History
beforeEach(async () => {
  history = new History()
  await history.open()
  await history.record([
    { at: 10 * day, kind: 'went-offline', id: 'D1', before: 'online', after: 'offline' },
    { at: 20 * day, kind: 'back-online', id: 'D1', before: 'offline', after: 'online' },
    { at: 20 * day, kind: 'appeared', id: 'D2' },
    { at: 20 * day, kind: 'gone', id: 'D1', organizationId: 'other' },
  ])
})
afterEach(() => history.close())

describe('the changes of one device', () => {
  it('are listed newest first', async () => {
    expect(await history.changes.forSubject(organizationId, 'device', 'D1')).toEqual([
      {
        id: 2,
        of: 'device',
        subjectId: 'D1',
        subjectName: 'Name of D1',
        kind: 'back-online',
        before: 'offline',
        after: 'online',
        observedAt: 20 * day,
      },
      {
        id: 1,
        of: 'device',
        subjectId: 'D1',
        subjectName: 'Name of D1',
        kind: 'went-offline',
        before: 'online',
        after: 'offline',
        observedAt: 10 * day,
      },
    ])
  })
})

describe('all changes', () => {
  it('of a store whose counts fail are one failure, and none that nobody reads', async () => {
    const { store, workbook, clock } = history
    const broken = new Error('the disk fails')
    const database: typeof store.database = {
      ...store.database,
      durable: store.database.durable,
      query: (sql, ...more) =>
        sql.includes('count(*)') ? Promise.reject(broken) : store.database.query(sql, ...more),
    }
    const changes = openChanges({ store: { ...store, database }, workbook, clock })
    const unread: unknown[] = []
    const note = (error: unknown): void => void unread.push(error)
    process.on('unhandledRejection', note)
    const query = { where: '', since: 'looked' } as const
    const failed = await changes.groups(organizationId, query).catch((error: unknown) => error)
    await new Promise((later) => setImmediate(later))
    process.off('unhandledRejection', note)
    expect([failed, unread]).toEqual([broken, []])
  })

  it('since a moment include that moment and belong to one organization', async () => {
    expect((await history.changes.since(organizationId, 20 * day)).map(({ id }) => id)).toEqual([3, 2])
    expect((await history.rows({ since: 20 * day })).map(({ id }) => id)).toEqual([3, 2])
    expect((await history.rows({ since: 20 * day + 1 })).map(({ id }) => id)).toEqual([])
  })

  it('older than 400 days are removed', async () => {
    await history.store.database.write((transaction) =>
      dropOldChanges(transaction, organizationId, 415 * day),
    )
    expect((await history.rows({})).map(({ id }) => id)).toEqual([3, 2])
  })

  it('are returned in slices with the current device and room', async () => {
    await history.record([
      { at: 30 * day, kind: 'renamed', id: 'D00000003', name: 'Pad', before: 'Old', after: 'Pad' },
      {
        at: 31 * day,
        kind: 'renamed',
        id: 'room-2',
        name: 'Basement',
        of: 'room',
        before: 'Cellar',
        after: 'Basement',
      },
      { at: 32 * day, kind: 'gone', id: 'D00000002', name: 'Headset' },
    ])
    expect(
      await history.changes.slice(organizationId, { ...everything, group: null, start: 0, count: 3 }),
    ).toEqual({
      rows: [
        {
          id: 7,
          of: 'device',
          subjectId: 'D00000002',
          subjectName: 'Headset',
          kind: 'gone',
          before: null,
          after: null,
          observedAt: 32 * day,
          productId: 9395,
          productName: 'Jabra Evolve2 65',
          serialNumber: 'SN000002',
          userName: 'user2',
          room: { id: 'room-2', name: 'Basement' },
          own: false,
          jobId: null,
        },
        {
          id: 6,
          of: 'room',
          subjectId: 'room-2',
          subjectName: 'Basement',
          kind: 'renamed',
          before: 'Cellar',
          after: 'Basement',
          observedAt: 31 * day,
          productId: null,
          productName: null,
          serialNumber: null,
          userName: null,
          room: { id: 'room-2', name: 'Basement' },
          own: false,
          jobId: null,
        },
        {
          id: 5,
          of: 'device',
          subjectId: 'D00000003',
          subjectName: 'Pad',
          kind: 'renamed',
          before: 'Old',
          after: 'Pad',
          observedAt: 30 * day,
          productId: 1,
          productName: 'Café Größe',
          serialNumber: 'SN000003',
          userName: 'user3',
          room: { id: 'room-1', name: 'Århus 3' },
          own: false,
          jobId: null,
        },
      ],
      total: 6,
    })
    expect(
      (
        await history.changes.slice(organizationId, { ...everything, group: null, start: 4, count: 3 })
      ).rows.map(({ id }) => id),
    ).toEqual([2, 1])
  })

  it('are each exported once while new ones arrive', async () => {
    await history.record(
      Array.from({ length: 1_100 }, (_, index) => ({
        at: 30 * day + Math.floor(index / 7),
        kind: 'rebooted' as const,
        id: `E${index}`,
      })),
    )
    const read: number[] = []
    const { total, rows } = await history.changes.all(organizationId, everything)
    await history.record([{ at: 40 * day, kind: 'rebooted', id: 'before the first was read' }])
    for await (const { id } of rows) {
      if (read.length === 100)
        await history.record([{ at: 20 * day, kind: 'rebooted', id: 'observed long ago' }])
      read.push(id)
    }
    const stored = await history.store.database.query(
      `SELECT id FROM change WHERE organization_id = ? AND subject_id NOT IN ('before the first was read', 'observed long ago') ORDER BY observed_at DESC, id DESC`,
      [organizationId],
    )
    expect([total, read]).toEqual([stored.length, stored.map((row) => row['id'])])
  })

  it.each([
    ['start', { start: -1, count: 1, group: null }],
    ['count', { start: 0, count: 501, group: null }],
    ['group', { start: 0, count: 1, group: 'no key' }],
    ['group', { start: 0, count: 1, group: 'null' }],
    [
      'group',
      { start: 0, count: 1, group: '{"from":0,"until":1,"of":"device","kind":"gone","values":[1,2,3]}' },
    ],
    ['where', { start: 0, count: 1, group: null, where: 'kind:lost' }],
  ])('are rejected when %s is not as expected', async (field, query) => {
    expect(await failureOf(history.changes.slice(organizationId, { ...everything, ...query }))).toMatchObject(
      { kind: 'invalid', field },
    )
  })
})

describe('a change after one of our own writes', () => {
  const hourAgo = 20 * day
  const write = async (
    of: 'room' | 'device',
    id: string,
    operation: string,
    deviceIds: readonly string[],
    outcome: 'accepted' | 'refused' | 'unconfirmed' | null,
  ) => {
    const clock = new FakeClock(hourAgo)
    const journal = openJournal({ workbook: history.workbook, clock, who: 'Bo' })
    const organization = { id: organizationId, name: 'Nordlys' }
    const target = { of, id, name: null }
    const line = await journal.begin({
      organization,
      operation,
      target,
      deviceIds,
      before: null,
      after: null,
    })
    if (outcome !== null) await journal.end(line, { outcome, status: 200, message: null })
  }
  const ownAt = async (): Promise<readonly string[]> =>
    (await history.changes.slice(organizationId, { ...everything, group: null, start: 0, count: 3 })).rows
      .filter(({ own }) => own)
      .map(({ kind, subjectId }) => `${kind} ${subjectId}`)

  it.each<[string, 'accepted' | 'refused' | 'unconfirmed' | null, number, readonly string[]]>([
    ['accepted', 'accepted', 60_000, ['back-online D00000002', 'went-offline D00000002']],
    ['not confirmed', 'unconfirmed', 60_000, ['back-online D00000002', 'went-offline D00000002']],
    ['whose end was never written', null, 60_000, ['back-online D00000002', 'went-offline D00000002']],
    ['refused', 'refused', 60_000, []],
    ['seen half an hour later', 'accepted', 30 * 60_000, ['back-online D00000002', 'went-offline D00000002']],
    ['seen more than half an hour later', 'accepted', 30 * 60_000 + 1, []],
    ['seen before it', 'accepted', -1, []],
  ])('is marked as our own: a reboot %s', async (_, outcome, afterInMs, own) => {
    await write('room', 'room-2', 'RebootRoom', ['D00000002'], outcome)
    const at = hourAgo + afterInMs
    await history.record([
      { at, kind: 'renamed', id: 'D00000002' },
      { at, kind: 'went-offline', id: 'D00000002' },
      { at, kind: 'back-online', id: 'D00000002' },
    ])
    expect(await ownAt()).toEqual(own)
  })

  it('is found among 200,000 others', async () => {
    await write('device', 'D00000002', 'UpdateDeviceSettings', ['D00000002'], 'accepted')
    const changes = Array.from({ length: 200_000 }, (_, id) => ({
      id,
      subjectId: `D0000000${id === 7 ? 2 : 3}`,
      kind: 'setting-changed' as const,
      observedAt: hourAgo + 1,
    }))
    expect(await followedOwnWrite(history.workbook, organizationId, changes)).toEqual(new Map([[7, null]]))
  })

  it('is only marked for the written device and the written setting', async () => {
    await write('device', 'D00000002', 'UpdateDeviceSettings', ['D00000002'], 'accepted')
    await history.record([
      { at: hourAgo + 1, kind: 'setting-changed', id: 'D00000003' },
      { at: hourAgo + 1, kind: 'went-offline', id: 'D00000002' },
      { at: hourAgo + 1, kind: 'setting-changed', id: 'D00000002' },
    ])
    expect(await ownAt()).toEqual(['setting-changed D00000002'])
  })
})

describe('what counts as new', () => {
  it('starts with the first change when less than a week is stored', async () => {
    await history.store.forget(organizationId)
    await history.record([
      { at: 14 * day, kind: 'rebooted', id: 'D2' },
      { at: 14 * day + 20 * 60_000, kind: 'rebooted', id: 'D2' },
    ])
    expect((await history.changes.news(organizationId)).since).toBe(14 * day)
  })

  it('is the week before the newest change until the technician marks it as seen', async () => {
    await history.record([{ at: 14 * day, kind: 'rebooted', id: 'D2' }])
    expect((await history.rows({ since: 'looked' })).map(({ id }) => id)).toEqual([3, 2, 5])
    expect(await history.changes.news(organizationId)).toEqual({
      since: 13 * day,
      total: 2,
      kinds: [
        { word: 'appeared', count: 1 },
        { word: 'rebooted', count: 1 },
      ],
    })
    expect((await history.changes.news('other')).total).toBe(1)
  })

  it('is what came after marking as seen, and everything again when that is undone', async () => {
    await history.changes.look(organizationId, { at: 20 * day - 1, id: 1 })
    expect((await history.rows({ since: 'looked' })).map(({ id }) => id)).toEqual([3, 2])
    await history.changes.look(organizationId, { at: 20 * day, id: 4 })
    expect((await history.changes.news(organizationId)).total).toBe(0)
    expect((await history.changes.groups(organizationId, { where: '', since: 'looked' })).seen).toEqual({
      at: 20 * day,
      id: 4,
    })
    expect((await history.changes.news('other')).total).toBe(1)
    await history.changes.look(organizationId, null)
    expect((await history.changes.news(organizationId)).total).toBe(1)
  })

  it('is also what was received before marking as seen, and written after', async () => {
    const { newestId } = await history.changes.groups(organizationId, { where: '', since: 'looked' })
    await history.changes.look(organizationId, { at: 30 * day, id: newestId })
    const previous = (await history.changes.news(organizationId)).total
    await history.record([{ at: 30 * day - 500, kind: 'rebooted', id: 'D2' }])
    expect([previous, await history.changes.news(organizationId)]).toEqual([
      0,
      { since: 30 * day + 1, total: 1, kinds: [{ word: 'rebooted', count: 1 }] },
    ])
    expect((await history.rows({ since: 'looked' })).map(({ id }) => id)).toEqual([newestId + 1])
  })

  it('is what came after marking as seen in a new store, whose ids begin again', async () => {
    await history.changes.look(organizationId, { at: 20 * day - 1, id: 1_000 })
    expect((await history.rows({ since: 'looked' })).map(({ id }) => id)).toEqual([3, 2])
  })

  it('is nothing when nothing is stored', async () => {
    await history.store.forget(organizationId)
    expect(await history.changes.news(organizationId)).toEqual({ since: null, total: 0, kinds: [] })
    expect(await history.changes.groups(organizationId, { where: '', since: 'looked' })).toEqual({
      groups: [],
      total: 0,
      folded: 0,
      kinds: [],
      byWhom: [],
      seen: null,
      newestId: 4,
      oldestAt: null,
    })
  })
})
