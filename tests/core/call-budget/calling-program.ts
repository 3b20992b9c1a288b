import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import type { Clock } from '../../../electron/core/platform.ts'
import { noteLostHistory } from '../../../electron/core/storage/lost-history.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openUnconfirmedWrites } from '../../../electron/core/writes/unconfirmed-writes.ts'
import { openWrites, openWriteSlots } from '../../../electron/core/writes/writes.ts'
import { clockAt } from '../writes/fast-clock.ts'

// A program to be killed: it makes as many calls as it may, in bursts with idle minutes between them if
// requested, and writes to three devices as soon as it may. It reports each of them with the time that really
// passed; `offsetInMs` is how wrong its own clock is.
const [, , folder = '', speed = '1', offsetInMs = '0', idleInMs = '0', disk = 'good', lost = ''] =
  process.argv
const time = clockAt(Number(speed))
const clock: Clock = { ...time, now: () => time.now() + Number(offsetInMs) }
const told = openSync(join(folder, 'told.txt'), 'a')
let isFirst = true
const tell = (what: string): void => {
  writeSync(told, `${what} ${time.now()}\n`)
  if (isFirst) writeSync(1, 'began\n')
  isFirst = false
}
const wait = (inMs: number): Promise<void> => new Promise((resolve) => void clock.after(inMs, resolve))

const log = { write: () => undefined }
const databases = openDatabases({
  folder,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
})
const file = await openWorkbook({ clock, databases, log })
if (lost === 'lost') await noteLostHistory(file, clock.now())
const journal = openJournal({ workbook: file, clock, who: 'killed' })
const slots = openWriteSlots(clock)
await openUnconfirmedWrites({ workbook: file, clock, journal, slots, log, changed: () => undefined })
const organization = { id: 'org', name: 'Nordlys' }
const writes = openWrites({ clock, log, slots, journal, storageProblem: () => null, organization })
const full = { kind: 'cache-unusable', file: 'workbook.sqlite', reason: 'disk-full', message: '' } as const
const workbook: Pick<Workbook, 'query' | 'write'> = {
  query: file.query,
  write: async (work) => {
    if (disk === 'full') throw new Failed(full)
    if (disk === 'slow') await wait(5_000)
    return file.write(work)
  },
}
const budget = await openCallBudget({ clock, random: () => 0, history: { workbook, scope: 'scope' } })
const call = (lane: 'write' | 'bulk') => budget.place({ lane, label: lane, signal: null })

async function write(device: string): Promise<void> {
  await writes.execute({
    operation: 'UpdateDeviceSettings',
    target: { of: 'device', id: device, name: null },
    deviceIds: [device],
    unlock: true,
    wait: true,
    before: null,
    after: null,
    send: async (_signal, beforeDispatch) => {
      const place = await call('write')
      await beforeDispatch()
      place.dispatched()
      tell('call')
      tell(device)
      await wait(700)
      place.ended()
      return { status: 200 }
    },
  })
}
for (const device of ['D1', 'D2', 'D3'])
  void (async () => {
    for (;;) await write(device)
  })()
for (;;) {
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      const place = await call('bulk')
      tell('call')
      place.ended()
    }),
  )
  if (Number(idleInMs) > 0) await wait(Number(idleInMs))
}
