/**
 * The order of firmware, schema and definition versions: dotted numbers with any number of parts, compared
 * number by number (services.md#A4; `1.10.0` > `1.2.0`). Implemented here
 * because `semver.coerce` treats 4.2.0.21 as 4.2.0.9. Lowest to highest: nothing, invalid versions (by text),
 * versions. Missing parts count as zero, so `1.2` equals `1.2.0`. A suffix makes a version lower than the
 * plain one (`1.2.0-rc1` < `1.2.0`), with its numbers by value (`rc2` < `rc10`), ignoring case; text after a
 * `+` does not count (as in semantic versioning). The order is the order of `versionKey`, so it is total and
 * transitive.
 */
const version = /^v?(\d+(?:\.\d+)*)([^+]*)(?:\+.*)?$/is
const longestNumber = 99

/** Negative: `a` is the lower version; 0: equal; positive: the higher. Never throws. */
export function compareVersions(a: string | null, b: string | null): number {
  const left = versionKey(a)
  const right = versionKey(b)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Nothing is no version. */
export const isSameVersion = (stated: string | null, wanted: string): boolean =>
  stated !== null && compareVersions(stated, wanted) === 0

/** Printable ASCII text whose plain order (also SQLite's BINARY) is the version order. Never throws. */
export function versionKey(text: string | null): string {
  if (text === null || text.length > LONGEST_KNOWN) return keyOf(text ?? '')
  let key = knownKeys.get(text)
  if (key === undefined) {
    key = keyOf(text)
    if (knownKeys.size >= KNOWN_AT_MOST) knownKeys.clear()
    knownKeys.set(text, key)
  }
  return key
}

/** Bounds of `knownKeys`: at most a few megabytes. Real fleets have hundreds of versions. */
const KNOWN_AT_MOST = 10_000
const LONGEST_KNOWN = 64
/** A fleet has few versions, and each is compared with many others. */
const knownKeys = new Map<string, string>()

function keyOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return '0'
  const [, numbers, suffix] = version.exec(trimmed) ?? []
  const parts = numbers?.split('.').map(withoutLeadingZeros) ?? []
  if (parts.length === 0 || parts.some((part) => part.length > longestNumber)) return `1${ascii(trimmed)}`
  while (parts.at(-1) === '') parts.pop()
  const early = ascii((suffix ?? '').trim().replace(/^[-_.\s]+/, '')).replace(/\d+/g, (digits) =>
    lengthFirst(withoutLeadingZeros(digits)),
  )
  // `!` and `#` come before every digit, so 4.2-rc1 < 4.2 < 4.2.0.1.
  return `2${parts.map(lengthFirst).join('')}${early === '' ? '#' : `!${early}`}`
}

/**
 * The common prefix of the keys of a version and of every version below it by parts: `2.1` matches 2.1,
 * 2.1.0, 2.1.4 and 2.1-rc1, not 2.10. Trailing zeros count here (`2.0` does not match 2.1). Never throws.
 */
export function versionBeginnings(text: string): readonly string[] {
  const key = versionKey(text)
  const [, numbers, suffix = ''] = version.exec(text.trim()) ?? []
  if (numbers === undefined || suffix.trim() !== '' || !key.startsWith('2')) return [key]
  const exactly = key.slice(0, -1)
  const below = `2${numbers.split('.').map(withoutLeadingZeros).map(lengthFirst).join('')}`
  return below === exactly ? [below] : [below, `${exactly}!`, `${exactly}#`]
}

/** True for text that starts with a number, as every known version of the services does. */
export function isVersion(text: string): boolean {
  return versionKey(text).startsWith('2')
}

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+/, '')

/** Digits prefixed with their count sort by value: `9` → `019`, `21` → `0221`. */
const lengthFirst = (digits: string): string =>
  `${String(Math.min(digits.length, longestNumber)).padStart(2, '0')}${digits}`

const ascii = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^ -}]/gu, (sign) => `~${(sign.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`)
