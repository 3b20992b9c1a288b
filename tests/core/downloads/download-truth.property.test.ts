import { readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Download } from '../../../electron/contract/api/downloads.ts'
import { cases } from '../../setup/cases.ts'
import { aFileHost, hashOf, someBytes, type FileHost } from './a-file-host.ts'
import { someDownloads, type SomeDownloads } from './some-downloads.ts'

const sizes = fc.oneof(fc.integer({ min: 5, max: 3_000 }), fc.integer({ min: 3_000, max: 150_000 }))
/** A place in a file, as a part of its length. */
const place = fc.nat(1_000).map((thousandths) => thousandths / 1_000)

let count = 0
/** Downloads a version that no other case has, and resumes what failed. */
async function download(it: SomeDownloads, published: SomeDownloads['link']): Promise<Download> {
  const version = `1.${++count}.0`
  Object.assign(it, { link: { version, ...published }, release: { version } })
  it.linksAsked.splice(0)
  let ended = await it.fetch({ version })
  for (let times = 0; times < 3 && ended.state === 'failed' && ended.bytes > 0; times++) {
    await it.downloads.resume(ended.id, {})
    ended = await it.ended(ended.id)
  }
  return ended
}
/** What lies in the folder then, by name; removed for the next case. */
function taken(it: SomeDownloads): Readonly<Record<string, Buffer>> {
  const found = Object.fromEntries(it.names().map((name) => [name, readFileSync(join(it.folder, name))]))
  for (const name of it.names()) rmSync(join(it.folder, name))
  return found
}

interface Asked {
  readonly from: number
  readonly file: Buffer
  readonly other: Buffer
  /** Where it contradicts itself. */
  readonly at: number
  readonly host: FileHost
  readonly response: ServerResponse
  readonly request: IncomingMessage
}
const whole = (file: Buffer, etag = '"one"') => ({ etag, 'content-length': file.length })
const part = (from: number, to: number, size: number | '*', etag = '"one"') => ({
  etag,
  'content-range': `bytes ${from}-${to}/${size}`,
})
/** Ends the connection after these bytes, when the download has taken them: it runs in this process. */
const cut = ({ request, response }: Pick<Asked, 'request' | 'response'>, bytes: Buffer): void => {
  let turns = 20
  const end = (): void => void (--turns === 0 ? request.socket.end() : setImmediate(end))
  response.write(bytes, end)
}
const start = (asked: Asked, headers: object): void => {
  asked.response.writeHead(200, { ...headers })
  cut(asked, asked.file.subarray(0, asked.at))
}

