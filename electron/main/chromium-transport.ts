import type { ClientRequest, ClientRequestConstructorOptions, IncomingMessage, Session } from 'electron'
import type { ProxyProblem } from '../contract/failure.ts'
import { isLoopback } from '../contract/loopback.ts'
import { bodyText } from '../adapters/body-text.ts'
import type { Transport, WireResponse, WireFault, WireRequest } from '../core/platform.ts'
import { answerProxy, namingProxy, noSignIn, overPolicy, type AnswerProxy } from './session-proxy.ts'

export interface ChromiumTransportOptions {
  /** `net.request` of Electron. */
  readonly request: (options: ClientRequestConstructorOptions) => ClientRequest
  /** A separate session by its name, in memory. */
  readonly sessionFor: (name: string) => Session
  /** Missing: none is kept. */
  readonly signIn?: AnswerProxy
  /** `http://HOST:PORT` or `direct`; null: the policy says nothing, the system decides. */
  readonly ofPolicy?: () => string | null
}

/** Connections that Chromium opens to one host in one session (its own limit, for HTTP/1.1). */
const connectionsPerSession = 6
/**
 * Sessions of a pool for its reads: 24 connections allow 95 calls a second that take a quarter of a second
 * each. Raise it if calls take longer.
 */
const readSessions = 4

/**
 * The transport of the app: Chromium's network stack with the system's proxies, sign-ins and certificates. No
 * cookies, no stored sign-ins, and no redirect is followed. Chromium itself sends even a POST again when a
 * reused connection breaks before the headers (measured). So all connections of the write session are closed
 * before each write, and writes run one at a time, because closing would break a write in flight. Requests to
 * this computer use sessions without a proxy: by default Chromium skips the proxy for them, but the system's
 * settings may differ.
 */
export function openChromiumTransport(options: ChromiumTransportOptions): Transport {
  const { request, sessionFor, signIn = noSignIn, ofPolicy = () => null } = options
  const pools = new Map<string, Promise<Transport['attempt']>>()
  const openPool = async (end: string, over: string | null): Promise<Transport['attempt']> => {
    const reads = Array.from({ length: readSessions }, (_, index) =>
      sessionFor(`headroom-reads-${index + 1}${end}`),
    )
    const writes = sessionFor(`headroom-writes${end}`)
    await Promise.all([...reads, writes].map((session) => overPolicy(session, over)))
    return attemptOver(reads, writes, (session, wanted) => attempt(request, session, wanted, signIn))
  }
  return {
    connections: { reads: readSessions * connectionsPerSession, writes: 1 },
    async attempt(wanted) {
      const isHere = isLoopback(new URL(wanted.url).hostname)
      // Another proxy has sessions of its own; a call in flight stays on the earlier ones.
      const over = isHere ? 'direct' : ofPolicy()
      const end = `${isHere ? '-here' : over === null ? '' : ` over ${over}`}${wanted.pool === undefined ? '' : ` ${wanted.pool}`}`
      const pool = pools.get(end) ?? openPool(end, over)
      pools.set(end, pool)
      return (await pool)(wanted)
    },
  }
}

/** Sessions for reads, which keep their connections, and one only for writes. */
function attemptOver(
  sessions: readonly Session[],
  writeSession: Session,
  open: (session: Session, request: WireRequest) => Promise<WireResponse | WireFault>,
): Transport['attempt'] {
  let lastWrite: Promise<unknown> = Promise.resolve()
  const busy = sessions.map((session) => ({ session, attempts: 0 }))

  const fetched = async (request: WireRequest) => {
    const least = busy.reduce((one, other) => (other.attempts < one.attempts ? other : one))
    least.attempts++
    try {
      return await open(least.session, request)
    } finally {
      least.attempts--
    }
  }

  const write = async (request: WireRequest, before: Promise<unknown>) => {
    await before
    if (request.signal?.aborted) return cancelledBefore
    await writeSession.closeAllConnections()
    return open(writeSession, request)
  }

  return (request) => {
    if (request.signal?.aborted) return Promise.resolve(cancelledBefore)
    if (!request.freshConnection) return fetched(request)
    const mine = write(request, lastWrite)
    lastWrite = mine.catch(() => undefined)
    return mine
  }
}

