import { anyOf, condition, type Condition } from '../lists/condition.ts'
import { matchPhrase } from '../storage/search-text.ts'

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
