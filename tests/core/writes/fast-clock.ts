import { systemClock } from '../../../electron/adapters/clock.ts'
import type { Clock } from '../../../electron/core/platform.ts'

const began = Date.UTC(2026, 10, 21)

/**
 * A wall clock that runs a multiple of times faster than the machine's, the same in every program of this
 * machine.
 */
export const clockAt = (speed: number): Clock => ({
  now: () => Math.floor(began + (performance.timeOrigin + performance.now() - began) * speed),
  monotonic: () => systemClock.monotonic() * speed,
  after: (afterInMs, fire) => systemClock.after(afterInMs / speed, fire),
})

/** The minute between two writes is 300 ms. */
export const fastClock = clockAt(200)
