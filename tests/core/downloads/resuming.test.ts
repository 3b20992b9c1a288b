import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileBroken } from '../../../electron/core/platform.ts'
import { aFileHost, hashOf, someBytes } from './a-file-host.ts'
import {
  aTransport,
  bytes,
  cutAfter,
  fault,
  mebibytes,
  name,
  published,
  result,
  someDownloads,
} from './some-downloads.ts'

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
    host.instead.unshift(cutAfter(300_000))
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
    ['206 without the ETag', 206, { 'content-range': 'bytes 300000-699999/700000' }],
    ['206 of a longer file', 206, { 'content-range': 'bytes 300000-799999/800000', etag: '"one"' }],
    ['206 of a shorter file', 206, { 'content-range': 'bytes 300000-599999/600000', etag: '"one"' }],
    ['206 that ends behind its file', 206, { 'content-range': 'bytes 300000-699999/600000', etag: '"one"' }],
    ['206 that ends before it begins', 206, { 'content-range': 'bytes 300000-200000/700000', etag: '"one"' }],
    [
      '206 with more bytes than stated',
      206,
      { 'content-range': 'bytes 300000-300009/700000', etag: '"one"' },
    ],
    ['416', 416, { 'content-range': 'bytes */10' }],
  ])('starts over when the response is %s', async (_, status, headers) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push(cutAfter(300_000))
    host.instead.push(
      (__, response) => void response.writeHead(status, headers).end(Buffer.alloc(400_000, 'x')),
    )
    const { result: got, begunAnew } = await it.fetch()
    expect([got, begunAnew.length]).toMatchObject([{ sha256: result.sha256, resumedFrom: 0 }, 1])
    expect(host.served.map(({ headers: { range } }) => range)).toEqual([
      undefined,
      'bytes=300000-',
      undefined,
    ])
  })

  test('compares the size with the one stated before a restart', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push(cutAfter(300_000))
    for (let at = 1; at <= 4; at++) host.instead.push((_, response) => void response.writeHead(503).end())
    const { id } = await it.fetch()
    host.instead.push((_, response) => {
      response
        .writeHead(206, { 'content-range': 'bytes 300000-399999/400000', etag: '"one"' })
        .end(bytes.subarray(300_000, 400_000))
    })
    const next = it.another()
    await next.downloads.resume(id, {})
    expect(await next.ended(id)).toMatchObject({ begunAnew: ['changed'], result: { sha256: result.sha256 } })
  })

  test('is done when the host sends each range in two responses', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push(cutAfter(300_000))
    host.instead.push((_, response) => {
      response
        .writeHead(206, { 'content-range': 'bytes 300000-499999/700000', etag: '"one"' })
        .end(bytes.subarray(300_000, 500_000))
    })
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, resumedFrom: 500_000 })
  })

  test.each([
    ['the whole rest', 700_000],
    ['a part of the rest', 500_000],
  ])('is done when the host states no length and sends %s', async (_, to) => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((request, response) => {
      response.writeHead(200, { etag: '"one"' })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
    host.instead.push((__, response) => {
      response
        .writeHead(206, { 'content-range': `bytes 300000-${to - 1}/*`, etag: '"one"' })
        .end(bytes.subarray(300_000, to))
    })
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, bytes: bytes.length })
    expect(host.served.map(({ headers: { range } }) => range)).toEqual([
      undefined,
      'bytes=300000-',
      `bytes=${to}-`,
    ])
  })

  test('starts over without an ETag, because nothing proves that the bytes are the same', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.etag = null
    host.cutAt = 300_000
    expect((await it.fetch()).result).toMatchObject({ sha256: result.sha256, resumedFrom: 0 })
    expect(host.served.map(({ headers }) => headers.range)).toEqual([undefined, undefined])
  })

  test('starts over with a weak ETag, which does not prove that the bytes are the same', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.etag = 'W/"x"'
    host.cutAt = 300_000
    expect(await it.fetch()).toMatchObject({ begunAnew: ['no-etag'], result: { sha256: result.sha256 } })
    expect(host.served.map(({ headers }) => headers.range)).toEqual([undefined, undefined])
  })

  test('leaves no partial file that cannot be resumed', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    host.instead.push((request, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 300_000), () => request.socket.end())
    })
    for (let at = 1; at <= 4; at++) host.instead.push((_, response) => void response.writeHead(503).end())
    const broken = await it.fetch()
    expect([broken.state, broken.bytes, it.names()]).toEqual(['failed', 0, []])
  })

  test('gives up after five attempts, also when the first brought more than 32 MiB', async () => {
    let attempts = 0
    const it = await someDownloads('http://127.0.0.1:1', {
      fileTransport: aTransport(() => {
        if (++attempts > 1) return null
        return {
          headers: { etag: '"one"' },
          body: mebibytes(40, () => Promise.reject(new FileBroken(fault))),
        }
      }),
    })
    const { failure, bytes: there } = await it.fetch()
    expect([failure?.kind, there, attempts]).toEqual(['service-unavailable', 40 * 1_048_576, 5])
  })
})

describe('a download left by another process', () => {
  /** As left by a killed process: bytes in the file, a record of some of them. */
  async function left(host: Awaited<ReturnType<typeof aFileHost>>) {
    const it = await someDownloads(host.origin)
    host.instead.push(cutAfter(400_000))
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
