import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serviceVerdict } from '../../../electron/contract/firmware-verdict.ts'
import { openChanges } from '../../../electron/core/changes/changes.ts'
import { deviceRows, openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { openOverview } from '../../../electron/core/overview/overview.ts'
import { openRooms, roomRows, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openSync, refreshRoom, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from './no-notes.ts'

const organizationId = 'org'
const sort = [{ column: 'name', descending: false }] as const

let clock: FakeClock
let home: TemporaryHome
let store: Store
let workbook: Workbook
let management: FakeManagement
let sync: Sync
let devices: Devices
let rooms: Rooms

const open = async (): Promise<void> => {
  devices = openDevices({ store, clock })
  rooms = openRooms({ store, workbook: noNotes, clock })
  sync = await openSync({
    clock,
    management,
    store,
    organizationId,
    changed: (id, how) => {
      devices.changed(id, how)
      rooms.changed(id, how)
    },
  })
}
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  management = new FakeManagement(clock)
  await open()
  const compliances = [
    [1, '1.0', 'current', null],
    [1, '0.9', 'behind', 2],
    [1, '0.5', 'revoked', null],
    [1, '1.1', 'ahead', null],
  ] as const
  await store.database.write((transaction) => {
    for (const [productId, version, word, by] of compliances)
      transaction.run(
        'INSERT INTO firmware_standing (organization_id, product_id, variant, firmware_version, word, behind_by, latest) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [organizationId, productId, '01', version, word, by, '1.0'],
      )
  })
})
afterEach(async () => {
  await sync.close()
  await workbook.close()
  await home.remove()
})

/** Each device with its version of product 1 (null: of a product without releases) and the compliance in its room. */
const fleet: readonly (readonly [version: string | null, firmwareStatus: string | null])[] = [
  ['1.0', 'UpToDate'],
  ['1.0', 'UpdateAvailable'],
  ['0.9', 'UpToDate'],
  ['0.9', 'updateAvailable'],
  ['0.5', 'UpToDate'],
  ['1.1', 'UpdateAvailable'],
  [null, 'UpToDate'],
  [null, 'UPDATE_AVAILABLE'],
  [null, 'Updating'],
  [null, null],
]
const deviceOf = ([version]: (typeof fleet)[number], number: number, changes = {}) =>
  aDevice(number, {
    groupId: 'group-1',
    ...(version === null
      ? { productId: 2, firmwareVersion: '3.0' }
      : { productId: 1, firmwareVersion: version }),
    ...changes,
  })
const memberOf = ([, firmwareStatus]: (typeof fleet)[number], number: number) => ({
  id: `D${String(number).padStart(8, '0')}`,
  name: `Device ${number}`,
  deviceConnectionStatus: 'Online',
  firmwareStatus,
})
const read = async (): Promise<void> => {
  management.devices.MeetingRoom = fleet.map((one, number) => deviceOf(one, number))
  management.rooms = [aRoom(1, { devices: fleet.map(memberOf) })]
  await sync.run()
}
const words = async (where = ''): Promise<string[]> =>
  (await devices.slice(organizationId, { where, sort, start: 0, count: 100 })).rows.map(
    ({ name, firmware }) =>
      [name.replace('Device ', ''), firmware.word, firmware.service ?? ''].join(' ').trim(),
  )
const all = [
  '0 current',
  '1 current contradicts',
  '2 behind contradicts',
  '3 behind',
  '4 revoked contradicts',
  '5 ahead contradicts',
  '6 current decides',
  '7 behind decides',
  '8 unknown',
  '9 unknown',
]

