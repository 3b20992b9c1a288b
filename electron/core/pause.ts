import type { Clock } from './platform.ts'

/** Waits; returns true if the time has passed, false if the signal fired. */
export const pause = (clock: Clock, inMs: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const leave = (): void => {
      cancel()
      resolve(false)
    }
    const cancel = clock.after(inMs, () => {
      signal.removeEventListener('abort', leave)
      resolve(true)
    })
    signal.addEventListener('abort', leave, { once: true })
  })
