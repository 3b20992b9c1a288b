import { openDatabases } from '../../../electron/adapters/database.ts'
import { deviceRows } from '../../../electron/core/devices/devices.ts'
import { roomRows } from '../../../electron/core/rooms/rooms.ts'
import { openStore } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'

// A program to be killed: it syncs without end, each time with other names, and reports each sync that has
// ended.
const clock = new FakeClock()
const databases = openDatabases({
  folder: process.argv[2] ?? '',
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
})
const store = await openStore({ clock, databases }, [roomRows, deviceRows])
const management = new FakeManagement(clock)
const sync = await openSync({ clock, management, store, organizationId: 'org' })
for (let turn = 1; ; turn++) {
  management.devices.MeetingRoom = Array.from({ length: 500 }, (_, number) =>
    aDevice(number, { name: `Turn ${turn} device ${number}` }),
  )
  await sync.run()
  process.stdout.write(`${turn}\n`)
}
