import { beforeEach, describe, expect, it } from 'vitest'
import { JobRepository } from '../../../electron/core/jobs/job-repository.ts'
import { aDraft, AHome, AProgram, done, failing } from './a-bench.ts'
import { nobody } from './asking-a-program.ts'

// The rows of a job decide what is sent at most once: which program may claim an item, and which may end it.

const { work, ...terms } = aDraft(['R1'])
let home: AHome
const repositoryOf = (owner: string): JobRepository =>
  new JobRepository({ workbook: home.workbook, owner, now: () => 0, log: { write: () => undefined } })
const added = (repository: JobRepository): Promise<number> =>
  repository.add({
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
const claimed = async (repository: JobRepository, job: number): Promise<string> =>
  (await repository.claim(job, 1, 'job', work)).kind
const state = async (): Promise<unknown> => (await home.rows('SELECT state, outcome FROM job_item'))[0]
beforeEach(async () => {
  home = await AHome.open()
})

describe('claiming an item', () => {
  it('succeeds once', async () => {
    const repository = repositoryOf('me')
    const job = await added(repository)
    expect([await claimed(repository, job), await claimed(repository, job)]).toEqual(['claimed', 'not-ours'])
  })

  it.each(['paused', 'stopping'] as const)('fails while its job is %s', async (jobState) => {
    const repository = repositoryOf('me')
    const job = await added(repository)
    await repository.setState(job, jobState, null)
    expect([await claimed(repository, job), await state()]).toEqual([
      'not-ours',
      { state: 'queued', outcome: null },
    ])
  })

  it('fails for a program that does not own its job', async () => {
    const job = await added(repositoryOf('me'))
    expect(await claimed(repositoryOf('other'), job)).toBe('not-ours')
  })
})

it('prevents the previous owner from ending an item that another program sends', async () => {
  const [sleeper, other] = [repositoryOf('sleeper'), repositoryOf('other')]
  const job = await added(sleeper)
  await claimed(sleeper, job)
  await other.takeOver(job)
  await other.setState(job, 'running', null)
  await claimed(other, job)
  expect([
    await sleeper.settle(1, done, { keepTrying: false, cancelled: false, calls: 0 }),
    await state(),
  ]).toEqual([{ kind: 'not-ours' }, { state: 'sending', outcome: null }])
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
