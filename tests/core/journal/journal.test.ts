import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { JournalQuery } from '../../../electron/contract/api/journal.ts'
import { openJournal, type Journal, type JournalBegin } from '../../../electron/core/journal/journal.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const day = 24 * 3_600_000
let clock: FakeClock
let home: TemporaryHome
let workbook: Workbook
let journal: Journal
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  workbook = await openWorkbook({ clock, databases: home.databases, log: { write: () => undefined } })
  journal = openJournal({ workbook, clock, who: 'astrid' })
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const reboot = (number: number, changes: Partial<JournalBegin> = {}): JournalBegin => ({
  organization: { id: 'org', name: 'Nordlys' },
  operation: 'RebootRoom',
  target: { of: 'room', id: `room-${number}`, name: `Åbo ${number}` },
  deviceIds: [`D${number}a`, `D${number}b`],
  before: '2 online',
  after: null,
  ...changes,
})
const all: JournalQuery = { where: '', subjectId: null, start: 0, count: 500 }
const ids = async (
  query: Partial<JournalQuery> = {},
  organizationId: string | null = 'org',
): Promise<number[]> =>
  (await journal.list(organizationId, { ...all, ...query })).lines.map((line) => line.id)

describe('a journal entry', () => {
  it('exists before the write, open, and is complete after it', async () => {
    const heard: number[] = []
    journal.onChange(() => heard.push(clock.now()))
    const startedAt = clock.now()
    const id = await journal.begin(reboot(1))
    const open = {
      id,
      organizationId: 'org',
      organizationName: 'Nordlys',
      who: 'astrid',
      operation: 'RebootRoom',
      target: { of: 'room', id: 'room-1', name: 'Åbo 1' },
      deviceIds: ['D1a', 'D1b'],
      startedAt,
      endedAt: null,
      outcome: null,
      status: null,
      message: null,
      before: '2 online',
      after: null,
    }
    expect(await journal.list('org', all)).toEqual({ lines: [open], total: 1 })
    await clock.advance(1_500)
    await journal.end(id, { outcome: 'refused', status: 403, message: 'refused: no' })
    expect(await journal.list('org', all)).toEqual({
      lines: [
        { ...open, endedAt: startedAt + 1_500, outcome: 'refused', status: 403, message: 'refused: no' },
      ],
      total: 1,
    })
    expect(heard).toEqual([startedAt, startedAt + 1_500])
  })

  it.each([
    'DELETE FROM journal_begin',
    'DELETE FROM journal_end',
    `UPDATE journal_begin SET who = 'somebody else'`,
    `UPDATE journal_end SET outcome = 'accepted'`,
    `INSERT INTO journal_end (id, ended_at, outcome) VALUES (1, 0, 'accepted')`,
  ])('stays as it was written: %s', async (statement) => {
    await journal.end(await journal.begin(reboot(1)), { outcome: 'unconfirmed', status: null, message: null })
    const before = await journal.list('org', all)
    const file = new DatabaseSync(join(home.folder, 'workbook.sqlite'))
    expect(() => file.exec(statement)).toThrow()
    file.close()
    expect(await journal.list('org', all)).toEqual(before)
  })

  it('outlives its organization', async () => {
    await journal.begin(reboot(1))
    await workbook.write((transaction) => transaction.run('DELETE FROM organization'))
    expect(await ids()).toEqual([1])
  })
})

describe('the journal list', () => {
  beforeEach(async () => {
    await journal.begin(reboot(1))
    await journal.begin(
      reboot(2, {
        operation: 'UpdateDeviceSettings',
        target: { of: 'device', id: 'D1a', name: 'Bar' },
        deviceIds: ['D1a'],
      }),
    )
    await journal.begin(reboot(3, { organization: { id: 'other', name: 'Sydhavn' } }))
    await journal.begin(
      reboot(4, { before: '100 % sure', target: { of: 'room', id: `x' OR 1=1 --`, name: null } }),
    )
  })

  it.each<[string, Partial<JournalQuery>, string | null, number[]]>([
    ['newest first', {}, 'org', [4, 2, 1]],
    ['of all organizations', {}, null, [4, 3, 2, 1]],
    ['of a room', { subjectId: 'room-1' }, 'org', [1]],
    ['of a device, in any action on it', { subjectId: 'D1a' }, 'org', [2, 1]],
    ['words without accents', { where: 'abo 1' }, 'org', [1]],
    ['a whole phrase', { where: '"Åbo 1"' }, 'org', [1]],
    ['the operation', { where: 'SETTINGS' }, 'org', [2]],
    ['characters with a meaning in SQL', { where: '100 %' }, 'org', [4]],
    ['an id with characters that have a meaning in SQL', { subjectId: `x' OR 1=1 --` }, 'org', [4]],
    ['a window', { start: 1, count: 1 }, 'org', [2]],
    ['nothing found', { where: 'Oslo' }, 'org', []],
  ])('%s', async (_, query, organizationId, expected) => {
    expect(await ids(query, organizationId)).toEqual(expected)
  })

  it('counts all matches, in any slice', async () => {
    expect((await journal.list('org', { ...all, count: 1 })).total).toBe(3)
  })

  it('rejects a slice larger than 500', async () => {
    await expect(journal.list('org', { ...all, count: 501 })).rejects.toBeInstanceOf(Failed)
  })
})

