import { Failed, noKeyToSend, type Failure } from '../../contract/failure.ts'
import type { Log } from '../platform.ts'

/** How the attempt of a write ended. */
export interface Ending {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed'
  readonly status: number | null
  readonly failure: Failure | null
}

/** Failures after which the write certainly did not arrive: the minute of the devices does not begin. */
const nothingSent: ReadonlySet<Failure['kind']> = new Set([
  'offline',
  'timed-out',
  'cancelled',
  'writes-locked',
  ...noKeyToSend,
  'too-busy',
])

export const wasNotSent = ({ failure }: Ending): boolean => failure !== null && nothingSent.has(failure.kind)

export function endingOf(error: unknown, operation: string, log: Log): Ending {
  if (!(error instanceof Failed)) {
    log.write('error', 'A write ended unexpectedly', { operation, error: String(error) })
    const message = 'An error occurred in Headroom while it was sent.'
    return {
      outcome: 'unconfirmed',
      status: null,
      failure: { kind: 'unconfirmed', call: { operation, host: null }, message },
    }
  }
  const { failure } = error
  if (failure.kind === 'unconfirmed')
    return { outcome: 'unconfirmed', status: failure.status ?? null, failure }
  const status = failure.kind === 'refused' ? failure.status : (statusOf[failure.kind] ?? null)
  return { outcome: 'refused', status, failure }
}

/** Failures that always come from one status (service-client). */
const statusOf: Partial<Record<Failure['kind'], number>> = {
  'not-found': 404,
  'key-refused': 401,
  'rate-limited': 429,
}

/** The message of the journal line. */
export function messageOf(failure: Failure): string {
  if ('message' in failure && failure.message !== null && failure.message !== '')
    return `${failure.kind}: ${failure.message}`
  if (failure.kind === 'not-found') return `${failure.kind}: ${failure.what}`
  return failure.kind
}
