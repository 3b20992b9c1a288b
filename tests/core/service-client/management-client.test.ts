import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { answer } from '../../fake-transport.ts'
import { settle } from '../../fake-clock.ts'
import { aFault, aManagementClient, aRead, aWrite, call, outcomeOf, TwoKeys } from './a-request.ts'

const ok = answer(200, { items: [] })
const gateway = (status: number, message: string, headers: Record<string, string> = {}) =>
  answer(status, { statusCode: status, message }, headers)

describe('a request', () => {
  it('has the path, body and headers of the specification, and nothing else', async () => {
    const { transport, run } = await aManagementClient(() => ok)
    await run(aRead({ headers: { Accept: 'application/json' } }))
    expect(transport.attempts).toEqual([
      {
        method: 'POST',
        url: 'https://api.example/devices/api/devices',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'api-version': '2',
          'Cache-Control': 'no-cache',
          'Ocp-Apim-Subscription-Key': 'key-of-the-first-slot',
        },
        body: '{"pageSize":100}',
        timeoutInMs: 30_000,
        maxBytes: 33_554_432,
        freshConnection: false,
        signal: null,
        pool: 'management',
      },
    ])
  })

  it('has no content type without a body, and its own connection for a write', async () => {
    const { transport, run } = await aManagementClient(() => answer(200, ''))
    expect(await run(aWrite())).toMatchObject({
      answer: { status: 200, json: null, text: '', attempts: 1 },
      failure: null,
    })
    expect(transport.attempts).toMatchObject([{ body: null, freshConnection: true, timeoutInMs: 90_000 }])
    expect(transport.attempts[0]!.headers).not.toHaveProperty('Content-Type')
  })

  it('is not sent without a key', async () => {
    const { transport, run } = await aManagementClient(() => ok, { keys: new TwoKeys({}) })
    expect(await run()).toMatchObject({ failure: { kind: 'key-missing' } })
    expect(transport.attempts).toEqual([])
  })

  it('is not sent when it was cancelled before', async () => {
    const { transport, run } = await aManagementClient(() => ok)
    expect(await run(aRead({ signal: AbortSignal.abort() }))).toMatchObject({
      failure: { kind: 'cancelled' },
    })
    expect(transport.attempts).toEqual([])
  })
})

it('returns the response parsed and as received, and counts it in the budget', async () => {
  const { clock, budget, run } = await aManagementClient(() => answer(200, '{"items": [1]}', { 'x-a': 'b' }))
  expect((await run()).answer).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json', 'x-a': 'b' },
    json: { items: [1] },
    text: '{"items": [1]}',
    receivedAt: clock.now() - 500,
    attempts: 1,
  })
  expect(budget.state().fiveMinutes.used).toBe(1)
})

describe('failed reads that may be retried', () => {
  it.each<
    [
      string,
      () => ReturnType<typeof answer> | ReturnType<typeof aFault>,
      'refresh' | 'interactive',
      number,
      Failure,
    ]
  >([
    [
      '500',
      () => gateway(500, 'Internal server error'),
      'refresh',
      5,
      { kind: 'service-unavailable', call, status: 500, message: 'Internal server error' },
    ],
    [
      '503 for a person',
      () => answer(503, ''),
      'interactive',
      5,
      { kind: 'service-unavailable', call, status: 503, message: null },
    ],
    [
      'no network, in the background',
      () => aFault('offline', 'no'),
      'refresh',
      5,
      { kind: 'offline', call, message: 'fault: offline' },
    ],
    [
      'no network, and a person waits',
      () => aFault('offline', 'no'),
      'interactive',
      2,
      { kind: 'offline', call, message: 'fault: offline' },
    ],
    [
      'a broken connection',
      () => aFault('broken', 'maybe'),
      'refresh',
      5,
      { kind: 'service-unavailable', call, status: null, message: 'fault: broken' },
    ],
    [
      'a body that breaks off',
      () => aFault('truncated', 'maybe'),
      'refresh',
      5,
      { kind: 'service-unavailable', call, status: null, message: 'fault: truncated' },
    ],
    [
      'no response in time',
      () => aFault('timeout', 'maybe'),
      'interactive',
      2,
      { kind: 'timed-out', call, afterInMs: 30_000 },
    ],
  ])('%s', async (_, play, lane, attempts, failure) => {
    const { transport, run } = await aManagementClient(play)
    const outcome = await run(aRead({ lane }))
    expect({ failure: outcome.failure, attempts: transport.attempts.length }).toEqual({ failure, attempts })
  })

  it('wait longer each time, up to the doubled base: at most 1, 2, 4, 8 seconds', async () => {
    const { run } = await aManagementClient(() => gateway(500, 'no'))
    expect((await run()).tookInMs).toBe(15_000)
    const lucky = await aManagementClient(() => gateway(500, 'no'), { random: () => 0 })
    expect((await lucky.run()).tookInMs).toBeLessThanOrEqual(500)
  })

  it('return the data when one of the attempts succeeds', async () => {
    const { run } = await aManagementClient((_, index) => (index < 3 ? gateway(500, 'no') : ok))
    expect(await run()).toMatchObject({ answer: { json: { items: [] }, attempts: 4 }, failure: null })
  })

  it('are reported while they wait for the next attempt', async () => {
    const { clock, client } = await aManagementClient((_, index) => (index === 0 ? gateway(500, 'no') : ok))
    const sending = outcomeOf(clock, client.send(aRead()))
    await settle()
    const between = client.retrying()
    await sending
    expect([between, client.retrying()]).toEqual([1, 0])
  })

  it('stop when the technician cancels between two attempts', async () => {
    const controller = new AbortController()
    const { clock, client, transport } = await aManagementClient(() => gateway(500, 'no'))
    const sending = outcomeOf(clock, client.send(aRead({ signal: controller.signal })))
    await settle()
    controller.abort()
    expect(await sending).toMatchObject({ failure: { kind: 'cancelled' } })
    expect(transport.attempts).toHaveLength(1)
  })
})

