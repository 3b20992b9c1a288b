import type { FirmwareWord } from '../../contract/api/devices.ts'
import type { FleetStatus, ProductStatus } from '../../contract/api/firmware.ts'
import { firmwareWord, complianceJoin, noFirmwareCounts } from '../devices/devices.ts'
import type { Database } from '../platform.ts'
import type { Approvals } from './approvals.ts'
import type { Compliance } from './compliance.ts'
import type { Firmware } from './firmware.ts'

type ProductCounts = Pick<ProductStatus, 'productId' | 'devices' | 'inUse' | 'newest' | FirmwareWord> & {
  /** The name that most of its devices have; null: none has one. */
  readonly name: string | null
}

/** Maximum number of versions listed for one product. Raise it if versions in use are missing. */
const versionsAtMost = 50

/**
 * The fleet's products with the newest and approved versions, from stored data. `judged`: as in `openDevices`. Rejects with Failed
 * `cache-unusable`.
 */
export async function fleetStatus(
  {
    database,
    organizationId,
    vendorId,
    judged,
  }: { database: Database; organizationId: string; vendorId: number; judged: string },
  firmware: Pick<Firmware, 'byIds' | 'latestByIds'>,
  approvals: Pick<Approvals, 'decisions'>,
  compliance: Pick<Compliance, 'comparing'>,
): Promise<Omit<FleetStatus, 'unread'>> {
  const [counts, decisions, product, latestOf, comparing] = await Promise.all([
    productCounts(database, organizationId, judged),
    approvals.decisions(),
    firmware.byIds({ cachedOnly: true }),
    firmware.latestByIds({ cachedOnly: true }),
    compliance.comparing(),
  ])
  const products = await Promise.all(
    counts.map(async ({ name: statedName, newest, ...counted }): Promise<ProductStatus> => {
      const id = { vendorId, productId: counted.productId }
      const { name, latestVersion, variants } = await product(id)
      const latest = await latestOf(id)
      const approved = [null, ...variants.map((one) => one.variantType)].flatMap((variant) => {
        const decision = decisions.of(id, variant)
        return decision.kind === 'valid' ? [decision.version] : []
      })
      const [first = null] = approved
      return {
        ...id,
        ...counted,
        name: variants.length === 0 ? (statedName ?? name) : name,
        newest: newest ?? latestVersion,
        newestReleasedAt: latest?.version === (newest ?? latestVersion) ? (latest?.releasedAt ?? null) : null,
        approved: approved.every((version) => version === first) ? first : null,
      }
    }),
  )
  return { comparedWith: decisions.comparesWith, ...(comparing === null ? {} : { comparing }), products }
}

/**
 * The products of the fleet, most devices first, with the compliance values of lists and filters. One pass
 * over the devices.
 */
async function productCounts(
  database: Database,
  organizationId: string,
  judged: string,
): Promise<readonly ProductCounts[]> {
  const rows = await database.query(
    `WITH sums AS MATERIALIZED (
       SELECT class_id, count(*) AS n FROM device_row NOT INDEXED WHERE organization_id = ?1 AND gone = 0 GROUP BY class_id)
     SELECT sums.n, c.product_id, c.product_name, c.firmware_version, s.latest, ${firmwareWord('s', 'c')} AS word
     FROM sums JOIN device_class c ON c.class_id = sums.class_id ${complianceJoin('s', 'c', '?2')}
     WHERE c.product_id IS NOT NULL ORDER BY sums.n DESC, c.class_id`,
    [organizationId, organizationId + judged],
  )
  const products = new Map<number, Counting>()
  for (const row of rows) {
    const productId = Number(row['product_id'])
    const one: Counting = products.get(productId) ?? {
      name: null,
      newest: null,
      words: noFirmwareCounts(),
      versions: new Map(),
    }
    products.set(productId, one)
    const count = Number(row['n'])
    const version = typeof row['firmware_version'] === 'string' ? row['firmware_version'] : null
    one.name ??= typeof row['product_name'] === 'string' ? row['product_name'] : null
    one.words[String(row['word']) as FirmwareWord] += count
    // Lists of the same age as the counts: a newer one is not compared yet, and another address has none.
    if (typeof row['latest'] === 'string') one.newest ??= row['latest']
    one.versions.set(version, (one.versions.get(version) ?? 0) + count)
  }
  return [...products]
    .map(([productId, { name, newest, words, versions }]) => ({
      productId,
      name,
      newest,
      ...words,
      devices: Object.values(words).reduce((sum, count) => sum + count, 0),
      inUse: [...versions]
        .map(([version, devices]) => ({ version, devices }))
        .sort((a, b) => b.devices - a.devices)
        .slice(0, versionsAtMost),
    }))
    .sort((a, b) => b.devices - a.devices || a.productId - b.productId)
}

/** Revoked releases of the fleet's products that devices run. Rejects with Failed `cache-unusable`. */
export async function withdrawnInUse(
  database: Database,
  organizationId: string,
): Promise<readonly { readonly product: string; readonly version: string; readonly devices: number }[]> {
  const rows = await database.query(
    `WITH sums AS MATERIALIZED (
       SELECT class_id, count(*) AS n FROM device_row NOT INDEXED WHERE organization_id = ?1 AND gone = 0 GROUP BY class_id)
     SELECT c.product_name AS product, c.firmware_version AS version, sum(sums.n) AS devices
     FROM sums JOIN device_class c ON c.class_id = sums.class_id ${complianceJoin('s', 'c')}
     WHERE c.product_name IS NOT NULL AND c.firmware_version IS NOT NULL AND ${firmwareWord('s', 'c')} = 'revoked' GROUP BY 1, 2`,
    [organizationId],
  )
  return rows.map((row) => ({
    product: String(row['product']),
    version: String(row['version']),
    devices: Number(row['devices']),
  }))
}

interface Counting {
  name: string | null
  newest: string | null
  readonly words: Record<FirmwareWord, number>
  readonly versions: Map<string | null, number>
}
