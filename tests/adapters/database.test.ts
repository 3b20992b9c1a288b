import { chmodSync, existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openDatabases } from '../../electron/adapters/database.ts'
import { deviceRows } from '../../electron/core/devices/devices.ts'
import { roomRows } from '../../electron/core/rooms/rooms.ts'
import { runStatements } from '../../electron/core/storage/statements.ts'
import { openStore } from '../../electron/core/storage/store.ts'
import { writePageOf } from '../../electron/core/sync/streams.ts'
import { aDevice } from '../a-device.ts'
import { FakeClock } from '../fake-clock.ts'
import { databases, filled, folder, inAFolder, open, opened, reason } from './a-database.ts'

inAFolder()

describe('reading and writing', () => {
  it('reads on the worker what was written here', async () => {
    const database = await filled(3)
    expect(await database.query('SELECT n FROM t WHERE n > ? ORDER BY n', [1])).toEqual([{ n: 2 }, { n: 3 }])
    expect(await database.queryNumbers('SELECT n FROM t ORDER BY n DESC')).toEqual(Float64Array.of(3, 2, 1))
  })

  it('reads numbers in the requested order, with NaN for a missing one', async () => {
    const database = await filled(3)
    const numbers = await database.queryNumbers(
      `SELECT CASE n WHEN 1 THEN NULL WHEN 2 THEN 'two' ELSE n END FROM t WHERE n > ? ORDER BY n DESC`,
      [0],
    )
    expect([numbers, await database.queryNumbers('SELECT n FROM t WHERE n > 3')]).toEqual([
      Float64Array.of(3, Number.NaN, Number.NaN),
      new Float64Array(0),
    ])
  })

  it('reads the opened file on every thread, even after another takes its place', async () => {
    await (await filled(3)).close()
    const database = await open('store')
    renameSync(join(folder, 'store.sqlite'), join(folder, 'elsewhere.sqlite'))
    writeFileSync(join(folder, 'store.sqlite'), '')
    const count = (): Promise<unknown> => database.query('SELECT count(*) AS n FROM t')
    expect(await Promise.all([count(), count(), count()])).toEqual([[{ n: 3 }], [{ n: 3 }], [{ n: 3 }]])
    expect(
      await database.perform(runStatements, [{ sql: 'DELETE FROM t WHERE n = 3', parameters: [] }]),
    ).toEqual([1])
  })

  it('reads the opened file without a thread if asked to, and never writes another in its place', async () => {
    await (await filled(3)).close()
    const here = openDatabases({ folder, workerUrl: new URL('file:///missing.js'), readsHere: true })
    const database = await here.open('store')
    renameSync(join(folder, 'store.sqlite'), join(folder, 'elsewhere.sqlite'))
    writeFileSync(join(folder, 'store.sqlite'), '')
    const count = (kind: 'rows' | 'sum'): Promise<unknown> =>
      database.query('SELECT count(*) AS n FROM t', [], kind)
    const removal = [{ sql: 'DELETE FROM t', parameters: [] }]
    expect([
      await Promise.all([count('rows'), count('sum')]),
      await database.query('SELECT * FROM missing').catch(String),
      await database.perform(runStatements, removal).catch(String),
    ]).toEqual([
      [[{ n: 3 }], [{ n: 3 }]],
      'Error: no such table: missing',
      'DatabaseError: store.sqlite was moved or replaced.',
    ])
    await database.close()
    expect(statSync(join(folder, 'store.sqlite')).size).toBe(0)
  })

  it('runs one sum at a time, and returns rows before it', async () => {
    const database = await filled(1)
    // Waits until both threads have begun.
    await Promise.all([database.query('SELECT 1'), database.query('SELECT 2')])
    const reported: string[] = []
    const count = (kind: 'rows' | 'sum', to: number): Promise<unknown> =>
      database
        .query(
          `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${to}) SELECT max(n) FROM counted`,
          [],
          kind,
        )
        .then(() => reported.push(`${kind} to ${to}`))
    await Promise.all([count('sum', 3_000_000), count('sum', 100), count('rows', 10), count('rows', 20)])
    expect(reported).toEqual(['rows to 10', 'rows to 20', 'sum to 3000000', 'sum to 100'])
  })

  it('rolls the whole write back when its work throws, and continues', async () => {
    const database = await filled(1)
    const mistake = new Error('mine')
    const broken = database.write((transaction) => {
      transaction.run('DELETE FROM t')
      throw mistake
    })
    await expect(broken).rejects.toBe(mistake)
    expect(await database.write((transaction) => transaction.first('SELECT count(*) AS n FROM t'))).toEqual({
      n: 1,
    })
  })

  it('runs writes in the order in which they were requested', async () => {
    const database = await filled(0)
    await Promise.all(
      [1, 2, 3].map((n) =>
        database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', [n, ''])),
      ),
    )
    expect(await database.queryNumbers('SELECT n FROM t ORDER BY rowid')).toEqual(Float64Array.of(1, 2, 3))
  })

  it('uses a write-ahead log, foreign keys, normal syncing and a wait of five seconds for a lock', async () => {
    const database = await filled(0)
    const settings = await database.write((transaction) =>
      ['journal_mode', 'foreign_keys', 'synchronous', 'busy_timeout'].map((name) =>
        Object.values(transaction.first(`PRAGMA ${name}`) ?? {}),
      ),
    )
    expect([settings, await database.query('PRAGMA busy_timeout')]).toEqual([
      [['wal'], [1], [1], [5_000]],
      [{ timeout: 5_000 }],
    ])
  })

  it.each([
    ['workbook', 2],
    ['store', 1],
  ] as const)('opens the %s with synchronous mode %i', async (file, synchronous) => {
    const database = await open(file)
    expect(await database.write((transaction) => transaction.first('PRAGMA synchronous'))).toEqual({
      synchronous,
    })
  })

  it('moves its log into the file during writes without losing a row', async () => {
    const database = await filled(0)
    const log = (): number => statSync(join(folder, 'store.sqlite-wal')).size
    const insert = (n: number, text: string): Promise<unknown> =>
      database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', [n, text]))
    let rows = 0
    while (log() < 17_000_000) await insert(rows++, 'x'.repeat(1_000_000))
    // A writer that never pauses is blocked at some point, and then the log is empty.
    for (; log() > 16_000_000; await database.query('SELECT 1')) await insert(rows++, '')
    expect(await database.query('SELECT count(*) AS n, count(DISTINCT n) AS different FROM t')).toEqual([
      { n: rows, different: rows },
    ])
    await database.close()
    expect(existsSync(join(folder, 'store.sqlite-wal'))).toBe(false)
  })

  it('continues when a reader prevents emptying the log', async () => {
    const database = await filled(0)
    const other = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true })
    other.exec('BEGIN')
    other.prepare('SELECT count(*) FROM t').get()
    const text = 'x'.repeat(1_000_000)
    for (let row = 0; row < 40; row++)
      await database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', [row, text]))
    other.close()
    expect(await database.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 40 }])
  })

  it.skipIf(process.platform === 'win32')('restricts its files to their owner', async () => {
    await (await filled(1)).close()
    const names = ['store.sqlite', 'store.damaged-1.sqlite', 'workbook.sqlite']
    for (const name of names) {
      writeFileSync(join(folder, name), '', { flag: 'a' })
      chmodSync(join(folder, name), 0o644)
    }
    await open('store')
    expect(
      readdirSync(folder)
        .toSorted()
        .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    ).toEqual([
      ['store.damaged-1.sqlite', '600'],
      ['store.sqlite', '600'],
      ['store.sqlite-shm', '600'],
      ['store.sqlite-wal', '600'],
      ['workbook.sqlite', '644'],
    ])
  })

  it('never lets a reader write', async () => {
    const database = await filled(1)
    expect(await reason(database.query('DELETE FROM t'))).toBe('read-only')
  })

  it('reports wrong SQL as a bug', async () => {
    const database = await filled(0)
    expect(await reason(database.query('SELECT 1 FROM nowhere'))).toBe(
      'mistake: ReaderError: no such table: nowhere',
    )
    expect(
      await reason(
        database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', ['not a number', ''])),
      ),
    ).toMatch(/^mistake: /)
  })

  it('rejects work after it was closed', async () => {
    const database = await filled(1)
    await database.close()
    expect([await reason(database.query('SELECT 1')), await reason(database.write(() => 1))]).toEqual([
      'unknown',
      'unknown',
    ])
  })
})