const cancelledBefore: WireFault = {
  kind: 'fault',
  sent: 'no',
  reason: 'aborted',
  message: 'the call was cancelled',
}

async function attempt(
  open: ChromiumTransportOptions['request'],
  session: Session,
  request: WireRequest,
  signIn: AnswerProxy,
): Promise<WireResponse | WireFault> {
  const host = new URL(request.url).host
  const answered = await new Promise<WireResponse | WireFault>((resolve) => {
    // First: where it cannot be made, no timer is left.
    const wire = open({
      method: request.method,
      url: request.url,
      session,
      redirect: 'manual',
      credentials: 'omit',
      useSessionCookies: false,
      cache: 'no-store',
    })
    let settled = false
    const finish = (outcome: WireResponse | WireFault) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
      resolve(outcome)
    }
    // Chromium does not report when a connection is established, so a request that is aborted here may have
    // been sent.
    const giveUp = (reason: WireFault['reason'], message: string) => {
      finish({ kind: 'fault', sent: 'maybe', reason, message })
      wire.abort()
    }
    const abort = () => giveUp('aborted', 'the call was cancelled')
    const timer = setTimeout(
      () => giveUp('timeout', `${host} did not answer within ${request.timeoutInMs} ms`),
      request.timeoutInMs,
    )
    request.signal?.addEventListener('abort', abort, { once: true })

    for (const [name, value] of Object.entries(request.headers)) wire.setHeader(name, value)
    const signInFault = answerProxy(wire, signIn)
    wire.on('error', (error) => finish(signInFault() ?? faultOf(error.message, host)))
    // Not followed here: the caller decides whether the target is allowed.
    wire.on('redirect', (_status, _method, location) => {
      finish({
        kind: 'fault',
        sent: 'maybe',
        reason: 'redirect',
        message: `${host} redirects the call; check the address`,
        location,
      })
      wire.abort()
    })
    wire.on('response', (response) => {
      const unsigned = signInFault()
      if (unsigned !== null) {
        finish(unsigned)
        return wire.abort()
      }
      // No response to the call follows. Chromium itself ignores every 1xx (http_network_transaction.cc),
      // including 101: if it reports nothing, the attempt ends with its timeout.
      if (response.statusCode === 101) {
        finish({ kind: 'answer', status: 101, headers: plainHeaders(response), body: '' })
        return wire.abort()
      }
      read(response, request.maxBytes, host, finish, giveUp)
    })
    if (request.body === null) wire.end()
    else wire.end(request.body)
  })
  return namingProxy(session, request.url, answered)
}

function read(
  response: IncomingMessage,
  maxBytes: number,
  host: string,
  finish: (outcome: WireResponse | WireFault) => void,
  giveUp: (reason: WireFault['reason'], message: string) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  response.on('data', (chunk) => {
    length += chunk.length
    if (length > maxBytes) giveUp('too-large', `the answer of ${host} is longer than ${maxBytes} bytes`)
    else chunks.push(chunk)
  })
  response.on('end', () => {
    const headers = plainHeaders(response)
    finish({
      kind: 'answer',
      status: response.statusCode,
      headers,
      body: bodyText(Buffer.concat(chunks), headers['content-type']),
    })
  })
  // Electron's types omit the argument; it contains the network error that interrupted the body.
  response.on('error', (...values: unknown[]) =>
    finish(faultOf(values[0] instanceof Error ? values[0].message : '', host, true)),
  )
  response.on('aborted', () => finish(faultOf('', host, true)))
}

export function plainHeaders(response: IncomingMessage): Record<string, string> {
  const { headers, rawHeaders } = response
  // Electron keeps only the first of several `Retry-After` headers in `headers`.
  const waits = rawHeaders.filter((_, i) => i % 2 === 1 && /^retry-after$/i.test(rawHeaders[i - 1] ?? ''))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const values = /^retry-after$/i.test(name) ? waits : value
      return [name.toLowerCase(), Array.isArray(values) ? values.join(', ') : values]
    }),
  )
}

