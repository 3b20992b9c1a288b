/** An item that was not sent yet. `dueAt` on the monotonic clock: not before. */
export interface QueuedItem {
  readonly id: number
  readonly position: number
  readonly dueAt: number
}

/** Items in the order they are sent: those whose devices are free first, by their places in the plan; one that waits holds up no other. */
export class ItemQueue {
  /** The next one stands last. */
  readonly #ready: QueuedItem[] = []
  readonly #later: QueuedItem[] = []

  get size(): number {
    return this.#ready.length + this.#later.length
  }

  add(item: QueuedItem, now: number): void {
    if (item.dueAt <= now) insert(this.#ready, item, (a, b) => b.position - a.position)
    else insert(this.#later, item, (a, b) => b.dueAt - a.dueAt || b.position - a.position)
  }

  take(now: number): QueuedItem | null {
    this.#settle(now)
    return this.#ready.pop() ?? null
  }

  /** When the next one is due; Infinity: none is left. */
  nextAt(now: number): number {
    this.#settle(now)
    return this.#ready.length > 0 ? now : (this.#later.at(-1)?.dueAt ?? Infinity)
  }

  /** When the last one is due. */
  lastAt(): number {
    return this.#later[0]?.dueAt ?? -Infinity
  }

  clear(): void {
    this.#ready.length = this.#later.length = 0
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
