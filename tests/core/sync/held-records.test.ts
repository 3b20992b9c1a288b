import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, unavailable } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
const open = () => openSync({ clock, management, store, organizationId: 'org' })
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  sync = await open()
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

/** Numbers of devices and rooms. */
type Fleet = [devices: number, rooms: number]

const has = (deviceCount: number, roomCount = 0, from = 0): void => {
  management.devices.Personal = Array.from({ length: deviceCount }, (_, number) => aDevice(from + number))
  management.rooms = Array.from({ length: roomCount }, (_, number) => aRoom(number))
}
const goneNow = async (): Promise<number> =>
  (await store.database.query('SELECT 1 FROM raw_record WHERE gone_at IS NOT NULL')).length
const result = async (running: ReturnType<Sync['run']>): Promise<unknown> => {
  const { complete, devices, rooms, held } = await running
  return [complete ? 'whole' : 'not whole', devices.gone, rooms.gone, held ?? null, sync.state().notes]
}

describe('a sync that would mark much as gone', () => {
  it.each<[string, Fleet, Fleet, string, [number, number], object | null]>([
    ['10 of 10', [10, 0], [0, 0], 'whole', [10, 0], null],
    ['11 of 11', [11, 0], [0, 0], 'not whole', [0, 0], { devices: 11, rooms: 0 }],
    ['11 of 55', [55, 0], [44, 0], 'whole', [11, 0], null],
    ['11 of 54', [54, 0], [43, 0], 'not whole', [0, 0], { devices: 11, rooms: 0 }],
    ['all devices', [350, 3], [0, 2], 'not whole', [0, 0], { devices: 350, rooms: 1 }],
    ['few devices and many rooms', [100, 20], [99, 0], 'not whole', [0, 0], { devices: 1, rooms: 20 }],
    ['11 rooms beside many devices', [300, 11], [300, 0], 'not whole', [0, 0], { devices: 0, rooms: 11 }],
  ])('%s', async (_, before, after, complete, [devices, rooms], held) => {
    has(...before)
    await sync.run()
    has(...after)
    expect([await result(sync.run()), await goneNow()]).toEqual([
      [complete, devices, rooms, held, []],
      devices + rooms,
    ])
  })

  it('counts of those that were known: neither gone ones nor new ones', async () => {
    has(64)
    await sync.run()
    has(54)
    await sync.run()
    // 11 of 54, beside 10 that are gone and 30 that are new.
    has(73, 0, 11)
    expect(await result(sync.run())).toEqual(['not whole', 0, 0, { devices: 11, rooms: 0 }, []])
    expect(sync.state().held).toEqual({
      devices: { listed: 43, known: 54 },
      rooms: { listed: 0, known: 0 },
    })
  })

  it('says so until the service lists them again', async () => {
    has(350)
    await sync.run()
    has(0)
    await sync.run()
    const again = await open()
    const stored = again.state().held
    await again.close()
    has(350)
    expect([stored, await result(sync.run()), sync.state().held, await goneNow()]).toEqual([
      { devices: { listed: 0, known: 350 }, rooms: { listed: 0, known: 0 } },
      ['whole', 0, 0, null, []],
      null,
      0,
    ])
  })
})

describe('accepting that they are gone', () => {
  beforeEach(async () => {
    has(50, 20)
    await sync.run()
    has(30, 18)
    await sync.run()
  })

  it('marks exactly those, after a fresh answer', async () => {
    management.requested.length = 0
    expect([await result(sync.acceptGone(22)), management.requested.length]).toEqual([
      ['whole', 20, 2, null, []],
      3,
    ])
  })

  it('is remembered by the next program', async () => {
    await sync.close()
    sync = await open()
    expect(await result(sync.acceptGone(22))).toEqual(['whole', 20, 2, null, []])
  })

  it.each<[string, number, () => void, unknown[]]>([
    [
      'of another number',
      21,
      () => undefined,
      [
        'not whole',
        0,
        0,
        { devices: 20, rooms: 2 },
        ['Nothing was marked as gone: 21 records were accepted, but 22 are not listed now.'],
      ],
    ],
    [
      'while a fresh answer lacks more',
      22,
      () => has(29, 18),
      [
        'not whole',
        0,
        0,
        { devices: 21, rooms: 2 },
        ['Nothing was marked as gone: 22 records were accepted, but 23 are not listed now.'],
      ],
    ],
    [
      'while a fresh answer lacks so few that it would not be held',
      22,
      () => has(49, 20),
      [
        'not whole',
        0,
        0,
        { devices: 1, rooms: 0 },
        ['Nothing was marked as gone: 22 records were accepted, but 1 is not listed now.'],
      ],
    ],
    [
      'while a fresh answer lacks others',
      22,
      () => has(30, 18, 10),
      [
        'not whole',
        0,
        0,
        { devices: 20, rooms: 2 },
        ['Nothing was marked as gone: the 22 records not listed now are not those of the last sync.'],
      ],
    ],
    [
      'while a fresh answer lacks none',
      22,
      () => has(50, 20),
      [
        'whole',
        0,
        0,
        null,
        ['Nothing was marked as gone: 22 records were accepted, but 0 are not listed now.'],
      ],
    ],
  ])('%s marks none', async (_, count, change, expected) => {
    change()
    expect([await result(sync.acceptGone(count)), await goneNow()]).toEqual([expected, 0])
  })

  it('where nothing was held marks none', async () => {
    has(50, 20)
    await sync.run()
    has(40, 20)
    expect(await result(sync.acceptGone(10))).toEqual([
      'not whole',
      0,
      0,
      { devices: 10, rooms: 0 },
      ['Nothing was marked as gone: the 10 records not listed now are not those of the last sync.'],
    ])
  })

  it('marks none if the answer is not whole', async () => {
    management.fault = ({ what }) => (what === 'Personal' ? unavailable : null)
    await sync.acceptGone(22)
    expect([sync.state().lastFailure, await goneNow()]).toEqual([unavailable, 0])
  })

  it('during a sync marks what was held before it began', async () => {
    has(30, 18, 10)
    const [other, accepted] = await Promise.all([result(sync.run()), sync.acceptGone(22)])
    expect([other, accepted.complete, await goneNow()]).toEqual([
      ['not whole', 0, 0, { devices: 20, rooms: 2 }, []],
      false,
      0,
    ])
  })
})
