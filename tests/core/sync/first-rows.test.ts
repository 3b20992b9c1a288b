import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'

let clock: FakeClock
let home: TemporaryHome
let management: FakeManagement
let devices: Devices
let sync: Sync

/**
 * 300 devices in rooms, one personal device, one room; the list of devices is open before any device is
 * known.
 */
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  const store = await home.openStore(clock)
  management = new FakeManagement(clock)
  management.devices = {
    MeetingRoom: Array.from({ length: 300 }, (_, index) => aDevice(index)),
    Personal: [aDevice(300)],
  }
  management.rooms = [aRoom(1)]
  devices = openDevices({ store, clock })
  sync = await openSync({
    clock,
    management,
    store,
    organizationId,
    changed: (id, how) => devices.changed(id, how),
    firstRows: () => devices.firstRows(organizationId),
  })
  await rowsInSight()
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const rowsInSight = async (): Promise<number> =>
  (await devices.slice(organizationId, { where: '', sort: [], start: 0, count: 50 })).rows.length
const requested = (): readonly string[] => management.requested.map(({ what, token }) => `${what} ${token}`)
const firstPageStored = () => expect.poll(() => sync.state().devicesRead).toBe(100)

it('an empty list shows its first rows before the third page is requested', async () => {
  const running = sync.run()
  await firstPageStored()
  await clock.advance(900)
  const before = requested()
  const rows = await rowsInSight()
  await clock.advance(100)
  expect([before, rows, (await running).complete]).toEqual([
    ['MeetingRoom null', 'MeetingRoom 100'],
    50,
    true,
  ])
})

it('a list that is no longer displayed delays the sync for a second, and no later sync', async () => {
  const first = sync.run()
  await firstPageStored()
  await clock.advance(1_100)
  const { complete } = await first
  expect([complete, (await sync.run()).complete]).toEqual([true, true])
})

it('a sync that waits for a list can be cancelled', async () => {
  const running = sync.run()
  await firstPageStored()
  sync.cancel()
  expect((await running).complete).toBe(false)
})
