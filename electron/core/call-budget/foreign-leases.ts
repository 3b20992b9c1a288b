import type { StartRing } from './start-ring.ts'

/** A lease that another process holds: up to `count` starts at any time until `endsAt` (our monotonic clock). */
interface OpenLease {
  readonly count: number
  readonly endsAt: number
}

/**
 * What other processes may still start without telling us first. An open lease counts whole until its owner says what it
 * really used; when it runs out unsaid (the owner was killed, or idles), all of it counts as started at its end.
 */
export class ForeignLeases {
  readonly #open = new Map<number, OpenLease>()
  readonly #countedAtEnd = new Map<number, number>()
  readonly #ring: StartRing
  readonly #forgetAfterInMs: number

  constructor(ring: StartRing, forgetAfterInMs: number) {
    this.#ring = ring
    this.#forgetAfterInMs = forgetAfterInMs
  }

  opened(id: number, count: number, endsAt: number): void {
    if (!this.#countedAtEnd.has(id)) this.#open.set(id, { count, endsAt })
  }

  /** The owner said when it started what; nothing new when the lease was already counted whole. */
  settled(id: number, startedAt: readonly number[]): void {
    this.#open.delete(id)
    if (this.#countedAtEnd.has(id)) return
    for (const at of startedAt) this.#ring.add(at)
  }

  /** Starts that may happen, or have just happened, unsaid. */
  pending(now: number): number {
    if (this.#open.size === 0) return 0
    let pending = 0
    for (const [id, lease] of this.#open) {
      if (lease.endsAt > now) {
        pending += lease.count
        continue
      }
      this.#open.delete(id)
      this.#countedAtEnd.set(id, lease.endsAt)
      for (let i = 0; i < lease.count; i++) this.#ring.add(lease.endsAt)
    }
    for (const [id, endedAt] of this.#countedAtEnd)
      if (now - endedAt > this.#forgetAfterInMs) this.#countedAtEnd.delete(id)
    return pending
  }

  /** When the next open lease runs out; Infinity: none is open. */
  nextEndAt(): number {
    return Math.min(Infinity, ...[...this.#open.values()].map((lease) => lease.endsAt))
  }
}
