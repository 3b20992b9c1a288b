import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openFolders } from '../../../electron/adapters/folders.ts'
import { FolderError, type Folders } from '../../../electron/core/platform.ts'
import { aFileHost, hashOf, someBytes } from './a-file-host.ts'
import { someDownloads } from './some-downloads.ts'

const bytes = someBytes(700_000)
const name = 'Jabra Link 380a 1.12.0.zip'
const result = {
  sha256: hashOf('sha256', bytes),
  md5: hashOf('md5', bytes),
  bytes: bytes.length,
  already: false,
  resumedFrom: 0,
  checks: { size: 'ok', md5: 'ok', ledger: 'new' },
}
const published = { bytes: bytes.length, md5: result.md5 }

/** A file whose host stops after the first 300,000 bytes until it is released. */
const held = (host: Awaited<ReturnType<typeof aFileHost>>) => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  host.instead.push((request, response) => {
    response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
    response.write(bytes.subarray(0, 300_000))
    void promise.then(() => response.end(bytes.subarray(300_000)))
    request.on('close', () => response.end())
  })
  return { letGo: () => resolve(undefined) }
}

describe('a complete download', () => {
  test('has the name of its product and version and both hashes, and is requested without key, cookie or referrer', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    it.link = published
    expect(await it.fetch()).toMatchObject({
      state: 'done',
      file: name,
      bytes: bytes.length,
      result,
      failure: null,
    })
    expect(it.names()).toEqual([name])
    expect(readFileSync(join(it.folder, name)).equals(bytes)).toBe(true)
    expect(host.served).toEqual([
      {
        path: '/files/firmware.zip?sig=secret',
        headers: {
          accept: '*/*',
          'accept-encoding': 'identity',
          'user-agent': 'Headroom',
          host: new URL(host.origin).host,
          connection: expect.any(String) as string,
        },
      },
    ])
  })

  test('exists already the second time, and nothing is fetched', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    await it.fetch()
    expect((await it.fetch()).result).toEqual({
      ...result,
      already: true,
      checks: { size: 'not published', md5: 'not published', ledger: 'same' },
    })
    expect(host.served).toHaveLength(1)
  })

  test('is fetched once for two simultaneous requests', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const [one, other] = await Promise.all([it.start(), it.start()])
    expect(other.id).toBe(one.id)
    expect((await it.ended(one.id)).state).toBe('done')
    expect(host.served).toHaveLength(1)
  })
})

describe('an interrupted download', () => {
  test('resumes at any byte and has the right hash', async () => {
    const host = await aFileHost(bytes)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (cutAt) => {
        const it = await someDownloads(host.origin)
        it.link = published
        host.served.splice(0)
        host.cutAt = cutAt
        const { result: got } = await it.fetch()
        const resumedFrom = got?.resumedFrom ?? -1
        expect(got).toEqual({ ...result, resumedFrom })
        expect(host.served.slice(1).map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
          resumedFrom === 0 ? [undefined, undefined] : [`bytes=${resumedFrom}-`, '"one"'],
        ])
        expect(resumedFrom).toBeLessThanOrEqual(cutAt)
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })

  test('stops after five interruptions with its partial file, and continues when resumed', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    for (let at = 1; at <= 5; at++)
      host.instead.push((_, response) => {
        response.writeHead(503).end()
      })
    host.instead.unshift((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
    const broken = await it.fetch()
    expect([broken.state, broken.failure?.kind, host.served.length]).toEqual([
      'failed',
      'service-unavailable',
      5,
    ])
    expect(it.names()).toEqual([`${name}.part`])
    host.instead.splice(0)
    await it.downloads.resume(broken.id, {})
    const ended = await it.ended(broken.id)
    expect(ended.result).toMatchObject({ sha256: result.sha256, resumedFrom: broken.bytes })
    expect(broken.bytes).toBeGreaterThan(0)
  })

  test('starts over when the file changed in between, and reports that', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const other = someBytes(700_000, 9)
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => {
        host.bytes = other
        host.etag = '"two"'
        request.socket.end()
      })
    })
    const ended = await it.fetch()
    expect([ended.result?.sha256, ended.result?.resumedFrom, ended.begunAnew]).toEqual([
      hashOf('sha256', other),
      0,
      ['changed'],
    ])
    expect(host.served.map(({ headers }) => headers['if-range'])).toEqual([undefined, '"one"'])
  })

  test.each([
    [
      '206 of other bytes',
      206,
      { 'content-range': `bytes 5-${bytes.length - 1}/${bytes.length}`, etag: '"one"' },
    ],
    ['206 of another file', 206, { 'content-range': `bytes 300000-699999/700000`, etag: '"two"' }],
    ['206 without saying which bytes', 206, { etag: '"one"' }],
    ['416', 416, { 'content-range': 'bytes */10' }],
  ])('starts over when the response is %s', async (_, status, headers) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.cutAt = 300_000
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
    host.instead.push((__, response) => void response.writeHead(status, headers).end(bytes.subarray(300_000)))
    host.cutAt = null
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, resumedFrom: 0 })
    expect(host.served.at(-1)?.headers.range).toBeUndefined()
  })

  test('starts over without an ETag, because nothing proves that the bytes are the same', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.etag = null
    host.cutAt = 300_000
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, resumedFrom: 0 })
    expect(host.served.map(({ headers }) => headers.range)).toEqual([undefined, undefined])
  })
})

