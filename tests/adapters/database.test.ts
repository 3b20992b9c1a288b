import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabases } from '../../electron/adapters/database.ts'
import { deviceRows } from '../../electron/core/devices/devices.ts'
import { DatabaseError, type Database, type Databases } from '../../electron/core/platform.ts'
import { roomRows } from '../../electron/core/rooms/rooms.ts'
import { runStatements } from '../../electron/core/storage/statements.ts'
import { openStore } from '../../electron/core/storage/store.ts'
import { writePageOf } from '../../electron/core/sync/record-writes.ts'
import { aDevice } from '../a-device.ts'
import { FakeClock } from '../fake-clock.ts'

const workerUrl = new URL('../../electron/adapters/database-worker.ts', import.meta.url)
let folder: string
let databases: Databases
const opened: Database[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-'))
  databases = openDatabases({ folder, workerUrl })
})
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (...argument: Parameters<Databases['open']>): Promise<Database> => {
  const database = await databases.open(...argument)
  opened.push(database)
  return database
}
const filled = async (rows: number): Promise<Database> => {
  const database = await open('store')
  await database.write((transaction) => {
    transaction.script('CREATE TABLE t (n INTEGER PRIMARY KEY, words TEXT)')
    for (let n = 1; n <= rows; n++)
      transaction.run('INSERT INTO t VALUES (?, ?)', [n, `words of row ${n} `.repeat(20)])
  })
  return database
}
const reason = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof DatabaseError ? error.reason : `mistake: ${String(error)}`),
  )

