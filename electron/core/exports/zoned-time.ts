import { Failed } from '../../contract/failure.ts'
import { aheadIn, isTimeZone } from '../../contract/time-zone.ts'

/** ISO 8601 with the offset of a time zone: `2026-11-21T14:02:00+01:00`. Whole seconds. */
export type ZonedTime = (at: number) => string

/** Throws Failed `invalid`, field `timeZone`. */
export function zonedTime(timeZone: string): ZonedTime {
  if (!isTimeZone(timeZone)) throw Failed.invalid('timeZone', 'There is no such time zone.')
  const ahead = aheadIn(timeZone)
  // A file contains many times but few offsets.
  const written = new Map<number, string>()
  return (at) => {
    const aheadInMs = ahead(at)
    let offset = written.get(aheadInMs)
    if (offset === undefined) {
      offset = `${aheadInMs < 0 ? '-' : '+'}${new Date(Math.abs(aheadInMs)).toISOString().slice(11, 16)}`
      written.set(aheadInMs, offset)
    }
    return `${new Date(at + aheadInMs).toISOString().slice(0, 19)}${offset}`
  }
}
