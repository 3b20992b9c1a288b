import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createCore, type Core } from '../../../electron/core/app.ts'
import { openJournal, type Journal } from '../../../electron/core/journal/journal.ts'
import { removeOldLines } from '../../../electron/core/journal/journal-removal.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { FakeClock } from '../../fake-clock.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { FakePolicy } from '../../fake-policy.ts'
import { TemporaryHome } from '../../temporary-store.ts'

const day = 86_400_000
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

async function line(room: string, organization = 'Nordlys', isEnded = true): Promise<void> {
  const id = await journal.begin({
    organization: { id: organization.toLowerCase(), name: organization },
    operation: 'RebootRoom',
    target: { of: 'room', id: room, name: room },
    deviceIds: [`device of ${room}`],
    before: null,
    after: null,
  })
  if (isEnded) await journal.end(id, { outcome: 'accepted', status: 200, message: null })
}
const listed = async (): Promise<readonly unknown[]> =>
  (await journal.list(null, { where: '', subjectId: null, start: 0, count: 500 })).lines.map(
    ({ organizationName, operation, target, before, outcome, message }) =>
      operation === 'RebootRoom'
        ? `${organizationName} ${target.id}`
        : { organizationName, operation, target: target.id, before, outcome, message },
  )
const leftOver = async (): Promise<unknown> => {
  const [row] = await workbook.query(
    `SELECT (SELECT count(*) FROM journal_subject WHERE line_id NOT IN (SELECT id FROM journal_begin)) AS subjects,
       (SELECT count(*) FROM journal_end WHERE id NOT IN (SELECT id FROM journal_begin)) AS ends`,
  )
  return { ...row }
}

describe('a policy that limits the journal', () => {
  it('removes ended lines that are older, with a line for each organization', async () => {
    await line('R1')
    await line('R2')
    await line('R3', 'Sydlys')
    await line('R4', 'Nordlys', false)
    clock.jumpWall(31 * day)
    await line('R5', 'Sydlys')
    await removeOldLines(workbook, journal, clock, 30)
    const said = (name: string, count: number) => ({
      organizationName: name,
      operation: 'RemoveJournalLines',
      target: name.toLowerCase(),
      before: `lines older than 30 days: ${count}`,
      outcome: 'accepted',
      message: 'set by your organization',
    })
    expect([await listed(), await leftOver()]).toEqual([
      [said('Sydlys', 1), said('Nordlys', 2), 'Sydlys R5', 'Nordlys R4'],
      { subjects: 0, ends: 0 },
    ])
  })
  it('is applied when Headroom starts', async () => {
    const other = new TemporaryHome()
    const start = (document: object | null): Promise<Core> =>
      createCore(fakePlatform(other, { clock, policySource: new FakePolicy(document) }))
    const first = await start(null)
    journal = first.shared.journal
    await line('R1')
    await first.close()
    clock.jumpWall(31 * day)
    const second = await start({ journalDays: 30 })
    onTestFinished(async () => {
      await second.close()
      await other.remove()
    })
    journal = second.shared.journal
    expect(await listed()).toEqual([expect.objectContaining({ operation: 'RemoveJournalLines' })])
  })
  it('writes nothing if no line is old enough', async () => {
    await line('R1')
    clock.jumpWall(30 * day)
    await removeOldLines(workbook, journal, clock, 30)
    expect(await listed()).toEqual(['Nordlys R1'])
  })
  it('leaves the journal append-only', async () => {
    await line('R1')
    clock.jumpWall(31 * day)
    await removeOldLines(workbook, journal, clock, 30)
    await line('R2')
    for (const table of ['journal_begin', 'journal_end'])
      await expect(workbook.write((transaction) => transaction.run(`DELETE FROM ${table}`))).rejects.toThrow()
    expect((await listed())[0]).toBe('Nordlys R2')
  })
})

describe('the writes that a policy counts', () => {
  it('are those of this user within the time, of its clients too, and no decisions', async () => {
    const begin = (who: string | null, operation = 'RebootRoom'): Promise<number> =>
      journal.begin({
        organization: { id: 'org', name: 'Nordlys' },
        operation,
        target: { of: 'room', id: 'R', name: 'R' },
        deviceIds: ['D'],
        before: null,
        after: null,
        who,
      })
    await begin(null)
    await clock.advance(3_600_000)
    await begin(null)
    await clock.advance(1_000)
    await begin('astrid, headroom on the command line, process 7')
    await begin('astrid2')
    await begin('astri')
    await begin(null, 'ApproveFirmware')
    expect(await journal.begunAgo(3_600_000)).toEqual([1_000, 0])
  })
})
