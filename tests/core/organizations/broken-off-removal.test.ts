import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type { RunningTask } from '../../../electron/core/tasks.ts'
import { openSyncedCore, type ConnectedCore } from '../../connected-core.ts'

let opened: ConnectedCore
let core: Core
let id: string

beforeEach(async () => {
  opened = await openSyncedCore({ devices: 400, rooms: 24 })
  ;({ core } = opened)
  id = (await core.handlers.organizations.current()).id
})
afterEach(async () => {
  await core.close()
  await opened.close()
})

/** Records the progress; the task is cancelled from `stopAt` on. */
function following(stopAt = Infinity): { readonly task: RunningTask; readonly steps: (number | null)[][] } {
  const steps: (number | null)[][] = []
  const step: RunningTask['step'] = (_, done, total) => {
    if (done >= stopAt) throw new Failed({ kind: 'cancelled' })
    steps.push([done, total])
  }
  return { task: { signal: new AbortController().signal, step }, steps }
}
const records = async (): Promise<number> => {
  const [row] = await core.shared.store.database.query('SELECT count(*) AS n FROM raw_record')
  return Number(row?.['n'])
}

test('a removal reports its progress, up to the number of rows counted first', async () => {
  const total = await core.shared.store.rowsOf(id)
  await core.shared.organizations.remove({ id })
  const { task, steps } = following()
  await core.sessions.forget(id, task)
  expect([steps[0], steps.at(-1), steps.length > 10, await records()]).toEqual([
    [0, total],
    [total, total],
    true,
    0,
  ])
})

test('an interrupted removal is in no list, and the next start completes it', async () => {
  const all = await records()
  await core.shared.organizations.remove({ id })
  await core.sessions.forget(id, following(200).task)
  const left = await records()
  await core.close()
  core = await createCore(opened.platform)
  const { organizations } = await core.handlers.organizations.list()
  expect([organizations, left > 0 && left < all]).toEqual([[], true])
  await expect.poll(() => core.shared.organizations.removed()).toEqual([])
  expect(await records()).toBe(0)
})

test('a client may wait until the data of the organization is removed', async () => {
  await core.handlers.organizations.remove({ id, wait: true })
  expect([await core.shared.organizations.removed(), await records()]).toEqual([[], 0])
})

test('a removal from the window is a task with progress that can be cancelled', async () => {
  const run = vi.spyOn(core.tasks, 'run')
  await core.handlers.organizations.remove({ id })
  await Promise.all(run.mock.results.map(({ value }) => value as Promise<void>))
  expect([run.mock.calls.map(([kind]) => kind), await records()]).toEqual([['removal'], 0])
})
