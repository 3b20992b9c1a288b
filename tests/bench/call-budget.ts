import {
  managementLimits,
  openCallBudget,
  type CallLimits,
} from '../../electron/core/call-budget/call-budget.ts'
import type { Cancel, Clock } from '../../electron/core/platform.ts'
import { figures, loads, specified, type Load } from './load/loads.ts'
import { peerFigures } from './load/peers.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** A clock that jumps from timer to timer; a budget has only one timer at a time. */
class JumpingClock implements Clock {
  #time = 0
  #timers: Timer[] = []
  now(): number {
    return Date.UTC(2026, 10, 21) + Math.floor(this.#time)
  }
  monotonic(): number {
    return this.#time
  }
  uptime(): number {
    return this.#time
  }
  readonly boot = 'bench'
  after(inMs: number, fire: () => void): Cancel {
    const timer = { at: this.#time + Math.max(0, inMs), fire }
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer))
  }
  runUntil(end: number): void {
    for (;;) {
      const next = this.#timers.reduce<Timer | null>(
        (first, timer) => (timer.at <= end && (!first || timer.at < first.at) ? timer : first),
        null,
      )
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#time = Math.max(this.#time, next.at)
      next.fire()
    }
    this.#time = end
  }
}

const published: CallLimits = {
  ...specified,
  published: { perSecond: specified.perSecond, perWindow: specified.perWindow },
}

const names = loads.map(({ name }) => name)

async function play(load: Load, limits: CallLimits) {
  const clock = new JumpingClock()
  const budget = await openCallBudget({ clock, random: () => 0, history: null, limits })
  const starts: number[] = []
  const placed: Promise<unknown>[] = []
  const moments = [
    ...load.arrivals.map(({ at, count }) => ({ at, count })),
    ...(load.pause ? [{ at: load.pause.at, count: 0 }] : []),
  ].sort((a, b) => a.at - b.at)
  // Starts are read from the state, because promises settle only when the clock rests.
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
    for (let i = 0; i < count; i++)
      placed.push(budget.place({ lane: 'refresh', label: 'load', signal: null }))
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

/** Nanoseconds per decision with this many waiting calls: the median over many measured batches. */
async function decisionCost(waiting: number): Promise<number> {
  const clock = new JumpingClock()
  const limits: CallLimits = {
    perSecond: 1_000,
    perWindow: 300_000,
    windowInMs: 300_000,
    published: { perSecond: 1_000, perWindow: 300_000 },
  }
  const budget = await openCallBudget({ clock, random: () => 0, history: null, limits })
  const ask = () =>
    void budget.place({ lane: 'refresh', label: 'bench', signal: null }).catch(() => undefined)
  // Begins with a full second, so that every measured decision is that of a busy budget.
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

/**
 * R1, R2 and R11 as figures: peaks per window, and time compared with the optimum, for the budget and for
 * other limiters; cost of a decision.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<object> {
  const rows = []
  for (const [name, limits] of [
    ['Headroom, no margin', published],
    ['Headroom, as it ships', managementLimits],
  ] as const) {
    for (const load of loads) {
      const row = figures(name, load, limits, await play(load, limits))
      rows.push(row)
      say(`${row.load}: ${row.by} took ${row.seconds} s, ${row.ratio} of the optimum`)
    }
  }
  const all = [...rows, ...(await peerFigures(say))].sort(
    (one, other) => names.indexOf(one.load) - names.indexOf(other.load),
  )
  // Measured in turns, with the median of each, so that neither is affected by warm-up or by other load.
  const costs: { few: number; many: number }[] = []
  for (let round = 0; round < 7; round++)
    costs.push({ few: await decisionCost(20), many: await decisionCost(20_000) })
  const middle = (which: 'few' | 'many') => costs.map((cost) => cost[which]).sort((x, y) => x - y)[3]!
  const [few, many] = [middle('few'), middle('many')]
  return {
    loads: all,
    decision: {
      nanosecondsAt20: Math.round(few),
      nanosecondsAt20000: Math.round(many),
      ratio: Math.round((many / few) * 100) / 100,
    },
  }
}