describe('a file locked by another program', () => {
  it.each([
    [
      'when it is written',
      async (database: Database) =>
        void (await database.write((transaction) => transaction.run('DELETE FROM t'))),
      'BEGIN IMMEDIATE',
    ],
    ['when it is opened', null, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'],
  ] as const)('waits, reports the wait once after a second, then continues (%s)', async (_, work, sql) => {
    const database = await filled(1)
    if (work === null) await opened.splice(0)[0]?.close()
    const lock = new DatabaseSync(join(folder, 'store.sqlite'))
    lock.exec(sql)
    const reported: string[] = []
    const waiting = (file: string): void => {
      reported.push(file)
      lock.exec('ROLLBACK')
      lock.close()
    }
    const patient = openDatabases({ folder, workerUrl, waiting })
    if (work === null) opened.push(await patient.open('store'))
    else {
      lock.exec('ROLLBACK')
      const mine = await patient.open('store')
      opened.push(mine)
      lock.exec(sql)
      await work(mine)
    }
    expect([reported, await reason(database.read('SELECT 1'))]).toEqual([
      ['store'],
      work === null ? 'unknown' : 'no error',
    ])
  })
})

describe('checking the file at a path', () => {
  it('reports what is there before it is opened', () => {
    writeFileSync(join(folder, 'workbook.sqlite'), '')
    writeFileSync(join(folder, 'ledger.sqlite'), 'x')
    expect([databases.found('store'), databases.found('workbook'), databases.found('ledger')]).toEqual([
      'missing',
      'empty',
      'filled',
    ])
  })
})

describe.skipIf(process.platform === 'win32')('a folder that cannot exist', () => {
  it.each([
    ['its path is longer than this system allows', 'ENAMETOOLONG', () => join(folder, 'x/'.repeat(2_048))],
    ['one name of it is', 'ENAMETOOLONG', () => join(folder, 'x'.repeat(256))],
    [
      'it leads back to itself',
      'ELOOP',
      () => {
        symlinkSync('round', join(folder, 'round'))
        return join(folder, 'round')
      },
    ],
    [
      'it is a file',
      'EEXIST',
      () => {
        writeFileSync(join(folder, 'file'), '')
        return join(folder, 'file')
      },
    ],
  ])('%s: finds nothing, and opening reports why', async (_, code, folderOf) => {
    const nowhere = openDatabases({ folder: folderOf(), workerUrl })
    expect([nowhere.found('store'), await nowhere.open('store').catch((error: unknown) => error)]).toEqual([
      'missing',
      expect.objectContaining({
        reason: 'read-only',
        message: expect.stringContaining(`(${code}).`) as string,
      }),
    ])
  })
})

describe('reading and writing', () => {
  it('reads on the worker what was written here', async () => {
    const database = await filled(3)
    expect(await database.read('SELECT n FROM t WHERE n > ? ORDER BY n', [1])).toEqual([{ n: 2 }, { n: 3 }])
    expect(await database.readNumbers('SELECT n FROM t ORDER BY n DESC')).toEqual(Float64Array.of(3, 2, 1))
  })

  it('reads numbers in the requested order, with NaN for a missing one', async () => {
    const database = await filled(3)
    const numbers = await database.readNumbers(
      `SELECT CASE n WHEN 1 THEN NULL WHEN 2 THEN 'two' ELSE n END FROM t WHERE n > ? ORDER BY n DESC`,
      [0],
    )
    expect([numbers, await database.readNumbers('SELECT n FROM t WHERE n > 3')]).toEqual([
      Float64Array.of(3, Number.NaN, Number.NaN),
      new Float64Array(0),
    ])
  })

  it('reads the opened file on every thread, even after another takes its place', async () => {
    await (await filled(3)).close()
    const database = await open('store')
    renameSync(join(folder, 'store.sqlite'), join(folder, 'elsewhere.sqlite'))
    writeFileSync(join(folder, 'store.sqlite'), '')
    const count = (): Promise<unknown> => database.read('SELECT count(*) AS n FROM t')
    expect(await Promise.all([count(), count(), count()])).toEqual([[{ n: 3 }], [{ n: 3 }], [{ n: 3 }]])
    expect(
      await database.perform(runStatements, [{ sql: 'DELETE FROM t WHERE n = 3', parameters: [] }]),
    ).toEqual([1])
  })

  it('runs one sum at a time, and returns rows before it', async () => {
    const database = await filled(1)
    // Both threads have begun.
    await Promise.all([database.read('SELECT 1'), database.read('SELECT 2')])
    const reported: string[] = []
    const count = (kind: 'rows' | 'sum', to: number): Promise<unknown> =>
      database
        .read(
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
    expect(await database.readNumbers('SELECT n FROM t ORDER BY rowid')).toEqual(Float64Array.of(1, 2, 3))
  })

  it('uses a write-ahead log, foreign keys and normal syncing', async () => {
    const database = await filled(0)
    const settings = await database.write((transaction) =>
      ['journal_mode', 'foreign_keys', 'synchronous'].map((name) => transaction.first(`PRAGMA ${name}`)),
    )
    expect(settings).toEqual([{ journal_mode: 'wal' }, { foreign_keys: 1 }, { synchronous: 1 }])
  })

  it.each([
    ['workbook', 2],
    ['ledger', 1],
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
    // A continuing writer is blocked at some time, and then the log is empty.
    for (; log() > 16_000_000; await database.read('SELECT 1')) await insert(rows++, '')
    expect(await database.read('SELECT count(*) AS n, count(DISTINCT n) AS different FROM t')).toEqual([
      { n: rows, different: rows },
    ])
    await database.close()
    expect(existsSync(join(folder, 'store.sqlite-wal'))).toBe(false)
  })

  it('continues when another program prevents emptying the log', async () => {
    const database = await filled(0)
    const other = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true })
    other.exec('BEGIN')
    other.prepare('SELECT count(*) FROM t').get()
    const text = 'x'.repeat(1_000_000)
    for (let row = 0; row < 40; row++)
      await database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', [row, text]))
    other.close()
    expect(await database.read('SELECT count(*) AS n FROM t')).toEqual([{ n: 40 }])
  })

  it.skipIf(process.platform === 'win32')(
    'creates files and copies that only the owner can read',
    async () => {
      const database = await filled(1)
      await databases.backUp('store', 'before-1')
      const modes = readdirSync(folder).map((name) => [
        name,
        (statSync(join(folder, name)).mode & 0o777).toString(8),
      ])
      await database.close()
      expect(Object.fromEntries(modes)).toEqual({
        'store.before-1.sqlite': '600',
        'store.sqlite': '600',
        'store.sqlite-shm': '600',
        'store.sqlite-wal': '600',
      })
    },
  )

  const modesIn = (): readonly (readonly [string, string])[] =>
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)] as const)

  it.skipIf(process.platform === 'win32')(
    'creates a copy that only the owner can read, and removes one left by a killed program',
    async () => {
      await (await filled(100)).close()
      const child = fileURLToPath(new URL('copying-child.ts', import.meta.url))
      const { signal } = spawnSync(process.execPath, [child, folder])
      const left = modesIn().filter(([name]) => !name.startsWith('store.sqlite'))
      expect([signal, left]).toEqual([
        'SIGKILL',
        [[expect.stringMatching(/^store\.before-2\.sqlite\.\d+\.part$/), '600']],
      ])
      await (await open('store')).close()
      expect(modesIn()).toEqual([['store.sqlite', '600']])
    },
  )

  it.skipIf(process.platform === 'win32')(
    'restricts files of an earlier version to their owner, and removes only their unfinished copies',
    async () => {
      await (await filled(1)).close()
      const names = [
        'store.sqlite-wal',
        'store.before-1.sqlite',
        'store.before-2.sqlite',
        'store.before-2.sqlite-journal',
        'workbook.before-1.sqlite-journal',
      ]
      for (const name of names) writeFileSync(join(folder, name), '')
      for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.before-1.sqlite'])
        chmodSync(join(folder, name), 0o644)
      await open('store')
      expect(modesIn().filter(([name]) => !name.endsWith('-shm'))).toEqual([
        ['store.before-1.sqlite', '600'],
        ['store.sqlite', '600'],
        ['store.sqlite-wal', '600'],
        ['workbook.before-1.sqlite-journal', '644'],
      ])
    },
  )

  it('does not remove a copy while another program writes it', async () => {
    await (await filled(1)).close()
    writeFileSync(join(folder, `store.before-2.sqlite.${process.ppid}.part`), '')
    await (await open('store')).close()
    expect(readdirSync(folder).toSorted()).toEqual([
      `store.before-2.sqlite.${process.ppid}.part`,
      'store.sqlite',
    ])
  })

  it('never lets a reader write', async () => {
    const database = await filled(1)
    expect(await reason(database.read('DELETE FROM t'))).toBe('read-only')
  })

  it('reports wrong SQL as a bug', async () => {
    const database = await filled(0)
    expect(await reason(database.read('SELECT 1 FROM nowhere'))).toBe(
      'mistake: ReaderError: no such table: nowhere',
    )
    expect(
      await reason(
        database.write((transaction) => transaction.run('INSERT INTO t VALUES (?, ?)', ['not a number', ''])),
      ),
    ).toMatch(/^mistake: /)
  })

  it('waits for another program that writes', async () => {
    const database = await filled(1)
    const other = new DatabaseSync(join(folder, 'store.sqlite'))
    other.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (7, NULL)')
    const waiting = database.write((transaction) => transaction.first('SELECT max(n) AS n FROM t'))
    await new Promise<void>((resolve) => void setImmediate(resolve))
    other.exec('COMMIT')
    other.close()
    expect(await waiting).toEqual({ n: 7 })
  })

  it('waits to open a file that another program has locked exclusively', async () => {
    await (await filled(1)).close()
    const other = new DatabaseSync(join(folder, 'store.sqlite'))
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const waiting = open('store')
    await new Promise<void>((resolve) => void setImmediate(resolve))
    other.close()
    expect(await (await waiting).read('SELECT n FROM t')).toEqual([{ n: 1 }])
  })

  it('rejects work after it was closed', async () => {
    const database = await filled(1)
    await database.close()
    expect([await reason(database.read('SELECT 1')), await reason(database.write(() => 1))]).toEqual([
      'unknown',
      'unknown',
    ])
  })
})

