import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openChanges, type Changes } from '../../../electron/core/changes/changes.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, notFound, offline, refused400, unavailable } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from '../rooms/no-notes.ts'
import { failureOf } from '../../failure-of.ts'

const organizationId = 'org'
const many = (from: number, to: number, changes = {}) =>
  Array.from({ length: to - from }, (_, index) => aDevice(from + index, changes))

let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
let devices: Devices
let rooms: Rooms
let workbook: Workbook
let changes: Changes

beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  sync = await openSync({ clock, management, store, organizationId, changed: (id) => devices.changed(id) })
  devices = openDevices({ store, clock })
  rooms = openRooms({ store, workbook: noNotes, clock })
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  changes = openChanges({ store, workbook, clock })
})
afterEach(async () => {
  await sync.close()
  await workbook.close()
  await home.remove()
})

const names = async (): Promise<string[]> => {
  const window = await devices.slice(organizationId, {
    where: '',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 500,
  })
  return window.rows.map((row) => row.name)
}
const changeKinds = async (): Promise<string[]> =>
  (await changes.since(organizationId, 0))
    .map((change) => `${change.subjectId} ${change.kind} ${change.before}>${change.after}`)
    .sort()

describe('a complete sync', () => {
  it('reads both device streams and the rooms and reports it', async () => {
    management.devices = { MeetingRoom: many(0, 250), Personal: many(250, 300) }
    management.rooms = [aRoom(1), aRoom(2)]
    const startedAt = clock.now()
    expect(await sync.run()).toEqual({
      complete: true,
      devices: { read: 300, unreadable: 0, gone: 0 },
      rooms: { read: 2, unreadable: 0, gone: 0 },
      calls: 5,
      startedAt,
      finishedAt: startedAt,
    })
  })

  it('requests the next page before the last one is written, and shows the first page before it requests the third', async () => {
    management.devices.MeetingRoom = many(0, 400)
    const seen: string[] = []
    management.before = async ({ what, token }) => {
      if (what !== 'MeetingRoom') return
      const [row] = await store.database.query('SELECT count(*) AS n FROM device_row')
      seen.push(`${token}:${String(row?.['n'])}`)
    }
    await sync.run()
    expect(seen[1]).toBe('100:0')
    expect(seen[2]).not.toBe('200:0')
    expect(seen).toHaveLength(4)
  })

  it('counts a device of two streams once', async () => {
    management.devices = { MeetingRoom: many(0, 3), Personal: many(2, 4) }
    expect((await sync.run()).devices).toEqual({ read: 4, unreadable: 0, gone: 0 })
  })

  it('keeps and counts unreadable records', async () => {
    management.devices.MeetingRoom = [aDevice(1), 'text', { name: 'no id' }, null]
    management.rooms = [{ id: '   ' }]
    const report = await sync.run()
    expect([report.complete, report.devices, report.rooms]).toEqual([
      true,
      { read: 1, unreadable: 3, gone: 0 },
      { read: 0, unreadable: 1, gone: 0 },
    ])
    expect((await sync.unreadable()).map(({ of, why, raw }) => `${of} ${why} ${raw}`)).toEqual([
      'device not-an-object "text"',
      'device no-usable-id {"name":"no id"}',
      'device not-an-object null',
      'room no-usable-id {"id":"   "}',
    ])
  })

  it('counts an unreadable record of two streams once, and one repeated in a stream twice', async () => {
    management.devices = { MeetingRoom: [null, null, 'text'], Personal: [null, 'text', 7] }
    expect((await sync.run()).devices).toEqual({ read: 0, unreadable: 4, gone: 0 })
  })

  it('joins the running sync', async () => {
    management.devices.MeetingRoom = many(0, 5)
    expect(await Promise.all([sync.run(), sync.run()])).toHaveLength(2)
    expect(management.requested).toHaveLength(3)
  })

  it('never reports the first reading of a fleet as changes', async () => {
    management.devices.MeetingRoom = many(0, 5)
    management.rooms = [aRoom(1)]
    await sync.run()
    expect(await changeKinds()).toEqual([])
  })

  it('without differences keeps the previous report, also for the next program', async () => {
    management.devices.MeetingRoom = [aDevice(1), null]
    await sync.run()
    management.fault = () => unavailable
    await failureOf(sync.run())
    const again = await openSync({ clock, management, store, organizationId })
    const stored = again.state().last
    await again.close()
    expect([sync.state().last?.devices, stored?.devices]).toEqual(
      Array.from({ length: 2 }, () => ({ read: 1, unreadable: 1, gone: 0 })),
    )
  })
})

