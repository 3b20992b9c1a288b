import { peak } from '../../core/call-budget/peak.ts'

/** A load: arrivals in milliseconds from the beginning, and pauses. */
export interface Load {
  readonly name: string
  readonly arrivals: readonly { readonly at: number; readonly count: number }[]
  readonly pause: { readonly at: number; readonly until: number } | null
}

/** The three loads of R1. */
export const loads: readonly Load[] = [
  { name: '25,000 at once', arrivals: [{ at: 0, count: 25_000 }], pause: null },
  {
    name: '10, then 20,000 at 190 s',
    arrivals: [
      { at: 0, count: 10 },
      { at: 190_000, count: 20_000 },
    ],
    pause: null,
  },
  {
    name: '20,000 with a pause of 249 s after 1 s',
    arrivals: [{ at: 0, count: 20_000 }],
    pause: { at: 1_000, until: 250_000 },
  },
]

export interface Windows {
  readonly perSecond: number
  readonly perWindow: number
  readonly windowInMs: number
}

/** services.md#B32. */
export const specified: Windows = { perSecond: 100, perWindow: 10_000, windowInMs: 300_000 }

/**
 * The shortest time these windows allowif every call starts as soon as half-open windows permit. Milliseconds
 * until the last start.
 */
function optimum(load: Load, limits: Windows): number {
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

export interface Figures {
  readonly load: string
  readonly by: string
  readonly limits: string
  readonly calls: number
  /** The most starts in any second and in any five minutes. */
  readonly peakPerSecond: number
  readonly peakPerFiveMinutes: number
  readonly seconds: number
  readonly optimumSeconds: number
  /** Time compared with the optimum for the same limits. */
  readonly ratio: number
  readonly keepsLimits: boolean
}

export function figures(by: string, load: Load, limits: Windows, starts: readonly number[]): Figures {
  const sorted = starts.toSorted((a, b) => a - b)
  const shortest = optimum(load, limits)
  const last = sorted.at(-1) ?? 0
  const perSecond = peak(sorted, 999)
  const perWindow = peak(sorted, limits.windowInMs - 1)
  return {
    load: load.name,
    by,
    limits: `${limits.perSecond}/s, ${limits.perWindow}/5 min`,
    calls: sorted.length,
    peakPerSecond: perSecond,
    peakPerFiveMinutes: perWindow,
    seconds: Math.round(last / 100) / 10,
    optimumSeconds: Math.round(shortest / 100) / 10,
    ratio: Math.round((last / shortest) * 1_000) / 1_000,
    keepsLimits: perSecond <= limits.perSecond && perWindow <= limits.perWindow,
  }
}
