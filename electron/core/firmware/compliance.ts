import { setImmediate as restOfTurn } from 'node:timers/promises'
import { Failed, type Failure } from '../../contract/failure.ts'
import { noLatestOfSome, type PrereleaseStage } from '../../contract/firmware.ts'
import type {
  FirmwareStanding,
  ProductId,
  ProductNotCompared,
  ReleaseQuery,
} from '../../contract/api/firmware.ts'
import type { Cancel, Clock, Transaction } from '../platform.ts'
import type { Store } from '../storage/store.ts'

/**
 * How every product and firmware version of the fleet stands against the catalogue as last read, as a table for lists
 * (`firmware_standing`): a pair without a row is unknown, and so is one of whose releases none is the latest, which has one. Never asks the network: what was read before is enough, also offline.
 */
export interface Compliance {
  /** Something it rests on may have changed: it agrees soon, once for many calls. Never fails: trouble goes to `mistake`. */
  changed(how: 'settled' | 'more-to-come'): void
  /** Makes the table agree now. Answers whether it differed. Rejects with Failed `cache-unusable`. */
  agree(): Promise<boolean>
  /**
   * The same table as if releases of these stages could be the latest too, for one run: beside the organization's own, under its id with
   * `name` behind it, until `end`. Rejects with Failed `cache-unusable`.
   */
  judged(stages: readonly PrereleaseStage[], name: string): Promise<{ readonly end: () => Promise<void> }>
  /** Products of the fleet that could not be compared, or not with what the service publishes now; most devices first. Rejects with Failed `cache-unusable`. */
  notCompared(): Promise<readonly ProductNotCompared[]>
  /** Called when rows were written, or other products cannot be compared. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface ComplianceParts {
  readonly clock: Clock
  readonly store: Store
  readonly firmware: {
    readonly standings: (
      query: ReleaseQuery,
      versions: readonly string[],
      ask: { readonly keptOnly: true },
    ) => Promise<ReadonlyMap<string, FirmwareStanding>>
    readonly onReadAnew: (listener: () => void) => () => void
    readonly lookupFailure: (id: ProductId) => Failure | null
  }
  readonly organizationId: string
  /** The organization's: devices tell no vendor (observed). */
  readonly vendorId: number
  /** A mistake of ours in the background: nobody else waits for it. */
  readonly mistake: (error: unknown) => void
}

/** Chosen: while pages or release lists arrive one by one, the table is looked at this often. */
const whileMoreComesInMs = 5_000
const afterReadingInMs = 1_000

