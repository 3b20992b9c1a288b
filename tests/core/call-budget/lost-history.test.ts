import { describe, expect, it } from 'vitest'
import { DatabaseError } from '../../../electron/core/platform.ts'
import { aHome } from './a-home.ts'
import { peak } from './peak.ts'

const full = new DatabaseError('ledger', 'disk-full', 'the disk is full')
const busy = new DatabaseError('ledger', 'busy', 'the file is busy')

describe('a lost history after a call was made', () => {
  it.each([
    ['just now', 0, 30_000],
    ['ten seconds ago, or later, because not every call is recorded', 10_000, 30_000],
    ['so long ago that only a later call could still count', 75_000, 15_000],
    ['so long ago that even a later call no longer counts', 90_000, 0],
  ])('%s: counts both windows as full until no lost call can count', async (_, any, lastsInMs) => {
    const { clock, starts, start } = aHome()
    const { budget, call } = await start({ known: { any } })
    const fullUntilAt = clock.now() + lastsInMs
    expect(budget.state()).toMatchObject(
      lastsInMs === 0
        ? { fiveMinutes: { used: 0 }, history: null }
        : {
            second: { used: 20, limit: 20 },
            fiveMinutes: { used: 60, limit: 60 },
            history: { trouble: 'lost', reason: null, since: clock.now(), fullUntilAt },
          },
    )
    call(1)
    await clock.advance(lastsInMs)
    await clock.advance(1)
    expect(starts).toEqual([lastsInMs])
  })

  it.each([
    ['a pause that lasts longer than its windows is stored', 12 * 60_000, 12 * 60_000],
    ['a shorter pause ends before its windows are free again', 20_000, 30_000],
  ])('%s', async (_, pausedForInMs, firstAfterInMs) => {
    const { clock, starts, start, loseLedger } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + pausedForInMs)
    await first.budget.close()
    loseLedger()
    const { call } = await start({ known: { any: 0 } })
    call(1)
    await clock.advance(20 * 60_000)
    expect(starts).toEqual([firstAfterInMs])
  })

  it('is no loss when no call was ever made', async () => {
    const { start } = aHome()
    expect((await start()).budget.state()).toMatchObject({ fiveMinutes: { used: 0 }, history: null })
  })

  it('is no loss when rows are as recent as other records', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.call(3)
    await clock.advance(5_000)
    await first.budget.close()
    expect((await start({ known: { noted: 5_000, any: 0 } })).budget.state()).toMatchObject({
      fiveMinutes: { used: 3 },
      history: null,
    })
  })

  it('is a loss when calls were recorded elsewhere but not here: a restored copy, or a program that ended before writing', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.call(3)
    await clock.advance(5_000)
    await first.budget.close()
    await clock.advance(3_000)
    expect((await start({ known: { noted: 1_000 } })).budget.state().history).toMatchObject({
      trouble: 'lost',
      fullUntilAt: clock.now() + 30_000,
    })
  })

  it('lets one key check pass at once, and no second one, even after restarts', async () => {
    const { clock, starts, start } = aHome()
    const first = await start({ known: { any: 0 } })
    first.call(2, 'interactive', 'lost-history')
    first.call(2, 'interactive')
    await clock.advance(1_000)
    const passed = starts.length
    await first.budget.close()
    const second = await start({ known: { noted: 1_000 } })
    second.call(1, 'interactive', 'lost-history')
    await clock.advance(28_999)
    const before = starts.length
    await clock.advance(1)
    expect({ passed, before, after: starts.length, history: second.budget.state().history }).toEqual({
      passed: 1,
      before: 1,
      after: 2,
      history: null,
    })
  })

  it('keeps the key check for the next caller when the first was cancelled before its turn', async () => {
    const { clock, starts, start } = aHome()
    const { budget, call } = await start({ known: { any: 0 } })
    budget.pauseUntil(clock.now() + 1_000)
    const controller = new AbortController()
    budget
      .place({ lane: 'interactive', label: 'check', signal: controller.signal, exception: 'lost-history' })
      .catch(() => undefined)
    controller.abort()
    call(1, 'interactive', 'lost-history')
    await clock.advance(1_000)
    expect(starts).toEqual([1_000])
  })
})