describe('a download left by another process', () => {
  /** As left by a killed process: bytes in the file, a record of some of them. */
  async function left(host: Awaited<ReturnType<typeof aFileHost>>) {
    const it = await someDownloads(host.origin)
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 400_000), () => request.socket.end())
    })
    for (let at = 1; at <= 4; at++) host.instead.push((_, response) => void response.writeHead(503).end())
    const broken = await it.fetch()
    await it.workbook.write((transaction) =>
      transaction.run(`UPDATE download SET state = 'running', failure = NULL, ended_at = NULL`),
    )
    host.served.splice(0)
    return { it, id: broken.id, there: broken.bytes }
  }

  test('continues in the next owner from its record', async () => {
    const host = await aFileHost(bytes)
    const { it, id, there } = await left(host)
    writeFileSync(
      join(it.folder, `${name}.part`),
      Buffer.concat([bytes.subarray(0, there), Buffer.alloc(999)]),
    )
    const next = it.another()
    await next.downloads.resumeAll({})
    expect((await next.ended(id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: there })
    expect(next.names()).toEqual([name])
  })

  test.each<[string, (part: string, there: number) => void]>([
    ['has other bytes', (part, there) => writeFileSync(part, Buffer.alloc(there))],
    ['is shorter', (part, there) => writeFileSync(part, bytes.subarray(0, there - 1))],
    ['is gone', (part) => rmSync(part)],
  ])('starts over if it %s', async (_, change) => {
    const host = await aFileHost(bytes)
    const { it, id, there } = await left(host)
    change(join(it.folder, `${name}.part`), there)
    const next = it.another()
    await next.downloads.resumeAll({})
    expect(await next.ended(id)).toMatchObject({
      state: 'done',
      result: { sha256: result.sha256, resumedFrom: 0 },
    })
  })

  test('is only renamed if it was complete and verified', async () => {
    const host = await aFileHost(bytes)
    const { it, id } = await left(host)
    writeFileSync(join(it.folder, `${name}.part`), bytes)
    writeFileSync(join(it.folder, name), '')
    await it.workbook.write((transaction) =>
      transaction.run('UPDATE download SET placing = 1, bytes = ?, sha256 = ?', [
        bytes.length,
        result.sha256,
      ]),
    )
    const next = it.another()
    await next.downloads.resumeAll({})
    expect(await next.ended(id)).toMatchObject({
      state: 'done',
      result: { sha256: result.sha256, already: false },
    })
    expect([host.served, next.names()]).toEqual([[], [name]])
  })

  test('is done if it has its final name', async () => {
    const host = await aFileHost(bytes)
    const { it, id } = await left(host)
    rmSync(join(it.folder, `${name}.part`))
    writeFileSync(join(it.folder, name), bytes)
    await it.workbook.write((transaction) =>
      transaction.run('UPDATE download SET placing = 1, bytes = ?, sha256 = ?', [
        bytes.length,
        result.sha256,
      ]),
    )
    const next = it.another()
    await next.downloads.resumeAll({})
    expect(await next.ended(id)).toMatchObject({ state: 'done', result: { already: false } })
    expect(host.served).toEqual([])
  })
})

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
    ['a packed answer', { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' }],
  ])('%s with status 200: saves nothing under the name', async (_, headers) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((__, response) => void response.writeHead(200, headers).end('<h1>Sign in</h1>'))
    expect((await it.fetch()).failure).toMatchObject({ kind: 'file-mismatch', what: 'content' })
    expect(it.names()).toEqual([])
  })

  test('keeps the partial file when a sign-in page arrives in the middle', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
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
    await it.fetch()
    rmSync(join(it.folder, name))
    host.bytes = someBytes(700_000, 9)
    const [before, now] = [result.sha256, hashOf('sha256', host.bytes)]
    const blocked = await it.fetch()
    expect(blocked.failure).toMatchObject({
      ...{ kind: 'file-mismatch', what: 'ledger', expected: before, actual: now },
      ...{ sinceAt: expect.any(Number) as number, at: expect.any(Number) as number },
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
        ...{ operation: 'AcceptChangedFirmware', outcome: 'accepted', who: 'technician' },
        ...{ before: `SHA-256 ${before}`, after: `SHA-256 ${now}: Rebuilt, says the vendor` },
      },
    ])
  })

  test('rejects an empty reason', async () => {
    const it = await someDownloads('http://127.0.0.1:1')
    await expect(it.start({ acceptChanged: ' ' })).rejects.toMatchObject({
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
    /** A proxy that returns the file, or a redirect first; records the requested addresses and the connections. */
    const proxied = (locations: readonly string[] = []) => {
      const asked: [url: string, address: string | null][] = []
      const looked: string[] = []
      const left = [...locations]
      return {
        asked,
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
              asked.push([url, address])
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
      const { asked, looked, platform } = proxied(['https://cdn.example.com/b.zip'])
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://files.example.com/a.zip' }
      expect((await it.fetch()).result?.sha256).toBe(result.sha256)
      expect([asked, looked]).toEqual([
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
      const { asked, platform } = proxied([location])
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://files.example.com/a.zip' }
      expect((await it.fetch()).failure).toMatchObject({ kind: 'address-refused', rule })
      expect([asked.length, it.names()]).toEqual([1, []])
    })

    test('rejects a literal address as a link, without contacting the proxy', async () => {
      const { asked, platform } = proxied()
      const it = await someDownloads('http://127.0.0.1:1', platform)
      it.link = { url: 'https://192.168.1.4/a.zip' }
      await expect(it.start()).rejects.toMatchObject({
        failure: { kind: 'address-refused', rule: 'not-public' },
      })
      expect(asked).toEqual([])
    })
  })

  test('names the proxy without its query, which may be a signature', async () => {
    const it = await someDownloads('http://127.0.0.1:1')
    it.link = { url: 'https://10.0.0.1/a.zip?sig=secret' }
    await expect(it.start()).rejects.toMatchObject({ failure: { address: 'https://10.0.0.1/a.zip' } })
  })
})

describe('an obstacle to saving', () => {
  test('leaves another file of the same name alone, and reports both hashes', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    writeFileSync(join(it.folder, name), 'mine')
    expect((await it.fetch()).failure).toMatchObject({
      ...{ kind: 'file-mismatch', what: 'existing', expected: result.sha256 },
      actual: hashOf('sha256', Buffer.from('mine')),
    })
    expect([readFileSync(join(it.folder, name), 'utf8'), it.names()]).toEqual(['mine', [name]])
  })

  test('fetches the same file to compare when there is no hash, and then reports that it exists', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    writeFileSync(join(it.folder, name), bytes)
    expect((await it.fetch()).result).toMatchObject({ already: true, sha256: result.sha256 })
    expect([host.served.length, it.names()]).toEqual([1, [name]])
  })

  test('replaces a .part without a record; leaves a link in its place and the target of the link alone', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const part = join(it.folder, `${name}.part`)
    writeFileSync(part, 'of before')
    expect((await it.fetch()).state).toBe('done')

    rmSync(join(it.folder, name))
    mkdirSync(join(it.folder, 'away'))
    const victim = join(it.folder, 'away', 'victim')
    writeFileSync(victim, 'victim')
    symlinkSync(victim, part)
    expect((await it.fetch()).failure).toMatchObject({ kind: 'folder-unusable', reason: 'taken' })
    rmSync(part)
    symlinkSync(victim, join(it.folder, name))
    expect((await it.fetch()).failure).toMatchObject({ kind: 'folder-unusable', reason: 'taken' })
    expect(readFileSync(victim, 'utf8')).toBe('victim')
  })

  test('does not write to a hard link of the .part', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
    for (let at = 1; at <= 4; at++) host.instead.push((_, response) => void response.writeHead(503).end())
    const { id } = await it.fetch()
    linkSync(join(it.folder, `${name}.part`), join(it.folder, 'other'))
    await it.downloads.resume(id, {})
    expect((await it.ended(id)).failure).toMatchObject({ kind: 'folder-unusable', reason: 'taken' })
  })

  test('rejects a folder that is a file, or whose parent does not exist', async () => {
    const it = await someDownloads('http://127.0.0.1:1')
    writeFileSync(join(it.folder, 'file'), '')
    await expect(it.start({ folder: join(it.folder, 'file') })).rejects.toMatchObject({
      failure: { kind: 'folder-unusable', reason: 'not-a-folder' },
    })
    await expect(it.start({ folder: join(it.folder, 'a', 'b') })).rejects.toMatchObject({
      failure: { kind: 'folder-unusable', reason: 'missing' },
    })
    await expect(it.start({ folder: 'here' })).rejects.toMatchObject({
      failure: { kind: 'folder-unusable', reason: 'missing' },
    })
  })

  /** The real folders, except for what a test changes. */
  const altered = (change: (folder: Awaited<ReturnType<Folders['open']>>) => object): Folders => {
    const real = openFolders(() => '/nowhere')
    return {
      ...real,
      open: async (path) => ({ ...(await real.open(path)), ...change(await real.open(path)) }),
    }
  }

  test('sends no request for a folder without write permission', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, {
      folders: altered((folder) => ({
        create: () => Promise.reject(new FolderError('read-only', folder.path, 'EROFS')),
      })),
    })
    expect((await it.fetch({ folder: it.folder })).failure).toMatchObject({
      ...{ kind: 'folder-unusable', reason: 'read-only', path: it.folder },
    })
    expect(host.served).toEqual([])
  })

  test('sends no request when the published size does not fit', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, { folders: altered(() => ({ free: async () => 699_999 })) })
    it.link = published
    expect((await it.fetch({ folder: it.folder })).failure).toEqual({
      ...{ kind: 'folder-unusable', reason: 'no-room', path: it.folder, needed: 700_000, free: 699_999 },
    })
    expect([host.served, it.names()]).toEqual([[], []])
  })

  test('stops when the size from the host does not fit, or the file is too large for the drive', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, { folders: altered(() => ({ free: async () => 10 })) })
    expect((await it.fetch({ folder: it.folder })).failure).toMatchObject({
      reason: 'no-room',
      needed: 700_000,
    })
    const fat = await someDownloads(host.origin, { folders: altered(() => ({ largestFile: 600_000 })) })
    expect((await fat.fetch({ folder: fat.folder })).failure).toMatchObject({
      reason: 'too-large',
      free: 600_000,
    })
  })

  test('keeps the partial file when the disk fills up, and resumes it', async () => {
    const host = await aFileHost(bytes)
    let isFull = true
    const it = await someDownloads(host.origin, {
      folders: altered((folder) => ({
        create: async (file: string) => {
          const part = await folder.create(file)
          return Object.assign(Object.create(part) as object, {
            write: async (piece: Uint8Array) => {
              if (isFull && part.bytes >= 300_000) {
                // As much as there is room for.
                await part.write(piece.subarray(0, 10))
                throw new FolderError('no-room', file, 'ENOSPC')
              }
              await part.write(piece)
            },
          })
        },
      })),
    })
    const { letGo } = held(host)
    const started = await it.start({ folder: it.folder })
    await it.until(started.id, (one) => one.bytes === 300_000)
    letGo()
    const full = await it.ended(started.id)
    expect(full.failure).toMatchObject({ kind: 'folder-unusable', reason: 'no-room' })
    isFull = false
    await it.downloads.resume(full.id, {})
    expect((await it.ended(full.id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: full.bytes })
    expect(full.bytes).toBe(300_000)
  })

  test('reports a folder that is removed meanwhile, and saves nothing under the name', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const drive = join(it.folder, 'drive')
    host.instead.push((_, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => {
        rmSync(drive, { recursive: true })
        response.end(bytes.subarray(300_000))
      })
    })
    expect((await it.fetch({ folder: drive })).failure).toMatchObject({
      kind: 'folder-unusable',
      reason: 'missing',
    })
    expect(existsSync(drive)).toBe(false)
  })

  test('does not fetch two files of one name at once', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push(() => undefined)
    const first = await it.start()
    await expect(it.start({ productId: 9415 })).rejects.toMatchObject({
      failure: { kind: 'folder-unusable', reason: 'taken' },
    })
    await it.downloads.cancel(first.id)
  })
})

