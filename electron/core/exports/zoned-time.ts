import { Failed } from '../../contract/failure.ts'

/** ISO 8601 with the offset of a time zone: `2026-11-21T14:02:00+01:00`. Whole seconds. */
export type ZonedTime = (at: number) => string

/** `timeZone`: an IANA name. Rejects with Failed `invalid`, field `timeZone`. */
export function zonedTime(timeZone: string): ZonedTime {
  const parts = formatter(timeZone)
  return (at) => {
    const given = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]))
    const offset = given['timeZoneName']?.replace('GMT', '') || '+00:00'
    return `${given['year']}-${given['month']}-${given['day']}T${given['hour']}:${given['minute']}:${given['second']}${offset}`
  }
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
  } catch {
    throw new Failed({ kind: 'invalid', field: 'timeZone', message: 'There is no such time zone.' })
  }
}
