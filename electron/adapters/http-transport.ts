import * as dns from 'node:dns'
import type * as http from 'node:http'
import type * as https from 'node:https'
import type { SecureContext, TLSSocket } from 'node:tls'
import * as zlib from 'node:zlib'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isLoopback } from '../contract/loopback.ts'
import type { Transport, WireResponse, WireFault, WireRequest } from '../core/platform.ts'
import { bodyText } from './body-text.ts'
import { faultOfProxy, lateProxy, noProxies, overRoute, type Proxies } from './proxies.ts'

/**
 * As an ES module, node:http loads Node's fetch and WebSocket for names that are not used here: an eighth of the processor time of a command
 * (measured with Node 24). node:https and node:tls are loaded with the first call that needs them.
 */
const { Agent, request: httpRequest } = process.getBuiltinModule('node:http')
const loadHttps = () => process.getBuiltinModule('node:https')
const requestOver = (isSecure: boolean): typeof httpRequest => (isSecure ? loadHttps().request : httpRequest)

export interface HttpTransportOptions {
  /** Missing: none. */
  readonly proxies?: Proxies
}

export interface HttpTransport extends Transport {
  /** Closes idle connections; a process can end without it. */
  close(): void
}

/**
 * Connections of one pool to one host, for reads and for writes; further attempts wait for a free one. Enough
 * for 95 calls a second that take two thirds of a second each. Raise it if calls take longer.
 */
const connectionsAtMost = 64

/** The transport of plain Node: command line and tests. */
export function openHttpTransport({ proxies = noProxies }: HttpTransportOptions = {}): HttpTransport {
  const open = agents()
  return {
    connections: { reads: connectionsAtMost, writes: connectionsAtMost },
    attempt: (request) =>
      overRoute(proxies, request, (proxy) => attempt(request, open.agentFor(request, proxy), proxy)),
    close: () => open.close(),
  }
}

function agents() {
  const opened = new Map<string, http.Agent>()
  return {
    /**
     * Reads share connections. Every write uses a new connection that is closed afterwards, so no lower layer
     * can send it again.
     */
    agentFor(request: WireRequest, proxy: URL | null): http.Agent {
      const { protocol, hostname } = new URL(request.url)
      const isLocal = isLoopback(hostname)
      const name = `${protocol} ${isLocal ? 'here' : 'there'} ${request.freshConnection ? 'write' : 'read'} ${proxy?.href ?? ''} ${request.pool ?? ''}`
      const known = opened.get(name)
      if (known) return known
      const options = {
        keepAlive: !request.freshConnection,
        maxSockets: connectionsAtMost,
        ...(isLocal ? here : {}),
      }
      const agent = agentOver(protocol === 'https:', proxy, options)
      opened.set(name, agent)
      return agent
    },
    close() {
      for (const agent of opened.values()) agent.destroy()
      opened.clear()
    },
  }
}

/** No proxy and no DNS: `x.localhost` is this computer, too. */
const here = {
  lookup: ((_host, options, answer) => dns.lookup('localhost', options, answer)) satisfies LookupFunction,
}

/** Explicit: otherwise NODE_TLS_REJECT_UNAUTHORIZED would turn the check off. */
const checked = { rejectUnauthorized: true } as const

/** A connection that a proxy makes ends with its request. */
interface GivenUp {
  readonly givenUp?: AbortSignal
}

/**
 * Node leaves the connection to a proxy open if its request is given up before the proxy has connected, and the
 * process would wait for it.
 */
function secureAgent(options: https.AgentOptions): https.Agent {
  const agent = new (loadHttps().Agent)(options)
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (request, callback) => {
    const socket = connect(request, callback)
    const { givenUp } = request as https.RequestOptions & GivenUp
    givenUp?.addEventListener('abort', () => socket?.destroy(), { once: true })
    return socket
  }
  return agent
}

