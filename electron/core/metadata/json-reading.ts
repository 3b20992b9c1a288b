import { foldedName, isJsonObject, type Json, type JsonObject } from '../../contract/json.ts'
import { saysError as envelopeSaysError } from '../service-client/service-client.ts'

/**
 * Tolerant readers for untrusted JSON: a missing value or one of another type gives null or an empty result.
 * Nothing here throws.
 */

export const objectOf = (json: Json | undefined): JsonObject | null => (isJsonObject(json) ? json : null)

export const listOf = (json: Json | undefined): readonly Json[] =>
  Array.isArray(json) ? (json as readonly Json[]) : []

export const objectsIn = (json: Json | undefined): readonly JsonObject[] =>
  listOf(json)
    .map(objectOf)
    .filter((item) => item !== null)

/** Text that is not blank; null otherwise. */
export const jsonText = (json: Json | undefined): string | null =>
  typeof json === 'string' && json.trim() !== '' ? json : null

/** Trimmed text, or a number as text: not `1e+300`, which would look like a version. */
export function scalarTextOf(json: Json | undefined): string | null {
  if (typeof json === 'number') return /^-?[\d.]+$/.test(String(json)) ? String(json) : null
  return jsonText(json)?.trim() ?? null
}

/** A text, or the name of an object: `{ "name": "Beta" }`. */
export function wordIn(json: Json | undefined): string | null {
  const record = objectOf(json)
  return record === null
    ? (jsonText(json)?.trim() ?? null)
    : firstOf(record, ['name', 'value', 'title', 'id'], (inner) => jsonText(inner)?.trim() ?? null)
}

const yes = new Set(['true', 'yes', 'y', 'on', '1'])
const no = new Set(['false', 'no', 'n', 'off', '0'])

/**
 * A boolean, or a text or number with that meaning: a setting with `"requiresRestart": "yes"` does restart.
 */
export function booleanOf(json: Json | undefined): boolean | null {
  if (typeof json === 'boolean') return json
  const word = scalarTextOf(json)?.toLowerCase() ?? ''
  return yes.has(word) ? true : no.has(word) ? false : null
}

