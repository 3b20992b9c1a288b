import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, refused400 } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  sync = await openSync({ clock, management, store, organizationId: 'org' })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const goneNow = async (): Promise<string> =>
  (await store.database.query('SELECT id FROM raw_record WHERE gone_at IS NOT NULL ORDER BY id'))
    .map(({ id }) => String(id).replace(/^D0*(?=.)/, ''))
    .join(' ')

/** Devices by number, and unreadable records as they come. */
const listing = (numbers: string, ...unreadable: readonly Json[]): Json[] => [
  ...[...numbers].map((number) => aDevice(Number(number))),
  ...unreadable,
]
const noId = (number: number, changes = {}): Json => aDevice(number, { id: null, ...changes })
/** Nothing tells it from others. */
const nobody = (number: number): Json => ({ firmwareVersion: `4.${number}` })

describe('an unreadable record', () => {
  it.each<[string, readonly (readonly [Json[], 'whole' | 'not whole', string])[]]>([
    [
      'is counted by the first sync, and one that stays blocks nothing',
      [
        [listing('123', null), 'whole', ''],
        [listing('12', null), 'whole', '3'],
      ],
    ],
    [
      'keeps what went missing with it for as long as it comes, but not what goes missing later',
      [
        [listing('1234'), 'whole', ''],
        [listing('123', noId(4)), 'not whole', ''],
        [listing('12', noId(4)), 'whole', '3'],
        [listing('1', noId(4, { firmwareVersion: '9' })), 'whole', '2 3'],
        [listing('1'), 'whole', '2 3 4'],
      ],
    ],
    [
      'that is readable again is listed',
      [
        [listing('123'), 'whole', ''],
        [listing('12', noId(3)), 'not whole', ''],
        [listing('123'), 'whole', ''],
        [listing('12'), 'whole', '3'],
      ],
    ],
    [
      'with another serial number, or else another name, is new',
      [
        [listing('1234'), 'whole', ''],
        [listing('123', noId(4)), 'not whole', ''],
        [listing('124', noId(3)), 'not whole', ''],
        [listing('12', { name: 'Three' }, { name: 'Four' }), 'not whole', ''],
        [listing('12', { name: 'three ' }, { Name: 'FOUR' }), 'whole', ''],
        [listing('12', { name: 'Three' }), 'whole', ''],
        [listing('12'), 'whole', '3 4'],
      ],
    ],
    [
      'with a name that another one has is one more',
      [
        [listing('1234'), 'whole', ''],
        [listing('123', { name: 'Headset', a: 1 }), 'not whole', ''],
        [listing('12', { name: 'Headset', a: 1 }, { name: 'Headset', a: 2 }), 'not whole', ''],
        [listing('1', { name: 'Headset', a: 3 }, { name: 'Headset', a: 4 }), 'whole', '2'],
      ],
    ],
    [
      'without a name is the same while their number does not grow',
      [
        [listing('12345'), 'whole', ''],
        [listing('1234', nobody(5)), 'not whole', ''],
        [listing('123', nobody(6)), 'whole', '4'],
        [listing('12', nobody(5), nobody(6)), 'not whole', '4'],
        [listing('1', nobody(5)), 'whole', '2 4'],
        [listing('1'), 'whole', '2 3 4 5'],
      ],
    ],
    [
      'without a name is new when one of them is listed again',
      [
        [listing('123'), 'whole', ''],
        [listing('12', nobody(3)), 'not whole', ''],
        [listing('13', nobody(2)), 'not whole', ''],
        [listing('1', nobody(2)), 'whole', '3'],
        [listing('13'), 'whole', '2'],
      ],
    ],
    [
      'without a name is new when one is listed again that went missing before another',
      [
        [listing('1234'), 'whole', ''],
        [listing('123', nobody(4)), 'not whole', ''],
        [listing('12', nobody(4), nobody(3)), 'not whole', ''],
        [listing('14', nobody(2), nobody(3)), 'not whole', ''],
      ],
    ],
    [
      'is new also where nothing is missing',
      [
        [listing('12'), 'whole', ''],
        [listing('12', 'text'), 'not whole', ''],
        [listing('1', 'text'), 'whole', '2'],
      ],
    ],
  ])('%s', async (_, syncs) => {
    const seen: unknown[] = []
    for (const [devices] of syncs) {
      management.devices.MeetingRoom = devices
      const { complete } = await sync.run()
      seen.push([devices, complete ? 'whole' : 'not whole', await goneNow()])
    }
    expect(seen).toEqual(syncs)
  })

  it('is reported with counts, first as the reason and then in a sentence', async () => {
    const said: unknown[] = []
    const run = async (...devices: Json[]): Promise<void> => {
      management.devices.MeetingRoom = devices
      const { complete, devices: counted } = await sync.run()
      const { lastFailure, notes } = sync.state()
      said.push([complete, counted.unreadable, lastFailure, notes])
    }
    await run(...listing('123'))
    await run(...listing('12', noId(3)))
    await run(...listing('12', noId(3)))
    await run(...listing('123', noId(3), noId(4)))
    await run(...listing('123', noId(3), noId(4)))
    const because = (message: string) => ({
      kind: 'unreadable-answer',
      call: { operation: 'ListDevices', host: 'management interface' },
      where: 'items',
      message,
    })
    expect(said).toEqual([
      [true, 0, null, []],
      [
        false,
        1,
        because('1 record cannot be read, and 1 known device is not listed. Nothing was marked as gone.'),
        [],
      ],
      [
        true,
        1,
        null,
        [
          '1 device record still cannot be read. 1 known device is not listed since then, and not marked as gone.',
        ],
      ],
      [
        false,
        2,
        because('2 records cannot be read, and 0 known devices are not listed. Nothing was marked as gone.'),
        [],
      ],
      [true, 2, null, ['2 device records still cannot be read.']],
    ])
  })

  it('of a room keeps devices too, in the sync in which it comes', async () => {
    management.devices.MeetingRoom = listing('12')
    management.rooms = [aRoom(1), aRoom(2)]
    await sync.run()
    management.devices.MeetingRoom = listing('1')
    management.rooms = [aRoom(1), null]
    const first = [(await sync.run()).complete, await goneNow()]
    expect([first, (await sync.run()).complete, await goneNow()]).toEqual([[false, ''], true, '2'])
  })

  // Room 1 is named by a device, so it is read on its own where it is not listed.
  it.each<[string, readonly (readonly [rooms: string, 'whole' | 'not whole', string])[]]>([
    [
      'is another one when that room is listed again',
      [
        ['123', 'whole', ''],
        ['?23', 'not whole', ''],
        ['1?3', 'not whole', ''],
      ],
    ],
    [
      'is another one also after it stayed',
      [
        ['123', 'whole', ''],
        ['?23', 'not whole', ''],
        ['?23', 'whole', ''],
        ['1?3', 'not whole', ''],
      ],
    ],
    [
      'that stays blocks nothing',
      [
        ['123', 'whole', ''],
        ['?23', 'not whole', ''],
        ['?2', 'whole', 'room-3'],
      ],
    ],
  ])('of a room that was found on its own %s', async (_, syncs) => {
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' })]
    management.lookups.set('group-1', aRoom(1))
    const seen: unknown[] = []
    for (const [rooms] of syncs) {
      management.rooms = [...rooms].map((room, at) => (room === '?' ? nobody(at) : aRoom(Number(room))))
      const { complete } = await sync.run()
      seen.push([rooms, complete ? 'whole' : 'not whole', await goneNow()])
    }
    expect(seen).toEqual(syncs)
  })

  it('that a failed sync read is new for the next one, also in another program', async () => {
    management.devices.MeetingRoom = listing('12')
    await sync.run()
    management.devices.MeetingRoom = listing('1', noId(2))
    management.fault = ({ what }) => (what === 'Personal' ? { ...refused400, status: 403 } : null)
    await sync.run()
    management.fault = () => null
    const again = await openSync({ clock, management, store, organizationId: 'org' })
    const completes = [(await again.run()).complete, (await again.run()).complete]
    await again.close()
    expect([completes, await goneNow()]).toEqual([[false, true], ''])
  })
})
