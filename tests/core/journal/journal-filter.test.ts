import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { journalSortColumns, type JournalSortColumn } from '../../../electron/contract/fields/journal.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type { JournalLine } from '../../../electron/contract/api/journal.ts'
import {
  openJournal,
  type Journal,
  type JournalBegin,
  type JournalEnd,
} from '../../../electron/core/journal/journal.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'

const hour = 3_600_000
let clock: FakeClock
let home: TemporaryHome
let workbook: Workbook
let journal: Journal
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  journal = openJournal({ workbook, clock, who: 'Åse Lund' })
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const begin = (number: number, changes: Partial<JournalBegin> = {}): JournalBegin => ({
  organization: { id: 'org', name: 'Nordlys' },
  operation: 'RebootRoom',
  target: { of: 'room', id: `room-${number}`, name: `Åbo ${number}` },
  deviceIds: [`D${number}a`, `D${number}b`],
  before: null,
  after: null,
  ...changes,
})
const end = (changes: Partial<JournalEnd> = {}): JournalEnd => ({
  outcome: 'accepted',
  status: 202,
  message: null,
  ...changes,
})
const found = async (where: string): Promise<readonly number[]> =>
  (await journal.list('org', { where, subjectId: null, start: 0, count: 500 })).lines.map(({ id }) => id)

/** Ids of the lines in each order; unknown values come last. */
const ordered: Readonly<Record<JournalSortColumn, string>> = {
  startedAt: '15432',
  endedAt: '14325',
  outcome: '54231',
  status: '12453',
  operation: '52143',
  of: '43521',
  targetName: '12435',
  targetId: '43125',
  before: '43521',
  after: '43521',
  message: '32541',
  who: '54321',
  deviceCount: '43215',
  durationInMs: '43215',
  organizationName: '54321',
  afterwards: '54321',
  job: '54321',
  ticket: '54321',
  line: '12345',
}

describe('a journal filter', () => {
  beforeEach(async () => {
    const settings = {
      operation: 'UpdateDeviceSettings',
      target: { of: 'device', id: 'D9', name: 'Bar' },
      deviceIds: ['D9'],
    } as const
    await journal.end(await journal.begin(begin(1)), end())
    await clock.advance(2 * hour)
    await journal.end(
      await journal.begin(begin(2)),
      end({ outcome: 'refused', status: 409, message: 'Überlastet' }),
    )
    await journal.end(
      await journal.begin(begin(3, { ...settings, before: 'sidetone=4', after: 'sidetone=6' })),
      end({ outcome: 'refused', status: null, message: 'offline' }),
    )
    await journal.end(
      await journal.begin(begin(4, { ...settings, before: 'name=Öst', after: 'name=100 %' })),
      end({ outcome: 'unconfirmed', status: 502 }),
    )
    await journal.begin(
      begin(5, { deviceIds: ['D9', 'D5', 'D6'], target: { of: 'room', id: 'room-5', name: null } }),
    )
    await clock.advance(hour)
  })

  it.each<[string, readonly number[]]>([
    ['', [5, 4, 3, 2, 1]],
    ['outcome:accepted', [1]],
    ['outcome:refused', [2]],
    ['outcome:not-sent', [3]],
    ['outcome:unconfirmed,unknown', [5, 4]],
    ['!outcome:accepted', [5, 4, 3, 2]],
    ['operation:reboot', [5, 2, 1]],
    ['operation:settings', [4, 3]],
    ['operation:updatedevicesettings', [4, 3]],
    ['of:device', [4, 3]],
    ['name:abo', [2, 1]],
    ['name:="åbo 2"', [2]],
    ['name:=åbo', []],
    ['name:""', [5]],
    ['who:ase', [5, 4, 3, 2, 1]],
    ['who:somebody', []],
    ['age:<2h', [5, 4, 3, 2]],
    ['age:>2h', [1]],
    ['before:ost', [4]],
    ['after:"100 %"', [4]],
    ['after:""', [5, 2, 1]],
    ['status:409', [2]],
    ['status:>=400', [4, 2]],
    ['status:""', [5, 3]],
    ['message:uberlastet', [2]],
    ['devices:1', [4, 3]],
    ['devices:>2', [5]],
    ['id:D9', [5, 4, 3]],
    ['id:room-2', [2]],
    ['line:3', [3]],
    ['line:<3', [2, 1]],
    ['überlastet', [2]],
    ['sidetone of:device outcome:not-sent', [3]],
    [`"x' OR 1=1 --"`, []],
    [`id:"' OR ''='"`, []],
  ])('%s', async (where, expected) => expect(await found(where)).toEqual(expected))

  it.each([
    ['outcome:fine', 'outcome:fine at character 1: "fine" is not one of'],
    ['reboot age:7d', 'age:7d at character 8: an age needs < or > before it, such as'],
    ['colour:red', 'colour at character 1: unknown filter'],
  ])('that cannot be parsed points at the place: %s', async (where, words) => {
    const error: unknown = await found(where).catch((failed: unknown) => failed)
    expect(error).toBeInstanceOf(Failed)
    expect((error as Failed).failure).toMatchObject({
      kind: 'invalid',
      field: 'where',
      message: expect.stringContaining(words) as unknown,
    })
  })

  it.each(journalSortColumns)(
    'orders by %s: in slices as in files, the newest of equal ones first',
    async (column) => {
      const filter = { where: '', subjectId: null, sort: [{ column, descending: false }] }
      const { batches } = await journal.all('org', filter)
      const all: number[] = []
      for await (const batch of batches) all.push(...batch.map(({ id }) => id))
      const slice = async (start: number) =>
        (await journal.list('org', { ...filter, start, count: 3 })).lines.map(({ id }) => id)
      expect([all.join(''), [...(await slice(0)), ...(await slice(3))]]).toEqual([ordered[column], all])
    },
  )

  it('can be limited to one device in addition to its terms', async () => {
    const { lines, total } = await journal.list('org', {
      where: 'operation:reboot',
      subjectId: 'D9',
      start: 0,
      count: 10,
    })
    expect([lines.map(({ id }) => id), total]).toEqual([[5], 1])
  })

  it('finds entries of an earlier format, which have no folded text', async () => {
    await workbook.write((transaction) =>
      transaction.run(
        `INSERT INTO journal_begin (organization_id, organization_name, who, operation, target_of, target_id, target_name, device_ids, started_at, words)
         VALUES ('org', 'Nordlys', 'Bo', 'RebootRoom', 'room', 'room-9', 'Oslo', '[]', 0, 'nordlys bo rebootroom oslo')`,
      ),
    )
    expect([await found('name:OSLO'), await found('who:bo')]).toEqual([[6], [6]])
  })
})

