import type { WaitReason } from '../../contract/api/jobs.ts'
import type { TriedItem } from './job-rows.ts'
import type { LocalWindow } from './start-window.ts'

/** An item that was not sent yet. `dueAt` on the monotonic clock: not before. */
export interface QueuedItem {
  readonly id: number
  readonly position: number
  readonly dueAt: number
  /** Why it was not sent at its last turn. */
  readonly waitsFor?: WaitReason | undefined
  /** Of the items that one of them is tried for (`Canaries`). */
  readonly family: string | null
  /** Sent only within this window; null: at any time. */
  readonly window: LocalWindow | null
}

/** Both clocks, read at once. */
export interface Now {
  readonly wall: number
  readonly monotonic: number
}

/**
 * Items in sending order: those whose window is open and whose devices are free come first, by position in
 * the plan; a waiting item does not delay others.
 */
export class ItemQueue {
  readonly #lanes = new Map<LocalWindow | null, Lane>()

  get size(): number {
    let size = 0
    for (const lane of this.#lanes.values()) size += lane.size
    return size
  }

  add(item: QueuedItem, monotonic: number): void {
    const lane = this.#lanes.get(item.window) ?? new Lane()
    this.#lanes.set(item.window, lane)
    lane.add(item, monotonic)
  }

  take(now: Now): QueuedItem | null {
    let first: Lane | null = null
    for (const lane of this.#open(now.wall)) {
      const next = lane.next(now.monotonic)
      if (next !== undefined && next.position < (first?.next(now.monotonic)?.position ?? Infinity))
        first = lane
    }
    return first?.take() ?? null
  }

  /** When the next item with an open window is due, monotonic; Infinity: none. */
  nextAt({ wall, monotonic }: Now): number {
    return Math.min(Infinity, ...this.#open(wall).map((lane) => lane.nextAt(monotonic)))
  }

  /** Why the item that `nextAt` means waits. */
  nextWaitsFor(wall: number): 'device-minute' | 'releases' {
    const later = this.#open(wall).flatMap((lane) => lane.nextLater() ?? [])
    const next = later.sort((a, b) => a.dueAt - b.dueAt)[0]
    return next?.waitsFor === 'releases' ? 'releases' : 'device-minute'
  }

  /** When the next window of a waiting item opens, wall time; null: none. */
  opensAt(wall: number): number | null {
    const opens = [...this.#lanes].flatMap(([window, { size }]) =>
      window === null || size === 0 || window.isOpen(wall) ? [] : [window.opensAt(wall)],
    )
    return opens.length === 0 ? null : Math.min(...opens)
  }

  /** When the last item is due, monotonic. */
  lastAt(): number {
    return Math.max(-Infinity, ...[...this.#lanes.values()].map((lane) => lane.lastAt()))
  }

  clear(): void {
    this.#lanes.clear()
  }

  #open(wall: number): readonly Lane[] {
    return [...this.#lanes].flatMap(([window, lane]) =>
      window === null || window.isOpen(wall) ? [lane] : [],
    )
  }
}

/** Items of one window. */
class Lane {
  /** In reverse order: the next item is the last element. */
  readonly #ready: QueuedItem[] = []
  readonly #later: QueuedItem[] = []

  get size(): number {
    return this.#ready.length + this.#later.length
  }

  add(item: QueuedItem, now: number): void {
    if (item.dueAt <= now) insert(this.#ready, item, (a, b) => b.position - a.position)
    else insert(this.#later, item, (a, b) => b.dueAt - a.dueAt || b.position - a.position)
  }

  /** The item that `take` would return, if one is due. */
  next(now: number): QueuedItem | undefined {
    this.#settle(now)
    return this.#ready.at(-1)
  }
  take(): QueuedItem | null {
    return this.#ready.pop() ?? null
  }

  /** The first item that is not due. */
  nextLater(): QueuedItem | undefined {
    return this.#later.at(-1)
  }

  nextAt(now: number): number {
    return this.next(now) === undefined ? (this.#later.at(-1)?.dueAt ?? Infinity) : now
  }

  lastAt(): number {
    return this.#later[0]?.dueAt ?? -Infinity
  }

  #settle(now: number): void {
    for (let next = this.#later.at(-1); next !== undefined && next.dueAt <= now; next = this.#later.at(-1)) {
      this.#later.pop()
      this.add(next, now)
    }
  }
}

function insert(
  sorted: QueuedItem[],
  item: QueuedItem,
  order: (a: QueuedItem, b: QueuedItem) => number,
): void {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const there = sorted[middle]
    if (there !== undefined && order(there, item) <= 0) low = middle + 1
    else high = middle
  }
  sorted.splice(low, 0, item)
}

/**
 * Items of a job that wait until one of their family was tried: one room, or one device of each product. An
 * item that had nothing to do tries nothing, so the next one is its family's canary.
 */
export class Canaries {
  /** The item that is tried for a family; null: it ended. */
  readonly #canaryOf = new Map<string | null, number | null>()
  readonly #held = new Map<string | null, QueuedItem[]>()
  /** Monotonic time at which the canary of a family ended. */
  readonly #endedAt = new Map<string | null, number>()

  /** Items that wait for a canary. */
  get size(): number {
    let size = 0
    for (const { length } of this.#held.values()) size += length
    return size
  }

  /** An item of a stored job that was begun. */
  tried({ id, family, ended }: TriedItem): void {
    if (ended || this.#canaryOf.get(family) === undefined) this.#canaryOf.set(family, ended ? null : id)
  }

  /** Whether an item waits for the canary of its family; the first one is the canary. */
  holds(item: QueuedItem): boolean {
    const canary = this.#canaryOf.get(item.family)
    if (canary === undefined) this.#canaryOf.set(item.family, item.id)
    if (canary === undefined || canary === null || canary === item.id) return false
    this.#held.set(item.family, [...(this.#held.get(item.family) ?? []), item])
    return true
  }

  /** An item ended. The items that may be sent now; null: it was no canary. `idle`: it tried nothing. */
  ended(id: number, idle: boolean, monotonic: number): readonly QueuedItem[] | null {
    for (const [family, canary] of this.#canaryOf) {
      if (canary !== id) continue
      const held = this.#held.get(family) ?? []
      const [next, ...others] = held
      if (idle && next !== undefined) {
        this.#canaryOf.set(family, next.id)
        this.#held.set(family, others)
        return [next]
      }
      this.#canaryOf.set(family, null)
      this.#held.delete(family)
      this.#endedAt.set(family, monotonic)
      return held
    }
    return null
  }

  /** Monotonic time since which items of a family may be sent; null: no canary of it ended in this run. */
  since(family: string | null): number | null {
    return this.#endedAt.get(family) ?? null
  }

  clear(): void {
    this.#held.clear()
  }
}
