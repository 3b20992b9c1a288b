import { Failed } from '../../contract/failure.ts'

/** ISO 8601 with the offset of a time zone: `2026-11-21T14:02:00+01:00`. Whole seconds. */
export type ZonedTime = (at: number) => string

/** `timeZone`: an IANA name. Throws Failed `invalid`, field `timeZone`. */
export function zonedTime(timeZone: string): ZonedTime {
  const format = formatter(timeZone)
  // Asking Intl for every cell would take longer than all else of a file: within a day whose ends agree the offset is one.
  const days = new Map<number, string | null>()
  const offsetOn = (day: number): string | null => {
    const known = days.get(day)
    if (known !== undefined) return known
    const [begin, end] = [offsetAt(format, day * dayInMs), offsetAt(format, (day + 1) * dayInMs)]
    const offset = begin === end ? begin : null
    days.set(day, offset)
    return offset
  }
  return (at) => {
    const offset = offsetOn(Math.floor(at / dayInMs)) ?? offsetAt(format, at)
    return `${new Date(at + inMs(offset)).toISOString().slice(0, -'.000Z'.length)}${offset}`
  }
}

const dayInMs = 86_400_000

/** `+01:00`; zones before standard time have seconds, too: `-00:01:15`. */
function offsetAt(format: Intl.DateTimeFormat, at: number): string {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return name?.replace('GMT', '') || '+00:00'
}

function inMs(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds) * 1_000
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    throw new Failed({ kind: 'invalid', field: 'timeZone', message: 'There is no such time zone.' })
  }
}
