import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { openLastUse, type LastUse } from '../../../electron/core/storage/last-use.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'

const minute = 60_000
let home: TemporaryHome
let clock: FakeClock
let workbook: Workbook
let writes: number
let fails: boolean

beforeEach(async () => {
  home = new TemporaryHome()
  clock = new FakeClock()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  writes = 0
  fails = false
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

/** What a program that starts now learns about earlier calls. */
const open = (scope = 'scope-1'): LastUse =>
  openLastUse({
    workbook: {
      query: (sql, parameters) => workbook.query(sql, parameters),
      write: (work) => {
        writes++
        return fails
          ? Promise.reject(
              new Failed({
                kind: 'cache-unusable',
                file: 'workbook.sqlite',
                reason: 'disk-full',
                message: 'full',
              }),
            )
          : workbook.write(work)
      },
    },
    clock,
    scope,
  })
/** Waits until the recorded data is in the file. */
const noted = async (): Promise<void> => {
  await settle()
  await workbook.write(() => null)
  await settle()
}

describe('the last use of a subscription', () => {
  it('is stored with the first call, then once a minute, and at the end with the last one', async () => {
    const lastUse = open()
    const seen = []
    for (const afterInMs of [0, 30_000, 29_999, 1, 10_000]) {
      await clock.advance(afterInMs)
      lastUse.happened(false)
      await noted()
      seen.push((await open().ages()).noted)
    }
    await clock.advance(5_000)
    await lastUse.close()
    expect({ seen, writes, end: (await open().ages()).noted }).toEqual({
      seen: [0, 30_000, 59_999, 0, 10_000],
      writes: 3,
      end: 5_000,
    })
  })

  it('is stored at once when the call history fails, and when it works again', async () => {
    const lastUse = open()
    const seen = []
    for (const unsaved of [false, true, true, false]) {
      await clock.advance(1_000)
      lastUse.happened(unsaved)
      await noted()
      seen.push((await open().ages()).noted)
    }
    expect({ seen, writes }).toEqual({ seen: [0, 0, 1_000, 0], writes: 3 })
  })

  it('that could not be stored is stored with the next call', async () => {
    const lastUse = open()
    fails = true
    lastUse.happened(false)
    await clock.advance(1_000)
    await noted()
    fails = false
    lastUse.happened(false)
    await noted()
    expect((await open().ages()).noted).toBe(0)
  })

  it('is separate for each subscription, and none without a use', async () => {
    open().happened(false)
    await noted()
    expect(await open('scope-2').ages()).toEqual({ noted: null, any: null })
  })

  it.each([
    ['back', -600_000],
    ['forward', 600_000],
  ])('keeps its age when the wall clock is set %s', async (_, byInMs) => {
    open().happened(false)
    await noted()
    await clock.advance(minute)
    clock.jumpWall(byInMs)
    expect((await open().ages()).noted).toBe(minute)
  })
})

describe('a wait requested by the service', () => {
  const hour = 60 * minute
  const savedDeadline = async (scope?: string) => (await open(scope).savedDeadline('hold'))?.forInMs ?? null

  it.each<[string, readonly (readonly [forInMs: number | null, replace: boolean])[], number | null]>([
    ['is kept', [[hour, false]], hour],
    [
      'a later time extends it',
      [
        [hour, false],
        [2 * hour, false],
      ],
      2 * hour,
    ],
    [
      'an earlier one changes nothing',
      [
        [2 * hour, false],
        [hour, false],
      ],
      2 * hour,
    ],
    [
      'unless it replaces the previous one',
      [
        [2 * hour, false],
        [hour, true],
      ],
      hour,
    ],
    [
      'a lift removes it',
      [
        [hour, false],
        [null, true],
      ],
      null,
    ],
  ])('%s', async (_, steps, expected) => {
    const lastUse = open()
    for (const [forInMs, replace] of steps)
      void lastUse.saveDeadline('hold', forInMs === null ? null : clock.now() + forInMs, replace)
    await lastUse.close()
    expect([
      await savedDeadline(),
      await savedDeadline('scope-2'),
      await open().savedDeadline('pause'),
    ]).toEqual([expected, null, null])
  })

  it('ends at its time, also after a clock change, and a reboot of the computer does not end it', async () => {
    await open().saveDeadline('hold', clock.now() + hour, false)
    const seen = []
    clock.jumpWall(10 * hour)
    seen.push(await savedDeadline())
    clock.jumpWall(-10 * hour)
    clock.reboot(minute)
    seen.push(await savedDeadline())
    await clock.advance(hour)
    seen.push(await savedDeadline())
    expect(seen).toEqual([hour, hour - minute, null])
  })

  it('is not stored on a write error, which affects nothing else', async () => {
    fails = true
    await open().saveDeadline('hold', clock.now() + hour, false)
    fails = false
    expect(await savedDeadline()).toBe(null)
  })
})

describe('other evidence of calls', () => {
  const add = (id: string, scope: string) =>
    workbook.write((transaction) => storeOrganization(transaction, id, { budgetScope: scope }))
  const line = (id: number, organization: string, outcome: string | null, status: number | null) =>
    workbook.write((transaction) => {
      transaction.run(
        `INSERT INTO journal_begin (id, organization_id, organization_name, who, operation, target_of, target_id, device_ids, started_at, words)
         VALUES (?, ?, 'n', 'me', 'RebootRoom', 'room', 'r', '[]', ?, '')`,
        [id, organization, clock.now()],
      )
      if (outcome !== null)
        transaction.run('INSERT INTO journal_end (id, ended_at, outcome, status) VALUES (?, ?, ?, ?)', [
          id,
          clock.now() + 1_000,
          outcome,
          status,
        ])
    })

  it.each<[string, string | null, number | null, number | null]>([
    ['a write that got a response, from its end', 'accepted', 200, 9_000],
    ['a write that was refused by the service', 'refused', 429, 9_000],
    ['a write without a recorded end', null, null, 10_000],
    ['not a write that was never sent', 'refused', null, null],
  ])('the journal: %s', async (_, outcome, status, age) => {
    await add('org-1', 'scope-1')
    await line(1, 'org-1', outcome, status)
    await clock.advance(10_000)
    expect([await open().ages(), await open('scope-2').ages()]).toEqual([
      { noted: null, any: age },
      { noted: null, any: null },
    ])
  })

  it('the use of a key, in every organization with the same one', async () => {
    await add('org-1', 'scope-1')
    await add('org-2', 'scope-1')
    await workbook.write((transaction) => {
      transaction.run("INSERT INTO key_fingerprint (id, hash, budget_scope) VALUES ('f', 'h', 'scope-1')")
      const key =
        "INSERT INTO subscription_key (organization_id, slot, fingerprint_id, added_at, last_used_at) VALUES (?, 'primary', 'f', 0, ?)"
      transaction.run(key, ['org-1', null])
      transaction.run(key, ['org-2', clock.now() - 5_000])
    })
    expect(await open().ages()).toEqual({ noted: null, any: 5_000 })
  })
})
