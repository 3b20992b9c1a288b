import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { settle } from '../../fake-clock.ts'
import { baseUrl, failureOf } from './fake-metadata-service.ts'
import { log, rig } from './document-cache-rig.ts'

const minute = 60_000
const hour = 60 * minute
describe('how long a document is served without a request', () => {
  it.each<[string, Record<string, string>, number]>([
    ['without cache headers: an hour', {}, hour],
    ['max-age', { 'cache-control': 'public, max-age=600' }, 10 * minute],
    ['max-age, minus the Age header', { 'cache-control': 'max-age=600', age: '240' }, 6 * minute],
    [
      'an expiry date',
      { date: 'Sat, 21 Nov 2026 14:02:00 GMT', expires: 'Sat, 21 Nov 2026 14:32:00 GMT' },
      30 * minute,
    ],
    ['a year: a day at most', { 'cache-control': 'max-age=31536000, immutable' }, 24 * hour],
    ['public alone: an hour', { 'cache-control': 'public' }, hour],
    ['a validator alone: an hour', { 'last-modified': 'Mon, 21 Nov 2016 14:02:00 GMT' }, hour],
  ])('%s', async (_, headers, fresh) => {
    const { clock, service, cache, ask, startedAt } = rig()
    service.set('/telemetry', { a: 1 }, headers)
    await cache.load(ask())
    await clock.advance(fresh - 1)
    expect(await cache.load(ask())).toEqual({ value: { a: 1 }, observedAt: startedAt, fromCache: true })
    await clock.advance(1)
    expect(await cache.load(ask())).toEqual({
      value: { a: 1 },
      observedAt: startedAt + fresh,
      fromCache: false,
    })
  })

  it.each(['no-cache', 'no-store', 'max-age=0', 'must-revalidate, max-age=0'])(
    '%s: requested every time, cached for offline use',
    async (control) => {
      const { service, cache, ask, startedAt } = rig()
      service.set('/telemetry', [1], { 'cache-control': control })
      await cache.load(ask())
      expect((await cache.load(ask())).fromCache).toBe(false)
      service.offline = true
      expect(await cache.load(ask())).toEqual({ value: [1], observedAt: startedAt, fromCache: true })
    },
  )

  it('a clock set back makes nothing look fresh', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', {})
    await cache.load(ask())
    clock.jumpWall(-2 * minute)
    expect((await cache.load(ask())).fromCache).toBe(false)
  })
})

describe('revalidation', () => {
  it('sends the validators; 304 renews the age of the copy and its headers', async () => {
    const { clock, service, cache, start, ask } = rig()
    service.set(
      '/telemetry',
      { a: 1 },
      { etag: '"1"', 'last-modified': 'Mon, 21 Nov 2016 14:02:00 GMT', 'cache-control': 'max-age=60' },
    )
    await cache.load(ask())
    await clock.advance(hour)
    const renewed = { value: { a: 1 }, observedAt: clock.now(), fromCache: false }
    expect(await cache.load(ask())).toEqual(renewed)
    expect(service.requests[1]?.headers).toEqual({
      'if-none-match': '"1"',
      'if-modified-since': 'Mon, 21 Nov 2016 14:02:00 GMT',
    })
    expect(await start().load(ask())).toEqual({ ...renewed, fromCache: true })
  })

  it('requests the whole document after a 304 about another version', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', 'old', { etag: '"1"', 'cache-control': 'max-age=60' })
    await cache.load(ask())
    service.documents.set('/telemetry', (request) =>
      request.headers?.['if-none-match'] === undefined
        ? { json: 'new', headers: { etag: '"2"' } }
        : { json: null, status: 304, headers: { etag: '"3"' } },
    )
    await clock.advance(hour)
    expect((await cache.load(ask())).value).toBe('new')
  })

  it('renews the copy by a 304 with a weak tag of the same version', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', 'same', { etag: '"1"', 'cache-control': 'max-age=60' })
    await cache.load(ask())
    service.documents.set('/telemetry', () => ({ json: null, status: 304, headers: { etag: 'W/"1"' } }))
    await clock.advance(hour)
    expect([(await cache.load(ask())).value, service.requests.length]).toEqual(['same', 2])
  })

  it('happens on refresh although the copy is fresh', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 1)
    await cache.load(ask())
    service.set('/telemetry', 2)
    expect(await cache.load(ask({ refresh: true }))).toMatchObject({ value: 2, fromCache: false })
  })

  it('sends one request for simultaneous readers', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', { a: 1 })
    const answers = await Promise.all([cache.load(ask()), cache.load(ask()), cache.load(ask())])
    expect([service.requests.length, new Set(answers.map((answer) => answer.value)).size]).toEqual([1, 1])
  })

  it('does not delay a waiting person behind background work for the same document', async () => {
    const { service, cache, ask } = rig()
    service.documents.set('/telemetry', (request) =>
      request.lane === 'bulk' ? new Promise(() => undefined) : { json: 'now' },
    )
    void cache.load(ask({ lane: 'bulk' }))
    await settle()
    expect((await cache.load(ask())).value).toBe('now')
  })

  it('continues for the others when a reader leaves; the last one ends it', async () => {
    const { service, cache, ask } = rig()
    const answering = Promise.withResolvers<{ json: string }>()
    service.documents.set('/telemetry', () => answering.promise)
    const [one, other] = [new AbortController(), new AbortController()]
    const left = failureOf(cache.load(ask({ signal: one.signal })))
    const stays = cache.load(ask({ signal: other.signal }))
    await settle()
    one.abort()
    expect(await left).toEqual({ kind: 'cancelled' })
    expect(service.requests[0]?.signal?.aborted).toBe(false)
    answering.resolve({ json: 'there' })
    expect((await stays).value).toBe('there')

    service.documents.set('/telemetry', () => new Promise(() => undefined))
    const last = failureOf(cache.load(ask({ signal: other.signal, refresh: true })))
    await settle()
    other.abort()
    expect([await last, service.requests[1]?.signal?.aborted]).toEqual([{ kind: 'cancelled' }, true])
  })
})

