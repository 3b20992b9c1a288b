import { Failed } from '../../contract/failure.ts'

/** One piece of work that several callers wait for. It is cancelled only when the last caller has left. */
export interface Flight<T> {
  readonly result: Promise<T>
  readonly ending: AbortController
  waiting: number
}

/**
 * Joins the work with that name, or starts it. A caller whose signal fires leaves at once with Failed
 * `cancelled`; the others continue to wait.
 */
export async function joinFlight<T>(
  flights: Map<string, Flight<T>>,
  name: string,
  signal: AbortSignal | null,
  start: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let flight = flights.get(name)
  if (flight === undefined) {
    const ending = new AbortController()
    const begun: Flight<T> = {
      result: start(ending.signal).finally(() => leave(flights, name, begun)),
      ending,
      waiting: 0,
    }
    flights.set(name, begun)
    flight = begun
  }
  const joined = flight
  joined.waiting++
  const left = Promise.withResolvers<never>()
  const onAbort = (): void => left.reject(new Failed({ kind: 'cancelled' }))
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([joined.result, left.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
    joined.waiting--
    if (joined.waiting === 0) {
      leave(flights, name, joined)
      joined.ending.abort()
    }
  }
}

/** Frees the name, unless later work uses it already. */
function leave<T>(flights: Map<string, Flight<T>>, name: string, flight: Flight<T>): void {
  if (flights.get(name) === flight) flights.delete(name)
}
