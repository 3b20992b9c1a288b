import type { Clock } from '../host.ts'

interface Kept {
  readonly revision: number
  readonly askedAt: number
  tookInMs: number | null
  readonly answer: Promise<unknown>
}

/**
 * Answers about an organization's rows (an order of all row ids, a count), kept until rows change. While a sync changes them many
 * times a second, an answer is used on for four times as long as it took to make, so that sorting and counting never fill the thread.
 */
export class AnswerCache {
  readonly #clock: Clock
  readonly #keptAtMost: number
  readonly #kept = new Map<string, Kept>()
  readonly #revisions = new Map<string, number>()

  constructor(clock: Clock, keptAtMost: number) {
    this.#clock = clock
    this.#keptAtMost = keptAtMost
  }

  changed(organizationId: string): void {
    this.#revisions.set(organizationId, this.#revision(organizationId) + 1)
  }

  /** `question` names everything the answer depends on but the rows. */
  get<T>(organizationId: string, question: string, make: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic()
    const key = JSON.stringify([organizationId, question])
    const known = this.#kept.get(key)
    if (known && (known.revision === this.#revision(organizationId) || known.tookInMs === null || now - known.askedAt < 4 * known.tookInMs)) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.answer as Promise<T>
    }
    const answer = make()
    const kept: Kept = { revision: this.#revision(organizationId), askedAt: now, tookInMs: null, answer }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    answer.then(
      () => (kept.tookInMs = this.#clock.monotonic() - now),
      () => this.#kept.get(key) === kept && this.#kept.delete(key),
    )
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#keptAtMost) break
      this.#kept.delete(oldest)
    }
    return answer
  }

  #revision(organizationId: string): number {
    return this.#revisions.get(organizationId) ?? 0
  }
}
