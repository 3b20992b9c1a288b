import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'electron'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openHttpTransport } from '../../electron/adapters/http-transport.ts'
import { openPinnedTransport } from '../../electron/adapters/pinned-transport.ts'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { openChromiumTransport } from '../../electron/main/chromium-transport.ts'
import { standIn } from './stand-in-net.ts'
import { transportSuite } from './transport-suite.ts'
import { openWireServer } from './wire-server.ts'

transportSuite('over Node', (environment = {}) => {
  const transport = openHttpTransport({ proxies: proxiesOf({ environment }) })
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

it('the stand-in decides on a proxy by text alone, as Electron does', async () => {
  const { sessionFor } = standIn({ https_proxy: 'http://proxy:8080', no_proxy: '.local' })
  const { resolveProxy } = sessionFor('reads')
  const urls = ['https://example.com/', 'http://example.com/', 'https://a.local/', 'no address']
  expect(await Promise.all(urls.map((url) => resolveProxy(url)))).toEqual([
    'PROXY proxy:8080',
    'DIRECT',
    'DIRECT',
    'DIRECT',
  ])
  expect(() => resolveProxy(new URL('https://example.com/') as never)).toThrow(TypeError)
})

const post = {
  method: 'POST',
  headers: {},
  body: null,
  timeoutInMs: 5_000,
  maxBytes: 1_000,
  freshConnection: true,
  signal: null,
} as const

describe('ends at once with a 101, because no response follows it', () => {
  it.each([
    ['that names another protocol', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'],
    ['that names no protocol', ''],
  ])('%s, over Node', async (_, headers) => {
    const { url, close, arrivals } = await openWireServer(
      (__, ___, socket) => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`),
    )
    const transport = openHttpTransport()
    const pinned = openPinnedTransport()
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

it('leaves no timer where Electron cannot make a request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const request = (): never => {
    throw new Error('no session')
  }
  const transport = openChromiumTransport({ request, sessionFor: standIn().sessionFor })
  await expect(transport.attempt({ ...post, url: 'http://127.0.0.1:1/' })).rejects.toThrow('no session')
  expect(vi.getTimerCount()).toBe(0)
})

it('resolves names under localhost to this computer, regardless of DNS', async () => {
  const server = await openWireServer((_, response) => response.end('here'))
  const transport = openHttpTransport()
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
