import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFolders } from '../../../electron/adapters/folders.ts'
import { FolderError, type Folders, type PartFile } from '../../../electron/core/platform.ts'
import { FakeClock } from '../../fake-clock.ts'
import { aFileHost, hashOf } from './a-file-host.ts'
import {
  aTransport,
  bytes,
  cutAfter,
  mebibytes,
  name,
  published,
  result,
  someDownloads,
  stopped,
} from './some-downloads.ts'

/** A file whose host stops after the first 300,000 bytes until it is released. */
const holdFiles = (host: Awaited<ReturnType<typeof aFileHost>>) => {
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

describe('an obstacle to saving', () => {
  test('leaves another file of the same name alone, and reports both hashes', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    writeFileSync(join(it.folder, name), 'mine')
    expect((await it.fetch()).failure).toMatchObject({
      kind: 'file-mismatch',
      what: 'existing',
      expected: result.sha256,
      actual: hashOf('sha256', Buffer.from('mine')),
    })
    expect([readFileSync(join(it.folder, name), 'utf8'), it.names()]).toEqual(['mine', [name]])
  })

  test('refuses a file of an earlier download that the checksum published since then contradicts', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    await it.fetch()
    it.release = { md5: '0a'.repeat(16) }
    expect((await it.fetch()).failure).toMatchObject({
      kind: 'file-mismatch',
      what: 'existing',
      expected: '0a'.repeat(16),
      actual: result.md5,
    })
    expect([host.served.length, it.names()]).toEqual([1, [name]])
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
    host.instead.push(cutAfter(300_000))
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
      kind: 'folder-unusable',
      reason: 'read-only',
      path: it.folder,
    })
    expect(host.served).toEqual([])
  })

  test('sends no request when the published size does not fit', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, { folders: altered(() => ({ free: async () => 699_999 })) })
    it.link = published
    expect((await it.fetch({ folder: it.folder })).failure).toEqual({
      kind: 'folder-unusable',
      reason: 'no-room',
      path: it.folder,
      needed: 700_000,
      free: 699_999,
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
    const { letGo } = holdFiles(host)
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

  test('closes the partial file when there is no room to go on', async () => {
    const host = await aFileHost(bytes)
    const files = { opened: 0, closed: 0 }
    const counted = <Part extends PartFile | null>(part: Part): Part => {
      if (part === null) return part
      files.opened++
      const close = (): Promise<void> => (files.closed++, part.close())
      return Object.assign(Object.create(part) as object, { close }) as Part
    }
    let room = Number.POSITIVE_INFINITY
    const it = await someDownloads(host.origin, {
      folders: altered((folder) => ({
        free: async () => room,
        create: async (file: string) => counted(await folder.create(file)),
        reopen: async (file: string) => counted(await folder.reopen(file)),
      })),
    })
    const { letGo } = holdFiles(host)
    const { id } = await it.start({ folder: it.folder })
    await it.until(id, (one) => one.bytes === 300_000)
    await it.downloads.pause(id)
    letGo()
    await it.until(id, ({ state }) => state === 'paused')
    room = 10
    await it.downloads.resume(id, {})
    expect([(await it.ended(id)).failure, files]).toMatchObject([
      { kind: 'folder-unusable', reason: 'no-room' },
      { opened: 2, closed: 2 },
    ])
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

  test('notices a removed folder while bytes arrive', async () => {
    const it = await someDownloads('http://127.0.0.1:1', {
      fileTransport: aTransport((signal) => ({
        headers: { etag: '"one"' },
        body: (async function* () {
          yield* mebibytes(2, async () => rmSync(drive, { recursive: true }))
          yield* mebibytes(38, () => stopped(signal))
        })(),
      })),
    })
    const drive = join(it.folder, 'drive')
    expect((await it.fetch({ folder: drive })).failure).toMatchObject({
      kind: 'folder-unusable',
      reason: 'missing',
    })
  })

  test('notices a removed part while bytes arrive', async () => {
    let sent = 0
    const it = await someDownloads('http://127.0.0.1:1', {
      fileTransport: aTransport(() => ({
        headers: { etag: '"one"' },
        body: (async function* () {
          for await (const piece of mebibytes(40, async () => undefined)) {
            if (++sent === 2) rmSync(join(it.folder, `${name}.part`))
            yield piece
          }
        })(),
      })),
    })
    const { failure } = await it.fetch({ folder: it.folder })
    expect([failure, sent < 40]).toEqual([
      expect.objectContaining({ kind: 'folder-unusable', reason: 'missing' }),
      true,
    ])
  })

  test('leaves the reserve free when a host never stops sending', async () => {
    const it = await someDownloads('http://127.0.0.1:1', {
      fileTransport: aTransport(() => ({
        headers: {},
        body: mebibytes(Number.POSITIVE_INFINITY, async () => undefined),
      })),
      folders: altered((folder) => ({
        free: async () =>
          Math.max(
            0,
            20_000_000 - (statSync(folder.pathOf(`${name}.part`), { throwIfNoEntry: false })?.size ?? 0),
          ),
      })),
    })
    expect((await it.fetch({ folder: it.folder })).failure).toMatchObject({
      kind: 'folder-unusable',
      reason: 'no-room',
    })
    expect(it.names()).toEqual([])
  })

  test('resumes where only the rest has room', async () => {
    const host = await aFileHost(bytes)
    let free = 700_000
    const it = await someDownloads(host.origin, { folders: altered(() => ({ free: async () => free })) })
    host.instead.push(cutAfter(300_000))
    for (let at = 1; at <= 4; at++) host.instead.push((_, response) => void response.writeHead(503).end())
    const { id } = await it.fetch({ folder: it.folder })
    free = 400_000
    await it.downloads.resume(id, {})
    expect((await it.ended(id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: 300_000 })
  })

  test('runs two downloads to two drives, each with room for one', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin, {
      folders: altered(({ path }) => ({ volume: path, free: async () => 700_000 })),
    })
    const { letGo } = holdFiles(host)
    const first = await it.start({ folder: join(it.folder, 'one') })
    await it.until(first.id, (one) => one.bytes === 300_000)
    expect((await it.fetch({ folder: join(it.folder, 'two') })).state).toBe('done')
    letGo()
    expect((await it.ended(first.id)).state).toBe('done')
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
    const holds = Array.from({ length: 3 }, () => holdFiles(host))
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
    const { letGo } = holdFiles(host)
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
    holdFiles(host)
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
    holdFiles(host)
    const second = await it.start()
    await it.until(second.id, (one) => one.bytes === 300_000)
    expect(await it.downloads.cancel(second.id)).toMatchObject({ state: 'cancelled', bytes: 0 })
    expect(it.names()).toEqual([])
  })

  test('pauses a download that no client waits for, unless another does', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const [client, window] = [{}, {}]
    const holds = [holdFiles(host), holdFiles(host)]
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

  test('pauses all of them when nothing may be changed any more', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    holdFiles(host)
    const { id } = await it.start()
    await it.until(id, (one) => one.bytes === 300_000)
    await it.downloads.pauseAll()
    expect([(await it.downloads.get(id)).state, it.names()]).toEqual(['paused', [`${name}.part`]])
  })

  test('continues a download that is kept after its client left', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    const client = {}
    const { letGo } = holdFiles(host)
    const { id } = await it.downloads.start('org', query('1'), 'client', client)
    await it.downloads.keep(id)
    await it.downloads.leave(client)
    expect((await it.downloads.get(id)).state).toBe('running')
    letGo()
    await it.ended(id)
  })

  test('keeps no download that there never was', async () => {
    const it = await someDownloads((await aFileHost(bytes)).origin)
    await expect(it.downloads.keep('another')).rejects.toMatchObject({ failure: { kind: 'not-found' } })
  })

  test('has no speed when bytes stop arriving', async () => {
    const clock = new FakeClock()
    const [first, second, more] = [0, 1, 2].map(() => Promise.withResolvers<undefined>())
    const it = await someDownloads('http://127.0.0.1:1', {
      clock,
      fileTransport: aTransport((signal) => ({
        headers: { etag: '"one"', 'content-length': '4194304' },
        body: (async function* () {
          yield* mebibytes(1, async () => first?.resolve(undefined))
          await more?.promise
          yield* mebibytes(1, async () => second?.resolve(undefined))
          await stopped(signal)
        })(),
      })),
    })
    const { id } = await it.start()
    await first?.promise
    await clock.advance(1_000)
    more?.resolve(undefined)
    await second?.promise
    expect(await it.downloads.get(id)).toMatchObject({ rate: 2_097_152, secondsLeft: 1 })
    await clock.advance(5_000)
    expect(await it.downloads.get(id)).toMatchObject({ bytes: 2_097_152, rate: null, secondsLeft: null })
    await it.downloads.cancel(id)
  })

  test('passes running downloads to the next owner when the owner closes', async () => {
    const host = await aFileHost(bytes)
    const it = await someDownloads(host.origin)
    holdFiles(host)
    const { id } = await it.start()
    await it.until(id, (one) => one.bytes === 300_000)
    await it.downloads.close()
    const next = it.another()
    expect((await next.downloads.get(id)).state).toBe('queued')
    await next.downloads.resumeAll({})
    expect((await next.ended(id)).result).toMatchObject({ sha256: result.sha256, resumedFrom: 300_000 })
  })

  const query = (version: string) => ({
    vendorId: 2830,
    productId: 9416,
    version,
    buildType: null,
    folder: null,
    acceptChanged: null,
    acceptRevoked: false,
  })
})
