import type { Clock, Database } from '../host.ts'
import { readSummaries, type RoomSummary } from './room-summaries.ts'

/** `settled`: that was all for now. `more-to-come`: pages of a sync, many times a second. */
export type RowsChanged = 'settled' | 'more-to-come'

interface Kept {
  readonly revision: number
  readonly stamp: string
  readonly askedAt: number
  tookInMs: number | null
  readonly summaries: Promise<readonly RoomSummary[]>
}

/** While pages of a sync arrive, sums are used on for this many times as long as they took to make. Chosen. */
const usedOnFor = 4
/** Organizations whose sums are kept. Chosen: one is current, one was. */
const keptAtMost = 2

/**
 * The rooms of an organization with their devices counted, kept in memory until rows change. Counting 100,000 devices takes longer
 * than a list may (README), and every filter, sort and facet needs all of it; a few thousand rooms in memory answer at once.
 */
export class SummaryCache {
  readonly #database: Database
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  /** Those of `settled` may never be passed over. */
  readonly #revisions = new Map<string, { all: number; settled: number }>()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  changed(organizationId: string, how: RowsChanged): void {
    const { all, settled } = this.#revision(organizationId)
    this.#revisions.set(organizationId, { all: all + 1, settled: how === 'settled' ? all + 1 : settled })
    // Whoever looked at rooms will look again: the sums are made before they are asked for. What fails then is told to who asks.
    if (how === 'settled' && this.#kept.has(organizationId)) this.get(organizationId).catch(() => undefined)
  }

  async get(organizationId: string): Promise<readonly RoomSummary[]> {
    const known = this.#kept.get(organizationId)
    if (known !== undefined && this.#servesOn(organizationId, known)) return known.summaries
    const revision = this.#revision(organizationId).all
    // Another program may have synced the same store: its pages leave a mark, too.
    const stamp = await this.#stamp(organizationId)
    const again = this.#kept.get(organizationId)
    if (again !== undefined && again !== known && again.revision >= revision) return again.summaries
    if (known !== undefined && known.revision === revision && known.stamp === stamp) return known.summaries
    return this.#read(organizationId, revision, stamp)
  }

  /** True: made of the rows as they are, as far as this program knows, in this very moment; or new enough while a sync goes on. */
  #servesOn(organizationId: string, known: Kept): boolean {
    const { all, settled } = this.#revision(organizationId)
    if (known.revision === all) return known.tookInMs === null
    if (known.revision < settled) return false
    return known.tookInMs === null || this.#clock.monotonic() - known.askedAt < usedOnFor * known.tookInMs
  }

  #read(organizationId: string, revision: number, stamp: string): Promise<readonly RoomSummary[]> {
    const askedAt = this.#clock.monotonic()
    const kept: Kept = { revision, stamp, askedAt, tookInMs: null, summaries: readSummaries(this.#database, organizationId) }
    this.#kept.delete(organizationId)
    this.#kept.set(organizationId, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptAtMost) break
      this.#kept.delete(oldest)
    }
    kept.summaries.then(
      () => (kept.tookInMs = this.#clock.monotonic() - askedAt),
      () => this.#kept.get(organizationId) === kept && this.#kept.delete(organizationId),
    )
    return kept.summaries
  }

  async #stamp(organizationId: string): Promise<string> {
    const sql = `SELECT (SELECT max(updated_at) FROM sync_stream WHERE organization_id = ?1) AS page,
      (SELECT max(finished_at) FROM sync_report WHERE organization_id = ?1) AS report`
    const [row] = await this.#database.read(sql, [organizationId])
    return JSON.stringify([row?.['page'] ?? null, row?.['report'] ?? null])
  }

  #revision(organizationId: string): { readonly all: number; readonly settled: number } {
    return this.#revisions.get(organizationId) ?? { all: 0, settled: 0 }
  }
}
