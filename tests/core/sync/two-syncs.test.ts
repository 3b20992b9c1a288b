import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store } from '../../../electron/core/storage/store.ts'
import { unlisted, writeRecord } from '../../../electron/core/sync/record-writer.ts'
import { aDevice } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let home: TemporaryHome
let store: Store

beforeEach(async () => {
  home = new TemporaryHome()
  store = await home.openStore(new FakeClock())
})
afterEach(() => home.remove())

it('records of a late page of an older sync are not marked as gone by the newer one', async () => {
  const origin = (syncId: number) => ({ organizationId: 'org', syncId, startedAt: 0, known: true })
  const missing = await store.database.write((transaction) => {
    for (const [syncId, at] of [
      [2, 20],
      [1, 30],
    ] as const)
      for (const number of [1, 2]) writeRecord(transaction, origin(syncId), 'device', aDevice(number), at)
    return unlisted(transaction, origin(2), 'device')
  })
  expect([
    missing,
    await store.database.query('SELECT sync_id, observed_at, gone_at FROM raw_record'),
  ]).toEqual([
    [],
    [
      { sync_id: 2, observed_at: 30, gone_at: null },
      { sync_id: 2, observed_at: 30, gone_at: null },
    ],
  ])
})
