import { Buffer } from 'node:buffer'
import { Failed, type CallPlace } from '../../contract/failure.ts'
import type { Observed } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { SqlRow } from '../platform.ts'
import type { ServiceResponse, ServiceClient } from '../service-client/service-client.ts'
import type { DocumentRow } from './document-rows.ts'
import CachePolicy from 'http-cache-semantics'

export interface DocumentRequest<T> {
  readonly client: ServiceClient
  /** The metadata base address, without a trailing slash. */
  readonly baseUrl: string
  readonly operation: string
  readonly path: string
  /** For display: the requested document, such as `Feature model of 2830/9395`. */
  readonly what: string
  readonly lane: Lane
  /**
   * True: send a request even if the copy is fresh. Without a connection the copy is returned with its age.
   */
  readonly refresh: boolean
  /** True: only the copy may be used; without one Failed `offline`. */
  readonly cachedOnly?: boolean
  readonly signal: AbortSignal | null
  /**
   * null, or the reason why this is not the document, regardless of the status; it is not stored, and an
   * older copy remains. `documentUrl` is where it was read, for relative links. Called once for a document,
   * however often it is requested: each address has one parser.
   */
  readonly parse: (json: Json, documentUrl: string) => T | NotTheDocument | null
}

/** Not published: when that was observed, and whether a request was saved. */
export class NotPublished extends Failed implements Observed {
  readonly observedAt: number
  readonly fromCache: boolean
  constructor(request: DocumentRequest<unknown>, { observedAt }: Copy, fromCache: boolean) {
    super({ kind: 'not-found', call: placeOf(request), what: request.what })
    this.observedAt = observedAt
    this.fromCache = fromCache
  }
}

