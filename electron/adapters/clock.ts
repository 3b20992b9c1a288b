import type { Clock } from '../core/platform.ts'

/** A longer timer would overflow and fire at once (Node: 2^31 - 1 ms). */
const longestTimerInMs = 2 ** 31 - 1

/**
 * The clock of this machine. A pending timer keeps the process alive, because something waits for it. Closing
 * the clock cancels its timers.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(afterInMs, fire) {
    const dueAt = performance.now() + afterInMs
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = dueAt - performance.now()
      // A timer may fire a fraction of a millisecond early; the promise is "no earlier".
      timer = setTimeout(
        () => (dueAt - performance.now() > 0 ? arm() : fire()),
        Math.min(longestTimerInMs, Math.max(0, Math.ceil(left))),
      )
    }
    arm()
    return () => clearTimeout(timer)
  },
}
