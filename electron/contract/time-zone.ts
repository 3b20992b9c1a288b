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

// The library has a shortcut for the system's own zone, which is wrong once the computer moves to another: it is not taken.
setLocalTimeZone('UTC')

/** A day as the calendar of a time zone writes it down: `2026-11-21`. */
export type Day = string

/** The IANA name of the time zone the computer is in now. */
export const systemTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether a name is one of IANA's that is known here, or an offset such as `+01:00`. */
export function isTimeZone(name: string): boolean {
  try {
    return fromAbsolute(0, name).timeZone === name
  } catch {
    return false
  }
}

/** How far local time is ahead of universal time at a moment, in milliseconds. A name that is not known counts as UTC. */
export function aheadIn(timeZone: string): (at: number) => number {
  const known = isTimeZone(timeZone) ? timeZone : 'UTC'
  const ask = (at: number): number => fromAbsolute(at, known).offset
  // The clocks change at most once within a day: where its ends agree, the library need not be asked for each moment of it.
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

/** What calendar and clock show at a moment; `minutes`: after midnight. */
export function clockAt(timeZone: string, at: number): { readonly day: Day; readonly minutes: number } {
  const shown = fromAbsolute(at, timeZone)
  return { day: toCalendarDate(shown).toString(), minutes: shown.hour * 60 + shown.minute }
}

/** The moment when calendar and clock show this; null: they never do, for the clocks are set forward over it. Of two, the first. */
export function momentOf(timeZone: string, day: Day, minutes: number): number | null {
  const time = new Time(Math.floor(minutes / 60), minutes % 60)
  const at = toZoned(toCalendarDateTime(parseDate(day), time), timeZone, 'earlier')
    .toDate()
    .getTime()
  const shown = clockAt(timeZone, at)
  return shown.day === day && shown.minutes === minutes ? at : null
}

/** The next moment when the clock shows it; in a night that leaves it out, that of the night after. */
export function nextMomentOf(timeZone: string, minutes: number, now: number): number {
  const days = daysFrom(clockAt(timeZone, now).day, 3).map((day) => momentOf(timeZone, day, minutes))
  return days.find((at) => at !== null && at > now) ?? Number.NaN
}

/** `day` and the days after it. */
export const daysFrom = (day: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, days) => parseDate(day).add({ days }).toString())
