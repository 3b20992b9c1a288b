import type { WordCount } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import { deviceFields } from '../../contract/fields/device.ts'
import { tokenOf } from '../../contract/fields/field.ts'
import { keyNamed } from '../../contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../contract/filter/vocabularies.ts'
import type { Database } from '../platform.ts'
import { allOf, condition, type Condition } from '../lists/condition.ts'
import { countsOf } from '../lists/slice.ts'
import { like, type SqlPlace } from '../lists/sql-filter.ts'
import { comparable } from '../storage/search-text.ts'
import type { ClassCounts } from './device-counts.ts'
import { roomLocation, roomName, rowPlaces } from './device-query.ts'
import { normalizedMac, textKeys } from './stored-columns.ts'
import { narrowed } from './text-conditions.ts'

const suggestedAtMost = 20
/**
 * Rows to scan for a column where nearly every device has its own value: a tenth of a second at most. Lower
 * it if suggestions feel slow.
 */
const rowsLookedAt = 20_000

/** Class columns with suggestions, and the value they are compared by. */
const classColumns: Readonly<Record<string, { readonly word: string; readonly compared: string }>> = {
  status: { word: 'c.status', compared: 'c.status_words' },
  product: { word: 'c.product_name', compared: 'c.product_words' },
  fw: { word: 'c.firmware_version', compared: 'c.firmware_version' },
  pid: { word: 'CAST(c.product_id AS TEXT)', compared: 'CAST(c.product_id AS TEXT)' },
}
/** Row texts with suggestions, by token. */
const suggestedTexts: Readonly<Record<string, SqlPlace & { readonly known: string }>> = {
  ...Object.fromEntries(textKeys.map((key) => [tokenOf(deviceFields, key), rowPlaces[key]])),
  'client-type': { by: 'd.client_type', known: 'd.client_type' },
  'client-version': { by: 'd.client_version', known: 'd.client_version' },
}
const roomColumns: Readonly<Record<string, { readonly word: string; readonly compared: string }>> = {
  room: { word: 'y.name', compared: roomName },
  location: { word: 'y.location', compared: roomLocation },
}

/**
 * Values of a field that contain the typed text, most devices first, at most 20. Gone devices do not count.
 * Empty for a key without texts (ages, `gone`). Rejects with Failed `invalid`, field `key`, for one outside
 * the vocabulary.
 */
export async function suggestionsOf(
  database: Database,
  organizationId: string,
  { key, typed }: { readonly key: string; readonly typed: string },
  classes: () => Promise<ClassCounts>,
): Promise<readonly WordCount[]> {
  const known = keyNamed(deviceVocabulary, key)
  if (known === undefined) throw Failed.invalid('key', 'There is no filter with this name.')
  const text = comparable(typed)
  const ofClass = classColumns[known.key]
  if (ofClass !== undefined) return classValues(database, organizationId, ofClass, text, await classes())
  const ofRoom = roomColumns[known.key]
  if (ofRoom !== undefined) return words(database, ...roomValues(organizationId, ofRoom, text))
  const ofRow = suggestedTexts[known.key]
  if (ofRow !== undefined) {
    const { known: column, by, narrow } = ofRow
    return rowValues(database, organizationId, column, like(by, text, false), narrow?.(text) ?? null)
  }
  if (known.key === 'mac') {
    const bare = normalizedMac(text)
    return rowValues(
      database,
      organizationId,
      'd.mac_address',
      like('d.mac_address_key', bare, false),
      narrowed(bare),
    )
  }
  if (known.key === 'tag' || known.key === 'list') {
    const holds = like('k.word', text, false)
    return words(
      database,
      `SELECT k.name AS word, count(*) AS n FROM device_mark k WHERE k.organization_id = ? AND k.kind = ? AND ${holds.sql} GROUP BY k.word`,
      [organizationId, known.key, ...holds.parameters],
    )
  }
  return []
}

async function words(
  database: Database,
  sql: string,
  parameters: Condition['parameters'],
): Promise<readonly WordCount[]> {
  const rows = await database.query(`${sql} ORDER BY n DESC, word LIMIT ${suggestedAtMost}`, parameters)
  return rows.map((row) => ({ word: String(row['word']), count: Number(row['n']) }))
}

async function classValues(
  database: Database,
  organizationId: string,
  { word, compared }: { readonly word: string; readonly compared: string },
  text: string,
  counts: ClassCounts,
): Promise<readonly WordCount[]> {
  const holds = like(compared, text, false)
  const rows = await database.query(
    `SELECT c.class_id, ${word} AS word FROM device_class c WHERE c.organization_id = ? AND ${word} IS NOT NULL AND ${holds.sql}`,
    [organizationId, ...holds.parameters],
  )
  return countsOf(
    rows.flatMap((row) => {
      const count = counts.get(Number(row['class_id']))
      return count === undefined ? [] : [[String(row['word']), count] as const]
    }),
  ).slice(0, suggestedAtMost)
}

function rowValues(
  database: Database,
  organizationId: string,
  column: string,
  holds: Condition,
  narrows: Condition | null,
): Promise<readonly WordCount[]> {
  const where = allOf([
    condition(`d.organization_id = ? AND d.gone = 0 AND ${column} IS NOT NULL`, organizationId),
    ...(narrows === null ? [] : [narrows]),
    holds,
  ])
  return words(
    database,
    `SELECT word, count(*) AS n FROM (SELECT ${column} AS word FROM device_row d WHERE ${where.sql} LIMIT ${rowsLookedAt}) GROUP BY word`,
    where.parameters,
  )
}

/**
 * Rooms as a device list shows them: a device is in the room its group id names, else in the one that lists
 * it. `CROSS` and `+` stop the planner from scanning all rows of the organization for every room.
 */
function roomValues(
  organizationId: string,
  { word, compared }: { readonly word: string; readonly compared: string },
  text: string,
): [sql: string, parameters: Condition['parameters']] {
  const holds = like(compared, text, false)
  return [
    `SELECT word, sum(devices) AS n FROM (
       SELECT ${word} AS word,
         (SELECT count(*) FROM record_alias x CROSS JOIN device_row d ON d.organization_id = x.organization_id AND d.group_id = x.alias
          WHERE x.organization_id = y.organization_id AND x.kind = 'room' AND x.id = y.id AND +d.gone = 0)
         + (SELECT count(*) FROM room_member m CROSS JOIN device_row d ON d.organization_id = m.organization_id AND d.id = m.device_id
            WHERE m.organization_id = y.organization_id AND m.room_id = y.id AND +d.gone = 0 AND NOT EXISTS (
              SELECT 1 FROM record_alias x WHERE x.organization_id = d.organization_id AND x.kind = 'room' AND x.alias = d.group_id AND x.id IS NOT NULL)) AS devices
       FROM room_row y WHERE y.organization_id = ? AND y.gone = 0 AND ${word} IS NOT NULL AND ${holds.sql})
     GROUP BY word`,
    [organizationId, ...holds.parameters],
  ]
}
