import type { DeviceSort } from '../../contract/api/devices.ts'
import type { DeviceSortColumn } from '../../contract/fields/device.ts'
import type { Condition } from '../lists/condition.ts'
import { orderQuery, type SqlOrder } from '../lists/sql-order.ts'
import { firmwareWord, roomJoin, complianceJoin } from './device-rows.ts'
import { storedOrders } from './stored-columns.ts'

/**
 * Devices that call for work come first: revoked, then the most releases behind. Devices without a result
 * come last.
 */
const complianceRank = `CASE ${firmwareWord('f', 'e')} WHEN 'revoked' THEN 0 WHEN 'behind' THEN 1000000 - min(COALESCE(f.behind_by, 0), 999999)
  WHEN 'ahead' THEN 2000000 WHEN 'current' THEN 3000000 END`

/** The source of the compliance: disputed ones first, then the service, then the catalogue. */
const whoseWord = `CASE WHEN COALESCE(f.word, 'unknown') = 'unknown' THEN CASE WHEN e.service IS NOT NULL THEN 1 END
  WHEN e.service = CASE WHEN f.word IN ('behind', 'revoked') THEN 'current' ELSE 'behind' END THEN 0 ELSE 2 END`

const room = { sql: roomJoin }
const read = { sql: 'LEFT JOIN raw_record o ON o.row_id = d.row_id' }
const ofClass = { sql: 'LEFT JOIN device_class c ON c.class_id = d.class_id' }

const orders = (complianceOwner: string): Readonly<Record<DeviceSortColumn, SqlOrder>> => {
  // Through the class: one lookup for each row, in two small tables, regardless of the planner's estimates.
  const withCompliance = {
    sql: `LEFT JOIN device_class e ON e.class_id = d.class_id ${complianceJoin('f', 'e', '?')}`,
    parameters: [complianceOwner],
  }
  return {
    ...storedOrders,
    // In the same way as `deviceTitle`.
    userOrRoom: { by: 'COALESCE(r.name_key, d.user_name_key, d.name_key)', join: room, always: true },
    productName: { by: 'c.product_words', join: ofClass },
    firmware: { by: complianceRank, join: withCompliance },
    firmwareService: { by: whoseWord, join: withCompliance },
    behindBy: { by: 'f.behind_by', join: withCompliance },
    approved: { by: `NULLIF(f.approved, 'none')`, join: withCompliance },
    status: { by: 'c.status_words', join: ofClass, always: true },
    roomName: { by: 'r.name_key', join: room },
    location: { by: 'r.location_key', join: room },
    observedAt: { by: 'o.observed_at', join: read, always: true },
    // In the order of the index.
    id: { by: 'd.id', always: true },
    goneAt: { by: 'o.gone_at', join: read },
    tags: {
      by: `(SELECT group_concat(k.word, char(10) ORDER BY k.word) FROM device_mark k INDEXED BY device_mark_of
      WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'tag')`,
    },
    note: {
      by: `(SELECT k.word FROM device_mark k INDEXED BY device_mark_of
      WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'note')`,
    },
  }
}

/**
 * The row ids of all matching rows, sorted; ties in natural order of the name, then by id. `complianceOwner`: which
 * compliance results to use.
 */
export function deviceOrder(complianceOwner: string, where: Condition, sort: DeviceSort): Condition {
  const byName = sort.find(({ column }) => column === 'name')
  const ties = [
    ...(byName === undefined ? ['d.name_key ASC'] : []),
    ...(sort.some(({ column }) => column === 'id')
      ? []
      : [`d.id ${byName?.descending === true ? 'DESC' : 'ASC'}`]),
  ]
  return orderQuery('SELECT d.row_id FROM device_row d', orders(complianceOwner), { where, sort, ties })
}
