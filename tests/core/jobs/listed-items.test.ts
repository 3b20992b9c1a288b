import { beforeEach, describe, expect, it } from 'vitest'
import { openListedJobs } from '../../../electron/core/jobs/jobs.ts'
import { AHome, AProgram, answered, call, failing, rooms } from './a-bench.ts'

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

describe('listing all items of a job', () => {
  it('returns those of the requested outcome in plan order, while others end', async () => {
    program.send = (item, signal, beforeDispatch) =>
      (Number(item.target.id.slice(1)) % 3 === 0
        ? failing({ kind: 'refused', call, status: 403, message: 'no' })
        : answered(200))(item, signal, beforeDispatch)
    const { id } = await program.start(rooms(1_200))
    const items = openListedJobs(home.workbook, program.clock)
    const open = await items.items('org', { id, show: 'open' })
    await program.after(0)
    const ids = async ({ total, batches }: typeof open): Promise<[number, string[]]> => {
      const found: string[] = []
      for await (const batch of batches) found.push(...batch.map(({ target }) => target.id))
      return [total, found]
    }
    expect((await program.jobs.get(id)).state).toBe('ended')
    expect([
      await ids(open),
      await ids(await items.items('org', { id, show: 'failed' })),
      await ids(await items.items('org', { id, show: null })),
    ]).toEqual([
      [1_200, rooms(1_200)],
      [400, rooms(1_200).filter((_room, index) => index % 3 === 2)],
      [1_200, rooms(1_200)],
    ])
  })
  it('returns those that need a look, what was not sent last, and none of them among those done', async () => {
    program.send = (item, signal, beforeDispatch) =>
      (item.target.id === 'R2'
        ? failing({ kind: 'refused', call, status: 403, message: 'no' })
        : answered(200))(item, signal, beforeDispatch)
    const { id } = await program.start(rooms(4))
    await program.after(0)
    await home.workbook.write((transaction) => {
      transaction.run(`UPDATE job_item SET detail = 'did-not-come-back' WHERE target_id = 'R3'`, [])
      transaction.run(
        `UPDATE job_item SET outcome = 'failed', detail = 'cancelled' WHERE target_id = 'R1'`,
        [],
      )
      transaction.run(`UPDATE job SET done = 2, failed = 2`, [])
    })
    const shown = async (show: 'attention' | 'not-sent' | 'done'): Promise<unknown> => {
      const sort = [{ column: 'outcome', descending: false }] as const
      const planned = await program.jobs.items({ id, show, start: 0, count: 10 })
      const worstFirst = await program.jobs.items({ id, show, sort, start: 0, count: 10 })
      return [planned.total, worstFirst.total, worstFirst.items.map(({ target }) => target.id)]
    }
    expect([await shown('attention'), await shown('not-sent'), await shown('done')]).toEqual([
      [2, 2, ['R2', 'R3']],
      [1, 1, ['R1']],
      [1, 1, ['R4']],
    ])
  })
  it('returns nothing to another organization', async () => {
    const { id } = await program.start(rooms(1))
    await expect(
      openListedJobs(home.workbook, program.clock).items('other', { id, show: null }),
    ).rejects.toMatchObject({
      failure: { kind: 'not-found', call: null, what: id },
    })
  })
})
