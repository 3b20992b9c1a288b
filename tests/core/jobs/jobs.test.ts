import { beforeEach, describe, expect, it } from 'vitest'
import type { JobSort, JobTerms } from '../../../electron/contract/api/jobs.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { ItemEnding, ItemToRun, ItemTools } from '../../../electron/core/jobs/job-work.ts'
import {
  aDraft,
  AHome,
  answered,
  AProgram,
  call,
  done,
  failing,
  offline,
  rooms,
  type Sending,
} from './a-bench.ts'
import { nobody, slow, statusOf } from './asking-a-program.ts'

const minute = 60_000

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

it('jobs are listed newest first, or by any column with equal ones newest first', async () => {
  const ids = [
    await program.start(rooms(2)),
    await program.start(rooms(5)),
    await program.start(rooms(2)),
  ].map(({ id }) => id)
  const ordered = async (...sort: JobSort): Promise<number[]> =>
    (await program.jobs.list({ sort, start: 0, count: 2 })).jobs.map(({ id }) => ids.indexOf(id))
  expect([
    await ordered(),
    await ordered({ column: 'asked', descending: true }),
    await ordered({ column: 'asked', descending: false }),
  ]).toEqual([
    [2, 1],
    [1, 2],
    [2, 0],
  ])
})

it('jobs are filtered by kind, state, outcome, rooms, ticket, user and age', async () => {
  const first = await program.start(rooms(2))
  await program.after(0)
  program.send = failing({ kind: 'refused', call, status: 403, message: 'no' })
  const refused = await program.start(rooms(5), { ticket: 'INC0042' })
  await program.after(2 * 60 * minute)
  const scheduled = await program.start(rooms(1), { startAt: program.clock.now() + 60 * minute })
  await program.jobs.pause(scheduled.id)
  const ids = [first.id, refused.id, scheduled.id]
  const filters = {
    '': [2, 1, 0],
    'kind:reboot': [2, 1, 0],
    'kind:settings,firmware': [],
    'state:ended': [1, 0],
    'state:running': [],
    'state:running,paused': [2],
    'outcome:failed': [1],
    '!outcome:failed': [2, 0],
    'name:"room r5"': [1],
    'name:="Room R1"': [2, 1, 0],
    r5: [1],
    inc0042: [1],
    'ticket:inc00': [1],
    'ticket:""': [2, 0],
    'who:ada': [2, 1, 0],
    'who:bob': [],
    'age:>1h': [1, 0],
    'age:<1h state:paused': [2],
  }
  const matching = async (where: string): Promise<[string, readonly number[], number]> => {
    const { jobs, total } = await program.jobs.list({ where, start: 0, count: 10 })
    return [where, jobs.map(({ id }) => ids.indexOf(id)), total]
  }
  expect(await Promise.all(Object.keys(filters).map(matching))).toEqual(
    Object.entries(filters).map(([where, found]) => [where, found, found.length]),
  )
})