describe('a waiting person', () => {
  const late = {
    kind: 'timed-out',
    call: { operation: 'GetTelemetry', host: 'metadata.example.com' },
    afterInMs: 10_000,
    what: 'telemetry',
  }
  const never = () => new Promise<never>(() => undefined)
  /** Sends the request, advances time, and returns the result: the value, the failure, or nothing yet. */
  const after = async (
    { clock }: ReturnType<typeof rig>,
    reading: Promise<{ value: unknown }>,
    byInMs: number,
  ): Promise<unknown> => {
    let came: unknown = 'nothing yet'
    reading.then(
      ({ value }) => (came = value),
      (error: unknown) => (came = error instanceof Failed ? error.failure : error),
    )
    await clock.advance(byInMs)
    return came
  }

  it('learns after 10 s what did not arrive, and no more requests are sent', async () => {
    const world = rig()
    world.service.documents.set('/telemetry', never)
    const reading = world.cache.load(world.ask())
    expect([
      await after(world, reading, 9_999),
      await after(world, reading, 1),
      world.service.requests[0]?.signal?.aborted,
      world.clock.waiting,
    ]).toEqual(['nothing yet', late, true, 0])
  })

  it('gets the older copy after 10 s', async () => {
    const world = rig()
    world.service.set('/telemetry', 'before')
    await world.cache.load(world.ask())
    world.service.documents.set('/telemetry', never)
    expect(await after(world, world.cache.load(world.ask({ refresh: true })), 10_000)).toBe('before')
  })

  it('waits the full time even if another one waited before', async () => {
    const world = rig()
    world.service.documents.set('/telemetry', never)
    const first = world.cache.load(world.ask())
    expect(await after(world, first, 6_000)).toBe('nothing yet')
    const second = world.cache.load(world.ask())
    expect([
      await after(world, second, 4_000),
      await failureOf(first),
      world.service.requests[0]?.signal?.aborted,
      await after(world, second, 6_000),
    ]).toEqual(['nothing yet', late, false, late])
  })

  it('who cancels earlier is reported as cancelled, while background work waits longer', async () => {
    const world = rig()
    world.service.documents.set('/telemetry', never)
    const leaving = new AbortController()
    const left = world.cache.load(world.ask({ signal: leaving.signal }))
    const background = world.cache.load(world.ask({ lane: 'bulk' }))
    await settle()
    leaving.abort()
    expect([await after(world, left, 1), await after(world, background, 59_000)]).toEqual([
      { kind: 'cancelled' },
      'nothing yet',
    ])
  })
})

