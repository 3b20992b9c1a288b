import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { ClientRequest, ClientRequestConstructorOptions, Session } from 'electron'
import { describe, expect, it } from 'vitest'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openPinnedTransport } from '../../electron/adapters/pinned-transport.ts'
import { openChromiumTransport } from '../../electron/main/chromium-transport.ts'
import { openWireServer } from './wire-server.ts'
import { transportSuite, type Proxies } from './transport-suite.ts'

const { createNet } = createRequire(import.meta.url)('../electron-stand-in/net.cjs') as {
  createNet(sessionFor: (partition: string) => Session): {
    request(options: ClientRequestConstructorOptions): ClientRequest
  }
}

/** Sessions of the stand-in, as Electron gives them to the app; with the system's proxies, which exempt no host. */
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
  const session = {
    proxies,
    closeAllConnections: async () => undefined,
    setProxy: async () => void (session.proxies = {}),
  }
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
  const server = await openWireServer(({ path }, response, socket) =>
    path === '/warm' ? response.end('{}') : socket.destroy(),
  )
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
  expect(server.arrivals.map(({ path, connection }) => `${path} over ${connection}`)).toEqual([
    '/warm over 1',
    '/reboot over 1',
    '/reboot over 2',
  ])
  await close()
  await server.close()
})

describe('ends at once with a 101, because no response follows it', () => {
  const post = {
    method: 'POST',
    headers: {},
    body: null,
    timeoutInMs: 5_000,
    maxBytes: 1_000,
    freshConnection: true,
    signal: null,
  } as const
  it.each([
    ['that names another protocol', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'],
    ['that names no protocol', ''],
  ])('%s, over Node', async (_, headers) => {
    const { url, close, arrivals } = await openWireServer(
      (__, ___, socket) => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`),
    )
    const transport = openHttpTransport({ environment: {} })
    const pinned = openPinnedTransport({ environment: {} })
    const outcomes = [
      await transport.attempt({ ...post, url }),
      await pinned.attempt({ ...post, url }, '127.0.0.1'),
    ]
    expect([outcomes, arrivals.length]).toMatchObject([
      [
        { kind: 'answer', status: 101, body: '' },
        { kind: 'answer', status: 101, body: '' },
      ],
      2,
    ])
    transport.close()
    await close()
  })

  it("over Electron's net.request, where Electron reports it", async () => {
    const wire = Object.assign(new EventEmitter(), {
      setHeader: () => wire,
      end: () => wire,
      abort: () => void (aborted += 1),
    })
    let aborted = 0
    const request = (): ClientRequest => {
      setImmediate(() =>
        wire.emit(
          'response',
          Object.assign(new EventEmitter(), {
            statusCode: 101,
            headers: { upgrade: 'h2c' },
            rawHeaders: ['upgrade', 'h2c'],
          }),
        ),
      )
      return wire as unknown as ClientRequest
    }
    const { sessionFor } = standIn()
    const transport = openChromiumTransport({ request, sessionFor })
    expect([await transport.attempt({ ...post, url: 'http://127.0.0.1:1/' }), aborted]).toEqual([
      { kind: 'answer', status: 101, headers: { upgrade: 'h2c' }, body: '' },
      1,
    ])
  })
})

it('uses the proxy of the environment, except for names in NO_PROXY', async () => {
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

it('resolves names under localhost to this computer, regardless of DNS', async () => {
  const server = await openWireServer((_, response) => response.end('here'))
  const transport = openHttpTransport({ environment: {} })
  const { port } = new URL(server.url)
  const request = {
    method: 'GET',
    headers: {},
    body: null,
    timeoutInMs: 5_000,
    maxBytes: 1_000,
    freshConnection: false,
    signal: null,
  } as const
  const outcomes = await Promise.all(
    ['localhost', 'service.localhost'].map((host) =>
      transport.attempt({ ...request, url: `http://${host}:${port}/` }),
    ),
  )
  expect(outcomes).toMatchObject([{ body: 'here' }, { body: 'here' }])
  transport.close()
  await server.close()
})
