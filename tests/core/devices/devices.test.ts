import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeviceColumn, DeviceFilter } from '../../../electron/contract/device.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { everything, openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'
const clock = new FakeClock()
const home = new TemporaryHome()
let store: Store
let devices: Devices

const computer = (userName: string, macAddress: string | null = null): JsonObject => ({
  userName,
  macAddress,
  computerName: null,
  operatingSystem: null,
  ipAddress: null,
})
const fleet = [
  aDevice(1, {
    name: 'Huddle 9',
    serialNumber: 'ABC123',
    firmwareVersion: '4.2.0.9',
    groupId: 'group-1',
    computer: computer('aase'),
    lastSeenAt: '2026-11-20T00:00:00Z',
  }),
  aDevice(2, { name: 'Huddle 12', serialNumber: 'ABC124', firmwareVersion: '4.2.0.21', groupId: 'group-2', computer: computer('bo'), lastSeenAt: null }),
  aDevice(3, {
    name: 'Ærø 50 %',
    serialNumber: null,
    firmwareVersion: null,
    productName: 'Jabra Evolve2 65',
    deviceConnectionStatus: 'Offline',
    computer: computer('Zoë Ångström', '00-1A-2b-3c-4D-5e'),
    lastSeenAt: '2026-11-21T00:00:00Z',
  }),
  aDevice(4, {
    name: null,
    productName: null,
    firmwareVersion: '4.10',
    deviceConnectionStatus: 'Sleeping',
    computer: null,
    jabraClient: null,
    lastSeenAt: '2026-11-19T00:00:00Z',
  }),
  aDevice(5, { name: 'Old one', serialNumber: 'GONE' }),
]

beforeAll(async () => {
  store = await home.openStore(clock)
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [...fleet]
  management.rooms = [aRoom(1, { name: 'Aarhus 3' }), aRoom(2, { name: 'Aarhus 12', locationName: 'Second floor' })]
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  management.devices.MeetingRoom = fleet.slice(0, 4)
  await clock.advance(1000)
  await sync.run()
  await sync.close()
  devices = openDevices({ store, clock })
})
afterAll(() => home.remove())

const found = async (filter: Partial<DeviceFilter>, column: DeviceColumn = 'name', descending = false): Promise<string[]> => {
  const window = await devices.window(organizationId, { filter: { ...everything, ...filter }, sort: { column, descending }, start: 0, count: 100 })
  return window.rows.map((row) => row.id.slice(-1))
}
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Failed ? error.failure : error),
  )

describe('the search box', () => {
  it.each([
    ['nothing typed: everything that is there', '', '4132'],
    ['part of a name', 'uddl', '12'],
    ['letters in any case and without marks', 'ANGSTROM', '3'],
    ['a serial number', 'abc124', '2'],
    ['a room', 'aarhus', '12'],
    ['a room and a name', 'aarhus huddle', '12'],
    ['words in quotes belong together', '"Aarhus 3"', '1'],
    ['a location', 'second', '2'],
    ['a product', 'evolve2', '3'],
    ['a user', 'aase', '1'],
    ['two letters', 'bo', '2'],
    ['one letter with a mark', 'å', '123'],
    ['a MAC address with colons', '00:1a:2b:3c:4d:5e', '3'],
    ['a MAC address with dashes, begun', '00-1A-2B', '3'],
    ['a MAC address with dots', '001a.2b3c.4d5e', '3'],
    ['a MAC address without separators', '001A2B3C4D5E', '3'],
    ['a whole id', 'D00000004', '4'],
    ['a whole group id', 'group-0000', ''],
    ['per cent means itself', '50 %', '3'],
    ['an underscore means itself', '_', ''],
    ['words that match nothing together', 'evolve2 huddle', ''],
    ['quotes, stars and operators are only letters', '"uddl" NOT * AND ( "', ''],
  ])('%s', async (_, text, expected) => {
    expect((await found({ text })).sort()).toEqual(expected.split('').sort())
  })

  it('control characters part words', async () => {
    const found = async (text: string) =>
      (await devices.window(organizationId, { filter: { ...everything, text }, sort: { column: 'name', descending: false }, start: 0, count: 10 })).total
    expect([await found('\u0000\u0000\u0000'), await found('zoë\u0000ångström'), await found('"zoë\u0007ångström"')]).toEqual([4, 1, 1])
  })

  it('never fails and never reaches SQL, whatever is typed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), fc.array(fc.string(), { maxLength: 2 }), async (text, statuses) => {
        const window = await devices.window(organizationId, {
          filter: { ...everything, text, statuses },
          sort: { column: 'name', descending: false },
          start: 0,
          count: 10,
        })
        expect(window.all).toBe(4)
      }),
      { numRuns: 300 },
    )
  })
})