describe('the second sync', () => {
  it('with the words of a status in another case reports no change', async () => {
    management.devices.MeetingRoom = [aDevice(0, { deviceConnectionStatus: 'Hibernating' })]
    management.rooms = [aRoom(1, { status: 'Degraded' })]
    await sync.run()
    management.devices.MeetingRoom = [aDevice(0, { deviceConnectionStatus: 'HIBERNATING' })]
    management.rooms = [aRoom(1, { status: 'degraded ' })]
    await sync.run()
    expect(await changeKinds()).toEqual([])
  })

  it('reports no change of a firmware version that is not told any more, but the next one', async () => {
    management.devices.MeetingRoom = [aDevice(1, { firmwareVersion: '1.0.0' })]
    await sync.run()
    management.devices.MeetingRoom = [aDevice(1, { firmwareVersion: null })]
    await sync.run()
    const without = await changeKinds()
    management.devices.MeetingRoom = [aDevice(1, { firmwareVersion: '2.0.0' })]
    await sync.run()
    expect([without, await changeKinds()]).toEqual([[], ['D00000001 firmware-changed 1.0.0>2.0.0']])
  })

  it('reports what changed', async () => {
    management.devices.MeetingRoom = many(0, 9)
    management.rooms = [aRoom(1), aRoom(2)]
    await sync.run()
    await clock.advance(60_000)
    management.devices.MeetingRoom = [
      aDevice(0, { deviceConnectionStatus: 'Offline' }),
      aDevice(1, { firmwareVersion: '4.2.0.21' }),
      aDevice(2, { name: 'Renamed' }),
      aDevice(3, { groupId: 'group-1' }),
      aDevice(4, { deviceConnectionStatus: 'Rebooting' }),
      aDevice(5, { deviceConnectionStatus: null, isConnected: null }),
      aDevice(6, { deviceConnectionStatus: 'Sleeping' }),
      aDevice(7),
      aDevice(9),
    ]
    management.rooms = [aRoom(1, { status: 'Disconnected' })]
    const report = await sync.run()
    expect([report.devices.gone, report.rooms.gone]).toEqual([1, 1])
    expect(await changeKinds()).toEqual([
      'D00000000 went-offline online>offline',
      'D00000001 firmware-changed 4.2.0.9>4.2.0.21',
      'D00000002 renamed Device 2>Renamed',
      'D00000003 moved-room null>Room 1',
      'D00000004 rebooted online>rebooting',
      'D00000006 status-changed online>Sleeping',
      'D00000008 gone null>null',
      'D00000009 appeared null>null',
      'room-1 went-offline connected>disconnected',
      'room-2 gone null>null',
    ])
  })

  it('keeps gone devices with the date, hidden by default, and reports when they come back', async () => {
    management.devices.MeetingRoom = many(0, 2)
    await sync.run()
    management.devices.MeetingRoom = many(0, 1)
    await clock.advance(60_000)
    await sync.run()
    expect(await names()).toEqual(['Device 0'])
    expect(await devices.get(organizationId, 'D00000001')).toMatchObject({
      gone: true,
      goneAt: clock.now(),
      name: 'Device 1',
    })
    management.devices.MeetingRoom = many(0, 2)
    await sync.run()
    expect(await names()).toEqual(['Device 0', 'Device 1'])
    expect(await changeKinds()).toEqual(['D00000001 came-back null>null', 'D00000001 gone null>null'])
  })

  it('a room without a group id is known by its id alone', async () => {
    management.rooms = [aRoom(1), aRoom(2, { deviceGroupId: null })]
    const { rooms: report } = await sync.run()
    const [one, two] = await Promise.all(['room-1', 'room-2'].map((id) => rooms.find(organizationId, id)))
    expect([report.read, one?.groupIds, two?.groupIds]).toEqual([2, ['group-1'], []])
    const aliases = await store.database.query(`SELECT alias FROM record_alias WHERE kind = 'room'`, [])
    expect(aliases).toEqual([{ alias: 'group-1' }])
  })

  it('does not report a move when two group ids name one room', async () => {
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' })]
    management.rooms = [aRoom(1), aRoom(1, { deviceGroupId: 'group-1b' })]
    const first = await sync.run()
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1b' })]
    await sync.run()
    expect([first.rooms.read, await changeKinds()]).toEqual([1, []])
    expect((await rooms.find(organizationId, 'room-1')).groupIds).toEqual(['group-1', 'group-1b'])
  })
})

