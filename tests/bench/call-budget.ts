import { managementLimits, openCallBudget, type CallLimits } from '../../electron/core/call-budget/call-budget.ts'
import type { Cancel, Clock } from '../../electron/core/host.ts'
import { peak } from '../core/call-budget/peak.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** A clock that jumps from timer to timer; one timer at a time is all a budget has. */
class JumpingClock implements Clock {
  #time = 0
  #timers: Timer[] = []
  now(): number {
    return Date.UTC(2026, 10, 21) + Math.floor(this.#time)
  }
  monotonic(): number {
    return this.#time
  }
  after(inMs: number, fire: () => void): Cancel {
    const timer = { at: this.#time + Math.max(0, inMs), fire }
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer))
  }
  runUntil(end: number): void {
    for (;;) {
      const next = this.#timers.reduce<Timer | null>((first, timer) => (timer.at <= end && (!first || timer.at < first.at) ? timer : first), null)
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#time = Math.max(this.#time, next.at)
      next.fire()
    }
    this.#time = end
  }
}

interface Load {
  readonly name: string
  readonly arrivals: readonly { readonly at: number; readonly count: number }[]
  readonly pause: { readonly at: number; readonly until: number } | null
}

const loads: readonly Load[] = [
  { name: '25,000 at once', arrivals: [{ at: 0, count: 25_000 }], pause: null },
  {
    name: '10, then 20,000 at 190 s',
    arrivals: [
      { at: 0, count: 10 },
      { at: 190_000, count: 20_000 },
    ],
    pause: null,
  },
  { name: '20,000 with a pause of 249 s after 1 s', arrivals: [{ at: 0, count: 20_000 }], pause: { at: 1_000, until: 250_000 } },
]

const published: CallLimits = { perSecond: 100, perWindow: 10_000, windowInMs: 300_000, published: { perSecond: 100, perWindow: 10_000 } }

/** The shortest time these limits allow: every call as soon as half-open windows let it go. Milliseconds until the last start. */
function optimum(load: Load, limits: CallLimits): number {
  const starts: number[] = []
  for (const { at, count } of load.arrivals) {
    for (let i = 0; i < count; i++) {
      const second = starts.at(-limits.perSecond) ?? -Infinity
      const window = starts.at(-limits.perWindow) ?? -Infinity
      const free = Math.max(at, second + 1_000, window + limits.windowInMs)
      starts.push(load.pause && free >= load.pause.at && free < load.pause.until ? load.pause.until : free)
    }
  }
  return starts.at(-1)!
}

async function play(load: Load, limits: CallLimits) {
  const clock = new JumpingClock()
  const budget = await openCallBudget({ clock, random: () => 0, history: null, limits })
  const starts: number[] = []
  const placed: Promise<void>[] = []
  const moments = [...load.arrivals.map(({ at, count }) => ({ at, count })), ...(load.pause ? [{ at: load.pause.at, count: 0 }] : [])].sort(
    (a, b) => a.at - b.at,
  )
  // What starts is read off the state, for promises settle only when the clock rests.
  let waiting = 0
  const note = (arrived: number) => {
    const left = budget.state().waiting
    for (let i = 0; i < waiting + arrived - left; i++) starts.push(clock.monotonic())
    waiting = left
  }
  for (const { at, count } of moments) {
    while (waiting > 0 && clock.monotonic() < at) {
      clock.runUntil(clock.monotonic() + 1)
      note(0)
    }
    clock.runUntil(at)
    if (load.pause && count === 0) budget.pauseUntil(clock.now() + load.pause.until - at)
    for (let i = 0; i < count; i++) placed.push(budget.place({ lane: 'refresh', label: 'load', signal: null }))
    note(count)
  }
  while (waiting > 0) {
    clock.runUntil(clock.monotonic() + 1)
    note(0)
  }
  await Promise.all(placed)
  await budget.close()
  return starts
}

/** Nanoseconds one decision costs while so many calls wait: the median of many measured batches. */
async function decisionCost(waiting: number): Promise<number> {
  const clock = new JumpingClock()
  const limits: CallLimits = { perSecond: 1_000, perWindow: 300_000, windowInMs: 300_000, published: { perSecond: 1_000, perWindow: 300_000 } }
  const budget = await openCallBudget({ clock, random: () => 0, history: null, limits })
  const ask = () => void budget.place({ lane: 'refresh', label: 'bench', signal: null }).catch(() => undefined)
  // First a full second, so that every decision measured is one of a busy budget.
  for (let i = 0; i < waiting + limits.perSecond; i++) ask()
  while (budget.state().waiting > waiting) clock.runUntil(clock.monotonic() + 1)
  const samples: number[] = []
  for (let batch = 0; batch < 300; batch++) {
    const before = budget.state().waiting
    const begin = process.hrtime.bigint()
    clock.runUntil(clock.monotonic() + 15)
    const took = Number(process.hrtime.bigint() - begin)
    const decided = before - budget.state().waiting
    if (decided > 0) samples.push(took / decided)
    for (let i = 0; i < decided; i++) ask()
    await Promise.resolve()
  }
  await budget.close()
  return samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)]!
}

/** R1, R2 and R11 as figures: peaks per window, time against the optimum, cost of a decision. */
export async function run(): Promise<object> {
  const rows = []
  for (const limits of [published, managementLimits]) {
    for (const load of loads) {
      const starts = await play(load, limits)
      const shortest = optimum(load, limits)
      rows.push({
        load: load.name,
        limits: `${limits.perSecond}/s, ${limits.perWindow}/5 min`,
        peakPerSecond: peak(starts, 999),
        peakPerFiveMinutes: peak(starts, 299_999),
        seconds: Math.round(starts.at(-1)! / 100) / 10,
        optimumSeconds: Math.round(shortest / 100) / 10,
        ratio: Math.round((starts.at(-1)! / shortest) * 1_000) / 1_000,
      })
    }
  }
  // In turns, and the middle one of each: neither pays for warming up or for what else the machine does.
  const costs: { few: number; many: number }[] = []
  for (let round = 0; round < 7; round++) costs.push({ few: await decisionCost(20), many: await decisionCost(20_000) })
  const middle = (which: 'few' | 'many') => costs.map((cost) => cost[which]).sort((x, y) => x - y)[3]!
  const [few, many] = [middle('few'), middle('many')]
  return { loads: rows, decision: { nanosecondsAt20: Math.round(few), nanosecondsAt20000: Math.round(many), ratio: Math.round((many / few) * 100) / 100 } }
}