describe('work performed on the writer thread', () => {
  const round = { organizationId: 'org', syncId: 1, startedAt: 0, known: false }
  const page = (number: number, items: string) => ({
    round,
    kind: 'device' as const,
    stream: 'devices:all' as const,
    listedAs: null,
    items,
    receivedAt: number,
    position: { token: `token ${number}`, finished: false, mayGoOn: false },
  })

  it('is in the file when it returns, in order with other writes', async () => {
    const clock = new FakeClock()
    const store = await openStore({ clock, databases }, [roomRows, deviceRows])
    opened.push(store.database)
    const ids = (): Promise<unknown> => store.database.read('SELECT id FROM raw_record ORDER BY row_id')
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
      await store.database.read('SELECT id FROM raw_record ORDER BY row_id'),
      await store.database.read('SELECT stream, token FROM sync_stream ORDER BY stream'),
    ]).toEqual([
      ['fulfilled', 'rejected', 'fulfilled'],
      [{ id: 'D00000001' }, { id: 'D00000003' }],
      [
        { stream: 'devices:all', token: 'token 1' },
        { stream: 'rooms', token: 'token 3' },
      ],
    ])
  })

  it('waits for another program that writes', async () => {
    const store = await openStore({ clock: new FakeClock(), databases }, [roomRows, deviceRows])
    opened.push(store.database)
    const other = new DatabaseSync(join(folder, 'store.sqlite'))
    other.exec('BEGIN IMMEDIATE')
    const waiting = store.database.perform(writePageOf, page(1, JSON.stringify([aDevice(1)])))
    await new Promise<void>((resolve) => void setImmediate(resolve))
    other.exec('COMMIT')
    other.close()
    expect(await waiting).toEqual({ fresh: 1, unmet: 0 })
  })

  it('must be in the list of procedures', async () => {
    const database = await filled(1)
    await expect(database.perform({ name: 'nobody knows it', run: () => 1 }, null)).rejects.toThrow(
      'No procedure is called nobody knows it',
    )
  })
})

