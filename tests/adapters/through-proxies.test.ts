import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { proxiesOf } from '../../electron/adapters/proxies.ts'
import { openProxySignIns, type SignIn } from '../../electron/adapters/proxy-sign-ins.ts'
import type { Transport } from '../../electron/core/platform.ts'
import { openChromiumTransport } from '../../electron/main/chromium-transport.ts'
import { openProxySignIn } from '../../electron/main/proxy-sign-in.ts'
import type { AnswerProxy } from '../../electron/main/session-proxy.ts'
import { aProxy } from './a-proxy.ts'
import type { Behaviour } from './open-proxy.ts'
import { authority, issued, issuedKey } from './own-authority.ts'
import { standIn } from './stand-in-net.ts'
import { openWireServer } from './wire-server.ts'

// As if it were in the system's store, which the transports read once: those of earlier files of this worker have read it before.
const known = tls.getCACertificates('default')
tls.setDefaultCACertificates([...known, authority])
vi.resetModules()
const { openFileTransport } = await import('../../electron/adapters/file-transport.ts')
const { openHttpTransport } = await import('../../electron/adapters/http-transport.ts')
const { openPinnedTransport } = await import('../../electron/adapters/pinned-transport.ts')
afterAll(() => {
  tls.setDefaultCACertificates(known)
  vi.resetModules()
})

const url = 'https://rooms.example.com/a'
const asked = {
  method: 'POST',
  url,
  headers: {},
  body: '{}',
  timeoutInMs: 60_000,
  maxBytes: 1_000,
  freshConnection: true,
  signal: null,
} as const

/** A service at any name, with a certificate of the company for rooms.example.com. */
async function aService() {
  const server = await openWireServer((_, response) => response.end('rebooted'), {
    cert: issued,
    key: issuedKey,
  })
  onTestFinished(() => server.close())
  return { ...server, port: Number(new URL(server.url).port) }
}

function overNode(proxy: string, kept: SignIn | null = null): Transport {
  const signIns = { get: async () => kept, refused: () => undefined }
  const transport = openHttpTransport({
    proxies: proxiesOf({ environment: { HTTPS_PROXY: proxy }, signIns }),
  })
  onTestFinished(() => transport.close())
  return transport
}

function overChromium(proxy: string, signIn?: AnswerProxy): Transport {
  const { close, ...parts } = standIn({ https_proxy: proxy })
  onTestFinished(close)
  return openChromiumTransport({ ...parts, ...(signIn && { signIn }) })
}

const offline = { kind: 'fault', sent: 'no', reason: 'offline' }

describe.each([
  ['over Node', overNode],
  ["over Electron's net.request (on the stand-in)", overChromium],
] as const)('%s', (_, through) => {
  test('a proxy connects to the service, whose certificate is of the company', async () => {
    const { port, arrivals } = await aService()
    const proxy = await aProxy('works', { port })
    const answer = await through(proxy.url).attempt(asked)
    expect([answer, proxy.asked, arrivals.map(({ body }) => body)]).toEqual([
      { kind: 'answer', status: 200, headers: expect.anything(), body: 'rebooted' },
      ['rooms.example.com:443'],
      ['{}'],
    ])
  })

  test('a certificate for another name is not trusted, and nothing is sent', async () => {
    const { port, arrivals } = await aService()
    const proxy = await aProxy('works', { port })
    const answer = await through(proxy.url).attempt({ ...asked, url: 'https://other.example.com/a' })
    expect([answer, arrivals]).toMatchObject([{ kind: 'fault', sent: 'no', reason: 'tls' }, []])
  })

  test.each<[Behaviour, string]>([
    ['wants-sign-in', 'sign-in-wanted'],
    ['forbids', 'refused'],
  ])('a proxy that %s is named, and nothing is sent', async (behaviour, reason) => {
    const { arrivals, port } = await aService()
    const proxy = await aProxy(behaviour, { port })
    expect([await through(proxy.url).attempt(asked), arrivals]).toEqual([
      {
        ...offline,
        message: expect.any(String),
        proxy: { reason, via: { host: '127.0.0.1', port: proxy.port } },
      },
      [],
    ])
  })

  test('a proxy that is not there is named, and nothing is sent', async () => {
    const gone = await openWireServer(() => undefined)
    await gone.close()
    const port = Number(new URL(gone.url).port)
    expect(await through(gone.url).attempt(asked)).toEqual({
      ...offline,
      message: expect.stringContaining('no connection is accepted there'),
      proxy: { reason: 'not-there', via: { host: '127.0.0.1', port } },
    })
  })
})

