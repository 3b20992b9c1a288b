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
  // A proxy that blocks a read does not say that a document is not published, or that a room is gone.
  if ((notPublished.includes(status) || status === 404) && !request.writes && isHtmlPage(answer))
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

/**
 * A longer time is treated as an error: a year has the same effect as no limit, and keeps the arithmetic
 * exact.
 */
const longestStatedInS = 366 * 86_400
/** Used without a usable value: the wait of a public client (services.md#B15). */
const defaultWaitInMs = 1_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const fixed = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const older =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/** Not the comma after the day of a date. */
const betweenHeaders = /(?<!day|Mon|Tue|Wed|Thu|Fri|Sat|Sun),/

/**
 * The moment (epoch ms, our clock) from which a `Retry-After` header allows the next call; never earlier than
 * stated. A date is interpreted relative to the response's own `Date`, so a wrong clock on either side has no
 * effect (RFC 9110, 10.2.3). A fraction is rounded up; a missing or invalid value counts as one second.
 */
export function retryMoment(header: string | null, dateHeader: string | null, nowAt: number): number {
  return statedMoment(header, dateHeader, nowAt) ?? nowAt + defaultWaitInMs
}

/**
 * As `retryMoment`; null: missing or invalid. The transport joins several headers with commas (a gateway
 * before a gateway): the longest applies.
 */
export function statedMoment(header: string | null, dateHeader: string | null, nowAt: number): number | null {
  const moments = (header?.split(betweenHeaders) ?? []).flatMap(
    (one) => oneMoment(one.trim(), dateHeader, nowAt) ?? [],
  )
  return moments.length === 0 ? null : Math.max(...moments)
}

function oneMoment(stated: string, dateHeader: string | null, nowAt: number): number | null {
  if (/^\d+(?:\.\d+)?$/.test(stated))
    return nowAt + Math.min(Math.ceil(Number(stated)), longestStatedInS) * 1_000
  const until = httpDate(stated, nowAt)
  if (until === null) return null
  const sentAt = httpDate(dateHeader?.trim() ?? '', nowAt) ?? nowAt
  return nowAt + Math.min(Math.max(0, until - sentAt), longestStatedInS * 1_000)
}

/** Only the three forms of RFC 9110, 5.6.7; null: not a date. Epoch ms. */
export function httpDate(text: string, nowAt: number): number | null {
  const fix = fixed.exec(text)
  if (fix) return moment(Number(fix[3]), fix[2]!, fix[1]!, fix[4]!, fix[5]!, fix[6]!)
  const old = older.exec(text)
  if (old) {
    // A year of two digits that seems more than fifty years ahead is in the previous century (RFC 9110,
    // 5.6.7).
    const thisYear = new Date(nowAt).getUTCFullYear()
    const year = thisYear - (thisYear % 100) + Number(old[3])
    return moment(year > thisYear + 50 ? year - 100 : year, old[2]!, old[1]!, old[4]!, old[5]!, old[6]!)
  }
  const c = asctime.exec(text)
  return c ? moment(Number(c[6]), c[1]!, c[2]!, c[3]!, c[4]!, c[5]!) : null
}

function moment(
  year: number,
  month: string,
  day: string,
  hours: string,
  minutes: string,
  seconds: string,
): number | null {
  const index = months.indexOf(month)
  const at = Date.UTC(year, index, Number(day), Number(hours), Number(minutes), Number(seconds))
  const isReal =
    index >= 0 &&
    new Date(at).getUTCDate() === Number(day) &&
    Number(hours) < 24 &&
    Number(minutes) < 60 &&
    Number(seconds) <= 60
  return isReal ? at : null
}
