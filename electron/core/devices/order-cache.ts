import type { Clock } from '../host.ts'

/** Orders kept: a list in a few sorts, and what was typed last. One of 100,000 devices is 0.8 MB. Chosen. */
const ordersKept = 12

interface Kept {
  readonly organizationId: string
  readonly revision: number
  readonly askedAt: number
  tookInMs: number | null
  readonly ids: Promise<Float64Array>
}

/**
 * The row ids of a filter and sort, whole, so that any window of it is a look-up. Stands until rows change; while a sync changes
 * them many times a second, an order is used on for four times as long as it took to make, so that sorting never fills the thread.
 */
export class OrderCache {
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  readonly #revisions = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  revision(organizationId: string): number {
    return this.#revisions.get(organizationId) ?? 0
  }

  changed(organizationId: string): void {
    this.#revisions.set(organizationId, this.revision(organizationId) + 1)
  }

  get(organizationId: string, key: string, make: () => Promise<Float64Array>): Promise<Float64Array> {
    const now = this.#clock.monotonic()
    const known = this.#kept.get(key)
    if (known && (known.revision === this.revision(organizationId) || known.tookInMs === null || now - known.askedAt < 4 * known.tookInMs)) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.ids
    }
    const ids = make()
    const kept: Kept = { organizationId, revision: this.revision(organizationId), askedAt: now, tookInMs: null, ids }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    ids.then(
      () => (kept.tookInMs = this.#clock.monotonic() - now),
      () => this.#kept.get(key) === kept && this.#kept.delete(key),
    )
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= ordersKept) break
      this.#kept.delete(oldest)
    }
    return ids
  }
}
