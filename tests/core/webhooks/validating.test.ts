import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { openPinnedTransport } from '../../../electron/adapters/pinned-transport.ts'
import { proxiesOf } from '../../../electron/adapters/proxies.ts'
import type { WebhookValidation } from '../../../electron/contract/api/webhooks.ts'
import type {
  PinnedTransport,
  WireResponse,
  WireFault,
  WireRequest,
} from '../../../electron/core/platform.ts'
import { validate } from '../../../electron/core/webhooks/validating.ts'
import { certificate, certificateKey } from '../../adapters/self-signed.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { answer } from '../../fake-transport.ts'

const now = Date.UTC(2026, 10, 21, 14, 2)
const url =
  'https://rp-eastus2.eventgrid.azure.net:553/eventsubscriptions/rooms/validate?id=5BA1&token=q%2F1%3D'
const host = 'rp-eastus2.eventgrid.azure.net:553'

interface Asked {
  readonly request: WireRequest
  readonly address: string
}
function rig(
  found: readonly string[],
  script: (index: number) => WireResponse | WireFault = () =>
    answer(200, 'Webhook validated.', { 'content-type': 'text/plain' }),
) {
  const requested: Asked[] = []
  const looked: string[] = []
  const pinned: PinnedTransport = {
    attempt: async (request, address) => script(requested.push({ request, address }) - 1),
  }
  const names = { lookup: async (name: string) => (looked.push(name), found), loopbackForTests: false }
  return {
    requested,
    looked,
    ask: (written = url) =>
      validate(written, { clock: new FakeClock(now), names, pinned, counted: (transport) => transport }),
  }
}
const fault = (more: Partial<WireFault>): WireFault => ({
  kind: 'fault',
  sent: 'no',
  reason: 'offline',
  message: 'refuses connections',
  ...more,
})
const ended = (more: Partial<WebhookValidation>): WebhookValidation => ({
  host,
  address: '20.42.65.88',
  outcome: 'validated',
  status: 200,
  refused: null,
  message: null,
  at: now,
  ...more,
})

