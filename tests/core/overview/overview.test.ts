import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Overview } from '../../../electron/contract/api/overview.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { quoted } from '../../../electron/contract/filter/filter-reader.ts'
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

/** 240 devices of 15 products in many states, 20 of them gone later, and ten rooms. */
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
    groupId: number < 20 ? `group-${number % 10}` : null,
  }),
)
const someRooms = Array.from({ length: 10 }, (_, number) =>
  aRoom(number, { status: number === 7 ? 'Disconnected' : 'Connected' }),
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
  rooms = openRooms({ store, clock })
  changes = openChanges({ store, workbook, clock })
  await sync([...fleet, 'no record' as unknown as JsonObject])
  clock.jumpWall(2 * hour)
  await sync([...fleet.slice(20), { serialNumber: 'without id' }, null as unknown as JsonObject])
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
    // As if some had been read long ago.
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
  (await devices.window(organizationId, { where, sort: [], start: 0, count: 0 })).total
const foundRooms = async (where: string): Promise<number> =>
  (await rooms.list(organizationId, { where, sort: [], start: 0, count: 0 })).total
const foundChanges = async (where: string, since: number | 'looked' | null): Promise<number> =>
  (await changes.window(organizationId, { where, since, group: null, start: 0, count: 0 })).total

describe('every number is the count of the list it leads to', () => {
  it('all devices and rooms that are not gone', async () => {
    expect([overview.deviceCount, overview.roomCount]).toEqual([await found(''), await foundRooms('')])
    expect(overview.deviceCount).toBe(220)
  })

  it('statuses', async () => {
    for (const { word, count } of overview.statuses)
      expect([word, await found(`status:${quoted(word)}`)]).toEqual([word, count])
    expect(overview.statuses.reduce((sum, { count }) => sum + count, 0)).toBe(overview.deviceCount)
  })

  it('firmware, altogether and of each product', async () => {
    for (const [word, count] of Object.entries(overview.firmware.words))
      expect([word, await found(`fw:${word}`)]).toEqual([word, count])
    for (const { productName, ...words } of overview.firmware.products)
      for (const [word, count] of Object.entries(words))
        expect([productName, word, await found(`product:=${quoted(productName)} fw:${word}`)]).toEqual([
          productName,
          word,
          count,
        ])
    const named = overview.firmware.products.map(({ productName }) => `!product:=${quoted(productName)}`)
    expect(overview.firmware.others).toBe(await found(named.join(' ')))
  })

  it('when devices were last seen', async () => {
    expect(overview.lastSeen).toEqual([
      { atLeastInMs: day, count: await found('age:>=1d') },
      { atLeastInMs: 7 * day, count: await found('age:>=7d') },
      { atLeastInMs: 30 * day, count: await found('age:>=30d') },
      { atLeastInMs: 90 * day, count: await found('age:>=90d') },
    ])
    expect(overview.neverSeen).toBe(await found('age:""'))
    expect(
      overview.lastSeen.every(({ count }, index) => count > (overview.lastSeen[index + 1]?.count ?? 0)),
    ).toBe(true)
  })

  it('how old is what was read, and what is stale', async () => {
    expect(overview.ages).toEqual([
      { upToInMs: hour, count: await found('read:<=1h') },
      { upToInMs: 8 * hour, count: await found('read:>1h read:<=8h') },
      { upToInMs: day, count: await found('read:>8h read:<=24h') },
      { upToInMs: 7 * day, count: await found('read:>24h read:<=7d') },
      { upToInMs: null, count: await found('read:>7d') },
    ])
    expect(overview.ages.every(({ count }) => count > 0)).toBe(true)
    expect(overview.stale).toBe(await found('read:>36h'))
  })

  it('rooms by health, the worst first', async () => {
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

  it('changes that are new, and what is gone lately', async () => {
    expect(overview.changes.total).toBe(await foundChanges('', 'looked'))
    for (const { word, count } of overview.changes.kinds)
      expect([word, await foundChanges(`kind:${word}`, 'looked')]).toEqual([word, count])
    expect(overview.goneLately).toBe(await foundChanges('kind:gone of:device age:<7d', null))
    expect(overview.goneLately).toBe(21)
  })
})

describe('the overview', () => {
  it('counts what the last sync could not read', () => {
    expect(overview.unreadable).toBe(2)
  })

  it('lists first the product with most to do, two spellings of one as one', () => {
    const todo = overview.firmware.products.map(({ behind, revoked }) => behind + revoked)
    expect(todo).toEqual(todo.toSorted((a, b) => b - a))
    expect(overview.firmware.products).toHaveLength(12)
    expect(
      overview.firmware.products.filter(({ productName }) => productName.toLowerCase() === 'jabra model 3'),
    ).toHaveLength(1)
  })

  it('tells how old the oldest of what it shows is', () => {
    expect(overview.asOf).toBe(clock.now() - 60 * day)
  })

  it('looks through the devices once, as they lie, through the times of their records once, and through nothing else', async () => {
    const steps: string[] = []
    const explaining: Store = {
      ...store,
      database: {
        ...store.database,
        async read(sql, parameters) {
          for (const step of await store.database.read(`EXPLAIN QUERY PLAN ${sql}`, parameters))
            steps.push(String(step['detail']))
          return store.database.read(sql, parameters)
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

  it('of an organization nobody has read is empty, not an error', async () => {
    const nothing = await openOverview({ store, rooms, changes, clock }).get('nobody', day)
    const zero = { current: 0, behind: 0, ahead: 0, revoked: 0, unknown: 0 }
    expect(nothing).toEqual({
      asOf: null,
      deviceCount: 0,
      roomCount: 0,
      changes: { since: null, total: 0, kinds: [] },
      rooms: { health: { ok: 0, trouble: 0, down: 0, unknown: 0 }, worst: [] },
      firmware: { words: zero, products: [], others: 0 },
      statuses: [],
      lastSeen: [day, 7 * day, 30 * day, 90 * day].map((atLeastInMs) => ({ atLeastInMs, count: 0 })),
      neverSeen: 0,
      ages: [hour, 8 * hour, day, 7 * day, null].map((upToInMs) => ({ upToInMs, count: 0 })),
      stale: 0,
      goneLately: 0,
      unreadable: 0,
    } satisfies Overview)
  })
})