describe('the compliance reported by the service for the firmware of a device', () => {
  it.each([
    ['UpToDate', 'current'],
    ['up to date', 'current'],
    ['UpdateAvailable', 'behind'],
    ['OUT_OF_DATE', 'behind'],
    ['Updating', null],
    ['', null],
    [null, null],
  ])('of %j is %j', (word, verdict) => {
    expect(serviceVerdict(word)).toBe(verdict)
  })

  it('is used when the catalogue cannot compare, and is shown when it differs', async () => {
    await read()
    expect(await words()).toEqual(all)
  })

  it.each([
    ['fw:current', ['0', '1', '6']],
    ['fw:behind', ['2', '3', '7']],
    ['fw:revoked', ['4']],
    ['fw:ahead', ['5']],
    ['fw:unknown', ['8', '9']],
    ['fw:by-service', ['6', '7']],
    ['fw:contradicted', ['1', '2', '4', '5']],
    ['!fw:contradicted', ['0', '3', '6', '7', '8', '9']],
    ['fw:behind !fw:by-service', ['2', '3']],
    ['fw:3.0', ['6', '7', '8', '9']],
  ])('matches the filter %s', async (where, found) => {
    await read()
    expect((await words(where)).map((line) => line.split(' ')[0])).toEqual(found)
  })

  it('has the same counts in facets, overview, rooms and the order of compliance', async () => {
    await read()
    const changes = openChanges({ store, workbook, clock })
    const { firmware } = await openOverview({ store, rooms, changes, clock }).get(organizationId, 86_400_000)
    const [row] = (await rooms.list(organizationId, { where: '', sort: [], start: 0, count: 9 })).rows
    const counts = { behind: 3, current: 3, unknown: 2, ahead: 1, revoked: 1 }
    const order = await devices.slice(organizationId, {
      where: '',
      sort: [{ column: 'firmware', descending: false }],
      start: 0,
      count: 9,
    })
    expect({
      facets: Object.fromEntries(
        (await devices.facets(organizationId, '')).firmware.map(({ word, count }) => [word, count]),
      ),
      disputed: (await devices.facets(organizationId, 'fw:contradicted')).firmware.length,
      overview: firmware.words,
      service: firmware.service,
      room: [row?.worstFirmware, row?.behindCount, row?.byServiceCount, row?.contradictedCount],
      order: order.rows.map((one) => one.name.replace('Device ', '')),
    }).toEqual({
      facets: counts,
      disputed: 5,
      overview: counts,
      service: { decides: 2, contradicts: 4 },
      room: ['revoked', 4, 2, 4],
      order: ['4', '2', '3', '7', '5', '0', '1', '6', '8'],
    })
  })

  it('is shown for each device of the room', async () => {
    await read()
    const room = await rooms.find(organizationId, 'room-1')
    expect(
      room.devices?.map((one) => [one.id.at(-1), one.firmware, one.firmwareService ?? ''].join(' ').trim()),
    ).toEqual(all)
  })

  it('counts for devices known only from the record of their room', async () => {
    management.rooms = [aRoom(1, { devices: fleet.slice(6).map((one, at) => memberOf(one, at + 6)) })]
    await sync.run()
    const [row] = (await rooms.list(organizationId, { where: 'fw:behind', sort: [], start: 0, count: 9 }))
      .rows
    const room = await rooms.find(organizationId, 'room-1')
    expect([
      row?.worstFirmware,
      row?.behindCount,
      row?.byServiceCount,
      room.devices?.map((one) => [one.firmware, one.firmwareService]),
    ]).toEqual([
      'behind',
      1,
      2,
      [
        ['current', 'decides'],
        ['behind', 'decides'],
        [null, undefined],
        [null, undefined],
      ],
    ])
  })

  it.each(['rooms first', 'devices first'])(
    'does not depend on which list is read first: %s',
    async (which) => {
      management.devices.MeetingRoom = fleet.map((one, number) => deviceOf(one, number))
      management.rooms = [aRoom(1, { devices: fleet.map(memberOf) })]
      const late = which === 'rooms first' ? 'MeetingRoom' : 'rooms'
      management.before = async ({ what }) => {
        if (what !== late) return
        const table = late === 'rooms' ? 'device_row' : 'room_row'
        await expect
          .poll(async () => (await store.database.query(`SELECT 1 FROM ${table} LIMIT 1`)).length)
          .toBe(1)
      }
      await sync.run()
      expect(await words()).toEqual(all)
    },
  )

  it('follows the record of the room, also when only that is read or it no longer lists the device', async () => {
    await read()
    const said = async (firmwareStatus: string | null, numbers: readonly number[]) =>
      aRoom(1, { devices: numbers.map((number) => memberOf([null, firmwareStatus], number)) })
    management.lookups.set('group-1', await said('UpdateAvailable', [6, 9]))
    await refreshRoom(
      { clock, management, store, rooms, organizationId, changed: () => devices.changed(organizationId) },
      'room-1',
    )
    const alone = await words('name:"Device 6","Device 7","Device 9"')
    management.rooms = [await said('UpToDate', [9])]
    await sync.run()
    expect([alone, await words('fw:by-service')]).toEqual([
      ['6 behind decides', '7 unknown', '9 behind decides'],
      ['9 current decides'],
    ])
  })

  it("stays when a device's own record changes, and is replaced by its own report", async () => {
    await read()
    management.devices.MeetingRoom = [
      deviceOf(fleet[6]!, 6, { name: 'Device 6', deviceConnectionStatus: 'Offline' }),
      deviceOf(fleet[7]!, 7, { firmwareStatus: 'UpToDate' }),
    ]
    await sync.run()
    expect(await words()).toEqual(['6 current decides', '7 current decides'])
  })

  it.each([[deviceRows], [roomRows]])('stays when rows are rebuilt', async (part) => {
    await read()
    await sync.close()
    await store.database.write((transaction) =>
      transaction.run('UPDATE derived_stamp SET stamp = ? WHERE part = ?', ['old', part.name]),
    )
    await store.close()
    store = await home.openStore(clock)
    await open()
    expect(await words()).toEqual(all)
  })
})
