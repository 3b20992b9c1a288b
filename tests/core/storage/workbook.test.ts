import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { assumedValues } from '../../../electron/contract/organization.ts'
import { DatabaseError, type Databases } from '../../../electron/core/platform.ts'
import { pictureOf, pictureSql } from '../../../electron/core/organizations/organizations-rows.ts'
import {
  openWorkbook,
  type Workbook,
  type WorkbookPlatform,
} from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { failureOf } from '../../failure-of.ts'
import { storeOrganization } from '../../stored-organization.ts'

const workerUrl = new URL('../../../electron/adapters/database-worker.ts', import.meta.url)

let folder: string
let file: string
let platform: WorkbookPlatform

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-workbook-'))
  file = join(folder, 'workbook.sqlite')
  platform = {
    clock: new FakeClock(),
    databases: openDatabases({ folder, workerUrl }),
    log: { write: () => undefined },
  }
  onTestFinished(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
})

/** Opens the workbook, does the work and closes it, even after an error. */
async function during<T>(
  work: (workbook: Workbook) => Promise<T>,
  on: WorkbookPlatform = platform,
): Promise<T> {
  const workbook = await openWorkbook(on)
  try {
    return await work(workbook)
  } finally {
    await workbook.close()
  }
}

test.each(['', 'nonsense[', '{"a":1}', '[7]', 'null'])(
  'replaces invalid lists of assumed values (%s) by the defaults, list by list',
  async (kept) => {
    await during((workbook) =>
      workbook.write((transaction) => {
        storeOrganization(transaction, 'a')
        transaction.run('UPDATE organization SET assumed_build_types = ?, assumed_platforms = ?', [
          kept,
          '["Haiku"]',
        ])
      }),
    )
    const stored = await during(async (workbook) => pictureOf((await workbook.query(pictureSql))[0]))
    expect(stored.organizations.map(({ draft }) => draft.assumed)).toEqual([
      { ...assumedValues, platforms: ['Haiku'] },
    ])
  },
)

test('a damaged workbook is set aside and reported, and a new one begun', async () => {
  writeFileSync(file, 'this is no database, but it is long enough to be taken for one'.repeat(100))
  const { problem, preferences } = await during(async (workbook) => ({
    problem: workbook.problem,
    preferences: await workbook.setPreferences({ theme: 'light' }),
  }))
  expect(problem).toMatchObject({
    id: 'workbook',
    failure: { kind: 'cache-unusable', file: 'workbook.sqlite', reason: 'damaged' },
    since: Date.UTC(2026, 10, 21, 14, 2),
  })
  expect(problem?.done).toContain('workbook.damaged-2026-11-21T14-02-00')
  expect(existsSync(join(folder, 'workbook.damaged-2026-11-21T14-02-00.sqlite'))).toBe(true)
  expect(preferences.theme).toBe('light')
  expect(await during(async (workbook) => workbook.problem)).toBeNull()
})

describe('a file that cannot be written', () => {
  const failing = (reason: DatabaseError['reason']): WorkbookPlatform => ({
    ...platform,
    databases: {
      ...platform.databases,
      open: (name) => Promise.reject(new DatabaseError(name, reason, `told: ${reason}`)),
    } satisfies Databases,
  })

  test.each(['read-only', 'disk-full'] as const)(
    '(%s) is read from its place and reported, and changes are refused',
    async (reason) => {
      await during((workbook) => workbook.setPreferences({ theme: 'dark' }))
      const failure = { kind: 'cache-unusable', file: 'workbook.sqlite', reason, message: `told: ${reason}` }
      const seen = await during(
        async (workbook) => ({
          problem: workbook.problem,
          storageProblem: workbook.storageProblem(),
          change: await failureOf(workbook.setPreferences({ lastPage: '/rooms' })),
          theme: (await workbook.preferences()).theme,
        }),
        failing(reason),
      )
      expect(seen).toEqual({
        problem: {
          id: 'workbook',
          failure,
          since: Date.UTC(2026, 10, 21, 14, 2),
          done: 'Headroom shows what is stored. It sends no actions and saves no edits.',
        },
        storageProblem: failure,
        change: failure,
        theme: 'dark',
      })
      expect((await during((workbook) => workbook.preferences())).lastPage).toBeNull()
    },
  )

  test('and does not exist yet is a failure', async () => {
    expect(await failureOf(openWorkbook(failing('read-only')))).toMatchObject({
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'read-only',
    })
  })

  test.each(['busy', 'unknown'] as const)(
    '(%s) is a failure, because its contents may change meanwhile',
    async (reason) => {
      expect(await failureOf(openWorkbook(failing(reason)))).toEqual({
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason,
        message: `told: ${reason}`,
      })
    },
  )
})

test('a disk that fills up later is reported as a failure, and errors of the work are rethrown unchanged', async () => {
  const real = platform.databases
  let full = false
  const databases: Databases = {
    ...real,
    async open(name) {
      const database = await real.open(name)
      return {
        durable: true,
        query: (sql, parameters) => database.query(sql, parameters),
        queryNumbers: (sql, parameters) => database.queryNumbers(sql, parameters),
        write: (work) =>
          full ? Promise.reject(new DatabaseError(name, 'disk-full', 'no room')) : database.write(work),
        perform: (procedure, input) => database.perform(procedure, input),
        close: () => database.close(),
      }
    },
  }
  await during(
    async (workbook) => {
      await expect(
        workbook.write(() => {
          throw new RangeError('ours')
        }),
      ).rejects.toThrow(RangeError)
      full = true
      expect(await failureOf(workbook.setPreferences({ theme: 'dark' }))).toEqual({
        kind: 'cache-unusable',
        file: 'workbook.sqlite',
        reason: 'disk-full',
        message: 'no room',
      })
      full = false
    },
    { ...platform, databases },
  )
})
