import { setImmediate as restOfTurn } from 'node:timers/promises'
import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { noLatestOfSome, type PrereleaseStage } from '../../contract/firmware.ts'
import type {
  Comparing,
  FirmwareCompliance,
  ProductId,
  ProductNotCompared,
  ReleaseQuery,
} from '../../contract/api/firmware.ts'
import { compareVersions } from '../lists/version-order.ts'
import type { Cancel, Clock, Procedure, SqlValue } from '../platform.ts'
import type { Store } from '../storage/store.ts'
import { approvedWord, type Approvals, type Decision, type Decisions } from './approvals.ts'
import type { OfVariant } from './release-lists.ts'
import { Listeners } from '../listeners.ts'

/**
 * Compliance of every product and firmware version of the fleet with the catalogue as last read, as a table
 * for lists (`firmware_standing`). A pair without a row is unknown; so is a pair whose releases include no
 * latest, which has a row. Sends no request: stored data is enough, also offline. A comparison is replaced
 * only by a complete one: the answer about every product of the fleet is stored, or it was asked and failed.
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
   * Compares all products again: `ask` asks for the releases of each and reports it. The table is updated at
   * the end; the products not reported count as failed, unless `signal` is aborted. Returns the result of
   * `ask`. Rejects with Failed `cache-unusable`.
   */
  compareAll<T>(ask: (asked: (id: ProductId) => void) => Promise<T>, signal?: AbortSignal | null): Promise<T>
  /**
   * How far a comparison is whose results are not in the table yet; null: none is running. Rejects with Failed
   * `cache-unusable`.
   */
  comparing(): Promise<Comparing | null>
  /**
   * The same table under the assumption that releases of these stages can be the latest too, for one run.
   * Stored next to the organization's own, under its id with `name` appended, until `end`. `unread`: products
   * whose releases were never read. Rejects with Failed `cache-unusable`.
   */
  judged(
    stages: readonly PrereleaseStage[],
    name: string,
  ): Promise<{ readonly unread: number; readonly end: () => Promise<void> }>
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
  /** Called when `comparing` changed. Returns the function that ends it. */
  onComparing(listener: () => void): () => void
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
    readonly storedAt: (id: ProductId) => Promise<number | null>
  }
  /** Devices of the organization by product id, without gone ones. */
  readonly deviceCounts: () => Promise<ReadonlyMap<number, number>>
  /** Whether a sync is running. */
  readonly syncing?: () => boolean
  /** The approved versions. */
  readonly approvals: Pick<Approvals, 'decisions' | 'onChange'>
  readonly organizationId: string
  /** The organization's vendor: devices report none (services.md#A40). */
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

