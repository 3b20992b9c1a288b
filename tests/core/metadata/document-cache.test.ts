import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openDocumentCache, type DocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import type { DocumentRequest } from '../../../electron/core/metadata/document-copy.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { DocumentTable } from './document-table.ts'
import { baseUrl, failureOf, FakeMetadataService } from './fake-metadata-service.ts'

const minute = 60_000
const hour = 60 * minute
const log = { write: () => undefined }

function rig() {
  const clock = new FakeClock()
  const service = new FakeMetadataService(clock)
  const table = new DocumentTable()
  const start = (): DocumentCache => openDocumentCache({ database: table, clock, log })
  const cache = start()
  const ask = (options: Partial<DocumentRequest<Json>> = {}): DocumentRequest<Json> => ({
    client: service,
    baseUrl,
    operation: 'GetTelemetry',
    path: '/models/v/18/telemetry.json',
    what: 'telemetry',
    lane: 'interactive',
    refresh: false,
    signal: null,
    read: (json) => (json === 'nonsense' ? null : json),
    ...options,
  })
  return { clock, service, table, cache, start, ask, startedAt: clock.now() }
}

describe('how long a document is served without a request', () => {
  it.each<[string, Record<string, string>, number]>([
    ['without cache headers: an hour', {}, hour],
    ['max-age', { 'cache-control': 'public, max-age=600' }, 10 * minute],
    ['max-age, part of it spent on the way', { 'cache-control': 'max-age=600', age: '240' }, 6 * minute],
    [
      'an expiry date',
      { date: 'Sat, 21 Nov 2026 14:02:00 GMT', expires: 'Sat, 21 Nov 2026 14:32:00 GMT' },
      30 * minute,
    ],
    ['a year: a day at most', { 'cache-control': 'max-age=31536000, immutable' }, 24 * hour],
    ['public alone says nothing: an hour', { 'cache-control': 'public' }, hour],
    ['a validator alone says nothing: an hour', { 'last-modified': 'Mon, 21 Nov 2016 14:02:00 GMT' }, hour],
  ])('%s', async (_, headers, fresh) => {
    const { clock, service, cache, ask, startedAt } = rig()
    service.set('/telemetry', { a: 1 }, headers)
    await cache.read(ask())
    await clock.advance(fresh - 1)
    expect(await cache.read(ask())).toEqual({ value: { a: 1 }, observedAt: startedAt, fromCache: true })
    await clock.advance(1)
    expect(await cache.read(ask())).toEqual({
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
      await cache.read(ask())
      expect((await cache.read(ask())).fromCache).toBe(false)
      service.offline = true
      expect(await cache.read(ask())).toEqual({ value: [1], observedAt: startedAt, fromCache: true })
    },
  )

  it('a clock set back makes nothing look fresh', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', {})
    await cache.read(ask())
    clock.jumpWall(-2 * minute)
    expect((await cache.read(ask())).fromCache).toBe(false)
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
    await cache.read(ask())
    await clock.advance(hour)
    const renewed = { value: { a: 1 }, observedAt: clock.now(), fromCache: false }
    expect(await cache.read(ask())).toEqual(renewed)
    expect(service.requests[1]?.headers).toEqual({
      'if-none-match': '"1"',
      'if-modified-since': 'Mon, 21 Nov 2016 14:02:00 GMT',
    })
    expect(await start().read(ask())).toEqual({ ...renewed, fromCache: true })
  })

  it('requests the whole document after a 304 about another version', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', 'old', { etag: '"1"', 'cache-control': 'max-age=60' })
    await cache.read(ask())
    service.documents.set('/telemetry', (request) =>
      request.headers?.['if-none-match'] === undefined
        ? { json: 'new', headers: { etag: '"2"' } }
        : { json: null, status: 304, headers: { etag: '"3"' } },
    )
    await clock.advance(hour)
    expect((await cache.read(ask())).value).toBe('new')
  })

  it('happens on refresh although the copy is fresh', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 1)
    await cache.read(ask())
    service.set('/telemetry', 2)
    expect(await cache.read(ask({ refresh: true }))).toMatchObject({ value: 2, fromCache: false })
  })

  it('sends one request for simultaneous readers', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', { a: 1 })
    const answers = await Promise.all([cache.read(ask()), cache.read(ask()), cache.read(ask())])
    expect([service.requests.length, new Set(answers.map((answer) => answer.value)).size]).toEqual([1, 1])
  })

  it('does not delay a waiting person behind background work for the same document', async () => {
    const { service, cache, ask } = rig()
    service.documents.set('/telemetry', (request) =>
      request.lane === 'bulk' ? new Promise(() => undefined) : { json: 'now' },
    )
    void cache.read(ask({ lane: 'bulk' }))
    await settle()
    expect((await cache.read(ask())).value).toBe('now')
  })

  it('continues for the others when a reader leaves; the last one ends it', async () => {
    const { service, cache, ask } = rig()
    const answering = Promise.withResolvers<{ json: string }>()
    service.documents.set('/telemetry', () => answering.promise)
    const [one, other] = [new AbortController(), new AbortController()]
    const left = failureOf(cache.read(ask({ signal: one.signal })))
    const stays = cache.read(ask({ signal: other.signal }))
    await settle()
    one.abort()
    expect(await left).toEqual({ kind: 'cancelled' })
    expect(service.requests[0]?.signal?.aborted).toBe(false)
    answering.resolve({ json: 'there' })
    expect((await stays).value).toBe('there')

    service.documents.set('/telemetry', () => new Promise(() => undefined))
    const last = failureOf(cache.read(ask({ signal: other.signal, refresh: true })))
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
    const reading = world.cache.read(world.ask())
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
    await world.cache.read(world.ask())
    world.service.documents.set('/telemetry', never)
    expect(await after(world, world.cache.read(world.ask({ refresh: true })), 10_000)).toBe('before')
  })

  it('waits the full time even if another one waited before', async () => {
    const world = rig()
    world.service.documents.set('/telemetry', never)
    const first = world.cache.read(world.ask())
    expect(await after(world, first, 6_000)).toBe('nothing yet')
    const second = world.cache.read(world.ask())
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
    const left = world.cache.read(world.ask({ signal: leaving.signal }))
    const background = world.cache.read(world.ask({ lane: 'bulk' }))
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
    ['403', { failure: { kind: 'refused', call, status: 403, message: null } } as const],
    ['410', { failure: { kind: 'refused', call, status: 410, message: null } } as const],
  ])('%s is remembered for an hour, over a restart and without a network', async (_, scripted) => {
    const { clock, service, cache, start, ask } = rig()
    if (scripted !== null) service.documents.set('/telemetry', scripted)
    expect(await failureOf(cache.read(ask()))).toEqual(notPublished)
    await clock.advance(hour - 1)
    expect(await failureOf(start().read(ask()))).toEqual(notPublished)
    expect(service.requests.length).toBe(1)
    await clock.advance(1)
    service.offline = true
    expect(await failureOf(cache.read(ask()))).toEqual(notPublished)
    service.offline = false
    service.set('/telemetry', 'published since')
    expect((await cache.read(ask())).value).toBe('published since')
  })

  it.each([204, 200])('%i with an empty body means that there is none', async (status) => {
    const { service, cache, start, ask } = rig()
    service.documents.set('/telemetry', { json: null, status })
    expect(await failureOf(cache.read(ask()))).toEqual(notPublished)
    service.offline = true
    expect(await failureOf(start().read(ask()))).toEqual(notPublished)
  })

  it('is requested again at once on refresh', async () => {
    const { service, cache, ask } = rig()
    await failureOf(cache.read(ask()))
    service.set('/telemetry', 7)
    expect((await cache.read(ask({ refresh: true }))).value).toBe(7)
  })

  it('that was withdrawn is not served any longer', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 7)
    await cache.read(ask())
    service.documents.clear()
    expect(await failureOf(cache.read(ask({ refresh: true })))).toEqual(notPublished)
    expect(await failureOf(cache.read(ask()))).toEqual(notPublished)
  })
})