describe('a job', () => {
  it('does every item once and ends', async () => {
    const job = await program.start(rooms(40))
    await program.after(0)
    const after = await program.jobs.get(job.id)
    expect(after).toMatchObject({
      state: 'ended',
      counts: { ...nobody, done: 40 },
      asked: 40,
      callsUsed: 40,
      underWay: 0,
      who: 'ada',
      retryable: 0,
    })
    expect(program.sent).toEqual(rooms(40))
    expect(program.reported).toContain(job.id)
    expect(program.lines).toEqual([])
  })

  it('sends sixteen items at once, without counting monitored ones', async () => {
    const service = slow()
    program = new AProgram(home, {
      send: service.send,
      worker: {
        run: async (item, tools) => {
          const { journalId } = await program.pass(item, tools)
          await tools.accepted('watching', journalId)
          return new Promise((resolve) =>
            program.clock.after(5 * minute, () => resolve({ ...done, detail: 'back-online', journalId })),
          )
        },
      },
    })
    const { id } = await program.start(rooms(40))
    await program.after(0)
    expect([service.waiting(), (await program.jobs.get(id)).underWay]).toEqual([16, 16])
    service.answer()
    await program.after(0)
    expect([service.waiting(), (await program.jobs.get(id)).underWay]).toEqual([16, 32])
    service.answer()
    await program.after(0)
    service.answer()
    await program.after(5 * minute)
    expect(await statusOf(program, id)).toEqual({
      state: 'ended',
      waitsFor: null,
      counts: { ...nobody, done: 40 },
      underWay: 0,
    })
  })

  it('takes turns with another job', async () => {
    const service = slow()
    program.send = service.send
    const [one, other] = [
      await program.start(rooms(100)),
      await program.start(rooms(100).map((room) => `other-${room}`)),
    ]
    for (let turn = 0; turn < 4; turn++) {
      await program.after(0)
      service.answer()
    }
    await program.after(0)
    const [a, b] = [await program.jobs.get(one.id), await program.jobs.get(other.id)]
    const [ofA, ofB] = [a.counts.done, b.counts.done]
    expect({ done: ofA + ofB, fair: Math.abs(ofA - ofB) <= 16 }).toEqual({ done: 64, fair: true })
  })

  it('is not treated as abandoned while another job starts at the same time', async () => {
    const plans = [await program.jobs.plan(aDraft(['R1'])), await program.jobs.plan(aDraft(['R2']))]
    await Promise.all(plans.map((plan) => program.jobs.start({ plan: plan.id, unlock: true, typed: null })))
    await program.after(0)
    expect([
      program.sent,
      (await program.jobs.list({ start: 0, count: 5 })).jobs.map(({ state }) => state),
    ]).toEqual([
      ['R1', 'R2'],
      ['ended', 'ended'],
    ])
  })

  it('that is resumed twice at the same time sends every item once', async () => {
    const { id } = await program.start(rooms(20), { startAt: program.clock.now() + minute })
    await program.jobs.pause(id)
    await program.after(minute)
    await Promise.all([1, 2].map(() => program.jobs.resume({ id, unlock: true })))
    await program.after(0)
    expect([program.sent, (await program.jobs.get(id)).state]).toEqual([rooms(20), 'ended'])
  })

  it('continues with others while devices of one wait for their minute', async () => {
    await program.writes.execute({
      operation: 'RebootRoom',
      target: { of: 'room', id: 'R1', name: null },
      deviceIds: ['device-of-R1'],
      unlock: true,
      wait: false,
      before: null,
      after: null,
      send: async (_signal, beforeDispatch) => {
        await beforeDispatch()
        return { status: 200 }
      },
    })
    const { id } = await program.start(rooms(3))
    await program.after(0)
    expect([program.sent, await statusOf(program, id)]).toEqual([
      ['R2', 'R3'],
      { state: 'running', waitsFor: 'device-minute', counts: { ...nobody, done: 2 }, underWay: 0 },
    ])
    await program.after(minute)
    expect(program.sent).toEqual(['R2', 'R3'])
    await program.after(2_000)
    expect([program.sent, (await program.jobs.get(id)).state]).toEqual([['R2', 'R3', 'R1'], 'ended'])
  })

  const inTenSeconds: Sending = async (_item, _signal, beforeDispatch) => {
    await beforeDispatch()
    await new Promise<void>((resolve) => program.clock.after(10_000, resolve))
    return { status: 200 }
  }
  it('estimates its remaining time, but not where its window may end before', async () => {
    program.send = inTenSeconds
    // It is 15:02 in Copenhagen.
    const { id } = await program.start(rooms(64), { window: { from: 15 * 60, to: 16 * 60 } })
    await program.after(20_000)
    const { state, leftInMs } = await program.jobs.get(id)
    expect([state, leftInMs]).toEqual(['running', null])
  })

  it('estimates its remaining time, but not while it is paused', async () => {
    program.send = inTenSeconds
    const { id } = await program.start(rooms(64))
    await program.after(20_000)
    const { leftInMs } = await program.jobs.get(id)
    expect(leftInMs).toBeGreaterThan(15_000)
    expect(leftInMs).toBeLessThan(30_000)
    await program.jobs.pause(id)
    expect((await program.jobs.get(id)).leftInMs).toBe(null)
  })

  it.each<[string, Failure, object]>([
    ['done', { kind: 'not-found', call, what: 'room' }, { ...nobody, 'not-found': 1 }],
    ['refused', { kind: 'refused', call, status: 403, message: 'no' }, { ...nobody, failed: 1 }],
    ['cut off', { kind: 'unconfirmed', call, message: 'cut' }, { ...nobody, unknown: 1 }],
    [
      'rate limited, without "keep trying"',
      { kind: 'rate-limited', call, untilAt: null },
      { ...nobody, failed: 1 },
    ],
    ['without connection', offline, { ...nobody, failed: 1 }],
  ])('whose write was %s sends it once', async (_, failure, counts) => {
    program.send = failing(failure)
    const { id } = await program.start(['R1'])
    await program.after(60 * minute)
    expect([await statusOf(program, id), program.sent]).toEqual([
      { state: 'ended', waitsFor: null, counts, underWay: 0 },
      ['R1'],
    ])
  })

  it('tries one item every half minute after the first ones found no connection', async () => {
    const tried: number[] = []
    program = new AProgram(home, {
      worker: {
        run: async () => {
          tried.push(program.clock.monotonic())
          return { kind: 'again', at: null, waitsFor: 'offline', failure: offline }
        },
      },
    })
    await program.start(rooms(3))
    for (const inMs of [0, 30_000, 30_000]) await program.after(inMs)
    expect(tried).toEqual([0, 0, 0, 30_000, 60_000])
  })

  it.each<[string, () => void, readonly string[], Partial<JobTerms>]>([
    ['items are in flight', () => (program.send = slow().send), rooms(20), {}],
    ['its items wait for the minute of their devices', () => undefined, ['R1'], {}],
    ['its window is closed', () => undefined, ['R2'], { window: { from: 22 * 60, to: 5 * 60 } }],
  ])('is looked at now and then without a connection while %s', async (_, before, ids, terms) => {
    await program.start(['R1'])
    await program.after(0)
    before()
    await program.start(ids, terms)
    await program.after(0)
    let looks = 0
    Object.defineProperty(program, 'connection', {
      get() {
        looks++
        return 'offline'
      },
    })
    for (const listener of program.reached) listener()
    await program.after(30_000)
    expect(looks).toBeLessThan(40)
  })

  it('with "keep trying" sends items again after 429, not before the requested time', async () => {
    let tries = 0
    program.send = async (item, signal, beforeDispatch) => {
      if (tries++ < 2)
        return failing({ kind: 'rate-limited', call, untilAt: program.clock.now() + 5 * minute })(
          item,
          signal,
          beforeDispatch,
        )
      return answered(200)(item, signal, beforeDispatch)
    }
    const { id } = await program.start(['R1'], { keepTrying: true })
    await program.after(5 * minute - 1)
    expect([program.sent.length, (await program.items(id))[0]]).toMatchObject([
      1,
      { state: 'queued', waitsFor: 'rate-limited' },
    ])
    await program.after(6 * minute)
    expect([program.sent.length, await statusOf(program, id)]).toMatchObject([
      3,
      { state: 'ended', counts: { done: 1 } },
    ])
  })

  it('with "keep trying" sends an item 20 times at most', async () => {
    program.send = failing({ kind: 'rate-limited', call, untilAt: null })
    const { id } = await program.start(['R1'], { keepTrying: true })
    await program.after(240 * minute)
    expect([program.sent.length, (await statusOf(program, id)) as object]).toMatchObject([
      20,
      { state: 'ended', counts: { failed: 1 } },
    ])
  })

  it('pauses during a long hold without sending, and continues when resumed after the hold was lifted', async () => {
    const heldUntilAt = program.clock.now() + 24 * 60 * minute
    program.send = failing({ kind: 'rate-limited', call, untilAt: heldUntilAt, held: true })
    program.budget = { ...program.budget, heldUntilAt: null }
    const { id } = await program.start(['R1', 'R2', 'R3'], { keepTrying: true })
    program.budget = { ...program.budget, heldUntilAt }
    await program.after(60 * minute)
    const during = [program.sent.length <= 3, (await statusOf(program, id)) as object]
    const failure = {
      kind: 'rate-limited',
      call: { operation: 'job', host: null },
      untilAt: heldUntilAt,
      held: true,
    }
    await expect(program.jobs.resume({ id, unlock: true })).rejects.toMatchObject({ failure })
    program.budget = { ...program.budget, heldUntilAt: null }
    program.send = answered(200)
    await program.jobs.resume({ id, unlock: true })
    await program.after(60 * minute)
    expect([during, await statusOf(program, id)]).toMatchObject([
      [true, { state: 'paused', waitsFor: 'rate-limited' }],
      { state: 'ended', counts: { done: 3 } },
    ])
  })

  it('does not start during a hold of the subscription, unless scheduled for later', async () => {
    const heldUntilAt = program.clock.now() + 60 * minute
    program.budget = { ...program.budget, heldUntilAt }
    await expect(program.start(['R1'])).rejects.toMatchObject({
      failure: { kind: 'rate-limited', untilAt: heldUntilAt, held: true },
    })
    expect(await program.jobs.list({ start: 0, count: 10 })).toMatchObject({ total: 0 })
  })

  it('ends the item on a bug in its worker, and logs it', async () => {
    program = new AProgram(home, {
      worker: { run: () => Promise.reject(new TypeError('x is not a function')) },
    })
    const { id } = await program.start(['R1'])
    await program.after(0)
    expect([await statusOf(program, id), program.lines]).toMatchObject([
      { state: 'ended', counts: { failed: 1 } },
      ['error A job stopped because of a bug'],
    ])
  })

  it('ends the item by the journal on a bug after its write', async () => {
    program = new AProgram(home, {
      worker: {
        run: async (item, tools) => {
          await program.pass(item, tools)
          throw new TypeError('x is not a function')
        },
      },
    })
    const { id } = await program.start(['R1'])
    await program.after(0)
    expect(await program.items(id)).toMatchObject([{ outcome: 'done', detail: 'not-watched', journalId: 1 }])
  })
})