describe('filters', () => {
  it.each([
    ['a status', { statuses: ['offline'] }, '3'],
    ['statuses as received', { statuses: ['Sleeping', 'offline'] }, '34'],
    ['a product', { productNames: ['Jabra PanaCast 50'] }, '12'],
    ['gone ones only', { gone: 'only' }, '5'],
    ['gone ones too', { gone: 'show' }, '12345'],
  ] as const)('%s', async (_, filter, expected) => {
    expect((await found(filter)).sort()).toEqual(expected.split(''))
  })

  it('say how many there are of each, as if nothing were chosen in the same list', async () => {
    expect(await devices.facets(organizationId, { ...everything, statuses: ['offline'] })).toEqual({
      statuses: [
        { status: 'online', count: 2 },
        { status: 'Sleeping', count: 1 },
        { status: 'offline', count: 1 },
      ],
      products: [{ productName: 'Jabra Evolve2 65', count: 1 }],
    })
  })
})

describe('sorting', () => {
  it.each([
    ['name', false, '4123'],
    ['name', true, '3214'],
    ['firmwareVersion', false, '1243'],
    ['firmwareVersion', true, '4213'],
    ['lastSeenAt', true, '3142'],
    ['roomName', false, '1243'],
    ['serialNumber', false, '1243'],
    ['userName', false, '1234'],
  ] as const)('by %s, descending: %s, as people count, rows without a value last', async (column, descending, expected) => {
    expect((await found({}, column, descending)).join('')).toBe(expected)
  })
})

describe('windows', () => {
  it('tell their rows, how many match, how many there are and since when', async () => {
    const window = await devices.window(organizationId, {
      filter: { ...everything, text: 'huddle' },
      sort: { column: 'name', descending: false },
      start: 1,
      count: 1,
    })
    expect(window).toEqual({
      rows: [
        {
          id: 'D00000002',
          name: 'Huddle 12',
          serialNumber: 'ABC124',
          productId: 12306,
          variantType: '01',
          productName: 'Jabra PanaCast 50',
          firmwareVersion: '4.2.0.21',
          groupId: 'group-2',
          status: 'online',
          lastSeenAt: null,
          addedAt: Date.UTC(2026, 2, 1, 8),
          observedAt: clock.now(),
          gone: false,
          goneAt: null,
          room: { id: 'room-2', name: 'Aarhus 12' },
          userName: 'bo',
        },
      ],
      total: 2,
      all: 4,
      asOf: clock.now(),
    })
  })

  it('are empty beyond the end and for an organization without data', async () => {
    const query = { filter: everything, sort: { column: 'name', descending: false }, start: 900, count: 10 } as const
    expect((await devices.window(organizationId, query)).rows).toEqual([])
    expect(await devices.window('nobody', query)).toEqual({ rows: [], total: 0, all: 0, asOf: null })
  })

  it.each([
    ['start', -1, 10],
    ['start', 0.5, 10],
    ['count', 0, 501],
    ['count', 0, Number.NaN],
  ])('refuse a wrong %s (%d, %d)', async (field, start, count) => {
    expect(await failure(devices.window(organizationId, { filter: everything, sort: { column: 'name', descending: false }, start, count }))).toMatchObject({
      kind: 'invalid',
      field,
    })
  })

  it('keep their order until rows change', async () => {
    const own = openDevices({ store, clock })
    const query = { filter: { ...everything, text: 'huddle' }, sort: { column: 'name', descending: false }, start: 0, count: 10 } as const
    await own.window(organizationId, query)
    await store.database.write((transaction) => transaction.run(`UPDATE device_row SET gone = 1 WHERE id = 'D00000002'`))
    const before = (await own.window(organizationId, query)).total
    own.changed(organizationId)
    const after = (await own.window(organizationId, query)).total
    await store.database.write((transaction) => transaction.run(`UPDATE device_row SET gone = 0 WHERE id = 'D00000002'`))
    expect([before, after]).toEqual([2, 1])
  })
})

describe('one device and all', () => {
  it('one device has everything, its record as received too', async () => {
    expect(await devices.get(organizationId, 'D00000003')).toMatchObject({
      name: 'Ærø 50 %',
      computer: { userName: 'Zoë Ångström', macAddress: '00:1A:2B:3C:4D:5E' },
      client: { name: 'Jabra+', autoUpdate: true },
      firmwareUpdateInProgress: false,
      raw: fleet[2],
    })
  })

  it('an unknown id is not found, and neither is one of another organization', async () => {
    expect(await failure(devices.get(organizationId, 'nothing'))).toEqual({ kind: 'not-found', call: null, what: 'nothing' })
    expect(await failure(devices.get('other', 'D00000001'))).toMatchObject({ kind: 'not-found' })
  })

  it('all come by name', async () => {
    const ids: string[] = []
    for await (const device of devices.all(organizationId)) ids.push(device.id.slice(-1))
    expect(ids.join('')).toBe('4123')
  })

  it('the firmware most of them run comes first; a device that does not tell its variant is left out', async () => {
    expect(await devices.commonFirmware(organizationId, 1)).toEqual([
      { productId: 12306, variantType: expect.any(String), firmwareVersion: expect.any(String) },
    ])
    const all = await devices.commonFirmware(organizationId, 10)
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length)
  })

  it('are counted by product', async () => {
    expect([...(await devices.countsByProduct(organizationId))]).toEqual([[12306, 4]])
  })
})
