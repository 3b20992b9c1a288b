import type { JobTiming } from '../../contract/api/jobs.ts'
import { aheadIn } from '../../contract/time-zone.ts'

type DailyWindow = NonNullable<JobTiming['window']>

const minuteInMs = 60_000
const dayInMinutes = 1_440
/** Clock changes are never larger (observed in the time-zone data: an hour, half an hour on Lord Howe). */
const clocksChangeByInMinutes = 120

export interface LocalWindow {
  isOpen(at: number): boolean
  /** The first moment from `at` on when it is open, epoch milliseconds, also on days when the clocks change. */
  opensAt(at: number): number
}

/**
 * When a job may start items: minutes after local midnight, crossing midnight if `from` is above `to`. An
 * unknown time zone counts as UTC.
 */
export function localWindow({ from, to }: DailyWindow, timeZone: string): LocalWindow {
  const ahead = aheadIn(timeZone)
  const minuteOf = (at: number): number => Math.floor((at + ahead(at)) / minuteInMs) % dayInMinutes
  const isOpen = (at: number): boolean => {
    const minute = minuteOf(at)
    return from < to ? minute >= from && minute < to : minute >= from || minute < to
  }
  /** Cached bounds of the closed time, because a waiting job checks repeatedly. */
  let closed = { from: Infinity, to: -Infinity }
  return {
    isOpen: (at) => !(at >= closed.from && at < closed.to) && isOpen(at),
    opensAt(at) {
      if (at >= closed.from && at < closed.to) return closed.to
      if (isOpen(at)) return at
      const toGo = (from - minuteOf(at) + dayInMinutes) % dayInMinutes
      // Before a possible clock change, minute by minute: every offset is whole minutes.
      let opens =
        Math.ceil(at / minuteInMs) * minuteInMs + Math.max(0, toGo - clocksChangeByInMinutes) * minuteInMs
      for (let steps = 0; steps < dayInMinutes + 2 * clocksChangeByInMinutes && !isOpen(opens); steps++)
        opens += minuteInMs
      closed = { from: at, to: opens }
      return opens
    },
  }
}

/**
 * The window for an item: in the zone of the item, else (null) in the zone of the job. null: an item may
 * start at any time.
 */
export type WindowIn = (timeZone: string | null) => LocalWindow | null

export function windowsIn(window: JobTiming['window'], ofTheJob: string): WindowIn {
  const made = new Map<string, LocalWindow>()
  return (timeZone) => {
    if (window === null) return null
    const zone = timeZone ?? ofTheJob
    const known = made.get(zone) ?? localWindow(window, zone)
    made.set(zone, known)
    return known
  }
}

/** Distinct zones, sorted; null, for items without one, comes last. */
export const distinctZones = (zones: Iterable<string | null>): readonly (string | null)[] => {
  const all = new Set(zones)
  const named = [...all].filter((zone) => zone !== null).sort()
  return all.has(null) ? [...named, null] : named
}