describe('over Node', () => {
  const proxied = (reason: string, port: number, message: string) => ({
    ...offline,
    message,
    proxy: { reason, via: { host: '127.0.0.1', port } },
  })
  test('a proxy that closes the connection is named', async () => {
    const proxy = await aProxy('closes')
    expect(await overNode(proxy.url).attempt(asked)).toEqual(
      proxied('closed', proxy.port, 'before it was made'),
    )
  })

  test('the name of a proxy that nobody knows is named', async () => {
    expect(await overNode('http://proxy.invalid:8080').attempt(asked)).toEqual({
      ...offline,
      message: expect.stringMatching(/^there is no answer for this name \(E/),
      proxy: { reason: 'name-not-known', via: { host: 'proxy.invalid', port: 8080 } },
    })
  })

  test('what is no proxy is refused before anything is sent', async () => {
    expect(await overNode('socks5://proxy:1080').attempt(asked)).toEqual({
      ...offline,
      message: 'HTTPS_PROXY must name one as http://HOST:PORT',
      proxy: { reason: 'no-proxy-known', via: null },
    })
  })

  test('where only a script names a proxy, a direct connection that fails says so', async () => {
    const ofSystem = async () => ({ proxy: null, hasScript: true })
    const transport = openHttpTransport({ proxies: proxiesOf({ environment: {}, ofSystem }) })
    onTestFinished(() => transport.close())
    expect(await transport.attempt({ ...asked, url: 'https://rooms.invalid/a' })).toEqual({
      ...offline,
      message: 'the system names it by a script, which only the window runs',
      proxy: { reason: 'no-proxy-known', via: null },
    })
  })

  test('the sign-in that is kept is sent when the proxy wants one, and from then on', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const transport = overNode(proxy.url, { user: 'known', password: 'secret' })
    const answers = [await transport.attempt(asked), await transport.attempt(asked)]
    expect([answers.map(({ kind }) => kind), proxy.signIns]).toEqual([
      ['answer', 'answer'],
      [null, 'known:secret', 'known:secret'],
    ])
  })

  test('a wrong sign-in is sent once', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const fault = await overNode(proxy.url, { user: 'known', password: 'wrong' }).attempt(asked)
    expect([fault, proxy.signIns]).toEqual([
      proxied('sign-in-wanted', proxy.port, 'the one that was sent is wrong'),
      [null, 'known:wrong'],
    ])
  })

  test('a wrong sign-in is sent by one of several requests', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const transport = overNode(proxy.url, { user: 'known', password: 'wrong' })
    await Promise.all([1, 2, 3].map(() => transport.attempt(asked)))
    expect(proxy.signIns.filter((sent) => sent !== null)).toEqual(['known:wrong'])
  })

  test.each<Behaviour>(['hangs', 'works'])(
    'a process ends with its failure behind a proxy that %s and a service that is silent',
    async (behaviour) => {
      const silent = createServer().listen(0, '127.0.0.1')
      onTestFinished(() => void silent.close())
      await once(silent, 'listening')
      const proxy = await aProxy(behaviour, { port: (silent.address() as AddressInfo).port })
      const child = fileURLToPath(new URL('proxied-child.ts', import.meta.url))
      const said = await new Promise<string>((resolve) => {
        execFile(process.execPath, [child, url, proxy.url], (__, output) => resolve(output))
      })
      const late = {
        kind: 'fault',
        sent: 'no',
        reason: 'timeout',
        proxy: { reason: 'not-there', via: { host: '127.0.0.1', port: proxy.port } },
      }
      expect(JSON.parse(said)).toMatchObject([late, { sent: 'no', reason: 'aborted' }])
    },
  )

  test('a validation and a file go through the proxy too', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const proxies = proxiesOf({ environment: { HTTPS_PROXY: proxy.url } })
    const fault = proxied('sign-in-wanted', proxy.port, 'none is known')
    const file = { url, headers: {}, silentAtMostInMs: 60_000, signal: new AbortController().signal }
    expect([
      await openPinnedTransport({ proxies }).attempt(asked, '20.42.65.88'),
      await openFileTransport({ proxies }).get(file, null),
      proxy.asked,
    ]).toEqual([fault, fault, ['20.42.65.88:443', 'rooms.example.com:443']])
  })
})

describe('over Electron', () => {
  test('a sign-in is sent when the proxy wants one, and not asked for again', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const questions: unknown[] = []
    const transport = overChromium(proxy.url, async (via, refused) => {
      questions.push([via, refused])
      return { user: 'known', password: 'secret' }
    })
    const answers = [await transport.attempt(asked), await transport.attempt(asked)]
    expect([answers.map(({ kind }) => kind), questions]).toEqual([
      ['answer', 'answer'],
      [[{ host: '127.0.0.1', port: proxy.port }, null]],
    ])
  })

  test('a wrong sign-in is sent once, and said', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const fault = await overChromium(proxy.url, async (_, refused) =>
      refused !== null ? null : { user: 'known', password: 'wrong' },
    ).attempt(asked)
    expect([fault, proxy.signIns]).toEqual([
      {
        ...offline,
        message: 'the one that was sent is wrong',
        proxy: { reason: 'sign-in-wanted', via: { host: '127.0.0.1', port: proxy.port } },
      },
      [null, 'known:wrong'],
    ])
  })

  test('a wrong sign-in is sent by one of several requests', async () => {
    const { port } = await aService()
    const proxy = await aProxy('wants-sign-in', { port })
    const entry = JSON.stringify({ [`127.0.0.1:${proxy.port}`]: { user: 'known', password: 'wrong' } })
    const signIns = openProxySignIns({ get: async () => entry, set: async () => undefined })
    const transport = overChromium(proxy.url, openProxySignIn(signIns).answer)
    const reads = [1, 2, 3].map(() => transport.attempt({ ...asked, freshConnection: false }))
    await Promise.all([...reads, transport.attempt(asked)])
    expect(proxy.signIns.filter((sent) => sent !== null)).toEqual(['known:wrong'])
  })
})