it.each<[string, ReturnType<typeof answer> | ReturnType<typeof aFault>, Failure]>([
  [
    '400 of the backend',
    answer(400, { title: 'Bad request', detail: 'pageSize is too large' }),
    { kind: 'refused', call, status: 400, message: 'Bad request: pageSize is too large' },
  ],
  [
    '403',
    gateway(403, 'Out of call volume quota.'),
    { kind: 'refused', call, status: 403, message: 'Out of call volume quota.' },
  ],
  ['404', gateway(404, 'Resource not found'), { kind: 'not-found', call, what: 'Resource not found' }],
  ['404 without a word', answer(404, ''), { kind: 'not-found', call, what: 'ListDevices' }],
  [
    '404 with an HTML page',
    answer(404, '<html><body>Blocked</body></html>', { 'content-type': 'text/html' }),
    {
      kind: 'unreadable-answer',
      call,
      where: 'body',
      message: 'the service answered 404 with an HTML page, perhaps of a proxy or a sign-in page',
    },
  ],
  ['407 of a proxy', answer(407, '', {}), { kind: 'refused', call, status: 407, message: null }],
  [
    '302 that was not handled',
    answer(302, ''),
    {
      kind: 'unreadable-answer',
      call,
      where: 'status',
      message: 'the service answered 302 where data was expected',
    },
  ],
  [
    '304 without a conditional request',
    answer(304, ''),
    {
      kind: 'unreadable-answer',
      call,
      where: 'status',
      message: 'the service answered 304 where data was expected',
    },
  ],
  [
    'an invalid certificate',
    aFault('tls', 'no', 'cannot be trusted'),
    { kind: 'offline', call, message: 'cannot be trusted' },
  ],
  [
    'a redirect',
    aFault('redirect', 'maybe', 'sends the call on'),
    { kind: 'unreadable-answer', call, where: 'redirect', message: 'sends the call on' },
  ],
  [
    'an endless body',
    aFault('too-large', 'maybe', 'too long'),
    { kind: 'unreadable-answer', call, where: 'body, beyond 33554432 bytes', message: 'too long' },
  ],
  ['an attempt that was cancelled', aFault('aborted', 'maybe'), { kind: 'cancelled' }],
])('a read is not retried after %s', async (_, outcome, failure) => {
  const { transport, run } = await aManagementClient(() => outcome)
  expect({ failure: (await run()).failure, attempts: transport.attempts.length }).toEqual({
    failure,
    attempts: 1,
  })
})

