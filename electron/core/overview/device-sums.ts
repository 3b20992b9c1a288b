import type { FirmwareWord, WordCount } from '../../contract/api/devices.ts'
import { roleOf, type ServiceVerdict } from '../../contract/firmware-verdict.ts'
import type { Overview, ProductFirmware } from '../../contract/api/overview.ts'
import { firmwareWord, standingJoin } from '../devices/devices.ts'
import { momentAgo } from '../lists/sql-filter.ts'
import type { Database } from '../platform.ts'

const hour = 3_600_000
const day = 24 * hour
/** What a technician asks for: yesterday, a week, a month, a quarter. Chosen. */
const seenSteps = [day, 7 * day, 30 * day, 90 * day] as const
/** Of this hour, of this shift, of today, of this week. Chosen. */
const readSteps = [hour, 8 * hour, day, 7 * day] as const
/** Contract. */
const productsAtMost = 12

export type DeviceSums = Pick<Overview, 'deviceCount' | 'firmware' | 'statuses' | 'lastSeen' | 'neverSeen'>

/** Devices that are not gone: by status and firmware, and by when they were last seen. One pass over their rows as they lie: an index would jump among them. */
export async function deviceSums(
  database: Database,
  organizationId: string,
  now: number,
): Promise<DeviceSums> {
  const seen = seenSteps.map((_, index) => `sum(d.last_seen_at <= ?${index + 2}) AS seen_${index}`).join(', ')
  const rows = await database.read(
    `WITH sums AS MATERIALIZED (
       SELECT d.class_id, count(*) AS n, sum(d.last_seen_at IS NULL) AS never, ${seen} FROM device_row d NOT INDEXED
       WHERE d.organization_id = ?1 AND d.gone = 0 GROUP BY d.class_id)
     SELECT sums.*, c.status, c.status_words, c.product_name, c.product_words, ${firmwareWord('s', 'c')} AS firmware, s.word AS catalogue, c.service
     FROM sums JOIN device_class c ON c.class_id = sums.class_id
     ${standingJoin('s', 'c')}
     ORDER BY n DESC, c.class_id`,
    [organizationId, ...seenSteps.map((step) => momentAgo(now, step))],
    'sum',
  )
  const words = noFirmware()
  const service = { decides: 0, contradicts: 0 }
  const statuses = new Tally()
  const products = new Map<string, { name: string; words: Record<FirmwareWord, number> }>()
  const lastSeen = seenSteps.map(() => 0)
  let [deviceCount, neverSeen] = [0, 0]
  for (const row of rows) {
    const count = Number(row['n'])
    const firmware = String(row['firmware']) as FirmwareWord
    deviceCount += count
    neverSeen += Number(row['never'])
    for (const index of seenSteps.keys())
      lastSeen[index] = (lastSeen[index] ?? 0) + Number(row[`seen_${index}`] ?? 0)
    words[firmware] += count
    const role = roleOf(
      (row['catalogue'] ?? 'unknown') as FirmwareWord,
      row['service'] as ServiceVerdict | null,
    )
    if (role !== null) service[role] += count
    statuses.add(String(row['status_words']), String(row['status']), count)
    if (typeof row['product_words'] !== 'string') continue
    // By the words a filter compares: two spellings of one product are one line, as its link finds them.
    const product = products.get(row['product_words']) ?? {
      name: String(row['product_name']),
      words: noFirmware(),
    }
    products.set(row['product_words'], product)
    product.words[firmware] += count
  }
  const shown = [...products.values()]
    .map(({ name, words: own }): ProductFirmware => ({ productName: name, ...own }))
    .sort(mostToDo)
    .slice(0, productsAtMost)
  return {
    deviceCount,
    firmware: {
      words,
      products: shown,
      others: deviceCount - shown.reduce((sum, product) => sum + devicesOf(product), 0),
      ...(service.decides + service.contradicts === 0 ? {} : { service }),
    },
    statuses: statuses.list(),
    lastSeen: seenSteps.map((atLeastInMs, index) => ({ atLeastInMs, count: lastSeen[index] ?? 0 })),
    neverSeen,
  }
}

/** Devices that are not gone by when their record was read, how many are older than the limit, and the oldest of those moments. */
export async function ageSums(
  database: Database,
  organizationId: string,
  now: number,
  staleAfterInMs: number,
): Promise<Pick<Overview, 'ages' | 'stale' | 'asOf'>> {
  const younger = readSteps
    .map((_, index) => `sum(o.observed_at >= ?${index + 3}) AS up_to_${index}`)
    .join(', ')
  const [row] = await database.read(
    `SELECT count(*) AS n, min(o.observed_at) AS oldest, sum(o.observed_at < ?2) AS stale, ${younger} FROM raw_record o NOT INDEXED
     WHERE o.organization_id = ?1 AND o.kind = 'device' AND o.gone_at IS NULL`,
    [organizationId, momentAgo(now, staleAfterInMs), ...readSteps.map((step) => momentAgo(now, step))],
    'sum',
  )
  const upTo = readSteps.map((_, index) => Number(row?.[`up_to_${index}`] ?? 0))
  const all = Number(row?.['n'] ?? 0)
  return {
    ages: [...readSteps, null].map((upToInMs, index) => ({
      upToInMs,
      count: (upTo[index] ?? all) - (upTo[index - 1] ?? 0),
    })),
    stale: Number(row?.['stale'] ?? 0),
    asOf: typeof row?.['oldest'] === 'number' ? row['oldest'] : null,
  }
}

const noFirmware = (): Record<FirmwareWord, number> => ({
  current: 0,
  behind: 0,
  ahead: 0,
  revoked: 0,
  unknown: 0,
})

const devicesOf = ({ current, behind, ahead, revoked, unknown }: ProductFirmware): number =>
  current + behind + ahead + revoked + unknown

const mostToDo = (a: ProductFirmware, b: ProductFirmware): number =>
  b.behind + b.revoked - (a.behind + a.revoked) ||
  devicesOf(b) - devicesOf(a) ||
  (a.productName < b.productName ? -1 : 1)

/** Counts by a word as it is compared, under its most frequent spelling, provided that comes first. */
class Tally {
  readonly #counts = new Map<string, { readonly word: string; count: number }>()

  add(compared: string, word: string, count: number): void {
    const known = this.#counts.get(compared) ?? { word, count: 0 }
    known.count += count
    this.#counts.set(compared, known)
  }
  /** Most first. */
  list(): readonly WordCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
  }
}
