import { shallowRef } from 'vue'
import { dateText } from '../../electron/contract/date-text.ts'
import { isTimeZone, systemTimeZone } from '../../electron/contract/time-zone.ts'
import { countedText, formatLocale, text } from '../locales/i18n.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time zone of every date and time in the renderer: an IANA name, or null for the system's. */
const zone = shallowRef<string | null>(null)
/** A name that this system does not know means the system's own zone. */
export function setTimeZone(name: string | null): void {
  zone.value = name !== null && isTimeZone(name) ? name : null
}
export const timeZoneInUse = (): string => zone.value ?? systemTimeZone()
/** `place`: a zone that differs from the preferences, such as the zone of a room. */
function inZone(options: Intl.DateTimeFormatOptions, place?: string): Intl.DateTimeFormatOptions {
  const timeZone = place ?? zone.value
  return timeZone === null ? options : { ...options, timeZone }
}

const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>()
function formatter<T extends Intl.DateTimeFormat | Intl.NumberFormat>(
  name: string,
  make: (locale: string) => T,
): T {
  const key = `${formatLocale()} ${zone.value ?? ''} ${name}`
  const known = formatters.get(key) as T | undefined
  if (known) return known
  const made = make(formatLocale())
  formatters.set(key, made)
  return made
}

/** `21 Nov 2026 13:58`. */
export const formatMoment = (at: number, place?: string, second?: '2-digit'): string =>
  `${formatDay(at, place)} ${formatTime(at, place, second)}`
/** `21 Nov 2026`. */
export const formatDay = (at: number, place?: string): string =>
  dateText(
    formatter(
      `day ${place ?? ''}`,
      (locale) =>
        new Intl.DateTimeFormat(locale, inZone({ day: 'numeric', month: 'short', year: 'numeric' }, place)),
    ),
    at,
  )
/** `Mon 23 Nov`: a day in the near future or past. */
export const formatNearDay = (at: number, place?: string): string =>
  dateText(
    formatter(
      `near day ${place ?? ''}`,
      (locale) =>
        new Intl.DateTimeFormat(locale, inZone({ weekday: 'short', day: 'numeric', month: 'short' }, place)),
    ),
    at,
  )
/** `Tuesday`, by its number: 0 is Sunday. */
export const formatWeekday = (day: number): string =>
  formatter(
    'weekday',
    (locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
  ).format(Date.UTC(2026, 10, 1 + day))
/** `13:58`, or `13:58:07`. */
export const formatTime = (at: number, place?: string, second?: '2-digit'): string =>
  formatter(
    `time ${place ?? ''} ${second ?? ''}`,
    (locale) =>
      new Intl.DateTimeFormat(
        locale,
        inZone({ hour: '2-digit', minute: '2-digit', second, hourCycle: 'h23' }, place),
      ),
  ).format(at)
/** `13:58` for today, `20 Nov 2026 13:58` for another day, because a time alone would be read as today's. */
export const formatWhen = (at: number, nowAt: number, place?: string, second?: '2-digit'): string =>
  (formatDay(at, place) === formatDay(nowAt, place) ? formatTime : formatMoment)(at, place, second)
/** `11,482`. */
export const formatCount = (count: number): string =>
  formatter('count', (locale) => new Intl.NumberFormat(locale)).format(count)

/** `2 %` of a whole, `under 1 %` if rounding would give 0. */
export function formatShare(share: number): string {
  const format = formatter(
    'share',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
  )
  return share > 0 && share < 0.01
    ? text('components.share.under', { share: format.format(0.01) })
    : format.format(share)
}

/** `1.4 MB`, `84 bytes`: decimal units, as vendors print file sizes. The short form of a byte has no plural. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const unit = units[step] ?? 'byte'
  return formatter(
    `bytes ${unit}`,
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: step > 1 ? 1 : 0,
      }),
  ).format(bytes / 1000 ** step)
}

/** A USB product id as technicians write it: `0x24B3`. */
export const formatHex = (id: number): string =>
  `${id < 0 ? '-' : ''}0x${Math.abs(id).toString(16).toUpperCase().padStart(4, '0')}`

export interface Age {
  readonly unit: 'now' | 'minutes' | 'hours' | 'days' | 'months' | 'years'
  readonly count: number
  /** Months in addition to whole years; 0 for every other unit. */
  readonly months: number
}
/** From this number of days on, months are easier to read than days. */
const DAYS_AT_MOST = 60
/** Mean lengths in the Gregorian calendar. */
const YEAR = 365.2425 * DAY
const MONTH = YEAR / 12

/** An age in the largest useful unit; a time in the future (after a clock was set back) counts as now. */
export function ageOf(at: number, nowAt: number): Age {
  const age = nowAt - at
  const whole = (unit: Age['unit'], length: number): Age => ({
    unit,
    count: Math.floor(age / length),
    months: 0,
  })
  if (age < MINUTE) return { unit: 'now', count: 0, months: 0 }
  if (age < HOUR) return whole('minutes', MINUTE)
  if (age < DAY) return whole('hours', HOUR)
  if (age < DAYS_AT_MOST * DAY) return whole('days', DAY)
  if (age < YEAR) return whole('months', MONTH)
  const months = Math.floor(age / MONTH)
  return { unit: 'years', count: Math.floor(months / 12), months: months % 12 }
}
function ageText(form: 'short' | 'long' | 'old', at: number, nowAt: number): string {
  const { unit, count, months } = ageOf(at, nowAt)
  const key = `components.age.${form}.${months > 0 ? 'yearsAndMonths' : unit}`
  return countedText(key, count, { n: formatCount(count), m: formatCount(months) })
}
/** `3 min`, `4 y 7 mo`: for columns. */
export const formatAge = (at: number, nowAt: number): string => ageText('short', at, nowAt)
/** `3 minutes ago`: for sentences. */
export const formatAgo = (at: number, nowAt: number): string => ageText('long', at, nowAt)
/** `3 minutes old`: for the status bar. */
export const formatOld = (at: number, nowAt: number): string => ageText('old', at, nowAt)
/** `0:42`: the remaining wait, rounded up so that it never shows 0:00 while waiting. */
export function formatRemaining(remainingInMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingInMs / SECOND))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
/** `2.4 s` or `310 ms`. */
export const formatDuration = (inMs: number): string =>
  inMs < 1000
    ? text('components.duration.milliseconds', { n: formatCount(Math.round(inMs)) })
    : text('components.duration.seconds', { n: formatCount(Math.round(inMs / 100) / 10) })
/** `7 s`, `3 min`, `2 h 10 min`: an approximate duration, rounded up so that it is never too short. */
export function formatSpan(inMs: number): string {
  if (inMs < MINUTE)
    return text('components.duration.seconds', { n: formatCount(Math.max(1, Math.ceil(inMs / SECOND))) })
  const minutes = Math.ceil(inMs / MINUTE)
  if (minutes < 60) return text('components.duration.minutes', { n: formatCount(minutes) })
  const hours = formatCount(Math.floor(minutes / 60))
  return minutes % 60 === 0
    ? text('components.duration.hours', { n: hours })
    : text('components.duration.hoursAndMinutes', { h: hours, n: formatCount(minutes % 60) })
}
