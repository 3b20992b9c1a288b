import { guidFromDigits, hexDigits, mix } from './random.ts'

/**
 * Ids that look random and contain the number of their object, so that 100,000 devices need no index in
 * memory. An id is parsed by extracting the number and generating the id again: if the result differs, the id
 * is unknown.
 */
const odd = 0x9e3779b1
/** odd × inverse = 1 modulo 2^32. */
const inverse = 0x0e8b2f51

const hide = (seed: number, kind: number, index: number): number =>
  (Math.imul(index, odd) ^ mix(seed, kind, 1)) >>> 0
const seek = (seed: number, kind: number, hidden: number): number =>
  Math.imul((hidden ^ mix(seed, kind, 1)) >>> 0, inverse) >>> 0

const deviceKind = 101
const hex = (value: number, length: number): string => value.toString(16).toUpperCase().padStart(length, '0')

/** `D` and 40 hex digits (services.md#B40). A replacement device, the next generation, has another id. */
export const deviceIdOf = (seed: number, index: number, generation: number): string => {
  const hidden = hide(seed, deviceKind, index)
  return `D${hex(hidden, 8)}${hex((generation ^ mix(seed, hidden)) & 0xffff, 4)}${hexDigits(28, seed, deviceKind, index, generation)}`
}

export const deviceOfId = (
  seed: number,
  id: string,
): { readonly index: number; readonly generation: number } | null => {
  if (!/^D[0-9A-F]{40}$/.test(id)) return null
  const hidden = Number.parseInt(id.slice(1, 9), 16)
  const index = seek(seed, deviceKind, hidden)
  const generation = (Number.parseInt(id.slice(9, 13), 16) ^ mix(seed, hidden)) & 0xffff
  return deviceIdOf(seed, index, generation) === id ? { index, generation } : null
}

export const roomKind = 102
export const groupKind = 103

export const guidIdOf = (seed: number, kind: number, index: number): string =>
  guidFromDigits(hex(hide(seed, kind, index), 8) + hexDigits(24, seed, kind, index))

export const indexOfGuid = (seed: number, kind: number, id: string): number | null => {
  const lower = id.toLowerCase()
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)) return null
  const index = seek(seed, kind, Number.parseInt(lower.slice(0, 8), 16))
  return guidIdOf(seed, kind, index) === lower ? index : null
}
