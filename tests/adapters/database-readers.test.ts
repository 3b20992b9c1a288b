import { expect, it } from 'vitest'
import { DatabaseReaders } from '../../electron/adapters/database-readers.ts'
import { ReaderError } from '../../electron/adapters/database-thread.ts'

/** Answers a query when it is told to close a file. */
const worker = new URL(
  `data:text/javascript,${encodeURIComponent(
    "import { parentPort } from 'node:worker_threads'; const ids = []; parentPort.on('message', ({ id, kind }) => { ids.push(id); if (kind === 'close') for (const id of ids) parentPort.postMessage({ id, ok: true, value: null }) })",
  )}`,
)

it('rejects the queries of a closed file that have not started', async () => {
  const readers = new DatabaseReaders(worker)
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
