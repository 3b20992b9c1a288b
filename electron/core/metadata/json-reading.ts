import type { Json, JsonObject } from '../../contract/json.ts'

/** Tolerant looks into JSON that is never trusted: what is missing or of another type is null, or empty. Nothing here throws. */

export const objectOf = (json: Json | undefined): JsonObject | null =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : null

export const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [])

export const objectsIn = (json: Json | undefined): readonly JsonObject[] =>
  listOf(json)
    .map(objectOf)
    .filter((item) => item !== null)

/** Text with something in it; null otherwise. */
export const textOf = (json: Json | undefined): string | null => (typeof json === 'string' && json.trim() !== '' ? json : null)

/** A boolean, or a word or number that is one: a release that says `"revoked": "true"` must not be offered as the latest. */
export function booleanOf(json: Json | undefined): boolean | null {
  const word = typeof json === 'string' ? json.trim().toLowerCase() : json
  if (word === true || word === 'true' || word === 1 || word === '1') return true
  return word === false || word === 'false' || word === 0 || word === '0' ? false : null
}

/** A finite number, or text that is one. */
export function numberOf(json: Json | undefined): number | null {
  const number = typeof json === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(json) ? Number(json) : json
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** An identifier as the paths want it (int32, not negative: specification, part 2). */
export function idOf(json: Json | undefined): number | null {
  const number = numberOf(json)
  return number !== null && Number.isInteger(number) && number >= 0 && number <= 2_147_483_647 ? number : null
}

export const textsIn = (json: Json | undefined): readonly string[] => listOf(json).flatMap((item) => textOf(item) ?? [])

/** The first member that is there and not null, by name without regard to case, the names in order of trust. */
export function memberOf(object: JsonObject, ...names: readonly string[]): Json | undefined {
  for (const name of names) {
    if (Object.hasOwn(object, name) && object[name] !== null) return object[name]
  }
  const folded = foldedMembers(object)
  for (const name of names) {
    const value = folded.get(name.toLowerCase())
    if (value !== undefined) return value
  }
  return undefined
}

/** Members by lower-case name, made once for a record: readers ask each record for many names it does not have. */
const foldedOf = new WeakMap<JsonObject, ReadonlyMap<string, Json>>()

function foldedMembers(object: JsonObject): ReadonlyMap<string, Json> {
  const known = foldedOf.get(object)
  if (known !== undefined) return known
  const folded = new Map<string, Json>()
  for (const [name, value] of Object.entries(object)) {
    const lower = name.toLowerCase()
    if (value !== null && !folded.has(lower)) folded.set(lower, value)
  }
  foldedOf.set(object, folded)
  return folded
}

/** The first of the members that holds what `read` looks for. */
export function firstOf<T>(object: JsonObject, names: readonly string[], read: (json: Json | undefined) => T | null): T | null {
  for (const name of names) {
    const value = read(memberOf(object, name))
    if (value !== null) return value
  }
  return null
}

/** The list a document is: itself, or the first of these members that is one. null: neither. */
export function documentList(json: Json, ...members: readonly string[]): readonly Json[] | null {
  if (Array.isArray(json)) return json as readonly Json[]
  const root = objectOf(json)
  if (root === null) return null
  const inside = members.map((name) => memberOf(root, name)).find((member) => Array.isArray(member))
  return inside === undefined ? null : listOf(inside)
}
