import { expect, it } from 'vitest'
import type { Database, SqlValue, Transaction } from '../../../electron/core/platform.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'

/** How often each statement ran in a transaction, and its last arguments. */
function counting(database: Database): {
  readonly database: Database
  readonly run: Map<string, { times: number; parameters: readonly SqlValue[] }>
} {
  const run = new Map<string, { times: number; parameters: readonly SqlValue[] }>()
  const note = (sql: string, parameters: readonly SqlValue[] = []): void => {
    run.set(sql, { times: (run.get(sql)?.times ?? 0) + 1, parameters })
  }
  const watched = (transaction: Transaction): Transaction => ({
    run: (sql, parameters) => (note(sql, parameters), transaction.run(sql, parameters)),
    all: (sql, parameters) => (note(sql, parameters), transaction.all(sql, parameters)),
    first: (sql, parameters) => (note(sql, parameters), transaction.first(sql, parameters)),
    script: (sql) => transaction.script(sql),
  })
  return {
    run,
    database: {
      durable: true,
      query: (sql, parameters) => database.query(sql, parameters),
      queryNumbers: (sql, parameters) => database.queryNumbers(sql, parameters),
      write: (work) => database.write((transaction) => work(watched(transaction))),
      perform: (procedure, input) =>
        database.write((transaction) => procedure.run(watched(transaction), input)),
      close: () => database.close(),
    },
  }
}

it('queries of a sync find the rows of each record by a key: none scans the organization', async () => {
  const clock = new FakeClock()
  const home = new TemporaryHome()
  const store = await home.openStore(clock)
  const { database, run } = counting(store.database)
  const management = new FakeManagement(clock)
  const records = 40
  const rooms = (seats: number) =>
    Array.from({ length: records }, (_, index) => aRoom(index, { seatCount: seats }))
  const devices = (status: string) =>
    Array.from({ length: records }, (_, index) =>
      aDevice(index, { deviceConnectionStatus: status, name: `${status} ${index}` }),
    )
  const sync = await openSync({
    clock,
    management,
    store: { ...store, database },
    organizationId,
    changed: () => undefined,
  })
  for (const [seats, status] of [
    [4, 'Online'],
    [6, 'Offline'],
  ] as const) {
    management.devices = { MeetingRoom: devices(status), Personal: [] }
    management.rooms = rooms(seats)
    await sync.run()
    await clock.advance(3_600_000)
  }

  const often = [...run].filter(([, { times }]) => times >= records)
  const slow: string[] = []
  for (const [sql, { parameters }] of often)
    for (const { detail } of await store.database.query(`EXPLAIN QUERY PLAN ${sql}`, parameters))
      // `0:=` is the full-text index by its row id.
      if (/^SCAN (?!device_search VIRTUAL TABLE INDEX 0:=)|\(organization_id=\?\)$/.test(String(detail)))
        slow.push(`${String(detail)}: ${sql}`)
  expect([often.some(([sql]) => sql.includes('room_member')), slow]).toEqual([true, []])
  await sync.close()
  await home.remove()
})