describe('a room listed twice, under two group ids', () => {
  it('keeps the record with more data in any order, and a later sync may have less', async () => {
    const thin = { id: 'room-1', deviceGroupId: 'group-1b', name: 'Room 1', locationName: null }
    management.rooms = [aRoom(1), thin]
    await sync.run()
    expect(await rooms.find(organizationId, 'room-1')).toMatchObject({
      location: 'Aarhus',
      seatCount: 8,
      groupIds: ['group-1', 'group-1b'],
    })
    management.rooms = [thin]
    await sync.run()
    expect(await rooms.find(organizationId, 'room-1')).toMatchObject({ location: null, seatCount: null })
  })
})

it('progress counts devices and rooms read, of the number in the last complete sync', async () => {
  management.devices = { MeetingRoom: many(0, 150), Personal: [] }
  management.rooms = [aRoom(1)]
  const first: unknown[] = []
  const end = sync.onProgress(() => {
    if (sync.state().running) first.push(sync.state().progress.total)
  })
  await sync.run()
  end()
  management.fault = ({ what, token }) => (what === 'MeetingRoom' && token === '100' ? unavailable : null)
  await sync.run()
  const cutShort = sync.state().progress
  management.fault = () => null
  await sync.run()
  expect([new Set(first), cutShort, sync.state().progress]).toEqual([
    new Set([null]),
    { done: 101, total: 151 },
    { done: 151, total: 151 },
  ])
})

describe('an interrupted sync', () => {
  beforeEach(async () => {
    management.devices = { MeetingRoom: many(0, 350), Personal: many(1000, 1010) }
    await sync.run()
    management.devices = { MeetingRoom: many(70, 420), Personal: many(1000, 1010) }
    management.requested.length = 0
    management.fault = ({ what, token }) => (what === 'MeetingRoom' && token === '200' ? unavailable : null)
  })

  it('reports that it is incomplete and why, and marks nothing as gone', async () => {
    const report = await sync.run()
    expect(report).toMatchObject({ complete: false, devices: { read: 210, gone: 0 } })
    expect(sync.state().lastFailure).toEqual(unavailable)
    expect((await changeKinds()).filter((change) => change.includes('gone'))).toEqual([])
  })

  it('continues from its last token, and then marks what is gone', async () => {
    await sync.run()
    management.fault = () => null
    management.requested.length = 0
    const report = await sync.run()
    expect(management.requested.filter(({ what }) => what !== 'rooms')).toEqual([
      { what: 'MeetingRoom', token: '200' },
      { what: 'MeetingRoom', token: '300' },
    ])
    expect(report).toMatchObject({ complete: true, devices: { read: 360, unreadable: 0, gone: 70 } })
  })

  it('continues after the program was ended', async () => {
    await sync.run()
    management.fault = () => null
    management.requested.length = 0
    await store.close()
    const reopened = await home.openStore(clock)
    const again = await openSync({ clock, management, store: reopened, organizationId })
    expect(await again.run()).toMatchObject({ complete: true, devices: { read: 360, gone: 70 } })
    expect(management.requested[0]).toEqual({ what: 'MeetingRoom', token: '200' })
    await again.close()
  })

  it('restarts the stream when the token is no longer accepted', async () => {
    await sync.run()
    management.fault = ({ what, token }, index) =>
      what === 'MeetingRoom' && token === '200' && index === 0 ? refused400 : null
    management.requested.length = 0
    expect(await sync.run()).toMatchObject({ complete: true, devices: { read: 360, gone: 70 } })
    expect(
      management.requested.filter(({ what }) => what === 'MeetingRoom').map(({ token }) => token),
    ).toEqual(['200', null, '100', '200', '300'])
  })

  it('restarts when its last page is older than half an hour', async () => {
    await sync.run()
    management.fault = () => null
    management.requested.length = 0
    await clock.advance(31 * 60_000)
    await sync.run()
    expect(management.requested.filter(({ what }) => what === 'MeetingRoom')[0]?.token).toBe(null)
  })

  it.each(['between syncs', 'during the resumed one'])(
    'restarts when an address or key is changed %s, and counts nothing of the earlier one as seen',
    async (when) => {
      let source = 'one key'
      const open = () => openSync({ clock, management, store, organizationId, source: () => source })
      const first = await open()
      await first.run()
      await first.close()
      const again = await open()
      management.fault = () => null
      if (when === 'during the resumed one') {
        management.before = ({ token }) => {
          if (token === '300') source = 'another key'
        }
        expect(await again.run()).toMatchObject({ complete: false, devices: { gone: 0 } })
        expect([again.state().lastFailure, again.state().notes]).toEqual([
          { kind: 'cancelled' },
          ['The address or a key was changed during this sync, so the next one reads everything again.'],
        ])
      } else source = 'another key'
      management.requested.length = 0
      management.devices = { MeetingRoom: many(0, 150), Personal: many(1000, 1010) }
      const { devices: counted } = await again.run()
      await again.close()
      expect(management.requested.filter(({ what }) => what === 'MeetingRoom')[0]?.token).toBe(null)
      expect(counted.read).toBe(160)
    },
  )

  it('is complete with a key that came after its begin', async () => {
    let source = ''
    const first = await openSync({ clock, management, store, organizationId, source: () => source })
    management.fault = () => null
    management.before = () => void (source = 'the key')
    expect(await first.run()).toMatchObject({ complete: true })
    await first.close()
  })

  it('can be stopped by hand, and keeps what was read', async () => {
    management.fault = ({ what, token }) => (what === 'MeetingRoom' && token === '200' ? 'never' : null)
    management.before = ({ token }) => {
      if (token === '200') queueMicrotask(() => sync.cancel())
    }
    expect(await sync.run()).toMatchObject({ complete: false })
    expect(sync.state().lastFailure).toEqual({ kind: 'cancelled' })
  })

  it('fails when nothing could be read at all', async () => {
    management.fault = () => offline
    expect(await failureOf(sync.run())).toEqual(offline)
    expect(sync.state()).toMatchObject({ running: false, lastFailure: offline, last: { complete: true } })
  })
})