/** Chromium's errors for "no connection was established": nothing was sent. */
const notConnected: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'refuses connections; check the address and the port',
  NAME_NOT_RESOLVED: 'cannot be found; check the address and the network',
  NAME_RESOLUTION_FAILED: 'cannot be looked up; check the network',
  INTERNET_DISCONNECTED: 'cannot be reached; there is no network',
  ADDRESS_UNREACHABLE: 'cannot be reached; check the network',
  ADDRESS_INVALID: 'cannot be reached; check the address',
  CONNECTION_FAILED: 'does not accept the connection',
  CONNECTION_TIMED_OUT: 'does not accept the connection',
  DNS_TIMED_OUT: 'cannot be looked up in time; check the network',
  ICANN_NAME_COLLISION: 'cannot be reached: its name inside the network is a public one now',
  NETWORK_ACCESS_DENIED: 'cannot be reached: a firewall or a program on this computer denies the network',
  BLOCKED_BY_ADMINISTRATOR: 'cannot be reached: an administrator of this computer blocks it',
  UNSAFE_PORT: 'has a port that is not allowed for web addresses',
}
/** Its errors for a connection that a proxy did not make. */
const proxyProblems: Readonly<Record<string, readonly [ProxyProblem, string]>> = {
  PROXY_CONNECTION_FAILED: ['not-there', 'no connection is accepted there'],
  TUNNEL_CONNECTION_FAILED: ['refused', 'it makes no connection'],
  PROXY_UNABLE_TO_CONNECT_TO_DESTINATION: ['refused', 'it could not connect itself'],
  SOCKS_CONNECTION_FAILED: ['refused', 'it makes no connection'],
  SOCKS_CONNECTION_HOST_UNREACHABLE: ['refused', 'it could not connect itself'],
  PROXY_AUTH_REQUESTED: ['sign-in-wanted', 'none is known'],
  PROXY_AUTH_UNSUPPORTED: ['sign-in-wanted', 'this kind of sign-in is not supported'],
  PROXY_CERTIFICATE_INVALID: ['not-trusted', 'no connection was made'],
  MANDATORY_PROXY_CONFIGURATION_FAILED: ['no-proxy-known', 'a script names it, and cannot be read'],
}
const truncated = new Set(['CONTENT_LENGTH_MISMATCH', 'INCOMPLETE_CHUNKED_ENCODING'])
/** Only before the handshake has ended is it certain that nothing was sent. */
const handshake = /^(?:CERT_|SSL_VERSION_OR_CIPHER_MISMATCH|SSL_PINNED_KEY|SSL_OBSOLETE)/

export function faultOf(message: string, host: string, hasHeaders = false): WireFault {
  const name = /net::ERR_(\w+)/.exec(message)?.[1] ?? ''
  const called = name === '' ? '' : ` (${name})`
  const fault = (sent: WireFault['sent'], reason: WireFault['reason'], text: string): WireFault => ({
    kind: 'fault',
    sent,
    reason,
    message: text,
  })
  if (hasHeaders || truncated.has(name))
    return fault('maybe', 'truncated', `the answer of ${host} was incomplete${called}`)
  if (message.includes('redirect policy') || name === 'TOO_MANY_REDIRECTS' || name === 'UNSAFE_REDIRECT')
    return fault('maybe', 'redirect', `${host} redirects the call; check the address`)
  if (handshake.test(name)) return fault('no', 'tls', `the connection to ${host} cannot be trusted${called}`)
  if (name.startsWith('SSL_') || name.startsWith('BAD_SSL_'))
    return fault('maybe', 'tls', `the connection to ${host} cannot be trusted${called}`)
  const problem = proxyProblems[name]
  if (problem !== undefined)
    return { ...fault('no', 'offline', `${problem[1]}${called}`), proxy: { reason: problem[0], via: null } }
  const why = notConnected[name]
  return why === undefined
    ? fault('maybe', 'broken', `${host} closed the connection${called}`)
    : fault('no', 'offline', `${host} ${why}`)
}