/** `authorities`: those trusted, as PEM; missing: the system's and Node's. */
export function agentOver(
  isSecure: boolean,
  proxy: URL | null,
  options: http.AgentOptions,
  authorities?: string,
): http.Agent {
  const over = {
    ...options,
    ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } }),
  }
  if (!isSecure) return new Agent(over)
  return secureAgent({
    ...over,
    ...checked,
    ...(authorities === undefined ? { secureContext: trusted() } : { ca: authorities }),
  })
}

let context: SecureContext | null = null
/** Companies add their own authorities to the system's store. Read once, because it is slow. */
function trusted(): SecureContext {
  const tls = process.getBuiltinModule('node:tls')
  context ??= tls.createSecureContext({
    ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])],
  })
  return context
}

function attempt(
  request: WireRequest,
  agent: http.Agent,
  proxy: URL | null,
): Promise<WireResponse | WireFault> {
  const host = new URL(request.url).host
  const givenUp = new AbortController()
  return new Promise((resolve) => {
    let handedOver = false
    let settled = false
    const finish = (outcome: WireResponse | WireFault) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
      resolve(outcome)
    }
    const fault = (reason: WireFault['reason'], message: string, location?: string) => {
      finish({
        kind: 'fault',
        sent: handedOver ? 'maybe' : 'no',
        reason,
        message,
        ...(location === undefined ? {} : { location }),
      })
      stop()
    }
    const stop = () => {
      givenUp.abort()
      wire?.destroy()
    }
    const abort = () => fault('aborted', 'the call was cancelled')
    const late = () => {
      const unconnected = `no connection to ${host} within ${request.timeoutInMs} ms`
      if (handedOver) return fault('timeout', `${host} did not answer within ${request.timeoutInMs} ms`)
      if (proxy === null) return fault('timeout', unconnected)
      finish(lateProxy(proxy, unconnected))
      stop()
    }
    const timer = setTimeout(late, request.timeoutInMs)
    let wire: http.ClientRequest | null = null
    if (request.signal?.aborted) return abort()
    request.signal?.addEventListener('abort', abort, { once: true })

    const withGivenUp: http.RequestOptions & GivenUp = {
      givenUp: givenUp.signal,
      method: request.method,
      // Node frames the body of a DELETE only when its length is given.
      headers: {
        'accept-encoding': 'gzip, br',
        ...(request.body === null ? {} : { 'content-length': Buffer.byteLength(request.body) }),
        ...request.headers,
      },
      agent,
      // NODE_OPTIONS could select the lenient parser, which may read a message differently from a proxy on
      // the way.
      insecureHTTPParser: false,
    }
    wire = requestOver(request.url.startsWith('https:'))(request.url, withGivenUp)
    wire.on('socket', (socket: Socket) => whenConnected(socket, () => (handedOver = true)))
    wire.on('error', (error) => finish(faultOf(error, host, handedOver, proxy)))
    // 101: the host switches protocols, so no response to the call follows. With an Upgrade header Node emits
    // a separate event.
    const switched = (response: http.IncomingMessage): void => {
      finish({ kind: 'answer', status: 101, headers: plainHeaders(response), body: '' })
      wire?.destroy()
      response.socket.destroy()
    }
    wire.on('upgrade', switched)
    wire.on('response', (response) => {
      handedOver = true
      const status = response.statusCode ?? 0
      if (status === 101) return switched(response)
      if (isRedirect(status)) {
        const location = response.headers.location ?? ''
        return fault(
          'redirect',
          redirectMessage(host, location),
          URL.canParse(location, request.url) ? new URL(location, request.url).href : undefined,
        )
      }
      readBody(response, request.maxBytes).then(
        (body) =>
          body === null
            ? fault('too-large', `the answer of ${host} is longer than ${request.maxBytes} bytes`)
            : finish({ kind: 'answer', status, headers: plainHeaders(response), body }),
        () =>
          fault(
            response.complete ? 'broken' : 'truncated',
            response.complete
              ? `the answer of ${host} cannot be decompressed`
              : `the answer of ${host} was incomplete`,
          ),
      )
    })
    if (request.body === null) wire.end()
    else wire.end(request.body)
  })
}

