import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync

beforeEach(async () => {
  const clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  sync = await openSync({ clock, management, store, organizationId: 'org' })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

it('keeps several hundred different unreadable records of a stream, each once, and counts all', async () => {
  const bad = Array.from({ length: 1_500 }, (_, index) => ({ name: `no id ${index}` }))
  management.devices = {
    MeetingRoom: [...bad, ...bad, ...Array.from({ length: 2_000 }, () => null), aDevice(1)],
    Personal: [null, ...bad.slice(0, 300)],
  }
  management.rooms = ['text']
  const report = await sync.run()
  const stored = await sync.unreadable()
  const visible = stored.map(({ of, why, raw, times }) => `${of} ${why} ${raw} ×${times}`)
  // It is unknown whether unstored records of two streams are the same.
  expect([report.complete, report.devices, report.rooms]).toEqual([
    true,
    { read: 1, unreadable: 401 + 4_600 + 101, gone: 0 },
    { read: 0, unreadable: 1, gone: 0 },
  ])
  expect([stored.length, visible[0], visible.slice(399)]).toEqual([
    200 + 200 + 2 + 1,
    'device no-usable-id {"name":"no id 0"} ×2',
    [
      expect.stringMatching(/^device /),
      'device not-kept null ×4600',
      'device not-kept null ×101',
      'room not-an-object "text" ×1',
    ],
  ])
})

it('keeps the beginning of a long unreadable record', async () => {
  management.devices.MeetingRoom = [{ name: 'x'.repeat(100_000) }]
  await sync.run()
  expect((await sync.unreadable()).map(({ raw }) => [raw?.length, raw?.endsWith('x…')])).toEqual([
    [8 * 1024 + 1, true],
  ])
})
