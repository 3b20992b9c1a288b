import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
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

/** The changes that are stored after a sync. */
const changesAfterSync = async (): Promise<readonly string[]> => {
  await clock.advance(60_000)
  expect(await sync.run()).toMatchObject({ complete: true })
  const rows = await store.database.query('SELECT kind, before, after FROM change ORDER BY id')
  return rows.map((row) => `${String(row['kind'])} ${String(row['before'])}>${String(row['after'])}`)
}
describe('a device with a new group id', () => {
  /** Its device page is stored before the list of rooms. */
  const roomsLast = (): void => {
    management.before = async ({ what }) => {
      if (what === 'rooms')
        await expect
          .poll(
            async () =>
              (await store.database.query("SELECT 1 FROM device_row WHERE group_id LIKE 'group-2%'")).length,
          )
          .toBe(1)
    }
  }
  beforeEach(async () => {
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' })]
    management.rooms = [aRoom(1)]
    await sync.run()
    management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-2' })]
    roomsLast()
  })

  it.each([
    ['listed', [aRoom(1), aRoom(1, { deviceGroupId: 'group-2' })]],
    [
      'listed with a new name',
      [
        { ...aRoom(1), name: 'New' },
        { ...aRoom(1), name: 'New', deviceGroupId: 'group-2' },
      ],
    ],
    ['looked up', [aRoom(1)]],
  ])('of the same room has not moved: %s', async (how, rooms) => {
    management.rooms = rooms
    management.lookups.set('group-2', aRoom(1))
    expect(await changesAfterSync()).toEqual(how.endsWith('name') ? ['renamed Room 1>New'] : [])
  })

  it('of another room has moved there', async () => {
    management.rooms = [aRoom(1), aRoom(2)]
    expect((await changesAfterSync()).toSorted()).toEqual(['appeared null>null', 'moved-room Room 1>Room 2'])
  })

  it('that no room has, has moved to the group id', async () => {
    expect(await changesAfterSync()).toEqual(['moved-room Room 1>group-2'])
  })
})
