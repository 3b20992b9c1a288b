import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Log } from '../../../electron/core/platform.ts'
import { openJournal, type Journal, type JournalBegin } from '../../../electron/core/journal/journal.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openWriteSlots, type WriteSlots } from '../../../electron/core/storage/write-slots.ts'
import {
  openUnconfirmedWrites,
  type UnconfirmedWrites,
} from '../../../electron/core/writes/unconfirmed-writes.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { LedgerDatabase } from '../call-budget/ledger-database.ts'

let clock: FakeClock
let home: TemporaryHome
let workbook: Workbook
let journal: Journal
let ledger: LedgerDatabase
let reported: number
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  const log: Log = { write: () => undefined }
  workbook = await openWorkbook({ clock, databases: home.databases, log })
  journal = openJournal({ workbook, clock, who: 'astrid' })
  ledger = new LedgerDatabase()
  reported = 0
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const reboot = (writeId: string): JournalBegin => ({
  writeId,
  organization: { id: 'org', name: 'Nordlys' },
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Aarhus 1' },
  deviceIds: ['D1'],
  before: null,
  after: null,
})
let ids = 0
const theSlots = (database = ledger): WriteSlots =>
  openWriteSlots({ database, clock, newId: () => `write-${++ids}` })
/** The journal of the next program, which has not begun the open lines. */
let next: Journal
const start = async (slots = theSlots()): Promise<UnconfirmedWrites> => {
  next = openJournal({ workbook, clock, who: 'bo' })
  const unconfirmedWrites = await openUnconfirmedWrites({
    journal: next,
    slots,
    log: { write: () => undefined },
    clock,
    changed: () => void reported++,
  })
  onTestFinished(() => unconfirmedWrites.close())
  return unconfirmedWrites
}
describe('a write in flight when the program ended', () => {
  it('is reported at the next start, for its organization, until a later one succeeded', async () => {
    const since = clock.now()
    await journal.begin(reboot('lost'))
    const slots = theSlots()
    const unconfirmedWrites = await start(slots)
    expect(unconfirmedWrites.problems('org')).toEqual([
      {
        id: 'journal-1',
        failure: {
          kind: 'unconfirmed',
          call: { operation: 'RebootRoom', host: null },
          message: 'Headroom ended before the answer came (room Aarhus 1).',
        },
        since,
        done: null,
      },
    ])
    expect([unconfirmedWrites.problems('other'), reported]).toEqual([[], 1])
    const { slots: taken } = await slots.take(['D9'])
    await next.end(await next.begin(reboot(taken?.writeId ?? '')), {
      outcome: 'accepted',
      status: 200,
      message: null,
    })
    await expect.poll(() => unconfirmedWrites.problems('org')).toEqual([])
    expect(reported).toBe(2)
  })
})

describe('with a lost ledger, the journal keeps the minute', () => {
  it('of a write that ended', async () => {
    await journal.end(await journal.begin(reboot('one')), { outcome: 'accepted', status: 200, message: null })
    await clock.advance(20_000)
    const slots = theSlots(new LedgerDatabase())
    await start(slots)
    expect([await slots.freeInMs(['D1']), await slots.freeInMs(['D2'])]).toEqual([41_000, 0])
  })

  it('of a write whose device id is now spelled differently', async () => {
    await journal.end(await journal.begin(reboot('one')), { outcome: 'accepted', status: 200, message: null })
    const slots = theSlots(new LedgerDatabase())
    await start(slots)
    expect(await slots.freeInMs([' d1'])).toBe(61_000)
  })

  it('of a write in flight, from its time-out on', async () => {
    await journal.begin(reboot('one'))
    await clock.advance(20_000)
    const slots = theSlots(new LedgerDatabase())
    await start(slots)
    expect(await slots.freeInMs(['D1'])).toBe(125_000 - 20_000 + 61_000)
  })

  it('but not of one that was never sent', async () => {
    await journal.end(await journal.begin(reboot('one')), {
      outcome: 'refused',
      status: null,
      message: 'offline',
    })
    const slots = theSlots(new LedgerDatabase())
    await start(slots)
    expect(await slots.freeInMs(['D1'])).toBe(0)
  })
})

describe('slots in the ledger', () => {
  it('of the last day are kept, older ones are removed', async () => {
    const slots = theSlots()
    await (await slots.take(['D1'])).slots?.end()
    await clock.advance(24 * 3_600_000 + 1_000)
    await slots.take(['D2'])
    expect(await ledger.query('SELECT device_id FROM write_slot')).toEqual([{ device_id: 'd2' }])
  })

  it('of a killed program are not held forever after a clock was set back', async () => {
    await theSlots().take(['D1'])
    clock.jumpWall(-3_600_000)
    const slots = theSlots()
    expect(await slots.freeInMs(['D1'])).toBe(125_000 + 61_000)
    await clock.advance(100_000)
    expect(await slots.freeInMs(['D1'])).toBe(25_000 + 61_000)
    await clock.advance(86_000)
    expect((await slots.take(['D1'])).slots).not.toBe(null)
  })

  it('are not freed by setting the clock forward while the program runs', async () => {
    const [slots, other] = [theSlots(), theSlots()]
    await (await slots.take(['D1'])).slots?.end()
    await other.freeInMs(['D1'])
    clock.jumpWall(3_600_000)
    expect([await slots.freeInMs(['D1']), await other.freeInMs(['D1'])]).toEqual([61_000, 61_000])
  })
})
