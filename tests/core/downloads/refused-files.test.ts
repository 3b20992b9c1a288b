import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { aFileHost, hashOf, someBytes, type FileHost } from './a-file-host.ts'
import { bytes, cutAfter, name, published, result, someDownloads } from './some-downloads.ts'

describe('a wrong file', () => {
  test.each([
    [
      'another size than published',
      { bytes: bytes.length + 1 },
      {},
      'size',
      { size: 'failed', md5: 'not published' },
    ],
    ['more than was published', { bytes: 1_000 }, {}, 'size', { size: 'failed', md5: 'not published' }],
    [
      'more than was published, with an MD5 of all of it',
      { bytes: 1_000, md5: '0'.repeat(32) },
      {},
      'size',
      { size: 'failed', md5: 'not compared' },
    ],
    [
      'two MD5s and a size published',
      { bytes: bytes.length, md5: '0'.repeat(32) },
      { md5: '1'.repeat(32) },
      'md5',
      { size: 'not compared', md5: 'failed' },
    ],
    [
      'another MD5 than published',
      { md5: '0'.repeat(32) },
      {},
      'md5',
      { size: 'not published', md5: 'failed' },
    ],
    [
      'two MD5s published',
      { md5: '0'.repeat(32) },
      { md5: '1'.repeat(32) },
      'md5',
      { size: 'not published', md5: 'failed' },
    ],
  ])('%s: saves nothing under the name and leaves nothing behind', async (_, link, release, what, checks) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = link
    it.release = release
    const { state, failure } = await it.fetch()
    expect([state, failure]).toMatchObject(['failed', { kind: 'file-mismatch', what, file: name, checks }])
    expect(it.names()).toEqual([])
  })

  test('longer than published and tried again: does not report bytes that are gone', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = { bytes: 500_000 }
    const { id } = await it.fetch()
    await it.downloads.resume(id, {})
    const { failure, begunAnew } = await it.ended(id)
    expect([failure?.kind, begunAnew]).toEqual(['file-mismatch', []])
  })

  test.each([
    ['a page of HTML', { 'content-type': 'text/html; charset=utf-8' }],
    ['an error as JSON', { 'content-type': 'application/problem+json' }],
    ['a compressed response', { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' }],
  ])('%s with status 200: saves nothing under the name', async (_, headers) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((__, response) => void response.writeHead(200, headers).end('<h1>Sign in</h1>'))
    expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'content' })
    expect(it.names()).toEqual([])
  })

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'firmware.bin'],
    ['a page', '\n<!DOCTYPE html><title>Sign in</title>', 'firmware.bin'],
    ['a page with a byte order mark', '\uFEFF<html>', 'firmware.bin'],
    ['an error of a file store', '<?xml version="1.0"?><Error><Code>Denied</Code></Error>', 'firmware.bin'],
    ['an error as JSON', '{"error": "denied"}', 'firmware.bin'],
    ['a text in place of an archive', 'please log in', 'firmware.zip'],
    ['an empty archive', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]), 'firmware.zip'],
  ])(
    '%s without a content type: is not firmware, and does not block the right file',
    async (_, sent, file) => {
      const host = await aFileHost(bytes)
      const it = await someDownloads(host.origin)
      it.link = { url: `${host.origin}/files/${file}` }
      host.instead.push((__, response) => void response.writeHead(200).end(sent))
      expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'content' })
      expect(it.names()).toEqual([])
      expect((await it.fetch()).result?.sha256).toBe(result.sha256)
    },
  )

  test.each<[string, Buffer]>([
    ['binary data that begins as a page', Buffer.from('<html>\0\x01')],
    ['Intel hex', Buffer.from(':10010000214601360121470136007EFE09D2190140\n')],
  ])('%s may be firmware', async (_, sent) => {
    const host = await aFileHost(sent)
    const it = await someDownloads(host.origin)
    it.link = { url: `${host.origin}/files/firmware.bin` }
    expect((await it.fetch()).result?.sha256).toBe(hashOf('sha256', sent))
  })

  test('that another program changed while it was fetched: gets no name', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((_, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000))
      void it
        .until(started.id, (one) => one.bytes === 300_000)
        .then(() => {
          const part = openSync(join(it.folder, `${name}.part`), 'r+')
          writeSync(part, Buffer.alloc(50, 'x'), 0, 50, 1_000)
          closeSync(part)
          response.end(bytes.subarray(300_000))
        })
    })
    const started = await it.start()
    expect((await it.ended(started.id)).failure).toMatchObject({ kind: 'folder-unusable', reason: 'differs' })
    expect([it.names(), (await it.downloads.ledger('org', null, 0, 10)).total]).toEqual([[], 0])
  })

  test('keeps the partial file when a sign-in page arrives in the middle', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push(cutAfter(300_000))
    host.instead.push(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    )
    const broken = await it.fetch()
    expect([broken.failure?.kind, it.names()]).toEqual(['file-mismatch', [`${name}.part`]])
    await it.downloads.resume(broken.id, {})
    expect((await it.ended(broken.id)).result).toMatchObject({
      sha256: result.sha256,
      resumedFrom: broken.bytes,
    })
  })

  test('rejects a changed file of the same version with both hashes and dates, and accepts it with a reason in the journal', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = published
    await it.fetch()
    rmSync(join(it.folder, name))
    host.bytes = someBytes(700_000, 9)
    it.link = { bytes: 700_000 }
    const [before, now] = [result.sha256, hashOf('sha256', host.bytes)]
    const blocked = await it.fetch()
    expect(blocked.failure).toMatchObject({
      kind: 'file-mismatch',
      what: 'ledger',
      expected: before,
      actual: now,
      sinceAt: expect.any(Number) as number,
      at: expect.any(Number) as number,
      checks: { ledger: 'changed' },
    })
    expect(it.names()).toEqual([])

    const accepted = await it.fetch({ acceptChanged: ' Rebuilt, says the vendor ' })
    expect([accepted.id, accepted.result?.checks.ledger]).toEqual([blocked.id, 'accepted'])
    const { entries } = await it.downloads.ledger('org', null, 0, 10)
    expect(
      entries.map(({ sha256, superseded, accepted: why }) => [sha256, superseded, why?.reason, why?.who]),
    ).toEqual([
      [now, false, 'Rebuilt, says the vendor', 'technician'],
      [before, true, undefined, undefined],
    ])
    const { lines } = await it.journal.list('org', { where: '', subjectId: null, start: 0, count: 10 })
    expect(lines).toMatchObject([
      {
        operation: 'AcceptChangedFirmware',
        outcome: 'accepted',
        who: 'technician',
        before: `SHA-256 ${before}`,
        after: `SHA-256 ${now}: Rebuilt, says the vendor`,
      },
    ])
  })

  test('of a version that nothing could verify: is replaced without a reason', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    expect((await it.fetch()).result?.checks.ledger).toBe('first seen')
    rmSync(join(it.folder, name))
    host.bytes = someBytes(700_000, 9)
    it.link = { bytes: 700_000 }
    expect((await it.fetch()).result?.checks.ledger).toBe('new')
    rmSync(join(it.folder, name))
    host.bytes = bytes
    expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'ledger' })
    const { entries } = await it.downloads.ledger('org', null, 0, 10)
    expect(entries.map(({ superseded }) => superseded)).toEqual([false, true])
  })

  test('of a version that was verified later: is rejected', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    await it.fetch()
    it.link = published
    expect((await it.fetch()).result?.checks.ledger).toBe('same')
    rmSync(join(it.folder, name))
    it.link = {}
    host.bytes = someBytes(700_000, 9)
    expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'ledger' })
  })

  test('of the same version in another spelling: is rejected', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = published
    await it.fetch()
    rmSync(join(it.folder, name))
    host.bytes = someBytes(700_000, 9)
    it.link = { version: '1.12.0\u200B ' }
    expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'ledger' })
  })

  test.each([' ', '\u200B'])('rejects the empty reason %j', async (acceptChanged) => {
    const it = await someDownloads('http://127.0.0.1:1')
    await expect(it.start({ acceptChanged })).rejects.toMatchObject({
      failure: { kind: 'invalid', field: 'accept-changed' },
    })
  })

  test('fetches a revoked version only if that is accepted', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.release = { revoked: true }
    await expect(it.start()).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'release 1.12.0 of Jabra Link 380a that was not revoked' },
    })
    expect((await it.fetch({ acceptRevoked: true })).state).toBe('done')
  })
})

