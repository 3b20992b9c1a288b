import { createServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Transport, WireRequest } from '../../electron/core/platform.ts'
import { openWireServer, type Play } from './wire-server.ts'

export interface OpenTransport {
  readonly transport: Transport
  close(): Promise<void> | void
}

/** Proxies of the environment, by variable name; the one of `https_proxy` gets CONNECT requests. */
export type Proxies = Readonly<Record<string, string>>

/**
 * The requirements of every transport, over real connections. `open` with proxies: as on a computer configured to use them for every host.
 */
export function transportSuite(name: string, open: (proxies?: Proxies) => OpenTransport): void {
  describe(name, () => {
    let opened: OpenTransport
    const closing: (() => Promise<void> | void)[] = []
    beforeEach(() => {
      opened = open()
      closing.push(() => opened.close())
    })
    afterEach(async () => {
      for (const close of closing.splice(0)) await close()
    })

    const server = async (play: Play, secure = false) => {
      const running = await openWireServer(play, secure)
      closing.push(() => running.close())
      return running
    }
    const plain = {
      method: 'GET',
      headers: {},
      body: null,
      timeoutInMs: 10_000,
      maxBytes: 1_000_000,
      freshConnection: false,
      signal: null,
    } as const
    const send = (url: string, request: Partial<WireRequest> = {}) =>
      opened.transport.attempt({ ...plain, url, ...request })
    const sayHello: Play = (_, response) =>
      response.setHeader('content-type', 'application/json').end('{"hello":"world"}')

    it('sends the given headers and returns status, headers and body', async () => {
      const { url, arrivals } = await server((_, response) => {
        response.writeHead(
          200,
          [
            ['Content-Type', 'application/json'],
            ['X-Part', 'one'],
            ['X-Part', 'two'],
          ].flat(),
        )
        response.end('{"name":"Århus"}')
      })
      const answer = await send(`${url}/devices?x=1`, {
        headers: { 'Ocp-Apim-Subscription-Key': 'abc', 'Cache-Control': 'no-cache' },
      })
      expect(answer).toMatchObject({
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'application/json', 'x-part': 'one, two' },
        body: '{"name":"Århus"}',
      })
      expect(arrivals).toMatchObject([
        {
          method: 'GET',
          path: '/devices?x=1',
          headers: { 'ocp-apim-subscription-key': 'abc', 'cache-control': 'no-cache' },
          body: '',
        },
      ])
    })

    const text = '{"name":"Århus"}'
    it.each([
      [
        'UTF-16 with a byte order mark',
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
        'application/json',
        `\uFEFF${text}`,
      ],
      [
        'UTF-16, big-endian',
        Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
        'application/json; charset=utf-16',
        `\uFEFF${text}`,
      ],
      ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'application/json', text],
      ['UTF-16 without a mark, big-endian', Buffer.from(text, 'utf16le').swap16(), 'application/json', text],
      ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), 'application/json', `\uFEFF${text}`],
      [
        'UTF-8 that claims to be something else',
        Buffer.from(text),
        'application/json; charset=iso-8859-1',
        text,
      ],
      [
        'another character set, as stated',
        Buffer.from(text, 'latin1'),
        'application/json; charset="ISO-8859-1"',
        text,
      ],
      ['an unknown character set', Buffer.from(text), 'application/json; charset=klingon', text],
      ['two bytes that are no text', Buffer.from([0, 0]), 'application/json', '\0\0'],
    ])('reads a body in %s', async (_, bytes, type, body) => {
      const { url } = await server((__, response) => response.setHeader('content-type', type).end(bytes))
      expect(await send(url)).toMatchObject({ kind: 'answer', body })
    })

    it.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
      'sends the body of a %s unchanged',
      async (method) => {
        const { url, arrivals } = await server(sayHello)
        await send(url, {
          method,
          headers: { 'Content-Type': 'application/json' },
          body: '{"name":"Møde 3"}',
          freshConnection: true,
        })
        expect(arrivals).toMatchObject([
          { method, headers: { 'content-type': 'application/json' }, body: '{"name":"Møde 3"}' },
        ])
      },
    )

    it('sends a POST without a body as empty', async () => {
      const { url, arrivals } = await server(sayHello)
      await send(url, { method: 'POST', freshConnection: true })
      expect(arrivals).toMatchObject([{ method: 'POST', headers: { 'content-length': '0' }, body: '' }])
    })

    it.each([304, 400, 401, 404, 429, 500, 503])(
      'returns %i as a response, with its body',
      async (status) => {
        const { url } = await server((_, response) =>
          response.writeHead(status, { 'Retry-After': '7' }).end(status === 304 ? undefined : 'no'),
        )
        expect(await send(url)).toMatchObject({
          kind: 'answer',
          status,
          headers: { 'retry-after': '7' },
          body: status === 304 ? '' : 'no',
        })
      },
    )

    it('returns both of two Retry-After headers', async () => {
      const { url } = await server((_, response) =>
        response.writeHead(429, { 'Retry-After': ['2', '3'] }).end(),
      )
      expect(await send(url)).toMatchObject({ status: 429, headers: { 'retry-after': '2, 3' } })
    })

    it('joins characters that were split between two packets', async () => {
      const bytes = Buffer.from('"æøå 東京"')
      const { url } = await server((_, response) => {
        response.write(bytes.subarray(0, 2), () => response.end(bytes.subarray(2)))
      })
      expect(await send(url)).toMatchObject({ body: '"æøå 東京"' })
    })

    it('decompresses a compressed body', async () => {
      const { url } = await server((_, response) =>
        response.setHeader('content-encoding', 'gzip').end(gzipSync('{"packed":true}')),
      )
      expect(await send(url)).toMatchObject({ kind: 'answer', body: '{"packed":true}' })
    })

    it('detects a compressed body that was cut short', async () => {
      const packed = gzipSync(JSON.stringify(Array.from({ length: 9_000 }, (_, i) => i * 7919)))
      const { url } = await server((_, response, socket) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(packed.length) })
        response.write(packed.subarray(0, packed.length / 2), () => socket.destroy())
      })
      expect(await send(url)).toMatchObject({ kind: 'fault', sent: 'maybe', reason: 'truncated' })
    })

    it('reuses the connection for the next read', async () => {
      const { url, arrivals } = await server(sayHello)
      await send(url)
      await send(url)
      await send(url)
      expect(arrivals.map(({ connection }) => connection)).toEqual([1, 1, 1])
    })

    it('does a hundred reads at once', async () => {
      const { url } = await server(({ path }, response) => response.end(path))
      const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => send(`${url}/${i}`)))
      expect(answers.map((answer) => answer.kind === 'answer' && answer.body)).toEqual(
        Array.from({ length: 100 }, (_, i) => `/${i}`),
      )
    })

    it('never sends cookies back to the service', async () => {
      const { url, arrivals } = await server((_, response) =>
        response.setHeader('set-cookie', 'who=me').end('{}'),
      )
      await send(url)
      await send(url)
      expect(arrivals.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
    })

    it.each([301, 302, 303, 307, 308])(
      'does not follow a redirect (%i), so no key goes elsewhere',
      async (status) => {
        const elsewhere = await server(sayHello)
        const { url } = await server((_, response) =>
          response.writeHead(status, { location: `${elsewhere.url}/there` }).end(),
        )
        expect(await send(url, { headers: { 'Ocp-Apim-Subscription-Key': 'abc' } })).toMatchObject({
          kind: 'fault',
          sent: 'maybe',
          reason: 'redirect',
          location: `${elsewhere.url}/there`,
        })
        expect(elsewhere.arrivals).toEqual([])
      },
    )

    it('reports that nothing was sent when nothing listens', async () => {
      const { url, close } = await openWireServer(sayHello)
      await close()
      const fault = await send(url, { method: 'POST', freshConnection: true })
      expect(fault).toMatchObject({ kind: 'fault', sent: 'no', reason: 'offline' })
      expect(fault).toHaveProperty('message', expect.stringContaining('refuses connections'))
    })

    it('reports that nothing was sent when the name cannot be resolved', async () => {
      expect(await send('http://headroom.invalid/')).toMatchObject({
        kind: 'fault',
        sent: 'no',
        reason: 'offline',
      })
    })

    it.each([undefined, '0'])(
      'does not talk to a server with an untrusted certificate, with NODE_TLS_REJECT_UNAUTHORIZED %s',
      async (requested) => {
        // Node warns about the variable, which has no effect here.
        const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
        vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', requested)
        closing.push(() => {
          vi.unstubAllEnvs()
          warned.mockRestore()
        })
        const { url, arrivals } = await server(sayHello, true)
        const fault = await send(url, { headers: { 'Ocp-Apim-Subscription-Key': 'abc' } })
        expect(fault).toMatchObject({ kind: 'fault', sent: 'no', reason: 'tls' })
        expect(fault).toHaveProperty('message', expect.stringContaining('cannot be trusted'))
        expect(arrivals).toEqual([])
      },
    )

    it.each(['localhost', '127.0.0.1', '127.8.9.10', '[::1]', 'service.localhost', 'LocalHost.'])(
      'uses no proxy for %s',
      async (host) => {
        let requested = 0
        const proxy = createServer((socket) => {
          requested++
          socket.destroy()
        })
        await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
        closing.push(() => void proxy.close())
        const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
        const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
        const proxied = open(Object.fromEntries(names.map((proxyName) => [proxyName, address])))
        closing.push(() => proxied.close())
        const { url } = await server(sayHello)
        const { port } = new URL(url)
        const requests = ['http', 'https'].flatMap((scheme) =>
          [false, true].map((freshConnection) => ({ url: `${scheme}://${host}:${port}/`, freshConnection })),
        )
        const outcomes: unknown[] = []
        for (const request of [...requests, { url: 'http://rooms.example.com/', freshConnection: false }])
          outcomes.push(
            (
              await proxied.transport.attempt({
                ...plain,
                headers: { 'Ocp-Apim-Subscription-Key': 'abc' },
                ...request,
              })
            ).kind,
          )
        // The last request goes to the proxy, which disconnects: that proves that a proxy is used at all.
        expect([requested, outcomes.at(-1)]).toEqual([1, 'fault'])
      },
    )

    it('ends an attempt that gets no response in time', async () => {
      const { url, arrivals } = await server(() => undefined)
      expect(await send(url, { timeoutInMs: 150 })).toMatchObject({
        kind: 'fault',
        sent: 'maybe',
        reason: 'timeout',
      })
      expect(arrivals).toHaveLength(1)
    })

    it('includes the body in the time-out', async () => {
      const { url } = await server((_, response) => void response.write('{"never'))
      expect(await send(url, { timeoutInMs: 150 })).toMatchObject({
        kind: 'fault',
        sent: 'maybe',
        reason: 'timeout',
      })
    })

    it.each([
      ['a stated length', { 'content-length': '1000' }],
      ['pieces', {}],
    ])('detects a body in %s that was cut short', async (_, headers) => {
      const { url } = await server((__, response, socket) => {
        response.writeHead(200, headers as Record<string, string>)
        response.write('{"items":[', () => socket.destroy())
      })
      expect(await send(url)).toMatchObject({ kind: 'fault', sent: 'maybe', reason: 'truncated' })
    })

    it('detects a connection that breaks before the response', async () => {
      const { url } = await server((_, __, socket) => socket.destroy())
      expect(await send(url)).toMatchObject({ kind: 'fault', sent: 'maybe', reason: 'broken' })
    })

    it('detects a response that is not HTTP', async () => {
      const { url } = await server((_, __, socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'))
      expect(await send(url)).toMatchObject({ kind: 'fault', sent: 'maybe', reason: 'broken' })
    })

    it('stops reading a body at the allowed length', async () => {
      const { url } = await server((_, response) => response.end('x'.repeat(5_000)))
      expect(await send(url, { maxBytes: 5_000 })).toMatchObject({ kind: 'answer', status: 200 })
      expect(await send(url, { maxBytes: 4_999 })).toMatchObject({
        kind: 'fault',
        sent: 'maybe',
        reason: 'too-large',
      })
    })

    it('sends nothing when it was cancelled before', async () => {
      const { url, arrivals } = await server(sayHello)
      const faults = await Promise.all(
        [false, true].map((freshConnection) => send(url, { signal: AbortSignal.abort(), freshConnection })),
      )
      expect(faults).toMatchObject([
        { kind: 'fault', sent: 'no', reason: 'aborted' },
        { kind: 'fault', sent: 'no', reason: 'aborted' },
      ])
      expect(arrivals).toEqual([])
    })

    it('reports that it may have been sent when it was cancelled in flight', async () => {
      const controller = new AbortController()
      const { url } = await server(() => controller.abort())
      expect(await send(url, { signal: controller.signal })).toMatchObject({
        kind: 'fault',
        sent: 'maybe',
        reason: 'aborted',
      })
    })

    it('delivers a write once although the server destroys the kept-alive connection', async () => {
      const { url, arrivals } = await server(({ path }, response, socket) =>
        path === '/warm' ? response.end('{}') : socket.destroy(),
      )
      await send(`${url}/warm`)
      await send(`${url}/warm`, { method: 'POST', freshConnection: true })
      const fault = await send(`${url}/reboot`, { method: 'POST', freshConnection: true })
      expect(fault).toMatchObject({ kind: 'fault', sent: 'maybe', reason: 'broken' })
      expect(arrivals.filter(({ path }) => path === '/reboot')).toHaveLength(1)
      expect(arrivals.map(({ connection }) => connection)).toEqual([1, 2, 3])
    })

    it('sends each of several simultaneous writes once, and none breaks another', async () => {
      const { url, arrivals } = await server(({ path }, response, socket) =>
        path === '/2' ? socket.destroy() : response.end('{}'),
      )
      const outcomes = await Promise.all(
        [1, 2, 3].map((i) => send(`${url}/${i}`, { method: 'POST', freshConnection: true })),
      )
      expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'fault', 'answer'])
      expect(arrivals.map(({ path }) => path).sort()).toEqual(['/1', '/2', '/3'])
    })
  })
}