describe('too many calls (429)', () => {
  it('pauses all calls until the given time, then the read continues', async () => {
    const { clock, budget, run } = await aManagementClient((_, index) =>
      index === 0 ? gateway(429, 'Try again in 20 seconds.', { 'retry-after': '20' }) : ok,
    )
    const begin = clock.now()
    const running = run()
    await settle()
    expect(budget.state().pausedUntil).toBe(begin + 20_000)
    const outcome = await running
    expect(outcome).toMatchObject({ answer: { attempts: 2 }, failure: null, tookInMs: 20_000 })
  })

  it('fails as rate limited after five attempts', async () => {
    const { transport, run } = await aManagementClient(() => gateway(429, 'no', { 'retry-after': '1' }))
    expect((await run()).failure).toMatchObject({
      kind: 'rate-limited',
      call,
      untilAt: expect.any(Number) as number,
    })
    expect(transport.attempts).toHaveLength(5)
  })

  it('stops all waiting calls when the wait is longer than a quarter of an hour', async () => {
    const { clock, client, transport, run } = await aManagementClient(() =>
      gateway(429, 'no', { 'retry-after': '3600' }),
    )
    const untilAt = clock.now() + 3_600_000
    const limited = (operation: string): Failure => ({
      kind: 'rate-limited',
      call: { ...call, operation },
      untilAt,
    })
    expect(await run()).toMatchObject({ failure: limited('ListDevices'), tookInMs: 0 })
    expect(await run(aRead({ operation: 'GetRoom' }))).toMatchObject({ failure: limited('GetRoom') })
    expect(transport.attempts).toHaveLength(1)
    await clock.advance(3_600_000)
    void client.send(aRead()).catch(() => undefined)
    await settle()
    expect(transport.attempts).toHaveLength(2)
  })

  it('leaves no call waiting that was queued before a long pause', async () => {
    const { clock, client, transport } = await aManagementClient((_, index) =>
      index < 95 ? gateway(429, 'no', { 'retry-after': '3600' }) : ok,
    )
    const outcomes = Array.from({ length: 300 }, () => outcomeOf(clock, client.send(aRead())))
    const kinds = new Set((await Promise.all(outcomes)).map(({ failure }) => failure?.kind))
    expect({ kinds: [...kinds], attempts: transport.attempts.length <= 95 }).toEqual({
      kinds: ['rate-limited'],
      attempts: true,
    })
  })

  it('pauses calls for a 503 with a time too', async () => {
    const { run } = await aManagementClient((_, index) =>
      index === 0 ? gateway(503, 'busy', { 'retry-after': '30' }) : ok,
    )
    expect(await run()).toMatchObject({ failure: null, tookInMs: 30_000 })
  })
})

describe('a refused key', () => {
  const denied = gateway(401, 'Access denied due to invalid subscription key.')

  it('switches to the other key once, and the call continues', async () => {
    const { transport, keys, run } = await aManagementClient(({ headers }) =>
      headers['Ocp-Apim-Subscription-Key'] === 'key-of-the-first-slot' ? denied : ok,
    )
    expect(await run()).toMatchObject({ answer: { attempts: 2 }, failure: null })
    expect({
      refusals: keys.refusals,
      acceptances: keys.acceptances,
      attempts: transport.attempts.length,
    }).toEqual({
      refusals: ['primary'],
      acceptances: ['secondary'],
      attempts: 2,
    })
  })

  it('also switches for a write: a 401 means that nothing was done', async () => {
    const { run } = await aManagementClient(({ headers }) =>
      headers['Ocp-Apim-Subscription-Key'] === 'key-of-the-first-slot' ? denied : answer(200, ''),
    )
    expect(await run(aWrite())).toMatchObject({ answer: { attempts: 2 }, failure: null })
  })

  it('stops everything when both are refused: the other is tried once, then no call at all', async () => {
    const { clock, client, transport, run } = await aManagementClient(() => denied)
    const failure: Failure = {
      kind: 'key-refused',
      slot: 'secondary',
      message: 'Access denied due to invalid subscription key.',
    }
    expect((await run()).failure).toEqual(failure)
    expect(transport.attempts).toHaveLength(2)
    const later = Array.from({ length: 200 }, (_, i) =>
      outcomeOf(clock, client.send(i % 2 ? aRead() : aWrite())),
    )
    expect(new Set((await Promise.all(later)).map((outcome) => JSON.stringify(outcome.failure)))).toEqual(
      new Set([JSON.stringify(failure)]),
    )
    expect(transport.attempts).toHaveLength(2)
  })

  it('stops all waiting calls at once, not one by one', async () => {
    const { clock, client, transport } = await aManagementClient(() => denied, {
      keys: new TwoKeys({ primary: 'key-of-the-first-slot' }),
    })
    const outcomes = await Promise.all(
      Array.from({ length: 5_000 }, () => outcomeOf(clock, client.send(aRead()))),
    )
    expect(new Set(outcomes.map(({ failure }) => failure?.kind))).toEqual(new Set(['key-refused']))
    expect(Math.max(...outcomes.map(({ tookInMs }) => tookInMs))).toBeLessThanOrEqual(500)
    expect(transport.attempts.length).toBeLessThanOrEqual(95)
  })
})

describe('the reachability of the service', () => {
  it('is updated after every conclusive attempt', async () => {
    const script = [
      aFault('offline', 'no'),
      aFault('broken', 'maybe'),
      aFault('timeout', 'maybe'),
      gateway(500, 'no'),
      ok,
    ]
    const { clock, client, run } = await aManagementClient((_, index) => script[index]!, { random: () => 0 })
    const reported: [boolean, number][] = []
    const end = client.onReach((reached, at) => reported.push([reached, at]))
    await run()
    end()
    await run(aRead({ signal: AbortSignal.abort() }))
    expect(reported.map(([reached]) => reached)).toEqual([false, true, false, true, true])
    expect(reported[0]![1]).toBeLessThanOrEqual(clock.now())
  })

  it('is not updated by a cancelled attempt', async () => {
    const { client, run } = await aManagementClient(() => aFault('aborted', 'maybe'))
    const reported: boolean[] = []
    client.onReach((reached) => reported.push(reached))
    await run()
    expect(reported).toEqual([])
  })
})
