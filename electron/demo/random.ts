/**
 * Random numbers without a generator's state: the same input gives the same output, in any order and in any
 * process.
 */

const scramble = (hash: number): number => {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A number from 0 to 2^32 - 1. */
export const mix = (...parts: readonly number[]): number => {
  let hash = 0x9e3779b9
  for (const part of parts)
    hash = scramble(
      (Math.imul(hash, 31) + (part >>> 0) + Math.imul(Math.floor(part / 4294967296), 0x27d4eb2f)) | 0,
    )
  return hash
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export const roll = (...parts: readonly number[]): number => mix(...parts) / 4294967296

/** A number for a text, to be combined with others. */
export const numberOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Successive random numbers that belong together. */
export const sequence = (...parts: readonly number[]): (() => number) => {
  const start = mix(...parts)
  let step = 0
  return () => scramble((start + Math.imul((step += 1), 0x9e3779b9)) | 0) / 4294967296
}

export const pick = <T>(list: readonly [T, ...T[]] | readonly T[], chance: number): T => {
  const item = list[Math.min(list.length - 1, Math.floor(chance * list.length))]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}

/** `length` upper-case hex digits. */
export const hexDigits = (length: number, ...parts: readonly number[]): string => {
  let text = ''
  for (let at = 0; text.length < length; at += 1)
    text += mix(...parts, at)
      .toString(16)
      .padStart(8, '0')
  return text.slice(0, length).toUpperCase()
}

/** A GUID built from numbers; marked as version 4. */
export const guidOf = (...parts: readonly number[]): string => guidFromDigits(hexDigits(32, ...parts))

export const guidFromDigits = (digits: string): string => {
  const d = digits.toLowerCase()
  return `${d.slice(0, 8)}-${d.slice(8, 12)}-4${d.slice(13, 16)}-a${d.slice(17, 20)}-${d.slice(20, 32)}`
}