it('folds the lines of a job into its newest, with their number, their outcomes and what was not sent, at its place among the others', async () => {
  await workbook.write((transaction) => {
    storeOrganization(transaction, 'org', { name: 'Nordlys' })
    transaction.run(
      `INSERT INTO job (id, organization_id, who, work, state, keep_trying, asked, calls_planned, watching_at_most, created_at)
       VALUES ('job-a', 'org', 'Bo', '{}', 'running', 0, 5, 2, 0, 0), ('job-b', 'org', 'Bo', '{}', 'ended', 0, 3, 2, 0, 0)`,
    )
    for (const [item, job, detail] of [
      [41, 1, null],
      [42, 1, null],
      [43, 1, 'not-watched'],
      [44, 2, null],
      [45, 2, 'cancelled'],
      [46, 2, 'cancelled'],
    ] as const)
      transaction.run(
        `INSERT INTO job_item (id, job, position, target_of, target_id, name_key, device_ids, memory, detail) VALUES (?1, ?2, ?1, 'room', 'r', 'r', '[]', 'null', ?3)`,
        [item, job, detail],
      )
  })
  for (const [number, item] of [41, null, 42, 43, 44].entries())
    await journal.begin(begin(number + 1, item === null ? {} : { reference: `job-item-${item}-1` }))
  await journal.end(1, end())
  await journal.end(3, end({ outcome: 'refused', status: 409 }))
  const seen = async (where: string, start: number): Promise<readonly unknown[]> => {
    const query = { where, subjectId: null, folded: true, start, count: 2 } as const
    const { lines, total, actions } = await journal.list('org', query)
    return [lines.map(({ id, jobId, together }) => [id, jobId, together]), total, actions]
  }
  const outcomes = { accepted: 1, refused: 1, 'not-sent': 0, unconfirmed: 0, unknown: 1 }
  const begun = { ...outcomes, accepted: 0, refused: 0 }
  expect([await seen('', 0), await seen('', 2), await seen('outcome:refused', 0)]).toEqual([
    [
      [
        [5, 'job-b', { count: 1, asked: 3, devices: 2, unsent: 2, outcomes: begun, afterwards: {} }],
        [
          4,
          'job-a',
          { count: 3, asked: 5, devices: 6, unsent: 0, outcomes, afterwards: { 'not-watched': 1 } },
        ],
      ],
      3,
      5,
    ],
    [[[2, undefined, undefined]], 3, 5],
    [[[3, 'job-a', undefined]], 1, 1],
  ])
})

