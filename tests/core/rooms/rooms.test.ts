import { roomGroupColumns, roomSortColumns } from '../../../electron/contract/fields/room.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RoomQuery } from '../../../electron/contract/api/rooms.ts'
import { writeReportedVersion } from '../../../electron/core/devices/devices.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from './no-notes.ts'

const organizationId = 'org'
const clock = new FakeClock()
const home = new TemporaryHome()
let store: Store
let management: FakeManagement
let sync: Sync
let rooms: Rooms
const day = 86_400_000
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
    roomType: null,
    devices: [
      { id: 'unknown-1', name: 'Pad', deviceConnectionStatus: 'Online', firmwareStatus: null },
      { id: 'unknown-2' },
    ],
  }),
  aRoom(4, { name: 'Empty', seatCount: null, locationName: 'Aarhus, Havnegade 2' }),
  aRoom(5, { name: 'Left', status: 'Connected' }),
]

beforeAll(async () => {
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  management.devices.MeetingRoom = [
    aDevice(1, { groupId: 'group-1' }),
    aDevice(2, {
      groupId: 'group-1b',
      deviceConnectionStatus: 'Offline',
      firmwareVersion: '4.1.0',
      lastSeenAt: '2026-11-21T14:00:00Z',
    }),
    aDevice(3, {
      groupId: null,
      deviceConnectionStatus: 'Offline',
      firmwareVersion: '4.0.0',
      lastSeenAt: '2026-11-01T14:00:00Z',
    }),
  ]
  management.rooms = records
  sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  management.rooms = records.slice(0, -1)
  await sync.run()
  await store.database.write((transaction) => {
    for (const [version, word] of [
      ['4.2.0.9', 'current'],
      ['4.1.0', 'behind'],
      ['4.0.0', 'revoked'],
    ] as const)
      transaction.run(
        'INSERT INTO firmware_standing (organization_id, product_id, variant, firmware_version, word) VALUES (?, ?, ?, ?, ?)',
        [organizationId, 12306, '01', version, word],
      )
  })
  rooms = openRooms({ store, workbook: noNotes, clock })
})
afterAll(async () => {
  await sync.close()
  await home.remove()
})

const base: RoomQuery = { where: '', sort: [{ column: 'name', descending: false }], start: 0, count: 100 }
const list = async (changes: Partial<RoomQuery>): Promise<string> =>
  (await rooms.list(organizationId, { ...base, ...changes })).rows.map((room) => room.id.slice(-1)).join('')

const member = (n: number, status: string) => ({
  id: `D0000000${n}`,
  name: `Device ${n}`,
  productName: 'Jabra PanaCast 50',
  status,
  isRevoked: false,
})

