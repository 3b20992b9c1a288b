interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
  readonly everyMs: number | null
}

const sooner = (one: Timer, other: Timer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** Earliest first. */
class TimerHeap {
  readonly #heap: Timer[] = []

  get first(): Timer | undefined {
    return this.#heap[0]
  }

  push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!sooner(timer, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = timer
  }

  shift(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && sooner(heap[child + 1]!, heap[child]!)) child++
      if (!sooner(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
  }
}

/**
 * Virtual time for libraries that use the globals: while `within` runs, timers and clocks are these. It jumps from timer to timer, and lets
 * every promise settle in between. Nothing else may run in the process meanwhile.
 */
export async function within<T>(
  work: (time: {
    readonly now: () => number
    readonly runUntil: (end: number | (() => boolean)) => Promise<void>
  }) => Promise<T>,
) {
  const epoch = Date.UTC(2026, 10, 21)
  const heap = new TimerHeap()
  const ended = new Set<number>()
  let now = 0
  let order = 0
  const after = (fire: (...given: unknown[]) => void, inMs: unknown, given: unknown[], repeats: boolean) => {
    const id = ++order
    // As in Node: at least a millisecond.
    const wait = Math.max(1, Math.trunc(Number(inMs) || 0))
    heap.push({ at: now + wait, order: id, fire: () => fire(...given), everyMs: repeats ? wait : null })
    return {
      id,
      ref: () => undefined,
      unref: () => undefined,
      hasRef: () => true,
      [Symbol.toPrimitive]: () => id,
    }
  }
  const end = (timer: unknown): void => {
    if (typeof timer === 'object' && timer !== null && 'id' in timer) ended.add(timer.id as number)
  }
  const settle = globalThis.setImmediate
  const own = {
    setTimeout: (fire: () => void, inMs?: number, ...given: unknown[]) => after(fire, inMs, given, false),
    setInterval: (fire: () => void, inMs?: number, ...given: unknown[]) => after(fire, inMs, given, true),
    clearTimeout: end,
    clearInterval: end,
  }
  const kept = Object.fromEntries(
    Object.keys(own).map((name) => [name, Reflect.get(globalThis, name) as unknown]),
  )
  const { now: dateNow } = Date
  Object.assign(globalThis, own)
  Date.now = () => epoch + now
  Object.defineProperty(performance, 'now', { value: () => now, configurable: true, writable: true })
  const settled = (): Promise<void> => new Promise((resolve) => void settle(resolve))
  const runUntil = async (until: number | (() => boolean)): Promise<void> => {
    await settled()
    const over = (): boolean =>
      typeof until === 'number' ? (heap.first?.at ?? Infinity) > until : until() || heap.first === undefined
    while (!over()) {
      const timer = heap.first!
      heap.shift()
      if (ended.delete(timer.order)) continue
      now = timer.at
      if (timer.everyMs !== null) heap.push({ ...timer, at: now + timer.everyMs })
      timer.fire()
      await settled()
    }
    if (typeof until === 'number') now = Math.max(now, until)
  }
  try {
    return await work({ now: () => now, runUntil })
  } finally {
    Object.assign(globalThis, kept)
    Date.now = dateNow
    Reflect.deleteProperty(performance, 'now')
  }
}