describe('The single GET of a validation address', () => {
  it('goes to the checked address, as written, without key, cookie or body', async () => {
    const { requested, looked, ask } = rig(['20.42.65.88', '20.42.65.89'])
    expect(await ask()).toEqual(ended({ message: 'Webhook validated.' }))
    expect(looked).toEqual(['rp-eastus2.eventgrid.azure.net'])
    expect(requested).toEqual([
      {
        address: '20.42.65.88',
        request: {
          method: 'GET',
          url,
          headers: { accept: '*/*', 'user-agent': 'Headroom' },
          body: null,
          timeoutInMs: 30_000,
          maxBytes: 65_536,
          freshConnection: true,
          signal: null,
        },
      },
    ])
  })

  test.each([
    ['nothing is found', [], 'name-not-found', null],
    ['a private address is found', ['10.0.0.4'], 'not-public', `${host} resolves to 10.0.0.4.`],
    [
      'one of several is private',
      ['20.42.65.88', '192.168.1.1'],
      'not-public',
      `${host} resolves to 192.168.1.1.`,
    ],
    ['loopback is found', ['20.42.65.88', '::1'], 'not-public', `${host} resolves to ::1.`],
    [
      'a mapped address is found',
      ['::ffff:127.0.0.1'],
      'not-public',
      `${host} resolves to ::ffff:127.0.0.1.`,
    ],
    ['a zoned address is found', ['fe80::1%2'], 'not-public', `${host} resolves to fe80::1%2.`],
    ['the result is no address', ['somewhere'], 'not-public', `${host} resolves to somewhere.`],
  ])('is not sent when %s', async (_, found, refused, message) => {
    const { requested, ask } = rig(found)
    expect(await ask()).toEqual(
      ended({
        outcome: 'not-asked',
        address: null,
        status: null,
        refused: refused as WebhookValidation['refused'],
        message,
      }),
    )
    expect(requested).toEqual([])
  })

  it('is not sent, and nothing is resolved, for an address rejected as written', async () => {
    const { requested, looked, ask } = rig(['20.42.65.88'])
    expect(await ask('https://localhost/validate')).toEqual(
      ended({ host: '', outcome: 'not-asked', address: null, status: null, refused: 'not-public' }),
    )
    expect({ requested, looked }).toEqual({ requested: [], looked: [] })
  })

  it('waits at most ten seconds for DNS', async () => {
    const clock = new FakeClock(now)
    const names = { lookup: () => new Promise<never>(() => undefined), loopbackForTests: false }
    const asking = validate(url, {
      clock,
      names,
      pinned: { attempt: () => Promise.reject(new Error('asked')) },
      counted: (transport) => transport,
    })
    await clock.advance(10_000)
    expect(await asking).toMatchObject({ outcome: 'not-asked', refused: 'name-not-found' })
  })

  test.each([
    ['200', answer(200, { message: 'ok' }), { outcome: 'validated', status: 200, message: 'ok' }],
    ['202', answer(202, ''), { outcome: 'validated', status: 202, message: null }],
    [
      'a page of HTML',
      answer(200, '<h1>Done</h1>', { 'content-type': 'text/html' }),
      { outcome: 'validated', status: 200, message: null },
    ],
    [
      'plain text with control characters',
      answer(200, 'a\u0000b\n\u202Ec', { 'content-type': 'text/plain' }),
      { outcome: 'validated', status: 200, message: 'a b c' },
    ],
    [
      'a long text',
      answer(200, 'x'.repeat(900), { 'content-type': 'text/plain' }),
      { outcome: 'validated', status: 200, message: `${'x'.repeat(300)}…` },
    ],
    [
      '400',
      answer(400, { error: { code: 'Expired', message: 'The window has passed.' } }),
      { outcome: 'refused', status: 400, message: 'The window has passed.' },
    ],
    ['500 without words', answer(500, 'no json'), { outcome: 'refused', status: 500, message: null }],
    [
      'a redirect',
      answer(302, '', { location: 'https://elsewhere.example.com/x?token=1' }),
      { outcome: 'redirected', status: 302, message: 'elsewhere.example.com' },
    ],
    [
      'a redirect to a path',
      answer(307, '', { location: '/again' }),
      { outcome: 'redirected', status: 307, message: host },
    ],
    ['a redirect to nowhere', answer(301, ''), { outcome: 'redirected', status: 301, message: null }],
    [
      'silence',
      fault({ sent: 'maybe', reason: 'timeout', message: 'did not answer' }),
      { outcome: 'no-answer', status: null, message: 'did not answer' },
    ],
    [
      'a bad certificate',
      fault({ reason: 'tls', message: 'cannot be trusted' }),
      { outcome: 'no-answer', status: null, message: 'cannot be trusted' },
    ],
  ] as const)('ends, and is not sent again, with %s', async (_, outcome, reported) => {
    const { requested, ask } = rig(['20.42.65.88', '20.42.65.89'], () => outcome)
    expect(await ask()).toEqual(ended(reported))
    expect(requested.length).toBe(1)
  })

  it('tries the next checked address only if no connection was made', async () => {
    const { requested, ask } = rig(['2603:1030::1', '20.42.65.88'], (index) =>
      index === 0 ? fault({}) : answer(200, ''),
    )
    expect(await ask()).toEqual(ended({ address: '20.42.65.88' }))
    expect(requested.map(({ address }) => address)).toEqual(['2603:1030::1', '20.42.65.88'])
  })

  it('gives up after three addresses', async () => {
    const { requested, ask } = rig(['20.0.0.1', '20.0.0.2', '20.0.0.3', '20.0.0.4'], () => fault({}))
    expect(await ask()).toEqual(
      ended({ address: '20.0.0.3', outcome: 'no-answer', status: null, message: 'refuses connections' }),
    )
    expect(requested.length).toBe(3)
  })
})

