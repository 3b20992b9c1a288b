import { systemClock } from '../../../electron/adapters/clock.ts'
import type { Clock } from '../../../electron/core/host.ts'

/** How many times faster than the machine's own clock: the minute between two writes is 300 ms. */
const speed = 200
const began = Date.UTC(2026, 10, 21)

/** Wall time that runs fast, the same in every program of this machine. */
export const fastClock: Clock = {
  now: () => Math.floor(began + (performance.timeOrigin + performance.now() - began) * speed),
  monotonic: () => performance.now() * speed,
  after: (afterInMs, fire) => systemClock.after(afterInMs / speed, fire),
}
