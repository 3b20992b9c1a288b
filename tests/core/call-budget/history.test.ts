import { describe, expect, it } from 'vitest'
import { managementLimits } from '../../../electron/core/call-budget/call-budget.ts'
import { noteLostHistory } from '../../../electron/core/storage/lost-history.ts'
import { aHome, limits, unusable } from './a-home.ts'
import { peak } from './peak.ts'

const minute = 60_000
/** With room for two seconds in full. */
const roomy = { ...limits, perWindow: 600, published: { perSecond: 20, perWindow: 600 } }
const years = 74 * 365 * 24 * 60 * minute

describe('a restart', () => {
  it('restores every call of the window, and adds nothing after a clean end', async () => {
    const { clock, starts, start } = aHome()
    const first = await start()
    first.call(60)
    await clock.advance(5_000)
    await first.budget.close()
    const second = await start()
    expect(second.budget.state()).toMatchObject({ second: { used: 0 }, fiveMinutes: { used: 60 } })
    second.call(60)
    await clock.advance(40_000)
    expect({ starts: starts.length, second: peak(starts, 1_000), window: peak(starts, 30_000) }).toEqual({
      starts: 120,
      second: 20,
      window: 60,
    })
  })

  it('shares nothing between subscriptions', async () => {
    const { clock, start } = aHome()
    const one = await start()
    one.call(60)
    one.budget.pauseUntil(clock.now() + minute)
    await clock.advance(5_000)
    expect((await start('scope-2')).budget.state()).toMatchObject({
      fiveMinutes: { used: 0 },
      pausedUntil: null,
    })
  })

  it('keeps a pause, and an earlier one does not shorten it', async () => {
    const { clock, start } = aHome()
    const first = await start()
    const untilAt = clock.now() + minute
    first.budget.pauseUntil(untilAt)
    first.budget.pauseUntil(clock.now() + 1_000)
    await clock.advance(1_000)
    first.kill()
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it.each([
    ['forward', years, null],
    ['a minute forward', minute, null],
    ['back', -years, minute],
  ])('limits a pause to its end and its length when the clock is set %s', async (_, byInMs, leftInMs) => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(1_000)
    first.kill()
    clock.jumpWall(byInMs)
    const until = leftInMs === null ? null : clock.now() + leftInMs
    expect((await start()).budget.state().pausedUntil).toBe(until)
  })
})

describe('a run without an end', () => {
  it('adds two seconds in full after its last row, and many short ones add up, but leave 4,000 of 9,500 calls', async () => {
    const { clock, start } = aHome({ limits: roomy })
    const used = []
    for (let run = 0; run < 10; run++) {
      const { budget, call, kill } = await start()
      used.push(budget.state().fiveMinutes.used)
      call(1)
      await clock.advance(100)
      kill()
    }
    const { budget } = await start()
    await clock.advance(30_000)
    expect({ used, later: budget.state().fiveMinutes.used }).toEqual({
      used: [0, 40, 80, 120, 160, 200, 240, 280, 320, 341],
      later: 0,
    })
  })

  it('counts the stored seconds too', async () => {
    const { clock, start } = aHome({ limits: roomy })
    const { call, kill } = await start()
    call(5)
    await clock.advance(1_500)
    kill()
    expect((await start()).budget.state().fiveMinutes.used).toBe(5 + 40)
  })

  it('adds nothing when it made no call', async () => {
    const { start } = aHome()
    const { kill } = await start()
    kill()
    expect((await start()).budget.state().fiveMinutes.used).toBe(0)
  })

  it('does not delay the first 4,000 calls of the next run', async () => {
    const short = async (runs: number): Promise<readonly number[]> => {
      const { clock, starts, start } = aHome({ limits: managementLimits })
      for (let run = 0; run < runs; run++) {
        const { call, kill } = await start()
        call(1)
        await clock.advance(200)
        kill()
      }
      // Calls that really were made leave the window of a second.
      await clock.advance(3_000)
      const { call } = await start()
      const [from, before] = [clock.monotonic(), starts.length]
      call(4_000)
      await clock.advance(minute)
      return starts.slice(before).map((at) => at - from)
    }
    const [after, undisturbed] = [await short(120), await short(0)]
    const delayed = after.filter((at, index) => at > (undisturbed[index] ?? 0) + 1)
    expect([after.length, undisturbed.length, delayed]).toEqual([4_000, 4_000, []])
  })
})

describe('a clock that was set back', () => {
  it.each([years, minute])('by %i ms makes calls in the future half of the window, once', async (byInMs) => {
    const { clock, start } = aHome()
    clock.jumpWall(byInMs)
    const first = await start()
    first.call(5)
    await clock.advance(2_000)
    await first.budget.close()
    clock.jumpWall(-byInMs)
    const second = await start()
    const used = [second.budget.state().fiveMinutes.used]
    second.call(1)
    await clock.advance(20_000)
    await second.budget.close()
    used.push((await start()).budget.state().fiveMinutes.used)
    await clock.advance(12_000)
    used.push((await start()).budget.state().fiveMinutes.used)
    expect(used).toEqual([30, 31, 0])
  })

  it('while the program runs changes nothing until its end', async () => {
    const { clock, starts, start, workbook } = aHome()
    const { call } = await start()
    call(60)
    await clock.advance(5_000)
    clock.jumpWall(-minute)
    call(60)
    await clock.advance(60_000)
    const [row] = await workbook.query('SELECT count(*) AS rows, max(second) AS newest FROM call_second')
    expect([peak(starts, 1_000), peak(starts, 30_000), Number(row?.['rows']) <= 31]).toEqual([20, 60, true])
  })
})

describe('half of the window counts as used', () => {
  it('when the history cannot be read', async () => {
    const { clock, starts, start, workbook } = aHome()
    workbook.failReads = unusable('damaged')
    const { budget, call } = await start()
    const { fiveMinutes, history } = budget.state()
    call(1)
    await clock.advance(0)
    expect([fiveMinutes.used, history, starts]).toEqual([30, null, [0]])
  })

  it('when the workbook was begun anew beside a store with rows, also in the next runs', async () => {
    const { clock, start, workbook } = aHome()
    await noteLostHistory(workbook, clock.now())
    const used = [(await start()).budget.state().fiveMinutes.used]
    await clock.advance(10_000)
    const { budget, call } = await start()
    call(1)
    await clock.advance(1_000)
    await budget.close()
    used.push((await start()).budget.state().fiveMinutes.used)
    await clock.advance(21_000)
    used.push((await start()).budget.state().fiveMinutes.used)
    expect(used).toEqual([30, 31, 1])
  })
})

describe('what is stored', () => {
  it('is the opening before the first call, then four transactions a second, then the end', async () => {
    const { clock, starts, start, workbook } = aHome()
    const { budget, call } = await start()
    const transactions = [workbook.transactions]
    call(1)
    await clock.advance(0)
    transactions.push(workbook.transactions)
    call(39)
    await clock.advance(3_000)
    transactions.push(workbook.transactions)
    await clock.advance(minute)
    transactions.push(workbook.transactions)
    await budget.close()
    expect({ starts: starts.length, transactions, after: workbook.transactions }).toEqual({
      starts: 40,
      transactions: [0, 1, 9, 9],
      after: 10,
    })
  })

  it('is a call once, in the second in which it is dispatched', async () => {
    const { clock, start, workbook } = aHome()
    const { budget } = await start()
    const place = await budget.place({ lane: 'write', label: 'write', signal: null })
    await clock.advance(1_500)
    const second = Math.floor(clock.now() / 1_000)
    place.dispatched()
    await clock.advance(1_000)
    expect(await workbook.query('SELECT second, calls FROM call_second WHERE calls > 0')).toEqual([
      { second, calls: 1 },
    ])
  })

  it('is at most one row for each second of the window', async () => {
    const { clock, start, workbook } = aHome()
    const { call } = await start()
    for (let second = 0; second < 100; second++) {
      call(1)
      await clock.advance(1_000)
    }
    expect(await workbook.query('SELECT count(*) AS rows, sum(calls) AS calls FROM call_second')).toEqual([
      { rows: 31, calls: 31 },
    ])
  })
})

describe('a history that cannot be saved for more than two seconds', () => {
  it('halves both limits and is shown, until it is saved as a whole', async () => {
    const { clock, starts, start, workbook } = aHome()
    const { budget, call } = await start()
    call(5)
    await clock.advance(2_000)
    workbook.fail = unusable('disk-full')
    const since = clock.now()
    call(200)
    await clock.advance(2_000)
    const within = budget.state().history
    await clock.advance(60_000)
    const shown = budget.state().history
    const later = starts.filter((at) => at > 34_000)
    workbook.fail = null
    await clock.advance(1_000)
    const saved = budget.state().history
    await budget.close()
    const used = (await start()).budget.state().fiveMinutes.used
    expect({ within, shown, second: peak(later, 1_000), window: peak(later, 30_000), saved, used }).toEqual({
      within: null,
      shown: { reason: 'disk-full', since },
      second: 10,
      window: 30,
      saved: null,
      used: starts.filter((at) => at > clock.monotonic() - 30_000).length,
    })
  })

  it('leaves people their whole share of the halved window', async () => {
    const { clock, starts, start, workbook } = aHome({ limits: { ...roomy, perSecond: 100 } })
    workbook.fail = unusable('disk-full')
    const { call } = await start()
    call(1, 'interactive')
    call(1_000)
    await clock.advance(20_000)
    const before = starts.length
    call(50, 'interactive')
    await clock.advance(2_000)
    expect([before, starts.length]).toEqual([288, 300])
  })

  it('delays the first call for these two seconds only', async () => {
    const { clock, starts, start, workbook } = aHome()
    workbook.fail = unusable('disk-full')
    const { call } = await start()
    call(1)
    await clock.advance(10_000)
    expect(starts).toEqual([2_250])
  })

  it('is shown without a reason while the disk is slow', async () => {
    const { clock, starts, start, workbook } = aHome()
    const write = workbook.write.bind(workbook)
    let go = (): void => undefined
    workbook.write = (work) => new Promise<void>((resolve) => (go = resolve)).then(() => write(work))
    const { budget, call } = await start()
    const since = clock.now()
    call(1)
    await clock.advance(3_000)
    const slow = budget.state().history
    go()
    await clock.advance(0)
    expect([slow, starts.length]).toEqual([{ reason: null, since }, 1])
  })

  it('keeps a pause and a hold in memory, and stores them later', async () => {
    const { clock, start, workbook } = aHome()
    const first = await start()
    workbook.fail = unusable('disk-full')
    const [untilAt, heldUntilAt] = [clock.now() + 600_000, clock.now() + 3_600_000]
    first.budget.pauseUntil(untilAt)
    first.budget.pauseUntil(heldUntilAt)
    await clock.advance(4_000)
    workbook.fail = null
    await clock.advance(1_000)
    first.kill()
    expect((await start()).budget.state()).toMatchObject({ pausedUntil: untilAt, heldUntilAt })
  })

  it('is stored at the end of the program if possible', async () => {
    const { clock, start, workbook } = aHome()
    const first = await start()
    workbook.fail = unusable('disk-full')
    first.call(12)
    await clock.advance(5_000)
    workbook.fail = null
    await first.budget.close()
    expect((await start()).budget.state().fiveMinutes.used).toBe(12)
  })
})