export function openCompliance({
  clock,
  store,
  firmware,
  organizationId,
  vendorId,
  mistake,
}: ComplianceParts): Compliance {
  const { database } = store
  const listeners = new Set<() => void>()
  let planned: { readonly at: number; readonly cancel: Cancel } | null = null
  let running: Promise<boolean> = Promise.resolve(false)
  /** The pairs that were looked at last; null: the catalogue may tell something else since. */
  let lookedAt: string | null = null
  /** Why a product could not be compared with what is kept. */
  let failures: ReadonlyMap<number, Failure> = new Map()
  let closed = false

  async function now(): Promise<boolean> {
    const pairs = await pairsThatOccur()
    const asText = JSON.stringify(pairs)
    if (asText === lookedAt) return false
    lookedAt = asText
    const before = failuresAsText(failures)
    try {
      const { rows, failed } = await rowsOf(pairs, {})
      if (closed) return false
      const written = await database.write((transaction) => replace(transaction, organizationId, rows))
      failures = failed
      if (written > 0 || failuresAsText(failures) !== before) for (const listener of listeners) listener()
      return written > 0
    } catch (error) {
      lookedAt = null
      throw error
    }
  }

  async function rowsOf(
    pairs: readonly (readonly [number, readonly string[]])[],
    asked: Pick<ReleaseQuery, 'includeStages'>,
  ): Promise<{ readonly rows: readonly StandingRow[]; readonly failed: ReadonlyMap<number, Failure> }> {
    const rows: StandingRow[] = []
    const failed = new Map<number, Failure>()
    for (const [productId, versions] of pairs) {
      try {
        for (const [version, standing] of await firmware.standings(
          { vendorId, productId, ...asked },
          versions,
          { keptOnly: true },
        ))
          if (standing.kind !== 'unknown' || isNoLatestOfSome(standing.why))
            rows.push(rowOf(productId, version, standing))
      } catch (error) {
        // What one product's documents or its number are like says nothing about the others.
        if (!(error instanceof Failed) || error.failure.kind === 'cache-unusable') throw error
        failed.set(productId, error.failure)
      }
      const lookup = firmware.lookupFailure({ vendorId, productId })
      if (lookup !== null) failed.set(productId, lookup)
      // Release lists are parsed and ordered on this thread: the event loop has its turn between two products.
      await restOfTurn()
      if (closed) break
    }
    return { rows, failed }
  }

  /** Versions by product. Classes of devices are few, however many devices there are. */
  async function pairsThatOccur(): Promise<[number, string[]][]> {
    const rows = await database.read(
      `SELECT DISTINCT product_id, firmware_version FROM device_class
       WHERE organization_id = ? AND product_id IS NOT NULL AND firmware_version IS NOT NULL ORDER BY product_id, firmware_version`,
      [organizationId],
    )
    const byProduct = new Map<number, string[]>()
    for (const row of rows) {
      const productId = Number(row['product_id'])
      byProduct.set(productId, [...(byProduct.get(productId) ?? []), String(row['firmware_version'])])
    }
    return [...byProduct]
  }

  async function notCompared(): Promise<readonly ProductNotCompared[]> {
    if (failures.size === 0) return []
    const rows = await database.read(
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

  function agree(): Promise<boolean> {
    running = running.then(now, now)
    return running
  }

  function plan(inMs: number): void {
    const at = clock.monotonic() + inMs
    if (closed || (planned !== null && planned.at <= at)) return
    planned?.cancel()
    const cancel = clock.after(inMs, () => {
      planned = null
      agree().catch((error: unknown) => {
        // The cache tells of its own troubles; until it can be used, firmware stays as it was told last.
        if (!(error instanceof Failed)) mistake(error)
      })
    })
    planned = { at, cancel }
  }

  const quiet = firmware.onReadAnew(() => {
    lookedAt = null
    plan(afterReadingInMs)
  })

  return {
    changed: (how) => plan(how === 'settled' ? 0 : whileMoreComesInMs),
    agree: () => {
      lookedAt = null
      return agree()
    },
    async judged(stages, name) {
      const { rows } = await rowsOf(await pairsThatOccur(), { includeStages: stages })
      await database.write((transaction) => replace(transaction, organizationId + name, rows))
      return {
        end: () => database.write((transaction) => void replace(transaction, organizationId + name, [])),
      }
    },
    notCompared,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      quiet()
      planned?.cancel()
      listeners.clear()
      await running.catch(() => undefined)
    },
  }
}

const failuresAsText = (failures: ReadonlyMap<number, Failure>): string => JSON.stringify([...failures])

const isNoLatestOfSome = (why: string): boolean => (noLatestOfSome as readonly string[]).includes(why)

interface StandingRow {
  readonly productId: number
  readonly version: string
  readonly word: string
  readonly by: number | null
  readonly latest: string | null
  readonly why: string | null
}

const rowOf = (productId: number, version: string, standing: FirmwareStanding): StandingRow => ({
  productId,
  version,
  word: standing.kind,
  by: standing.kind === 'behind' ? standing.by : null,
  latest: standing.kind === 'unknown' ? null : standing.latest,
  why: standing.kind === 'unknown' ? standing.why : null,
})

/** Makes the organization's rows these. Answers how many were written or taken out. */
function replace(transaction: Transaction, organizationId: string, rows: readonly StandingRow[]): number {
  const before = new Map(
    transaction
      .all(
        'SELECT product_id, firmware_version, word, behind_by, latest, why FROM firmware_standing WHERE organization_id = ?',
        [organizationId],
      )
      .map((row) => [
        JSON.stringify([row['product_id'], row['firmware_version']]),
        JSON.stringify([row['word'], row['behind_by'], row['latest'], row['why']]),
      ]),
  )
  let written = 0
  for (const { productId, version, word, by, latest, why } of rows) {
    const key = JSON.stringify([productId, version])
    const same = before.get(key) === JSON.stringify([word, by, latest, why])
    before.delete(key)
    if (same) continue
    written++
    transaction.run(
      'INSERT OR REPLACE INTO firmware_standing (organization_id, product_id, firmware_version, word, behind_by, latest, why) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [organizationId, productId, version, word, by, latest, why],
    )
  }
  for (const key of before.keys()) {
    const [productId, version] = JSON.parse(key) as [number, string]
    written += transaction.run(
      'DELETE FROM firmware_standing WHERE organization_id = ? AND product_id = ? AND firmware_version = ?',
      [organizationId, productId, version],
    ).changes
  }
  return written
}