it('names the job of a write, and filters by it', async () => {
  await workbook.write((transaction) => {
    storeOrganization(transaction, 'org', { name: 'Nordlys' })
    transaction.run(
      `INSERT INTO job (id, organization_id, who, work, state, keep_trying, asked, calls_planned, watching_at_most, created_at)
       VALUES ('job-a', 'org', 'Bo', '{}', 'running', 0, 1, 2, 0, 0)`,
    )
    transaction.run(
      `INSERT INTO job_item (id, job, position, target_of, target_id, name_key, device_ids, memory) VALUES (42, 1, 0, 'room', 'r', 'r', '[]', 'null')`,
    )
  })
  await journal.begin(begin(1, { reference: 'job-item-42-1' }))
  await journal.begin(begin(2))
  await journal.begin(begin(3, { reference: 'job-item-43-1' }))
  const { lines } = await journal.list('org', { where: '', subjectId: null, start: 0, count: 10 })
  expect(lines.map(({ id, jobId }) => [id, jobId])).toEqual([
    [3, undefined],
    [2, undefined],
    [1, 'job-a'],
  ])
  expect([
    await found('job:job-a'),
    await found('!job:""'),
    await found('job:""'),
    await found('job:job-b'),
  ]).toEqual([[1], [1], [3, 2], []])
})

it.each([
  ['read back', 'verified', 1, 'verified'],
  ['not back', 'did-not-come-back', 1, 'did-not-come-back'],
  ['in flight', null, 1, undefined],
  ['cancelled', 'cancelled', 1, undefined],
  ['of another attempt', 'verified', 2, undefined],
])('shows what its job observed afterwards: %s', async (_, detail, attempt, seen) => {
  await workbook.write((transaction) => {
    storeOrganization(transaction, 'org', { name: 'Nordlys' })
    transaction.run(
      `INSERT INTO job (id, organization_id, who, work, state, keep_trying, asked, calls_planned, watching_at_most, created_at)
       VALUES ('job-a', 'org', 'Bo', '{}', 'running', 0, 1, 2, 0, 0)`,
    )
  })
  const first = await journal.begin(begin(1, { reference: 'job-item-42-1' }))
  const second = await journal.begin(begin(2, { reference: 'job-item-42-2' }))
  await workbook.write((transaction) =>
    transaction.run(
      `INSERT INTO job_item (id, job, position, target_of, target_id, name_key, device_ids, memory, detail, journal_id) VALUES (42, 1, 0, 'device', 'd', 'd', '[]', 'null', ?, ?)`,
      [detail, attempt === 1 ? first : second],
    ),
  )
  const { lines } = await journal.list('org', { where: '', subjectId: null, start: 0, count: 10 })
  expect(lines.find(({ id }) => id === first)?.afterwards).toBe(seen)
})

describe('a long journal', () => {
  const many = 50_000
  beforeEach(async () => {
    await workbook.write((transaction) => {
      transaction.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
         INSERT INTO journal_begin (organization_id, organization_name, who, operation, target_of, target_id, target_name, device_ids, started_at, words)
         SELECT CASE i % 5 WHEN 0 THEN 'other' ELSE 'org' END, 'Nordlys', 'Bo', 'RebootRoom', 'room', 'r' || i, 'Room ' || i, '["D' || i || '"]', i, 'room ' || i FROM n`,
      )
      transaction.run(
        `INSERT INTO journal_end (id, ended_at, outcome, status) SELECT id, id + 1, 'accepted', 202 FROM journal_begin`,
      )
    })
  })

  it('continues from an entry: skips nothing, and no entry comes twice or is missing', async () => {
    const steps: string[] = []
    const plain = openJournal({
      workbook: {
        storageProblem: () => null,
        write: workbook.write,
        query: (sql, parameters) => (steps.push(sql), workbook.query(sql, parameters)),
      },
      clock,
      who: 'Bo',
    })
    const ids: number[] = []
    for (let before: number | undefined; ids.length < 40_000; before = ids.at(-1)) {
      const { lines, total } = await plain.list('org', {
        where: '',
        subjectId: null,
        ...(before === undefined ? {} : { before }),
        start: 0,
        count: 500,
      })
      expect(total).toBe(40_000)
      ids.push(...lines.map(({ id }) => id))
    }
    expect(ids).toEqual(Array.from({ length: many }, (_none, i) => many - i).filter((id) => id % 5 !== 0))
    const plan = await workbook.query(`EXPLAIN QUERY PLAN ${steps.find((sql) => sql.includes('b.id < ?'))}`, [
      'org',
      100,
    ])
    expect(plan.map((row) => String(row['detail']))).toEqual([
      expect.stringMatching(
        /^SEARCH b USING COVERING INDEX journal_begin_organization \(organization_id=\? AND rowid<\?\)$/,
      ),
    ])
  })

  it('is exported whole, newest first, without entries begun meanwhile', async () => {
    const { total, batches } = await journal.all('org', { where: 'line:<=100', subjectId: null })
    await journal.begin(begin(1))
    const lines: JournalLine[] = []
    for await (const batch of batches) lines.push(...batch)
    expect([total, lines.length, lines[0]?.id, lines.at(-1)?.id]).toEqual([80, 80, 99, 1])
  })
})
