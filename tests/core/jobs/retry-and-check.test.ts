import { beforeEach, describe, expect, it } from 'vitest'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { aDraft, AHome, answered, AProgram, call, done, failing, offline, rooms } from './a-bench.ts'
import { nobody } from './asking-a-program.ts'
import { failureOf } from '../../failure-of.ts'

const minute = 60_000

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

describe('a password among the settings of a job', () => {
  const changes = [
    { name: 'settingsPassword', value: 'b4-sunrise' },
    { name: 'sidetone', value: 3 },
  ]
  const change = async (of: AProgram): Promise<string> => {
    const work = {
      kind: 'change-settings' as const,
      selection: { kind: 'picked' as const, ids: ['R1', 'R2'] },
      changes,
    }
    const { id } = await of.jobs.plan({ ...aDraft([]), work })
    return (await of.jobs.start({ plan: id, unlock: true, typed: null })).id
  }
  const kept = async (): Promise<boolean[]> =>
    (await home.rows('SELECT work FROM job ORDER BY number')).map((row) =>
      String(row['work']).includes('b4-sunrise'),
    )
  const dots = [{ name: 'settingsPassword', value: '•••' }, changes[1]]

  it('is shown as dots, and is removed from the file when everything is done', async () => {
    const id = await change(program)
    const reported = [(await program.jobs.get(id)).changes, await kept()]
    await program.after(0)
    expect([
      reported,
      [(await program.jobs.get(id)).changes, await kept(), (await program.jobs.get(id)).state],
    ]).toEqual([
      [dots, [true]],
      [dots, [false], 'ended'],
    ])
  })
  it('stays while something failed, for trying again, and is removed with the job that did', async () => {
    program.send = failing({ kind: 'refused', call, status: 403, message: 'no' })
    const id = await change(program)
    await program.after(0)
    const failed = await kept()
    program.send = answered(200)
    const plan = await program.jobs.retry(id)
    await program.jobs.start({ plan: plan.id, unlock: true, typed: null })
    const started = await kept()
    await program.after(2 * 60_000)
    expect([failed, started, await kept()]).toEqual([[true], [false, true], [false, false]])
  })
  it.each<[string, Partial<typeof done>]>([
    ['is unknown', { outcome: 'unknown' }],
    ['was not read back', { detail: 'not-watched' }],
  ])('stays while the result of a device %s, and is removed once it is known', async (_, ending) => {
    program = new AProgram(home, {
      worker: {
        plan: async () => ({
          items: [
            {
              planned: {
                target: { of: 'device', id: 'D1', name: 'A bar' },
                devices: [{ id: 'D1', name: 'A bar', status: 'online' }],
                earliestAt: null,
                changes: [],
                skipped: null,
              },
              calls: 1,
              watchingAtMost: 0,
              memory: {},
            },
          ],
          skipped: [],
          savedCalls: null,
        }),
        run: async () => ({ ...done, ...ending }),
        check: async () => ({ ...done, detail: 'verified' }),
      },
    })
    const id = await change(program)
    await program.after(0)
    const before = await kept()
    for (const item of await program.items(id)) await program.jobs.check(item.id)
    expect([before, await kept()]).toEqual([[true], [false]])
  })
})