describe('a redirected document', () => {
  const path = '/models/v/18/telemetry.json'
  const elsewhere = 'https://metadata.example.com/other/telemetry.json'
  const elsewhereNext = 'https://metadata.example.com/next/telemetry.json'

  it('is read from its final address, also from the cache', async () => {
    const { service, cache, ask, clock, table } = rig()
    const where: string[] = []
    const asked = ask({
      read: (json, documentUrl) => {
        where.push(documentUrl)
        return json
      },
    })
    service.documents.set('/telemetry', { json: { a: 1 }, redirectedTo: elsewhere })
    await cache.read(asked)
    await openDocumentCache({ database: table, clock, log }).read(asked)
    service.set('/telemetry', { a: 2 })
    await cache.read({ ...asked, refresh: true })
    expect(where).toEqual([elsewhere, elsewhere, baseUrl + path])
  })

  it('is read again when it is unchanged but found elsewhere', async () => {
    const { service, cache, ask } = rig()
    const asked = ask({ read: (json, documentUrl) => ({ ...(json as object), documentUrl }), refresh: true })
    const headers = { etag: '"1"' }
    service.documents.set('/telemetry', { json: { a: 1 }, headers, redirectedTo: elsewhere })
    const first = await cache.read(asked)
    service.documents.set('/telemetry', { json: { a: 1 }, headers, redirectedTo: elsewhereNext })
    expect([first.value, (await cache.read(asked)).value]).toEqual([
      { a: 1, documentUrl: elsewhere },
      { a: 1, documentUrl: elsewhereNext },
    ])
  })
})

