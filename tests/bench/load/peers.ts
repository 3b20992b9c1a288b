import Bottleneck from 'bottleneck'
import { RateLimiter } from 'limiter'
import PQueue from 'p-queue'
import pThrottle from 'p-throttle'
import { figures, loads, specified, type Figures, type Load, type Windows } from './loads.ts'
import { within } from './virtual-time.ts'

/**
 * A limiter for both windows, set up as its documentation describes; if it supports only one window, two
 * limiters are chained.
 */
interface Peer {
  readonly name: string
  readonly open: (limits: Windows) => {
    readonly schedule: (start: () => void) => void
    /**
     * null: it cannot be paused; calls that it releases meanwhile are collected, and submitted again after
     * the pause.
     */
    readonly pause: { readonly begin: () => void; readonly end: () => void } | null
  }
}

const peers: readonly Peer[] = [
  {
    name: 'p-queue (strict)',
    open: ({ perSecond, perWindow, windowInMs }) => {
      const long = new PQueue({ intervalCap: perWindow, interval: windowInMs, strict: true })
      const second = new PQueue({ intervalCap: perSecond, interval: 1_000, strict: true })
      return {
        schedule: (start) => void long.add(() => second.add(async () => start())),
        pause: {
          begin: () => {
            long.pause()
            second.pause()
          },
          end: () => {
            long.start()
            second.start()
          },
        },
      }
    },
  },
  {
    name: 'bottleneck (spacing and reservoir)',
    open: ({ perSecond, perWindow, windowInMs }) => {
      const both = new Bottleneck({
        minTime: 1_000 / perSecond,
        reservoir: perWindow,
        reservoirRefreshAmount: perWindow,
        reservoirRefreshInterval: windowInMs,
      })
      return { schedule: (start) => void both.schedule(async () => start()), pause: null }
    },
  },
  {
    name: 'p-throttle (strict)',
    open: ({ perSecond, perWindow, windowInMs }) => {
      const second = pThrottle({ limit: perSecond, interval: 1_000, strict: true })((start: () => void) =>
        start(),
      )
      const long = pThrottle({ limit: perWindow, interval: windowInMs, strict: true })((start: () => void) =>
        second(start),
      )
      return { schedule: (start) => void long(start), pause: null }
    },
  },
  {
    name: 'limiter (token buckets)',
    open: ({ perSecond, perWindow, windowInMs }) => {
      const long = new RateLimiter({ tokensPerInterval: perWindow, interval: windowInMs })
      const second = new RateLimiter({ tokensPerInterval: perSecond, interval: 'second' })
      const placed = async (start: () => void): Promise<void> => {
        await long.removeTokens(1)
        await second.removeTokens(1)
        start()
      }
      return { schedule: (start) => void placed(start), pause: null }
    },
  },
]

const play = (peer: Peer, load: Load, limits: Windows): Promise<readonly number[]> =>
  within(async ({ now, runUntil }) => {
    const starts: number[] = []
    const limiter = peer.open(limits)
    let delayed: (() => void)[] | null = null
    const start = (): void => {
      if (delayed === null) starts.push(now())
      else delayed.push(start)
    }
    const pause = limiter.pause ?? {
      begin: () => void (delayed = []),
      end: () => {
        const waiting = delayed ?? []
        delayed = null
        for (const again of waiting) limiter.schedule(again)
      },
    }
    const moments = [
      ...load.arrivals.map(({ at, count }) => ({
        at,
        act: () => {
          for (let call = 0; call < count; call++) limiter.schedule(start)
        },
      })),
      ...(load.pause === null
        ? []
        : [
            { at: load.pause.at, act: pause.begin },
            { at: load.pause.until, act: pause.end },
          ]),
    ].sort((one, other) => one.at - other.at)
    for (const { at, act } of moments) {
      await runUntil(at)
      act()
    }
    const calls = load.arrivals.reduce((sum, { count }) => sum + count, 0)
    await runUntil(() => starts.length === calls)
    return starts
  })

/** R2's table: the same loads through other limiters. `say` is called with each result. */
export async function peerFigures(say: (line: string) => void): Promise<readonly Figures[]> {
  const rows: Figures[] = []
  for (const load of loads) {
    for (const peer of peers) {
      const row = figures(peer.name, load, specified, await play(peer, load, specified))
      rows.push(row)
      say(`${row.load}: ${row.by} took ${row.seconds} s, ${row.ratio} of the optimum`)
    }
  }
  return rows
}
