import { describe, expect, it } from 'vitest'
import { type Failed, type Failure } from '../../../electron/contract/failure.ts'
import {
  belowPublished,
  openCallBudget,
  waitingAtMost,
  type CallBudget,
  type CallLimits,
  type Lane,
  type Parallel,
  type Place,
} from '../../../electron/core/call-budget/call-budget.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { peak } from './peak.ts'

const published: CallLimits = {
  perSecond: 100,
  perWindow: 10_000,
  windowInMs: 300_000,
  published: { perSecond: 100, perWindow: 10_000 },
}
const small: CallLimits = {
  perSecond: 4,
  perWindow: 10,
  windowInMs: 5_000,
  published: { perSecond: 5, perWindow: 12 },
}

async function aBudget(limits?: CallLimits, parallel?: Parallel) {
  const clock = new FakeClock()
  const budget = await openCallBudget({
    clock,
    random: () => 0,
    history: null,
    ...(limits && { limits }),
    ...(parallel && { parallel }),
  })
  const starts: number[] = []
  const labels: string[] = []
  const places: Place[] = []
  const failures: Failure[] = []
  const call = (
    count: number,
    lane: Lane = 'refresh',
    label: string = lane,
    signal: AbortSignal | null = null,
  ) => {
    for (let i = 0; i < count; i++) {
      budget.place({ lane, label, signal }).then(
        (place) => {
          starts.push(clock.monotonic())
          labels.push(label)
          places.push(place)
        },
        (error: unknown) => failures.push((error as Failed).failure),
      )
    }
  }
  return { clock, budget, starts, labels, places, failures, call }
}

describe('both windows, for three loads that two separate limiters would handle wrongly', () => {
  it.each([
    ['at the published limits', published],
    ['at the rate that Headroom uses', undefined],
  ])('25,000 calls at once, %s', async (_, limits) => {
    const { clock, starts, call } = await aBudget(limits)
    call(25_000)
    await clock.advance(720_000)
    expect({
      starts: starts.length,
      second: peak(starts, 1_000) <= 100,
      fiveMinutes: peak(starts, 300_000) <= 10_000,
    }).toEqual({
      starts: 25_000,
      second: true,
      fiveMinutes: true,
    })
  })

  it('10 calls, then 20,000 at 190 seconds', async () => {
    const { clock, starts, call } = await aBudget(published)
    call(10)
    await clock.advance(190_000)
    call(20_000)
    await clock.advance(620_000)
    expect({
      starts: starts.length,
      second: peak(starts, 1_000),
      fiveMinutes: peak(starts, 300_000),
    }).toEqual({
      starts: 20_010,
      second: 100,
      fiveMinutes: 10_000,
    })
  })

  it('20,000 calls with a pause of 249 seconds after the first second', async () => {
    const { clock, budget, starts, call } = await aBudget(published)
    call(20_000)
    await clock.advance(1_000)
    budget.pauseUntil(clock.now() + 249_000)
    await clock.advance(700_000)
    expect({
      starts: starts.length,
      second: peak(starts, 1_000),
      fiveMinutes: peak(starts, 300_000),
    }).toEqual({
      starts: 20_000,
      second: 100,
      fiveMinutes: 10_000,
    })
  })
})

describe('the order of calls', () => {
  it('follows priority when nothing has waited long', async () => {
    const { clock, labels, call } = await aBudget(small)
    call(2, 'bulk', 'first')
    await clock.advance(0)
    call(2, 'bulk')
    call(2, 'refresh')
    call(1, 'write')
    call(1, 'interactive')
    await clock.advance(4_000)
    expect(labels.slice(2)).toEqual(['interactive', 'write', 'refresh', 'refresh', 'bulk', 'bulk'])
  })

  it('lets the longest waiting call through although calls of higher priority keep coming', async () => {
    const { clock, labels, call } = await aBudget({
      perSecond: 4,
      perWindow: 10_000,
      windowInMs: 300_000,
      published: { perSecond: 4, perWindow: 10_000 },
    })
    call(3, 'bulk')
    for (let second = 0; second < 30; second++) {
      call(6, 'interactive')
      await clock.advance(1_000)
    }
    expect(labels.filter((label) => label === 'bulk')).toHaveLength(3)
  })

  it.each(['bulk', 'refresh'] as const)(
    'reserves part of the long window for people while a fleet is read (%s)',
    async (lane) => {
      const { clock, labels, call } = await aBudget({
        perSecond: 100,
        perWindow: 100,
        windowInMs: 60_000,
        published: { perSecond: 100, perWindow: 100 },
      })
      call(1, 'interactive')
      call(500, lane)
      await clock.advance(5_000)
      expect(labels).toHaveLength(98)
      call(2, 'interactive')
      await clock.advance(50)
      expect(labels.slice(98)).toEqual(['interactive', 'interactive'])
    },
  )

  it('starts the first half of an idle second at once and spreads the rest', async () => {
    const { clock, starts, call } = await aBudget()
    call(95)
    await clock.advance(0)
    expect(starts).toHaveLength(47 + 3)
    await clock.advance(500)
    expect(starts).toHaveLength(95)
  })
})