describe('reports a write as durable only when it is', () => {
  const path = (): string => join(folder, 'ledger.sqlite')
  it.each<[string, () => Promise<Database>, boolean]>([
    ['in a file', () => open('ledger'), true],
    ['in memory', () => open('ledger', 'in-memory'), false],
    [
      'in a file that is closed',
      () => open('ledger').then((database) => database.close().then(() => database)),
      false,
    ],
  ])('%s', async (_, opened, durable) => {
    expect((await opened()).durable).toBe(durable)
  })

  it.skipIf(process.platform === 'win32').each<[string, () => void]>([
    ['was deleted', () => rmSync(path())],
    ['was moved', () => renameSync(path(), `${path()}.old`)],
    [
      'was replaced by a copy of itself',
      () => (copyFileSync(path(), `${path()}.copy`), renameSync(`${path()}.copy`, path())),
    ],
  ])('reports a file that %s while it is open as not durable', async (_, change) => {
    const database = await open('ledger')
    change()
    expect(database.durable).toBe(false)
  })
})

describe('the check of a large file', () => {
  const path = (): string => join(folder, 'store.sqlite')
  const damage = (): void => {
    const file = openSync(path(), 'r+')
    writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(path()).size / 2))
    closeSync(file)
  }

  it.each<[when: string, change: () => unknown, later: boolean]>([
    ['is left for later where it was closed whole', () => undefined, true],
    ['comes first where it was written since', () => utimesSync(path(), 1, 1), false],
    [
      'comes first where it was replaced by a copy of itself',
      () => (copyFileSync(path(), `${path()}.copy`), renameSync(`${path()}.copy`, path())),
      false,
    ],
    ['comes first where a log was left', () => writeFileSync(`${path()}-wal`, ''), false],
    [
      'comes first where another program has it open',
      async () => opened.push(await openDatabases({ folder, workerUrl }).open('store')),
      false,
    ],
  ])('%s', async (_, change, later) => {
    await (await filled(40_000)).close()
    await change()
    expect((await open('store')).check !== undefined).toBe(later)
  })

  it('runs first for a small file and for one that is not the store', async () => {
    await (await filled(1)).close()
    const workbook = await open('workbook')
    await workbook.write((transaction) => {
      transaction.script('CREATE TABLE t (text TEXT)')
      for (let n = 0; n < 9; n++) transaction.run('INSERT INTO t VALUES (?)', ['x'.repeat(1_000_000)])
    })
    await workbook.close()
    expect([(await open('store')).check, (await open('workbook')).check]).toEqual([undefined, undefined])
  })

  it('finds damage while the file is in use, and the next opening then finds it first', async () => {
    await (await filled(40_000)).close()
    const database = await open('store')
    damage()
    const found = [await reason(database.check?.() ?? Promise.resolve())]
    await database.close()
    expect([...found, await reason(databases.open('store'))]).toEqual(['damaged', 'damaged'])
  })
})

