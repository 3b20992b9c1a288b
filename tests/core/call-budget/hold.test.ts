import { describe, expect, it } from 'vitest'
import type { Failed } from '../../../electron/contract/failure.ts'
import { aHome } from './a-home.ts'

const minute = 60_000
const hour = 60 * minute

describe('a wait longer than a quarter of an hour', () => {
  it('fails every waiting call at once, and every later one, until its end', async () => {
    const { clock, start } = aHome()
    const { budget } = await start()
    const place = () =>
      budget.place({ lane: 'interactive', label: 'GetRoom', signal: null }).then(
        () => 'placed',
        (error: unknown) => (error as Failed).failure,
      )
    budget.pauseUntil(clock.now() + minute)
    const waited = place()
    const untilAt = clock.now() + hour
    budget.pauseUntil(untilAt)
    const failure = { kind: 'rate-limited', call: { operation: 'GetRoom', host: null }, untilAt, held: true }
    const during = [await waited, await place()]
    await clock.advance(hour + 1_000)
    const after = place()
    await clock.advance(0)
    expect({ during, state: budget.state().heldUntilAt, after: await after }).toEqual({
      during: [failure, failure],
      state: null,
      after: 'placed',
    })
  })

  it.each([
    ['exactly a quarter of an hour is a pause', 15 * minute, { paused: true, held: false }],
    ['a millisecond more is a hold', 15 * minute + 1, { paused: false, held: true }],
  ])('%s', async (_, forInMs, expected) => {
    const { clock, start } = aHome()
    const { budget } = await start()
    budget.pauseUntil(clock.now() + forInMs)
    const { pausedUntil, heldUntilAt } = budget.state()
    expect({ paused: pausedUntil !== null, held: heldUntilAt !== null }).toEqual(expected)
  })

  it.each([
    ['a millisecond earlier', 2 * hour - 1, 2 * hour],
    ['an hour earlier', hour, 2 * hour],
    ['a millisecond later', 2 * hour + 1, 2 * hour + 1],
  ])(
    'keeps the later of two holds when the second is %s, across a restart',
    async (_, secondInMs, expected) => {
      const { clock, start } = aHome()
      const { budget } = await start()
      const now = clock.now()
      budget.pauseUntil(now + 2 * hour)
      budget.pauseUntil(now + secondInMs)
      await clock.advance(0)
      expect([budget.state().heldUntilAt, (await start()).budget.state().heldUntilAt]).toEqual([
        now + expected,
        now + expected,
      ])
    },
  )

  it.each([
    ['a restart', 0, 24 * hour - 1_000],
    ['a restart an hour later', hour, 23 * hour - 1_000],
    ['a clock set back, for its length at most', -48 * hour, 24 * hour],
    ['a clock set forward, which ends it', 48 * hour, null],
  ])('survives %s', async (_, byInMs, leftInMs) => {
    const { clock, start } = aHome()
    const first = await start()
    first.budget.pauseUntil(clock.now() + 24 * hour)
    await clock.advance(1_000)
    first.kill()
    clock.jumpWall(byInMs)
    expect((await start()).budget.state().heldUntilAt).toBe(leftInMs === null ? null : clock.now() + leftInMs)
  })

  it('ends when the computer slept past its end', async () => {
    const { clock, start } = aHome()
    const { budget } = await start()
    budget.pauseUntil(clock.now() + 24 * hour)
    clock.sleep(24 * hour + 1_000)
    expect(budget.state().heldUntilAt).toBe(null)
  })

  it('prevents every call after a kill', async () => {
    const { clock, starts, start } = aHome()
    const killed = await start()
    killed.budget.pauseUntil(clock.now() + hour)
    await clock.advance(10)
    killed.kill()
    const { budget, call } = await start()
    call(3)
    await clock.advance(10)
    const { waiting, heldUntilAt } = budget.state()
    expect({ starts, waiting, held: heldUntilAt !== null }).toEqual({ starts: [], waiting: 0, held: true })
  })

  it('reports its end within seconds, also when the computer slept past it', async () => {
    const { clock, start } = aHome()
    const { budget } = await start()
    budget.pauseUntil(clock.now() + hour)
    await clock.advance(10_000)
    const reported: (number | null)[] = []
    budget.onChange(() => reported.push(budget.state().heldUntilAt))
    clock.sleep(hour)
    await clock.advance(6_000)
    expect(reported).toEqual([null])
  })
})

describe('the one requested call', () => {
  it('passes, and is counted', async () => {
    const { clock, starts, start } = aHome()
    const { budget, call } = await start()
    budget.pauseUntil(clock.now() + hour)
    call(1, 'interactive', 'hold')
    await clock.advance(0)
    expect({ starts: starts.length, used: budget.state().fiveMinutes.used }).toEqual({ starts: 1, used: 1 })
  })

  it('goes although the hold is lengthened while it waits', async () => {
    const { clock, starts, start } = aHome()
    const { budget, call } = await start()
    budget.pauseUntil(clock.now() + hour)
    call(1, 'interactive', 'hold')
    budget.pauseUntil(clock.now() + 2 * hour)
    await clock.advance(0)
    expect([starts.length, budget.state().heldUntilAt]).toEqual([1, clock.now() + 2 * hour])
  })

  it.each([
    ['nothing more', null, null],
    ['a shorter time', 30 * minute, 30 * minute],
    ['a time short enough for a pause', minute, minute],
    ['a longer time', 3 * hour, 3 * hour],
  ])('replaces the hold when it receives %s, across a restart', async (_, forInMs, expected) => {
    const { clock, start } = aHome()
    const { budget } = await start()
    budget.pauseUntil(clock.now() + hour)
    budget.renewHold(forInMs === null ? null : clock.now() + forInMs)
    await clock.advance(0)
    const until = expected === null ? null : clock.now() + expected
    expect([budget.state().heldUntilAt, (await start()).budget.state().heldUntilAt]).toEqual([until, until])
  })
})
