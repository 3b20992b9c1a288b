import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, unavailable } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'
const many = (from: number, to: number, changes: JsonObject = {}): JsonObject[] =>
  Array.from({ length: to - from }, (_, index) => aDevice(from + index, changes))

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
  sync = await openSync({ clock, management, store, organizationId })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

describe('devices by status at the end of a sync', () => {
  const history = async (): Promise<string[]> =>
    (
      await store.database.read(
        'SELECT sync_id, finished_at, status, count FROM sync_status WHERE organization_id = ? ORDER BY sync_id, status',
        [organizationId],
      )
    ).map(
      (row) =>
        `${String(row['sync_id'])} ${Number(row['finished_at']) - startedAt} ${String(row['status'])} ${String(row['count'])}`,
    )
  let startedAt: number
  beforeEach(() => {
    startedAt = clock.now()
  })

  it('is kept for each complete one, without those that are gone', async () => {
    management.devices.MeetingRoom = [
      ...many(0, 3),
      ...many(3, 5, { deviceConnectionStatus: 'Offline' }),
      aDevice(9, { deviceConnectionStatus: 'InCall' }),
    ]
    await sync.run()
    await clock.advance(1000)
    management.devices.MeetingRoom = many(1, 4)
    await sync.run()
    expect(await history()).toEqual(['1 0 InCall 1', '1 0 offline 2', '1 0 online 3', '2 1000 online 3'])
  })

  it('is not kept for one that was cut short', async () => {
    management.devices.MeetingRoom = many(0, 300)
    management.fault = ({ token }) => (token === '200' ? unavailable : null)
    expect((await sync.run()).complete).toBe(false)
    expect(await history()).toEqual([])
  })

  it('is kept for the last 60', async () => {
    management.devices.MeetingRoom = many(0, 1)
    for (let run = 0; run < 63; run++) await sync.run()
    const kept = await history()
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([60, '4 0 online 1', '63 0 online 1'])
  })
})
