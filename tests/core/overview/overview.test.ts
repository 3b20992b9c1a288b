import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Overview } from '../../../electron/contract/api/overview.ts'
import { roomTroubles } from '../../../electron/contract/fields/room.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { openChanges, recordChanges, type Changes } from '../../../electron/core/changes/changes.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { openOverview } from '../../../electron/core/overview/overview.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const hour = 3_600_000
const day = 24 * hour
const organizationId = 'org'
const clock = new FakeClock()
const home = new TemporaryHome()
let store: Store
let workbook: Workbook
let devices: Devices
let rooms: Rooms
let changes: Changes
let overview: Overview

/** 240 devices of 15 products in many states, of which 20 become gone, and 24 rooms at 16 sites. */
const iso = (ageInMs: number): string => new Date(clock.now() - ageInMs).toISOString()
const ages = [0, 20 * hour, day, 3 * day, 7 * day, 8 * day, 30 * day, 45 * day, 90 * day, 400 * day]
const fleet = Array.from({ length: 240 }, (_, number): JsonObject =>
  aDevice(number, {
    productName:
      number % 40 === 0 ? null : number % 41 === 0 ? 'JABRA model 3' : `Jabra Model ${number % 15}`,
    productId: number % 16 === 0 ? null : 100 + (number % 15),
    firmwareVersion: number % 17 === 0 ? null : `1.${number % 5}`,
    deviceConnectionStatus:
      ['Online', 'Offline', 'Rebooting', 'Unknown', 'Docked', 'DOCKED'][number % 6] ?? null,
    isConnected: null,
    lastSeenAt: number % 13 === 0 ? null : iso(ages[number % ages.length] ?? 0),
    groupId: number < 60 ? `group-${number % 10}` : null,
  }),
)
const someRooms = Array.from({ length: 24 }, (_, number) =>
  aRoom(number, {
    status: number === 7 ? 'Disconnected' : 'Connected',
    locationName: number < 5 ? 'Oslo, Karl Johan' : number < 10 ? null : `Town ${number}, Street 1`,
  }),
)

async function sync(records: readonly JsonObject[]): Promise<void> {
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [...records]
  management.rooms = someRooms
  const one = await openSync({ clock, management, store, organizationId })
  await one.run()
  await one.close()
}

beforeAll(async () => {
  store = await home.openStore(clock)
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  devices = openDevices({ store, clock })
  rooms = openRooms({ store, workbook, clock })
  changes = openChanges({ store, workbook, clock })
  const unreadable = [{ serialNumber: 'without id' }, null as unknown as JsonObject]
  await sync([...fleet, ...unreadable])
  clock.jumpWall(2 * hour)
  await sync([...fleet.slice(20), ...unreadable])
  await store.database.write((transaction) => {
    for (const [product, version, word] of [
      [101, '1.1', 'behind'],
      [101, '1.0', 'revoked'],
      [102, '1.2', 'current'],
      [103, '1.3', 'ahead'],
      [104, '1.4', 'behind'],
      [105, '1.0', 'unknown'],
    ] as const)
      transaction.run(
        'INSERT INTO firmware_standing (organization_id, product_id, firmware_version, word) VALUES (?, ?, ?, ?)',
        [organizationId, product, version, word],
      )
    // Makes some devices look as if they had been read long ago.
    for (const [index, ageInMs] of [
      30 * 60_000,
      hour,
      7 * hour,
      8 * hour,
      23 * hour,
      day,
      25 * hour,
      6 * day,
      7 * day,
      60 * day,
    ].entries())
      transaction.run(
        `UPDATE raw_record SET observed_at = ? WHERE kind = 'device' AND gone_at IS NULL AND row_id % 10 = ?`,
        [clock.now() - ageInMs, index],
      )
    for (const at of [clock.now() - 8 * day, clock.now() - 6 * day])
      recordChanges(
        transaction,
        { organizationId, of: 'device', id: 'D1', name: 'One' },
        [{ kind: 'gone', before: null, after: null }],
        at,
      )
    recordChanges(
      transaction,
      { organizationId, of: 'room', id: 'room-1', name: 'Room' },
      [{ kind: 'gone', before: null, after: null }],
      clock.now(),
    )
  })
  devices.changed(organizationId)
  overview = await openOverview({ store, rooms, changes, clock }).get(organizationId, 36 * hour)
})
afterAll(async () => {
  await workbook.close()
  await home.remove()
})

const found = async (where: string): Promise<number> =>
  (await devices.slice(organizationId, { where, sort: [], start: 0, count: 0 })).total
const foundRooms = async (where: string): Promise<number> =>
  (await rooms.list(organizationId, { where, sort: [], start: 0, count: 0 })).total
const foundChanges = async (where: string): Promise<number> =>
  (await changes.slice(organizationId, { where, since: 'looked', group: null, start: 0, count: 0 })).total

