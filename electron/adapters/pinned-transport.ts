import type * as http from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '../contract/loopback.ts'
import type { PinnedTransport, WireResponse, WireFault, WireRequest } from '../core/platform.ts'
import { agentOver, faultOf, plainHeaders, requestTo, whenConnected } from './http-transport.ts'
import { noProxies, overRoute, type Proxies } from './proxies.ts'

export interface PinnedTransportOptions {
  /** Missing: none. A proxy receives the address and not the name. */
  readonly proxies?: Proxies
  /** Certificates trusted besides the system's, as PEM: for tests. */
  readonly alsoTrusted?: string
}

/**
 * Node's own connection, also in the app: Chromium resolves names itself and does not accept an address, so a
 * name could refer to another host by then. Each attempt has its own connection.
 */
export function openPinnedTransport(options: PinnedTransportOptions = {}): PinnedTransport {
  const { proxies = noProxies, alsoTrusted } = options
  return {
    attempt: (request, address) => {
      const isLocal = isLoopback(isIP(address) === 6 ? `[${address}]` : address)
      return overRoute(isLocal ? noProxies : proxies, request, (proxy) => {
        const agent = agentOver(request.url.startsWith('https:'), proxy, { keepAlive: false }, alsoTrusted)
        return attempt(request, address, agent, proxy)
      })
    },
  }
}

function attempt(
  request: WireRequest,
  address: string,
  agent: http.Agent,
  proxy: URL | null,
): Promise<WireResponse | WireFault> {
  const { host } = new URL(request.url)
  return new Promise((resolve) => {
    let connected = false
    const givenUp = new AbortController()
    const finish = (outcome: WireResponse | WireFault) => {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
      resolve(outcome)
      givenUp.abort()
      wire?.destroy()
      agent.destroy()
    }
    const giveUp = (reason: WireFault['reason'], message: string) =>
      finish({ kind: 'fault', sent: connected ? 'maybe' : 'no', reason, message })
    const abort = () => giveUp('aborted', 'the call was cancelled')
    const late = () =>
      giveUp(
        'timeout',
        `${host} did not ${connected ? 'answer' : 'accept the connection'} within ${request.timeoutInMs} ms`,
      )
    const timer = setTimeout(late, request.timeoutInMs)
    let wire: http.ClientRequest | null = null
    if (request.signal?.aborted) return abort()
    request.signal?.addEventListener('abort', abort, { once: true })

    wire = requestTo(request, address, {
      method: request.method,
      agent,
      givenUp: givenUp.signal,
    })
    wire.on('socket', (socket) => whenConnected(socket, () => (connected = true)))
    wire.on('error', (error) => finish(faultOf(error, host, connected, proxy)))
    wire.on('upgrade', (response, socket) => {
      socket.destroy()
      finish({ kind: 'answer', status: 101, headers: plainHeaders(response), body: '' })
    })
    wire.on('response', (response) => {
      connected = true
      const answered = (body: string) =>
        finish({ kind: 'answer', status: response.statusCode ?? 0, headers: plainHeaders(response), body })
      // The status is the result: a later error does not change it.
      void readBeginning(response, request.maxBytes).then(answered, () => answered(''))
    })
    wire.end(request.body ?? undefined)
  })
}

async function readBeginning(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8')
}
