import {
  closeSync,
  copyFileSync,
  mkdirSync,
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
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabases } from '../../electron/adapters/database.ts'
import { DatabaseError, type Database } from '../../electron/core/platform.ts'
import { databases, filled, folder, inAFolder, open, opened, reason, workerUrl } from './a-database.ts'

inAFolder()

describe('checking the file at a path', () => {
  it('reports what is there before it is opened', () => {
    const found = [databases.found('store')]
    writeFileSync(join(folder, 'store.sqlite'), '')
    writeFileSync(join(folder, 'workbook.sqlite'), 'x')
    expect([...found, databases.found('store'), databases.found('workbook')]).toEqual([
      'missing',
      'empty',
      'filled',
    ])
  })
})

describe.skipIf(process.platform === 'win32')('a folder that cannot exist', () => {
  it.each([
    ['its path is longer than this system allows', 'ENAMETOOLONG', () => join(folder, 'x/'.repeat(2_048))],
    ['one part of its path is', 'ENAMETOOLONG', () => join(folder, 'x'.repeat(256))],
    [
      'its path contains a circular link',
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

describe('reports a write as durable only when it is', () => {
  const path = (): string => join(folder, 'workbook.sqlite')
  it.each<[string, () => Promise<Database>, boolean]>([
    ['in a file', () => open('workbook'), true],
    [
      'in a file that is closed',
      () => open('workbook').then((database) => database.close().then(() => database)),
      false,
    ],
  ])('%s', async (_, openedAgain, durable) => {
    expect((await openedAgain()).durable).toBe(durable)
  })

  it.skipIf(process.platform === 'win32').each<[string, () => void]>([
    ['was deleted', () => rmSync(path())],
    ['was moved', () => renameSync(path(), `${path()}.old`)],
    [
      'was replaced by a copy of itself',
      () => (copyFileSync(path(), `${path()}.copy`), renameSync(`${path()}.copy`, path())),
    ],
  ])('reports a file that %s while it is open as not durable', async (_, change) => {
    const database = await open('workbook')
    change()
    expect(database.durable).toBe(false)
  })
})

it('a query that has not started when its file is closed fails as one after that does', async () => {
  const database = await open('store')
  const slow = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300000) SELECT max(n) AS n FROM c`
  const asked = Promise.allSettled([1, 2, 3].map(() => database.query(slow)))
  await database.close()
  const found = [...(await asked), ...(await Promise.allSettled([database.query(slow)]))]
  const answer = { status: 'fulfilled', value: [{ n: 300_000 }] }
  const failure = {
    status: 'rejected',
    reason: new DatabaseError('store', 'unknown', 'store.sqlite is closed.'),
  }
  expect(found).toEqual([answer, answer, failure, failure])
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
    await open('workbook').then((workbook) => workbook.query('SELECT 1'))
    await (await filled(40_000)).close()
    const path = join(folder, 'store.sqlite')
    const bytes = readFileSync(path)
    bytes.fill(0xa5, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8192)
    writeFileSync(path, bytes)
    expect({ large: bytes.length > 8 * 1024 * 1024, reason: await reason(databases.open('store')) }).toEqual({
      large: true,
      reason: 'damaged',
    })
    await databases.setAside('store', 'damaged', 0)
    expect(await (await open('store')).query('SELECT count(*) AS n FROM sqlite_schema')).toEqual([{ n: 0 }])
  })

  it('fails the write on a full disk and keeps what was there', async () => {
    const database = await filled(5)
    await database.write((transaction) => transaction.all('PRAGMA max_page_count = 8'))
    const much = database.write((transaction) => {
      for (let n = 100; n < 2000; n++) transaction.run('INSERT INTO t VALUES (?, ?)', [n, 'x'.repeat(500)])
    })
    expect(await reason(much)).toBe('disk-full')
    expect(await database.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 5 }])
  })
})

describe('a file', () => {
  it('that is damaged is set aside under a name with the time, never over another file', async () => {
    const at = Date.UTC(2026, 10, 21, 14, 2, 3)
    writeFileSync(join(folder, 'store.sqlite'), 'damaged')
    for (const end of ['-wal', '-shm', '-journal']) writeFileSync(join(folder, `store.sqlite${end}`), 'log')
    expect(await databases.setAside('store', 'damaged', at)).toBe('store.damaged-2026-11-21T14-02-03.sqlite')
    writeFileSync(join(folder, 'store.sqlite'), 'damaged again')
    expect(await databases.setAside('store', 'damaged', at)).toBe(
      'store.damaged-2026-11-21T14-02-03-2.sqlite',
    )
    expect(readdirSync(folder).sort()).toEqual([
      'store.damaged-2026-11-21T14-02-03-2.sqlite',
      'store.damaged-2026-11-21T14-02-03.sqlite',
      'store.damaged-2026-11-21T14-02-03.sqlite-journal',
      'store.damaged-2026-11-21T14-02-03.sqlite-shm',
      'store.damaged-2026-11-21T14-02-03.sqlite-wal',
    ])
  })

  it('that cannot be written is read from its place, and every write is refused', async () => {
    await (await filled(2)).close()
    const because = new DatabaseError('store', 'read-only', 'told')
    const database = await databases.openReadOnly('store', because)
    const refused = database.write((transaction) => transaction.run('DELETE FROM t'))
    await expect(refused).rejects.toBe(because)
    expect([
      database.durable,
      await database.query('SELECT count(*) AS n FROM t'),
      await database.queryNumbers('SELECT n FROM t'),
      readdirSync(folder),
    ]).toEqual([false, [{ n: 2 }], Float64Array.of(1, 2), ['store.sqlite']])
    await database.close()
  })
})
