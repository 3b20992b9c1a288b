import type { DeviceGroupColumn } from '../../contract/fields/device.ts'
import type { Condition } from '../lists/condition.ts'
import type { Counted } from '../lists/groups.ts'
import type { Database } from '../platform.ts'
import { roomJoin } from './device-rows.ts'

/**
 * Values that devices of a class share are counted by class (alias `d`, as in class conditions); rooms `r`
 * are looked up for each device.
 */
const labels: Readonly<Record<DeviceGroupColumn, string>> = {
  productName: 'd.product_name',
  firmwareVersion: 'd.firmware_version',
  status: 'd.status',
  roomName: 'COALESCE(r.name, r.id)',
  location: 'r.location',
}

/**
 * The number of matching devices `d` by value, and how many of them call for work (`needing`, by class), in
 * one scan.
 */
export async function countedBy(
  database: Database,
  { where, needing }: { readonly where: Condition; readonly needing: Condition },
  by: DeviceGroupColumn,
): Promise<readonly Counted[]> {
  const ofRoom = by === 'roomName' || by === 'location'
  const rows = await database.query(
    ofRoom
      ? `SELECT ${labels[by]} AS label, ${by === 'roomName' ? 'r.name IS NULL AND r.id IS NOT NULL' : '0'} AS nameless, count(*) AS n, count(*) FILTER (WHERE ${needing.sql}) AS needing
         FROM device_row d ${roomJoin} WHERE ${where.sql} GROUP BY 1, 2`
      : `SELECT ${labels[by]} AS label, 0 AS nameless, sum(n) AS n, sum(n) FILTER (WHERE ${needing.sql}) AS needing
         FROM (SELECT d.class_id, count(*) AS n FROM device_row d WHERE ${where.sql} GROUP BY d.class_id) g
         JOIN device_class d ON d.class_id = g.class_id GROUP BY 1`,
    [...needing.parameters, ...where.parameters],
    'sum',
  )
  return rows.map((row) => ({
    label: typeof row['label'] === 'string' ? row['label'] : null,
    count: Number(row['n']),
    needing: Number(row['needing']),
    nameless: row['nameless'] === 1,
  }))
}
