import { deviceLabel } from '../../contract/device-name.ts'
import type { Database, SqlRow } from '../platform.ts'
import { roomJoin } from './device-rows.ts'
import { textOrNull } from '../storage/row-values.ts'

/** A device that matches a requested text; it may be a gone one. */
export interface NamedDevice {
  readonly id: string
  /** The complete name, as everywhere (device-name.ts). */
  readonly name: string
  readonly gone: boolean
  /**
   * The texts that match it: its id or serial number in lower case, its computer's MAC address as twelve
   * lower-case digits.
   */
  readonly answersTo: readonly string[]
}

/** In lower case like SQLite's `lower`: only A to Z. */
export const lookupKey = (word: string): string =>
  word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * The devices that match one of these texts (`lookupKey`), by id. One pass over the rows on the reading
 * thread: 10,000 texts among 100,000 devices take about a quarter of a second. Rejects with Failed
 * `cache-unusable`.
 */
export async function devicesNamed(
  database: Database,
  organizationId: string,
  words: readonly string[],
): Promise<readonly NamedDevice[]> {
  const rows = await database.query(
    `WITH asked (word) AS MATERIALIZED (SELECT value FROM json_each(?2))
     SELECT d.id, d.name, d.user_name, d.product_name, d.serial_number, r.name AS room_name, d.gone, lower(d.id) AS by_id, lower(d.serial_number) AS by_serial, d.mac_address_key AS by_mac
     FROM device_row d ${roomJoin}
     WHERE d.organization_id = ?1 AND (lower(d.id) IN asked OR lower(d.serial_number) IN asked OR d.mac_address_key IN asked) ORDER BY d.id`,
    [organizationId, JSON.stringify(words)],
  )
  return rows.map((row) => ({
    id: String(row['id']),
    name: labelOf(row),
    gone: row['gone'] === 1,
    answersTo: [row['by_id'], row['by_serial'], row['by_mac']].filter((word) => typeof word === 'string'),
  }))
}

const labelOf = (row: SqlRow): string =>
  deviceLabel({
    id: String(row['id']),
    name: textOrNull(row['name']),
    userName: textOrNull(row['user_name']),
    room: { name: textOrNull(row['room_name']) },
    productName: textOrNull(row['product_name']),
    serialNumber: textOrNull(row['serial_number']),
  })