describe('cancelling', () => {
  it('works for every waiting call, and the others move up', async () => {
    const { clock, starts, failures, call, budget } = await aBudget(small)
    const controller = new AbortController()
    call(4)
    call(3, 'refresh', 'left', controller.signal)
    call(2, 'refresh', 'stayed')
    await settle()
    controller.abort()
    await clock.advance(5_000)
    expect({ starts: starts.length, failures, waiting: budget.state().waiting }).toEqual({
      starts: 6,
      failures: [{ kind: 'cancelled' }, { kind: 'cancelled' }, { kind: 'cancelled' }],
      waiting: 0,
    })
  })

  it('does not count a call that was already cancelled', async () => {
    const { budget, failures, call } = await aBudget(small)
    call(1, 'interactive', 'late', AbortSignal.abort())
    await settle()
    expect({ failures, used: budget.state().second.used }).toEqual({
      failures: [{ kind: 'cancelled' }],
      used: 0,
    })
  })

  it('ends every waiting call when the budget closes', async () => {
    const { budget, failures, call } = await aBudget(small)
    call(6)
    await budget.close()
    call(1)
    await settle()
    expect(failures).toEqual([
      { kind: 'cancelled' },
      { kind: 'cancelled' },
      { kind: 'cancelled' },
      { kind: 'cancelled' },
      { kind: 'cancelled' },
    ])
  })
})

it('accepts no more calls than its limit and reports how many wait', async () => {
  const { budget, failures, call } = await aBudget(small)
  call(waitingAtMost + 2)
  await settle()
  expect({ failures, waiting: budget.state().waiting }).toEqual({ failures: [], waiting: waitingAtMost })
  call(1)
  await settle()
  expect(failures).toEqual([{ kind: 'too-busy', waiting: waitingAtMost }])
})

describe('a pause', () => {
  it('holds everything; a later one extends it, an earlier one does not shorten it', async () => {
    const { clock, budget, starts, call } = await aBudget(small)
    const begin = clock.now()
    budget.pauseUntil(begin + 10_000)
    budget.pauseUntil(begin + 20_000)
    budget.pauseUntil(begin + 5_000)
    call(1, 'interactive')
    await clock.advance(19_999)
    expect({ starts, state: budget.state() }).toEqual({
      starts: [],
      state: {
        second: { used: 0, limit: 5 },
        fiveMinutes: { used: 0, limit: 12 },
        waiting: 1,
        pausedUntil: begin + 20_000,
        heldUntilAt: null,
        waitReason: 'paused',
        history: null,
      },
    })
    await clock.advance(1)
    expect({ starts, pausedUntil: budget.state().pausedUntil }).toEqual({
      starts: [20_000],
      pausedUntil: null,
    })
  })

  it('is not shortened by setting the wall clock forward', async () => {
    const { clock, budget, starts, call } = await aBudget(small)
    budget.pauseUntil(clock.now() + 10_000)
    clock.jumpWall(3_600_000)
    call(1)
    await clock.advance(9_999)
    expect(starts).toEqual([])
  })

  it('ends up to a quarter of a second later, at random', async () => {
    const clock = new FakeClock()
    const budget = await openCallBudget({ clock, random: () => 0.5, history: null, limits: small })
    let startedAt: number | null = null
    budget.pauseUntil(clock.now() + 1_000)
    void budget
      .place({ lane: 'interactive', label: 'x', signal: null })
      .then(() => (startedAt = clock.monotonic()))
    await clock.advance(2_000)
    expect(startedAt).toBe(1_125)
  })
})