/** Responses in place of the right one: each contradicts an earlier one, itself, or what is published. */
const contradictions = {
  cut: (asked) => start(asked, whole(asked.file)),
  'cut, with a weak ETag': (asked) => start(asked, whole(asked.file, 'W/"one"')),
  'cut, without a length': (asked) => start(asked, { etag: '"one"' }),
  'a range of another total': ({ from, file, response }) =>
    response.writeHead(206, part(from, file.length - 1, file.length + 9)).end(file.subarray(from)),
  'a range of a smaller total': ({ from, file, at, response }) =>
    response.writeHead(206, part(from, at, at + 1)).end(file.subarray(from, Math.max(at + 1, from))),
  'a range with another ETag': ({ from, file, other, response }) =>
    response
      .writeHead(206, part(from, file.length - 1, file.length, '"two"'))
      .end(other.subarray(from, file.length)),
  'a range without an ETag': ({ from, file, other, response }) =>
    response
      .writeHead(206, { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` })
      .end(other.subarray(from, file.length)),
  'a range of another file under a weak ETag': ({ from, file, other, response }) =>
    response
      .writeHead(206, part(from, file.length - 1, file.length, 'W/"one"'))
      .end(other.subarray(from, file.length)),
  'another range': ({ from, file, at, response }) =>
    response
      .writeHead(206, part(at === from ? at + 1 : at, file.length - 1, file.length))
      .end(file.subarray(at)),
  'a range with more bytes than it states': ({ from, file, other, response }) =>
    response
      .writeHead(206, part(from, file.length - 1, '*'))
      .end(Buffer.concat([file.subarray(from), other])),
  'a range without saying which': ({ file, at, response }) =>
    response.writeHead(206, { etag: '"one"' }).end(file.subarray(at)),
  'another file in place of a range': ({ other, response }) =>
    response.writeHead(200, whole(other, '"two"')).end(other),
  'another file under the same ETag': ({ other, response }) =>
    response.writeHead(200, whole(other)).end(other),
  'a page': ({ response }) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in'),
  'a page that is called a file': ({ response }) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('<html>Sign in</html>'),
  'an error document': ({ response }) =>
    response.writeHead(200, { etag: '"one"' }).end('{"error":"expired"}'),
  nothing: ({ response }) => response.writeHead(200, { 'content-length': 0 }).end(),
  'no such range': ({ file, response }) =>
    response.writeHead(416, { 'content-range': `bytes */${file.length + 1}` }).end(),
  'a part of an unknown total': ({ from, file, at, response }) => {
    const to = Math.max(from + 1, at)
    response.writeHead(206, part(from, to - 1, '*')).end(file.subarray(from, to))
  },
  'a new link to another file': ({ other, host, response }) => {
    Object.assign(host, { bytes: other, etag: '"two"' })
    response.writeHead(403).end()
  },
  'an error': ({ response }) => response.writeHead(503).end(),
  'a link that is over': ({ response }) => response.writeHead(403).end(),
} satisfies Record<string, (asked: Asked) => void>
type Kind = keyof typeof contradictions
const kinds = Object.keys(contradictions) as Kind[]

const used = new Set<Kind>()
function serve(host: FileHost, kind: Kind, about: Pick<Asked, 'file' | 'other' | 'at'>): void {
  host.instead.push((request, response) => {
    used.add(kind)
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    contradictions[kind]({ ...about, host, from, response, request })
  })
}

test('a download from a host that contradicts itself is done only with one of its files, and only with the published one', async () => {
  const host = await aFileHost(someBytes(10))
  const it = await someDownloads(host.origin)
  const ends = { done: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        size: sizes,
        otherSize: sizes,
        publishes: fc.constantFrom('nothing', 'size', 'md5', 'both', 'another size', 'another md5'),
        // Most contradictions need something that they contradict.
        cuts: fc.array(place, { maxLength: 1 }),
        lies: fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: place }), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      async ({ size, otherSize, publishes, cuts, lies }) => {
        const file = someBytes(size, count)
        const other = someBytes(otherSize, count + 5_000)
        Object.assign(host, { bytes: file, etag: '"one"' })
        host.instead.splice(0)
        // Where no length was ever stated, a smaller one contradicts nothing.
        const isUntold = publishes === 'nothing' && lies.some(({ kind }) => kind === 'cut, without a length')
        for (const { kind, at } of [...cuts.map((cutAt) => ({ kind: 'cut' as const, at: cutAt })), ...lies])
          serve(host, isUntold && kind === 'a range of a smaller total' ? 'an error' : kind, {
            file,
            other,
            at: Math.floor(at * (size - 1)),
          })
        const md5 = hashOf('md5', publishes === 'another md5' ? someBytes(9) : file)
        const { state, result } = await download(it, {
          ...(['size', 'both'].includes(publishes) && { bytes: size }),
          ...(publishes === 'another size' && { bytes: Math.max(size, otherSize) + 1 }),
          ...(['md5', 'both', 'another md5'].includes(publishes) && { md5 }),
        })
        const files = Object.entries(taken(it)).filter(([name]) => !name.endsWith('.part'))
        const right = publishes.startsWith('another')
          ? []
          : [file, ...(['nothing', 'size'].includes(publishes) ? [other] : [])].filter(
              ({ length }) => publishes === 'nothing' || length === size,
            )
        const isDone = state === 'done'
        ends[isDone ? 'done' : 'refused']++
        expect(files.map(([, bytes]) => right.some((one) => one.equals(bytes)))).toEqual(isDone ? [true] : [])
        expect(result?.sha256 ?? null).toBe(isDone ? hashOf('sha256', files[0]![1]) : null)
      },
    ),
    { numRuns: cases(1_000, 100) },
  )
  expect(kinds.filter((kind) => !used.has(kind))).toEqual([])
  expect(Math.min(ends.done, ends.refused)).toBeGreaterThan(0)
})

test('a download from a host that only breaks off, or renews its links, is done with the right bytes', async () => {
  const host = await aFileHost(someBytes(10))
  const it = await someDownloads(host.origin)
  let resumed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        size: sizes,
        etag: fc.constantFrom('"one"', 'W/"one"', null),
        statesLength: fc.boolean(),
        publishes: fc.boolean(),
        breaks: fc.array(fc.record({ at: place, linkIsOver: fc.boolean() }), { maxLength: 4 }),
      }),
      async ({ size, etag, statesLength, publishes, breaks }) => {
        host.bytes = someBytes(size, count)
        Object.assign(host, { etag })
        host.instead.splice(0)
        for (const { at, linkIsOver } of breaks)
          host.instead.push((request, response) => {
            const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
            const from = asked !== undefined && request.headers['if-range'] === etag ? Number(asked) : 0
            response.writeHead(from > 0 ? 206 : 200, {
              ...(etag !== null && { etag }),
              ...(statesLength && { 'content-length': size - from }),
              ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${statesLength ? size : '*'}` }),
            })
            const to = Math.max(from, Math.floor(at * (size - 1)))
            // A link is renewed once until bytes arrive.
            if (linkIsOver && to > from) host.instead.unshift((_, next) => void next.writeHead(403).end())
            cut({ request, response }, host.bytes.subarray(from, to))
          })
        const { state, result } = await download(it, {
          ...(publishes && { bytes: size, md5: hashOf('md5', host.bytes) }),
        })
        if ((result?.resumedFrom ?? 0) > 0) resumed++
        const files = Object.entries(taken(it))
        expect([state, result?.sha256, files.map(([, bytes]) => bytes.equals(host.bytes))]).toEqual([
          'done',
          hashOf('sha256', host.bytes),
          [true],
        ])
      },
    ),
    { numRuns: cases(1_000) },
  )
  expect(resumed).toBeGreaterThan(0)
})
