import { describe, expect, it } from 'vitest'
import { openDocumentCache } from '../../../electron/core/metadata/document-cache.ts'
import { baseUrl, failureOf } from './fake-metadata-service.ts'
import { log, rig } from './document-cache-rig.ts'

const minute = 60_000
const hour = 60 * minute

describe('failures', () => {
  const call = { operation: 'GetTelemetry', host: 'metadata.example.com' }

  it.each([
    ['no network', { kind: 'offline', call, message: 'x' }, 'copy', 'copy'],
    ['no response in time', { kind: 'timed-out', call, afterInMs: 1 }, 'copy', 'copy'],
    ['5xx', { kind: 'service-unavailable', call, status: 503, message: null }, 'copy', 'copy'],
    ['429', { kind: 'rate-limited', call, untilAt: null }, 'copy', 'copy'],
    [
      'HTML in place of JSON',
      { kind: 'unreadable-answer', call, where: 'body', message: 'x' },
      'copy',
      'failure',
    ],
    ['400', { kind: 'refused', call, status: 400, message: null }, 'copy', 'failure'],
    ['a bug in Headroom', { kind: 'bug', reference: 'x' }, 'failure', 'failure'],
  ] as const)(
    '%s: the copy is served with its age where that helps',
    async (_, failure, plainly, refreshed) => {
      const { clock, service, cache, ask, startedAt } = rig()
      service.set('/telemetry', 'kept')
      await cache.load(ask())
      await clock.advance(48 * hour)
      service.documents.set('/telemetry', { failure })
      const outcome = (refresh: boolean) =>
        cache.load(ask({ refresh })).then(
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
    expect(await failureOf(cache.load(ask()))).toEqual({ kind: 'offline', call, message: 'no network' })
  })

  it('do not cache a wrong document, and keep the older copy', async () => {
    const { service, cache, start, ask, startedAt } = rig()
    service.set('/telemetry', 'good', { 'cache-control': 'max-age=0' })
    await cache.load(ask())
    service.set('/telemetry', 'nonsense')
    const stored = { value: 'good', observedAt: startedAt, fromCache: true }
    expect(await cache.load(ask())).toEqual(stored)
    expect(await failureOf(cache.load(ask({ refresh: true })))).toEqual({
      kind: 'unreadable-answer',
      call,
      where: 'the document',
      message: 'This is not a valid answer to GetTelemetry',
    })
    expect(await start().load(ask())).toEqual(stored)
  })

  it('request a wrong document again instead of remembering it', async () => {
    const { service, cache, ask } = rig()
    service.set('/telemetry', 'nonsense')
    expect((await failureOf(cache.load(ask()))).kind).toBe('unreadable-answer')
    service.set('/telemetry', 'good')
    expect((await cache.load(ask())).value).toBe('good')
  })

  it('on a full disk lose the copy, not the response', async () => {
    const { service, table, cache, start, ask } = rig()
    table.diskFull = true
    service.set('/telemetry', 'answer')
    expect((await cache.load(ask())).value).toBe('answer')
    expect((await start().load(ask())).fromCache).toBe(false)
  })

  it('treat half a stored document as missing', async () => {
    const { service, table, cache, start, ask } = rig()
    service.set('/telemetry', { a: 1 })
    await cache.load(ask())
    await table.write((transaction) => transaction.run(`UPDATE metadata_document SET body = '{"a":'`))
    expect(await start().load(ask())).toMatchObject({ value: { a: 1 }, fromCache: false })
  })
})

describe('responses as received', () => {
  const address = `${baseUrl}/models/v/18/telemetry.json`
  const observed = (text: string, observedAt: number) => ({ text, headers: { etag: '"1"' }, observedAt })

  it('are the newest of a call and a page', async () => {
    const { clock, service, cache, ask } = rig()
    expect(await cache.answerCopy(address)).toBeNull()
    service.set('/telemetry', { a: 1 }, { etag: '"page"' })
    await cache.load(ask())
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
    await cache.load(ask())
    await cache.keepAnswer(address, observed('"nonsense"', clock.now() + 1))
    service.offline = true
    expect((await start().load(ask())).value).toBe('good')
  })

  it('are missing when the service reported that there is none, or the store cannot be written', async () => {
    const { table, cache, ask, clock } = rig()
    await failureOf(cache.load(ask()))
    table.diskFull = true
    await cache.keepAnswer(address, observed('[]', clock.now()))
    expect(await cache.answerCopy(address)).toBeNull()
  })
})

describe('the cache', () => {
  it('separates documents of one path by base address, counts and clears them', async () => {
    const { service, cache, start, ask } = rig()
    service.set('/telemetry', 'one')
    await cache.load(ask())
    service.set('/telemetry', 'three')
    expect((await cache.load(ask({ baseUrl: 'https://other.example.com' }))).value).toBe('three')
    expect((await cache.load(ask())).value).toBe('one')
    expect(await cache.size()).toEqual({ documents: 2, bytes: 12 })
    await cache.clear()
    expect(await cache.size()).toEqual({ documents: 0, bytes: 0 })
    service.offline = true
    expect((await failureOf(start().load(ask()))).kind).toBe('offline')
    expect((await failureOf(cache.load(ask()))).kind).toBe('offline')
  })

  it('removes the oldest beyond 256 MiB', async () => {
    const { clock, service, table, cache, ask } = rig()
    service.set('/telemetry', 'oldest')
    await cache.load(ask())
    await clock.advance(1)
    // The size in the row is what counts against the limit.
    await table.write((transaction) =>
      transaction.run(
        `INSERT INTO metadata_document VALUES ('big', 200, '1', '{}', 0, ${clock.now()}, ${256 * 1024 * 1024 - 4}, NULL, 0)`,
      ),
    )
    const later = openDocumentCache({ database: table, clock, log })
    await clock.advance(1)
    service.set('/name-map', 12)
    await later.load(ask({ path: '/name-map' }))
    expect(await later.size()).toEqual({ documents: 2, bytes: 256 * 1024 * 1024 - 2 })
  })

  it('keeps what was read for offline use, however many others arrive', async () => {
    const { clock, service, table, cache, ask } = rig()
    service.set('/telemetry', 'oldest')
    const prepared = await cache.keepingAll(async () => void (await cache.load(ask())))
    await clock.advance(1)
    await table.write((transaction) =>
      transaction.run(
        `INSERT INTO metadata_document VALUES ('big', 200, '1', '{}', 0, ${clock.now()}, ${256 * 1024 * 1024 - 4}, NULL, 0)`,
      ),
    )
    const later = openDocumentCache({ database: table, clock, log })
    await clock.advance(1)
    service.set('/name-map', 12)
    await later.load(ask({ path: '/name-map' }))
    const rows = await table.query(
      "SELECT address FROM metadata_document WHERE address <> 'big' ORDER BY address",
    )
    expect([prepared, rows.map(({ address }) => String(address).split('/').at(-1))]).toEqual([
      1,
      ['telemetry.json', 'name-map'],
    ])
  })

  it('is asked once for an address while documents are read for offline use, unless it is asked again on purpose', async () => {
    const { clock, service, cache, ask } = rig()
    service.set('/telemetry', 1, { 'cache-control': 'max-age=0' })
    const requests: number[] = []
    const load = async (refresh = false): Promise<void> => {
      await clock.advance(1)
      await cache.load(ask({ refresh }))
      requests.push(service.requests.length)
    }
    await load()
    await clock.advance(1)
    await cache.keepingAll(async () => {
      await load()
      await load()
      await load(true)
    })
    await load()
    expect(requests).toEqual([1, 2, 2, 3, 4])
  })

  it('stores only the headers that caching needs', async () => {
    const { service, table, cache, ask } = rig()
    service.set('/telemetry', 1, { 'set-cookie': 'a=b', etag: '"1"', 'x-anything': 'c' })
    await cache.load(ask())
    const [row] = await table.query('SELECT headers FROM metadata_document')
    expect(JSON.parse(String(row?.['headers']))).toEqual({ 'content-type': 'application/json', etag: '"1"' })
  })
})
