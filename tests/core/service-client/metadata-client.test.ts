import { describe, expect, it } from 'vitest'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { openMetadataClient } from '../../../electron/core/service-client/service-client.ts'
import { FakeClock } from '../../fake-clock.ts'
import { answer, FakeTransport } from '../../fake-transport.ts'
import { aFault, aRead, outcomeOf } from './a-request.ts'
import { rig } from '../metadata/document-cache-rig.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'

const call = { operation: 'GetTelemetry', host: 'cdn.example' }
const aGet = (headers: Record<string, string> = {}) =>
  aRead({
    operation: 'GetTelemetry',
    method: 'GET',
    path: '/models/v/18/telemetry.json',
    body: null,
    headers,
  })

function aClient(script: ConstructorParameters<typeof FakeTransport>[0]) {
  const clock = new FakeClock()
  const transport = new FakeTransport(script)
  return {
    clock,
    transport,
    client: openMetadataClient({
      transport,
      clock,
      random: () => 1,
      baseUrl: 'https://cdn.example',
      scrubber: new KnownKeys(),
    }),
  }
}

it('sends a plain request without a key', async () => {
  const { clock, transport, client } = aClient(() => answer(200, { a: 1 }))
  expect(await outcomeOf(clock, client.send(aGet({ 'If-None-Match': '"v1"' })))).toMatchObject({
    answer: { json: { a: 1 } },
    failure: null,
  })
  expect(transport.attempts).toMatchObject([
    {
      method: 'GET',
      url: 'https://cdn.example/models/v/18/telemetry.json',
      headers: { 'If-None-Match': '"v1"', Accept: 'application/json' },
      maxBytes: 33_554_432,
      freshConnection: false,
    },
  ])
})

it.each([
  [{ 'If-None-Match': '"v1"' }, { answer: { status: 304, json: null, text: '' }, failure: null }],
  [{ 'if-modified-since': 'Sat, 21 Nov 2026 14:00:00 GMT' }, { answer: { status: 304 }, failure: null }],
  [{}, { answer: null, failure: { kind: 'unreadable-answer', where: 'status' } }],
])('accepts a 304 to a conditional request: %o', async (headers, expected) => {
  const { clock, client } = aClient(() => answer(304, ''))
  expect(await outcomeOf(clock, client.send(aGet(headers as Record<string, string>)))).toMatchObject(expected)
})

it.each([
  [404, { kind: 'not-found', call, what: 'not published' }],
  [403, { kind: 'not-found', call, what: 'not published' }],
  [410, { kind: 'not-found', call, what: 'not published' }],
  [401, { kind: 'refused', call, status: 401, message: null }],
  [400, { kind: 'refused', call, status: 400, message: null }],
])('handles %i as this service means it', async (status, failure) => {
  const { clock, transport, client } = aClient(() => answer(status, ''))
  expect((await outcomeOf(clock, client.send(aGet()))).failure).toEqual(failure)
  expect(transport.attempts).toHaveLength(1)
})

it.each([403, 404, 410])(
  '%i with an HTML page does not mean that a document is not published',
  async (status) => {
    const page = '<!DOCTYPE html><html><body>Blocked</body></html>'
    const html = { 'content-type': 'text/html' }
    for (const blocked of [answer(status, page), answer(status, 'Blocked', html)]) {
      const { clock, transport, client } = aClient(() => blocked)
      expect((await outcomeOf(clock, client.send(aGet()))).failure).toEqual({
        kind: 'unreadable-answer',
        call,
        where: 'body',
        message: `the service answered ${status} with an HTML page, perhaps of a proxy or a sign-in page`,
      })
      expect(transport.attempts).toHaveLength(1)
    }
  },
)

it.each([
  ['XML', '<?xml version="1.0"?><Error><Code>BlobNotFound</Code></Error>', 'application/xml'],
  ['JSON', '{"message":"no such document"}', 'application/json'],
  ['nothing', ' ', 'text/html'],
])('403, 404 and 410 with %s mean that a document is not published', async (_, body, type) => {
  for (const status of [403, 404, 410]) {
    const { clock, client } = aClient(() => answer(status, body, { 'content-type': type }))
    expect((await outcomeOf(clock, client.send(aGet()))).failure?.kind).toBe('not-found')
  }
})

