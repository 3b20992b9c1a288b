import type { DeviceSort, DeviceSortColumn } from '../../contract/device.ts'
import { Failed } from '../../contract/failure.ts'
import { readFilter } from '../../contract/filter-reader.ts'
import { deviceVocabulary } from '../../contract/filter-words.ts'
import type { SqlValue } from '../host.ts'
import { likePattern, matchPhrase, searchWords } from '../storage/search-text.ts'
import { placed } from './device-rows.ts'

export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** Column names reach SQL from this list only. */
const sortColumns: Readonly<Partial<Record<DeviceSortColumn, string>>> = {
  name: 'd.name_key',
  productName: 'd.product_name COLLATE NOCASE',
  serialNumber: 'd.serial_number COLLATE NOCASE',
  firmwareVersion: 'd.firmware_key',
  status: 'd.status',
  lastSeenAt: 'd.last_seen_at',
  roomName: 'r.name_key',
  userName: 'd.user_name COLLATE NOCASE',
}

/** A sort's row ids, whole. Rows without a value come last either way; equal ones by name as people count, then by id. */
export function orderQuery(organizationId: string, where_: string, sorts: DeviceSort): Condition {
  const sort = sorts[0] ?? { column: 'name' as const, descending: false }
  const column = sortColumns[sort.column] ?? 'd.name_key'
  const where = filterCondition(organizationId, where_)
  const direction = sort.descending ? 'DESC' : 'ASC'
  const missing = sort.column === 'name' || sort.column === 'status' ? '' : `${column.replace(' COLLATE NOCASE', '')} IS NULL, `
  const tie = sort.column === 'name' ? `d.id ${direction}` : 'd.name_key, d.id'
  return {
    sql: `SELECT d.row_id FROM device_row d ${sort.column === 'roomName' ? placed : ''} WHERE ${where.sql} ORDER BY ${missing}${column} ${direction}, ${tie}`,
    parameters: where.parameters,
  }
}

/** Everything typed travels as a parameter; `d` is the device row. */
export function filterCondition(organizationId: string, where: string): Condition {
  const sql: string[] = ['d.organization_id = ?']
  const parameters: SqlValue[] = [organizationId]
  const { terms, problems } = readFilter(where, deviceVocabulary)
  if (problems.length > 0) throw new Failed({ kind: 'invalid', field: 'where', message: 'This filter cannot be read.' })
  if (!terms.some((term) => term.key === 'gone')) sql.push('d.gone = 0')
  for (const term of terms) {
    if (term.key === 'status') {
      sql.push('d.status IN (SELECT value FROM json_each(?))')
      parameters.push(JSON.stringify(term.values))
    } else if (term.key === 'product') {
      sql.push('d.product_name IN (SELECT value FROM json_each(?))')
      parameters.push(JSON.stringify(term.values))
    } else if (term.key === null)
      for (const word of searchWords(term.values[0] ?? '')) {
        const { sql: found, parameters: given } = wordCondition(organizationId, word)
        sql.push(found)
        parameters.push(...given)
      }
  }
  return { sql: sql.join(' AND '), parameters }
}

/** A word is found in the device's own words, its product, its room, or is its id. */
function wordCondition(organizationId: string, word: string): Condition {
  const like = likePattern(word)
  const own = spellings(word).map(ownCondition)
  const ids: Condition[] = [...word].length < shortestId ? [] : [{ sql: 'lower(d.id) = ? OR lower(d.group_id) = ?', parameters: [word, word] }]
  const product = {
    sql: `d.product_name IN (SELECT product_name FROM device_product WHERE organization_id = ? AND words LIKE ? ESCAPE '\\')`,
    parameters: [organizationId, like],
  }
  const room = {
    sql: `d.group_id IN (SELECT x.alias FROM room_row y JOIN record_alias x ON x.organization_id = y.organization_id AND x.kind = 'room' AND x.id = y.id
                         WHERE y.organization_id = ? AND y.words LIKE ? ESCAPE '\\')
          OR d.id IN (SELECT x.device_id FROM room_row y JOIN room_member x ON x.organization_id = y.organization_id AND x.room_id = y.id
                      WHERE y.organization_id = ? AND y.words LIKE ? ESCAPE '\\')`,
    parameters: [organizationId, like, organizationId, like],
  }
  const any: Condition[] = [...own, ...ids, product, room]
  return { sql: `(${any.map((condition) => condition.sql).join(' OR ')})`, parameters: any.flatMap((condition) => condition.parameters) }
}

/** Ids are compared whole, and none is shorter (observed: 41 characters; a group id is a guid). */
const shortestId = 8

/** The index knows which rows hold every three letters in a row of the word, in any place; the text decides. */
function ownCondition(word: string): Condition {
  const letters = [...word]
  if (letters.length < 3) return { sql: `d.words LIKE ? ESCAPE '\\'`, parameters: [likePattern(word)] }
  const trigrams = letters.slice(2).map((_, index) => matchPhrase(letters.slice(index, index + 3).join('')))
  return {
    sql: `(d.row_id IN (SELECT rowid FROM device_search WHERE device_search MATCH ?) AND d.words LIKE ? ESCAPE '\\')`,
    parameters: [[...new Set(trigrams)].slice(0, trigramsAsked).join(' AND '), likePattern(word)],
  }
}

/** More three-letter pieces narrow the rows no further. Chosen. */
const trigramsAsked = 12

/** A MAC address, whole or begun, is found with any separators: rows hold it without. */
function spellings(word: string): readonly string[] {
  const looksLikeMac = /^[0-9a-f]{2}([:-][0-9a-f]{2})+[:-]?[0-9a-f]?$/.test(word) || /^[0-9a-f]{4}(\.[0-9a-f]{4}){1,2}$/.test(word)
  return looksLikeMac ? [word, word.replaceAll(/[:.-]/g, '')] : [word]
}