describe('an expired link', () => {
  test.each([401, 403, 404, 410])('is requested once more after %i, and the file arrives', async (status) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((_, response) => void response.writeHead(status).end())
    expect((await it.fetch()).state).toBe('done')
    expect(it.linksAsked).toEqual([false, true])
  })

  test('is requested again before the file if its record says that it has expired', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = { expiresAt: 1 }
    const started = await it.start()
    it.link = {}
    await it.ended(started.id)
    expect([it.linksAsked, host.served.length]).toEqual([[false, true], 1])
  })

  test('is requested as often as bytes arrive in between', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const refuse: FileHost['instead'][number] = (_, response) => void response.writeHead(403).end()
    const part =
      (from: number): FileHost['instead'][number] =>
      (_, response) => {
        response
          .writeHead(206, { etag: '"one"', 'content-range': `bytes ${from}-${from + 99_999}/700000` })
          .end(bytes.subarray(from, from + 100_000))
      }
    host.instead.push(cutAfter(100_000), refuse, part(100_000), refuse, part(200_000), refuse, part(300_000))
    host.instead.push(refuse)
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, resumedFrom: 400_000 })
    expect(it.linksAsked).toEqual([false, true, true, true, true])
  })

  test('fails the second time, without a third link', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    for (let at = 0; at < 2; at++) host.instead.push((_, response) => void response.writeHead(403).end())
    expect((await it.fetch()).failure).toMatchObject({ kind: 'refused', status: 403 })
    expect([it.linksAsked, host.served.length]).toEqual([[false, true], 2])
  })
})