export function openCompliance(deps: ComplianceDeps): Compliance {
  const { clock, store, firmware, approvals, deviceCounts, syncing = () => false, organizationId } = deps
  const { vendorId, onError } = deps
  const { database } = store
  const listeners = new Listeners()
  const comparingListeners = new Listeners()
  let planned: { readonly at: number; readonly cancel: Cancel } | null = null
  let running: Promise<boolean> = Promise.resolve(false)
  /** The groups of the last update; null: the catalogue may have changed since. */
  let lookedAt: string | null = null
  /** Why a product could not be compared with cached data. */
  let failures: ReadonlyMap<number, Failure> = new Map()
  let ending: Cancel | null = null
  let closed = false
  /** Products that were asked since the last comparison of all began, whatever the answer. */
  let asked = new Set<number>()
  /** Products whose answer is stored, or that failed. */
  let settled: ReadonlySet<number> = new Set()
  /** Comparisons of all products that are running. */
  let rounds = 0
  /** What the last update left: nothing to do, parts of a comparison, or parts of the first one. */
  let left: 'nothing' | 'parts' | 'parts-of-the-first' = 'nothing'

  async function now(): Promise<boolean> {
    const [groups, decisions] = await Promise.all([groupsThatOccur(), approvals.decisions()])
    waitForEnd(decisions.nextEndAt)
    const asText = JSON.stringify(groups)
    if (asText === lookedAt) return false
    lookedAt = asText
    const previousFailures = failuresAsText(failures)
    try {
      const { compared, failed } = await compareGroups(groups, decisions, {})
      if (closed) return false
      const [previous, counts] = await Promise.all([previousRows(), deviceCounts()])
      // What is not stored has not failed: nobody asked for it yet.
      const hasFailed = (productId: number): boolean =>
        (failed.get(productId)?.kind ?? 'offline') !== 'offline' ||
        firmware.lookupFailure({ vendorId, productId }) !== null
      const isSettled = ({ group: { productId }, storedAt }: ComparedGroup): boolean =>
        storedAt !== null || asked.has(productId) || hasFailed(productId)
      settled = new Set(compared.filter(isSettled).map(({ group }) => group.productId))
      const complete = [...counts].every(([productId, n]) => n === 0 || settled.has(productId))
      left = complete ? 'nothing' : previous.size === 0 ? 'parts-of-the-first' : 'parts'
      const rows = new Map(complete && groups.length > 0 ? [] : previous)
      for (const one of compared)
        for (const row of complete && one.storedAt !== null
          ? one.rows
          : keptRows(one, previous, complete || (one.storedAt !== null && previous.size > 0)))
          rows.set(keyOf(row), row)
      const written = await database.perform(replaceCompliance, {
        name: organizationId,
        rows: [...rows.values()],
      })
      failures = failed
      if (written > 0 || failuresAsText(failures) !== previousFailures) listeners.notify()
      return written > 0
    } catch (error) {
      lookedAt = null
      throw error
    }
  }

  const previousRows = async (): Promise<ReadonlyMap<string, ComplianceRow>> =>
    new Map(
      (
        await database.query(
          `SELECT ${columns.join(', ')} FROM firmware_standing WHERE organization_id = ?`,
          [organizationId],
        )
      )
        .map((row) => columns.map((column) => row[column] ?? null))
        .map((row) => [keyOf(row), row]),
    )

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

  async function compareGroups(
    groups: readonly Group[],
    decisions: Decisions,
    requested: Pick<ReleaseQuery, 'includeStages'>,
  ): Promise<{ readonly compared: readonly ComparedGroup[]; readonly failed: ReadonlyMap<number, Failure> }> {
    const compared: ComparedGroup[] = []
    const failed = new Map<number, Failure>()
    for (const group of groups) {
      const { productId, variant, versions } = group
      const id = { vendorId, productId }
      const decision = decisions.of(id, variant)
      const approved =
        decisions.comparesWith === 'approved' && decision.kind === 'valid' ? decision.version : null
      let compliances: ReadonlyMap<string, FirmwareCompliance> = new Map()
      let storedAt: number | null = null
      try {
        compliances = await firmware.compliances(
          { ...id, ...requested, variant, approved },
          versions.filter(Boolean),
          { cachedOnly: true },
        )
        storedAt = await firmware.storedAt(id)
      } catch (error) {
        // Invalid documents or an invalid number of one product do not affect the others.
        if (!(error instanceof Failed) || isKind(error.failure, 'cache-unusable')) throw error
        failed.set(productId, error.failure)
      }
      const rows = versions
        .map((version) =>
          rowOf({ productId, variant, version }, compliances.get(version) ?? null, decision, storedAt),
        )
        .filter((row) => row !== null)
      compared.push({ group, decision, approved, storedAt, rows })
      const lookup = firmware.lookupFailure(id)
      if (lookup !== null) failed.set(productId, lookup)
      // Release lists are parsed and sorted on this thread: the event loop runs between two products.
      await restOfTurn()
      if (closed) break
    }
    return { compared, failed }
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
      `SELECT d.product_id, max(c.product_name) AS name, count(*) AS n,
         (SELECT min(s.observed_at) FROM firmware_standing s WHERE s.organization_id = d.organization_id AND s.product_id = d.product_id) AS compared_at
       FROM device_row d JOIN device_class c ON c.class_id = d.class_id
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
              comparedAt: typeof row['compared_at'] === 'number' ? row['compared_at'] : null,
            },
          ]
    })
  }

  async function compareAll<T>(
    ask: (asked: (id: ProductId) => void) => Promise<T>,
    signal: AbortSignal | null = null,
  ): Promise<T> {
    rounds++
    try {
      asked = new Set()
      await again()
      const result = await ask(({ productId }) => {
        asked.add(productId)
        if (settled.has(productId)) return
        settled = new Set([...settled, productId])
        comparingListeners.notify()
      })
      if (signal?.aborted !== true) asked = new Set((await deviceCounts()).keys())
      await again()
      return result
    } finally {
      rounds--
      comparingListeners.notify()
    }
  }

  async function comparing(): Promise<Comparing | null> {
    if (rounds === 0 && !(syncing() && left === 'parts-of-the-first')) return null
    const products = [...(await deviceCounts())].flatMap(([productId, n]) => (n > 0 ? [productId] : []))
    const done = products.filter((productId) => settled.has(productId)).length
    return done === products.length && left === 'nothing' ? null : { done, total: products.length }
  }

  async function again(): Promise<void> {
    if (closed) return
    lookedAt = null
    await reconcile()
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
      const { compared, failed } = await compareGroups(groups, decisions, { includeStages: stages })
      const rows = compared.flatMap((one) => one.rows)
      const own = organizationId + name
      await database.perform(replaceCompliance, { name: own, rows })
      const unread = compared
        .filter(({ storedAt }) => storedAt === null)
        .map(({ group }) => group.productId)
        .filter((productId) => !publishesNone(failed.get(productId)))
      return {
        unread: new Set(unread).size,
        end: async () => void (await database.perform(replaceCompliance, { name: own, rows: [] })),
      }
    },
    notCompared,
    compareAll,
    comparing,
    onChange: listeners.add,
    onComparing: comparingListeners.add,
    async close() {
      closed = true
      for (const end of disposers) end()
      planned?.cancel()
      ending?.()
      listeners.clear()
      comparingListeners.clear()
      await running.catch(() => undefined)
    },
  }
}

const failuresAsText = (failures: ReadonlyMap<number, Failure>): string => JSON.stringify([...failures])

/** The service said so, or no address accepts the product id. */
const publishesNone = (failure: Failure | undefined): boolean =>
  isKind(failure, 'not-found') || isKind(failure, 'invalid')

const isNoLatestOfSome = (why: string): boolean => (noLatestOfSome as readonly string[]).includes(why)

/** Versions that devices of one product and variant run. */
interface Group {
  readonly productId: number
  readonly variant: string
  readonly versions: readonly string[]
}

interface ComparedGroup {
  readonly group: Group
  readonly decision: Decision
  /** The version that it is compared with; null: the latest. */
  readonly approved: string | null
  /** When the service answered about its releases; null: this is not stored. */
  readonly storedAt: number | null
  readonly rows: readonly ComplianceRow[]
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
  'observed_at',
] as const
const keyColumns = columns.slice(0, 3)
type ComplianceRow = readonly SqlValue[]

/** In the order of the columns. null: nothing is known or approved. */
function rowOf(
  { productId, variant, version }: { productId: number; variant: string; version: string },
  compliance: FirmwareCompliance | null,
  decision: Decision,
  observedAt: number | null,
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
    observedAt,
  ]
}

/**
 * The previous rows of a product whose answer is not stored. The approved version is today's, and where a row
 * was compared with another one, so is the word, which needs no list. `adds`: versions without a previous row
 * get one, such as that of a device just updated.
 */
function keptRows(
  { group: { productId, variant, versions }, decision, approved, rows }: ComparedGroup,
  previous: ReadonlyMap<string, ComplianceRow>,
  adds: boolean,
): readonly ComplianceRow[] {
  const computed = new Map(rows.map((row) => [keyOf(row), row]))
  const rowFor = (version: string): ComplianceRow | null => {
    const key = keyOf([productId, variant, version])
    const kept = previous.get(key)
    if (kept === undefined)
      return adds ? (computed.get(key) ?? null) : rowOf({ productId, variant, version }, null, decision, null)
    const [, , , word = null, by = null, latest = null, why = null, comparedWith = null] = kept
    const target = approved ?? latest
    const order = compareVersions(version, typeof target === 'string' ? target : null)
    const isSame = comparedWith === approved || word === 'revoked' || target === null
    return [
      productId,
      variant,
      version,
      ...(isSame ? [word, by] : [order === 0 ? 'current' : order > 0 ? 'ahead' : 'behind', null]),
      latest,
      why,
      word === 'unknown' ? null : approved,
      approvedWord(decision, version === '' ? null : version),
      decision.kind === 'valid' ? decision.version : null,
      kept.at(-1) ?? null,
    ]
  }
  return versions.map(rowFor).filter((row) => row !== null)
}

/** The columns that identify a row. */
const keyOf = (row: ComplianceRow): string => JSON.stringify(row.slice(0, keyColumns.length))
/** A newer list with the same results is no change. */
const withoutAge = (row: ComplianceRow): string => JSON.stringify(row.slice(0, -1))

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
        .map((row) => [keyOf(row), row]),
    )
    let written = 0
    for (const row of rows) {
      const old = previous.get(keyOf(row))
      previous.delete(keyOf(row))
      if (JSON.stringify(old) === JSON.stringify(row)) continue
      if (old === undefined || withoutAge(old) !== withoutAge(row)) written++
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
