import type { Database } from '../platform.ts'

type DeviceQueries = Pick<Database, 'query'>

export interface CommonFirmware {
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
  /** Devices, without gone ones. */
  readonly count: number
}

/** Devices that are not gone, by product id. */
export async function countDevicesByProduct(
  database: DeviceQueries,
  organizationId: string,
): Promise<ReadonlyMap<number, number>> {
  const sql = `SELECT c.product_id, sum(of_class.n) AS n FROM (
       SELECT class_id, count(*) AS n FROM device_row WHERE organization_id = ? AND gone = 0 GROUP BY class_id) of_class
     JOIN device_class c USING (class_id) WHERE c.product_id IS NOT NULL GROUP BY c.product_id`
  return new Map(
    (await database.query(sql, [organizationId], 'sum')).map((row) => [
      Number(row['product_id']),
      Number(row['n']),
    ]),
  )
}

/** The products, variants and firmware versions of most devices, most frequent first. `productId` null: of all. */
export async function queryCommonFirmware(
  database: DeviceQueries,
  organizationId: string,
  count: number,
  productId: number | null,
): Promise<readonly CommonFirmware[]> {
  const sql = `SELECT product_id, variant_type, firmware_version, count(*) AS n FROM device_row
    WHERE organization_id = ?1 AND gone = 0 AND product_id IS NOT NULL AND variant_type IS NOT NULL AND firmware_version IS NOT NULL
      AND (?2 IS NULL OR product_id = ?2)
    GROUP BY 1, 2, 3 ORDER BY n DESC, 1, 2, 3 LIMIT ?3`
  return (await database.query(sql, [organizationId, productId, count], 'sum')).map((row) => ({
    productId: Number(row['product_id']),
    variantType: String(row['variant_type']),
    firmwareVersion: String(row['firmware_version']),
    count: Number(row['n']),
  }))
}
