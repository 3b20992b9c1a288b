import type { DeviceSort } from '../../contract/api/devices.ts'
import type { DeviceSortColumn } from '../../contract/device.ts'
import type { Condition } from './condition.ts'
import { firmwareWord, placed } from './device-rows.ts'

type Joined = 'room' | 'read' | 'class' | 'standing'

/** Columns without which there is no device: they have no missing values to put last, and an index may serve them. */
const always: readonly DeviceSortColumn[] = ['name', 'id', 'status', 'observedAt']

/** What calls for work comes first: revoked, then the most releases behind. What has no standing is not known, hence last. */
const standingRank = `CASE ${firmwareWord('f', 'e')} WHEN 'revoked' THEN 0 WHEN 'behind' THEN 1000000 - min(COALESCE(f.behind_by, 0), 999999)
  WHEN 'ahead' THEN 2000000 WHEN 'current' THEN 3000000 END`

/** Column names reach SQL from this list only. */
const sortColumns: Readonly<Record<DeviceSortColumn, { readonly by: string; readonly joined?: Joined }>> = {
  name: { by: 'd.name_key' },
  productName: { by: 'c.product_words', joined: 'class' },
  serialNumber: { by: 'd.serial_number COLLATE NOCASE' },
  firmwareVersion: { by: 'd.firmware_key' },
  firmware: { by: standingRank, joined: 'standing' },
  status: { by: 'c.status_words', joined: 'class' },
  lastSeenAt: { by: 'd.last_seen_at' },
  roomName: { by: 'r.name_key', joined: 'room' },
  location: { by: 'r.location_key', joined: 'room' },
  userName: { by: 'd.user_name COLLATE NOCASE' },
  computerName: { by: 'd.computer_name COLLATE NOCASE' },
  operatingSystem: { by: 'd.operating_system COLLATE NOCASE' },
  ipAddress: { by: 'd.ip_key' },
  macAddress: { by: 'd.mac' },
  clientName: { by: 'd.client_name COLLATE NOCASE' },
  clientVersion: { by: 'd.client_key' },
  clientType: { by: 'd.client_type COLLATE NOCASE' },
  groupId: { by: 'd.group_id COLLATE NOCASE' },
  productId: { by: 'd.product_id' },
  variantType: { by: 'd.variant_type COLLATE NOCASE' },
  addedAt: { by: 'd.added_at' },
  observedAt: { by: 'o.observed_at', joined: 'read' },
  id: { by: 'd.id' },
}

const joins: Readonly<Record<Joined, string>> = {
  room: placed,
  read: 'LEFT JOIN raw_record o ON o.row_id = d.row_id',
  class: 'LEFT JOIN device_class c ON c.class_id = d.class_id',
  // Through the class: as many lookups as rows, in two small tables, whatever the planner thinks of their size.
  standing: `LEFT JOIN device_class e ON e.class_id = d.class_id
    LEFT JOIN firmware_standing f ON f.organization_id = ? AND f.product_id = e.product_id AND f.firmware_version = e.firmware_version`,
}

/** The row ids of every row that matches, in order: equal ones by name as people count, then by id. `standings`: whose standings count. */
export function orderQuery(standings: string, where: Condition, sort: DeviceSort): Condition {
  const entries = sort.filter(
    (entry, index) => sort.findIndex(({ column }) => column === entry.column) === index,
  )
  const needed = new Set(entries.flatMap(({ column }) => sortColumns[column].joined ?? []))
  const columns = entries.map(
    ({ column, descending }) =>
      `${sortColumns[column].by} ${descending ? 'DESC' : 'ASC'}${always.includes(column) ? '' : ' NULLS LAST'}`,
  )
  const byName = entries.find(({ column }) => column === 'name')
  const direction = byName?.descending === true ? 'DESC' : 'ASC'
  const ties = [
    ...(byName === undefined ? ['d.name_key ASC'] : []),
    ...(entries.some(({ column }) => column === 'id') ? [] : [`d.id ${direction}`]),
  ]
  return {
    sql: `SELECT d.row_id FROM device_row d ${[...needed].map((join) => joins[join]).join(' ')} WHERE ${where.sql} ORDER BY ${[...columns, ...ties].join(', ')}`,
    parameters: [...(needed.has('standing') ? [standings] : []), ...where.parameters],
  }
}
