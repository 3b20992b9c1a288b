import { beforeEach, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { AHome, AProgram, aDraft, call, failing } from './a-bench.ts'

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

const lines = async (where: string) =>
  (await program.journal.list(null, { where, subjectId: null, start: 0, count: 10 })).lines.map(
    ({ target, ticket }) => [target.id, ticket],
  )

it('the ticket of a job is stored with it and in each journal entry of its writes, and is searchable', async () => {
  const { id } = await program.start(['R1', 'R2'], { ticket: 'INC0042' })
  await program.after(2 * 60_000)
  await program.start(['R3'])
  await program.after(2 * 60_000)
  const found = await lines('ticket:inc00')
  const withoutTicket = await lines('ticket:""')
  await home.workbook.write((transaction) => transaction.run('DELETE FROM job WHERE id = ?', [id]))
  expect([found.toSorted(), withoutTicket, await lines('ticket:INC0042')]).toEqual([
    [
      ['R1', 'INC0042'],
      ['R2', 'INC0042'],
    ],
    [['R3', undefined]],
    found,
  ])
})

it('a job that tries failed items again keeps the ticket', async () => {
  program.send = failing({ kind: 'refused', call, status: 403, message: 'no' } satisfies Failure)
  const { id } = await program.start(['R1'], { ticket: 'INC0042' })
  await program.after(0)
  const { draft } = await program.jobs.retry(id)
  expect([(await program.jobs.get(id)).ticket, draft.ticket]).toEqual(['INC0042', 'INC0042'])
})

it.each([
  ['x'.repeat(61), 'At most 60 characters are allowed. This text has 61.'],
  ['a\u0007b', 'Tabs and other control characters are not allowed.'],
  [' ', 'A ticket cannot begin or end with a space.'],
])('an invalid ticket is rejected: %j', async (ticket, message) => {
  await expect(program.jobs.plan(aDraft(['R1'], { ticket }))).rejects.toMatchObject({
    failure: { kind: 'invalid', field: 'ticket', message },
  })
})