describe('after an unexpected 429', () => {
  const startsInTheNextSeconds = async (clock: FakeClock, starts: number[], seconds: number) => {
    const before = starts.length
    await clock.advance(seconds * 1_000)
    return Math.round((starts.length - before) / seconds)
  }

  it.each<[string, number, boolean, number, number | undefined]>([
    ['by the limit of a second', 1_000, true, 3, 5],
    ['by the limit of five minutes', 4_000, true, 3, 9],
    ['unless the pause came without a 429', 4_000, false, 3, undefined],
    ['unless the own calls use the limit up', 4_000, true, 10, undefined],
  ])('tells about how many calls others made, %s', async (_, waitInMs, limited, own, byOthers) => {
    const { clock, budget, call, places } = await aBudget(small)
    call(own)
    await clock.advance(3_500)
    for (const place of places) place.ended()
    budget.pauseUntil(clock.now() + waitInMs, limited)
    const during = budget.state().byOthers
    await clock.advance(waitInMs + 1)
    expect([places.length, during, budget.state().byOthers]).toEqual([own, byOthers, undefined])
  })

  it('reduces the pace by 0.7 once for many responses of one second, and recovers within about a minute', async () => {
    const { clock, budget, starts, call } = await aBudget({
      perSecond: 100,
      perWindow: 100_000,
      windowInMs: 300_000,
      published: { perSecond: 100, perWindow: 100_000 },
    })
    call(20_000)
    await clock.advance(5_000)
    for (let i = 0; i < 20; i++) budget.slowDown()
    const slow = await startsInTheNextSeconds(clock, starts, 2)
    await clock.advance(60_000)
    const recovered = await startsInTheNextSeconds(clock, starts, 2)
    // 100 starts in 1.06 s are 94 a second; starts before the 429 still count in the first of the slow seconds.
    expect([slow, recovered]).toEqual([57, 94])
  })

  it('never falls under a tenth of the pace', async () => {
    const { clock, budget, starts, call } = await aBudget({
      perSecond: 100,
      perWindow: 100_000,
      windowInMs: 300_000,
      published: { perSecond: 100, perWindow: 100_000 },
    })
    for (let i = 0; i < 30; i++) {
      budget.slowDown()
      await clock.advance(1_000)
    }
    call(1_000)
    await clock.advance(1_000)
    expect(await startsInTheNextSeconds(clock, starts, 2)).toBeGreaterThanOrEqual(10)
  })
})

describe('the reported use', () => {
  it('is the true use against the published limits, with the reason why the next call waits', async () => {
    const { budget, call, clock } = await aBudget(small)
    call(6)
    await clock.advance(1_000)
    expect(budget.state()).toEqual({
      second: { used: 2, limit: 5 },
      fiveMinutes: { used: 4, limit: 12 },
      waiting: 2,
      pausedUntil: null,
      heldUntilAt: null,
      waitReason: 'second-window',
      history: null,
    })
    call(6)
    await clock.advance(3_000)
    expect(budget.state()).toMatchObject({
      fiveMinutes: { used: 10, limit: 12 },
      waiting: 2,
      waitReason: 'five-minute-window',
    })
  })

  it('is emitted at most ten times a second, and not after the subscription ended', async () => {
    const { budget, call, clock } = await aBudget()
    let emitted = 0
    const end = budget.onChange(() => emitted++)
    call(2_000)
    await clock.advance(10_000)
    expect(emitted).toBeGreaterThan(50)
    expect(emitted).toBeLessThanOrEqual(101)
    end()
    const before = emitted
    await clock.advance(10_000)
    expect(emitted).toBe(before)
  })
})

it('limits the calls in flight when configured', async () => {
  const { clock, budget, starts, places, call } = await aBudget(undefined, { reads: 3, writes: 0 })
  call(5)
  await clock.advance(1_000)
  expect({ starts: starts.length, reason: budget.state().waitReason }).toEqual({
    starts: 3,
    reason: 'concurrency',
  })
  places[0]!.ended()
  places[0]!.ended()
  await clock.advance(1_000)
  expect(starts).toHaveLength(4)
})

it.each([
  [{ perSecond: 100, perWindow: 10_000, windowInMs: 300_000 }, 95, 9_500],
  [{ perSecond: 20, perWindow: 300, windowInMs: 30_000 }, 19, 285],
  [{ perSecond: 3, perWindow: 10, windowInMs: 1_000 }, 2, 9],
  [{ perSecond: 1, perWindow: 1, windowInMs: 1_000 }, 1, 1],
])('keeps a margin below published limits: %o', (limits, perSecond, perWindow) => {
  expect(belowPublished(limits)).toEqual({
    perSecond,
    perWindow,
    windowInMs: limits.windowInMs,
    published: { perSecond: limits.perSecond, perWindow: limits.perWindow },
  })
})

it('is the same for every caller of the interface', async () => {
  const { budget } = await aBudget()
  const face: CallBudget = budget
  await face.place({ lane: 'write', label: 'RebootRoom', signal: null })
  expect(face.state().second).toEqual({ used: 1, limit: 100 })
})

it('a call counts when it is dispatched, also if something was awaited before', async () => {
  const limits = { perSecond: 20, perWindow: 200, windowInMs: 12_000 }
  const { clock, budget } = await aBudget({ ...limits, published: limits }, { reads: 64, writes: 64 })
  const sent: number[] = []
  for (let i = 0; i < 600; i++)
    void budget.place({ lane: 'write', label: 'write', signal: null, writes: true }).then((place) =>
      clock.after(i % 3 === 0 ? (i * 137) % 900 : 0, () => {
        place.dispatched()
        sent.push(clock.monotonic())
        place.ended()
      }),
    )
  await clock.advance(60_000)
  expect([sent.length, peak(sent, 1_000) <= 20, peak(sent, 12_000) <= 200]).toEqual([600, true, true])
})
