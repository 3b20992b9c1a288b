import { beforeEach, describe, expect, it } from 'vitest'
import type { JobDraft } from '../../../electron/contract/api/jobs.ts'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { JobRepository } from '../../../electron/core/jobs/job-repository.ts'
import { AHome, AProgram, answered, aDraft, rooms } from './a-bench.ts'
import { failureOf } from '../../failure-of.ts'
import { callCost } from '../../../electron/core/jobs/plans.ts'

const minute = 60_000
let program: AProgram
beforeEach(async () => {
  program = new AProgram(await AHome.open())
})

const repositoryIn = ({ workbook }: AHome): JobRepository =>
  new JobRepository({ workbook, now: () => 0, log: { write: () => undefined } })

describe('a plan', () => {
  it('describes what a job would do, and asks to type the number above five items', async () => {
    const plan = await program.jobs.plan(aDraft([...rooms(6), '-gone', '-away']))
    expect(plan).toMatchObject({
      items: 6,
      devices: 6,
      typeNumber: 6,
      skipped: [{ reason: 'nothing-online', count: 2 }],
      cost: { calls: 6 },
    })
    expect((await program.jobs.plan(aDraft(rooms(5)))).typeNumber).toBe(null)
    const { items, total } = await program.jobs.planned({ plan: plan.id, start: 5, count: 2 })
    expect([items.map(({ target, skipped }) => [target.id, skipped]), total]).toEqual([
      [
        ['R6', null],
        ['gone', 'nothing-online'],
      ],
      8,
    ])
  })

  it('lists each skipped item on one page', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(['R1', '-gone', '-away', '-dark']))
    const pages = await Promise.all([0, 2].map((start) => program.jobs.planned({ plan, start, count: 2 })))
    expect(pages.map(({ items }) => items.map(({ target }) => target.id))).toEqual([
      ['R1', 'gone'],
      ['away', 'dark'],
    ])
  })

  it('tries the room that was chosen first, and the others after it', async () => {
    const plan = await program.jobs.plan({ ...aDraft(rooms(3)), first: ['R3', 'R9'] })
    const { items } = await program.jobs.planned({ plan: plan.id, start: 0, count: 3 })
    expect(items.map(({ target, after }) => [target.id, after])).toEqual([
      ['R3', undefined],
      ['R1', 'Room R3'],
      ['R2', 'Room R3'],
    ])
  })

  it('says which of its devices are in a job that has not ended', async () => {
    program.send = async (item, signal, beforeDispatch) => {
      if (item.target.id === 'R2') await new Promise(() => undefined)
      return answered(200)(item, signal, beforeDispatch)
    }
    const running = await program.start(['R1', 'R2', 'R3@Asia/Tokyo'])
    const scheduled = await program.start(['R2', 'R4'], { startAt: program.own.now() + 60 * minute })
    await program.start(['R5'])
    await program.after(0)
    const { id, alsoIn } = await program.jobs.plan(aDraft(['R1', 'R2', 'R4', 'R5', '-R3']))
    const { items } = await program.jobs.planned({ plan: id, start: 0, count: 5 })
    expect(alsoIn.map(({ job, ...which }) => [job.id, job.state, which])).toEqual([
      [running.id, 'running', { devices: 1, items: 1, first: ['Room R2'] }],
      [scheduled.id, 'waiting', { devices: 2, items: 2, first: ['Room R2', 'Room R4'] }],
    ])
    expect(items.map((item) => [item.target.id, item.alsoIn])).toEqual([
      ['R1', undefined],
      ['R2', running.id],
      ['R4', scheduled.id],
      ['R5', undefined],
      ['R3', undefined],
    ])
  })

  it('leaves out rooms with a device in another job, if that was asked for', async () => {
    program.send = () => new Promise(() => undefined)
    await program.start(['R1', 'R2'])
    await program.after(0)
    const draft = aDraft(['R1', 'R2', 'R4'])
    const plan = await program.jobs.plan({
      ...draft,
      work: { ...draft.work, withoutOthers: true } as JobDraft['work'],
    })
    const { items } = await program.jobs.planned({ plan: plan.id, start: 0, count: 5 })
    expect([
      plan.items,
      plan.skipped,
      plan.alsoIn,
      items.map(({ target, skipped, after }) => [target.id, skipped, after]),
    ]).toEqual([
      1,
      [{ reason: 'in-other-job', count: 2 }],
      [],
      [
        ['R4', null, undefined],
        ['R1', 'in-other-job', undefined],
        ['R2', 'in-other-job', undefined],
      ],
    ])
  })

  it('leaves out rooms in a zone, if that was asked for, and counts rooms and devices of the others', async () => {
    const draft = aDraft(['R1@Europe/Oslo', 'R2@Asia/Tokyo', 'R3', 'R4@Europe/Oslo'])
    const work = { ...draft.work, withoutZones: ['Asia/Tokyo', 'local'] } as JobDraft['work']
    const plan = await program.jobs.plan({ ...draft, work })
    expect([plan.items, plan.skipped, plan.zones]).toEqual([
      2,
      [{ reason: 'in-use', count: 2 }],
      [{ zone: 'Europe/Oslo', count: 2, items: 2, startAt: null }],
    ])
  })

  it('names the organization as it is called now', async () => {
    const organizationOf = async (): Promise<unknown> =>
      (await program.jobs.plan(aDraft(rooms(1)))).organization
    const before = await organizationOf()
    program.organizationName = 'Nordlys A/S'
    expect([before, await organizationOf()]).toEqual([
      { id: 'org', name: 'Nordlys' },
      { id: 'org', name: 'Nordlys A/S' },
    ])
  })

  it.each<[string, { typed: number | null; unlock: boolean }, Failure]>([
    [
      'without the number',
      { typed: null, unlock: true },
      { kind: 'invalid', field: 'typed', message: 'Type 6 to confirm.' },
    ],
    [
      'with another number',
      { typed: 60, unlock: true },
      { kind: 'invalid', field: 'typed', message: 'Type 6 to confirm.' },
    ],
    ['while locked', { typed: 6, unlock: false }, { kind: 'writes-locked' }],
  ])('%s does not start, and can start afterwards', async (_, { typed, unlock }, failure) => {
    const { id: plan } = await program.jobs.plan(aDraft(rooms(6)))
    expect(await failureOf(program.jobs.start({ plan, typed, unlock }))).toEqual(failure)
    expect((await program.jobs.list({ start: 0, count: 10 })).total).toBe(0)
    expect((await program.jobs.start({ plan, typed: 6, unlock: true })).asked).toBe(6)
  })

  it('that cannot be stored unlocks nothing and leaves no authorization behind', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(rooms(1)))
    const { write } = program.home.workbook
    const full = { kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: '' } as const
    program.home.workbook.write = () => Promise.reject(new Failed(full))
    const failure = await failureOf(program.jobs.start({ plan, typed: null, unlock: true }))
    program.home.workbook.write = write
    expect([failure, program.writes.lock().unlocked]).toEqual([full, false])
  })

  it('is paused when everything locks while it is stored', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(rooms(1)))
    const { write } = program.home.workbook
    program.home.workbook.write = (work) => {
      program.writes.lockNow()
      return write.call(program.home.workbook, work) as never
    }
    const started = await program.jobs.start({ plan, typed: null, unlock: true })
    program.home.workbook.write = write
    await program.after(0)
    expect([started.state, started.waitsFor, program.sent]).toEqual(['paused', 'locked', []])
  })

  it('checks the lock once, at the decision', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(rooms(1)))
    const asked: string[] = []
    const writes = new Proxy(program.writes, {
      get: (real, name) => {
        if (['lock', 'mustBeOpen', 'authorize'].some((one) => one === name)) asked.push(String(name))
        return Reflect.get(real, name) as unknown
      },
    })
    await program.jobs.through(writes).start({ plan, typed: null, unlock: true })
    expect(asked).toEqual(['authorize'])
  })

  it('starts once: two clicks make one job', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(rooms(2)))
    const both = await Promise.allSettled(
      [1, 2].map(() => program.jobs.start({ plan, typed: null, unlock: true })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await program.after(0)
    expect(program.sent).toEqual(['R1', 'R2'])
  })

  it('that started never starts again, even if something fails after the job is stored', async () => {
    const home = await AHome.open()
    program = new AProgram(home)
    const { id: plan } = await program.jobs.plan(aDraft(rooms(2)))
    const read = home.workbook.query.bind(home.workbook)
    home.workbook.query = async (sql, parameters) => {
      if (sql.includes("state = 'queued'"))
        throw new Failed({
          kind: 'cache-unusable',
          file: 'workbook.sqlite',
          reason: 'disk-full',
          message: 'full',
        })
      return read(sql, parameters)
    }
    expect(await failureOf(program.jobs.start({ plan, typed: null, unlock: true }))).toMatchObject({
      kind: 'cache-unusable',
    })
    home.workbook.query = read
    expect(await failureOf(program.jobs.start({ plan, typed: null, unlock: true }))).toMatchObject({
      kind: 'invalid',
      field: 'plan',
    })
    await program.jobs.resume({ id: plan, unlock: true })
    await program.after(0)
    expect([program.sent, (await program.jobs.list({ start: 0, count: 10 })).total]).toEqual([
      ['R1', 'R2'],
      1,
    ])
  })

  it('whose job is stored already is not added a second time', async () => {
    const home = await AHome.open()
    const repository = repositoryIn(home)
    const { work, ...terms } = aDraft(rooms(1))
    const job = {
      id: 'plan',
      organizationId: 'org',
      who: 'ada',
      work,
      terms,
      items: [],
      callsPlanned: 0,
      watchingAtMost: 0,
      retryOf: null,
    }
    await repository.add(job)
    expect(await failureOf(repository.add(job))).toEqual({
      kind: 'invalid',
      field: 'plan',
      message: 'This plan was already started.',
    })
    expect(await home.rows('SELECT count(*) AS n FROM job')).toEqual([{ n: 1 }])
  })

  it('keeps 500 jobs of an organization: starting another removes the oldest ended one', async () => {
    const home = await AHome.open()
    const repository = repositoryIn(home)
    const { work, ...terms } = aDraft(rooms(1))
    const add = (id: string): Promise<unknown> =>
      repository.add({
        id,
        organizationId: 'org',
        who: 'ada',
        work,
        terms,
        items: [],
        callsPlanned: 0,
        watchingAtMost: 0,
        retryOf: null,
      })
    for (let number = 1; number <= 500; number++) await add(`job-${number}`)
    await home.workbook.write((transaction) =>
      transaction.run("UPDATE job SET state = 'ended' WHERE number <> 2"),
    )
    const kept = async (): Promise<unknown> =>
      (await home.rows('SELECT min(number) AS first, count(*) AS n FROM job'))[0]
    const before = await kept()
    await add('job-501')
    // The second job has not ended, so it remains whatever its age.
    const after = await kept()
    await add('job-502')
    expect([before, after, await kept()]).toEqual([
      { first: 1, n: 500 },
      { first: 2, n: 500 },
      { first: 2, n: 501 },
    ])
  })

  it('is kept for half an hour, up to twenty of them', async () => {
    const first = await program.jobs.plan(aDraft(rooms(1)))
    await program.after(30 * minute)
    expect(await failureOf(program.jobs.start({ plan: first.id, typed: null, unlock: true }))).toMatchObject({
      kind: 'invalid',
      field: 'plan',
    })
    const second = await program.jobs.plan(aDraft(rooms(1)))
    for (let more = 0; more < 20; more++) await program.jobs.plan(aDraft(rooms(1)))
    expect(await failureOf(program.jobs.planned({ plan: second.id, start: 0, count: 1 }))).toMatchObject({
      kind: 'invalid',
      field: 'plan',
    })
  })

  it.each([
    ['startAt', { startAt: Number.NaN }],
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['window', { window: { from: 600, to: 600 } }],
    ['window', { window: { from: -1, to: 600 } }],
    ['window', { window: { from: 0, to: 1_440 } }],
  ])('is rejected with an invalid %s', async (field, terms) => {
    expect(await failureOf(program.jobs.plan(aDraft(rooms(1), terms)))).toMatchObject({
      kind: 'invalid',
      field,
    })
  })

  it('of nothing does not start', async () => {
    const { id: plan } = await program.jobs.plan(aDraft(['-away']))
    expect(await failureOf(program.jobs.start({ plan, typed: null, unlock: true }))).toMatchObject({
      kind: 'invalid',
      field: 'items',
    })
  })
})

