import { createRequire } from 'node:module'
import type { ClientRequest, ClientRequestConstructorOptions, Session } from 'electron'
import { expect, it } from 'vitest'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openChromiumTransport } from '../../electron/main/chromium-transport.ts'
import { openWireServer } from './wire-server.ts'
import { transportSuite, type Proxies } from './transport-suite.ts'

const { createNet } = createRequire(import.meta.url)('../electron-stand-in/net.cjs') as {
  createNet(sessionFor: (partition: string) => Session): { request(options: ClientRequestConstructorOptions): ClientRequest }
}

/** Sessions of the stand-in, as the app is handed them by Electron; with the system's proxies, which exempt no host. */
function standIn(proxies: Proxies = {}) {
  const sessions = new Map<string, Session>()
  const sessionFor = (partition: string) => {
    if (!sessions.has(partition)) sessions.set(partition, aSession(proxies))
    return sessions.get(partition)!
  }
  const { request } = createNet(sessionFor)
  const close = async () => {
    for (const session of sessions.values()) await session.closeAllConnections()
  }
  return { request, sessionFor, close }
}

function aSession(proxies: Proxies): Session {
  const session = { proxies, closeAllConnections: async () => undefined, setProxy: async () => void (session.proxies = {}) }
  return session as unknown as Session
}

transportSuite('over Node', (environment = {}) => {
  const transport = openHttpTransport({ environment })
  return { transport, close: () => transport.close() }
})

transportSuite("over Electron's net.request (on the stand-in)", (proxies) => {
  const { close, ...parts } = standIn(proxies)
  return { transport: openChromiumTransport(parts), close }
})

it('the stand-in sends a POST again when a reused connection dies before the headers, as Chromium does', async () => {
  const server = await openWireServer(({ path }, response, socket) => (path === '/warm' ? response.end('{}') : socket.destroy()))
  const { request, sessionFor, close } = standIn()
  const send = (path: string) =>
    new Promise<void>((resolve) => {
      const wire = request({ method: 'POST', url: server.url + path, session: sessionFor('reads') })
      wire.on('response', (response) => response.on('data', () => undefined))
      wire.on('error', () => undefined)
      wire.on('close', () => resolve())
      wire.end()
    })
  await send('/warm')
  await send('/reboot')
  expect(server.arrivals.map(({ path, connection }) => `${path} over ${connection}`)).toEqual(['/warm over 1', '/reboot over 1', '/reboot over 2'])
  await close()
  await server.close()
})

it('goes through the proxy of the environment, but not for what NO_PROXY names', async () => {
  const proxy = await openWireServer(({ path }, response) => response.end(`asked the proxy for ${path}`))
  const through = openHttpTransport({ environment: { http_proxy: proxy.url } })
  const around = openHttpTransport({ environment: { HTTP_PROXY: proxy.url, NO_PROXY: 'headroom.invalid' } })
  const request = {
    method: 'GET',
    url: 'http://headroom.invalid/x',
    headers: {},
    body: null,
    timeoutInMs: 5_000,
    maxBytes: 1_000,
    freshConnection: false,
    signal: null,
  } as const
  expect([await through.attempt(request), await around.attempt(request)]).toMatchObject([
    { body: 'asked the proxy for http://headroom.invalid/x' },
    { kind: 'fault', reason: 'offline' },
  ])
  through.close()
  around.close()
  await proxy.close()
})
