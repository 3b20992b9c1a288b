import type { JobTiming, ZoneCount } from '../../contract/api/jobs.ts'
import { aheadIn, sameClockIn } from '../../contract/time-zone.ts'
import type { SendingWindow } from '../writes/writes.ts'

type DailyWindow = NonNullable<JobTiming['window']>

const minuteInMs = 60_000
const dayInMinutes = 1_440
/** Clock changes are never larger (observed in the time-zone data: an hour, half an hour on Lord Howe). */
const clocksChangeByInMinutes = 120

/** `opensAt`: also on days when the clocks change. */
export type LocalWindow = SendingWindow

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
 * When an item may start: in the zone of the item, else (null) in the zone of the job. null: at any time.
 */
export type WindowIn = (timeZone: string | null) => LocalWindow | null

export function windowsIn(timing: JobTiming, ofTheJob: string): WindowIn {
  const made = new Map<string, LocalWindow | null>()
  const windowIn = (zone: string): LocalWindow | null => {
    const daily = timing.window === null ? null : localWindow(timing.window, zone)
    const from = startIn(timing, zone)
    if (from === null) return daily
    return {
      isOpen: (at) => at >= from && daily?.isOpen(at) !== false,
      opensAt: (at) => daily?.opensAt(Math.max(at, from)) ?? Math.max(at, from),
    }
  }
  return (timeZone) => {
    const zone = timeZone ?? ofTheJob
    const known = made.has(zone) ? made.get(zone)! : windowIn(zone)
    made.set(zone, known)
    return known
  }
}

/** The start time for items in a zone; null: none. */
const startIn = ({ startAt, timeZone }: JobTiming, zone: string | null): number | null =>
  startAt === null || timeZone === undefined || zone === null ? startAt : sameClockIn(zone, timeZone, startAt)

/** Items by zone (null: none named) with the devices of each, as clients see them. */
export function zoneCounts(
  timing: JobTiming,
  devices: Iterable<readonly [zone: string | null, count: number]>,
): readonly ZoneCount[] {
  const counts = new Map<string | null, { count: number; items: number }>()
  for (const [zone, count] of devices) {
    const known = counts.get(zone) ?? { count: 0, items: 0 }
    counts.set(zone, { count: known.count + count, items: known.items + 1 })
  }
  return [...counts]
    .sort(([a], [b]) => Number(a === null) - Number(b === null) || (a! < b! ? -1 : 1))
    .map(([zone, counted]) => ({ zone: zone ?? 'local', ...counted, startAt: startIn(timing, zone) }))
}
