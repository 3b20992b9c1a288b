import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, refreshRoom, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, offline, unavailable } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from '../rooms/no-notes.ts'
import { failureOf } from '../../failure-of.ts'

const organizationId = 'org'
let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
let rooms: Rooms
let changed: number

beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' }), aDevice(2, { groupId: 'group-1b' })]
  management.rooms = [aRoom(1), aRoom(1, { deviceGroupId: 'group-1b', seatCount: null }), aRoom(2)]
  rooms = openRooms({ store, workbook: noNotes, clock })
  sync = await openSync({
    clock,
    management,
    store,
    organizationId,
    changed: (id, how) => rooms.changed(id, how),
  })
  await sync.run()
  changed = 0
  await clock.advance(600_000)
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const refresh = (id: string): Promise<Room> =>
  refreshRoom(
    {
      clock,
      management,
      store,
      rooms,
      organizationId,
      changed: () => {
        rooms.changed(organizationId)
        changed++
      },
    },
    id,
  )
const serviceReports = (number: number, changes: JsonObject = {}): void => {
  management.lookups.set(`group-${number}`, aRoom(number, changes))
}
const changes = async (): Promise<string[]> =>
  (await store.database.query('SELECT subject_id, kind, before, after FROM change ORDER BY id')).map(
    (row) =>
      `${String(row['subject_id'])} ${String(row['kind'])} ${String(row['before'])}>${String(row['after'])}`,
  )

