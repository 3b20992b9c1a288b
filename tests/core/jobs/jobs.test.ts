import { beforeEach, describe, expect, it } from 'vitest'
import { AHome, AProgram, rooms } from './a-bench.ts'

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

describe('a job', () => {
  it('does every item once and ends', async () => {
    const job = await program.start(rooms(40))
    await program.after(0)
    const after = await program.jobs.get(job.id)
    expect([after.state, after.counts, after.asked, after.callsUsed]).toEqual([
      'ended',
      { done: 40, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 },
      40,
      40,
    ])
    expect(program.sent).toEqual(rooms(40))
  })
})
