import { expect, test } from 'vitest'
import {
  betweenWritesInMs,
  openWriteSlots,
  inFlightForInMs,
  type TakenSlots,
} from '../../../electron/core/storage/write-slots.ts'
import { FakeClock } from '../../fake-clock.ts'
import { LedgerDatabase } from '../call-budget/ledger-database.ts'

const hour = 3_600_000
let ids = 0

function aLedger() {
  const clock = new FakeClock()
  const database = new LedgerDatabase()
  const start = () => openWriteSlots({ database, clock, newId: () => `write-${++ids}` })
  const taken = async (program: ReturnType<typeof start>, ...deviceIds: string[]): Promise<TakenSlots> =>
    (await program.take(deviceIds)).slots!
  const lose = (deviceId: string) =>
    database.write((transaction) => transaction.run('DELETE FROM write_slot WHERE device_id = ?', [deviceId]))
  return { clock, start, taken, lose }
}

test('a write that has lost one of its slots gets an error', async () => {
  const { start, taken, lose } = aLedger()
  const write = await taken(start(), 'd1', 'd2')
  const before = await write.renew()
  await lose('d2')
  expect([before, await write.renew()]).toEqual([true, false])
})

test('a program keeps the minute after its write when the row is lost', async () => {
  const { clock, start, taken, lose } = aLedger()
  const program = start()
  await (await taken(program, 'd1')).end()
  await lose('d1')
  await clock.advance(1_000)
  expect(await program.freeInMs(['d1'])).toBe(betweenWritesInMs - 1_000)
})

test('a write of a killed program with a time in the future blocks its devices no longer than a write can take', async () => {
  const { clock, start, taken } = aLedger()
  await taken(start(), 'd1')
  clock.reboot()
  clock.jumpWall(-24 * hour)
  expect(await start().freeInMs(['d1'])).toBe(inFlightForInMs + betweenWritesInMs)
})
