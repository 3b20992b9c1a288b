import {
  fromAbsolute,
  parseDate,
  setLocalTimeZone,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date'

const dayInMs = 86_400_000

// The library caches the system's zone, which is wrong after the computer moves to another zone: the cache is
// not used.
setLocalTimeZone('UTC')

/** A day in the calendar of a time zone: `2026-11-21`. */
export type Day = string

/** The IANA name of the time zone the computer is in now. */
export const systemTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Names that were asked about: a plan asks for the zone of each of its rooms. */
const areTimeZones = new Map<string, boolean>()
/** Whether a name is an IANA name known here, or an offset such as `+01:00`. */
export function isTimeZone(name: string): boolean {
  const known = areTimeZones.get(name)
  if (known !== undefined) return known
  let is = false
  try {
    is = fromAbsolute(0, name).timeZone === name
  } catch {
    // It is not known here.
  }
  areTimeZones.set(name, is)
  return is
}

/** The offset of local time from UTC at a moment, in milliseconds. An unknown name counts as UTC. */
export function aheadIn(timeZone: string): (at: number) => number {
  const known = isTimeZone(timeZone) ? timeZone : 'UTC'
  const ask = (at: number): number => fromAbsolute(at, known).offset
  // The clocks change at most once within a day: if the offsets at its ends agree, the library is not called
  // for each moment.
  const begins = new Map<number, number>()
  const atBeginOf = (day: number): number => {
    let ahead = begins.get(day)
    if (ahead === undefined) begins.set(day, (ahead = ask(day * dayInMs)))
    return ahead
  }
  return (at) => {
    const day = Math.floor(at / dayInMs)
    const ahead = atBeginOf(day)
    return ahead === atBeginOf(day + 1) ? ahead : ask(at)
  }
}

/** Calendar day and time at a moment; `minutes`: after midnight. */
export function clockAt(timeZone: string, at: number): { readonly day: Day; readonly minutes: number } {
  const local = fromAbsolute(at, timeZone)
  return { day: toCalendarDate(local).toString(), minutes: local.hour * 60 + local.minute }
}

/**
 * The moment of this local time; null: it does not exist, because the clocks are set forward past it. If it
 * exists twice, the first.
 */
export function momentOf(timeZone: string, day: Day, minutes: number): number | null {
  const time = new Time(Math.floor(minutes / 60), minutes % 60)
  const at = toZoned(toCalendarDateTime(parseDate(day), time), timeZone, 'earlier')
    .toDate()
    .getTime()
  const local = clockAt(timeZone, at)
  return local.day === day && local.minutes === minutes ? at : null
}

/**
 * The moment at which clocks in a zone show what those in another one show at `at`, to the minute. If a clock
 * change skips it there, as much later as the clocks are set forward.
 */
export function sameClockIn(timeZone: string, of: string, at: number): number {
  const there = toCalendarDateTime(fromAbsolute(at, of))
  return toZoned(there, timeZone, 'compatible').toDate().getTime()
}

/**
 * The next moment with this local time. If the clock change of a night skips it, the moment in the following
 * night.
 */
export function nextMomentOf(timeZone: string, minutes: number, now: number): number {
  const days = daysFrom(clockAt(timeZone, now).day, 3).map((day) => momentOf(timeZone, day, minutes))
  return days.find((at) => at !== null && at > now) ?? Number.NaN
}

/** `day` and the days after it. */
export const daysFrom = (day: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, days) => parseDate(day).add({ days }).toString())
