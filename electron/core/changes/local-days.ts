import { aheadIn } from '../../contract/time-zone.ts'

const dayInMs = 86_400_000
/**
 * Moments more than this many days before the newest one use the offset of the oldest of these days: such
 * times come from a wrong clock. Raise it if older changes are stored.
 */
const daysLookedAt = 4_000

/** The offset of local time from UTC, from a moment on. */
interface Stretch {
  readonly from: number
  readonly aheadInMs: number
}

/** Local days as whole numbers (days since 1 January 1970 in the local calendar), to and from SQL. */
export interface LocalDays {
  /** SQL for the day of a moment; `column` is never typed text. */
  readonly sql: (column: string) => string
  /** The first moment of a day in epoch milliseconds, also if the clocks change at midnight. */
  startOf(day: number): number
}

/** An unknown IANA name counts as UTC: an approximate day is better than none. */
export function localDays(timeZone: string, oldest: number, newest: number): LocalDays {
  // Two more days on either side, so that the day of the oldest moment is complete.
  const stretches = stretchesOf(
    timeZone,
    Math.max(oldest, newest - daysLookedAt * dayInMs) - 2 * dayInMs,
    newest + 2 * dayInMs,
  )
  const [first, ...later] = stretches
  return {
    sql: (column) => {
      const day = ({ aheadInMs }: Stretch): string => `(${column} + ${aheadInMs}) / ${dayInMs}`
      const last = later.at(-1)
      if (last === undefined) return `(${day(first)})`
      const cases = stretches
        .slice(0, -1)
        .map((stretch, index) => `WHEN ${column} < ${later[index]?.from ?? 0} THEN ${day(stretch)}`)
      return `(CASE ${cases.join(' ')} ELSE ${day(last)} END)`
    },
    startOf: (day) => {
      for (const [index, { from, aheadInMs }] of stretches.entries()) {
        const at = Math.max(day * dayInMs - aheadInMs, index === 0 ? -Infinity : from)
        const endsAt = stretches[index + 1]?.from ?? Infinity
        if (at < endsAt && Math.floor((at + aheadInMs) / dayInMs) >= day) return at
      }
      return day * dayInMs - first.aheadInMs
    },
  }
}

/** Every period between two clock changes; there are never two changes within a day. */
function stretchesOf(timeZone: string, from: number, to: number): readonly [Stretch, ...Stretch[]] {
  const ahead = aheadIn(timeZone)
  const stretches: [Stretch, ...Stretch[]] = [{ from, aheadInMs: ahead(from) }]
  for (let at = from; at < to; at += dayInMs) {
    const previous = stretches.at(-1)?.aheadInMs ?? 0
    if (ahead(at + dayInMs) === previous) continue
    let [low, high] = [at, at + dayInMs]
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000
      if (middle <= low) break
      if (ahead(middle) === previous) low = middle
      else high = middle
    }
    stretches.push({ from: Math.floor(high / 1_000) * 1_000, aheadInMs: ahead(high) })
  }
  return stretches
}
