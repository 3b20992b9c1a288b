import { anyOf, condition, type Condition } from '../lists/condition.ts'
import { matchPhrase } from '../storage/search-text.ts'

/** Rows whose own words hold every three letters in a row of the text, in any place: the index narrows, a comparison must decide. */
export function narrowed(text: string): Condition | null {
  const letters = [...text]
  if (letters.length < 3) return null
  const trigrams = letters.slice(2).map((_, index) => matchPhrase(letters.slice(index, index + 3).join('')))
  return condition(
    'd.row_id IN (SELECT rowid FROM device_search WHERE device_search MATCH ?)',
    [...new Set(trigrams)].slice(0, trigramsAsked).join(' AND '),
  )
}

/** More three-letter pieces narrow the rows no further. Chosen. */
const trigramsAsked = 12

/** Devices of these classes (`device_class c`). */
export function ofClass(organizationId: string, { sql, parameters }: Condition): Condition {
  return condition(
    `d.class_id IN (SELECT c.class_id FROM device_class c WHERE c.organization_id = ? AND ${sql})`,
    organizationId,
    ...parameters,
  )
}

/**
 * Devices that stand in one of these rooms (`room_row y`): a device stands in the room its group id names, else in the one whose
 * record lists it. The same rule as `placed` in device-rows.ts, asked from the side of the rooms, which are few.
 */
export function inRoom(organizationId: string, { sql, parameters }: Condition): Condition {
  const rooms = `SELECT y.id FROM room_row y WHERE y.organization_id = ? AND ${sql}`
  const given = [organizationId, ...parameters]
  return anyOf([
    condition(
      `d.group_id IN (SELECT x.alias FROM record_alias x WHERE x.organization_id = ? AND x.kind = 'room' AND x.id IN (${rooms}))`,
      organizationId,
      ...given,
    ),
    condition(
      `((d.group_id IN (SELECT x.alias FROM record_alias x WHERE x.organization_id = ? AND x.kind = 'room' AND x.id IS NOT NULL)) IS NOT TRUE
        AND d.id IN (SELECT x.device_id FROM room_member x WHERE x.organization_id = ? AND x.room_id IN (${rooms})))`,
      organizationId,
      organizationId,
      ...given,
    ),
  ])
}
