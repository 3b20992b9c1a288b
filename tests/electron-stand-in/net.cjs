'use strict'
/**
 * `net.request` of the stand-in: the part of Electron's ClientRequest that Headroom uses, over Node's http.
 * It has the relevant behaviour of Chromium: each session has its own connections, six to a host; a request
 * whose reused connection dies before the headers is sent again on another one, POST or not, until
 * `closeAllConnections` leaves nothing to reuse.
 */
const { EventEmitter } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')

const connectionsPerHost = 6
const names = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ENOTFOUND: 'NAME_NOT_RESOLVED',
  EAI_AGAIN: 'NAME_NOT_RESOLVED',
  ENETUNREACH: 'ADDRESS_UNREACHABLE',
  EHOSTUNREACH: 'ADDRESS_UNREACHABLE',
  ETIMEDOUT: 'CONNECTION_TIMED_OUT',
  EPROTO: 'SSL_PROTOCOL_ERROR',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CERT_AUTHORITY_INVALID',
  SELF_SIGNED_CERT_IN_CHAIN: 'CERT_AUTHORITY_INVALID',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'CERT_AUTHORITY_INVALID',
  CERT_HAS_EXPIRED: 'CERT_DATE_INVALID',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERT_COMMON_NAME_INVALID',
}
/** Of a connection to a proxy. */
const proxyNames = {
  ...names,
  ECONNREFUSED: 'PROXY_CONNECTION_FAILED',
  ENOTFOUND: 'PROXY_CONNECTION_FAILED',
  EAI_AGAIN: 'PROXY_CONNECTION_FAILED',
}
const netError = (name) => new Error(`net::ERR_${name}`)
const errorOf = (error, isProxied) =>
  netError(
    error.code === 'ERR_PROXY_TUNNEL'
      ? error.statusCode === undefined
        ? 'EMPTY_RESPONSE'
        : 'TUNNEL_CONNECTION_FAILED'
      : ((isProxied ? proxyNames : names)[error.code] ??
          (String(error.code).startsWith('HPE_') ? 'INVALID_HTTP_RESPONSE' : 'CONNECTION_RESET')),
  )

/** The proxy of an address by variables, as on Linux; null: none. */
function proxyFor(url, variables) {
  const { protocol, hostname } = new URL(url)
  const variable = (name) => variables[name] || variables[name.toUpperCase()] || ''
  const proxy = variable(protocol === 'https:' ? 'https_proxy' : 'http_proxy')
  const exceptions = variable('no_proxy').split(/[\s,]+/)
  const isExcepted = exceptions.some((one) => one === '*' || (one !== '' && hostname.endsWith(one)))
  return proxy === '' || isExcepted ? null : new URL(proxy)
}

/** As `session.resolveProxy`, which throws for anything but a text. */
function resolveProxy(url, variables) {
  if (typeof url !== 'string')
    throw new TypeError(`Error processing argument at index 0, conversion failure from ${String(url)}`)
  const proxy = URL.canParse(url) ? proxyFor(url, variables) : null
  return Promise.resolve(proxy === null ? 'DIRECT' : `PROXY ${proxy.hostname}:${proxy.port || 80}`)
}

/**
 * The connections of one session, through the proxies that the environment names; Chromium ignores variables
 * about certificates, and a sign-in in those about proxies.
 */
