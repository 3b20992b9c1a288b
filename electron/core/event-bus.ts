import type { EventName, PayloadOf } from '../contract/rpc-client.ts'
import type { Cancel, Clock } from './platform.ts'
import { Listeners } from './listeners.ts'

/** At most ten events a second of one kind (contract); the last one of a burst is never lost. */
const atMostEveryInMs = 100

export type Emit = <N extends EventName>(event: N, payload: PayloadOf<N>) => void

export interface EventBus {
  readonly emit: Emit
  /** Returns the function that ends it. */
  listen(listener: (event: string, payload: unknown) => void): () => void
  close(): void
}

interface Burst {
  lastAt: number
  delayed: unknown
  cancel: Cancel | null
}

export function openEventBus(clock: Clock): EventBus {
  const listeners = new Listeners<[event: string, payload: unknown]>()
  const bursts = new Map<string, Burst>()

  const tell = (event: string, burst: Burst, payload: unknown): void => {
    burst.lastAt = clock.monotonic()
    burst.delayed = undefined
    listeners.notify(event, payload)
  }

  return {
    emit: (event, payload) => {
      const burst = bursts.get(event) ?? { lastAt: -atMostEveryInMs, delayed: undefined, cancel: null }
      bursts.set(event, burst)
      const delayed = together(burst.delayed, payload)
      if (burst.cancel !== null) {
        burst.delayed = delayed
        return
      }
      const waitInMs = burst.lastAt + atMostEveryInMs - clock.monotonic()
      if (waitInMs <= 0) return tell(event, burst, delayed)
      burst.delayed = delayed
      burst.cancel = clock.after(waitInMs, () => {
        burst.cancel = null
        tell(event, burst, burst.delayed)
      })
    },
    listen: listeners.add,
    close: () => {
      listeners.clear()
      for (const burst of bursts.values()) burst.cancel?.()
      bursts.clear()
    },
  }
}

/**
 * The combination of a delayed event and the next one: counts are added, ids are joined, otherwise the later
 * value applies.
 */
export function together(delayed: unknown, next: unknown): unknown {
  const [a, b] = [delayed, next] as [Record<string, unknown> | undefined, Record<string, unknown>]
  if (a === undefined) return next
  if (typeof a['count'] === 'number' && typeof b['count'] === 'number')
    return { count: a['count'] + b['count'] }
  if (Array.isArray(a['ids']) && Array.isArray(b['ids']))
    return { ids: [...new Set([...(a['ids'] as string[]), ...(b['ids'] as string[])])] }
  return next
}