describe('every number is the count of the list it links to', () => {
  it('all devices and rooms that are not gone', async () => {
    expect([overview.deviceCount, overview.roomCount]).toEqual([await found(''), await foundRooms('')])
    expect(overview.deviceCount).toBe(220)
  })

  it('firmware, in total and by product', async () => {
    for (const [word, count] of Object.entries(overview.firmware.words))
      expect([word, await found(`fw:${word}`)]).toEqual([word, count])
    for (const { productName: _, productId, ...words } of overview.firmware.products)
      for (const [word, count] of Object.entries(words))
        expect([productId, word, await found(`pid:${productId} fw:${word}`)]).toEqual([
          productId,
          word,
          count,
        ])
    const named = overview.firmware.products.map(({ productId }) => `!pid:${productId}`)
    expect(overview.firmware.others).toBe(await found(named.join(' ')))
  })

  it('devices not seen for a week, and those with old records', async () => {
    expect([overview.silent, overview.stale]).toEqual([await found('age:>=7d'), await found('read:>36h')])
    expect(overview.silent * overview.stale).toBeGreaterThan(0)
  })

  it('rooms by health, the worst first', async () => {
    expect(overview.rooms.trouble).toEqual({
      offline: await foundRooms(roomTroubles.offline),
      revoked: await foundRooms(roomTroubles.revoked),
      disconnected: await foundRooms(roomTroubles.disconnected),
      fault: await foundRooms(roomTroubles.fault),
    })
    expect(Object.values(overview.rooms.trouble).reduce((sum, count) => sum + count, 0)).toBe(
      overview.rooms.health.trouble,
    )
    for (const [word, count] of Object.entries(overview.rooms.health))
      expect([word, await foundRooms(`health:${word}`)]).toEqual([word, count])
    const worst = await rooms.list(organizationId, {
      where: 'health:down,trouble',
      sort: [],
      start: 0,
      count: 500,
    })
    expect(overview.rooms.worst).toHaveLength(Math.min(8, worst.total))
    expect(overview.rooms.worst.map(({ health }) => health)).toEqual(
      overview.rooms.worst.map(({ health }) => health).toSorted(),
    )
  })

  it('rooms by site and health', async () => {
    for (const { name, where, health } of overview.rooms.sites)
      for (const [word, count] of Object.entries(health))
        expect([name, word, await foundRooms(`${where} health:${word}`)]).toEqual([name, word, count])
  })

  it('new changes', async () => {
    expect(overview.changes.total).toBe(await foundChanges(''))
    for (const { word, count } of overview.changes.kinds)
      expect([word, await foundChanges(`kind:${word}`)]).toEqual([word, count])
  })
})

describe('the overview', () => {
  it('lists the sites with most affected rooms first, and adds up those beyond twelve', () => {
    const { sites, otherSites } = overview.rooms
    expect([sites.length, sites.slice(0, 3).map(({ name, where }) => [name, where]), otherSites]).toEqual([
      12,
      [
        [null, 'site:""'],
        ['Oslo', 'site:=Oslo'],
        ['Town 10', 'site:="Town 10"'],
      ],
      { count: 4, rooms: 4 },
    ])
  })

  it('lists products on revoked firmware first, then those most behind, each with all its names', () => {
    const todo = overview.firmware.products.map(({ behind, revoked }) => revoked * 1000 + behind)
    expect(todo).toEqual(todo.toSorted((a, b) => b - a))
    expect(new Set(overview.firmware.products.map(({ productId }) => productId)).size).toBe(12)
  })

  it('shows the age of its oldest data', () => {
    expect(overview.asOf).toBe(clock.now() - 60 * day)
  })

  it('scans the devices and their record times once each, in storage order, and nothing else', async () => {
    const steps: string[] = []
    const explaining: Store = {
      ...store,
      database: {
        ...store.database,
        async query(sql, parameters) {
          for (const step of await store.database.query(`EXPLAIN QUERY PLAN ${sql}`, parameters))
            steps.push(String(step['detail']))
          return store.database.query(sql, parameters)
        },
      },
    }
    await openOverview({
      store: explaining,
      rooms,
      changes: openChanges({ store: explaining, workbook, clock }),
      clock,
    }).get(organizationId, day)
    expect(steps.filter((step) => /^SCAN (?!sums|json_each|CONSTANT)/.test(step)).sort()).toEqual([
      'SCAN d',
      'SCAN o',
    ])
  })

  it('of an organization that was never read is empty, not an error', async () => {
    const nothing = await openOverview({ store, rooms, changes, clock }).get('nobody', day)
    const zero = { current: 0, behind: 0, ahead: 0, revoked: 0, unknown: 0 }
    expect(nothing).toEqual({
      asOf: null,
      deviceCount: 0,
      roomCount: 0,
      changes: { since: null, total: 0, kinds: [] },
      rooms: {
        health: { ok: 0, trouble: 0, down: 0, unknown: 0 },
        trouble: { offline: 0, revoked: 0, disconnected: 0, fault: 0 },
        sites: [],
        otherSites: { count: 0, rooms: 0 },
        worst: [],
      },
      firmware: { words: zero, products: [], others: 0 },
      silent: 0,
      stale: 0,
    } satisfies Overview)
  })
})