describe('an address that may not be contacted', () => {
  test.each([
    ['http://files.example.com/a.zip', 'not-https'],
    ['ftp://files.example.com/a.zip', 'not-https'],
    ['https://127.0.0.1/a.zip', 'not-public'],
    ['https://localhost/a.zip', 'not-public'],
    ['https://192.168.1.4/a.zip', 'not-public'],
    ['https://169.254.169.254/a.zip', 'not-public'],
    ['https://[::1]/a.zip', 'not-public'],
    ['https://user:word@files.example.com/a.zip', 'with-credentials'],
  ])('%s, as a link', async (url, rule) => {
    const it = await someDownloads('http://127.0.0.1:1')
    it.link = { url }
    await expect(it.start()).rejects.toMatchObject({ failure: { kind: 'address-refused', rule } })
  })

  test.each([
    ['http://files.example.com/a.zip', 'not-https'],
    ['http://127.0.0.1:1/a.zip', 'not-https'],
    ['https://127.0.0.1/a.zip', 'not-public'],
    ['https://10.1.2.3/a.zip', 'not-public'],
    ['https://bent.example.com/a.zip', 'leads-inside'],
  ])('%s, as the target of a redirect', async (location, rule) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, {
      names: { lookup: async () => ['93.184.215.14', '10.0.0.8'], loopbackForTests: false },
    })
    host.instead.push((_, response) => void response.writeHead(302, { location }).end())
    expect((await it.fetch()).failure).toMatchObject({ kind: 'address-refused', rule })
    expect([host.served.length, it.names()]).toEqual([1, []])
  })

  test('includes the own host under another name: localhost is not 127.0.0.1', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = { url: `${host.origin.replace('127.0.0.1', 'localhost')}/a.zip` }
    await expect(it.start()).rejects.toMatchObject({
      failure: { kind: 'address-refused', rule: 'not-https' },
    })
    expect(host.served).toEqual([])
  })

  test('includes the sixth redirect; five are followed', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const onward = (): void =>
      void host.instead.push((_, response) => void response.writeHead(307, { location: '/elsewhere' }).end())
    for (let at = 0; at < 5; at++) onward()
    expect((await it.fetch()).state).toBe('done')
    rmSync(join(it.folder, name))
    for (let at = 0; at < 6; at++) onward()
    expect((await it.fetch()).failure).toMatchObject({ kind: 'address-refused', rule: 'too-many-redirects' })
  })

  describe('behind a proxy', () => {
    /**
     * A proxy that returns the file, or first a redirect, and records the requested addresses and the
     * connections.
     */
    const proxied = (locations: readonly string[] = []) => {
      const requested: [url: string, address: string | null][] = []
      const looked: string[] = []
      const left = [...locations]
      return {
        requested,
        looked,
        platform: {
          names: {
            lookup: async (host: string) => {
              looked.push(host)
              return ['10.0.0.8']
            },
            loopbackForTests: false,
          },
          fileTransport: {
            isProxied: async () => true,
            get: async ({ url }: { readonly url: string }, address: string | null) => {
              requested.push([url, address])
              const location = left.shift()
              return {
                kind: 'answer' as const,
                status: location === undefined ? 200 : 302,
                headers: location === undefined ? { etag: '"one"' } : { location },
                body: Readable.from(location === undefined ? [bytes] : []) as AsyncIterable<Uint8Array>,
                close: () => undefined,
              }
            },
          },
        },
      }
    }

    test('leaves DNS to the proxy: a name is neither looked up nor connected here', async () => {
      const { requested, looked, platform } = proxied(['https://cdn.example.com/b.zip'])
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://files.example.com/a.zip' }
      expect((await it.fetch()).result?.sha256).toBe(result.sha256)
      expect([requested, looked]).toEqual([
        [
          ['https://files.example.com/a.zip', null],
          ['https://cdn.example.com/b.zip', null],
        ],
        [],
      ])
    })

    test.each([
      ['https://10.1.2.3/a.zip', 'not-public'],
      ['https://[fd00::1]/a.zip', 'not-public'],
      ['http://files.example.com/b.zip', 'not-https'],
    ])('rejects %s as the target of a redirect', async (location, rule) => {
      const { requested, platform } = proxied([location])
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://files.example.com/a.zip' }
      expect((await it.fetch()).failure).toMatchObject({ kind: 'address-refused', rule })
      expect([requested.length, it.names()]).toEqual([1, []])
    })

    test('rejects a literal address as a link, without contacting the proxy', async () => {
      const { requested, platform } = proxied()
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://192.168.1.4/a.zip' }
      await expect(it.start()).rejects.toMatchObject({
        failure: { kind: 'address-refused', rule: 'not-public' },
      })
      expect(requested).toEqual([])
    })
  })

  test('names the proxy without its query, which may be a signature', async () => {
    const it = await someDownloads('http://127.0.0.1:1')
    it.link = { url: 'https://10.0.0.1/a.zip?sig=secret' }
    await expect(it.start()).rejects.toMatchObject({ failure: { address: 'https://10.0.0.1/a.zip' } })
  })
})
