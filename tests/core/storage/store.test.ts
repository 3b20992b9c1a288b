import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Progress } from '../../../electron/contract/progress.ts'
import { openChanges } from '../../../electron/core/changes/changes.ts'
import { deviceRows, openDevices } from '../../../electron/core/devices/devices.ts'
import { roomRows } from '../../../electron/core/rooms/rooms.ts'
import { runStatements } from '../../../electron/core/storage/statements.ts'
import { openStore, type DerivedPart, type Store } from '../../../electron/core/storage/store.ts'
import { DatabaseError } from '../../../electron/core/platform.ts'
import { failureOf } from '../../failure-of.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'
let clock: FakeClock
let home: TemporaryHome
beforeEach(() => {
  clock = new FakeClock()
  home = new TemporaryHome()
})
afterEach(() => home.remove())

const path = (): string => join(home.folder, 'store.sqlite')
const query = { where: '', sort: [{ column: 'name', descending: false }], start: 0, count: 100 } as const
const sliceOf = (store: Store) => openDevices({ store, clock }).slice(organizationId, query)

async function synced(store: Store, count = 30): Promise<FakeManagement> {
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = Array.from({ length: count }, (_, number) =>
    aDevice(number, { groupId: 'group-1' }),
  )
  management.rooms = [aRoom(1)]
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  await sync.close()
  return management
}

describe('an update of the program', () => {
  it('rebuilds derived tables from raw records: same rows, no network, no changes', async () => {
    const first = await home.openStore(clock)
    const management = await synced(first)
    const before = await sliceOf(first)
    await first.close()
    management.requested.length = 0
    const newer: DerivedPart = {
      ...deviceRows,
      schema: `${deviceRows.schema} CREATE INDEX device_row_serial ON device_row (serial_number);`,
    }
    const second = await home.openStore(clock, [roomRows, newer])
    expect(second.rebuilt).toEqual(['devices'])
    expect(await sliceOf(second)).toEqual(before)
    const workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
    expect([
      management.requested,
      await openChanges({ store: second, workbook, clock }).since(organizationId, 0),
    ]).toEqual([[], []])
    await workbook.close()
  })

  it('leaves derived tables alone when their definition is unchanged', async () => {
    await (await home.openStore(clock)).close()
    expect((await home.openStore(clock)).rebuilt).toEqual([])
  })

  it('removes tables that only the earlier version had', async () => {
    const earlier: DerivedPart = {
      ...deviceRows,
      tables: ['device_before', ...deviceRows.tables],
      schema: `CREATE TABLE device_before (n); ${deviceRows.schema}`,
    }
    await (await home.openStore(clock, [roomRows, earlier])).close()
    const { database } = await home.openStore(clock)
    expect(await database.query("SELECT 1 FROM sqlite_schema WHERE name = 'device_before'")).toEqual([])
  })

  it('restarts an interrupted rebuild', async () => {
    const first = await home.openStore(clock)
    await synced(first, 1200)
    const before = await sliceOf(first)
    await first.close()
    let chunks = 0
    const interrupted: DerivedPart = {
      ...deviceRows,
      readerVersion: deviceRows.readerVersion + 1,
      rebuild: (transaction, records) => {
        if (chunks++ === 1) throw new Error('ended here')
        deviceRows.rebuild(transaction, records)
      },
    }
    await expect(home.openStore(clock, [roomRows, interrupted])).rejects.toThrow('ended here')
    const second = await home.openStore(clock, [
      roomRows,
      { ...deviceRows, readerVersion: deviceRows.readerVersion + 1 },
    ])
    expect([second.rebuilt, await sliceOf(second)]).toEqual([['devices'], before])
  })

  it('reports the progress of a rebuild that takes more than half a second', async () => {
    const first = await home.openStore(clock)
    await synced(first, 1200)
    await first.close()
    let monotonic = 0
    const slow = Object.assign(new FakeClock(), { monotonic: () => monotonic })
    const reported = async (aRecordTakesMs: number): Promise<Progress[]> => {
      const heard: Progress[] = []
      const newer = [roomRows, deviceRows].map((part) => ({
        ...part,
        readerVersion: part.readerVersion + 1 + aRecordTakesMs,
        rebuild: (...[transaction, records]: Parameters<DerivedPart['rebuild']>) => {
          monotonic += aRecordTakesMs * records.length
          part.rebuild(transaction, records)
        },
      }))
      await (await home.openStore(slow, newer, (progress) => heard.push(progress))).close()
      return heard
    }
    expect([await reported(0), await reported(1)]).toEqual([
      [],
      [501, 1001, 1201].map((done) => ({ done, total: 1201 })),
    ])
  })

  it('keeps devices marked as gone during a rebuild', async () => {
    const first = await home.openStore(clock)
    await synced(first, 3)
    await first.database.write((transaction) =>
      transaction.run(`UPDATE raw_record SET gone_at = 5 WHERE id = 'D00000001'`),
    )
    await first.close()
    const second = await home.openStore(clock, [
      roomRows,
      { ...deviceRows, readerVersion: deviceRows.readerVersion + 1 },
    ])
    expect((await sliceOf(second)).rows.map((row) => row.id)).toEqual(['D00000000', 'D00000002'])
  })
})

