import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseError, type Log } from '../../../electron/core/platform.ts'
import { openJournal, type Journal, type JournalBegin } from '../../../electron/core/journal/journal.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openWriteSlots, type WriteSlots } from '../../../electron/core/writes/writes.ts'
import {
  openUnconfirmedWrites,
  type UnconfirmedWrites,
} from '../../../electron/core/writes/unconfirmed-writes.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let clock: FakeClock
let home: TemporaryHome
let workbook: Workbook
let journal: Journal
let reported: number
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  const log: Log = { write: () => undefined }
  workbook = await openWorkbook({ clock, databases: home.databases, log })
  journal = openJournal({ workbook, clock, who: 'astrid' })
  reported = 0
})
afterEach(async () => {
  await workbook.close()
  await home.remove()
})

const reboot: JournalBegin = {
  organization: { id: 'org', name: 'Nordlys' },
  operation: 'RebootRoom',
  target: { of: 'room', id: 'room-1', name: 'Aarhus 1' },
  deviceIds: ['D1'],
  before: null,
  after: null,
}
const accepted = { outcome: 'accepted', status: 200, message: null } as const
let slots: WriteSlots
const start = async (next: Journal = journal): Promise<UnconfirmedWrites> => {
  slots = openWriteSlots(clock)
  const unconfirmedWrites = await openUnconfirmedWrites({
    workbook,
    clock,
    journal: next,
    slots,
    log: { write: () => undefined },
    changed: () => void reported++,
  })
  onTestFinished(() => unconfirmedWrites.close())
  return unconfirmedWrites
}
describe('a write in flight when the program ended', () => {
  it('is reported at the next start, for its organization, until a later one succeeded', async () => {
    const since = clock.now()
    await journal.begin(reboot)
    const unconfirmedWrites = await start()
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
    await journal.end(await journal.begin(reboot), accepted)
    await expect.poll(() => unconfirmedWrites.problems('org')).toEqual([])
    expect(reported).toBe(2)
  })
})

describe('the devices of an earlier program', () => {
  const freeInMs = async (...deviceIds: string[]): Promise<number[]> => {
    await start()
    return deviceIds.map((id) => slots.freeInMs([id]))
  }

  it('are free a minute after the end of their write, in any spelling', async () => {
    await journal.end(await journal.begin(reboot), accepted)
    await clock.advance(20_000)
    expect(await freeInMs('D1', ' d1', 'D2')).toEqual([41_000, 41_000, 0])
  })

  it.each([
    ['of a write in flight', 20_000],
    ['of a write that was begun long ago', 24 * 3_600_000],
    ['also when the clock was set back', -3_600_000],
  ])('are free a minute after the opening that ended the line %s', async (_, laterInMs) => {
    await journal.begin(reboot)
    clock.jumpWall(laterInMs)
    const first = await freeInMs('D1')
    await clock.advance(60_000)
    expect([first, await freeInMs('D1')]).toEqual([[61_000], [1_000]])
  })

  it('are free at once if nothing was sent', async () => {
    await journal.end(await journal.begin(reboot), { outcome: 'refused', status: null, message: 'offline' })
    expect(await freeInMs('D1')).toEqual([0])
  })

  it('are all free a minute after the opening if the journal cannot be read', async () => {
    const lastWrites = (): Promise<never> =>
      Promise.reject(new DatabaseError('workbook', 'damaged', 'a page'))
    await start({ ...journal, lastWrites })
    const seen = [slots.freeInMs(['D1']), slots.freeInMs(['D2'])]
    await clock.advance(61_000)
    expect([...seen, slots.freeInMs(['D1'])]).toEqual([61_000, 61_000, 0])
  })
})