it('a block page leaves the stored document', async () => {
  let now = answer(200, { a: 1 })
  const { client } = aClient(() => now)
  const { cache, ask, clock } = rig()
  const asked = (refresh: boolean) => ask({ client, baseUrl: 'https://cdn.example', refresh })
  await cache.load(asked(false))
  now = answer(403, '<html><body>Blocked</body></html>')
  const failure = await failureOf(cache.load(asked(true)))
  await clock.advance(86_400_000)
  expect([failure.kind, await cache.load(asked(false))]).toMatchObject([
    'unreadable-answer',
    { value: { a: 1 }, fromCache: true },
  ])
})

it('retries after a failure of the service, and obeys a 429', async () => {
  const script = [
    answer(500, ''),
    answer(429, '', { 'retry-after': '40' }),
    aFault('broken', 'maybe'),
    answer(200, []),
  ]
  const { clock, client } = aClient((_, index) => script[index]!)
  expect(await outcomeOf(clock, client.send(aGet()))).toMatchObject({
    answer: { attempts: 4 },
    tookInMs: 1_000 + 40_000 + 250 + 4_000,
  })
})

describe('a pause requested by the service', () => {
  const paused = (retryAfter: string) =>
    aClient((_, index) =>
      index === 0 ? answer(429, '', { 'retry-after': retryAfter }) : answer(200, { a: 1 }),
    )
  const limitedUntil = (untilAt: number) => ({ kind: 'rate-limited', call, untilAt })

  it("of 10 s delays a person's call", async () => {
    const { clock, client } = paused('10')
    expect(await outcomeOf(clock, client.send({ ...aGet(), lane: 'interactive' }))).toMatchObject({
      answer: { attempts: 2 },
      failure: null,
    })
  })

  it('longer than a person waits is reported at once, to later callers too', async () => {
    const { clock, transport, client } = paused('40')
    const untilAt = clock.now() + 40_000
    const came = [
      await outcomeOf(clock, client.send({ ...aGet(), lane: 'interactive' })),
      await outcomeOf(clock, client.send({ ...aGet(), lane: 'interactive' })),
    ]
    expect([came.map(({ failure }) => failure), transport.attempts.length]).toEqual([
      [limitedUntil(untilAt), limitedUntil(untilAt)],
      1,
    ])
  })

  it('delays a call by its name', async () => {
    const { clock, client } = paused('40')
    await outcomeOf(clock, client.send({ ...aGet(), once: true }))
    expect(await outcomeOf(clock, client.send({ ...aGet(), lane: 'interactive', once: true }))).toMatchObject(
      { answer: { attempts: 1 }, failure: null },
    )
  })
})

describe('a redirect', () => {
  const to = (location?: string): WireFault => ({
    ...aFault('redirect', 'maybe', 'sends the call elsewhere'),
    ...(location === undefined ? {} : { location }),
  })
  const path = '/models/v/18/telemetry.json'

  it.each<[string, string]>([
    ['another path', 'https://cdn.example/v18/telemetry.json?x=1'],
    ['the same address', `https://cdn.example${path}`],
  ])('to %s of the same host is followed', async (_, location) => {
    const { clock, transport, client } = aClient((_request, index) =>
      index === 0 ? to(location) : answer(200, { a: 1 }),
    )
    expect(await outcomeOf(clock, client.send(aGet({ 'if-none-match': '"v1"' })))).toMatchObject({
      answer: { json: { a: 1 }, redirectedTo: location },
      failure: null,
    })
    expect(transport.attempts.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
      [`https://cdn.example${path}`, '"v1"'],
      [location, '"v1"'],
    ])
  })

  it.each<[string, string | undefined]>([
    ['another host', 'https://evil.example/telemetry.json'],
    ['another port', 'https://cdn.example:8443/telemetry.json'],
    ['the same host over http', 'http://cdn.example/telemetry.json'],
    ['the same host with a sign-in', 'https://user@cdn.example/telemetry.json'],
    ['another scheme', 'file:///etc/passwd'],
    ['nowhere', undefined],
  ])('to %s is reported and not followed', async (_, location) => {
    const { clock, transport, client } = aClient(() => to(location))
    expect((await outcomeOf(clock, client.send(aGet()))).failure).toEqual({
      kind: 'unreadable-answer',
      call,
      where: 'redirect',
      message: 'sends the call elsewhere',
    })
    expect(transport.attempts).toHaveLength(1)
  })

  it('loop ends', async () => {
    const { clock, transport, client } = aClient(() => to(`https://cdn.example${path}`))
    expect((await outcomeOf(clock, client.send(aGet()))).failure).toMatchObject({
      kind: 'unreadable-answer',
      where: 'redirect',
    })
    expect(transport.attempts).toHaveLength(6)
  })

  it('does not use up attempts', async () => {
    const { clock, transport, client } = aClient((_request, index) =>
      index === 0 ? to(`https://cdn.example/other`) : answer(500, ''),
    )
    await outcomeOf(clock, client.send(aGet()))
    expect(transport.attempts).toHaveLength(6)
  })
})

