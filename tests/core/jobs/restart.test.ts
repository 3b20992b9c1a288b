import { beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { JobItem, JobWork } from '../../../electron/contract/api/jobs.ts'
import { removeOldLines } from '../../../electron/core/journal/journal-removal.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { FakeClock } from '../../fake-clock.ts'
import {
  aDraft,
  AHome,
  AProgram,
  answered,
  call,
  done,
  failing,
  rooms,
  type AProgramOptions,
  type Sending,
} from './a-bench.ts'
import { failureOf } from '../../failure-of.ts'

const minute = 60_000
let home: AHome
let clock: FakeClock
beforeEach(async () => {
  home = await AHome.open()
  clock = new FakeClock()
})
const open = (options: AProgramOptions = {}): AProgram => new AProgram(home, { clock, ...options })
const itemsOf = async (
  program: AProgram,
  id: string,
): Promise<readonly Pick<JobItem, 'state' | 'outcome' | 'detail'>[]> =>
  (await program.items(id)).map(({ state, outcome, detail }) => ({ state, outcome, detail }))

const hanging: Sending = async (_item, _signal, beforeDispatch) => {
  await beforeDispatch()
  return new Promise(() => undefined)
}

describe('after the program was killed', () => {
  it('queues items without a journal entry again, and the job waits for a technician who unlocks', async () => {
    const first = open({ worker: { run: () => new Promise(() => undefined) } })
    const { id } = await first.start(rooms(20))
    await first.after(0)
    first.kill()
    const second = open()
    expect(await second.jobs.get(id)).toMatchObject({ state: 'paused', waitsFor: 'locked', underWay: 0 })
    expect(await failureOf(second.jobs.resume({ id, unlock: false }))).toEqual({ kind: 'writes-locked' })
    await second.jobs.resume({ id, unlock: true })
    await second.after(0)
    expect([(await second.jobs.get(id)).counts.done, second.sent.length]).toEqual([20, 20])
  })

  it('reports a write without a recorded end as unknown, and does not send it again', async () => {
    const first = open({ send: hanging })
    const { id } = await first.start(['R1'])
    await first.after(0)
    first.kill()
    await clock.advance(5 * minute)
    const second = open()
    await second.jobs.list({ start: 0, count: 1 })
    expect([await itemsOf(second, id), (await second.jobs.get(id)).state, second.sent]).toEqual([
      [{ state: 'ended', outcome: 'unknown', detail: null }],
      'ended',
      [],
    ])
  })

  it.each<[string, JobWork, JobItem['state']]>([
    ['a room is watched', aDraft(['R1']).work, 'watching'],
    [
      'settings are checked',
      {
        kind: 'change-settings',
        selection: { kind: 'picked', ids: ['R1'] },
        changes: [{ name: 'sidetone', value: 3 }],
      },
      'checking',
    ],
  ])('continues after an accepted item: %s', async (_, work, state) => {
    const first = open({
      worker: {
        run: async (item, tools) => {
          await first.pass(item, tools)
          return new Promise(() => undefined)
        },
      },
    })
    const plan = await first.jobs.plan({ ...aDraft(['R1']), work })
    const { id } = await first.jobs.start({ plan: plan.id, unlock: true, typed: null })
    await first.after(0)
    first.kill()
    const second = open({ worker: { resume: () => new Promise(() => undefined) } })
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(0)
    expect(await itemsOf(second, id)).toEqual([{ state, outcome: null, detail: null }])
  })

  it.each([
    [false, { state: 'ended', outcome: 'failed', detail: null }],
    [true, { state: 'queued', outcome: null, detail: null }],
  ])('ends an item that was refused with 429, or keeps trying: %s', async (keepTrying, item) => {
    const first = open({
      send: failing({ kind: 'rate-limited', call, untilAt: null }),
      worker: {
        run: async (one, tools) => {
          await first.pass(one, tools)
          return new Promise(() => undefined)
        },
      },
    })
    const { id } = await first.start(['R1'], { keepTrying })
    await first.after(0)
    first.kill()
    const second = open()
    await second.jobs.list({ start: 0, count: 1 })
    expect([await itemsOf(second, id), second.sent]).toEqual([[item], []])
  })

  it.each<[string, AProgramOptions, JobItem['outcome']]>([
    ['is unknown', { send: hanging }, 'unknown'],
    [
      'did not come back',
      { worker: { run: async () => ({ ...done, detail: 'did-not-come-back' }) } },
      'done',
    ],
  ])('tries the next item before the others when the canary %s', async (_, options, outcome) => {
    const first = open(options)
    const { id } = await first.start(rooms(4), { canary: true })
    await first.after(0)
    first.kill()
    const second: AProgram = open({
      worker: {
        run: async (item, tools) => {
          await second.pass(item, tools)
          return new Promise((resolve) =>
            clock.after(minute, () => resolve({ ...done, detail: 'back-online' })),
          )
        },
      },
    })
    expect(await itemsOf(second, id)).toMatchObject([{ outcome }, ...Array(3).fill({ state: 'queued' })])
    await second.jobs.resume({ id, unlock: true })
    await second.after(0)
    expect(second.sent).toEqual(['R2'])
    await second.after(minute)
    expect(second.sent).toEqual(['R2', 'R3', 'R4'])
  })

  it('still knows an accepted write when a policy removes lines of its time, which takes its own once it ended', async () => {
    const first = open({
      worker: {
        run: async (item, tools) => {
          await first.pass(item, tools)
          return new Promise(() => undefined)
        },
      },
    })
    const { id } = await first.start(['R1'])
    await first.after(0)
    first.kill()
    const workbook = Object.assign(home.workbook, { storageProblem: () => null })
    const journal = openJournal({ workbook, clock, who: 'ada' })
    const reboots = async (): Promise<number> => {
      clock.jumpWall(31 * 86_400_000)
      await removeOldLines(home.workbook, journal, clock, 30)
      const { lines } = await journal.list('org', { where: '', subjectId: null, start: 0, count: 9 })
      return lines.filter(({ operation }) => operation === 'RebootRoom').length
    }
    const before = await reboots()
    const second = open()
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(0)
    expect([before, await itemsOf(second, id), second.sent, await reboots()]).toEqual([
      1,
      [{ state: 'ended', outcome: 'done', detail: null }],
      [],
      0,
    ])
  })

  it('monitors an accepted write, without unlocking anything', async () => {
    const first = open({
      worker: {
        run: async (item, tools) => {
          await first.pass(item, tools)
          return new Promise(() => undefined)
        },
      },
    })
    const { id } = await first.start(['R1'])
    await first.after(0)
    first.kill()
    const sentAt: (number | null)[] = []
    const resume: NonNullable<NonNullable<AProgramOptions['worker']>['resume']> = async (item) => {
      sentAt.push(item.sentAt)
      return { ...done, detail: 'back-online' }
    }
    const second = open({ worker: { resume } })
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(0)
    expect([await itemsOf(second, id), sentAt, (await second.jobs.get(id)).state]).toEqual([
      [{ state: 'ended', outcome: 'done', detail: 'back-online' }],
      [clock.now()],
      'ended',
    ])
  })

  it('sends nothing more of a job that was being cancelled', async () => {
    const first = open({ send: hanging })
    const { id } = await first.start(rooms(20))
    await first.after(0)
    await first.jobs.cancel(id)
    first.kill()
    const second = open()
    expect(await second.jobs.get(id)).toMatchObject({ state: 'ended', counts: { unknown: 16, failed: 4 } })
  })
})

it('ends a job that was being cancelled and whose last item was never begun', async () => {
  const first = open({ worker: { run: () => new Promise(() => undefined) } })
  const { id } = await first.start(rooms(20))
  await first.after(0)
  await first.jobs.cancel(id)
  first.kill()
  const second = open()
  expect(await second.jobs.get(id)).toMatchObject({
    state: 'ended',
    waitsFor: null,
    counts: { failed: 20, unknown: 0 },
    underWay: 0,
  })
  expect(await failureOf(second.jobs.resume({ id, unlock: true }))).toMatchObject({
    kind: 'invalid',
    field: 'id',
  })
  await second.after(minute)
  expect(second.sent).toEqual([])
})

describe('when the program ends', () => {
  it('a job pauses, waiting items are not sent, and watched rooms are watched again at the next start', async () => {
    const first = open({
      worker: {
        run: async (item, tools) => {
          if (item.target.id !== 'R1') return first.run(item, tools)
          await tools.accepted('watching', null)
          return new Promise((resolve) =>
            tools.signal.addEventListener('abort', () => resolve({ ...done, detail: 'not-watched' })),
          )
        },
      },
      send: (_item, signal) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Failed({ kind: 'cancelled' }))),
        ),
    })
    const { id } = await first.start(rooms(3))
    await first.after(0)
    await first.close()
    const second = open({ worker: { resume: async () => ({ ...done, detail: 'back-online' }) } })
    expect(await second.jobs.get(id)).toMatchObject({ state: 'paused', waitsFor: 'locked' })
    await second.after(0)
    expect(await itemsOf(second, id)).toEqual([
      { state: 'ended', outcome: 'done', detail: 'back-online' },
      { state: 'queued', outcome: null, detail: null },
      { state: 'queued', outcome: null, detail: null },
    ])
  })
})

