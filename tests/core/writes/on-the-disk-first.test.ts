import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import { operations } from '../../../electron/contract/operations.ts'
import { createCore } from '../../../electron/core/app.ts'
import type { Database, Databases, Transport } from '../../../electron/core/platform.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { aService, everyWrite, syncedWith } from './every-write.ts'

// For any order of file writes and any thread: at the moment when a write is passed to the transport, the
// files of a program killed then contain its journal line with all its devices.

const workerUrl = new URL('../../../electron/adapters/database-worker.ts', import.meta.url)
let home: TemporaryHome
let service: Demonstration
let room: string
let devices: readonly string[]

beforeAll(async () => {
  home = new TemporaryHome()
  service = await aService()
  const core = await createCore(fakePlatform(home, { keyFromEnvironment: service.key }))
  ;({ room, devices } = await syncedWith(core, service))
  await core.close()
})
afterAll(async () => {
  await service.stop()
  await home.remove()
})

/** A folder with the current contents of the files of another one. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'headroom-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of readdirSync(folder))
    if (/\.sqlite(-wal)?$/.test(name)) cpSync(join(folder, name), join(copy, name))
  return copy
}

const spelled = (ids: readonly string[]): readonly string[] => ids.map((id) => id.toLowerCase()).sort()

/** The open writes and their devices, according to the journal. */
function begunIn(folder: string): readonly object[] {
  const database = new DatabaseSync(join(folder, 'workbook.sqlite'))
  const lines = database
    .prepare('SELECT operation, device_ids FROM journal_begin WHERE id NOT IN (SELECT id FROM journal_end)')
    .all()
  database.close()
  return lines.map((line) => ({
    operation: line['operation'],
    devices: spelled(JSON.parse(String(line['device_ids'])) as string[]),
  }))
}

/** Delays everything except reads by many turns of the event loop. */
const late = (database: Database): Database =>
  new Proxy(database, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name, of)
      if (typeof value !== 'function') return value
      const does = (...words: unknown[]): unknown => Reflect.apply(value, of, words)
      if (String(name).startsWith('query') || name === 'close') return does
      return async (...words: unknown[]) => {
        for (let turn = 0; turn < 100; turn++) await new Promise((next) => void setImmediate(next))
        return does(...words)
      }
    },
  })

it('every operation that writes is tried here', () => {
  expect(new Set(everyWrite.map(({ operation }) => operation))).toEqual(
    new Set(operations.filter(({ effect }) => effect !== null).map(({ name }) => name)),
  )
})

it.each(
  everyWrite.flatMap((write) => (['nothing', 'workbook'] as const).map((slow) => ({ ...write, slow }))),
)('$name: journal entry is on disk before it is sent (slow: $slow)', async ({ operation, run, slow }) => {
  const folder = copyOf(home.folder)
  const files = openDatabases({ folder, workerUrl })
  const databases: Databases = {
    ...files,
    open: async (file) => {
      const database = await files.open(file)
      return file === slow ? late(database) : database
    },
  }
  const wire = openHttpTransport()
  const atSending: unknown[] = []
  const transport: Transport = {
    attempt: (request) => {
      if (request.freshConnection) atSending.push(begunIn(copyOf(folder)))
      return wire.attempt(request)
    },
  }
  const core = await createCore(
    fakePlatform({ folder, databases }, { transport, keyFromEnvironment: service.key }),
  )
  onTestFinished(() => core.close())

  await run(core, room, devices[0]!)
  const changed = spelled(operation === 'RebootRoom' ? devices : devices.slice(0, 1))
  expect(atSending).toEqual([[{ operation, devices: changed }]])
})