it('accepts 204 as a response without content', async () => {
  const { clock, client } = aClient(() => answer(204, ''))
  expect(await outcomeOf(clock, client.send(aGet()))).toMatchObject({
    answer: { status: 204, json: null, text: '' },
    failure: null,
  })
})

it.each<[string, unknown]>([
  ['null', null],
  ['"https://files.example/a.zip"', 'https://files.example/a.zip'],
  ['14', 14],
])('passes the single value %s to the parser', async (body, json) => {
  const { clock, client } = aClient(() => answer(200, body))
  expect(await outcomeOf(clock, client.send(aGet()))).toMatchObject({
    answer: { status: 200, json, text: body },
    failure: null,
  })
})

it.each([
  ['interactive', 2],
  ['refresh', 5],
  ['bulk', 5],
] as const)('tries a document on the lane %s %i times', async (lane, tries) => {
  const { clock, transport, client } = aClient(() => answer(503, ''))
  await outcomeOf(clock, client.send({ ...aGet(), lane }))
  expect(transport.attempts).toHaveLength(tries)
})

describe('an address in a response without quotation marks', () => {
  const file = 'https://files.example/a.zip?sig=1'
  it.each<[string, string, Record<string, string>]>([
    ['declared as plain text', file, { 'content-type': 'text/plain; charset=utf-8' }],
    ['declared as bytes, with a line break', `${file}\n`, { 'content-type': 'application/octet-stream' }],
    ['called JSON', `\uFEFF${file}`, { 'content-type': 'application/json' }],
  ])('%s is accepted', async (_, body, headers) => {
    const { clock, client } = aClient(() => answer(200, body, headers))
    expect(await outcomeOf(clock, client.send(aGet()))).toMatchObject({
      answer: { json: file, text: body },
      failure: null,
    })
  })

  it.each<[string, string, Record<string, string>]>([
    ['with other text around it', `See ${file}`, { 'content-type': 'text/plain' }],
    ['two of them', `${file} ${file}`, { 'content-type': 'text/plain' }],
    ['of another scheme', 'file:///etc/passwd', { 'content-type': 'text/plain' }],
    ['called HTML', file, { 'content-type': 'text/html' }],
  ])('%s is rejected', async (_, body, headers) => {
    const { clock, client } = aClient(() => answer(200, body, headers))
    expect((await outcomeOf(clock, client.send(aGet()))).failure).toMatchObject({ kind: 'unreadable-answer' })
  })
})

describe('the throttle', () => {
  it('has at most eight calls in flight', async () => {
    const waiting: ((answer: WireResponse) => void)[] = []
    const { clock, transport, client } = aClient(() => new Promise((resolve) => waiting.push(resolve)))
    const all = Promise.all(Array.from({ length: 12 }, () => client.send(aGet())))
    await clock.advance(1_000)
    expect(transport.attempts).toHaveLength(8)
    waiting[0]!(answer(200, {}))
    await clock.advance(1_000)
    expect(transport.attempts).toHaveLength(9)
    for (let i = 1; i < 12; i++) {
      waiting[i]!(answer(200, {}))
      await clock.advance(100)
    }
    expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  })

  it('starts at most twenty calls a second', async () => {
    const { clock, transport, client } = aClient(() => answer(200, {}))
    void Promise.all(Array.from({ length: 60 }, () => client.send(aGet())))
    await clock.advance(1_000)
    expect(transport.attempts).toHaveLength(20)
    await clock.advance(2_100)
    expect(transport.attempts).toHaveLength(60)
  })

  it('frees a place after a failure, too', async () => {
    const { clock, transport, client } = aClient(() => aFault('redirect', 'maybe'))
    await Promise.all(Array.from({ length: 20 }, () => outcomeOf(clock, client.send(aGet()))))
    expect(transport.attempts).toHaveLength(20)
  })
})
