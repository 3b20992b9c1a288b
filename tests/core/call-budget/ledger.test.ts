import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
import { aHome } from './a-home.ts'
import { peak } from './peak.ts'

const minute = 60_000

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
    expect({ starts: starts.length, second: peak(starts, 1_000), window: peak(starts, 30_000) }).toEqual({
      starts: 120,
      second: 20,
      window: 60,
    })
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
    const untilAt = clock.now() + minute
    first.budget.pauseUntil(untilAt)
    await clock.advance(1_000)
    await first.budget.close()
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it('does not make an earlier pause of a later one', async () => {
    const { clock, start } = aHome()
    const first = await start()
    const untilAt = clock.now() + minute
    first.budget.pauseUntil(untilAt)
    await clock.advance(0)
    first.budget.pauseUntil(clock.now() + 1_000)
    await clock.advance(0)
    expect((await start()).budget.state().pausedUntil).toBe(untilAt)
  })

  it('forgets leases that can no longer count, and no others', async () => {
    const { clock, database, start } = aHome()
    const first = await start()
    first.call(30)
    await clock.advance(5_000)
    await first.budget.close()
    await clock.advance(140_000)
    const rows = async () => (await database.read('SELECT count(*) AS rows FROM lease'))[0]?.['rows']
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

describe('a wall clock that is set while the computer runs', () => {
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
  ])(
    '%s frees nothing where one program starts anew beside another one that has a lease',
    async (_, byInMs) => {
      const { clock, starts, start } = aHome()
      const running = await start()
      let restarted = await start()
      for (let round = 0; round < 20; round++) {
        running.call(10)
        restarted.call(10)
        await clock.advance(150)
        clock.jumpWall(round === 5 ? byInMs : 0)
        if (round % 3 === 0) {
          await restarted.budget.close()
          restarted = await start()
        }
      }
      await clock.advance(300_000)
      expect({
        second: peak(starts, 1_000) <= 20,
        window: peak(starts, 30_000) <= 60,
        some: starts.length > 150,
      }).toEqual({
        second: true,
        window: true,
        some: true,
      })
    },
  )

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

  it('does not matter to a program that went on after a sleep', async () => {
    const { clock, start } = aHome()
    const running = await start()
    clock.sleep(3_600_000)
    running.call(10)
    await clock.advance(1_500)
    expect((await start()).budget.state().fiveMinutes.used).toBe(10)
  })

  it('a pause is over after a sleep that was longer', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(0)
    clock.sleep(minute)
    expect((await start()).budget.state().pausedUntil).toBe(null)
  })
})

describe('after another start of the computer', () => {
  it('the wall clock is believed', async () => {
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

  it('unless it stands before the last start: then all of it counts as of now, and ages from there over further runs', async () => {
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

  it('a pause lasts no longer than was told', async () => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + minute)
    await clock.advance(1_000)
    clock.reboot(20_000)
    expect((await start()).budget.state().pausedUntil).toBe(clock.now() + 39_000)
    clock.jumpWall(-86_400_000)
    expect((await start()).budget.state().pausedUntil).toBe(clock.now() + minute)
  })

  it('where the system names no start, a time before the one in the row tells it', async () => {
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

describe('two programs under one key', () => {
  it('keep both windows together and both get their turn', async () => {
    const { clock, starts, start } = aHome()
    const app = await start()
    const commandLine = await start()
    app.call(100)
    commandLine.call(100)
    await clock.advance(10_000)
    expect(
      [app.budget.state().waiting, commandLine.budget.state().waiting].every(
        (waiting) => waiting > 0 && waiting < 100,
      ),
    ).toBe(true)
    await clock.advance(120_000)
    expect({
      starts: starts.length,
      second: peak(starts, 1_000) <= 20,
      window: peak(starts, 30_000) <= 60,
    }).toEqual({
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
    one.budget.pauseUntil(clock.now() + minute)
    await clock.advance(5_000)
    expect((await start({ scope: 'scope-2' })).budget.state()).toMatchObject({
      fiveMinutes: { used: 0 },
      pausedUntil: null,
    })
  })
})

it('takes one transaction for up to ten starts', async () => {
  const { clock, database, starts, start } = aHome()
  const { call } = await start()
  call(40)
  await clock.advance(5_000)
  expect({ starts: starts.length, transactions: database.transactions }).toEqual({
    starts: 40,
    transactions: 1 + 4,
  })
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

it('leases no more starts than the window has room for beside what others have leased', async () => {
  const { clock, database, start } = aHome()
  const [first, second] = [await start(), await start()]
  first.call(52)
  await clock.advance(6_000)
  first.call(4)
  await clock.advance(0)
  second.call(10)
  await clock.advance(0)
  const [row] = await database.read('SELECT sum(count) AS leased FROM lease WHERE starts IS NULL')
  expect(row?.['leased']).toBe(60 - 52)
})