describe('an unpublished document', () => {
  const notPublished = {
    kind: 'not-found',
    call: { operation: 'GetTelemetry', host: 'metadata.example.com' },
    what: 'telemetry',
  }
  const call = { operation: 'GetTelemetry', host: 'metadata.example.com' }

  it.each([
    ['404', null],
    ['403 or 410', { failure: { kind: 'not-found', call, what: 'no document' } } as const],
  ])('%s is remembered for an hour, over a restart and without a network', async (_, scripted) => {
    const { clock, service, cache, start, ask } = rig()
    if (scripted !== null) service.documents.set('/telemetry', scripted)
    expect(await failureOf(cache.load(ask()))).toEqual(notPublished)
    await clock.advance(hour - 1)
    expect(await failureOf(start().load(ask()))).toEqual(notPublished)
    expect(service.requests.length).toBe(1)
    await clock.advance(1)
    service.offline = true
    expect(await failureOf(cache.load(ask()))).toEqual(notPublished)
    service.offline = false
    service.set('/telemetry', 'published since')
    expect((await cache.load(ask())).value).toBe('published since')
  })

  it.each([204, 200])('%i with an empty body means that there is none', async (status) => {
    const { service, cache, start, ask } = rig()
    service.documents.set('/telemetry', { json: null, status })
    expect(await failureOf(cache.load(ask()))).toEqual(notPublished)
    service.offline = true
    expect(await failureOf(start().load(ask()))).toEqual(notPublished)
  })

  it('is requested again at once on refresh', async () => {
    const { service, cache, ask } = rig()
    await failureOf(cache.load(ask()))
    service.set('/telemetry', 7)
    expect((await cache.load(ask({ refresh: true }))).value).toBe(7)
  })

  it('that was withdrawn is not served any longer', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 7)
    await cache.load(ask())
    service.documents.clear()
    expect(await failureOf(cache.load(ask({ refresh: true })))).toEqual(notPublished)
    expect(await failureOf(cache.load(ask()))).toEqual(notPublished)
  })
})

describe('a redirected document', () => {
  const path = '/models/v/18/telemetry.json'
  const elsewhere = 'https://metadata.example.com/other/telemetry.json'
  const elsewhereNext = 'https://metadata.example.com/next/telemetry.json'

  it('is read from its final address, also from the cache', async () => {
    const { service, cache, ask, clock, table } = rig()
    const where: string[] = []
    const requested = ask({
      parse: (json, documentUrl) => {
        where.push(documentUrl)
        return json
      },
    })
    service.documents.set('/telemetry', { json: { a: 1 }, redirectedTo: elsewhere })
    await cache.load(requested)
    await openDocumentCache({ database: table, clock, log }).load(requested)
    service.set('/telemetry', { a: 2 })
    await cache.load({ ...requested, refresh: true })
    expect(where).toEqual([elsewhere, elsewhere, baseUrl + path])
  })

  it('is read again when it is unchanged but found elsewhere', async () => {
    const { service, cache, ask } = rig()
    const requested = ask({
      parse: (json, documentUrl) => ({ ...(json as object), documentUrl }),
      refresh: true,
    })
    const headers = { etag: '"1"' }
    service.documents.set('/telemetry', { json: { a: 1 }, headers, redirectedTo: elsewhere })
    const first = await cache.load(requested)
    service.documents.set('/telemetry', { json: { a: 1 }, headers, redirectedTo: elsewhereNext })
    expect([first.value, (await cache.load(requested)).value]).toEqual([
      { a: 1, documentUrl: elsewhere },
      { a: 1, documentUrl: elsewhereNext },
    ])
  })
})

it('is cached as a bare address for offline use', async () => {
  const { service, cache, ask, clock, table } = rig()
  const send = service.send.bind(service)
  service.set('/telemetry', 'https://files.example/a.zip')
  // As received, without quotation marks.
  service.send = async (request) => ({ ...(await send(request)), text: 'https://files.example/a.zip' })
  await cache.load(ask())
  service.offline = true
  expect(
    (await openDocumentCache({ database: table, clock, log }).load(ask({ cachedOnly: true }))).value,
  ).toBe('https://files.example/a.zip')
})
