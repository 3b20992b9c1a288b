import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import { isLoopback } from '../contract/loopback.ts'
import {
  FileBroken,
  type FileResponse,
  type FileRequest,
  type FileTransport,
  type WireFault,
} from '../core/platform.ts'
import { checked, faultOf, plainHeaders, requestTo, trusted, whenConnected } from './http-transport.ts'

export interface FileTransportOptions {
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are used, in either case, except for this computer. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Certificates trusted besides the system's, as PEM: for tests. */
  readonly alsoTrusted?: string
}

/** Node's own connections, one for each file. */
export function openFileTransport({ environment, alsoTrusted }: FileTransportOptions): FileTransport {
  const trust = {
    ...checked,
    ...(alsoTrusted === undefined ? {} : { ca: alsoTrusted }),
  }
  return {
    isProxied: async (url) => proxyOf(url, environment) !== null,
    get: (request, address) => {
      const isSecure = request.url.startsWith('https:')
      const proxy = address === null ? proxyOf(request.url, environment) : null
      // Use only the proxy that was decided on: Node's own exceptions would resolve the name here.
      const options = {
        keepAlive: false,
        ...(proxy === null ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
      }
      const agent = isSecure
        ? new https.Agent({
            ...options,
            ...trust,
            ...(alsoTrusted === undefined ? { secureContext: trusted() } : {}),
          })
        : new http.Agent(options)
      if (address === null && proxy === null)
        throw new Error('a connection without a proxy needs the checked IP address')
      return get(request, address, agent)
    },
  }
}

/** The proxy of the environment for an address; null: none. */
export function proxyOf(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const { protocol, hostname, port } = new URL(url)
  if (isLoopback(hostname)) return null
  const variable = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? ''
  const proxy = variable(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (proxy === '') return null
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  const isExcepted = variable('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', onPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? []
      if (isIP(entry) !== 0) return entry === host
      if (name === '' || (onPort !== undefined && onPort !== at)) return false
      const suffix = name.replace(/^\*?\./, '.')
      return name === '*' || name === host || (suffix.startsWith('.') && host.endsWith(suffix))
    })
  return isExcepted ? null : proxy
}

function get(
  request: FileRequest,
  address: string | null,
  agent: http.Agent,
): Promise<FileResponse | WireFault> {
  const { host } = new URL(request.url)
  return new Promise((resolve) => {
    let connected = false
    let timer: NodeJS.Timeout | null = null
    let wire: http.ClientRequest | null = null
    const end = (): void => {
      if (timer !== null) clearTimeout(timer)
      request.signal.removeEventListener('abort', abort)
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

    wire = requestTo(request, address, { method: 'GET', agent })
    wire.on('socket', (socket) => whenConnected(socket, () => (connected = true)))
    wire.on('error', (error) => finish(broken ?? faultOf(error, host, connected)))
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