describe('services that reject requests', () => {
  it('make it read one unfiltered stream when Personal is rejected, and report it', async () => {
    management.devices = { MeetingRoom: many(0, 150), Personal: many(200, 210) }
    management.fault = ({ what }) => (what === 'Personal' ? refused400 : null)
    expect(await sync.run()).toMatchObject({ complete: true, devices: { read: 160, unreadable: 0 } })
    expect(sync.state().notes).toEqual([
      'The service refused the client type Personal, so all devices were read without this filter.',
    ])
  })

  it('for every client type, and without one, are reported by their own reason alone', async () => {
    management.devices = { MeetingRoom: many(0, 1), Personal: [] }
    management.fault = ({ what }) => (what === 'rooms' ? null : refused400)
    await sync.run()
    expect([sync.state().lastFailure, sync.state().notes]).toEqual([refused400, []])
  })

  it('that have no list of rooms make it look rooms up by group id; one that fails is skipped and not gone', async () => {
    management.devices.MeetingRoom = [1, 2, 3, 4].map((number) =>
      aDevice(number, { groupId: `group-${number}` }),
    )
    management.lookups = new Map([1, 2, 3].map((number) => [`group-${number}`, aRoom(number)]))
    management.fault = ({ what }) => (what === 'rooms' ? notFound : null)
    expect(await sync.run()).toMatchObject({ complete: true, rooms: { read: 3, gone: 0 }, calls: 7 })
    management.fault = ({ what, token }) =>
      what === 'rooms' ? notFound : token === 'group-2' ? unavailable : null
    management.lookups.delete('group-3')
    expect(await sync.run()).toMatchObject({ complete: true, rooms: { read: 1, gone: 1 } })
    const page = await rooms.list(organizationId, {
      where: '',
      sort: [{ column: 'name', descending: false }],
      start: 0,
      count: 10,
    })
    expect(page.rows.map((room) => room.name)).toEqual(['Room 1', 'Room 2'])
  })

  it('for several rooms cause none of them to be marked as gone', async () => {
    const numbers = [1, 2, 3]
    management.devices.MeetingRoom = numbers.map((number) => aDevice(number, { groupId: `group-${number}` }))
    management.lookups = new Map(numbers.map((number) => [`group-${number}`, aRoom(number)]))
    management.fault = ({ what }) => (what === 'rooms' ? notFound : null)
    await sync.run()
    management.fault = ({ what, token }) =>
      what === 'rooms' ? notFound : what === 'room' && token !== 'group-3' ? unavailable : null
    expect((await sync.run()).rooms).toEqual({ read: 1, unreadable: 0, gone: 0 })
  })

  it('make it look up a group id that no listed room has, and remember when it names none', async () => {
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1b' }), aDevice(2, { groupId: 'nowhere' })]
    management.rooms = [aRoom(1)]
    management.lookups = new Map([['group-1b', aRoom(1)]])
    await sync.run()
    await sync.run()
    expect(management.requested.filter(({ what }) => what === 'room').map(({ token }) => token)).toEqual([
      'group-1b',
      'nowhere',
    ])
    expect((await devices.get(organizationId, 'D00000001')).room).toEqual({
      id: 'room-1',
      name: 'Room 1',
      location: 'Aarhus',
    })
  })

  it('end it with an error at a repeated token, without resuming from there', async () => {
    management.devices.MeetingRoom = many(0, 5)
    let pages = 0
    management.devicePage = ({ stream }) => {
      pages++
      return Promise.resolve({
        items: stream === 'MeetingRoom' ? many(pages, pages + 1) : [],
        nextToken: stream === 'MeetingRoom' ? ['a', 'b', 'a'][pages % 3]! : null,
        receivedAt: clock.now(),
        calls: 1,
      })
    }
    expect(await sync.run()).toMatchObject({ complete: false })
    expect(sync.state().lastFailure).toMatchObject({ kind: 'unreadable-answer', where: 'continuationToken' })
    expect(pages).toBeLessThan(8)
  })

  it('may send an empty page with a token, which is followed', async () => {
    const pages = new Map([
      [null, { items: [], nextToken: 'x' }],
      ['x', { items: many(0, 1), nextToken: null }],
    ])
    management.devicePage = ({ stream, token }) =>
      Promise.resolve({
        ...(stream === 'MeetingRoom' ? pages.get(token)! : { items: [], nextToken: null }),
        receivedAt: clock.now(),
        calls: 1,
      })
    expect((await sync.run()).devices.read).toBe(1)
  })
})