describe('The connection to a checked address', () => {
  const closing: (() => void)[] = []
  afterEach(() => closing.splice(0).forEach((close) => close()))
  const served = async (listener: http.RequestListener, secure: boolean): Promise<number> => {
    const server = secure
      ? https.createServer({ cert: certificate, key: certificateKey }, listener)
      : http.createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return (server.address() as AddressInfo).port
  }
  const get = (address: string): WireRequest => ({
    method: 'GET',
    url: address,
    headers: { accept: '*/*' },
    body: null,
    timeoutInMs: 5_000,
    maxBytes: 10,
    freshConnection: true,
    signal: null,
  })
  const pinned = openPinnedTransport({ alsoTrusted: certificate })

  it('goes to the given address, regardless of DNS, and sends the name', async () => {
    const heard: unknown[] = []
    const port = await served((request, response) => {
      heard.push({ url: request.url, headers: request.headers })
      response.end('0123456789 and more')
    }, false)
    const outcome = await pinned.attempt(
      get(`http://nowhere.invalid:${port}/validate?token=q%2F1%3D&t=a:b`),
      '127.0.0.1',
    )
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, body: '0123456789' })
    expect(heard).toEqual([
      {
        url: '/validate?token=q%2F1%3D&t=a:b',
        headers: { accept: '*/*', host: `nowhere.invalid:${port}`, connection: 'close' },
      },
    ])
  })

  it('requests the certificate of the name', async () => {
    const port = await served((_, response) => response.end('ok'), true)
    expect(await pinned.attempt(get(`https://localhost:${port}/`), '127.0.0.1')).toMatchObject({
      kind: 'answer',
      status: 200,
    })
  })

  it('is not trusted with a certificate of another name', async () => {
    const port = await served((_, response) => response.end('ok'), true)
    expect(await pinned.attempt(get(`https://rooms.example.com:${port}/`), '127.0.0.1')).toMatchObject({
      kind: 'fault',
      reason: 'tls',
      sent: 'no',
    })
  })

  it('is not trusted with an untrusted certificate', async () => {
    const port = await served((_, response) => response.end('ok'), true)
    expect(await openPinnedTransport().attempt(get(`https://localhost:${port}/`), '127.0.0.1')).toMatchObject(
      {
        kind: 'fault',
        reason: 'tls',
      },
    )
  })

  it('returns a redirect instead of following it', async () => {
    let requested = 0
    const port = await served((_, response) => {
      requested += 1
      response.writeHead(302, { location: '/again', 'set-cookie': 'a=b' }).end()
    }, false)
    expect(await pinned.attempt(get(`http://nowhere.invalid:${port}/`), '127.0.0.1')).toMatchObject({
      kind: 'answer',
      status: 302,
      headers: { location: '/again' },
    })
    expect(requested).toBe(1)
  })

  it('reports that nothing was sent when nothing listens', async () => {
    const port = await served(() => undefined, false)
    closing.splice(0).forEach((close) => close())
    expect(await pinned.attempt(get(`http://nowhere.invalid:${port}/`), '127.0.0.1')).toMatchObject({
      kind: 'fault',
      sent: 'no',
      reason: 'offline',
    })
  })

  it('uses the proxy of the environment, which gets the address and not the name', async () => {
    const requested: string[] = []
    const proxy = http.createServer()
    proxy.on('connect', (request, socket) => {
      requested.push(request.url ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    closing.push(() => proxy.close())
    const through = openPinnedTransport({
      proxies: proxiesOf({
        environment: { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
      }),
    })
    expect(await through.attempt(get(url), '20.42.65.88')).toMatchObject({ kind: 'fault', sent: 'no' })
    await settle()
    expect(requested).toEqual(['20.42.65.88:553'])
  })
})
