import type { DeviceGroupColumn } from '../../contract/fields/device.ts'
import type { Condition } from '../lists/condition.ts'
import type { Counted } from '../lists/groups.ts'
import type { Database } from '../platform.ts'
import { placed } from './device-rows.ts'

/** What devices of a class `c` share is counted by class; rooms `r` are looked up for each device. */
const labels: Readonly<Record<DeviceGroupColumn, string>> = {
  productName: 'c.product_name',
  firmwareVersion: 'c.firmware_version',
  status: 'c.status',
  roomName: 'COALESCE(r.name, r.id)',
  location: 'r.location',
}

/** How many of the devices `d` that match have what there. */
export async function countedBy(
  database: Database,
  where: Condition,
  by: DeviceGroupColumn,
): Promise<readonly Counted[]> {
  const ofRoom = by === 'roomName' || by === 'location'
  const rows = await database.read(
    ofRoom
      ? `SELECT ${labels[by]} AS label, ${by === 'roomName' ? 'r.name IS NULL AND r.id IS NOT NULL' : '0'} AS nameless, count(*) AS n
         FROM device_row d ${placed} WHERE ${where.sql} GROUP BY 1, 2`
      : `SELECT ${labels[by]} AS label, 0 AS nameless, sum(n) AS n
         FROM (SELECT d.class_id, count(*) AS n FROM device_row d WHERE ${where.sql} GROUP BY d.class_id) g
         JOIN device_class c ON c.class_id = g.class_id GROUP BY 1`,
    where.parameters,
    'sum',
  )
  return rows.map((row) => ({
    label: typeof row['label'] === 'string' ? row['label'] : null,
    count: Number(row['n']),
    nameless: row['nameless'] === 1,
  }))
}