describe('trying again', () => {
  it('plans failed and cancelled items, and nothing that is unknown', async () => {
    const fails: Record<string, Failure> = {
      R1: { kind: 'refused', call, status: 403, message: null },
      R2: { kind: 'unconfirmed', call, message: 'cut' },
    }
    program.send = (item, signal, beforeDispatch) =>
      (fails[item.target.id] === undefined ? answered(200) : failing(fails[item.target.id] ?? offline))(
        item,
        signal,
        beforeDispatch,
      )
    const { id } = await program.start(rooms(3))
    await program.after(0)
    const plan = await program.jobs.retry(id)
    expect([plan.items, plan.draft.work]).toEqual([1, aDraft(['R1']).work])
    program.send = answered(200)
    const again = await program.jobs.start({ plan: plan.id, typed: null, unlock: false })
    await program.after(2 * minute)
    expect([
      again.retryOf,
      (await program.jobs.get(again.id)).counts.done,
      (await program.jobs.get(id)).retryable,
    ]).toEqual([id, 1, 0])
    expect(await failureOf(program.jobs.retry(id))).toMatchObject({ kind: 'invalid', field: 'id' })
  })

  it('plans one failed item alone, which is then marked as retried', async () => {
    program.send = failing({ kind: 'refused', call, status: 403, message: null })
    const { id } = await program.start(rooms(3))
    await program.after(0)
    const failed = async (): Promise<readonly JobItem[]> =>
      (await program.jobs.items({ id, show: 'failed', start: 0, count: 10 })).items
    const item = (await failed())[1]!
    const plan = await program.jobs.retry(id, undefined, item.id)
    expect(plan.draft.work).toEqual(aDraft(['R2']).work)
    await program.jobs.start({ plan: plan.id, typed: null, unlock: false })
    expect([(await failed()).map(({ retried }) => retried), (await program.jobs.get(id)).retryable]).toEqual([
      [undefined, true, undefined],
      2,
    ])
  })

  it('plans the failed devices of an update of rooms as devices', async () => {
    program.send = failing({ kind: 'refused', call, status: 403, message: null })
    const work = {
      kind: 'update-firmware' as const,
      of: 'rooms' as const,
      selection: { kind: 'picked' as const, ids: ['D1'] },
      version: 'latest',
      allowDowngrade: false,
      watchForInMinutes: 30,
    }
    const plan = await program.jobs.plan({ ...aDraft([]), work })
    const { id } = await program.jobs.start({ plan: plan.id, typed: null, unlock: true })
    await program.after(0)
    const { of: _, ...ofDevices } = work
    expect((await program.jobs.retry(id)).draft.work).toEqual(ofDevices)
  })

  describe('two retries at the same time', () => {
    const refused = {
      kind: 'invalid',
      field: 'plan',
      message: 'Another job already retries some of these items. Plan the retry again.',
    }
    const gone = { kind: 'invalid', field: 'plan', message: 'This plan has expired. Plan again.' }
    const failedJob = async (): Promise<string> => {
      program.send = failing({ kind: 'refused', call, status: 403, message: null })
      const { id } = await program.start(rooms(2))
      await program.after(2 * minute)
      program.send = answered(200)
      return id
    }
    const start = (of: AProgram, plan: string): Promise<unknown> =>
      of.jobs.start({ plan, typed: null, unlock: true })
    const sentAgain = async (of: AProgram): Promise<readonly string[]> => {
      await of.after(3 * minute)
      return of.sent.slice(of === program ? 2 : 0)
    }

    it('sends nothing twice: of two plans the second is rejected for good and leaves nothing behind', async () => {
      const id = await failedJob()
      const [one, other] = [await program.jobs.retry(id), await program.jobs.retry(id)]
      await start(program, one.id)
      expect([await failureOf(start(program, other.id)), await failureOf(start(program, other.id))]).toEqual([
        refused,
        gone,
      ])
      expect([await sentAgain(program), (await program.jobs.list({ start: 0, count: 10 })).total]).toEqual([
        ['R1', 'R2'],
        2,
      ])
    })

    it('sends nothing twice when both start at the same time', async () => {
      const id = await failedJob()
      const plans = [await program.jobs.retry(id), await program.jobs.retry(id)]
      const ended = await Promise.all(plans.map((plan) => failureOf(start(program, plan.id))))
      expect([ended, await sentAgain(program)]).toEqual([
        [null, refused],
        ['R1', 'R2'],
      ])
    })

    it('allows planning the part that was not tried again yet', async () => {
      const id = await failedJob()
      const stale = await program.jobs.retry(id)
      await home.rows(`UPDATE job_item SET retried = 1 WHERE target_id = 'R1'`)
      expect(await failureOf(start(program, stale.id))).toEqual(refused)
      await start(program, (await program.jobs.retry(id)).id)
      expect(await sentAgain(program)).toEqual(['R2'])
    })
  })

  it('checks an item with an unknown result, and never sends it', async () => {
    program = new AProgram(home, {
      send: failing({ kind: 'unconfirmed', call, message: 'cut' }),
      worker: {
        check: async (_, tools) => {
          tools.called()
          return { ...done, detail: 'verified' }
        },
      },
    })
    const { id } = await program.start(['R1'])
    await program.after(0)
    const [item] = await program.items(id)
    expect(await program.jobs.check(item?.id ?? 0)).toMatchObject({
      items: [{ outcome: 'done', detail: 'verified', callsUsed: (item?.callsUsed ?? NaN) + 1 }],
      total: 1,
    })
    expect([program.sent, (await program.jobs.get(id)).counts]).toEqual([['R1'], { ...nobody, done: 1 }])
  })
})

