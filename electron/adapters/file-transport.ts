import type * as http from 'node:http'
import {
  FileBroken,
  type FileResponse,
  type FileRequest,
  type FileTransport,
  type WireFault,
} from '../core/platform.ts'
import { agentOver, faultOf, plainHeaders, requestTo, whenConnected } from './http-transport.ts'
import { noProxies, overRoute, type Proxies } from './proxies.ts'

export interface FileTransportOptions {
  /** Missing: none. */
  readonly proxies?: Proxies
}

/** Node's own connections, one for each file. */
export function openFileTransport({ proxies = noProxies }: FileTransportOptions = {}): FileTransport {
  return {
    isProxied: async (url) => {
      const { kind } = await proxies.routeTo(url)
      return kind === 'proxy' || kind === 'unusable'
    },
    get: (request, address) =>
      overRoute(proxies, request, (proxy) => {
        if (address === null && proxy === null)
          throw new Error('a connection without a proxy needs the checked IP address')
        const agent = agentOver(request.url.startsWith('https:'), proxy, { keepAlive: false })
        return get(request, address, agent, proxy)
      }),
  }
}

function get(
  request: FileRequest,
  address: string | null,
  agent: http.Agent,
  proxy: URL | null,
): Promise<FileResponse | WireFault> {
  const { host } = new URL(request.url)
  return new Promise((resolve) => {
    let connected = false
    const givenUp = new AbortController()
    let timer: NodeJS.Timeout | null = null
    let wire: http.ClientRequest | null = null
    const end = (): void => {
      if (timer !== null) clearTimeout(timer)
      request.signal.removeEventListener('abort', abort)
      givenUp.abort()
      wire?.destroy()
      agent.destroy()
    }
    const fault = (reason: WireFault['reason'], message: string): WireFault => ({
      kind: 'fault',
      sent: connected ? 'maybe' : 'no',
      reason,
      message,
    })
    const finish = (outcome: WireFault): void => {
      end()
      resolve(outcome)
    }
    let broken: WireFault | null = null
    const giveUp = (why: WireFault): void => {
      broken ??= why
      finish(why)
    }
    const abort = (): void => giveUp(fault('aborted', 'the download was stopped'))
    const heard = (): void => {
      if (timer !== null) clearTimeout(timer)
      timer = setTimeout(
        () => giveUp(fault('timeout', `${host} sent nothing for ${request.silentAtMostInMs} ms`)),
        request.silentAtMostInMs,
      )
    }
    if (request.signal.aborted) return abort()
    request.signal.addEventListener('abort', abort, { once: true })
    heard()

    wire = requestTo(request, address, { method: 'GET', agent, givenUp: givenUp.signal })
    wire.on('socket', (socket) => whenConnected(socket, () => (connected = true)))
    wire.on('error', (error) => finish(broken ?? faultOf(error, host, connected, proxy)))
    wire.on('upgrade', (response, socket) => {
      socket.destroy()
      finish(fault('broken', `${host} switched to another protocol (${response.statusCode ?? 0})`))
    })
    wire.on('response', (response) => {
      connected = true
      heard()
      const body = async function* (): AsyncIterable<Uint8Array> {
        try {
          for await (const piece of response as AsyncIterable<Buffer>) {
            // The consumer may be slow: waiting for the disk does not count as silence of the host.
            if (timer !== null) clearTimeout(timer)
            yield piece
            heard()
          }
        } catch {
          // Data received so far is not lost.
          for (
            let piece = response.read() as Buffer | null;
            piece !== null;
            piece = response.read() as Buffer | null
          )
            yield piece
          throw new FileBroken(broken ?? fault('truncated', `the answer of ${host} was incomplete`))
        } finally {
          end()
        }
        if (broken !== null) throw new FileBroken(broken)
        if (!response.complete)
          throw new FileBroken(fault('truncated', `the answer of ${host} was incomplete`))
      }
      resolve({
        kind: 'answer',
        status: response.statusCode ?? 0,
        headers: plainHeaders(response),
        body: body(),
        close: end,
      })
    })
    wire.end()
  })
}