describe('schedule and events', () => {
  it('tell each page as it is stored, and the end', async () => {
    management.devices.MeetingRoom = many(0, 300)
    const reported: [count: number, running: boolean][] = []
    sync.onProgress(({ devices: count }) => reported.push([count, sync.state().running]))
    await sync.run()
    expect([reported.filter(([count]) => count > 0), reported.at(-1)]).toEqual([
      [
        [100, true],
        [100, true],
        [100, true],
      ],
      [0, false],
    ])
  })

  it('start syncs automatically, never sooner than after 30 s', async () => {
    management.devices.MeetingRoom = many(0, 1)
    sync.schedule(1000)
    expect(sync.state().nextAt).toBe(clock.now() + 30_000)
    await clock.advance(29_999)
    expect(management.requested).toEqual([])
    await clock.advance(1)
    expect(sync.state().running).toBe(true)
    await sync.run()
    expect(sync.state()).toMatchObject({ running: false, nextAt: clock.now() + 30_000 })
  })

  it('never plan to use more than 30 % of the five-minute window', async () => {
    management.devices.MeetingRoom = []
    management.devicePage = () =>
      Promise.resolve({ items: [], nextToken: null, receivedAt: clock.now(), calls: 1000 })
    await sync.run()
    sync.schedule(30_000)
    expect(sync.state().nextAt).toBe(clock.now() + 200_100)
  })

  it('apply a new interval at once, counted from the end of the last sync', async () => {
    await sync.run()
    const endedAt = clock.now()
    sync.schedule(60 * 60_000)
    await clock.advance(10 * 60_000)
    sync.schedule(15 * 60_000)
    expect(sync.state().nextAt).toBe(endedAt + 15 * 60_000)
    management.requested.length = 0
    sync.schedule(60_000)
    expect(sync.state().nextAt).toBe(clock.now())
    await clock.advance(0)
    expect(sync.state().running).toBe(true)
    await sync.run()
    expect(management.requested.length > 0).toBe(true)
  })
})

it('reports more data with each page, and the final state at the end', async () => {
  const reported: string[] = []
  const other = await openSync({
    clock,
    management,
    store,
    organizationId: 'other',
    changed: (_, how) => void reported.push(how),
  })
  management.devices.MeetingRoom = many(0, 150)
  await other.run()
  await other.close()
  expect([new Set(reported.slice(0, -1)), reported.at(-1)]).toEqual([new Set(['more-to-come']), 'settled'])
})
