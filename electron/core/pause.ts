import type { Clock } from './platform.ts'

/** The result of work that goes on in any case; null: it takes longer. */
export function within<T>(clock: Pick<Clock, 'after'>, inMs: number, work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(inMs, () => resolve(null))
  return Promise.race([work, late]).finally(cancel)
}

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
