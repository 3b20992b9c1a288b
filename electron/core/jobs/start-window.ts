import type { JobTiming } from '../../contract/api/jobs.ts'
import { aheadIn } from '../../contract/time-zone.ts'

type DailyWindow = NonNullable<JobTiming['window']>

const minuteInMs = 60_000
const dayInMinutes = 1_440
/** No clock is set on or back by more at once (observed in the time-zone data: an hour, half an hour on Lord Howe). */
const clocksChangeByInMinutes = 120

export interface LocalWindow {
  isOpen(at: number): boolean
  /** The first moment from `at` on when it is open, epoch milliseconds, also on days when the clocks change. */
  opensAt(at: number): number
}

/** When a job may start items: minutes after local midnight, over midnight where `from` is above `to`. A time zone that is not known counts as UTC. */
export function localWindow({ from, to }: DailyWindow, timeZone: string): LocalWindow {
  const ahead = aheadIn(timeZone)
  const minuteOf = (at: number): number => Math.floor((at + ahead(at)) / minuteInMs) % dayInMinutes
  const isOpen = (at: number): boolean => {
    const minute = minuteOf(at)
    return from < to ? minute >= from && minute < to : minute >= from || minute < to
  }
  /** It is closed from one to the other: asked again and again while a job waits. */
  let closed = { from: Infinity, to: -Infinity }
  return {
    isOpen: (at) => !(at >= closed.from && at < closed.to) && isOpen(at),
    opensAt(at) {
      if (at >= closed.from && at < closed.to) return closed.to
      if (isOpen(at)) return at
      const toGo = (from - minuteOf(at) + dayInMinutes) % dayInMinutes
      // Before the change of the clocks that may lie between, minute by minute: every zone is whole minutes ahead.
      let opens =
        Math.ceil(at / minuteInMs) * minuteInMs + Math.max(0, toGo - clocksChangeByInMinutes) * minuteInMs
      for (let steps = 0; steps < dayInMinutes + 2 * clocksChangeByInMinutes && !isOpen(opens); steps++)
        opens += minuteInMs
      closed = { from: at, to: opens }
      return opens
    },
  }
}

/** The window as it counts for an item: in the item's own zone, else (null) in that of the job. null: an item may start at any time. */
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

/** Each once, by name; null, for items that name none, comes last. */
export const distinctZones = (zones: Iterable<string | null>): readonly (string | null)[] => {
  const all = new Set(zones)
  const named = [...all].filter((zone) => zone !== null).sort()
  return all.has(null) ? [...named, null] : named
}