describe('a damaged file', () => {
  it('is set aside and reported, and a new one is begun', async () => {
    const first = await home.openStore(clock)
    await synced(first, 300)
    await first.close()
    const bytes = readFileSync(path())
    bytes.fill(0xa5, 4096, bytes.length - 4096)
    writeFileSync(path(), bytes)
    const second = await home.openStore(clock)
    expect([(await sliceOf(second)).total]).toEqual([0])
    expect(second.problems()).toMatchObject([
      {
        failure: { kind: 'cache-unusable', reason: 'damaged' },
        done: 'store.damaged-2026-11-21T14-02-00.sqlite',
      },
    ])
    await synced(second, 2)
    expect((await sliceOf(second)).total).toBe(2)
  })
})

describe('a large damaged file that was closed cleanly', () => {
  it('is detected during use, reported, and set aside at the next start', async () => {
    const first = await home.openStore(clock)
    await synced(first, 3)
    await first.database.write((transaction) => {
      transaction.script('CREATE TABLE more (text TEXT)')
      for (let n = 0; n < 9; n++) transaction.run('INSERT INTO more VALUES (?)', ['x'.repeat(1_000_000)])
    })
    await first.close()
    const second = await home.openStore(clock)
    const file = await open(path(), 'r+')
    await file.write(Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(path()).size / 2))
    await file.close()
    expect([(await sliceOf(second)).total, second.problems()]).toEqual([3, []])
    const reported = new Promise<void>((resolve) => second.onProblems(resolve))
    await clock.advance(5_000)
    await reported
    expect(second.problems()).toMatchObject([
      {
        failure: { reason: 'damaged' },
        done: 'At the next start the file is set aside and its data is read again from the service.',
      },
    ])
    await second.close()
    const third = await home.openStore(clock)
    expect([(await sliceOf(third)).total, third.problems()]).toMatchObject([
      0,
      [{ failure: { reason: 'damaged' }, done: 'store.damaged-2026-11-21T14-02-05.sqlite' }],
    ])
  })
})

describe('a file that cannot be written', () => {
  it('is read from its place, which is reported, and changes are refused', async () => {
    const first = await home.openStore(clock)
    await synced(first, 4)
    await first.close()
    const refusal = new DatabaseError('store', 'read-only', 'told')
    const databases = { ...home.databases, open: () => Promise.reject(refusal) }
    const store = await openStore({ clock, databases }, [roomRows, deviceRows])
    expect([
      (await sliceOf(store)).total,
      store.problems().map(({ failure, done }) => [failure.kind, done]),
      await failureOf(store.database.write(() => undefined)),
    ]).toEqual([
      4,
      [['cache-unusable', null]],
      { kind: 'cache-unusable', file: 'store.sqlite', reason: 'read-only', message: 'told' },
    ])
    await store.close()
  })

  it('fails a sync on a full disk, keeps what was there, and clears the problem when writing works again', async () => {
    const store = await home.openStore(clock)
    const allow = (pages: number): Promise<unknown> =>
      store.database.perform(runStatements, [{ sql: `PRAGMA max_page_count = ${pages}`, parameters: [] }])
    const management = await synced(store, 20)
    await allow(60)
    management.devices.MeetingRoom = Array.from({ length: 2000 }, (_, number) => aDevice(number))
    const sync = await openSync({ clock, management, store, organizationId })
    await sync.run().catch(() => undefined)
    expect(sync.state().lastFailure).toMatchObject({ kind: 'cache-unusable', reason: 'disk-full' })
    expect(store.problems()).toMatchObject([{ failure: { reason: 'disk-full' } }])
    expect((await sliceOf(store)).total).toBeGreaterThanOrEqual(20)
    await clock.advance(10_000)
    await allow(100_000)
    expect(store.problems()).toEqual([])
    expect(await sync.run()).toMatchObject({ complete: true, devices: { read: 2000 } })
    await sync.close()
  })
})

it('removes one organization and keeps the others', async () => {
  const store = await home.openStore(clock)
  await synced(store, 3)
  const other = await openSync({
    clock,
    management: new FakeManagement(clock),
    store,
    organizationId: 'other',
  })
  await other.run()
  await store.forget(organizationId)
  const left = await store.database.query(
    'SELECT (SELECT count(*) FROM raw_json) + (SELECT count(*) FROM device_row) AS records, (SELECT count(*) FROM sync_report) AS reports',
  )
  expect(left).toEqual([{ records: 0, reports: 1 }])
})

it('continues an interrupted removal in the next run, with rows and records consistent', async () => {
  const store = await home.openStore(clock)
  await synced(store, 700)
  const count = async (of: Store): Promise<unknown> => {
    const search = `(SELECT count(*) FROM device_search)`
    const [row] = await of.database.query(
      `SELECT (SELECT count(*) FROM raw_record WHERE kind = 'device') AS records, (SELECT count(*) FROM device_row) AS rows, ${search} AS found`,
    )
    return { ...row }
  }
  const cancelled = new Failed({ kind: 'cancelled' })
  const half = store.forget(organizationId, () => {
    throw cancelled
  })
  await expect(half).rejects.toBe(cancelled)
  const { records, rows } = (await count(store)) as { records: number; rows: number }
  expect([records > 0, rows]).toEqual([true, records])
  await store.close()
  const next = await home.openStore(clock)
  await next.forget(organizationId)
  expect([await count(next), next.rebuilt]).toEqual([{ records: 0, rows: 0, found: 0 }, []])
})