class Connections {
  generation = 0
  #agents = new Map()
  #session
  #signIn = null
  constructor(session) {
    this.#session = session
  }
  proxyFor(url) {
    const proxy = proxyFor(url, this.#session.proxies ?? {})
    if (proxy === null) return null
    proxy.username = encodeURIComponent(this.#signIn?.user ?? '')
    proxy.password = encodeURIComponent(this.#signIn?.password ?? '')
    return proxy
  }
  /** null: it was refused. */
  signIn(given) {
    this.#signIn = given
  }
  agentFor(url) {
    const isSecure = url.startsWith('https:')
    const proxy = this.proxyFor(url)?.href ?? null
    const name = `${isSecure} ${proxy}`
    const options = {
      keepAlive: true,
      maxSockets: connectionsPerHost,
      proxyEnv: proxy === null ? {} : { http_proxy: proxy, https_proxy: proxy },
      rejectUnauthorized: true,
    }
    if (!this.#agents.has(name)) this.#agents.set(name, new (isSecure ? https : http).Agent(options))
    return this.#agents.get(name)
  }
  async closeAll() {
    this.generation++
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }
}

class IncomingMessage extends Readable {
  constructor(wire) {
    super({ read() {} })
    this.statusCode = wire.statusCode
    this.statusMessage = wire.statusMessage
    this.httpVersion = wire.httpVersion
    this.httpVersionMajor = wire.httpVersionMajor
    this.httpVersionMinor = wire.httpVersionMinor
    this.rawHeaders = wire.rawHeaders
    // Electron joins repeated headers, except set-cookie, and keeps the first retry-after.
    this.headers = Object.fromEntries(
      Object.entries(wire.headersDistinct).map(([name, values]) => [
        name,
        name === 'set-cookie' ? values : name === 'retry-after' ? values[0] : values.join(', '),
      ]),
    )
  }
}

class ClientRequest extends EventEmitter {
  #options
  #connections
  #headers = new Map()
  #chunks = []
  #ended = false
  #closed = false
  #wire = null
  #response = null

  constructor(options, connections) {
    super()
    this.#options = options
    this.#connections = connections
    for (const [name, value] of Object.entries(options.headers ?? {})) this.setHeader(name, value)
  }
  setHeader(name, value) {
    if (this.#ended) throw new Error("Can't set headers after they are sent")
    this.#headers.set(name.toLowerCase(), [name, String(value)])
  }
  getHeader(name) {
    return this.#headers.get(name.toLowerCase())?.[1]
  }
  removeHeader(name) {
    this.#headers.delete(name.toLowerCase())
  }
  write(chunk, encoding) {
    if (this.#ended) throw new Error('write after end')
    this.#chunks.push(Buffer.from(chunk, encoding))
    return true
  }
  end(chunk, encoding) {
    if (this.#ended) return this
    if (chunk !== undefined) this.write(chunk, encoding)
    this.#ended = true
    this.#send(this.#options.url, this.#options.method ?? 'GET', 0)
    this.emit('finish')
    return this
  }
  abort() {
    if (this.#closed) return
    this.emit('abort')
    this.#wire?.destroy()
    this.#response?.emit('aborted')
    this.#close()
  }

  #send(url, method, redirects) {
    const { generation } = this.#connections
    const target = new URL(url)
    const isSecure = target.protocol === 'https:'
    const headers = { 'user-agent': 'stand-in', 'accept-encoding': 'gzip, deflate, br' }
    if (this.#options.cache === 'no-store' || this.#options.cache === 'no-cache')
      headers['cache-control'] = headers.pragma = 'no-cache'
    for (const [name, value] of this.#headers.values()) {
      delete headers[name.toLowerCase()]
      headers[name] = value
    }
    const body = Buffer.concat(this.#chunks)
    if (body.length > 0) headers['content-length'] = body.length
    const wire = (isSecure ? https : http).request(url, {
      method,
      headers,
      agent: this.#connections.agentFor(url),
    })
    this.#wire = wire
    wire.on('error', (error) => {
      if (this.#closed || this.#wire !== wire || this.#response) return
      if (wire.reusedSocket && generation === this.#connections.generation)
        return this.#send(url, method, redirects)
      if (error.code === 'ERR_PROXY_TUNNEL' && error.statusCode === 407)
        return this.#login(url, method, redirects)
      this.#die(
        wire.reusedSocket
          ? netError('CONNECTION_CLOSED')
          : error.message.includes('socket hang up')
            ? netError('EMPTY_RESPONSE')
            : errorOf(error, this.#connections.proxyFor(url) !== null),
      )
    })
    wire.on('response', (answer) => {
      if (this.#closed) return answer.destroy()
      if ([301, 302, 303, 307, 308].includes(answer.statusCode) && answer.headers.location)
        return this.#redirect(answer, url, method, redirects)
      this.#receive(answer)
    })
    wire.end(body)
  }

  /** The proxy wants a sign-in; one that it had was wrong. Without one, or without a listener, it fails. */
  #login(url, method, redirects) {
    const { hostname, port } = this.#connections.proxyFor(url)
    this.#connections.signIn(null)
    const info = { isProxy: true, scheme: 'basic', host: hostname, port: Number(port || 80), realm: '' }
    let isAnswered = false
    const answer = (user, password = '') => {
      if (isAnswered || this.#closed) return
      isAnswered = true
      if (user === undefined) return this.#die(netError('TUNNEL_CONNECTION_FAILED'))
      this.#connections.signIn({ user, password })
      this.#send(url, method, redirects)
    }
    if (!this.emit('login', info, answer)) answer()
  }

  #redirect(answer, url, method, redirects) {
    answer.resume()
    const policy = this.#options.redirect ?? 'follow'
    if (policy === 'error') {
      this.#wire.destroy()
      return this.#die(new Error("Attempted to redirect, but redirect policy was 'error'"))
    }
    if (redirects >= 20) return this.#die(netError('TOO_MANY_REDIRECTS'))
    const next = new URL(answer.headers.location, url).href
    const nextMethod =
      answer.statusCode === 303 || (method === 'POST' && answer.statusCode < 303) ? 'GET' : method
    if (policy === 'follow') return this.#send(next, nextMethod, redirects + 1)
    let followed = false
    this.followRedirect = () => (followed = true)
    this.emit('redirect', answer.statusCode, nextMethod, next, answer.headersDistinct)
    if (followed) this.#send(next, nextMethod, redirects + 1)
    else this.#die(new Error('Redirect was cancelled'))
  }

  #receive(answer) {
    const response = (this.#response = new IncomingMessage(answer))
    response.on('error', () => {}) // as in Electron, the request carries the error too
    const unpackers = {
      gzip: zlib.createGunzip,
      deflate: zlib.createInflate,
      br: zlib.createBrotliDecompress,
    }
    const unpacker = unpackers[answer.headers['content-encoding']]?.()
    const broken = (name) => {
      if (this.#closed) return
      const error = netError(name)
      response.destroy(error)
      this.#die(error)
    }
    const body = unpacker ? answer.pipe(unpacker) : answer
    unpacker?.on('error', () => broken('CONTENT_DECODING_FAILED'))
    answer.on('error', () =>
      broken(
        answer.headers['content-length'] === undefined
          ? 'INCOMPLETE_CHUNKED_ENCODING'
          : 'CONTENT_LENGTH_MISMATCH',
      ),
    )
    body.on('data', (chunk) => response.push(chunk))
    body.on('end', () => {
      if (this.#closed) return
      response.push(null)
      this.#close()
    })
    this.emit('response', response)
  }

  #die(error) {
    if (this.#closed) return
    this.emit('error', error)
    this.#close()
  }
  #close() {
    this.#closed = true
    this.emit('close')
  }
}

/** `sessionFor(partition)`: the session of a partition, '' being the default one. */
function createNet(sessionFor) {
  const connections = new WeakMap()
  const connectionsOf = (session) => {
    if (!connections.has(session)) {
      const own = new Connections(session)
      connections.set(session, own)
      session.closeAllConnections = () => own.closeAll()
    }
    return connections.get(session)
  }
  return {
    request(options) {
      const settings = typeof options === 'string' ? { url: options } : options
      return new ClientRequest(
        settings,
        connectionsOf(settings.session ?? sessionFor(settings.partition ?? '')),
      )
    },
  }
}

module.exports = { createNet, resolveProxy }
