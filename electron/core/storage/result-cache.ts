import type { Clock } from '../platform.ts'

/** `settled`: the change is complete. `more-to-come`: pages of a sync, many times a second. */
export type RowsChanged = 'settled' | 'more-to-come'

interface CachedResult {
  readonly revision: number
  readonly requestedAt: number
  tookInMs: number | null
  readonly answer: Promise<unknown>
}

/**
 * While rows change, a cached result is used for this multiple of the time it took to compute. Raise it if a
 * sync slows down lists.
 */
const usedOnFor = 4

/**
 * Query results for an organization's rows (an order of all row ids, summaries of all rooms), cached until
 * rows change. While pages of a sync arrive, a result is reused for a while, so that sorting and counting
 * never block the thread; after a settled change it is never reused.
 */
export class ResultCache {
  readonly #clock: Clock
  readonly #cachedAtMost: number
  readonly #cached = new Map<string, CachedResult>()
  /** Never serve an entry older than the last settled revision. */
  readonly #revisions = new Map<string, { readonly all: number; readonly settled: number }>()

  constructor(clock: Clock, cachedAtMost: number) {
    this.#clock = clock
    this.#cachedAtMost = cachedAtMost
  }

  changed(organizationId: string, how: RowsChanged): void {
    const { all, settled } = this.#revision(organizationId)
    this.#revisions.set(organizationId, { all: all + 1, settled: how === 'settled' ? all + 1 : settled })
  }

  /** Whether a result of this query is cached, regardless of its age. */
  has(organizationId: string, question: string): boolean {
    return this.#cached.has(keyOf(organizationId, question))
  }

  /**
   * `question` identifies everything on which the result depends except the rows. `make` may start from the
   * result of another query about the same rows; null: none is cached. Rejects as `make` does.
   */
  get<T>(
    organizationId: string,
    question: string,
    make: (cached: (question: string) => Promise<T> | null) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(organizationId, question)
    const known = this.#cached.get(key)
    const revision = this.#revision(organizationId)
    if (
      known !== undefined &&
      (known.revision === revision.all || (known.revision >= revision.settled && this.#isRecent(known)))
    )
      return this.#use(key, known) as Promise<T>
    const cached = (other: string): Promise<T> | null => {
      const one = this.#cached.get(keyOf(organizationId, other))
      return one?.revision === revision.all ? (one.answer as Promise<T>) : null
    }
    return this.#make(key, revision.all, () => make(cached))
  }

  #make<T>(key: string, revision: number, make: () => Promise<T>): Promise<T> {
    const requestedAt = this.#clock.monotonic()
    const answer = make()
    const cached: CachedResult = { revision, requestedAt, tookInMs: null, answer }
    void this.#use(key, cached)
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= this.#cachedAtMost) break
      this.#cached.delete(oldest)
    }
    void answer.then(
      () => (cached.tookInMs = this.#clock.monotonic() - requestedAt),
      () => this.#cached.get(key) === cached && this.#cached.delete(key),
    )
    return answer
  }

  #use(key: string, cached: CachedResult): Promise<unknown> {
    this.#cached.delete(key)
    this.#cached.set(key, cached)
    return cached.answer
  }

  #isRecent({ requestedAt, tookInMs }: CachedResult): boolean {
    return tookInMs === null || this.#clock.monotonic() - requestedAt < usedOnFor * tookInMs
  }

  #revision(organizationId: string): { readonly all: number; readonly settled: number } {
    return this.#revisions.get(organizationId) ?? { all: 0, settled: 0 }
  }
}

const keyOf = (organizationId: string, question: string): string => JSON.stringify([organizationId, question])
