/**
 * Number of rows between two frames, about as many as are visible: nobody can read rows that pass at this
 * speed.
 */
const FLEETING_ROWS = 20
/** The pause after which a dragged scroll bar counts as stopped. */
const RESTS_AFTER_IN_MS = 80

/** Measures the speed of scrolling, because rows that are only scrolled past need not be requested. */
export interface ScrollPace {
  /** Called for each scrolled frame with the top row; returns by how many rows it moved. */
  moved(row: number): number
  /** A single jump, such as to the end, is not fast scrolling, because its target is to be shown. */
  isFleeting(): boolean
  /** Settles once rows can be read again. */
  readable(): Promise<void>
}

export function openScrollPace(): ScrollPace {
  let previous = 0
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
      const rows = row - previous
      previous = row
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
