import { UsageError } from './grammar.ts'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
/** Milliseconds of the units of the filter language that an age in a list uses. */
const unitsInMs: Readonly<Record<string, number>> = {
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * A moment as people type it: `7d`, `yesterday`, `monday` (the last one before today), `2026-11-20`,
 * `2026-11-20T08:00`, in local time. Throws UsageError.
 */
export function momentTyped(typed: string, now: number): number {
  const word = typed.trim().toLowerCase()
  const [, count, unit = ''] = /^(\d{1,4}) ?(min|h|d|w)$/.exec(word) ?? []
  const ago = Number(count) * (unitsInMs[unit] ?? 0)
  if (ago <= now) return now - ago
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  const before = (nights: number): number =>
    new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - nights).getTime()
  if (word === 'today') return midnight.getTime()
  if (word === 'yesterday') return before(1)
  const day = days.findIndex((one) => one === word)
  if (day >= 0) return before((midnight.getDay() - day + 7) % 7 || 7)
  const at = momentWritten(typed)
  // The store knows no moments before 1970.
  if (!(at >= 0))
    throw new UsageError(`--since: "${typed}" is no time. Type looked, 7d, yesterday, monday or 2026-11-20.`)
  return at
}

/**
 * `2026-11-20`, `2026-11-20T08:00` or `2026-11-20T08:00+01:00`; without an offset in local time. NaN: it is
 * written otherwise, or there is no such day.
 */
export function momentWritten(typed: string): number {
  const [, day, time = 'T00:00'] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(typed) ?? []
  if (day === undefined) return Number.NaN
  // Date.parse takes 31 November for 1 December.
  const exists = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(-2))
  return exists ? Date.parse(day + time) : Number.NaN
}
