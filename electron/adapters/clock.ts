import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import type { Clock } from '../core/platform.ts'

/** A longer timer would overflow and fire at once (Node: 2^31 - 1 ms). */
const longestTimerInMs = 2 ** 31 - 1

/**
 * Linux has an id for every boot. Other systems have no cheap value that survives a wall clock adjustment
 * (the boot time is derived from the wall clock). There, a monotonic time below an earlier one shows that the
 * computer was restarted.
 */
function readBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}

/**
 * The clock of this machine. A pending timer keeps the process alive, because something waits for it. Closing
 * the clock cancels its timers.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  // CLOCK_MONOTONIC on Linux, mach time on macOS, the performance counter on Windows: one zero for all programs, unlike performance.now().
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  uptime: () => uptime() * 1_000,
  boot: readBoot(),
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