describe('the list of rooms', () => {
  it('lists a room with two group ids once, with both, and counts its devices', async () => {
    expect(await rooms.list(organizationId, { ...base, where: '"aarhus 12"' })).toEqual({
      rows: [
        {
          id: 'room-1',
          name: 'Aarhus 12',
          status: 'connected',
          location: 'Aarhus',
          site: 'Aarhus',
          type: 'TeamsRooms',
          seatCount: 4,
          groupIds: ['group-1', 'group-1b'],
          deviceCount: 2,
          onlineCount: 1,
          health: 'trouble',
          offlineSinceAt: Date.UTC(2026, 10, 21, 14),
          unknownCount: 0,
          worstFirmware: 'behind',
          behindCount: 1,
          lastSeenAt: Date.UTC(2026, 10, 21, 14),
          observedAt: clock.now(),
          gone: false,
          goneAt: null,
          members: [member(2, 'offline'), member(1, 'online')],
        },
      ],
      total: 1,
      all: 4,
      statuses: [{ word: 'connected', count: 1 }],
      health: [{ word: 'trouble', count: 1 }],
      asOf: clock.now(),
    })
  })

  it('counts by the record when no device of the room is known, and reports when nothing is known', async () => {
    const { rows } = await rooms.list(organizationId, base)
    expect(
      rows.map(({ id, deviceCount, onlineCount, unknownCount, health, worstFirmware, behindCount }) => [
        id,
        deviceCount,
        onlineCount,
        unknownCount,
        health,
        worstFirmware,
        behindCount,
      ]),
    ).toEqual([
      ['room-2', 1, 0, 0, 'down', 'revoked', 1],
      ['room-1', 2, 1, 0, 'trouble', 'behind', 1],
      ['room-4', null, null, null, 'unknown', null, null],
      ['room-3', 2, 1, 1, 'unknown', 'unknown', 0],
    ])
  })

  it('lists the devices of a room that are not known to be online', async () => {
    const named = await rooms.notOnline(organizationId, ['room-1', 'room-2', 'room-3', 'room-4'])
    expect(
      [...named].sort(([a], [b]) => a.localeCompare(b)).map(([id, names]) => [id, names.length]),
    ).toEqual([
      ['room-1', 1],
      ['room-2', 1],
      ['room-3', 1],
      ['room-4', 0],
    ])
    expect(named.get('room-3')).toEqual(['unknown-2'])
  })

  it.each([
    ['in natural order, rooms without a name last', 'name', false, '2143'],
    ['descending, rooms without a name still last', 'name', true, '4123'],
    ['place', 'location', true, '3421'],
    ['type, missing values last', 'type', true, '2143'],
    ['status', 'status', false, '3142'],
    ['health, the worst first', 'health', false, '2143'],
    ['health, the best first', 'health', true, '4312'],
    ['devices, unknown ones last', 'deviceCount', true, '1324'],
    ['devices online', 'onlineCount', false, '2134'],
    ['firmware, the worst first', 'worstFirmware', false, '2134'],
    ['seats, missing values last', 'seatCount', true, '2314'],
    ['last activity, missing values last', 'lastSeenAt', false, '2143'],
    ['age of the record', 'observedAt', false, '2143'],
  ] as const)('is sorted by %s', async (_, column, descending, expected) => {
    expect(await list({ sort: [{ column, descending }] })).toBe(expected)
  })

  it.each(roomSortColumns)('is sorted by %s: every room once, in both directions', async (column) => {
    const found = await Promise.all(
      [true, false].map((descending) => list({ sort: [{ column, descending }] })),
    )
    expect(found.map((ids) => [...ids].toSorted().join(''))).toEqual(['1234', '1234'])
  })

  it('is sorted by several: the next breaks the ties of the first', async () => {
    const entries = [
      { column: 'health', descending: true },
      { column: 'name', descending: true },
    ] as const
    expect(await list({ sort: entries })).toBe('4312')
    expect(await list({ sort: [{ column: 'type', descending: false }, entries[1]] })).toBe('4123')
    expect(await list({ sort: [] })).toBe('2143')
  })

  it('returns a slice', async () => {
    expect(await list({ start: 1, count: 2 })).toBe('14')
  })

  it('rejects a slice larger than 500', async () => {
    await expect(rooms.list(organizationId, { ...base, count: 501 })).rejects.toMatchObject({
      failure: { kind: 'invalid', field: 'count' },
    })
  })
})

describe('the filter', () => {
  it.each([
    ['BASE', '3'],
    ['aarhus 12', '1'],
    ['!aarhus', '3'],
    ['group-1b', '1'],
    ['ROOM-4', '4'],
    ["x' OR 1=1 --", ''],
    ['name:aarhus', '21'],
    ['name:="aarhus 3"', '2'],
    ['name:=aarhus', ''],
    ['name:""', '3'],
    ['!name:""', '214'],
    ['location:basement,nowhere', '3'],
    ['site:aarhus', '214'],
    ['for:>1d', '2'],
    ['for:<1d', '1'],
    ['type:""', '3'],
    ['type:teams', '214'],
    ['status:DISCONNECTED', '2'],
    ['status:degraded,disconnected', '23'],
    ['!status:connected', '23'],
    ['health:down', '2'],
    ['health:down,trouble', '21'],
    ['!health:ok', '2143'],
    ['fw:behind', '1'],
    ['fw:current', '1'],
    ['fw:behind,revoked', '21'],
    ['!fw:behind', '243'],
    ['fw:unknown', '3'],
    ['seats:4', '1'],
    ['seats:>4', '23'],
    ['seats:<=4', '1'],
    ['seats:""', '4'],
    ['devices:2', '13'],
    ['devices:""', '4'],
    ['online:0', '2'],
    ['offline:>=1', '21'],
    ['offline:0', '3'],
    ['!offline:0', '214'],
    ['age:>7d', '2'],
    ['age:<1h', '1'],
    ['!age:<1h', '243'],
    ['age:>0s', '21'],
    ['read:<1min', '2143'],
    ['read:>1min', ''],
    ['group:GROUP-1', '1'],
    ['group:group', ''],
    ['id:room-2,room-4', '24'],
    ['gone:no', '2143'],
    ['gone:yes', '5'],
    ['gone:any', '21453'],
    ['!gone:yes', '2143'],
    ['health:unknown gone:any', '453'],
    ['aarhus !fw:revoked seats:>1', '1'],
  ])('%s', async (where, expected) => {
    expect(await list({ where })).toBe(expected)
  })

  it('counts statuses and health as if they had no filter of their own', async () => {
    const { statuses, health, total } = await rooms.list(organizationId, {
      ...base,
      where: 'status:connected health:trouble',
    })
    expect({ statuses, health, total }).toEqual({
      statuses: [{ word: 'connected', count: 1 }],
      health: [
        { word: 'trouble', count: 1 },
        { word: 'unknown', count: 1 },
      ],
      total: 1,
    })
  })

  it.each([
    ['fw:newer', /^fw:newer at character 1: "newer" is not one of /],
    ['aarhus seats:many', /^seats:many at character 8: /],
    ['health:', /^health: at character 1: /],
    ['colour:red', /^colour at character 1: /],
  ])('reports what it does not understand, and where: %s', async (where, message) => {
    const invalid = {
      failure: { kind: 'invalid', field: 'where', message: expect.stringMatching(message) as unknown },
    }
    await expect(rooms.list(organizationId, { ...base, where })).rejects.toMatchObject(invalid)
    await expect(rooms.position(organizationId, { where, sort: [], id: 'room-1' })).rejects.toMatchObject(
      invalid,
    )
  })
})

