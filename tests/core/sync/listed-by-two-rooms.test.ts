import { expect, it, onTestFinished } from 'vitest'
import { openRooms } from '../../../electron/core/rooms/rooms.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from '../rooms/no-notes.ts'

const listing = (number: number, ...devices: readonly number[]) =>
  aRoom(number, {
    devices: devices.map((device) => ({
      id: aDevice(device)['id']!,
      name: 'Bar',
      deviceConnectionStatus: 'Online',
      firmwareStatus: number === 2 ? 'Outdated' : null,
    })),
  })

it.each([
  ['is listed without it', [listing(1, 1), listing(2)]],
  ['is listed without it before the other', [listing(2), listing(1, 1)]],
  ['is not listed any more', [listing(1, 1)]],
])('a device of two rooms is in the other one when one %s', async (_, rooms) => {
  const clock = new FakeClock()
  const home = new TemporaryHome()
  const store = await home.openStore(clock)
  const management = new FakeManagement(clock)
  const sync = await openSync({ clock, management, store, organizationId: 'org' })
  onTestFinished(async () => {
    await sync.close()
    await home.remove()
  })
  management.devices.MeetingRoom = [aDevice(1)]
  const roomsOfDevice = async (listed: typeof management.rooms): Promise<unknown> => {
    management.rooms = listed
    await sync.run()
    return (await store.database.query('SELECT room_id FROM room_member')).map((row) => row['room_id'])
  }
  expect([
    await roomsOfDevice([listing(1, 1)]),
    await roomsOfDevice([listing(1, 1), listing(2, 1)]),
    await roomsOfDevice(rooms),
  ]).toEqual([['room-1'], ['room-2'], ['room-1']])
  const found = await openRooms({ store, workbook: noNotes, clock }).find('org', 'room-1')
  expect(found.devices).toMatchObject([{ id: 'D00000001', firmware: 'unknown' }])
})