/** A request over the agent to the URL's host; `address`: the one of its addresses to connect to, null: any. */
export function requestTo(
  { url, headers }: Pick<WireRequest, 'url' | 'headers'>,
  address: string | null,
  options: Pick<http.RequestOptions, 'method' | 'agent'> & Required<GivenUp>,
): http.ClientRequest {
  const { protocol, host, hostname, port, pathname, search } = new URL(url)
  const named = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'https:'
  return requestOver(isSecure)({
    ...options,
    host: address ?? named,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: `${pathname}${search}`,
    // SNI does not allow an IP address; the certificate is then compared with the address itself.
    ...(isSecure ? { servername: isIP(named) === 0 ? named.replace(/\.$/, '') : '' } : {}),
    headers: { ...headers, host },
    insecureHTTPParser: false,
  })
}

/** From here on bytes of the request may have left; with https not before the handshake ends. */
export function whenConnected(socket: Socket, connected: () => void): void {
  // `secureConnecting` is Node's own member of a TLS socket, missing from the types.
  const secure = socket as TLSSocket & { readonly secureConnecting?: boolean }
  if (secure.encrypted && secure.secureConnecting === true) socket.once('secureConnect', connected)
  else if (socket.connecting) socket.once('connect', connected)
  else connected()
}

/** The whole body, decompressed; null if longer than allowed. Rejects if the connection breaks. */
async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<string | null> {
  const unpacker = unpackerFor(response.headers['content-encoding'])
  let stream: Readable = response
  if (unpacker) {
    response.on('error', (error) => unpacker.destroy(error))
    response.on('close', () => {
      if (!response.complete) unpacker.destroy(new Error('the body was incomplete'))
    })
    stream = response.pipe(unpacker)
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return bodyText(Buffer.concat(chunks), response.headers['content-type'])
}

function unpackerFor(encoding: string | undefined): zlib.Gunzip | zlib.BrotliDecompress | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip()
  return encoding === 'br' ? zlib.createBrotliDecompress() : null
}

export function plainHeaders(response: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  )
}

const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

function redirectMessage(host: string, location: string | undefined): string {
  let target: string | null = null
  try {
    target = location === undefined ? null : new URL(location, `http://${host}`).host
  } catch {
    // An address that cannot be parsed is treated as missing.
  }
  return target === null
    ? `${host} redirects the call; check the address`
    : `${host} redirects the call to ${target}; check the address`
}

const notConnected: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections; check the address and the port',
  ENOTFOUND: 'cannot be found; check the address and the network',
  EAI_AGAIN: 'cannot be looked up; check the network',
  ENETUNREACH: 'cannot be reached; check the network',
  EHOSTUNREACH: 'cannot be reached; check the network',
  ENETDOWN: 'cannot be reached; the network is down',
  EADDRNOTAVAIL: 'cannot be reached; check the network',
  ETIMEDOUT: 'does not accept the connection',
}

/** Codes of Node and OpenSSL for a failed certificate check or handshake. */
const tlsProblem =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|ERR_TLS_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/

export function faultOf(
  error: Error & { readonly code?: string },
  host: string,
  handedOver: boolean,
  proxy: URL | null,
): WireFault {
  const code = error.code ?? ''
  const sent = handedOver ? 'maybe' : 'no'
  if (tlsProblem.test(code))
    return {
      kind: 'fault',
      sent,
      reason: 'tls',
      message: `the connection to ${host} cannot be trusted (${code})`,
    }
  if (handedOver)
    return {
      kind: 'fault',
      sent,
      reason: 'broken',
      message: `${host} closed the connection${code === '' ? '' : ` (${code})`}`,
    }
  if (proxy !== null) return faultOfProxy(error, proxy)
  const why = notConnected[code] ?? `cannot be reached${code === '' ? '' : ` (${code})`}`
  return { kind: 'fault', sent, reason: 'offline', message: `${host} ${why}` }
}
