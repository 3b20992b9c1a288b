import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { RoomQuery } from '../../../electron/contract/room.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'
const clock = new FakeClock()
const home = new TemporaryHome()
let rooms: Rooms
const records = [
  aRoom(1, { name: 'Aarhus 12', seatCount: 4 }),
  aRoom(1, { name: 'Aarhus 12', seatCount: 4, deviceGroupId: 'group-1b' }),
  aRoom(2, {
    name: 'Aarhus 3',
    status: 'Disconnected',
    devices: [{ id: 'D00000003', name: 'Bar', deviceConnectionStatus: 'Offline', firmwareStatus: 'Behind' }],
  }),
  aRoom(3, {
    name: null,
    locationName: 'Basement',
    status: 'Degraded',
    devices: [{ id: 'unknown-1', name: 'Pad', deviceConnectionStatus: 'Online', firmwareStatus: null }, { id: 'unknown-2' }],
  }),
  aRoom(4, { name: 'Empty', seatCount: null }),
]

beforeAll(async () => {
  const store = await home.openStore(clock)
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [
    aDevice(1, { groupId: 'group-1' }),
    aDevice(2, { groupId: 'group-1b', deviceConnectionStatus: 'Offline', lastSeenAt: '2026-11-21T14:00:00Z' }),
    aDevice(3, { groupId: null, deviceConnectionStatus: 'Offline' }),
  ]
  management.rooms = records
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  await sync.close()
  rooms = openRooms({ store, clock })
})
afterAll(() => home.remove())

const base: RoomQuery = { text: '', statuses: [], sort: { column: 'name', descending: false }, start: 0, count: 100 }
const list = async (changes: Partial<RoomQuery>): Promise<string> =>
  (await rooms.list(organizationId, { ...base, ...changes })).rows.map((room) => room.id.slice(-1)).join('')

describe('the list of rooms', () => {
  it('tells of a room with two group ids once, with both, and counts its devices', async () => {
    const page = await rooms.list(organizationId, { ...base, text: 'aarhus 12' })
    expect(page).toEqual({
      rows: [
        {
          id: 'room-1',
          name: 'Aarhus 12',
          status: 'connected',
          location: 'Aarhus',
          type: 'TeamsRooms',
          seatCount: 4,
          groupIds: ['group-1', 'group-1b'],
          deviceCount: 2,
          onlineCount: 1,
          lastSeenAt: Date.UTC(2026, 10, 21, 14),
          observedAt: clock.now(),
          gone: false,
          goneAt: null,
        },
      ],
      total: 1,
      all: 4,
      statuses: [{ status: 'connected', count: 1 }],
      asOf: clock.now(),
    })
  })

  it('counts what the record tells where no device of the room is known, and says when nothing is known', async () => {
    const { rows } = await rooms.list(organizationId, base)
    expect(rows.map(({ id, deviceCount, onlineCount }) => [id, deviceCount, onlineCount])).toEqual([
      ['room-2', 1, 0],
      ['room-1', 2, 1],
      ['room-4', null, null],
      ['room-3', 2, 1],
    ])
  })

  it.each([
    ['by name as people count, nameless last', {}, '2143'],
    ['by location', { sort: { column: 'location', descending: true } }, '3214'],
    ['by seats, none last', { sort: { column: 'seatCount', descending: true } }, '2314'],
    ['by devices', { sort: { column: 'deviceCount', descending: true } }, '1324'],
    ['by last activity', { sort: { column: 'lastSeenAt', descending: true } }, '1243'],
    ['one status', { statuses: ['disconnected'] }, '2'],
    ['words of a place', { text: 'BASE' }, '3'],
    ['a window', { start: 1, count: 2 }, '14'],
    ['nothing found', { text: "x' OR 1=1 --" }, ''],
  ] as const)('%s', async (_, changes, expected) => {
    expect(await list(changes)).toBe(expected)
  })

  it('refuses a window larger than 500', async () => {
    await expect(rooms.list(organizationId, { ...base, count: 501 })).rejects.toBeInstanceOf(Failed)
  })
})

describe('one room', () => {
  it('has the devices that stand in it, from their own records', async () => {
    const room = await rooms.get(organizationId, 'room-2')
    expect([room.timeZone, room.devices, room.raw]).toEqual([
      'Europe/Copenhagen',
      [{ id: 'D00000003', name: 'Device 3', status: 'offline', productName: 'Jabra PanaCast 50', firmwareVersion: '4.2.0.9', firmwareStatus: 'Behind' }],
      records[2],
    ])
  })

  it('falls back to the devices of its record, and to nothing', async () => {
    expect((await rooms.get(organizationId, 'room-3')).devices?.map(({ id, status }) => [id, status])).toEqual([
      ['unknown-1', 'online'],
      ['unknown-2', 'unknown'],
    ])
    expect((await rooms.get(organizationId, 'room-4')).devices).toBe(null)
  })

  it.each(['room-1', 'group-1', 'group-1b'])('is found by its id or any group id: %s', async (what) => {
    expect((await rooms.find(organizationId, what)).id).toBe('room-1')
  })

  it('that is not known is not found', async () => {
    await expect(rooms.get(organizationId, 'room-9')).rejects.toMatchObject({ failure: { kind: 'not-found', what: 'room-9' } })
  })

  it('all come by name', async () => {
    const ids: string[] = []
    for await (const room of rooms.all(organizationId)) ids.push(room.id)
    expect(ids).toEqual(['room-2', 'room-1', 'room-4', 'room-3'])
  })
})