describe('the start of a job', () => {
  it('waits for its time', async () => {
    const startAt = program.clock.now() + 90 * minute
    const { id, state } = await program.start(rooms(1), { startAt })
    expect(state).toBe('waiting')
    expect(program.jobs.active()).toEqual({
      running: 0,
      waiting: [
        {
          kind: 'reboot-rooms',
          asked: 1,
          target: { of: 'room', id: 'R1', name: 'Room R1' },
          startAt,
          window: null,
          zones: [{ zone: 'local', count: 1, items: 1, startAt }],
        },
      ],
    })
    await program.after(89 * minute)
    expect([program.sent, await program.jobs.get(id)]).toMatchObject([
      [],
      { state: 'waiting', waitsFor: 'start-time' },
    ])
    await program.after(minute)
    expect([program.sent, (await program.jobs.get(id)).state]).toEqual([['R1'], 'ended'])
  })

  it('notices within half a minute that the computer slept past it', async () => {
    const { id } = await program.start(rooms(1), { startAt: program.clock.now() + 600 * minute })
    await program.after(0)
    program.clock.jumpWall(600 * minute)
    await program.after(30_000)
    expect((await program.jobs.get(id)).state).toBe('ended')
  })

  it('begins items in its time window only', async () => {
    // 15:02 in Copenhagen.
    const { id } = await program.start(rooms(1), { window: { from: 22 * 60, to: 5 * 60 } })
    await program.after(0)
    const opens = Date.UTC(2026, 10, 21, 21, 0)
    expect(await program.jobs.get(id)).toMatchObject({
      state: 'waiting',
      waitsFor: 'window',
      waitsUntil: opens,
    })
    await program.after(opens - program.clock.now() - 1)
    expect(program.sent).toEqual([])
    await program.after(1)
    expect(program.sent).toEqual(['R1'])
  })

  it('sends nothing after its window: a write that had no place in the budget waits for the next one', async () => {
    program.send = async (item, signal, beforeDispatch) => {
      await new Promise<void>((resolve) => program.clock.after(14 * minute, resolve))
      return answered(200)(item, signal, beforeDispatch)
    }
    // From 15:00 to 15:10 in Copenhagen; it is 15:02.
    const { id } = await program.start(rooms(1), { window: { from: 15 * 60, to: 15 * 60 + 10 } })
    await program.after(14 * minute)
    const opens = Date.UTC(2026, 10, 22, 14, 0)
    expect([program.sent, await program.jobs.get(id), await program.items(id)]).toMatchObject([
      [],
      { state: 'waiting', waitsFor: 'window', waitsUntil: opens },
      [{ state: 'queued', waitsFor: 'window', earliestAt: opens, journalId: null }],
    ])
    program.send = answered(200)
    await program.after(opens - program.clock.now() - 1)
    expect(program.sent).toEqual([])
    await program.after(1)
    expect([program.sent, (await program.jobs.get(id)).state]).toEqual([['R1'], 'ended'])
  })

  it('sends a canary alone, and the others when it is back', async () => {
    program = new AProgram(home, {
      worker: {
        run: async (item, tools) => {
          const { journalId } = await program.pass(item, tools)
          await tools.accepted('watching', journalId)
          return new Promise((resolve) =>
            program.clock.after(2 * minute, () => resolve({ ...done, detail: 'back-online', journalId })),
          )
        },
      },
    })
    const { id } = await program.start(rooms(4), { canary: true })
    await program.after(minute)
    expect([program.sent, await statusOf(program, id)]).toMatchObject([
      ['R1'],
      { state: 'running', waitsFor: 'canary', underWay: 1 },
    ])
    await program.after(minute)
    expect(program.sent).toEqual(['R1', 'R2', 'R3', 'R4'])
  })

  /** A program that watches its items for ever. */
  const watching = (calls?: { calls: number; watchingAtMost: number }): AProgram => {
    program = new AProgram(home, {
      ...(calls && { calls }),
      worker: {
        run: async (item, tools) => {
          const { journalId } = await program.pass(item, tools)
          await tools.accepted('watching', journalId)
          return new Promise(() => undefined)
        },
      },
    })
    return program
  }

  it('says while the first is watched how long it takes at most: as long as that may, and the others after it', async () => {
    watching({ calls: 60, watchingAtMost: 720 }).budget = {
      ...program.budget,
      second: { used: 0, limit: 1 },
    }
    const { id } = await program.start(rooms(4), { canary: true })
    await program.after(minute)
    const { leftInMs } = await program.jobs.get(id)
    expect(Math.round(leftInMs! / minute)).toBe(9 + 4 + 10)
    await program.jobs.pause(id)
    expect((await program.jobs.get(id)).leftInMs).toBe(null)
  })

  const window = { from: 15 * 60, to: 16 * 60 }
  const startAt = Date.parse('2026-11-22T08:00Z')
  it.each<[string, readonly string[], Partial<JobTerms>, number]>([
    ['wait for a window', rooms(4), { canary: true, window }, 1],
    [
      'start later',
      ['R1@Asia/Tokyo', 'R2@America/New_York'],
      { canary: true, startAt, timeZone: 'Europe/Copenhagen' },
      10 * 60,
    ],
  ])(
    'does not say how long it takes while the first is watched and others %s',
    async (_, items, terms, minutes) => {
      // It is 15:02 in Copenhagen.
      const { id } = await watching().start(items, terms)
      await program.after(minutes * minute)
      const job = await program.jobs.get(id)
      expect([program.sent, job.state, job.waitsFor, job.leftInMs]).toEqual([
        ['R1'],
        'running',
        'canary',
        null,
      ])
    },
  )

  it('tries the next one when the first had nothing to do, or ended badly while the job was paused', async () => {
    program = new AProgram(home, {
      worker: {
        run: async (item, tools) => {
          if (item.target.id === 'R1') return { ...done, detail: 'as-wanted' }
          const { journalId } = await program.pass(item, tools)
          await tools.accepted('watching', journalId)
          const detail = item.target.id === 'R2' ? 'did-not-come-back' : 'back-online'
          return new Promise((resolve) =>
            program.clock.after(2 * minute, () => resolve({ ...done, detail, journalId })),
          )
        },
      },
    })
    const { id } = await program.start(rooms(5), { canary: true })
    await program.after(minute)
    expect(program.sent).toEqual(['R2'])
    await program.jobs.pause(id)
    await program.after(3 * minute)
    await program.jobs.resume({ id, unlock: false })
    await program.after(0)
    expect(program.sent).toEqual(['R2', 'R3'])
    await program.after(2 * minute)
    expect(program.sent).toEqual(['R2', 'R3', 'R4', 'R5'])
  })

  it('goes on with its canary after a restart: those after it wait until it is back', async () => {
    const watch = {
      run: async (item: ItemToRun, tools: ItemTools) => {
        const { journalId } = await program.pass(item, tools)
        await tools.accepted('watching', journalId)
        return new Promise<ItemEnding>(() => undefined)
      },
    }
    program = new AProgram(home, { worker: watch })
    const { id } = await program.start(rooms(3), { canary: true })
    await program.after(0)
    void program.close()
    let back = (): void => undefined
    program = new AProgram(home, {
      worker: {
        resume: () => new Promise((resolve) => (back = () => resolve({ ...done, detail: 'back-online' }))),
      },
    })
    await program.jobs.resume({ id, unlock: true })
    await program.after(minute)
    const waits = await statusOf(program, id)
    expect([program.sent, waits]).toMatchObject([[], { state: 'running', waitsFor: 'canary', underWay: 1 }])
    back()
    await program.after(0)
    expect(program.sent).toEqual(['R2', 'R3'])
  })

  it.each<[string, Partial<typeof done>]>([
    ['did not come back', { detail: 'did-not-come-back' }],
    ['failed', { outcome: 'failed' }],
    ['is unknown', { outcome: 'unknown' }],
  ])('pauses when a canary %s; a technician may continue without it', async (_, ending) => {
    program = new AProgram(home, {
      worker: {
        run: async (item, tools) =>
          item.target.id === 'R1' ? { ...done, ...ending } : program.run(item, tools),
      },
    })
    const { id } = await program.start(rooms(3), { canary: true })
    await program.after(10 * minute)
    expect([program.sent, await statusOf(program, id)]).toMatchObject([
      [],
      { state: 'paused', waitsFor: 'canary' },
    ])
    await program.jobs.resume({ id, unlock: false })
    await program.after(0)
    expect([program.sent, (await program.jobs.get(id)).state]).toEqual([['R2', 'R3'], 'ended'])
  })
})
