import type { Clock, Database } from '../platform.ts'

/** `settled`: that was all for now. `more-to-come`: pages of a sync, many times a second. */
export type RowsChanged = 'settled' | 'more-to-come'

interface Kept {
  readonly revision: number
  readonly stamp: string
  readonly askedAt: number
  tookInMs: number | null
  readonly answer: Promise<unknown>
}

/** While rows change, an answer is used on for this many times as long as it took to make. Chosen. */
const usedOnFor = 4

/**
 * Answers about an organization's rows (an order of all row ids, sums of all rooms), kept until rows change. While pages of a sync arrive
 * an answer is used on for a while, so that sorting and counting never fill the thread; after a change that is settled, never.
 */
export class AnswerCache {
  readonly #database: Database
  readonly #clock: Clock
  readonly #keptAtMost: number
  readonly #kept = new Map<string, Kept>()
  /** Those of `settled` may never be passed over. */
  readonly #revisions = new Map<string, { readonly all: number; readonly settled: number }>()
  readonly #stamps = new Map<string, Promise<string>>()

  constructor(database: Database, clock: Clock, keptAtMost: number) {
    this.#database = database
    this.#clock = clock
    this.#keptAtMost = keptAtMost
  }

  changed(organizationId: string, how: RowsChanged): void {
    const { all, settled } = this.#revision(organizationId)
    this.#revisions.set(organizationId, { all: all + 1, settled: how === 'settled' ? all + 1 : settled })
  }

  /** Whether the question was asked before and its answer, however old, is still kept. */
  has(organizationId: string, question: string): boolean {
    return this.#kept.has(keyOf(organizationId, question))
  }

  /**
   * `question` names everything the answer depends on but the rows. `make` may begin with the answer to another question about the very
   * same rows; null: none is kept. Rejects as `make` does.
   */
  async get<T>(
    organizationId: string,
    question: string,
    make: (kept: (question: string) => Promise<T> | null) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(organizationId, question)
    const known = this.#kept.get(key)
    const revision = this.#revision(organizationId)
    if (known !== undefined && known.revision >= revision.settled) {
      // Asked for in this very moment, or new enough while rows go on changing.
      if (known.tookInMs === null || (known.revision < revision.all && this.#isRecent(known)))
        return this.#use(key, known) as Promise<T>
    }
    // Another program may have synced the same store or changed tags: that leaves a mark, too.
    const stamp = await this.#stamp(organizationId)
    const again = this.#kept.get(key)
    if (again !== undefined && again !== known && again.revision >= revision.all)
      return this.#use(key, again) as Promise<T>
    if (
      known !== undefined &&
      known.revision === revision.all &&
      (known.stamp === stamp || this.#isRecent(known))
    )
      return this.#use(key, known) as Promise<T>
    const kept = (other: string): Promise<T> | null => {
      const one = this.#kept.get(keyOf(organizationId, other))
      return one !== undefined && one.revision === revision.all && one.stamp === stamp
        ? (one.answer as Promise<T>)
        : null
    }
    return this.#make(key, { revision: revision.all, stamp }, () => make(kept))
  }

  #make<T>(key: string, of: Pick<Kept, 'revision' | 'stamp'>, make: () => Promise<T>): Promise<T> {
    const askedAt = this.#clock.monotonic()
    const answer = make()
    const kept: Kept = { ...of, askedAt, tookInMs: null, answer }
    void this.#use(key, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#keptAtMost) break
      this.#kept.delete(oldest)
    }
    void answer.then(
      () => (kept.tookInMs = this.#clock.monotonic() - askedAt),
      () => this.#kept.get(key) === kept && this.#kept.delete(key),
    )
    return answer
  }

  #use(key: string, kept: Kept): Promise<unknown> {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.answer
  }

  #isRecent({ askedAt, tookInMs }: Kept): boolean {
    return tookInMs === null || this.#clock.monotonic() - askedAt < usedOnFor * tookInMs
  }

  /** What pages, reports and marks of this organization leave behind. One look serves all who ask meanwhile. */
  #stamp(organizationId: string): Promise<string> {
    const asked = this.#stamps.get(organizationId)
    if (asked !== undefined) return asked
    const stamp = this.#database.read(stampOf, [organizationId]).then(([row]) => JSON.stringify(row))
    this.#stamps.set(organizationId, stamp)
    const forget = (): unknown => this.#stamps.delete(organizationId)
    stamp.then(forget, forget)
    return stamp
  }

  #revision(organizationId: string): { readonly all: number; readonly settled: number } {
    return this.#revisions.get(organizationId) ?? { all: 0, settled: 0 }
  }
}

const stampOf = `SELECT (SELECT max(updated_at) FROM sync_stream WHERE organization_id = ?1) AS page,
  (SELECT id || ' ' || finished_at FROM sync_report WHERE organization_id = ?1 ORDER BY id DESC LIMIT 1) AS report,
  (SELECT stamp FROM device_mark_stamp WHERE organization_id = ?1) AS marks`

const keyOf = (organizationId: string, question: string): string => JSON.stringify([organizationId, question])
