import { anyOf, condition, allOf, type Condition } from '../lists/condition.ts'
import { matchPhrase, comparable } from '../storage/search-text.ts'
import { like } from '../lists/sql-filter.ts'

/**
 * Rows whose own texts contain every three-letter sequence of the text, anywhere: the index narrows the rows,
 * and a comparison must follow.
 */
export function narrowed(text: string): Condition | null {
  const letters = [...text]
  if (letters.length < 3) return null
  const trigrams = letters.slice(2).map((_, index) => matchPhrase(letters.slice(index, index + 3).join('')))
  return condition(
    'd.row_id IN (SELECT rowid FROM device_search WHERE device_search MATCH ?)',
    [...new Set(trigrams)].slice(0, trigramsAtMost).join(' AND '),
  )
}

/** More three-letter pieces hardly narrow the rows further. Raise it if long texts match slowly. */
const trigramsAtMost = 12

/** Devices of these classes (`device_class c`). */
export function ofClass(organizationId: string, { sql, parameters }: Condition): Condition {
  return condition(
    `d.class_id IN (SELECT c.class_id FROM device_class c WHERE c.organization_id = ? AND ${sql})`,
    organizationId,
    ...parameters,
  )
}

export interface RoomContext {
  readonly organizationId: string
  readonly hasRoomByRecord: boolean
}

/**
 * Devices in one of these rooms (`room_row y`): a device is in the room its group id names, else in the one
 * whose record lists it. The same rule as `roomJoin` in device-rows.ts, starting from the rooms, which are
 * few. If no device is placed by a record, members are not compared: comparing every id with theirs takes
 * more than half of a filter's time (measured).
 */
export function inRoom(
  { organizationId, hasRoomByRecord }: RoomContext,
  { sql, parameters }: Condition,
): Condition {
  const rooms = `SELECT y.id FROM room_row y WHERE y.organization_id = ? AND ${sql}`
  const given = [organizationId, ...parameters]
  const named = condition(
    `d.group_id IN (SELECT x.alias FROM record_alias x WHERE x.organization_id = ? AND x.kind = 'room' AND x.id IN (${rooms}))`,
    organizationId,
    ...given,
  )
  if (!hasRoomByRecord) return named
  return anyOf([
    named,
    condition(
      `((${namesRoom}) IS NOT TRUE
        AND d.id IN (SELECT x.device_id FROM room_member x WHERE x.organization_id = ? AND x.room_id IN (${rooms})))`,
      organizationId,
      organizationId,
      ...given,
    ),
  ])
}

const namesRoom = `d.group_id IN (SELECT x.alias FROM record_alias x WHERE x.organization_id = ? AND x.kind = 'room' AND x.id IS NOT NULL)`

/**
 * Whether any device is placed by a room's record. Members are few: 20 ms for 18,000 among 100,000 devices
 * (measured).
 */
export const anyRoomByRecord = (organizationId: string): Condition =>
  condition(
    `SELECT EXISTS (
      SELECT 1 FROM room_member m CROSS JOIN device_row d INDEXED BY device_row_id ON d.organization_id = m.organization_id AND d.id = m.device_id
      WHERE m.organization_id = ? AND (${namesRoom}) IS NOT TRUE) AS placed`,
    organizationId,
    organizationId,
  )

/** A word, or a quoted phrase, matches the texts of the device itself, its product, its room, or its id. */
export function freeWord(context: RoomContext, typed: string): Condition {
  const word = typed.trim()
  if (word === '') return condition('1')
  const ids =
    [...word].length < shortestId
      ? []
      : [condition('lower(d.id) = ?', word), condition('lower(d.group_id) = ?', word)]
  // The cheapest condition first: one number among some hundred classes, then texts.
  return anyOf([
    ofClass(context.organizationId, like('c.product_words', word, false)),
    ...spellings(word).map(ownCondition),
    ...ids,
    inRoom(context, like('y.words', word, false)),
  ])
}

/**
 * Prefixes of a word that match everything the word matches, the longest first. None if the word may be more
 * than a part of a text: an id, or a MAC address with separators.
 */
export function widerWords(typed: string): readonly string[] {
  const word = comparable(typed).trim()
  if ([...word].length >= shortestId || /[:.-]/.test(word)) return []
  const letters = [...typed]
  return letters
    .slice(1)
    .map((_, index) => letters.slice(0, letters.length - 1 - index).join(''))
    .filter((beginning) => {
      const wider = comparable(beginning).trim()
      return wider !== '' && word.includes(wider)
    })
}

/**
 * Ids are compared as a whole, and none is shorter (services.md#B40: 41 characters; a group id is a GUID).
 */
const shortestId = 8

/** The index narrows the candidates, the text decides. */
function ownCondition(word: string): Condition {
  const decides = like('d.words', word, false)
  const narrows = narrowed(word)
  return narrows === null ? decides : allOf([narrows, decides])
}

/** A complete or partial MAC address matches with any separators: rows store it without. */
function spellings(word: string): readonly string[] {
  const looksLikeMac =
    /^[0-9a-f]{2}([:-][0-9a-f]{2})+[:-]?[0-9a-f]?$/.test(word) ||
    /^[0-9a-f]{4}(\.[0-9a-f]{4}){1,2}$/.test(word)
  return looksLikeMac ? [word, word.replaceAll(/[:.-]/g, '')] : [word]
}
