import type { CallPlace, Failure, FailureOf } from '../../contract/failure.ts'
import type { WireResponse, WireFault, WireRequest } from '../platform.ts'
import { isHtmlPage } from './response-text.ts'
import type { ServiceRequest } from './service-request.ts'

/**
 * Total attempts of a read (chosen), and on the interactive lane if no connection is possible
 * or a document is requested: a person waits.
 */
const triesAtMost = 5
const interactiveTriesAtMost = 2
const backoffBaseInMs = 1_000
const backoffCapInMs = 60_000

/** What to do after an attempt without data. */
export type Verdict =
  | { readonly kind: 'again'; readonly otherwise: Failure }
  | { readonly kind: 'fail'; readonly failure: Failure }

/** Full jitter: anything between nothing and the doubled base, capped. Milliseconds. */
export function backoffInMs(attempt: number, random: () => number): number {
  return random() * Math.min(backoffCapInMs, backoffBaseInMs * 2 ** (attempt - 1))
}

/**
 * Whether another attempt of this read is allowed after `attempt` of them. A document that a person waits for
 * is tried twice, after any failure.
 */
export function mayTryAgain(
  request: ServiceRequest,
  attempt: number,
  connectionFailed: boolean,
  isDocument: boolean,
): boolean {
  if (request.once === true) return false
  return (
    attempt <
    ((connectionFailed || isDocument) && request.lane === 'interactive'
      ? interactiveTriesAtMost
      : triesAtMost)
  )
}

export const offlineFailure = ({ message, proxy }: WireFault, call: CallPlace): FailureOf<'offline'> =>
  proxy === undefined
    ? { kind: 'offline', call, message }
    : { kind: 'offline', call, message, ...proxy, sent: false }

/** The result of an attempt without a response. */
export function afterFault(
  fault: WireFault,
  request: ServiceRequest,
  wire: WireRequest,
  call: CallPlace,
): Verdict {
  const fail = (failure: Failure): Verdict => ({ kind: 'fail', failure })
  // A write that may have arrived is never repeated; only the technician can determine its result.
  if (request.writes && fault.sent === 'maybe')
    return fail({ kind: 'unconfirmed', call, message: fault.message })
  switch (fault.reason) {
    case 'aborted':
      return fail({ kind: 'cancelled' })
    case 'tls':
      return fail(offlineFailure(fault, call))
    case 'redirect':
      return fail({ kind: 'unreadable-answer', call, where: 'redirect', message: fault.message })
    case 'too-large':
      return fail({
        kind: 'unreadable-answer',
        call,
        where: `body, beyond ${wire.maxBytes} bytes`,
        message: fault.message,
      })
    case 'timeout':
      return again(request, {
        kind: 'timed-out',
        call,
        afterInMs: wire.timeoutInMs,
        ...(fault.proxy?.via && { via: fault.proxy.via }),
      })
    case 'offline':
      // An account may be locked after a few wrong sign-ins.
      return fault.proxy?.reason === 'sign-in-wanted'
        ? fail(offlineFailure(fault, call))
        : again(request, offlineFailure(fault, call))
    case 'broken':
    case 'truncated':
      return again(
        request,
        fault.sent === 'no'
          ? offlineFailure(fault, call)
          : { kind: 'service-unavailable', call, status: null, message: fault.message },
      )
  }
}

/**
 * The result of a response that is neither 2xx, 304, 401 nor 429. `message` is the service's text, scrubbed.
 */
export function afterStatus(
  answer: WireResponse,
  request: ServiceRequest,
  call: CallPlace,
  message: string | null,
  notPublished: readonly number[],
): Verdict {
  const { status } = answer
  const fail = (failure: Failure): Verdict => ({ kind: 'fail', failure })
  // A 408 from a gateway means that the service did not respond to it, so the write may have arrived: treated
  // as 5xx.
  if (request.writes && (status >= 500 || status === 408))
    return fail({
      kind: 'unconfirmed',
      call,
      message: `the service answered ${status}${message === null ? '' : `: ${message}`}`,
      status,
    })
  // A proxy that blocks a document does not say that it is not published.
  if (notPublished.includes(status) && isHtmlPage(answer))
    return fail({
      kind: 'unreadable-answer',
      call,
      where: 'body',
      message: `the service answered ${status} with an HTML page, perhaps of a proxy or a sign-in page`,
    })
  if (notPublished.includes(status))
    return fail({ kind: 'not-found', call, what: message ?? 'not published' })
  if (status === 404) return fail({ kind: 'not-found', call, what: message ?? request.operation })
  if (status >= 500) return again(request, { kind: 'service-unavailable', call, status, message })
  if (status >= 400) return fail({ kind: 'refused', call, status, message })
  if (request.writes)
    return fail({
      kind: 'unconfirmed',
      call,
      message: `the service answered ${status}, which is neither a success nor an error`,
      status,
    })
  return fail({
    kind: 'unreadable-answer',
    call,
    where: 'status',
    message: `the service answered ${status} where data was expected`,
  })
}

function again(request: ServiceRequest, otherwise: Failure): Verdict {
  return request.writes ? { kind: 'fail', failure: otherwise } : { kind: 'again', otherwise }
}

/** Whether the attempt reached the service; null: unknown. */
export function reached(outcome: WireResponse | WireFault): boolean | null {
  if (outcome.kind === 'answer') return true
  if (outcome.reason === 'aborted') return null
  return outcome.sent === 'maybe' && outcome.reason !== 'timeout'
}
