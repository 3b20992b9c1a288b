import { describe, expect, it } from 'vitest'
import { lostHistory, openCallBudget, type CallLimits, type Lane } from '../../../electron/core/call-budget/call-budget.ts'
import { DatabaseError, type Clock } from '../../../electron/core/host.ts'
import { openCallHistory } from '../../../electron/core/storage/ledger.ts'
import { FakeClock } from '../../fake-clock.ts'
import { LedgerDatabase } from './ledger-database.ts'
import { peak } from './peak.ts'

const limits: CallLimits = { perSecond: 20, perWindow: 60, windowInMs: 30_000, published: { perSecond: 20, perWindow: 60 } }

/** One home with one ledger; programs start and end on it. */
function aHome(given: { clock?: FakeClock; database?: LedgerDatabase } = {}) {
  const clock = given.clock ?? new FakeClock()
  const database = given.database ?? new LedgerDatabase()
  const starts: number[] = []
  let programs = 0
  const start = async ({ lastUsedAt = null, scope = 'scope-1' }: { lastUsedAt?: number | null; scope?: string } = {}) => {
    // Each program has a monotonic clock of its own, with a zero of its own.
    const zero = clock.monotonic() - ++programs * 1_000_000
    const own: Clock = { now: () => clock.now(), monotonic: () => clock.monotonic() - zero, after: (inMs, fire) => clock.after(inMs, fire) }
    const history = openCallHistory({ database, clock: own, scope, owner: `program-${programs}`, lastUsedAt })
    const budget = await openCallBudget({ clock: own, random: () => 0, history, limits })
    const call = (count: number, lane: Lane = 'refresh') => {
      for (let i = 0; i < count; i++) {
        budget.place({ lane, label: lane, signal: null }).then(
          () => starts.push(clock.monotonic()),
          () => undefined,
        )
      }
    }
    return { budget, call }
  }
  return { clock, database, starts, start }
}

describe('a restart', () => {
  it('finds every start of the window again', async () => {
    const { clock, starts, start } = aHome()
    const first = await start()
    first.call(60)
    await clock.advance(5_000)
    await first.budget.close()
    const second = await start()
    expect(second.budget.state()).toMatchObject({ second: { used: 0 }, fiveMinutes: { used: 60 } })
    second.call(60)
    await clock.advance(40_000)
    expect({ starts: starts.length, second: peak(starts, 1_000), window: peak(starts, 30_000) }).toEqual({ starts: 120, second: 20, window: 60 })
  })

  it('after a kill counts a lease that nobody settled whole, and as late as it could have been used', async () => {
    const { clock, start } = aHome()
    const killed = await start()
    killed.call(1)
    await clock.advance(50)
    killed.call(3)
    await clock.advance(50)
    const second = await start()
    expect(second.budget.state().fiveMinutes.used).toBe(4)
    await clock.advance(30_000)
    expect(second.budget.state().fiveMinutes.used).toBe(3)
    await clock.advance(951)
    expect(second.budget.state().fiveMinutes.used).toBe(0)
  })

  it('keeps a pause that the service told', async () => {
    const { clock, start } = aHome()
    const first = await start()
    const untilAt = clock.now() + 60_000
    first.budget.pauseUntil(untilAt)
    await clock.advance(1_000)
    await first.budget.close()
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it('does not stretch a pause when the wall clock was set back meanwhile', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + 60_000)
    await clock.advance(1_000)
    clock.jumpWall(-86_400_000)
    const { budget } = await start()
    expect(budget.state().pausedUntil).toBe(clock.now() + 60_000)
  })

  it('frees nothing when the wall clock was set back meanwhile', async () => {
    const { clock, starts, start } = aHome()
    const first = await start()
    first.call(60)
    await clock.advance(5_000)
    await first.budget.close()
    clock.jumpWall(-600_000)
    const second = await start()
    second.call(60)
    await clock.advance(60_000)
    expect({ second: peak(starts, 1_000), window: peak(starts, 30_000), starts: starts.length }).toEqual({ second: 20, window: 60, starts: 120 })
  })

  it('goes on after a sleep, during which only the wall clock went on', async () => {
    const { clock, start } = aHome()
    const running = await start()
    clock.jumpWall(3_600_000)
    running.call(10)
    await clock.advance(1_500)
    expect((await start()).budget.state().fiveMinutes.used).toBe(10)
  })
})

