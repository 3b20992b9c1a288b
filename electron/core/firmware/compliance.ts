import { setImmediate as restOfTurn } from 'node:timers/promises'
import { Failed, type Failure } from '../../contract/failure.ts'
import { noLatestOfSome, type PrereleaseStage } from '../../contract/firmware.ts'
import type {
  FirmwareCompliance,
  ProductId,
  ProductNotCompared,
  ReleaseQuery,
} from '../../contract/api/firmware.ts'
import type { Cancel, Clock, Procedure, SqlValue } from '../platform.ts'
import type { Store } from '../storage/store.ts'
import { approvedWord, type Approvals, type Decision, type Decisions } from './approvals.ts'
import type { OfVariant } from './release-lists.ts'
import { Listeners } from '../listeners.ts'

/**
 * Compliance of every product and firmware version of the fleet with the catalogue as last read, as a table
 * for lists (`firmware_standing`). A pair without a row is unknown; so is a pair whose releases include no
 * latest, which has a row. Sends no request: stored data is enough, also offline.
 */
export interface Compliance {
  /**
   * Call it when the input may have changed: the table is updated soon, once for many calls. Never fails:
   * errors go to `onError`.
   */
  changed(how: 'settled' | 'more-to-come'): void
  /** Updates the table now. Returns whether it changed. Rejects with Failed `cache-unusable`. */
  reconcile(): Promise<boolean>
  /**
   * The same table under the assumption that releases of these stages can be the latest too, for one run.
   * Stored next to the organization's own, under its id with `name` appended, until `end`. Rejects with
   * Failed `cache-unusable`.
   */
  judged(stages: readonly PrereleaseStage[], name: string): Promise<{ readonly end: () => Promise<void> }>
  /**
   * Products of the fleet that could not be compared, or only with outdated releases; most devices first.
   * Rejects with Failed `cache-unusable`.
   */
  notCompared(): Promise<readonly ProductNotCompared[]>
  /**
   * Called when rows were written, or the list of products that cannot be compared changed. Returns the
   * function that ends it.
   */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface ComplianceDeps {
  readonly clock: Clock
  readonly store: Store
  readonly firmware: {
    readonly compliances: (
      query: ReleaseQuery & OfVariant & { readonly approved?: string | null },
      versions: readonly string[],
      ask: { readonly cachedOnly: true },
    ) => Promise<ReadonlyMap<string, FirmwareCompliance>>
    readonly onReadAnew: (listener: () => void) => () => void
    readonly lookupFailure: (id: ProductId) => Failure | null
  }
  /** The approved versions. */
  readonly approvals: Pick<Approvals, 'decisions' | 'onChange'>
  readonly organizationId: string
  /** The organization's vendor: devices report none (observed). */
  readonly vendorId: number
  /** Reports a bug in the background, because no caller waits. */
  readonly onError: (error: unknown) => void
}

/**
 * Update interval while pages or release lists arrive one by one. Raise it if updates cost time during a
 * sync.
 */
const whileMoreComesInMs = 5_000
const afterReadingInMs = 1_000
/**
 * An approval that ends later than this is checked again then, because timers cannot run for a month or more.
 */
const longestWaitInMs = 24 * 3_600_000

export function openCompliance({
  clock,
  store,
  firmware,
  approvals,
  organizationId,
  vendorId,
  onError,
}: ComplianceDeps): Compliance {
  const { database } = store
  const listeners = new Listeners()
  let planned: { readonly at: number; readonly cancel: Cancel } | null = null
  let running: Promise<boolean> = Promise.resolve(false)
  /** The groups of the last update; null: the catalogue may have changed since. */
  let lookedAt: string | null = null
  /** Why a product could not be compared with cached data. */
  let failures: ReadonlyMap<number, Failure> = new Map()
  let ending: Cancel | null = null
  let closed = false

  async function now(): Promise<boolean> {
    const [groups, decisions] = await Promise.all([groupsThatOccur(), approvals.decisions()])
    waitForEnd(decisions.nextEndAt)
    const asText = JSON.stringify(groups)
    if (asText === lookedAt) return false
    lookedAt = asText
    const previous = failuresAsText(failures)
    try {
      const { rows, failed } = await rowsOf(groups, decisions, {})
      if (closed) return false
      const written = await database.perform(replaceCompliance, { name: organizationId, rows })
      failures = failed
      if (written > 0 || failuresAsText(failures) !== previous) listeners.notify()
      return written > 0
    } catch (error) {
      lookedAt = null
      throw error
    }
  }

  /** Updates again when an approval ends. */
  function waitForEnd(endAt: number | null): void {
    ending?.()
    ending =
      endAt === null || closed
        ? null
        : clock.after(Math.min(Math.max(endAt - clock.now(), 0), longestWaitInMs), () => {
            lookedAt = null
            plan(0)
          })
  }

  async function rowsOf(
    groups: readonly Group[],
    decisions: Decisions,
    requested: Pick<ReleaseQuery, 'includeStages'>,
  ): Promise<{ readonly rows: readonly ComplianceRow[]; readonly failed: ReadonlyMap<number, Failure> }> {
    const rows: ComplianceRow[] = []
    const failed = new Map<number, Failure>()
    for (const { productId, variant, versions } of groups) {
      const id = { vendorId, productId }
      const decision = decisions.of(id, variant)
      const approved =
        decisions.comparesWith === 'approved' && decision.kind === 'valid' ? decision.version : null
      let compliances: ReadonlyMap<string, FirmwareCompliance> = new Map()
      try {
        compliances = await firmware.compliances(
          { ...id, ...requested, variant, approved },
          versions.filter(Boolean),
          {
            cachedOnly: true,
          },
        )
      } catch (error) {
        // Invalid documents or an invalid number of one product do not affect the others.
        if (!(error instanceof Failed) || error.failure.kind === 'cache-unusable') throw error
        failed.set(productId, error.failure)
      }
      for (const version of versions) {
        const row = rowOf({ productId, variant, version }, compliances.get(version) ?? null, decision)
        if (row !== null) rows.push(row)
      }
      const lookup = firmware.lookupFailure(id)
      if (lookup !== null) failed.set(productId, lookup)
      // Release lists are parsed and sorted on this thread: the event loop runs between two products.
      await restOfTurn()
      if (closed) break
    }
    return { rows, failed }
  }

  /** Classes of devices are few, regardless of the number of devices. A missing version is ''. */
  async function groupsThatOccur(): Promise<readonly Group[]> {
    const rows = await database.query(
      `SELECT DISTINCT product_id, variant, COALESCE(firmware_version, '') AS version FROM device_class
       WHERE organization_id = ? AND product_id IS NOT NULL ORDER BY product_id, variant, version`,
      [organizationId],
    )
    const groups = new Map<string, Group & { readonly versions: string[] }>()
    for (const row of rows) {
      const [productId, variant] = [Number(row['product_id']), String(row['variant'])]
      const key = `${productId} ${variant}`
      const group = groups.get(key) ?? { productId, variant, versions: [] }
      groups.set(key, group)
      group.versions.push(String(row['version']))
    }
    return [...groups.values()]
  }

  async function notCompared(): Promise<readonly ProductNotCompared[]> {
    if (failures.size === 0) return []
    const rows = await database.query(
      `SELECT d.product_id, max(c.product_name) AS name, count(*) AS n FROM device_row d JOIN device_class c ON c.class_id = d.class_id
       WHERE d.organization_id = ? AND d.gone = 0 AND d.product_id IN (SELECT value FROM json_each(?)) GROUP BY d.product_id ORDER BY n DESC, d.product_id`,
      [organizationId, JSON.stringify([...failures.keys()])],
    )
    return rows.flatMap((row) => {
      const productId = Number(row['product_id'])
      const failure = failures.get(productId)
      return failure === undefined
        ? []
        : [
            {
              productId,
              productName: typeof row['name'] === 'string' ? row['name'] : null,
              devices: Number(row['n']),
              failure,
            },
          ]
    })
  }

  function reconcile(): Promise<boolean> {
    running = running.then(now, now)
    return running
  }

  function plan(inMs: number): void {
    const at = clock.monotonic() + inMs
    if (closed || (planned !== null && planned.at <= at)) return
    planned?.cancel()
    const cancel = clock.after(inMs, () => {
      planned = null
      reconcile().catch((error: unknown) => {
        // The cache reports its own problems; until it is usable, the last compliance remains.
        if (!(error instanceof Failed)) onError(error)
      })
    })
    planned = { at, cancel }
  }

  const disposers = [
    firmware.onReadAnew(() => {
      lookedAt = null
      plan(afterReadingInMs)
    }),
    approvals.onChange(() => {
      lookedAt = null
    }),
  ]

  return {
    changed: (how) => plan(how === 'settled' ? 0 : whileMoreComesInMs),
    reconcile: () => {
      lookedAt = null
      return reconcile()
    },
    async judged(stages, name) {
      const [groups, decisions] = await Promise.all([groupsThatOccur(), approvals.decisions()])
      const { rows } = await rowsOf(groups, decisions, { includeStages: stages })
      const own = organizationId + name
      await database.perform(replaceCompliance, { name: own, rows })
      return {
        end: async () => void (await database.perform(replaceCompliance, { name: own, rows: [] })),
      }
    },
    notCompared,
    onChange: listeners.add,
    async close() {
      closed = true
      for (const end of disposers) end()
      planned?.cancel()
      ending?.()
      listeners.clear()
      await running.catch(() => undefined)
    },
  }
}

const failuresAsText = (failures: ReadonlyMap<number, Failure>): string => JSON.stringify([...failures])

const isNoLatestOfSome = (why: string): boolean => (noLatestOfSome as readonly string[]).includes(why)

/** Versions that devices of one product and variant run. */
interface Group {
  readonly productId: number
  readonly variant: string
  readonly versions: readonly string[]
}

const columns = [
  'product_id',
  'variant',
  'firmware_version',
  'word',
  'behind_by',
  'latest',
  'why',
  'compared_with',
  'approved',
  'approved_version',
] as const
const keyColumns = columns.slice(0, 3)
type ComplianceRow = readonly SqlValue[]

/** In the order of the columns. null: nothing is known or approved. */
function rowOf(
  { productId, variant, version }: { productId: number; variant: string; version: string },
  compliance: FirmwareCompliance | null,
  decision: Decision,
): ComplianceRow | null {
  const known: FirmwareCompliance = compliance ?? { kind: 'unknown', why: 'no-version' }
  const why = known.kind === 'unknown' && isNoLatestOfSome(known.why) ? known.why : null
  if (known.kind === 'unknown' && why === null && decision.kind === 'none') return null
  return [
    productId,
    variant,
    version,
    known.kind,
    known.kind === 'behind' ? known.by : null,
    known.kind === 'unknown' ? null : known.latest,
    why,
    known.kind === 'unknown' ? null : (known.approved ?? null),
    approvedWord(decision, version === '' ? null : version),
    decision.kind === 'valid' ? decision.version : null,
  ]
}

/** The columns that identify a row. */
const keyOf = (row: ComplianceRow): string => JSON.stringify(row.slice(0, keyColumns.length))

/**
 * Replaces the rows of an organization, or of the name of a single run. Returns how many were written or
 * deleted.
 */
export const replaceCompliance: Procedure<
  { readonly name: string; readonly rows: readonly ComplianceRow[] },
  number
> = {
  name: 'firmware.replace-compliance',
  run(transaction, { name, rows }) {
    const previous = new Map(
      transaction
        .all(`SELECT ${columns.join(', ')} FROM firmware_standing WHERE organization_id = ?`, [name])
        .map((row) => columns.map((column) => row[column] ?? null))
        .map((row) => [keyOf(row), JSON.stringify(row)]),
    )
    let written = 0
    for (const row of rows) {
      const same = previous.get(keyOf(row)) === JSON.stringify(row)
      previous.delete(keyOf(row))
      if (same) continue
      written++
      transaction.run(
        `INSERT OR REPLACE INTO firmware_standing (organization_id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
        [name, ...row],
      )
    }
    for (const key of previous.keys())
      written += transaction.run(
        `DELETE FROM firmware_standing WHERE organization_id = ? AND ${keyColumns.map((column) => `${column} = ?`).join(' AND ')}`,
        [name, ...(JSON.parse(key) as ComplianceRow)],
      ).changes
    return written
  },
}