describe('clocks', () => {
  it.each([-26 * 60 * minute, -minute, 40_000, 26 * 60 * minute])(
    'a wall clock that jumps by %i ms during a job has no effect on it',
    async (byInMs) => {
      const program = open()
      const { id } = await program.start([...rooms(3), ...rooms(3)])
      await program.after(1_000)
      clock.jumpWall(byInMs)
      await program.after(3 * minute)
      expect([program.sent.length, (await program.jobs.get(id)).counts]).toMatchObject([6, { done: 6 }])
    },
  )

  it('during sleep the monotonic clock stops, and the job continues when the computer wakes', async () => {
    const answers: (() => void)[] = []
    const program = open({
      send: async (_item, _signal, beforeDispatch) => {
        await beforeDispatch()
        return new Promise((resolve) => answers.push(() => resolve({ status: 200 })))
      },
    })
    const { id } = await program.start(rooms(20))
    await program.after(0)
    clock.jumpWall(8 * 60 * minute)
    for (const answer of answers) answer()
    program.send = answered(200)
    await program.after(31_000)
    expect(await program.jobs.get(id)).toMatchObject({ state: 'ended', counts: { done: 20 } })
  })
})

it('jobs of an earlier run are shown, and nothing can be started, while the file cannot be written', async () => {
  const first = open({ worker: { run: () => new Promise(() => undefined) } })
  const { id } = await first.start(rooms(2))
  await first.after(0)
  first.kill()
  const full = { kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' } as const
  home.workbook.fail = () => new Failed(full)
  const second = open()
  expect((await second.jobs.list({ start: 0, count: 1 })).jobs.map((job) => job.id)).toEqual([id])
  expect([
    await failureOf(second.start(['R3'])),
    await failureOf(second.jobs.resume({ id, unlock: true })),
    await failureOf(second.jobs.cancel(id)),
  ]).toEqual([full, full, full])
  home.workbook.fail = null
  expect((await second.jobs.get(id)).state).toBe('paused')
  await second.jobs.resume({ id, unlock: true })
  await second.start(['R3'])
  await second.after(0)
  expect(second.sent.sort()).toEqual(['R1', 'R2', 'R3'])
})

it('a file that cannot be written pauses the job, which loses nothing', async () => {
  const program = open()
  const { id } = await program.start(rooms(20))
  home.workbook.fail = () =>
    new Failed({ kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' })
  await program.after(minute)
  home.workbook.fail = null
  await program.after(10_000)
  const { state } = await program.jobs.get(id)
  expect({ state, sentOnce: [...new Set(program.sent)] }).toEqual({ state: 'ended', sentOnce: program.sent })
})

it('a job that pauses by itself is paused at once, and in the file when it can be written: no bug', async () => {
  const program = open({ send: failing({ kind: 'key-refused', slot: 'primary', message: null }) })
  const { id } = await program.start(rooms(200))
  let refused = 0
  const write = home.workbook.write.bind(home.workbook)
  const full = new Failed({ kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' })
  home.workbook.write = (work) =>
    write((transaction) => {
      const run: typeof transaction.run = (sql, ...parameters) => {
        if (!sql.startsWith('UPDATE job SET state') || ++refused > 3)
          return transaction.run(sql, ...parameters)
        throw full
      }
      return work({ ...transaction, run })
    })
  await program.after(0)
  expect([(await program.jobs.get(id)).state, refused]).toEqual(['paused', 1])
  await program.after(minute)
  const [stored] = await home.rows('SELECT state, waits_for FROM job')
  expect([
    refused,
    program.lines.filter((line) => line.startsWith('error')),
    (await program.jobs.get(id)).state,
    { ...stored },
  ]).toEqual([4, [], 'paused', { state: 'paused', waits_for: 'key' }])
})
