/** Rows that go by between two frames, about as many as are in sight: what was shown is gone before it is read. Chosen. */
const FLEETING_ROWS = 20
/** A hand on the scroll bar rests. Chosen. */
const RESTS_AFTER_IN_MS = 80

/** How fast a list scrolls: what only flies by need not be fetched. */
export interface ScrollPace {
  /** Told of each frame that scrolls, with the row at the top; answers by how many rows it went down. */
  moved(row: number): number
  /** A single jump, such as to the end, is not: one wants to see where it leads. */
  isFleeting(): boolean
  /** Settles once rows can be read again. */
  readable(): Promise<void>
}

export function openScrollPace(): ScrollPace {
  let before = 0
  let fast = 0
  let rest: ReturnType<typeof setTimeout> | undefined
  let waiting: (() => void)[] = []
  const isFleeting = (): boolean => fast > 1
  const settle = (): void => {
    clearTimeout(rest)
    fast = 0
    const those = waiting
    waiting = []
    for (const go of those) go()
  }
  return {
    moved(row) {
      const rows = row - before
      before = row
      if (Math.abs(rows) < FLEETING_ROWS) settle()
      else {
        fast += 1
        clearTimeout(rest)
        rest = setTimeout(settle, RESTS_AFTER_IN_MS)
      }
      return rows
    },
    isFleeting,
    readable: () => (isFleeting() ? new Promise((go) => waiting.push(go)) : Promise.resolve()),
  }
}
