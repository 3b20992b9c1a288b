import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, refreshRoom, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, notFound } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from '../rooms/no-notes.ts'

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

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number)
/** A room with one device for each number; each room can be looked up by its group id. */
const has = (count: number): void => {
  management.devices.MeetingRoom = upTo(count).map((number) =>
    aDevice(number, { groupId: `group-${number}` }),
  )
  management.rooms = upTo(count).map((number) => aRoom(number))
  management.lookups = new Map(upTo(count).map((number) => [`group-${number}`, aRoom(number)]))
}
const listsNoRooms = (): void => {
  management.fault = ({ what }) => (what === 'rooms' ? notFound : null)
}
const goneNow = async (): Promise<readonly unknown[]> =>
  (await store.database.query('SELECT id FROM raw_record WHERE gone_at IS NOT NULL ORDER BY id')).map(
    ({ id }) => id,
  )
/** Group ids that name a room. */
const named = async (): Promise<number> =>
  (await store.database.query('SELECT 1 FROM record_alias WHERE id IS NOT NULL')).length
const result = async (): Promise<unknown> => {
  const { complete, rooms } = await sync.run()
  return [complete, rooms.gone, await goneNow(), await named(), sync.state().lastFailure]
}

describe('without a list of rooms', () => {
  it.each([3, 30])(
    'none of %i is gone and each keeps its group id when no look-up finds one, as at another path',
    async (count) => {
      has(count)
      await sync.run()
      management.lookups.clear()
      listsNoRooms()
      expect(await result()).toEqual([false, 0, [], count, notFound])
      // The devices of such a sync are complete.
      management.devices.MeetingRoom.length = 2
      const { devices } = await sync.run()
      expect([devices.gone, sync.state().notes]).toEqual([count === 3 ? 1 : 0, []])
    },
  )

  it('a sync is complete if no group id of a device ever named a room', async () => {
    has(2)
    management.lookups.clear()
    listsNoRooms()
    expect([await result(), await result()]).toEqual([
      [true, 0, [], 0, null],
      [true, 0, [], 0, null],
    ])
  })

  it('a room that no group id names was not asked about, and is not gone', async () => {
    has(2)
    management.rooms.push(aRoom(7, { deviceGroupId: null }))
    await sync.run()
    listsNoRooms()
    management.lookups.delete('group-1')
    expect(await result()).toEqual([true, 1, ['room-1'], 1, null])
  })

  it('group ids that answer 404 keep their rooms while these are held', async () => {
    has(30)
    await sync.run()
    listsNoRooms()
    for (const number of upTo(20)) management.lookups.delete(`group-${number}`)
    expect(await result()).toEqual([false, 0, [], 30, null])
    await sync.acceptGone(20)
    expect([(await goneNow()).length, await named()]).toEqual([20, 10])
  })
})

describe('rooms that devices name and the list lacks', () => {
  it('are not gone if they are too many to look up, and each is looked up in turn', async () => {
    has(600)
    await sync.run()
    management.rooms = management.rooms.slice(150)
    const asked = new Set<unknown>()
    management.before = ({ what, token }) => {
      if (what === 'room') asked.add(token)
    }
    await clock.advance(60_000)
    expect([await result(), asked.size]).toEqual([[true, 0, [], 600, null], 100])
    await clock.advance(60_000)
    expect([await result(), asked.size]).toEqual([[true, 0, [], 600, null], 150])
  })

  it('keep their group ids while they are held', async () => {
    has(30)
    await sync.run()
    management.rooms = management.rooms.slice(20)
    management.lookups.clear()
    expect(await result()).toEqual([false, 0, [], 30, null])
  })

  it('keep a group id under which a room was read alone meanwhile', async () => {
    has(3)
    await sync.run()
    management.rooms = management.rooms.slice(2)
    management.lookups.clear()
    const rooms = openRooms({ store, workbook: noNotes, clock })
    const deps = { clock, management, store, rooms, organizationId: 'org', changed: () => undefined }
    management.before = async ({ what, token }) => {
      if (what !== 'room' || token !== 'group-1') return
      await clock.advance(1000)
      management.lookups.set('group-0', aRoom(0))
      await refreshRoom(deps, 'room-0')
    }
    await clock.advance(60_000)
    expect(await result()).toEqual([true, 1, ['room-1'], 2, null])
  })
})