it('lists items by outcome, in slices', async () => {
  program.send = (item, signal, beforeDispatch) =>
    (Number(item.target.id.slice(1)) % 3 === 0
      ? failing({ kind: 'refused', call, status: 400, message: null })
      : answered(200))(item, signal, beforeDispatch)
  const { id } = await program.start(rooms(30))
  await program.after(0)
  const window = async (show: 'failed' | 'open' | 'done' | null, start: number): Promise<unknown> => {
    const { items, total } = await program.jobs.items({ id, show, start, count: 3 })
    return [items.map(({ target }) => target.id), total]
  }
  expect(await window(null, 10)).toEqual([['R11', 'R12', 'R13'], 30])
  expect(await window('failed', 2)).toEqual([['R9', 'R12', 'R15'], 10])
  expect(await window('done', 19)).toEqual([['R29'], 20])
  expect(await window('open', 0)).toEqual([[], 0])
})

it('sorts items: names in natural order, urgent ones first, equal ones as planned', async () => {
  program.send = (item, signal, beforeDispatch) =>
    (item.target.id === 'R2'
      ? failing({ kind: 'refused', call, status: 400, message: null })
      : answered(200))(item, signal, beforeDispatch)
  const { id } = await program.start(rooms(11))
  await program.after(0)
  const ordered = async (column: 'name' | 'outcome', descending: boolean): Promise<string[]> => {
    const sort = [{ column, descending }]
    return (await program.jobs.items({ id, show: null, sort, start: 0, count: 4 })).items.map(
      ({ target }) => target.id,
    )
  }
  const ended = await program.jobs.items({
    id,
    show: 'done',
    sort: [{ column: 'name', descending: true }],
    start: 8,
    count: 4,
  })
  expect([
    await ordered('name', false),
    await ordered('name', true),
    await ordered('outcome', false),
    [ended.items.map(({ target }) => target.id), ended.total],
  ]).toEqual([
    ['R1', 'R2', 'R3', 'R4'],
    ['R11', 'R10', 'R9', 'R8'],
    ['R2', 'R1', 'R3', 'R4'],
    [['R3', 'R1'], 10],
  ])
})

describe('accepted items without a confirmed result', () => {
  it.each([
    ['back-online', 0],
    ['verified', 0],
    ['did-not-come-back', 3],
    ['not-watched', 3],
    ['applies-later', 3],
  ] as const)('%s is done, and counted separately by %i of three', async (detail, unseen) => {
    program = new AProgram(home, { worker: { run: async () => ({ ...done, detail }) } })
    const plan = await program.jobs.plan(aDraft(rooms(3)))
    const { id } = await program.jobs.start({ plan: plan.id, unlock: true, typed: null })
    await program.after(0)
    expect(await program.jobs.get(id)).toMatchObject({
      state: 'ended',
      counts: { ...nobody, done: 3 },
      unseen,
    })
  })
})