describe('files that cannot be used', () => {
  it.each([
    [
      'text in place of a database',
      (path: string) => writeFileSync(path, 'This is no database. '.repeat(500)),
      'damaged',
    ],
    ['a folder in place of the file', (path: string) => mkdirSync(path), 'read-only'],
  ])('%s', async (_, put, expected) => {
    put(join(folder, 'store.sqlite'))
    expect(await reason(databases.open('store'))).toBe(expected)
  })

  it('a file in place of the home folder', async () => {
    writeFileSync(join(folder, 'home'), '')
    expect(await reason(openDatabases({ folder: join(folder, 'home'), workerUrl }).open('store'))).toBe(
      'read-only',
    )
  })

  it.each([100, 4000])('a file of %i rows with damage in its middle', async (rows) => {
    await (await filled(rows * 10)).close()
    const path = join(folder, 'store.sqlite')
    const bytes = readFileSync(path)
    bytes.fill(0xa5, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192)
    writeFileSync(path, bytes)
    expect(await reason(databases.open('store'))).toBe('damaged')
  })

  it('reads the new file after a large damaged one is set aside while another is open', async () => {
    await open('workbook').then((workbook) => workbook.read('SELECT 1'))
    await (await filled(40_000)).close()
    const path = join(folder, 'store.sqlite')
    const bytes = readFileSync(path)
    bytes.fill(0xa5, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192)
    writeFileSync(path, bytes)
    expect({ large: bytes.length > 8 * 1024 * 1024, reason: await reason(databases.open('store')) }).toEqual({
      large: true,
      reason: 'damaged',
    })
    await databases.setAside('store', 0)
    expect(await (await open('store')).read('SELECT count(*) AS n FROM sqlite_schema')).toEqual([{ n: 0 }])
  })

  it('fails the write on a full disk and keeps what was there', async () => {
    const database = await filled(5)
    await database.write((transaction) => transaction.all('PRAGMA max_page_count = 8'))
    const much = database.write((transaction) => {
      for (let n = 100; n < 2000; n++) transaction.run('INSERT INTO t VALUES (?, ?)', [n, 'x'.repeat(500)])
    })
    expect(await reason(much)).toBe('disk-full')
    expect(await database.read('SELECT count(*) AS n FROM t')).toEqual([{ n: 5 }])
  })
})

describe('setting aside and copying files', () => {
  it('sets a damaged file aside under a name with the time, never over another file', async () => {
    const at = Date.UTC(2026, 10, 21, 14, 2, 3)
    writeFileSync(join(folder, 'store.sqlite'), 'damaged')
    for (const end of ['-wal', '-shm', '-journal']) writeFileSync(join(folder, `store.sqlite${end}`), 'log')
    expect(await databases.setAside('store', at)).toBe('store.damaged-2026-11-21T14-02-03.sqlite')
    writeFileSync(join(folder, 'store.sqlite'), 'damaged again')
    expect(await databases.setAside('store', at)).toBe('store.damaged-2026-11-21T14-02-03-2.sqlite')
    expect(readdirSync(folder).sort()).toEqual([
      'store.damaged-2026-11-21T14-02-03-2.sqlite',
      'store.damaged-2026-11-21T14-02-03.sqlite',
      'store.damaged-2026-11-21T14-02-03.sqlite-journal',
      'store.damaged-2026-11-21T14-02-03.sqlite-shm',
      'store.damaged-2026-11-21T14-02-03.sqlite-wal',
    ])
  })

  it('copies a whole file while it is in use', async () => {
    await filled(50)
    const name = await databases.backUp('store', 'before-2')
    const copy = new DatabaseSync(join(folder, name), { readOnly: true })
    expect([name, copy.prepare('SELECT count(*) AS n FROM t').get()]).toEqual([
      'store.before-2.sqlite',
      { n: 50 },
    ])
    copy.close()
  })

  it('continues in memory with the data of the file, and does not change the file', async () => {
    await (await filled(5)).close()
    const memory = await open('store', 'in-memory')
    await memory.write((transaction) => transaction.run('DELETE FROM t WHERE n > 2'))
    expect([
      await memory.read('SELECT count(*) AS n FROM t'),
      await memory.readNumbers('SELECT n FROM t'),
    ]).toEqual([[{ n: 2 }], Float64Array.of(1, 2)])
    expect(await (await open('store')).read('SELECT count(*) AS n FROM t')).toEqual([{ n: 5 }])
  })
})
