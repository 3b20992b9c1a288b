import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Failed } from '../../../electron/contract/failure.ts'
import { createCore } from '../../../electron/core/app.ts'
import type { DatabaseFile } from '../../../electron/core/platform.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const files: readonly DatabaseFile[] = ['workbook', 'store']
let home: TemporaryHome

/** Opens and closes all files; returns why that failed, else their state. */
async function start() {
  try {
    const core = await createCore(fakePlatform(home))
    const problems = core.shared.fileProblems()
    await core.close()
    return problems.map(({ id, failure, done }) => ({ id, failure, done }))
  } catch (error) {
    return (error as Failed).failure
  }
}

const pathOf = (file: DatabaseFile): string => join(home.folder, `${file}.sqlite`)
const inFile = (file: DatabaseFile, sql: string): DatabaseSync => {
  const database = new DatabaseSync(pathOf(file))
  database.exec(sql)
  return database
}

beforeEach(async () => {
  home = new TemporaryHome()
  expect(await start()).toEqual([])
})
afterEach(async () => {
  await home.remove()
})

/** What a file of format 1 is turned into. */
const formats = {
  newer: 'PRAGMA user_version = 99',
  earlier: 'PRAGMA user_version = 17; PRAGMA application_id = 0',
} as const

it.each([
  [
    'workbook',
    'newer',
    'workbook.sqlite was written by a newer Headroom (format 99; this one reads format 1). It was not changed.',
  ],
  [
    'workbook',
    'earlier',
    'workbook.sqlite was written by another program or by a Headroom before format 1. It was not changed.',
  ],
  [
    'store',
    'newer',
    'store.sqlite was written by a newer Headroom (format 99; this one reads format 1). It was not changed.',
  ],
] as const)('a %s of a %s format is refused and left unchanged', async (file, reason, message) => {
  inFile(file, formats[reason]).close()
  const bytes = readFileSync(pathOf(file))
  expect(await start()).toEqual({ kind: 'cache-unusable', file: `${file}.sqlite`, reason, message })
  expect(readFileSync(pathOf(file)).equals(bytes)).toBe(true)
})

it.each(files)('a %s that another program made, without a log, is not changed', async (file) => {
  rmSync(pathOf(file))
  inFile(file, 'CREATE TABLE bookmark (url TEXT)').close()
  const bytes = readFileSync(pathOf(file))
  await start()
  const found = readdirSync(home.folder).filter((name) => name.startsWith(file) && name.endsWith('.sqlite'))
  expect(found.some((name) => readFileSync(join(home.folder, name)).equals(bytes))).toBe(true)
})

it('a store of an earlier format is set aside, reported and begun anew', async () => {
  inFile('store', `${formats.earlier}; CREATE TABLE left (n)`).close()
  const [problem, ...others] = (await start()) as { readonly done: string | null }[]
  expect(others).toEqual([])
  expect(problem).toMatchObject({ id: 'store', failure: { kind: 'cache-unusable', reason: 'earlier' } })
  const aside = new DatabaseSync(join(home.folder, problem?.done ?? ''), { readOnly: true })
  expect(aside.prepare('SELECT count(*) AS n FROM left').get()).toEqual({ n: 0 })
  aside.close()
  expect(await start()).toEqual([])
})

describe('an empty file', () => {
  it.each([
    [
      'workbook',
      'A new file was created. Organizations, jobs and the journal are lost unless you replace the file with a copy.',
    ],
    ['store', 'Its data is read again from the service.'],
  ] as const)('beside other files with data is reported (%s)', async (file, done) => {
    truncateSync(pathOf(file), 0)
    const failure = {
      kind: 'cache-unusable',
      file: `${file}.sqlite`,
      reason: 'empty',
      message: `${file}.sqlite had a size of 0 bytes.`,
    }
    expect(await start()).toEqual([{ id: `${file}-empty`, failure, done }])
  })

  it('is reported for each when all were emptied', async () => {
    for (const file of files) truncateSync(pathOf(file), 0)
    expect(await start()).toMatchObject([{ id: 'workbook-empty' }, { id: 'store-empty' }])
  })

  it('as the only file is a first start', async () => {
    const fresh = new TemporaryHome()
    writeFileSync(join(fresh.folder, 'workbook.sqlite'), '')
    const before = home
    home = fresh
    const problems = await start()
    await fresh.remove()
    home = before
    expect(problems).toEqual([])
  })
})

it.each([
  ['missing', () => rmSync(pathOf('workbook'))],
  ['damaged', () => writeFileSync(pathOf('workbook'), Buffer.alloc(8_192, 'x'))],
])('a workbook that is %s beside a store with rows: no device is written for 61 s', async (_, lose) => {
  const freeInMs = async (): Promise<number> => {
    const core = await createCore(fakePlatform(home))
    const wait = core.shared.writeSlots.freeInMs(['D1'])
    await core.close()
    return wait
  }
  const record = `INSERT INTO raw_record (organization_id, kind, id, observed_at, sync_id, id_key) VALUES ('org', 'room', 'r', 0, 1, 'r')`
  inFile('store', record).close()
  const before = await freeInMs()
  lose()
  expect([before, (await freeInMs()) > 50_000, (await freeInMs()) > 50_000]).toEqual([0, true, true])
})
