import { Readable } from 'node:stream'
import type { ClientRequest, ClientRequestConstructorOptions, IncomingMessage, Session } from 'electron'
import { isLoopback } from '../contract/loopback.ts'
import {
  FileBroken,
  type FileResponse,
  type FileRequest,
  type FileTransport,
  type WireFault,
} from '../core/platform.ts'
import { faultOf, plainHeaders } from './chromium-transport.ts'
import {
  answerProxy,
  chosenProxy,
  namingProxy,
  noSignIn,
  overPolicy,
  type AnswerProxy,
} from './session-proxy.ts'

export interface AppFileTransportOptions {
  /** `net.request` of Electron. */
  readonly request: (options: ClientRequestConstructorOptions) => ClientRequest
  /** A separate session for each proxy of the policy, in memory. */
  readonly session: () => Session
  /** Missing: none is kept. */
  readonly signIn?: AnswerProxy
  /** As of the transport for services. */
  readonly ofPolicy?: () => string | null
  /** Node's connections, used without a proxy. */
  readonly direct: FileTransport
}

/**
 * Files in the app. Chromium resolves names itself and does not accept an address, so it fetches only through
 * a proxy of the system, which resolves names anyway; everything else connects to the checked address.
 */
export function openAppFileTransport(options: AppFileTransportOptions): FileTransport {
  const { request, session, signIn = noSignIn, ofPolicy = () => null, direct } = options
  const open = (): Promise<Session> => overPolicy(session(), ofPolicy())
  return {
    isProxied: async (url) =>
      !isLoopback(new URL(url).hostname) && (await chosenProxy(await open(), url)).proxy !== null,
    // The session is open: its decision to use a proxy came first.
    get: async (wanted, address) =>
      address === null
        ? namingProxy(session(), wanted.url, await throughProxy(request, session(), wanted, signIn))
        : direct.get(wanted, address),
  }
}

function throughProxy(
  open: AppFileTransportOptions['request'],
  session: Session,
  { url, headers, silentAtMostInMs, signal }: FileRequest,
  signIn: AnswerProxy,
): Promise<FileResponse | WireFault> {
  const { host } = new URL(url)
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | null = null
    let broken: WireFault | null = null
    const wire = open({
      method: 'GET',
      url,
      session,
      redirect: 'manual',
      credentials: 'omit',
      useSessionCookies: false,
      cache: 'no-store',
    })
    const stopTimer = (): void => {
      if (timer !== null) clearTimeout(timer)
    }
    const end = (): void => {
      stopTimer()
      signal.removeEventListener('abort', abort)
      wire.abort()
    }
    const giveUp = (fault: WireFault): void => {
      broken ??= fault
      end()
      resolve(broken)
    }
    const abort = (): void =>
      giveUp({ kind: 'fault', sent: 'maybe', reason: 'aborted', message: 'the download was stopped' })
    const heard = (): void => {
      stopTimer()
      timer = setTimeout(
        () =>
          giveUp({
            kind: 'fault',
            sent: 'maybe',
            reason: 'timeout',
            message: `${host} sent nothing for ${silentAtMostInMs} ms`,
          }),
        silentAtMostInMs,
      )
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    heard()
    for (const [name, value] of Object.entries(headers)) wire.setHeader(name, value)
    const signInFault = answerProxy(wire, signIn)
    wire.on('error', (error) => giveUp(signInFault() ?? faultOf(error.message, host)))
    wire.on('redirect', (status, _method, location) => {
      end()
      resolve({
        kind: 'answer',
        status,
        headers: { location },
        body: Readable.from([]),
        close: () => undefined,
      })
    })
    wire.on('response', (response: IncomingMessage) => {
      const unsigned = signInFault()
      if (unsigned !== null) return giveUp(unsigned)
      heard()
      const ended = once(response, host)
      const body = async function* (): AsyncIterable<Uint8Array> {
        try {
          for await (const piece of response as unknown as AsyncIterable<Buffer>) {
            // The consumer may be slow: waiting for the disk does not count as silence of the host.
            stopTimer()
            yield piece
            heard()
          }
        } catch (error) {
          throw new FileBroken(broken ?? faultOf(error instanceof Error ? error.message : '', host, true))
        } finally {
          end()
        }
        const fault = broken ?? ended()
        if (fault !== null) throw new FileBroken(fault)
      }
      resolve({
        kind: 'answer',
        status: response.statusCode,
        headers: plainHeaders(response),
        body: body(),
        close: end,
      })
    })
    wire.end()
  })
}

/** The error that interrupted a response; null: none. */
function once(response: IncomingMessage, host: string): () => WireFault | null {
  let fault: WireFault | null = null
  response.on('aborted', () => (fault ??= faultOf('', host, true)))
  return () => fault
}
