import type { Json, JsonObject } from '../../contract/json.ts'
import { objectOf } from './members.ts'

/**
 * Maximum characters of a stored record: a room that lists a thousand devices completely has some 600,000.
 * Raise it for larger rooms.
 */
const recordAtMost = 1024 * 1024
/**
 * Maximum levels of a record. Observed ones have four; unlimited nesting could not be serialized again. Raise
 * it if real records are deeper.
 */
const levelsAtMost = 32
/**
 * Members of an object in a record that is too large: walking through a million takes seconds. Raise it if
 * real records have more.
 */
const membersAtMost = 10_000
/**
 * In a record that is too large, the longest text that remains unchanged, in characters. Raise it if real
 * texts are cut.
 */
const textAtMost = 1_000

/**
 * A record as it is read and stored: as received, or cut if it is longer or deeper than any real record. Cuts
 * are marked in place, so that readers of the raw record see them. Never throws; the same record is always
 * cut in the same way.
 */
export const boundedRecord = (record: Json, atMost = recordAtMost): Json =>
  sizeOf(record, atMost, 0) > atMost ? cut(record, { left: atMost }, 0) : record

/**
 * Approximate length of a value's JSON, counted until it exceeds `atMost`; a value that is too deep counts as
 * too large.
 */
function sizeOf(json: Json, atMost: number, level: number): number {
  if (typeof json === 'string') return json.length + 2
  if (typeof json !== 'object' || json === null) return 5
  if (level >= levelsAtMost) return atMost + 1
  let size = 2
  if (Array.isArray(json)) {
    for (const one of json as readonly Json[]) {
      size += sizeOf(one, atMost - size, level + 1) + 1
      if (size > atMost) return size
    }
    return size
  }
  const object = json as JsonObject
  for (const name in object) {
    size += name.length + 4 + sizeOf(object[name] ?? null, atMost - size, level + 1)
    if (size > atMost) return size
  }
  return size
}

interface Room {
  left: number
}

function cut(json: Json, room: Room, level: number): Json {
  if (typeof json === 'string') {
    const text =
      json.length > textAtMost
        ? `${json.slice(0, textAtMost)}… (${json.length} characters, cut by Headroom)`
        : json
    room.left -= text.length + 2
    return text
  }
  if (typeof json !== 'object' || json === null) {
    room.left -= 5
    return json
  }
  if (level >= levelsAtMost) return '… (deeper levels cut by Headroom)'
  return Array.isArray(json)
    ? cutList(json as readonly Json[], room, level)
    : cutObject(json as JsonObject, room, level)
}

function cutList(list: readonly Json[], room: Room, level: number): Json {
  const included: Json[] = []
  for (const one of list) {
    if (room.left <= 0) return [...included, `… (${list.length - included.length} entries, cut by Headroom)`]
    included.push(cut(one, room, level + 1))
  }
  return included
}

/**
 * Texts, numbers and booleans are copied first, so that a list that is too long does not displace an id or
 * name after it.
 */
function cutObject(object: JsonObject, room: Room, level: number): Json {
  const members: [name: string, value: Json][] = []
  let count = 0
  for (const name in object) if (count++ < membersAtMost) members.push([name, object[name] ?? null])
  const included = new Map<string, Json>()
  for (const plainOnly of [true, false])
    for (const [name, value] of members) {
      if (isPlain(value) !== plainOnly || room.left <= 0) continue
      room.left -= Math.min(name.length, textAtMost) + 4
      included.set(name, cut(value, room, level + 1))
    }
  const visible = members.flatMap(([name]) => {
    const value = included.get(name)
    return value === undefined
      ? []
      : [[name.length > textAtMost ? `${name.slice(0, textAtMost)}…` : name, value] as const]
  })
  // fromEntries creates an own member even for a name such as __proto__.
  return Object.fromEntries(
    included.size === count
      ? visible
      : [...visible, ['…', `${count - included.size} members, cut by Headroom`]],
  )
}

const isPlain = (json: Json): boolean => objectOf(json) === null && !Array.isArray(json)
