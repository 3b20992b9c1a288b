import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import { isLoopback } from '../contract/loopback.ts'
import type { PinnedTransport, WireResponse, WireFault, WireRequest } from '../core/platform.ts'
import { checked, faultOf, plainHeaders, requestTo, trusted, whenConnected } from './http-transport.ts'

export interface PinnedTransportOptions {
  /**
   * HTTPS_PROXY and NO_PROXY are used, except for this computer: a proxy receives the address and not the
   * name.
   */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Certificates trusted besides the system's, as PEM: for tests. */
  readonly alsoTrusted?: string
}

/**
 * Node's own connection, also in the app: Chromium resolves names itself and does not accept an address, so a
 * name could refer to another host by then. Each attempt has its own connection. Cost: the app's system proxy
 * is not used, only the environment's.
 */
export function openPinnedTransport({ environment, alsoTrusted }: PinnedTransportOptions): PinnedTransport {
  return {
    attempt: (request, address) => {
      const isSecure = request.url.startsWith('https:')
      const isLocal = isLoopback(isIP(address) === 6 ? `[${address}]` : address)
      const options = { keepAlive: false, ...(isLocal ? {} : { proxyEnv: { ...environment } }) }
      const trust = {
        ...checked,
        ...(alsoTrusted === undefined ? { secureContext: trusted() } : { ca: alsoTrusted }),
      }
      return attempt(
        request,
        address,
        isSecure ? new https.Agent({ ...options, ...trust }) : new http.Agent(options),
      )
    },
  }
}

function attempt(
  request: WireRequest,
  address: string,
  agent: http.Agent,
): Promise<WireResponse | WireFault> {
  const { host } = new URL(request.url)
  return new Promise((resolve) => {
    let connected = false
    const finish = (outcome: WireResponse | WireFault) => {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
      resolve(outcome)
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

    wire = requestTo(request, address, { method: request.method, agent })
    wire.on('socket', (socket) => whenConnected(socket, () => (connected = true)))
    wire.on('error', (error) => finish(faultOf(error, host, connected)))
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