describe('rooms in groups', () => {
  it.each([
    ['location', '', ['Aarhus 2', 'Aarhus, Havnegade 2 1', 'Basement 1']],
    ['site', '', ['Aarhus 3', 'Basement 1']],
    ['location', 'name:aar', ['Aarhus 2']],
  ] as const)('by %s of "%s", the largest first', async (column, where, expected) => {
    const groups = await rooms.groups(organizationId, { where, by: column })
    expect(groups.map(({ label, count }) => `${label ?? '-'} ${count}`)).toEqual(expected)
  })

  it.each(roomGroupColumns)(
    'match the rooms of each group by %s exactly with the filter of the group',
    async (column) => {
      const groups = await rooms.groups(organizationId, { where: '', by: column })
      const visible = await Promise.all(groups.map(({ where }) => list({ where: where ?? 'no filter' })))
      expect([visible.map((ids) => ids.length), [...visible.join('')].toSorted().join('')]).toEqual([
        groups.map(({ count }) => count),
        '1234',
      ])
    },
  )
})

describe('a position in the list', () => {
  it.each([
    ['room-1', '', { index: 1, total: 4 }],
    ['room-3', 'health:unknown', { index: 1, total: 2 }],
    ['room-1', 'health:unknown', { index: null, total: 2 }],
    ['room-9', '', { index: null, total: 4 }],
  ])('of %s in "%s"', async (id, where, expected) => {
    expect(await rooms.position(organizationId, { where, sort: base.sort, id })).toEqual(expected)
  })
})

describe('suggestions', () => {
  it.each([
    ['location', '', ['Aarhus 2', 'Aarhus, Havnegade 2 1', 'Basement 1']],
    ['site', '', ['Aarhus 3', 'Basement 1']],
    ['location', 'BAS', ['Basement 1']],
    ['name', 'aar', ['Aarhus 12 1', 'Aarhus 3 1']],
    ['status', '', ['connected 2', 'Degraded 1', 'disconnected 1']],
    ['health', '', ['unknown 2', 'down 1', 'trouble 1']],
    ['fw', '', ['behind 1', 'current 1', 'revoked 1', 'unknown 1']],
    ['firmware', 'be', ['behind 1']],
    ['seats', '', ['8 2', '4 1']],
    ['group', '1b', ['group-1b 1']],
    ['gone', '', ['no 4', 'yes 1']],
    ['age', '', []],
    ['type', '%', []],
  ])('of %s for "%s"', async (key, typed, expected) => {
    expect(
      (await rooms.suggest(organizationId, { key, typed })).map(({ word, count }) => `${word} ${count}`),
    ).toEqual(expected)
  })

  it('are rejected for fields that rooms do not have', async () => {
    await expect(rooms.suggest(organizationId, { key: 'serial', typed: '' })).rejects.toMatchObject({
      failure: { kind: 'invalid', field: 'key' },
    })
  })
})

describe('the cached room list', () => {
  it('is read again once firmware or rows changed', async () => {
    const behind = async (): Promise<string> => list({ where: 'fw:behind' })
    const word = (to: string): Promise<unknown> =>
      store.database.write((transaction) =>
        transaction.run(`UPDATE firmware_standing SET word = ? WHERE firmware_version = '4.1.0'`, [to]),
      )
    expect(await behind()).toBe('1')
    await word('current')
    rooms.changed(organizationId)
    expect(await behind()).toBe('')
    await word('behind')
    rooms.changed(organizationId)
    expect(await behind()).toBe('1')

    onTestFinished(async () => {
      clock.jumpWall(-day)
      await sync.run()
      rooms.changed(organizationId)
    })
    await clock.advance(day)
    await sync.run()
    rooms.changed(organizationId)
    expect(await list({ where: 'read:<1min' })).toBe('2143')
  })

  it('is reused while pages arrive, and never after the last of them', async () => {
    await list({})
    onTestFinished(async () => {
      management.devices.MeetingRoom.pop()
      await sync.run()
      rooms.changed(organizationId, 'settled')
    })
    management.devices.MeetingRoom.push(aDevice(9, { groupId: 'group-4' }))
    rooms.changed(organizationId, 'more-to-come')
    const before = await list({ where: 'devices:1' })
    await sync.run()
    rooms.changed(organizationId, 'settled')
    expect([before, await list({ where: 'devices:1' })]).toEqual(['2', '24'])
  })
})