describe('journal entries left open by an ended program', () => {
  /** Another start with the same workbook: its open lines were begun by a program that has ended. */
  const started = (): Journal => openJournal({ workbook, clock, who: 'bo' })
  const found = async (by: Journal = started()): Promise<number[]> => {
    await by.endLeftOpen()
    return (await by.foundLeftOpen()).map((line) => line.id)
  }

  it('remain to be checked after a write to another target with the same id', async () => {
    await journal.begin(reboot(1, { target: { of: 'device', id: 'x', name: null } }))
    await journal.begin(reboot(2, { target: { of: 'room', id: 'x', name: null } }))
    await journal.end(2, { outcome: 'accepted', status: 200, message: null })
    expect(await found()).toEqual([1])
  })

  it('end as unconfirmed with the time of discovery', async () => {
    await journal.begin(reboot(1))
    await journal.begin(reboot(2))
    await journal.end(await journal.begin(reboot(3)), {
      outcome: 'unconfirmed',
      status: null,
      message: 'unconfirmed: cut',
    })
    await clock.advance(30 * day)
    const foundAt = clock.now()
    expect(await found()).toEqual([2, 1])
    const { lines } = await journal.list('org', all)
    expect(
      lines.map(({ id, endedAt, outcome, status, message, endFoundLater }) => [
        id,
        endedAt,
        outcome,
        status,
        message,
        endFoundLater,
      ]),
    ).toEqual([
      [3, foundAt - 30 * day, 'unconfirmed', null, 'unconfirmed: cut', undefined],
      [2, foundAt, 'unconfirmed', null, 'the program ended before the answer came', true],
      [1, foundAt, 'unconfirmed', null, 'the program ended before the answer came', true],
    ])
  })

  it('are found once', async () => {
    await journal.begin(reboot(1))
    await found()
    await clock.advance(1_000)
    await found()
    expect(await workbook.query('SELECT id, ended_at FROM journal_end')).toEqual([
      { id: 1, ended_at: clock.now() - 1_000 },
    ])
  })

  it('of the organization are ended too, without a reminder', async () => {
    await journal.begin(
      reboot(1, { target: { of: 'organization', id: 'org', name: 'Nordlys' }, deviceIds: [] }),
    )
    expect([await found(), (await journal.list('org', all)).lines[0]?.outcome]).toEqual([[], 'unconfirmed'])
  })

  it('stay open when the workbook is not on disk', async () => {
    await journal.begin(reboot(1))
    const storageProblem = {
      kind: 'cache-unusable',
      file: 'workbook.sqlite',
      reason: 'read-only',
      message: '',
    } as const
    expect(
      await found(
        openJournal({ workbook: { ...workbook, storageProblem: () => storageProblem }, clock, who: 'bo' }),
      ),
    ).toEqual([])
    expect((await journal.list('org', all)).lines.map(({ outcome }) => outcome)).toEqual([null])
  })

  it('are settled only by a later successful write to the same room', async () => {
    await journal.begin(reboot(1))
    await journal.end(await journal.begin(reboot(2)), { outcome: 'accepted', status: 200, message: null })
    await journal.end(await journal.begin(reboot(1)), { outcome: 'refused', status: 400, message: null })
    expect(await found()).toEqual([1])
    await journal.end(await journal.begin(reboot(1)), { outcome: 'accepted', status: 200, message: null })
    expect(await found()).toEqual([])
  })

  it('are shown as a reminder for a day after discovery', async () => {
    await journal.begin(reboot(1))
    await clock.advance(3 * day)
    expect(await found()).toEqual([1])
    await clock.advance(day - 1)
    expect(await found()).toEqual([1])
    await clock.advance(1)
    expect(await found()).toEqual([])
  })
})

it('begin no write without a workbook on disk', async () => {
  const storageProblem = {
    kind: 'cache-unusable',
    file: 'workbook.sqlite',
    reason: 'disk-full',
    message: '',
  } as const
  const memory = openJournal({
    workbook: { ...workbook, storageProblem: () => storageProblem },
    clock,
    who: 'bo',
  })
  await expect(memory.begin(reboot(1))).rejects.toMatchObject({ failure: storageProblem })
  expect((await journal.list('org', all)).lines).toEqual([])
})

it('list recently written devices, without unsent writes and ones of long ago', async () => {
  const end = (id: number, outcome: 'accepted' | 'refused'): Promise<void> =>
    journal.end(id, { outcome, status: outcome === 'accepted' ? 200 : null, message: null })
  await end(await journal.begin(reboot(1, { deviceIds: ['D1'] })), 'accepted')
  await end(await journal.begin(reboot(2, { deviceIds: ['D2'] })), 'refused')
  await clock.advance(1_000)
  await end(await journal.begin(reboot(3, { deviceIds: ['D3', 'D4'] })), 'accepted')
  await clock.advance(500)
  const d3 = { deviceIds: ['D3', 'D4'], endedAgoInMs: 500 }
  expect([await journal.lastWrites(1_501), await journal.lastWrites(1_500)]).toEqual([
    [{ deviceIds: ['D1'], endedAgoInMs: 1_500 }, d3],
    [d3],
  ])
})

it('count a line of which the end is in the future as ended when it was first seen', async () => {
  const seen = async (): Promise<unknown> => {
    const lines = await openJournal({ workbook, clock, who: 'bo' }).lastWrites(300_000)
    return lines.map(({ endedAgoInMs }) => endedAgoInMs)
  }
  clock.jumpWall(74 * 365 * 86_400_000)
  await journal.begin(reboot(1))
  await journal.endLeftOpen()
  clock.jumpWall(-74 * 365 * 86_400_000)
  const first = await seen()
  await clock.advance(20_000)
  const second = await seen()
  clock.jumpWall(-60_000)
  const back = await seen()
  await clock.advance(3_600_000)
  expect({ first, second, back, later: await seen() }).toEqual({
    first: [0],
    second: [20_000],
    back: [0],
    later: [],
  })
})