describe('two programs under one key', () => {
  it('keep both windows together and both get their turn', async () => {
    const { clock, starts, start } = aHome()
    const app = await start()
    const commandLine = await start()
    app.call(100)
    commandLine.call(100)
    await clock.advance(10_000)
    expect([app.budget.state().waiting, commandLine.budget.state().waiting].every((waiting) => waiting > 0 && waiting < 100)).toBe(true)
    await clock.advance(120_000)
    expect({ starts: starts.length, second: peak(starts, 1_000) <= 20, window: peak(starts, 30_000) <= 60 }).toEqual({
      starts: 200,
      second: true,
      window: true,
    })
  })

  it('share a pause', async () => {
    const { clock, starts, start } = aHome()
    const app = await start()
    const commandLine = await start()
    app.budget.pauseUntil(clock.now() + 10_000)
    await clock.advance(10)
    commandLine.call(1)
    await clock.advance(9_000)
    expect(starts).toEqual([])
  })

  it('with different keys do not share anything', async () => {
    const { clock, start } = aHome()
    const one = await start()
    one.call(60)
    await clock.advance(5_000)
    expect((await start({ scope: 'scope-2' })).budget.state().fiveMinutes.used).toBe(0)
  })
})

it('takes one transaction for up to ten starts', async () => {
  const { clock, database, starts, start } = aHome()
  const { call } = await start()
  call(40)
  await clock.advance(5_000)
  expect({ starts: starts.length, transactions: database.transactions }).toEqual({ starts: 40, transactions: 1 + 4 })
})

describe('a ledger that is lost', () => {
  it('is taken as full windows when the key was used within five minutes', async () => {
    const { clock, starts, start } = aHome()
    const { budget, call } = await start({ lastUsedAt: clock.now() - 10_000 })
    expect(budget.state().fiveMinutes.used).toBe(60)
    call(1)
    await clock.advance(30_000)
    expect(starts).toEqual([])
    await clock.advance(1)
    expect(starts).toHaveLength(1)
  })

  it('is a first use when the key never was, or long ago', async () => {
    const { clock, start } = aHome()
    expect((await start({ lastUsedAt: clock.now() - 30_000 })).budget.state().fiveMinutes.used).toBe(0)
    expect((await start({ scope: 'scope-2' })).budget.state().fiveMinutes.used).toBe(0)
  })

  it('when it cannot be opened means full windows, then half the pace, for others may be as blind', async () => {
    const { clock, database, starts, start } = aHome()
    database.fail = () => new DatabaseError('ledger', 'damaged', 'not a database')
    const { call } = await start()
    call(200)
    await clock.advance(30_000)
    expect(starts).toEqual([])
    await clock.advance(2_000)
    expect({ second: peak(starts, 1_000), some: starts.length > 15 }).toEqual({ second: 10, some: true })
  })

  it('or cannot even be found, is no reason to start at once', async () => {
    const clock = new FakeClock()
    const budget = await openCallBudget({ clock, random: () => 0, history: lostHistory, limits })
    expect(budget.state().fiveMinutes.used).toBe(60)
  })

  it('in the middle of the work means the same', async () => {
    const { clock, database, starts, start } = aHome()
    const { call } = await start()
    call(20)
    await clock.advance(2_000)
    database.fail = () => new DatabaseError('ledger', 'disk-full', 'the disk is full')
    call(20)
    await clock.advance(29_000)
    expect(starts).toHaveLength(20)
    await clock.advance(4_000)
    expect(starts).toHaveLength(40)
  })

  it('is only waited for while another program has it', async () => {
    const { clock, database, starts, start } = aHome()
    const { call } = await start()
    database.fail = () => new DatabaseError('ledger', 'busy', 'the file is busy')
    call(5)
    await clock.advance(500)
    database.fail = null
    await clock.advance(50)
    expect(starts).toHaveLength(5)
  })

  it('is not touched when a newer Headroom wrote it', async () => {
    const { database, start } = aHome()
    await database.write((transaction) => transaction.script('PRAGMA user_version = 99'))
    const { budget } = await start()
    expect(budget.state().fiveMinutes.used).toBe(60)
    expect(await database.read('SELECT name FROM sqlite_schema')).toEqual([])
  })

  it('counts a lease whole whose starts cannot be read', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    first.call(10)
    await clock.advance(1_500)
    await first.budget.close()
    await database.write((transaction) => transaction.run("UPDATE lease SET starts = '[1,'"))
    expect((await start()).budget.state().fiveMinutes.used).toBe(10)
  })
})

it('forgets leases that can no longer count', async () => {
  const { clock, database, start } = aHome()
  const first = await start()
  first.call(30)
  await clock.advance(5_000)
  await first.budget.close()
  await clock.advance(200_000)
  await start()
  expect(await database.read('SELECT count(*) AS count FROM lease')).toEqual([{ count: 0 }])
})
