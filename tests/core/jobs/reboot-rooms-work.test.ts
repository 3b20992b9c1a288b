import { expect, onTestFinished, test } from 'vitest'
import type { ItemTools } from '../../../electron/core/jobs/job-work.ts'
import { rebootRoomsWork } from '../../../electron/core/jobs/reboot-rooms-work.ts'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import { openRooms } from '../../../electron/core/rooms/rooms.ts'
import { openSync, refreshRoom } from '../../../electron/core/sync/sync.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { aProgram } from '../writes/a-writes.ts'
import { noNotes } from '../rooms/no-notes.ts'

test('a device listed only in the record of the room is named, reserved, and waited for until it is back', async () => {
  const clock = new FakeClock()
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  const management = new FakeManagement(clock)
  const listed = (status: string) =>
    aRoom(1, { devices: ['D00000001', 'X'].map((id) => ({ id, name: id, deviceConnectionStatus: status })) })
  management.devices.MeetingRoom = [aDevice(1, { groupId: 'group-1' })]
  management.rooms = [listed('Online')]
  management.lookups.set('group-1', listed('Online'))
  const store = await home.openStore(clock)
  const sync = await openSync({ clock, management, store, organizationId: 'org' })
  await sync.run()
  await sync.close()
  const rooms = openRooms({ store, workbook: noNotes, clock })
  const { writes, journal } = aProgram(clock)
  let looks = 0
  let looking = 0
  const work = rebootRoomsWork({
    organization: { id: 'org', rebootBy: 'group-id' },
    clock,
    rooms,
    devices: openDevices({ store, clock }),
    writes,
    client: {
      send: async ({ beforeDispatch }) => {
        await beforeDispatch?.()
        return { status: 200, headers: {}, json: null, text: '', receivedAt: clock.now(), attempts: 1 }
      },
      retrying: () => 0,
      onReach: () => () => undefined,
    },
    managementOver: () => management,
    journal: { list: async () => ({ lines: [], total: 0 }) },
    refresh: async (id, over, ask) => {
      looking++
      const parts = {
        clock,
        store,
        rooms,
        management: over,
        organizationId: 'org',
        changed: () => void looks++,
      }
      return refreshRoom(parts, id, ask).finally(() => looking--)
    },
  })
  const reboot = {
    kind: 'reboot-rooms',
    of: 'rooms',
    selection: { kind: 'picked', ids: ['room-1'] },
  } as const
  const {
    items: [item],
  } = await work.plan(reboot, unwatched)
  const { planned, memory } = item!
  const signal = new AbortController().signal
  let accepted = false
  const until = async (met: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await met())) await store.database.query('SELECT 1')
  }
  const tools: ItemTools = {
    write: { authorization: writes.hold(null), reference: 'item 1', signal, unlock: false, wait: false },
    since: 0,
    signal,
    accepted: async () => void (accepted = true),
    called: () => undefined,
  }
  management.lookups.set('group-1', listed('Online'))
  const running = work.run(
    {
      id: 1,
      jobId: 'job',
      work: reboot,
      target: planned.target,
      deviceIds: planned.devices.map(({ id }) => id),
      memory,
      sentAt: null,
    },
    tools,
  )
  let ended = false
  void running.finally(() => (ended = true))
  // A read is stored and queried on other threads, so time is stopped until it is done.
  const pass = async (): Promise<void> => {
    if (looking === 0) await clock.advance(5_000)
  }
  for (const status of ['Offline', 'Online']) {
    const before = looks
    await until(() => accepted)
    management.lookups.set('group-1', listed(status))
    await until(async () => {
      await pass()
      return looks > before
    })
  }
  await until(async () => {
    await pass()
    return ended
  })
  expect([
    planned.devices.map(({ id }) => id),
    journal.begun.map(({ deviceIds }) => deviceIds),
    await running,
  ]).toMatchObject([['D00000001', 'X'], [['D00000001', 'X']], { outcome: 'done', detail: 'back-online' }])
})