it('is cached as a bare address for offline use', async () => {
  const { service, cache, ask, clock, table } = rig()
  const send = service.send.bind(service)
  service.set('/telemetry', 'https://files.example/a.zip')
  // As received: without quotation marks.
  service.send = async (request) => ({ ...(await send(request)), text: 'https://files.example/a.zip' })
  await cache.read(ask())
  service.offline = true
  expect((await openDocumentCache({ database: table, clock, log }).read(ask({ keptOnly: true }))).value).toBe(
    'https://files.example/a.zip',
  )
})

describe('failures', () => {
  const call = { operation: 'GetTelemetry', host: 'metadata.example.com' }

  it.each([
    ['no network', { kind: 'offline', call, message: 'x' }, 'copy', 'copy'],
    ['no answer in time', { kind: 'timed-out', call, afterInMs: 1 }, 'copy', 'copy'],
    ['5xx', { kind: 'service-unavailable', call, status: 503, message: null }, 'copy', 'copy'],
    ['429', { kind: 'rate-limited', call, untilAt: null }, 'copy', 'copy'],
    [
      'HTML in place of JSON',
      { kind: 'unreadable-answer', call, where: 'body', message: 'x' },
      'copy',
      'failure',
    ],
    ['400', { kind: 'refused', call, status: 400, message: null }, 'copy', 'failure'],
    ['a mistake of ours', { kind: 'bug', reference: 'x' }, 'failure', 'failure'],
  ] as const)(
    '%s: the copy is served with its age where that helps',
    async (_, failure, plainly, refreshed) => {
      const { clock, service, cache, ask, startedAt } = rig()
      service.set('/telemetry', 'kept')
      await cache.read(ask())
      await clock.advance(48 * hour)
      service.documents.set('/telemetry', { failure })
      const outcome = (refresh: boolean) =>
        cache.read(ask({ refresh })).then(
          (answer) =>
            answer.observedAt === startedAt && answer.fromCache && answer.value === 'kept' ? 'copy' : answer,
          () => 'failure',
        )
      expect([await outcome(false), await outcome(true)]).toEqual([plainly, refreshed])
    },
  )

  it('without a copy are reported unchanged', async () => {
    const { service, cache, ask } = rig()
    service.offline = true
    expect(await failureOf(cache.read(ask()))).toEqual({ kind: 'offline', call, message: 'no network' })
  })

  it('do not cache a wrong document, and keep the older copy', async () => {
    const { service, cache, start, ask, startedAt } = rig()
    service.set('/telemetry', 'good', { 'cache-control': 'max-age=0' })
    await cache.read(ask())
    service.set('/telemetry', 'nonsense')
    const kept = { value: 'good', observedAt: startedAt, fromCache: true }
    expect(await cache.read(ask())).toEqual(kept)
    expect(await failureOf(cache.read(ask({ refresh: true })))).toEqual({
      kind: 'unreadable-answer',
      call,
      where: 'the document',
      message: 'This is not a valid answer to GetTelemetry',
    })
    expect(await start().read(ask())).toEqual(kept)
  })

  it('request a wrong document again instead of remembering it', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 'nonsense')
    expect((await failureOf(cache.read(ask()))).kind).toBe('unreadable-answer')
    service.set('/telemetry', 'good')
    expect((await cache.read(ask())).value).toBe('good')
  })

  it('on a full disk lose the copy, not the response', async () => {
    const { service, table, cache, start, ask } = rig()
    table.diskFull = true
    service.set('/telemetry', 'answer')
    expect((await cache.read(ask())).value).toBe('answer')
    expect((await start().read(ask())).fromCache).toBe(false)
  })

  it('treat half a stored document as missing', async () => {
    const { service, table, cache, start, ask } = rig()
    service.set('/telemetry', { a: 1 })
    await cache.read(ask())
    await table.write((transaction) => transaction.run(`UPDATE metadata_document SET body = '{"a":'`))
    expect(await start().read(ask())).toMatchObject({ value: { a: 1 }, fromCache: false })
  })
})

