import type { Cancel, Clock } from './platform.ts'

/** Throttle: calls the listener at most once per interval; the last call is never lost. */
export interface Throttle {
  readonly happened: () => void
  readonly close: () => void
}

export function throttle(clock: Clock, atMostEveryInMs: number, tell: () => void): Throttle {
  let cancel: Cancel | null = null
  return {
    happened: () => {
      cancel ??= clock.after(atMostEveryInMs, () => {
        cancel = null
        tell()
      })
    },
    close: () => cancel?.(),
  }
}
