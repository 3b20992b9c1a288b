import { timeZoneInUse } from './format.ts'

/** A day as people of the preferences' time zone write it down: `2026-11-21`. */
export type Day = string

interface Clock {
  readonly day: Day
  /** After midnight. */
  readonly minutes: number
}
const fieldsOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })

/** What calendar and clock show at a moment, in the time zone of every other time on screen. */
export function clockAt(at: number): Clock {
  const parts = new Map(
    fieldsOf(timeZoneInUse())
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  }
}

const MINUTE_IN_MS = 60_000
const middayOf = (day: Day): number => Date.parse(`${day}T12:00:00Z`)

/** The moment when calendar and clock show this; null: they never do, for the clocks are set forward over it. Of two, the first. */
export function momentOf(day: Day, minutes: number): number | null {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_IN_MS
  const shown = ({ day: on, minutes: past }: Clock): number =>
    Date.parse(`${on}T00:00:00Z`) + past * MINUTE_IN_MS
  const ahead = (at: number): number => shown(clockAt(at)) - at
  // What the zone is ahead by on either side of a change of the clocks: one of the two is right.
  const tries = [asUtc - ahead(asUtc - 86_400_000), asUtc - ahead(asUtc + 86_400_000)].sort((a, b) => a - b)
  return tries.find((at) => shown(clockAt(at)) === asUtc) ?? null
}

/** `day` and the days after it. */
export const daysFrom = (day: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, after) =>
    new Date(middayOf(day) + after * 86_400_000).toISOString().slice(0, 10),
  )