describe('one room', () => {
  it('has the devices assigned to it by their own records', async () => {
    const room = await rooms.find(organizationId, 'room-2')
    expect([room.timeZone, room.devices, room.raw, room.health, room.worstFirmware]).toEqual([
      'Europe/Copenhagen',
      [
        {
          id: 'D00000003',
          name: 'Device 3',
          status: 'offline',
          productName: 'Jabra PanaCast 50',
          serialNumber: 'SN000003',
          firmwareVersion: '4.0.0',
          firmwareStatus: 'Behind',
          firmware: 'revoked',
          lastSeenAt: Date.UTC(2026, 10, 1, 14),
          observedAt: clock.now(),
        },
      ],
      records[2],
      'down',
      'revoked',
    ])
  })

  it('has the devices of its record if no others are known, else none; their firmware is not compared', async () => {
    const { devices, observedAt } = await rooms.find(organizationId, 'room-3')
    expect(
      devices?.map((device) => [
        device.id,
        device.status,
        device.firmware,
        device.lastSeenAt,
        device.observedAt === observedAt,
      ]),
    ).toEqual([
      ['unknown-1', 'online', null, null, true],
      ['unknown-2', 'unknown', null, null, true],
    ])
    expect((await rooms.find(organizationId, 'room-4')).devices).toBe(null)
  })

  it('is one room under two group ids, with the devices of both', async () => {
    const room = await rooms.find(organizationId, 'room-1')
    expect([
      room.devices?.map((device) => `${device.id} ${device.firmware ?? ''}`),
      room.deviceCount,
      room.groupIds,
    ]).toEqual([['D00000001 current', 'D00000002 behind'], 2, ['group-1', 'group-1b']])
  })

  it('that is gone is still returned, with the date', async () => {
    expect(await rooms.find(organizationId, 'room-5')).toMatchObject({
      name: 'Left',
      gone: true,
      goneAt: expect.any(Number) as unknown,
      health: 'unknown',
    })
  })

  it.each(['room-1', 'group-1', 'group-1b'])('is found by its id or any group id: %s', async (what) => {
    expect((await rooms.find(organizationId, what)).id).toBe('room-1')
  })

  it("shows when a device itself reported its version, as in the device's row", async () => {
    const at = clock.now() + 60_000
    await store.database.perform(writeReportedVersion, {
      organizationId,
      id: 'D00000001',
      version: '4.2.0.9',
      at,
    })
    const { devices } = await rooms.find(organizationId, 'room-1')
    expect(
      devices?.map(({ id, firmwareVersion, firmwareReadAt }) => [id, firmwareVersion, firmwareReadAt]),
    ).toEqual([
      ['D00000001', '4.2.0.9', at],
      ['D00000002', '4.1.0', undefined],
    ])
  })

  it('that is unknown is not found', async () => {
    await expect(rooms.find(organizationId, 'room-9')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'room-9' },
    })
    await expect(rooms.find(organizationId, 'group-9')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'group-9' },
    })
  })

  it.each([
    ['', [], ['room-2', 'room-1', 'room-4', 'room-3']],
    ['health:down', [], ['room-2']],
    ['', [{ column: 'name', descending: true }], ['room-4', 'room-1', 'room-2', 'room-3']],
  ] as const)(
    'all that match "%s" are returned with devices and record, in order',
    async (where, sort, expected) => {
      const ids = (await rooms.listed(organizationId, { where, sort })).map(({ id }) => id)
      expect([ids, await rooms.whole(organizationId, ids)]).toEqual([
        expected,
        await Promise.all(expected.map((id) => rooms.find(organizationId, id))),
      ])
    },
  )
})

it('has none of the rooms of another organization', async () => {
  expect(await rooms.list('other', { ...base, where: 'gone:any' })).toEqual({
    rows: [],
    total: 0,
    all: 0,
    statuses: [],
    health: [],
    asOf: null,
  })
  await expect(rooms.find('other', 'room-1')).rejects.toMatchObject({ failure: { kind: 'not-found' } })
})