describe('a single-room refresh', () => {
  it('does not return the earlier record as if it had been read, when the group answers as another room', async () => {
    management.lookups.set('group-2', aRoom(3, { name: 'Board room' }))
    expect(await failureOf(() => refresh('room-2'))).toMatchObject({
      kind: 'invalid',
      message: 'Group group-2 now belongs to another room, Board room. Sync first.',
    })
  })
  it('knows its room in another spelling of the id', async () => {
    serviceReports(2, { id: ' ROOM-\u200b2 ', name: 'Room two' })
    expect(await refresh('room-2')).toMatchObject({ id: 'room-2', name: 'Room two', observedAt: clock.now() })
  })
  it('is written with its changes and its new age, and returns the room as it is now', async () => {
    serviceReports(2, { name: 'Room two', status: 'Disconnected' })
    expect(await refresh('room-2')).toMatchObject({
      name: 'Room two',
      status: 'disconnected',
      health: 'trouble',
      observedAt: clock.now(),
    })
    expect(await changes()).toEqual([
      'room-2 went-offline connected>disconnected',
      'room-2 renamed Room 2>Room two',
    ])
    expect(changed).toBe(1)
  })

  it('overrides the last sync even if it has less data', async () => {
    serviceReports(2, { name: null, seatCount: null, locationName: null })
    expect(await refresh('room-2')).toMatchObject({ name: null, seatCount: null, location: null })
  })

  it('requests each of its group ids; the response with more data is used', async () => {
    management.lookups.set('group-1', aRoom(1, { seatCount: 12 }))
    management.lookups.set('group-1b', aRoom(1, { deviceGroupId: 'group-1b', seatCount: null }))
    management.requested.length = 0
    expect(await refresh('group-1b')).toMatchObject({
      id: 'room-1',
      seatCount: 12,
      groupIds: ['group-1', 'group-1b'],
    })
    expect(management.requested.map(({ token }) => token).sort()).toEqual(['group-1', 'group-1b'])
  })

  it('updates the status of its devices until the next sync of the devices', async () => {
    const devices = [
      { id: 'D00000001', name: 'Bar', deviceConnectionStatus: 'Offline', firmwareStatus: null },
      { id: 'D00000002', name: 'Pad', deviceConnectionStatus: null, firmwareStatus: null },
    ]
    serviceReports(1, { devices })
    const room = await refresh('room-1')
    expect(room.devices?.map(({ id, status, observedAt }) => [id, status, clock.now() - observedAt])).toEqual(
      [
        ['D00000001', 'offline', 0],
        ['D00000002', 'online', 600_000],
      ],
    )
    expect([room.onlineCount, room.health]).toEqual([1, 'trouble'])
    const { rows } = await rooms.list(organizationId, {
      where: 'health:trouble offline:1',
      sort: [],
      start: 0,
      count: 10,
    })
    expect(rows.map(({ id }) => id)).toEqual(['room-1'])

    await clock.advance(60_000)
    management.rooms = [aRoom(1, { devices }), aRoom(2)]
    await sync.run()
    expect(await rooms.find(organizationId, 'room-1')).toMatchObject({ onlineCount: 2, health: 'ok' })
  })

  it('corrects the counts of the room in which a moved device is counted, by its own record', async () => {
    management.devices.MeetingRoom = [
      aDevice(1, { groupId: 'group-1' }),
      aDevice(2, { groupId: 'group-2' }),
      aDevice(3, { groupId: 'group-2' }),
    ]
    management.rooms = [aRoom(1), aRoom(2)]
    await sync.run()
    await clock.advance(60_000)
    const devices = ['Online', 'Offline'].map((deviceConnectionStatus, index) => ({
      id: `D0000000${index + 1}`,
      name: 'Bar',
      deviceConnectionStatus,
      firmwareStatus: null,
    }))
    serviceReports(1, { devices })
    await refresh('room-1')
    const { rows } = await rooms.list(organizationId, { where: '', sort: [], start: 0, count: 10 })
    const alone = await Promise.all(['room-1', 'room-2'].map((id) => rooms.find(organizationId, id)))
    const states = [...rows, ...alone].map((room) => [
      room.id,
      room.onlineCount,
      room.deviceCount,
      room.health,
    ])
    expect(states.sort()).toEqual(
      [
        ['room-1', 1, 1, 'ok'],
        ['room-1', 1, 1, 'ok'],
        ['room-2', 1, 2, 'trouble'],
        ['room-2', 1, 2, 'trouble'],
      ].sort(),
    )
    expect(alone[1]?.devices?.map(({ status }) => status)).toEqual(['offline', 'online'])
  })

  it('updates the time of its devices, even without a change', async () => {
    const devices = [
      { id: 'D00000002', name: 'Pad', deviceConnectionStatus: 'Offline', firmwareStatus: null },
    ]
    management.rooms = [aRoom(1, { devices }), aRoom(2)]
    await sync.run()
    expect((await rooms.find(organizationId, 'room-1')).onlineCount).toBe(2)
    await clock.advance(60_000)
    serviceReports(1, { devices })
    expect((await refresh('room-1')).onlineCount).toBe(1)
  })

  it('costs the same after many others, as in a job of all rooms', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
    management.devices.MeetingRoom = numbers.map((number) =>
      aDevice(number, { groupId: `group-${number}`, productId: 12_306 + number }),
    )
    management.rooms = numbers.map((number) => aRoom(number))
    await sync.run()
    await clock.advance(60_000)
    for (const number of numbers) {
      const id = `D${String(number).padStart(8, '0')}`
      serviceReports(number, {
        devices: [{ id, name: 'Bar', deviceConnectionStatus: 'Offline', firmwareStatus: null }],
      })
      await refresh(`room-${number}`)
    }
    const { query: read } = store.database
    let rowsRead = 0
    store.database.query = async (sql, parameters) => {
      const rows = await read.call(store.database, sql, parameters)
      rowsRead += rows.length
      return rows
    }
    expect([(await rooms.find(organizationId, 'room-7')).onlineCount, rowsRead < 10]).toEqual([0, true])
  })

  it('marks the room as gone when no group id knows it: kept, with the first date', async () => {
    expect(await refresh('room-2')).toMatchObject({ gone: true, goneAt: clock.now(), name: 'Room 2' })
    const goneAt = clock.now()
    await clock.advance(60_000)
    expect(await refresh('room-2')).toMatchObject({ gone: true, goneAt })
    expect(await changes()).toEqual(['room-2 gone null>null'])

    serviceReports(2)
    expect(await refresh('room-2')).toMatchObject({ gone: false, goneAt: null })
    expect(await changes()).toEqual(['room-2 gone null>null', 'room-2 came-back null>null'])
  })

  it('drops a group id that names no room any more if another does', async () => {
    serviceReports(1)
    expect(await refresh('room-1')).toMatchObject({ gone: false, groupIds: ['group-1'] })
  })

  it('is complete with one group id if another fails, and does not mark the room as gone', async () => {
    management.lookups.set('group-1b', aRoom(1, { deviceGroupId: 'group-1b', name: 'Room one' }))
    management.fault = ({ token }) => (token === 'group-1' ? unavailable : null)
    expect(await refresh('room-1')).toMatchObject({ name: 'Room one', groupIds: ['group-1', 'group-1b'] })
    management.lookups.clear()
    expect(await failureOf(refresh('room-1'))).toEqual(unavailable)
    expect(await rooms.find(organizationId, 'room-1')).toMatchObject({ gone: false, name: 'Room one' })
  })

  it('finds a room that was never synced by its group id', async () => {
    serviceReports(7)
    expect(await refresh('group-7')).toMatchObject({ id: 'room-7', groupIds: ['group-7'] })
    expect(await changes()).toEqual(['room-7 appeared null>null'])
  })

  it('prevents a sync that ends later from marking the room as gone', async () => {
    management.devices.MeetingRoom = []
    management.rooms = []
    serviceReports(7)
    management.before = async ({ what }) => {
      if (what === 'MeetingRoom') await refresh('group-7')
    }
    await sync.run()
    expect(await rooms.find(organizationId, 'room-7')).toMatchObject({ gone: false })
  })

  it.each([
    ['no connection', offline],
    ['the service is out of order', unavailable],
  ])('changes nothing: %s', async (_, fault) => {
    management.fault = () => fault
    expect(await failureOf(refresh('room-1'))).toEqual(fault)
    expect([await changes(), changed]).toEqual([[], 0])
  })

  it('changes nothing when the response is no room, or no room is known', async () => {
    management.lookups.set('group-2', 'busy')
    expect(await failureOf(refresh('room-2'))).toMatchObject({ kind: 'unreadable-answer', where: 'the room' })
    expect(await failureOf(refresh('nowhere'))).toMatchObject({ kind: 'not-found', what: 'nowhere' })
    expect([await changes(), changed]).toEqual([[], 0])
  })
})
