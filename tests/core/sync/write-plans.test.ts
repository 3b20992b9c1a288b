import { expect, it, onTestFinished } from 'vitest'
import type { Database, SqlValue, Transaction } from '../../../electron/core/platform.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const organizationId = 'org'
const records = 40

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
      query: (sql, parameters) => (note(sql, parameters), database.query(sql, parameters)),
      queryNumbers: (sql, parameters) => database.queryNumbers(sql, parameters),
      write: (work) => database.write((transaction) => work(watched(transaction))),
      perform: (procedure, input) =>
        database.write((transaction) => procedure.run(watched(transaction), input)),
      close: () => database.close(),
    },
  }
}

/** Two syncs, the second with every record changed: each statement with its last arguments, and the plan of one. */
async function twoSyncs() {
  const clock = new FakeClock()
  const home = new TemporaryHome()
  const store = await home.openStore(clock)
  const { database, run } = counting(store.database)
  const management = new FakeManagement(clock)
  const sync = await openSync({
    clock,
    management,
    store: { ...store, database },
    organizationId,
    changed: () => undefined,
  })
  onTestFinished(async () => {
    await sync.close()
    await home.remove()
  })
  for (const [seats, status] of [
    [4, 'Online'],
    [6, 'Offline'],
  ] as const) {
    const devices = Array.from({ length: records }, (_, index) =>
      aDevice(index, { deviceConnectionStatus: status, name: `${status} ${index}` }),
    )
    management.devices = { MeetingRoom: devices, Personal: [] }
    management.rooms = Array.from({ length: records }, (_, index) => aRoom(index, { seatCount: seats }))
    await sync.run()
    await clock.advance(3_600_000)
  }
  return {
    run,
    query: store.database.query,
    planOf: async (sql: string): Promise<readonly string[]> =>
      (await store.database.query(`EXPLAIN QUERY PLAN ${sql}`, run.get(sql)?.parameters)).map((step) =>
        String(step['detail']),
      ),
  }
}

it('queries of a sync find the rows of each record by a key: none scans the organization', async () => {
  const { run, planOf } = await twoSyncs()
  const often = [...run].filter(([, { times }]) => times >= records)
  const slow: string[] = []
  for (const [sql] of often)
    for (const step of await planOf(sql))
      // `0:=` is the full-text index by its row id.
      if (/^SCAN (?!device_search VIRTUAL TABLE INDEX 0:=)|\(organization_id=\?\)$/.test(step))
        slow.push(`${step}: ${sql}`)
  expect([often.some(([sql]) => sql.includes('room_member')), slow]).toEqual([true, []])
})

it('a statement about every record scans their table: none looks each of them up through an index', async () => {
  const { run, planOf } = await twoSyncs()
  const looksUp: string[] = []
  let scans = 0
  for (const sql of run.keys())
    for (const step of await planOf(sql)) {
      if (/^SEARCH .* USING INDEX raw_record_key \(organization_id=\? AND kind=\?\)$/.test(step))
        looksUp.push(sql)
      if (step === 'SCAN raw_record' || step === 'SCAN r') scans++
    }
  expect({ looksUp, scans }).toEqual({ looksUp: [], scans: 4 })
})

it('an index of few records is used: SQLite prefers that of all records', async () => {
  const { run, query, planOf } = await twoSyncs()
  const indexes = await query(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'raw_record' AND sql LIKE '% WHERE %'",
    [],
  )
  const used: string[] = []
  for (const { name, sql: index } of indexes)
    for (const sql of run.keys()) {
      if (!sql.includes(String(index).split(' WHERE ')[1] ?? '')) continue
      const isUsed = (await planOf(sql)).some((step) => step.includes(`USING INDEX ${String(name)} `))
      used.push(`${String(name)}: ${isUsed ? 'used' : sql}`)
    }
  expect(used).toEqual([
    'raw_record_not_listed: used',
    'raw_record_not_listed: used',
    'raw_record_sent: used',
  ])
})
