import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseThread, DatabaseReaders, ReaderError } from '../../electron/adapters/database-thread.ts'

/** Returns the number of its thread for every query. */
const worker = new URL(
  `data:text/javascript,${encodeURIComponent(
    "import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', ({ id }) => parentPort.postMessage({ id, ok: true, value: threadId }))",
  )}`,
)
/** Answers a query when it is told to close a file. */
const answersOnClose = new URL(
  `data:text/javascript,${encodeURIComponent(
    "import { parentPort } from 'node:worker_threads'; const ids = []; parentPort.on('message', ({ id, kind }) => { ids.push(id); if (kind === 'close') for (const id of ids) parentPort.postMessage({ id, ok: true, value: null }) })",
  )}`,
)

const aThread = (restsAfterInMs: number | null): DatabaseThread => {
  const thread = new DatabaseThread(worker, restsAfterInMs)
  onTestFinished(() => thread.end())
  return thread
}
const requested = (thread: DatabaseThread): Promise<unknown> => thread.ask({ kind: 'open-to-read', path: '' })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

describe('an idle thread', () => {
  it.each<[string, number | null, boolean]>([
    ['ends after its idle time and starts again with the next query', 3_000, false],
    ['remains if it has no idle time', null, true],
  ])('%s', async (_what, restsAfterInMs, stays) => {
    const thread = aThread(restsAfterInMs)
    const first = await requested(thread)
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await requested(thread)) === first).toBe(stays)
  })

  it('stays while queries arrive before the time-out', async () => {
    const thread = aThread(3_000)
    const first = await requested(thread)
    await vi.advanceTimersByTimeAsync(2_999)
    const second = await requested(thread)
    await vi.advanceTimersByTimeAsync(2_999)
    expect([second, await requested(thread)]).toEqual([first, first])
  })
})

it('rejects the queries of a closed file that have not started', async () => {
  const readers = new DatabaseReaders([
    new DatabaseThread(answersOnClose),
    new DatabaseThread(answersOnClose),
  ])
  const settled = Promise.allSettled(
    ['running', 'running', 'closed'].map((path) =>
      readers.ask({ kind: 'rows', path, sql: '', parameters: [] }, 'rows'),
    ),
  )
  await readers.letGo('closed')
  expect(await settled).toEqual([
    { status: 'fulfilled', value: null },
    { status: 'fulfilled', value: null },
    { status: 'rejected', reason: new ReaderError(null, 'The database was closed.') },
  ])
})
