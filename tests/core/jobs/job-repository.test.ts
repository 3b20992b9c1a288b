import { beforeEach, describe, expect, it } from 'vitest'
import { JobRepository } from '../../../electron/core/jobs/job-repository.ts'
import { aDraft, AHome, AProgram, failing } from './a-bench.ts'
import { nobody } from './asking-a-program.ts'

// The rows of a job decide what is sent at most once: when an item may be claimed.

const { work, ...terms } = aDraft(['R1'])
let home: AHome
let repository: JobRepository
const added = async (): Promise<number> => {
  const { number } = await repository.add({
    id: 'job',
    organizationId: 'org',
    who: 'ada',
    work,
    terms,
    callsPlanned: 0,
    watchingAtMost: 0,
    retryOf: null,
    items: [
      {
        planned: {
          target: { of: 'room', id: 'R1', name: null },
          devices: [],
          earliestAt: null,
          changes: [],
          skipped: null,
        },
        calls: 1,
        watchingAtMost: 0,
        memory: null,
      },
    ],
  })
  return number
}
const claimed = async (job: number): Promise<string | undefined> =>
  (await repository.claim(job, 1, 'job', work))?.kind
const state = async (): Promise<unknown> => (await home.rows('SELECT state, outcome FROM job_item'))[0]
beforeEach(async () => {
  home = await AHome.open()
  repository = new JobRepository({
    workbook: home.workbook,
    now: () => 0,
    log: { write: () => undefined },
  })
})

describe('claiming an item', () => {
  it('succeeds once', async () => {
    const job = await added()
    expect([await claimed(job), await claimed(job)]).toEqual(['claimed', undefined])
  })

  it('fails while its job is paused', async () => {
    const job = await added()
    await repository.setState(job, 'paused', null)
    expect([await claimed(job), await state()]).toEqual([undefined, { state: 'queued', outcome: null }])
  })

  it.each(['cancel', 'miss'] as const)('fails after the %s of its job', async (how) => {
    const job = await added()
    await repository[how](job)
    expect([await claimed(job), await state()]).toEqual([undefined, { state: 'ended', outcome: 'failed' }])
  })
})

it('ends the item of a write with a refused key: it is not sent again when the job resumes', async () => {
  const program = new AProgram(home, {
    send: failing({ kind: 'key-refused', slot: 'primary', message: null }),
  })
  const { id } = await program.start(['R1'])
  await program.after(0)
  expect((await program.jobs.get(id)).counts).toEqual({ ...nobody, failed: 1 })
  await program.after(3_600_000)
  expect(program.sent).toEqual(['R1'])
})