/** Why a response is not the requested document, as a sentence without a full stop. */
export class NotTheDocument {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** The parsed document, when it was observed, and whether a request was saved. */
export interface CachedDocument<T> extends Observed {
  readonly value: T
}

/** A document as last observed and parsed; `value` is undefined if the document is not published. */
export interface Copy {
  readonly value: unknown
  readonly headers: Headers
  readonly observedAt: number
  readonly size: number
  /** Where it was read after a redirect; null: at its own address. */
  readonly redirectedTo: string | null
}

/** 403, 404, 410, 204, and a body of `null`: there is no such document. */
export const notPublishedAt = (observedAt: number): Copy => ({
  value: undefined,
  headers: {},
  observedAt,
  size: 0,
  redirectedTo: null,
})

export const rowOf = (address: string, copy: Copy, body: string, requestedAt: number): DocumentRow => ({
  address,
  status: copy.value === undefined ? 404 : 200,
  body,
  headers: JSON.stringify(copy.headers),
  requestedAt,
  observedAt: copy.observedAt,
  size: copy.size,
  redirectedTo: copy.redirectedTo,
})

/** The stored text is JSON, even if the response is a plain address. */
export const responseText = ({ json, text }: ServiceResponse): string =>
  typeof json === 'string' ? JSON.stringify(json) : text.replace(/^\uFEFF/, '')

export function documentOf(request: DocumentRequest<unknown>, answer: ServiceResponse): Copy {
  const redirectedTo = answer.redirectedTo ?? null
  const value = request.parse(answer.json, redirectedTo ?? addressOf(request))
  const isIt = value !== null && !(value instanceof NotTheDocument)
  if (isIt)
    return {
      value,
      headers: headersToKeep(answer.headers),
      observedAt: answer.receivedAt,
      size: Buffer.byteLength(answer.text),
      redirectedTo,
    }
  const message =
    value instanceof NotTheDocument ? value.reason : `This is not a valid answer to ${request.operation}`
  throw new Failed({ kind: 'unreadable-answer', call: placeOf(request), where: 'the document', message })
}

/** undefined: an incomplete document, or one that this version cannot parse: treated as not stored. */
export function cachedDocument(
  row: SqlRow,
  observedAt: number,
  request: DocumentRequest<unknown>,
): Copy | undefined {
  try {
    const redirectedTo = typeof row['redirected_to'] === 'string' ? row['redirected_to'] : null
    const value = request.parse(JSON.parse(String(row['body'])) as Json, redirectedTo ?? addressOf(request))
    return value === null || value instanceof NotTheDocument
      ? undefined
      : {
          value,
          headers: JSON.parse(String(row['headers'])) as Headers,
          observedAt,
          size: Number(row['size']),
          redirectedTo,
        }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function answerOf<T>(request: DocumentRequest<T>, copy: Copy, fromCache: boolean): CachedDocument<T> {
  if (copy.value === undefined) throw new NotPublished(request, copy, fromCache)
  // Each address has one parser, so the cached value comes from this request's parser.
  return { value: copy.value as T, observedAt: copy.observedAt, fromCache }
}

export const addressOf = ({ baseUrl, path }: DocumentRequest<unknown>): string => baseUrl + path

export const placeOf = ({ operation, baseUrl }: DocumentRequest<unknown>): CallPlace => ({
  operation,
  host: hostOf(baseUrl),
})

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)

export type Headers = Readonly<Record<string, string>>

const hour = 3_600_000
/**
 * How long a document without cache headers counts as fresh. The service's headers are not published
 * (services.md#A30); change it when they are.
 */
const freshWithoutHeadersInMs = hour
/**
 * Upper limit of freshness, because the organization's limit for stale data is a day. Change both together.
 */
const freshAtMostInMs = 24 * hour
/** How long "not published" (403, 404, 410) is cached. Lower it if new documents appear too late. */
export const notPublishedForMs = hour

/** The headers that RFC 9111 needs later; no other header of a response is stored. */
const cachedHeaders = [
  'age',
  'cache-control',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'pragma',
  'vary',
]
const saysItself = /(^|,)\s*(max-age|no-cache|no-store)\b/i

export function headersToKeep(headers: Headers): Headers {
  return Object.fromEntries(
    cachedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
}

/** How long a document may be used without a request, from the moment it was observed, in milliseconds. */
export function freshForMs(headers: Headers, observedAt: number): number {
  const says =
    saysItself.test(headers['cache-control'] ?? '') ||
    ['expires', 'pragma'].some((name) => headers[name] !== undefined) ||
    headers['vary'] === '*'
  if (!says) return freshWithoutHeadersInMs
  const policy = policyAt(observedAt, headers)
  return Math.min(freshAtMostInMs, Math.max(0, (policy.maxAge() - policy.age()) * 1000))
}

/** The headers of a conditional request: `If-None-Match`, `If-Modified-Since`. */
export function conditions(headers: Headers, observedAt: number): Record<string, string> {
  const revalidation = policyAt(observedAt, headers).revalidationHeaders({ method: 'GET', headers: {} })
  return Object.fromEntries(
    ['if-none-match', 'if-modified-since'].flatMap((name) =>
      typeof revalidation[name] === 'string' ? [[name, revalidation[name]]] : [],
    ),
  )
}

/**
 * False if a 304 refers to another version than the stored one (RFC 9111, 4.3.4): then the whole document is
 * requested.
 */
export function renews(stored: Headers, answered: Headers): boolean {
  const weak = (tag: string): string => tag.replace(/^\s*W\//, '')
  const [before, now] = [stored['etag'], answered['etag']]
  return before === undefined || now === undefined || weak(before) === weak(now)
}

/**
 * The library reads the time through `now`, which its types omit. It is set to the platform's clock, so that
 * a policy is evaluated at one point in time.
 */
function policyAt(at: number, headers: Headers): CachePolicy {
  class PolicyAt extends CachePolicy {
    now(): number {
      return at
    }
  }
  return new PolicyAt(
    { method: 'GET', headers: {} },
    { status: 200, headers: { ...headers } },
    { shared: false, cacheHeuristic: 0 },
  )
}