describe('work performed on the writer thread', () => {
  const origin = { organizationId: 'org', syncId: 1, startedAt: 0, known: false }
  const page = (number: number, items: string) => ({
    origin,
    kind: 'device' as const,
    stream: 'devices:all' as const,
    listedAs: null,
    items,
    receivedAt: number,
    position: { token: `token ${number}`, finished: false, mayHaveMore: false, listed: 0 },
  })

  it('is in the file when it returns, in order with other writes', async () => {
    const clock = new FakeClock()
    const store = await openStore({ clock, databases }, [roomRows, deviceRows])
    opened.push(store.database)
    const ids = (): Promise<unknown> => store.database.query('SELECT id FROM raw_record ORDER BY row_id')
    const device = (number: number): string => JSON.stringify([aDevice(number)])
    const [answer] = await Promise.all([
      store.database.perform(writePageOf, page(1, device(1))),
      store.database.write((transaction) =>
        transaction.run("UPDATE raw_record SET id = 'written here' WHERE id LIKE '%1'"),
      ),
      store.database.perform(writePageOf, page(2, device(2))),
    ])
    expect([answer, await ids()]).toEqual([
      { fresh: 1, unmet: 0 },
      [{ id: 'written here' }, { id: 'D00000002' }],
    ])
  })

  it('is rolled back whole when it fails: page and token, without affecting other pages', async () => {
    const store = await openStore({ clock: new FakeClock(), databases }, [roomRows, deviceRows])
    opened.push(store.database)
    const reported = await Promise.allSettled([
      store.database.perform(writePageOf, page(1, JSON.stringify([aDevice(1)]))),
      store.database.perform(writePageOf, page(2, '[{"id":')),
      store.database.perform(writePageOf, { ...page(3, JSON.stringify([aDevice(3)])), stream: 'rooms' }),
    ])
    expect([
      reported.map(({ status }) => status),
      await store.database.query('SELECT id FROM raw_record ORDER BY row_id'),
      await store.database.query('SELECT stream, token FROM sync_stream ORDER BY stream'),
    ]).toEqual([
      ['fulfilled', 'rejected', 'fulfilled'],
      [{ id: 'D00000001' }, { id: 'D00000003' }],
      [
        { stream: 'devices:all', token: 'token 1' },
        { stream: 'rooms', token: 'token 3' },
      ],
    ])
  })

  it('must be in the list of procedures', async () => {
    const database = await filled(1)
    await expect(database.perform({ name: 'nobody knows it', run: () => 1 }, null)).rejects.toThrow(
      'No procedure is called nobody knows it',
    )
  })
})