const state = (used: number, pausedUntil: number | null) => ({
  second: { used, limit: 100 },
  fiveMinutes: { used, limit: 10_000 },
  waiting: 0,
  pausedUntil,
  heldUntilAt: null,
  waitReason: null,
  history: null,
})

it.each([
  ['there are no other calls', 3, state(0, null), { calls: 3, aboutInMs: 0, shareOfWindow: 0.0003 }],
  ['the second is used up', 3, state(100, null), { calls: 3, aboutInMs: 30, shareOfWindow: 0.0003 }],
  ['all calls are paused', 3, state(0, 6_000), { calls: 3, aboutInMs: 5_000, shareOfWindow: 0.0003 }],
  ['a pause is over', 1, state(0, 500), { calls: 1, aboutInMs: 0, shareOfWindow: 0.0001 }],
  [
    'the window holds all of them',
    10_000,
    state(0, null),
    { calls: 10_000, aboutInMs: 99_000, shareOfWindow: 1 },
  ],
  [
    'the window does not hold the last of them',
    10_001,
    state(0, null),
    { calls: 10_001, aboutInMs: 300_010, shareOfWindow: 1.0001 },
  ],
  [
    'they fill more than one window',
    12_038,
    state(0, null),
    { calls: 12_038, aboutInMs: 320_380, shareOfWindow: 1.2038 },
  ],
  [
    'they fill more than two windows',
    25_000,
    state(0, null),
    { calls: 25_000, aboutInMs: 650_000, shareOfWindow: 2.5 },
  ],
  [
    'others filled the window',
    5,
    state(10_000, null),
    { calls: 5, aboutInMs: 300_050, shareOfWindow: 0.0005 },
  ],
])('a cost is given in calls, time and share: %s', (_, calls, budget, cost) => {
  expect(callCost(calls, budget, 1_000)).toEqual(cost)
})
