import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Log } from '../platform.ts'

/** How the attempt of a write ended. */
export interface Ending {
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed'
  readonly status: number | null
  readonly failure: Failure | null
}

/** The write certainly did not arrive: the minute of the devices does not begin. */
export const wasNotSent = ({ failure }: Ending): boolean =>
  failure !== null && !policyOf(failure).countsAsSent

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
  if (isKind(failure, 'unconfirmed'))
    return { outcome: 'unconfirmed', status: failure.status ?? null, failure }
  const status = isKind(failure, 'refused') ? failure.status : policyOf(failure).status
  return { outcome: 'refused', status, failure }
}

/** The message of the journal line. */
export function messageOf(failure: Failure): string {
  if ('message' in failure && failure.message !== null && failure.message !== '')
    return `${failure.kind}: ${failure.message}`
  if (isKind(failure, 'not-found')) return `${failure.kind}: ${failure.what}`
  return failure.kind
}
