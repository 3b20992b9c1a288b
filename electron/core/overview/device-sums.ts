import type { FirmwareWord } from '../../contract/api/devices.ts'
import { roleOf, type ServiceVerdict } from '../../contract/firmware-verdict.ts'
import type { Overview, ProductFirmware } from '../../contract/api/overview.ts'
import { firmwareWord, complianceJoin, noFirmwareCounts } from '../devices/devices.ts'
import { timestampBefore } from '../lists/sql-filter.ts'
import type { Database } from '../platform.ts'

const day = 86_400_000
/** A device that was not seen for a week needs a check. Lower it if people want to know earlier. */
const silentAfterInMs = 7 * day
/** Contract. */
const productsAtMost = 12

export type DeviceSums = Pick<Overview, 'deviceCount' | 'firmware' | 'silent'>

/**
 * Devices that are not gone: by firmware, and the silent ones. One pass over their rows in storage order: an
 * index would access them in random order.
 */
export async function deviceSums(
  database: Database,
  organizationId: string,
  now: number,
): Promise<DeviceSums> {
  const rows = await database.query(
    `WITH sums AS MATERIALIZED (
       SELECT d.class_id, count(*) AS n, sum(d.last_seen_at <= ?2) AS silent FROM device_row d NOT INDEXED
       WHERE d.organization_id = ?1 AND d.gone = 0 GROUP BY d.class_id)
     SELECT sums.*, c.product_id, c.product_name, ${firmwareWord('s', 'c')} AS firmware, s.word AS catalogue, c.service
     FROM sums JOIN device_class c ON c.class_id = sums.class_id
     ${complianceJoin('s', 'c')}
     ORDER BY n DESC, c.class_id`,
    [organizationId, timestampBefore(now, silentAfterInMs)],
    'sum',
  )
  const words = noFirmwareCounts()
  const service = { decides: 0, contradicts: 0 }
  const products = new Map<number, { name: string | null; words: Record<FirmwareWord, number> }>()
  let [deviceCount, silent] = [0, 0]
  for (const row of rows) {
    const count = Number(row['n'])
    const firmware = String(row['firmware']) as FirmwareWord
    deviceCount += count
    silent += Number(row['silent'] ?? 0)
    words[firmware] += count
    const role = roleOf(
      (row['catalogue'] ?? 'unknown') as FirmwareWord,
      row['service'] as ServiceVerdict | null,
    )
    if (role !== null) service[role] += count
    if (row['product_id'] === null) continue
    const id = Number(row['product_id'])
    const product = products.get(id) ?? { name: null, words: noFirmwareCounts() }
    products.set(id, product)
    const name = row['product_name']
    // Its variants add to the name.
    if (typeof name === 'string' && (product.name === null || name.length < product.name.length))
      product.name = name
    product.words[firmware] += count
  }
  const visible = [...products]
    .map(([productId, { name, words: own }]): ProductFirmware => ({ productName: name, productId, ...own }))
    .sort(mostToDo)
    .slice(0, productsAtMost)
  return {
    deviceCount,
    firmware: {
      words,
      products: visible,
      others: deviceCount - visible.reduce((sum, product) => sum + devicesOf(product), 0),
      ...(service.decides + service.contradicts === 0 ? {} : { service }),
    },
    silent,
  }
}

/**
 * The number of devices that are not gone and were read longer ago than the limit, and the time of the oldest
 * read.
 */
export async function ageSums(
  database: Database,
  organizationId: string,
  now: number,
  staleAfterInMs: number,
): Promise<Pick<Overview, 'stale' | 'asOf'>> {
  const [row] = await database.query(
    `SELECT min(o.observed_at) AS oldest, sum(o.observed_at < ?2) AS stale FROM raw_record o NOT INDEXED
     WHERE o.organization_id = ?1 AND o.kind = 'device' AND o.gone_at IS NULL`,
    [organizationId, timestampBefore(now, staleAfterInMs)],
    'sum',
  )
  return {
    stale: Number(row?.['stale'] ?? 0),
    asOf: typeof row?.['oldest'] === 'number' ? row['oldest'] : null,
  }
}

const devicesOf = ({ current, behind, ahead, revoked, unknown }: ProductFirmware): number =>
  current + behind + ahead + revoked + unknown

/** As on Firmware: revoked firmware first. */
const mostToDo = (a: ProductFirmware, b: ProductFirmware): number =>
  b.revoked - a.revoked || b.behind - a.behind || devicesOf(b) - devicesOf(a) || a.productId - b.productId
