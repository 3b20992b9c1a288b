import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let store: Store
let clock: FakeClock

beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
})
afterEach(() => home.remove())

it('a device with an unknown group id belongs to the room whose record lists it, and the room filter finds it', async () => {
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [
    aDevice(1, { groupId: 'names-no-room' }),
    aDevice(2, { groupId: 'group-2' }),
  ]
  // The second device is also listed by the first room, but its own group id names another one.
  management.rooms = [
    aRoom(1, { name: 'Aarhus', devices: [{ id: 'D00000001' }, { id: 'D00000002' }] }),
    aRoom(2, { name: 'Billund' }),
  ]
  const sync = await openSync({ clock, management, store, organizationId: 'org' })
  await sync.run()
  await sync.close()
  await store.database.write((transaction) =>
    transaction.run(
      "INSERT OR REPLACE INTO record_alias (organization_id, kind, alias, id, observed_at) VALUES ('org', 'room', 'names-no-room', NULL, 1)",
    ),
  )
  const devices = openDevices({ store, clock })
  const found = async (where: string) =>
    (await devices.slice('org', { where, sort: [], start: 0, count: 10 })).rows.map(
      ({ id, room }) => `${id} in ${room?.name ?? 'none'}`,
    )
  expect([await found('room:aarhus'), await found('room:billund')]).toEqual([
    ['D00000001 in Aarhus'],
    ['D00000002 in Billund'],
  ])
})

it("a device whose room loses its group id still belongs to the room by the room's record", async () => {
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' })]
  management.rooms = [aRoom(1, { name: 'Aarhus', devices: [{ id: 'D00000001' }] })]
  const sync = await openSync({ clock, management, store, organizationId: 'org' })
  await sync.run()
  await sync.close()
  const devices = openDevices({ store, clock })
  const total = async () =>
    (await devices.slice('org', { where: 'aarhus', sort: [], start: 0, count: 10 })).total
  const before = await total()
  await store.database.write((transaction) =>
    transaction.run("UPDATE record_alias SET id = NULL WHERE kind = 'room' AND alias = 'group-1'"),
  )
  devices.changed('org')
  expect([before, await total()]).toEqual([1, 1])
})
