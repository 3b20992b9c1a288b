import { writeSync } from 'node:fs'
import { openDatabases } from '../../../electron/adapters/database.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openJournal } from '../../../electron/core/journal/journal.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'
import { openUnconfirmedWrites } from '../../../electron/core/writes/unconfirmed-writes.ts'
import { openWrites, openWriteSlots } from '../../../electron/core/writes/writes.ts'
import { fastClock as clock } from './fast-clock.ts'

// A program to be killed: it reboots rooms and writes settings without end, and reports each write that it
// sends. The last argument names the write that never ends, during which it is killed.
const [, , folder = '', name = '', endless = '0'] = process.argv
const databases = openDatabases({
  folder,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
})
const log = { write: () => undefined }
const workbook = await openWorkbook({ clock, databases, log })
const journal = openJournal({ workbook, clock, who: name })
const slots = openWriteSlots(clock)
await openUnconfirmedWrites({ workbook, clock, journal, slots, log, changed: () => undefined })
const writes = openWrites({
  clock,
  log,
  slots,
  journal,
  storageProblem: () => null,
  organization: { id: 'org', name: 'Nordlys' },
})

/** A write lasts 20 s, as a slow reboot does. */
const lastsInMs = 20_000
const turns: readonly (readonly string[])[] = [['D1', 'D2'], ['D2'], ['D3', 'D1'], ['D3']]
/** The unlock may have expired while this program waited or was delayed: it tries again, with an unlock. */
const continueAfter = (error: unknown): void => {
  if (!(error instanceof Failed) || error.failure.kind !== 'writes-locked') throw error
}
for (let turn = 1; ; turn++) {
  const deviceIds = turns[turn % turns.length] ?? []
  await writes
    .execute({
      operation: deviceIds.length > 1 ? 'RebootRoom' : 'UpdateDeviceSettings',
      target: { of: 'room', id: deviceIds.join('+'), name: null },
      deviceIds,
      unlock: true,
      wait: true,
      before: null,
      after: null,
      send: async (_signal, beforeDispatch) => {
        await beforeDispatch()
        writeSync(1, `${JSON.stringify({ name, deviceIds, at: clock.now() })}\n`)
        return new Promise((resolve) => {
          if (turn !== Number(endless)) clock.after(lastsInMs, () => resolve({ status: 200 }))
        })
      },
    })
    .catch(continueAfter)
}
