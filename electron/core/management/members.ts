import { isJsonObject, foldedName, type Json, type JsonObject } from '../../contract/json.ts'

/**
 * Readers of single members. Every member of a service's record may be null, missing or of another type
 * (services.md#B1): each reader returns null for an unusable value and never throws.
 */

/**
 * A record's members by name: with the given spelling, else in any other. The first of `names` that is
 * present and not null.
 */
export type Members = (...names: readonly string[]) => Json | undefined

export function membersOf(record: JsonObject): Members {
  let byFoldedName: ReadonlyMap<string, Json> | null = null
  return (...names) => {
    let found: Json | undefined
    for (const name of names) {
      const own = Object.hasOwn(record, name)
      const value = own ? record[name] : (byFoldedName ??= folded(record)).get(foldedName(name))
      if (value !== undefined && value !== null) return value
      if (value === null) found = null
    }
    return found
  }
}

function folded(record: JsonObject): ReadonlyMap<string, Json> {
  const members = new Map<string, Json>()
  for (const [name, value] of Object.entries(record)) {
    const known = foldedName(name)
    if ((members.get(known) ?? null) === null) members.set(known, value)
  }
  return members
}

/** An object, also as the only element of a list. */
export function innerObject(value: Json | undefined): JsonObject | null {
  return objectOf(Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value)
}

export function objectOf(value: Json | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null
}

export function arrayOf(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) ? (value as readonly Json[]) : null
}

/**
 * Text as received; blank text counts as missing. A number in place of text becomes its digits; `1e+300` has
 * no meaningful ones.
 */
export function memberText(value: Json | undefined): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  return typeof value === 'number' && /^-?[\d.]+$/.test(String(value)) ? String(value) : null
}

/**
 * Longest text that is shown, searched and compared, in characters; observed names have some 60. Raise it if
 * real names are cut.
 */
const labelAtMost = 500

/** As `textOf`, but limited for display; the raw record contains a longer text completely. */
export function labelOf(value: Json | undefined): string | null {
  const text = memberText(value)
  return text === null || text.length <= labelAtMost
    ? text
    : `${text.slice(0, labelAtMost - 1).toWellFormed()}…`
}

/** A whole number, or text with one: in decimal or, as USB ids are written, in hexadecimal with 0x. */
export function integerOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null
  if (typeof value !== 'string' || !/^\s*(?:-?\d{1,15}|0x[\da-f]{1,12})\s*$/i.test(value)) return null
  return Number(value)
}

/** A boolean, or a text or number with that meaning. */
export function flagOf(value: Json | undefined): boolean | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true' || word === 1 || word === '1') return true
  return word === false || word === 'false' || word === 0 || word === '0' ? false : null
}

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,18}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?(?:\[[\w/+-]+\])?$/i

/**
 * A number below the first limit (a year in seconds) is a count and not a time. A number up to the second
 * limit is seconds since 1970, a greater one milliseconds. Change them if a service sends other times.
 */
const epochAtLeast = 31_536_000
const epochSecondsAtMost = 100_000_000_000

/**
 * A time as epoch milliseconds: ISO-8601, or seconds or milliseconds since 1970. The length of the fraction
 * varies; without a zone it is UTC (services.md#B21). Years before 1971 are assumed to mean "never" and
 * give null.
 */
export function instantOf(value: Json | undefined): number | null {
  const parts = typeof value === 'string' ? isoTime.exec(value.trim()) : null
  if (!parts) {
    const number = integerOf(value)
    if (number === null || number < epochAtLeast || number > 8_640_000_000_000_000) return null
    return number <= epochSecondsAtMost ? number * 1_000 : number
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3))
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const timeInMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + ms
  const offset = zoneInMs(zone)
  if (
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day) ||
    timeInMs > dayInMs ||
    Number(minute) > 59 ||
    Number(second) > 60 ||
    Math.abs(offset) > furthestZoneInMs ||
    Number(year) < 1971
  )
    return null
  return date.getTime() + timeInMs - offset
}

/** 24:00:00 is the end of a day, and a leap second may be its last (ISO 8601). */
const dayInMs = 86_400_000
/** The zones furthest from UTC are -12:00 and +14:00. */
const furthestZoneInMs = 14 * 3_600_000

function zoneInMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/**
 * `AA:BB:CC:DD:EE:FF` for twelve hex digits with any separators (services.md#B20); anything else as received.
 */
export function macOf(value: Json | undefined): string | null {
  const text = labelOf(value)
  if (text === null) return null
  const digits = text.trim().replaceAll(/[\s:.-]/g, '')
  return /^[0-9a-f]{12}$/i.test(digits) ? (digits.toUpperCase().match(/../g) ?? []).join(':') : text
}

/**
 * Longest id of a record, in characters: the limit that calls accept; observed ids have 41. Raise it with the
 * limit of calls.
 */
const idAtMost = 512

/**
 * The id of a record: text that is not blank and has no lone surrogate, which neither an address nor a file
 * can contain; or a whole number.
 */
export function idOf(value: Json | undefined): string | null {
  if (typeof value === 'string')
    return value.trim() === '' || value.length > idAtMost || !value.isWellFormed() ? null : value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null
}

/** Words of the service may change their case (services.md#B12). */
export const isSameWord = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** One of our own values in any case is normalized; another value remains as received. */
export function wordOf(value: Json | undefined, known: readonly string[]): string | null {
  const text = labelOf(value)
  if (text === null) return null
  const lower = text.trim().toLowerCase()
  return known.includes(lower) ? lower : text
}
