import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
import { aHome } from './a-home.ts'
import { peak } from './peak.ts'

const minute = 60_000

describe('a restart', () => {
  it('restores every call start of the window', async () => {
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

  it.each([
    ['as made now, if the next run begins within its second', 50, 30_050],
    ['at the latest possible time, if the next run begins later', 5_000, 31_050],
  ])('counts an unreported batch as full after a kill, and %s', async (_, laterInMs, untilAt) => {
    const { clock, start } = aHome()
    const killed = await start()
    killed.call(1)
    await clock.advance(50)
    killed.call(3)
    await clock.advance(laterInMs)
    const { budget } = await start()
    const used = () => budget.state().fiveMinutes.used
    const seen = [used()]
    await clock.advance(untilAt - 51 - laterInMs)
    seen.push(used())
    await clock.advance(51)
    expect([...seen, used()]).toEqual([4, 3, 0])
  })

  it('keeps a pause that the service requested', async () => {
    const { clock, start } = aHome()
    const first = await start()
    const untilAt = clock.now() + minute
    first.budget.pauseUntil(untilAt)
    await clock.advance(1_000)
    await first.budget.close()
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it('does not extend an earlier pause', async () => {
    const { clock, start } = aHome()
    const first = await start()
    const untilAt = clock.now() + minute
    first.budget.pauseUntil(untilAt)
    await clock.advance(0)
    first.budget.pauseUntil(clock.now() + 1_000)
    await clock.advance(0)
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it('forgets only batches that no longer count', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    first.call(30)
    await clock.advance(5_000)
    await first.budget.close()
    await clock.advance(140_000)
    const rows = async () => (await database.query('SELECT count(*) AS rows FROM call_batch'))[0]?.['rows']
    const second = await start()
    second.call(1)
    await clock.advance(0)
    expect(await rows()).toBe(3 + 1)
    await clock.advance(10_010)
    const third = await start()
    third.call(1)
    await clock.advance(0)
    expect(await rows()).toBe(2)
  })
})

describe('a wall clock change while the computer runs', () => {
  it.each([
    ['back', -600_000],
    ['forward', 600_000],
  ])('%s frees nothing at a restart', async (_, byInMs) => {
    const { clock, starts, start } = aHome()
    const first = await start()
    first.call(60)
    await clock.advance(5_000)
    await first.budget.close()
    clock.jumpWall(byInMs)
    const second = await start()
    second.call(60)
    await clock.advance(60_000)
    expect({ second: peak(starts, 1_000), window: peak(starts, 30_000), starts: starts.length }).toEqual({
      second: 20,
      window: 60,
      starts: 120,
    })
  })

  it.each([
    ['back', -3_000],
    ['forward', 3_000],
  ])('%s frees nothing over many restarts and kills', async (_, byInMs) => {
    const { clock, starts, start } = aHome()
    let program = await start()
    for (let round = 0; round < 20; round++) {
      program.call(10)
      await clock.advance(1_500)
      clock.jumpWall(round === 5 ? byInMs : 0)
      if (round % 2 === 0) await program.budget.close()
      else program.kill()
      program = await start()
    }
    await clock.advance(300_000)
    expect({
      second: peak(starts, 1_000) <= 20,
      window: peak(starts, 30_000) <= 60,
      some: starts.length >= 60,
    }).toEqual({ second: true, window: true, some: true })
  })

  it.each([
    ['back', -86_400_000],
    ['forward', 86_400_000],
  ])('%s neither stretches nor ends a pause', async (_, byInMs) => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(1_000)
    clock.jumpWall(byInMs)
    const { budget } = await start()
    const pausedUntil = budget.state().pausedUntil! - clock.now()
    expect(pausedUntil).toBeGreaterThanOrEqual(59_000)
    expect(pausedUntil).toBeLessThanOrEqual(60_000)
  })

  it('does not affect a program that continued after sleep', async () => {
    const { clock, start } = aHome()
    const running = await start()
    clock.sleep(3_600_000)
    running.call(10)
    await clock.advance(1_500)
    expect((await start()).budget.state().fiveMinutes.used).toBe(10)
  })

  it('ends a pause after a longer sleep', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(0)
    clock.sleep(minute)
    expect((await start()).budget.state().pausedUntil).toBe(null)
  })
})

describe('after a reboot of the computer', () => {
  it('trusts the wall clock', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.call(30)
    await clock.advance(5_000)
    await first.budget.close()
    clock.reboot(20_000)
    expect((await start()).budget.state().fiveMinutes.used).toBe(30)
    await clock.advance(10_000)
    expect((await start()).budget.state().fiveMinutes.used).toBe(0)
  })

  it('counts all calls as made now if the wall clock is before the last start, and lets them age over later runs', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.call(30)
    await clock.advance(5_000)
    await first.budget.close()
    clock.reboot(20_000)
    clock.jumpWall(-600_000)
    expect((await start()).budget.state().fiveMinutes.used).toBe(30)
    await clock.advance(29_999)
    expect((await start()).budget.state().fiveMinutes.used).toBe(30)
    await clock.advance(10)
    expect((await start()).budget.state().fiveMinutes.used).toBe(0)
  })

  it('limits a pause to its requested length', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(1_000)
    clock.reboot(20_000)
    expect((await start()).budget.state().pausedUntil).toBe(clock.now() + 39_000)
    clock.jumpWall(-86_400_000)
    expect((await start()).budget.state().pausedUntil).toBe(clock.now() + minute)
  })

  it('detects a reboot by an uptime shorter than the stored one when the system reports no boot id', async () => {
    const clock = new (class extends FakeClock {
      override get boot(): never {
        return null as never
      }
    })()
    const { start } = aHome({ clock })
    await clock.advance(3_600_000)
    const first = await start()
    first.call(30)
    await clock.advance(5_000)
    await first.budget.close()
    clock.reboot(60_000)
    expect((await start()).budget.state().fiveMinutes.used).toBe(0)
  })
})

it('shares nothing between subscriptions', async () => {
  const { clock, start } = aHome()
  const one = await start()
  one.call(60)
  one.budget.pauseUntil(clock.now() + minute)
  await clock.advance(5_000)
  expect((await start({ scope: 'scope-2' })).budget.state()).toMatchObject({
    fiveMinutes: { used: 0 },
    pausedUntil: null,
  })
})

it('uses one transaction for up to ten starts', async () => {
  const { clock, database, starts, start } = aHome()
  const { call } = await start()
  call(40)
  await clock.advance(5_000)
  expect({ starts: starts.length, transactions: database.transactions }).toEqual({
    starts: 40,
    transactions: 4,
  })
})

it('counts a batch with unreadable starts as full', async () => {
  const { clock, database, start } = aHome()
  const first = await start()
  first.call(10)
  await clock.advance(1_500)
  await first.budget.close()
  await database.write((transaction) => transaction.run("UPDATE call_batch SET starts = '[1,'"))
  expect((await start()).budget.state().fiveMinutes.used).toBe(10)
})