describe('the download queue', () => {
  test('runs three at once, and the others in order', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const holds = Array.from({ length: 3 }, () => held(host))
    const ids: string[] = []
    for (const version of ['1', '2', '3', '4', '5']) {
      it.link = { version }
      ids.push((await it.start({ version })).id)
    }
    const states = async (): Promise<string[]> =>
      Promise.all(ids.map(async (id) => (await it.downloads.get(id)).state))
    expect(await states()).toEqual(['running', 'running', 'running', 'queued', 'queued'])
    holds[0]!.letGo()
    for (const id of [ids[0]!, ids[3]!, ids[4]!]) await it.ended(id)
    expect(await states()).toEqual(['done', 'running', 'running', 'done', 'done'])
    for (const { letGo } of holds) letGo()
    for (const id of ids) await it.ended(id)
    expect((await it.downloads.list('org')).downloads.map(({ version }) => version)).toEqual([
      '5',
      '4',
      '3',
      '2',
      '1',
    ])
  })

  test('runs as many at once as set in the preferences', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    await it.workbook.setPreferences({ downloadsAtOnce: 1 })
    const { letGo } = held(host)
    const ids: string[] = []
    for (const version of ['1', '2']) {
      it.link = { version }
      ids.push((await it.start({ version })).id)
    }
    expect((await it.downloads.list('org')).downloads.map(({ state }) => state)).toEqual([
      'queued',
      'running',
    ])
    letGo()
    for (const id of ids) await it.ended(id)
    expect((await it.downloads.list('org')).downloads.map(({ state }) => state)).toEqual(['done', 'done'])
  })

  test('keeps the partial file of a paused download and resumes it; a cancelled one leaves nothing', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    held(host)
    const { id } = await it.start()
    await it.until(id, (one) => one.bytes === 300_000)
    expect(await it.downloads.pause(id)).toMatchObject({
      state: 'paused',
      bytes: 300_000,
      size: bytes.length,
    })
    expect(it.names()).toEqual([`${name}.part`])
    await it.downloads.resume(id, {})
    expect((await it.ended(id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: 300_000 })

    rmSync(join(it.folder, name))
    held(host)
    const second = await it.start()
    await it.until(second.id, (one) => one.bytes === 300_000)
    expect(await it.downloads.cancel(second.id)).toMatchObject({ state: 'cancelled', bytes: 0 })
    expect(it.names()).toEqual([])
  })

  test('pauses a download that no client waits for, unless another does or it was detached', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const [client, window] = [{}, {}]
    const holds = [held(host), held(host)]
    const ids: string[] = []
    for (const version of ['1', '2']) {
      it.link = { version }
      ids.push((await it.downloads.start('org', query(version), 'client', client)).id)
    }
    await it.downloads.resume(ids[1]!, window)
    await it.downloads.leave(client)
    expect([(await it.downloads.get(ids[0]!)).state, (await it.downloads.get(ids[1]!)).state]).toEqual([
      'paused',
      'running',
    ])
    for (const { letGo } of holds) letGo()
    await it.ended(ids[1]!)
  })

  test('passes running downloads to the next owner when the owner closes', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    held(host)
    const { id } = await it.start()
    await it.until(id, (one) => one.bytes === 300_000)
    await it.downloads.close()
    const next = it.another()
    expect((await next.downloads.get(id)).state).toBe('queued')
    await next.downloads.resumeAll({})
    expect((await next.ended(id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: 300_000 })
  })

  const query = (version: string) => ({
    ...{ vendorId: 2830, productId: 9416, version, buildType: null, folder: null },
    ...{ acceptChanged: null, acceptRevoked: false },
  })
})
