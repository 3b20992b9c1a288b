import { beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../electron/contract/failure.ts'
import { openTasks, SharedTask, unwatched, type RunningTask, type Tasks } from '../../electron/core/tasks.ts'
import { FakeClock } from '../fake-clock.ts'

const cancelled = new Failed({ kind: 'cancelled' })
let clock: FakeClock
let tasks: Tasks
let reported: string[]

beforeEach(() => {
  let id = 0
  reported = []
  clock = new FakeClock()
  tasks = openTasks({ clock, newId: () => `t${++id}` })
  tasks.onChange((changed) => reported.push(changed))
})

/** Work that continues until it is cancelled. */
function working(): {
  readonly task: RunningTask
  readonly end: () => void
  readonly result: Promise<string>
} {
  const { promise, resolve } = Promise.withResolvers<string>()
  let task = unwatched
  const result = tasks.run('plan', (given) => {
    task = given
    return promise
  })
  return { task, end: () => resolve('done'), result }
}

describe('a task', () => {
  it('that ends quickly emits no event', async () => {
    const { end, result } = working()
    const listed = tasks.list()
    end()
    expect([await result, listed, reported]).toEqual(['done', [], []])
  })

  it('that takes longer emits its progress until it ends', async () => {
    const { task, end, result } = working()
    task.step('finding', 100, 400)
    await clock.advance(1_000)
    task.step('reading', 1, null)
    const listed = tasks.list()
    end()
    await result
    expect([listed, tasks.list(), reported]).toEqual([
      [{ id: 't1', of: 'plan', step: 'reading', done: 1, total: null }],
      [],
      ['t1', 't1', 't1'],
    ])
  })

  it.each([
    ['by its id', () => tasks.cancel('t1')],
    ['with all of its client, before it is reported', () => tasks.cancel(null)],
    ['when its client disconnects', () => tasks.close()],
  ])('is cancelled %s with its calls, and stops', async (_, cancel) => {
    const { task, end, result } = working()
    cancel()
    expect(() => task.step('reading', 1, 2)).toThrow(cancelled)
    expect(task.signal.aborted).toBe(true)
    end()
    await result
  })

  it('that begins after its client left is cancelled', async () => {
    tasks.close()
    const { task, end, result } = working()
    expect(task.signal.aborted).toBe(true)
    end()
    await result
  })
})

describe('work shared by several tasks', () => {
  it('reports its steps to all; a cancelled task stops waiting, and the others get the result', async () => {
    const shared = new SharedTask()
    const [one, other] = [working(), working()]
    const { promise, resolve } = Promise.withResolvers<string>()
    const results = Promise.allSettled([shared.join(one.task, promise), shared.join(other.task, promise)])
    await clock.advance(1_000)
    shared.running.step('comparing', 1, 2)
    const listed = tasks.list().map(({ id, done }) => [id, done])
    tasks.cancel('t1')
    shared.running.step('comparing', 2, 2)
    resolve('judged')
    expect([listed, await results]).toEqual([
      [
        ['t1', 1],
        ['t2', 1],
      ],
      [
        { status: 'rejected', reason: cancelled },
        { status: 'fulfilled', value: 'judged' },
      ],
    ])
    for (const { end } of [one, other]) end()
  })

  it('is cancelled when the last of them is', async () => {
    const shared = new SharedTask()
    const one = working()
    const result = shared.join(one.task, new Promise(() => undefined))
    tasks.cancel('t1')
    await expect(result).rejects.toThrow(cancelled)
    expect(() => shared.running.step('comparing', 1, 2)).toThrow(cancelled)
    expect([shared.isRunning, shared.running.signal.aborted]).toEqual([false, true])
    one.end()
  })
})
