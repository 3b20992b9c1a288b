import CachePolicy from 'http-cache-semantics'

export type Headers = Readonly<Record<string, string>>

const hour = 3_600_000
/**
 * How long a document without cache headers counts as fresh. The service's headers are not published
 * (services.md#A30); change it when they are.
 */
export const freshWithoutHeadersInMs = hour
/**
 * Upper limit of freshness, because the organization's limit for stale data is a day. Change both together.
 */
export const freshAtMostInMs = 24 * hour
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