/** A finite number, or text with one. */
export function numberOf(json: Json | undefined): number | null {
  const number = typeof json === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(json) ? Number(json) : json
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Hexadecimal in common notations: `0x0B0E`, `VID_0B0E`, and `0B0E`, which cannot be decimal. */
const hexadecimal = /^(?:0x|vid_|pid_)([0-9a-f]{1,8})$|^(?=[0-9a-f]*[a-f])([0-9a-f]{4})$/i

/**
 * An identifier in the type of path parameters (int32, not negative: services.md#A31), from a number or
 * text, decimal or hexadecimal.
 */
export function idOf(json: Json | undefined): number | null {
  const [, marked, bare] = (typeof json === 'string' ? hexadecimal.exec(json.trim()) : null) ?? []
  const digits = marked ?? bare
  const number = digits === undefined ? numberOf(json) : Number.parseInt(digits, 16)
  return number !== null && Number.isInteger(number) && number >= 0 && number <= 2_147_483_647 ? number : null
}

export const textsIn = (json: Json | undefined): readonly string[] =>
  listOf(json).flatMap((item) => jsonText(item) ?? [])

/**
 * The first member that is present and not null, by name in any spelling; the names are ordered by
 * reliability.
 */
export function memberOf(object: JsonObject, ...names: readonly string[]): Json | undefined {
  for (const name of names) {
    if (Object.hasOwn(object, name) && object[name] !== null) return object[name]
  }
  const folded = foldedMembers(object)
  for (const name of names) {
    const value = folded.get(foldedOnce(name))
    if (value !== undefined) return value
  }
  return undefined
}

/** The names that parsers look up, which are constants. */
const foldedNames = new Map<string, string>()

function foldedOnce(name: string): string {
  const folded = foldedNames.get(name) ?? foldedName(name)
  foldedNames.set(name, folded)
  return folded
}

/** Members by folded name, computed once for a record, because parsers look up many names that it lacks. */
const foldedOf = new WeakMap<JsonObject, ReadonlyMap<string, Json>>()

function foldedMembers(object: JsonObject): ReadonlyMap<string, Json> {
  const known = foldedOf.get(object)
  if (known !== undefined) return known
  const folded = new Map<string, Json>()
  for (const [name, value] of Object.entries(object)) {
    const foldedKey = foldedName(name)
    if (value !== null && !folded.has(foldedKey)) folded.set(foldedKey, value)
  }
  foldedOf.set(object, folded)
  return folded
}

/** The first member with a value that `read` accepts. */
export function firstOf<T>(
  object: JsonObject,
  names: readonly string[],
  parse: (json: Json | undefined) => T | null,
): T | null {
  for (const name of names) {
    const value = parse(memberOf(object, name))
    if (value !== null) return value
  }
  return null
}

/** One entry of a list, or of a dictionary: then the key may be a member that the record omits. */
export interface Entry {
  readonly key: string | null
  readonly value: Json
}

/** The entries of a list (nested lists are flattened) or of a dictionary; null: neither. */
export function entriesOf(json: Json | undefined): readonly Entry[] | null {
  if (Array.isArray(json)) return flat(json as readonly Json[], 1).map((value) => ({ key: null, value }))
  const dictionary = objectOf(json)
  return dictionary === null ? null : Object.entries(dictionary).map(([key, value]) => ({ key, value }))
}

/**
 * The records of a member that should be a list: the list, also in a wrapper, or a dictionary of records.
 * null: neither a list nor an object.
 */
export function recordEntriesOf(
  json: Json | undefined,
  ...members: readonly string[]
): readonly Entry[] | null {
  const dictionary = objectOf(json)
  if (dictionary === null || Object.values(dictionary).every((value) => objectOf(value) !== null))
    return entriesOf(json)
  return entriesOf(documentList(dictionary, ...members, 'items') ?? dictionary)
}

/** Depth to which nested lists are read. Raise it if real lists are deeper. */
const deepestList = 4

function flat(list: readonly Json[], depth: number): readonly Json[] {
  if (depth >= deepestList || !list.some((item) => Array.isArray(item))) return list
  return list.flatMap((item) => (Array.isArray(item) ? flat(item as readonly Json[], depth + 1) : [item]))
}

/** Names of wrappers around a response. They are common in other interfaces; add one when it is observed. */
const wrappers = ['data', 'result', 'results', 'response', 'payload', 'content', 'body', 'value', 'd']

/**
 * The list in a document: the document itself; the first of these members that is a list, also inside a
 * wrapper (`{ "data": { "items": […] } }`), where null means an empty one; else the only list of records,
 * whatever its name. null: no list, or the document reports an error, even if it contains lists.
 */
export function documentList(json: Json, ...members: readonly string[]): readonly Json[] | null {
  return listWithin(json, members, 1)
}

function listWithin(
  json: Json | undefined,
  members: readonly string[],
  depth: number,
): readonly Json[] | null {
  if (Array.isArray(json)) return flat(json as readonly Json[], 1)
  const root = objectOf(json)
  if (root === null || depth > deepestList || saysError(root)) return null
  for (const name of [...members, ...wrappers]) {
    const found = memberOf(root, name)
    const inside = found === undefined ? null : listWithin(found, members, depth + 1)
    if (inside !== null) return inside
  }
  if (members.some((name) => root[name] === null)) return []
  const others = Object.values(root).filter((value) => objectsIn(value).length > 0)
  return others.length === 1 ? flat(listOf(others[0]), 1) : null
}

/**
 * The record in a document: the object, also in a wrapper, or the only one of a list. null: none, or the
 * document reports an error.
 */
export function documentRecord(
  json: Json,
  isIt: (record: JsonObject) => boolean,
  depth = 1,
): JsonObject | null {
  const root =
    Array.isArray(json) && json.length === 1 ? objectOf((json as readonly Json[])[0]) : objectOf(json)
  if (root === null || saysError(root)) return null
  if (isIt(root) || depth > deepestList) return isIt(root) ? root : null
  for (const name of wrappers) {
    const inside = memberOf(root, name)
    const found = inside === undefined ? null : documentRecord(inside, isIt, depth + 1)
    if (found !== null) return found
  }
  return null
}

/**
 * Members of error bodies that do not describe a product (problem details and the gateway's,
 * services.md#B18).
 */
const talk = new Set([
  'title',
  'detail',
  'message',
  'type',
  'traceid',
  'instance',
  'requestid',
  'activityid',
  'status',
  'code',
  'timestamp',
  'path',
  'reason',
])

/** Whether an object reports an error: it says so, or contains only a sentence. */
export function saysError(record: JsonObject): boolean {
  const names = Object.keys(record).map((name) => name.toLowerCase())
  const isSentence =
    names.every((name) => talk.has(name)) &&
    names.some((name) => ['title', 'detail', 'message', 'reason'].includes(name))
  return isSentence || envelopeSaysError(record)
}