describe('a history that cannot be written', () => {
  it('is kept in memory with both windows halved, and reported', async () => {
    const { clock, database, starts, start } = aHome()
    const { budget, call } = await start()
    call(5)
    await clock.advance(2_000)
    database.fail = () => full
    call(200)
    await clock.advance(60_000)
    const since = clock.now() - 60_000
    expect({
      second: peak(starts, 1_000),
      window: peak(starts, 30_000),
      history: budget.state().history,
    }).toEqual({
      second: 10,
      window: 30,
      history: { trouble: 'not-saved', reason: 'disk-full', since, fullUntilAt: null },
    })
  })

  it('is written in full as soon as possible, and both windows have their full limit again', async () => {
    const { clock, database, starts, start } = aHome()
    const first = await start()
    database.fail = () => full
    first.call(15)
    await clock.advance(2_000)
    database.fail = null
    const blind = starts.length
    await clock.advance(1_500)
    const { history } = first.budget.state()
    const second = await start()
    const seen = second.budget.state().fiveMinutes.used
    second.call(100)
    await clock.advance(120_000)
    expect({ blind, history, seen, second: peak(starts, 1_000) <= 20, window: peak(starts, 30_000) }).toEqual(
      {
        blind: 15,
        history: null,
        seen: 15,
        second: true,
        window: 60,
      },
    )
  })

  it('is written once: later writes do not repeat the same starts', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    database.fail = () => full
    first.call(5)
    await clock.advance(1_000)
    database.fail = null
    await clock.advance(3_000)
    for (let i = 0; i < 3; i++) {
      first.call(1)
      await clock.advance(1_100)
    }
    await first.budget.close()
    expect((await start()).budget.state().fiveMinutes.used).toBe(5 + 3)
  })

  it('is written at the end of the program if possible', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    database.fail = () => full
    first.call(12)
    await clock.advance(1_900)
    database.fail = null
    await first.budget.close()
    expect((await start()).budget.state().fiveMinutes.used).toBe(12)
  })

  it('records the end of the previous batch, so that it does not count as full', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    first.call(10)
    await clock.advance(500)
    database.fail = () => full
    first.call(3)
    await clock.advance(1_000)
    database.fail = null
    await clock.advance(3_000)
    await clock.advance(26_001)
    // If their times had been stored, the first of thirteen starts within a second and a half would have left the window.
    expect((await start()).budget.state().fiveMinutes.used).toBe(3)
  })

  it('is retried every few seconds without any calls', async () => {
    const { clock, database, start } = aHome()
    const { budget, call } = await start()
    database.fail = () => full
    call(1)
    await clock.advance(7_000)
    database.fail = null
    await clock.advance(2_000)
    expect(budget.state().history).toBe(null)
    const { transactions } = database
    await clock.advance(60_000)
    expect(database.transactions).toBe(transactions)
  })

  it('reports elsewhere that its starts are not saved', async () => {
    const { clock, database, start } = aHome()
    const { call, lastUse } = await start()
    call(1)
    await clock.advance(2_000)
    database.fail = () => full
    call(1)
    await clock.advance(1_000)
    expect(lastUse.happenings).toEqual(['saved', 'unsaved'])
  })

  it('keeps a pause and a hold in memory, and writes them later', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    database.fail = () => full
    const [untilAt, heldUntilAt] = [clock.now() + 600_000, clock.now() + 3_600_000]
    first.budget.pauseUntil(untilAt)
    first.budget.pauseUntil(heldUntilAt)
    await clock.advance(4_000)
    database.fail = null
    await clock.advance(3_000)
    expect((await start()).budget.state()).toMatchObject({ pausedUntil: untilAt, heldUntilAt })
  })

  it('is not a problem while it is only slow: waiting callers see the reason', async () => {
    const { clock, database, start } = aHome()
    let letGo = (): void => undefined
    const write = database.write.bind(database)
    const { budget, call } = await start()
    database.write = (work) => new Promise<void>((resolve) => (letGo = resolve)).then(() => write(work))
    call(1)
    await clock.advance(1_500)
    const waiting = budget.state()
    letGo()
    await clock.advance(0)
    expect([waiting, budget.state()]).toMatchObject([
      { waiting: 1, waitReason: 'history', history: null },
      { waiting: 0, waitReason: null, fiveMinutes: { used: 1 }, history: null },
    ])
  })
})

describe('an unreadable history at the start', () => {
  it('counts both windows as full, then halves both limits, until it is readable', async () => {
    const { clock, database, starts, start } = aHome()
    database.failReads = database.fail = () => busy
    const { budget, call } = await start()
    expect(budget.state()).toMatchObject({
      fiveMinutes: { used: 60 },
      history: {
        trouble: 'not-saved',
        reason: 'busy',
        since: clock.now(),
        fullUntilAt: clock.now() + 30_000,
      },
    })
    call(200)
    await clock.advance(29_999)
    expect(starts).toEqual([])
    await clock.advance(40_000)
    expect({ second: peak(starts, 1_000), window: peak(starts, 30_000) }).toEqual({ second: 10, window: 30 })
  })

  it('is replaced by the real history once readable', async () => {
    const { clock, database, start } = aHome()
    const before = await start()
    before.call(7)
    await clock.advance(2_000)
    await before.budget.close()
    database.failReads = database.fail = () => busy
    const { budget } = await start()
    await clock.advance(2_000)
    database.failReads = database.fail = null
    await clock.advance(1_000)
    expect(budget.state()).toMatchObject({ second: { used: 0 }, fiveMinutes: { used: 7 }, history: null })
  })

  it('lets one key check pass', async () => {
    const { clock, database, starts, start } = aHome()
    database.failReads = database.fail = () => busy
    const { call } = await start()
    call(2, 'interactive', 'lost-history')
    await clock.advance(2_000)
    expect(starts).toHaveLength(1)
  })
})