describe('responses as received', () => {
  const address = `${baseUrl}/models/v/18/telemetry.json`
  const observed = (text: string, observedAt: number) => ({ text, headers: { etag: '"1"' }, observedAt })

  it('are the newest of a call and a page', async () => {
    const { clock, service, cache, ask } = rig()
    expect(await cache.answerCopy(address)).toBeNull()
    service.set('/telemetry', { a: 1 }, { etag: '"page"' })
    await cache.read(ask())
    expect(await cache.answerCopy(address)).toMatchObject({
      text: '{"a":1}',
      headers: { etag: '"page"' },
      observedAt: clock.now(),
    })
    await cache.keepAnswer(address, observed('[ 1 ]', clock.now() + 1))
    expect(await cache.answerCopy(address)).toEqual(observed('[ 1 ]', clock.now() + 1))
  })

  it('never replace a document that a page reads', async () => {
    const { clock, service, cache, start, ask } = rig()
    service.set('/telemetry', 'good')
    await cache.read(ask())
    await cache.keepAnswer(address, observed('"nonsense"', clock.now() + 1))
    service.offline = true
    expect((await start().read(ask())).value).toBe('good')
  })

  it('are missing when the service reported that there is none, or the store cannot be written', async () => {
    const { table, cache, ask, clock } = rig()
    await failureOf(cache.read(ask()))
    table.diskFull = true
    await cache.keepAnswer(address, observed('[]', clock.now()))
    expect(await cache.answerCopy(address)).toBeNull()
  })
})

describe('the cache', () => {
  it('separates documents of one path by base address, counts and clears them', async () => {
    const { service, cache, start, ask } = rig()
    service.set('/telemetry', 'one')
    await cache.read(ask())
    service.set('/telemetry', 'three')
    expect((await cache.read(ask({ baseUrl: 'https://other.example.com' }))).value).toBe('three')
    expect((await cache.read(ask())).value).toBe('one')
    expect(await cache.size()).toEqual({ documents: 2, bytes: 12 })
    await cache.clear()
    expect(await cache.size()).toEqual({ documents: 0, bytes: 0 })
    service.offline = true
    expect((await failureOf(start().read(ask()))).kind).toBe('offline')
    expect((await failureOf(cache.read(ask()))).kind).toBe('offline')
  })

  it('removes the oldest beyond 256 MiB', async () => {
    const { clock, service, table, cache, ask } = rig()
    service.set('/telemetry', 'oldest')
    await cache.read(ask())
    await clock.advance(1)
    // The row's own count decides about the limit.
    await table.write((transaction) =>
      transaction.run(
        `INSERT INTO metadata_document VALUES ('big', 200, '1', '{}', 0, ${clock.now()}, ${256 * 1024 * 1024 - 4}, NULL, 0)`,
      ),
    )
    const later = openDocumentCache({ database: table, clock, log })
    await clock.advance(1)
    service.set('/name-map', 12)
    await later.read(ask({ path: '/name-map' }))
    expect(await later.size()).toEqual({ documents: 2, bytes: 256 * 1024 * 1024 - 2 })
  })

  it('keeps what was read for offline use, however many others arrive', async () => {
    const { clock, service, table, cache, ask } = rig()
    service.set('/telemetry', 'oldest')
    const prepared = await cache.keepingAll(async () => void (await cache.read(ask())))
    await clock.advance(1)
    await table.write((transaction) =>
      transaction.run(
        `INSERT INTO metadata_document VALUES ('big', 200, '1', '{}', 0, ${clock.now()}, ${256 * 1024 * 1024 - 4}, NULL, 0)`,
      ),
    )
    const later = openDocumentCache({ database: table, clock, log })
    await clock.advance(1)
    service.set('/name-map', 12)
    await later.read(ask({ path: '/name-map' }))
    const rows = await table.read(
      "SELECT address FROM metadata_document WHERE address <> 'big' ORDER BY address",
    )
    expect([prepared, rows.map(({ address }) => String(address).split('/').at(-1))]).toEqual([
      1,
      ['telemetry.json', 'name-map'],
    ])
  })

  it('stores only the headers that caching needs', async () => {
    const { service, table, cache, ask } = rig()
    service.set('/telemetry', 1, { 'set-cookie': 'a=b', etag: '"1"', 'x-anything': 'c' })
    await cache.read(ask())
    const [row] = await table.read('SELECT headers FROM metadata_document')
    expect(JSON.parse(String(row?.['headers']))).toEqual({ 'content-type': 'application/json', etag: '"1"' })
  })
})
