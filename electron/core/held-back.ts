import type { Cancel, Clock } from './platform.ts'

/** Throttle: calls the listener at most once per interval; the last call is never lost. */
export interface HeldBack {
  readonly happened: () => void
  readonly close: () => void
}

export function heldBack(clock: Clock, atMostEveryInMs: number, tell: () => void): HeldBack {
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
