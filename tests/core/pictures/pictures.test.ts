import { describe, expect, it } from 'vitest'
import type { FileResponse, WireFault } from '../../../electron/core/platform.ts'
import { openCachedPictures } from '../../../electron/core/pictures/cached-pictures.ts'
import { openPictures, type Pictures, type PicturesDeps } from '../../../electron/core/pictures/pictures.ts'
import { openStore } from '../../../electron/core/storage/store.ts'
import { FakeClock } from '../../fake-clock.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { gif, jpeg, png, webp } from './some-pictures.ts'

const product = { vendorId: 2830, productId: 9395 }
const address = 'https://images.example.com/a-thumbnail.png'
const day = 86_400_000

type Serve =
  | { readonly bytes?: Buffer; readonly status?: number; readonly headers?: Record<string, string> }
  | 'broken'

interface Rig {
  readonly clock: FakeClock
  readonly requested: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly to: string | null
  }[]
  readonly counted: string[]
  /** The number of bytes read from responses. */
  read: number
  readonly serve: Map<string, Serve>
  readonly lookups: Map<string, readonly string[]>
  addresses: readonly string[]
  origins: readonly string[]
  open(more?: Partial<PicturesDeps>): Pictures
}

/** Pictures from a host whose responses the test specifies. `another`: a product with the same address. */
async function rig(atMost?: Parameters<typeof openCachedPictures>[1]): Promise<Rig> {
  const clock = new FakeClock()
  const { database } = await openStore({ clock, databases: memoryDatabases() }, [])
  const cache = openCachedPictures(database, atMost)
  const broken: WireFault = { kind: 'fault', sent: 'no', reason: 'offline', message: 'ENOTFOUND' }
  const get = (url: string): FileResponse | WireFault => {
    const serve = it.serve.get(url) ?? { status: 404 }
    if (serve === 'broken') return broken
    const { bytes = Buffer.alloc(0), status = 200, headers = {} } = serve
    const body = async function* (): AsyncIterable<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 65_536) {
        const piece = bytes.subarray(at, at + 65_536)
        it.read += piece.length
        yield piece
      }
    }
    return { kind: 'answer', status, headers, body: body(), close: () => undefined }
  }
  const it: Rig = {
    clock,
    requested: [],
    counted: [],
    read: 0,
    serve: new Map([[address, { bytes: png }]]),
    lookups: new Map([['images.example.com', ['93.184.215.14']]]),
    addresses: [address],
    origins: ['https://images.example.com'],
    open: (more = {}) =>
      openPictures({
        clock,
        log: { write: () => undefined },
        dataFolder: { problem: () => null },
        names: { lookup: async (name) => it.lookups.get(name) ?? [], loopbackForTests: false },
        transport: {
          isProxied: async () => false,
          get: async ({ url, headers }, to) => {
            it.requested.push({ url, headers, to })
            return get(url)
          },
        },
        ownOrigin: 'http://127.0.0.1:4711',
        interfaceName: 'https://metadata.example.com',
        cache,
        named: async () => ({ addresses: it.addresses, origins: new Set(it.origins) }),
        counted: (url, attempt) => {
          it.counted.push(new URL(url).host)
          return attempt()
        },
        changed: () => undefined,
        ...more,
      }),
  }
  return it
}
const urls = ({ requested }: Rig): readonly string[] => requested.map(({ url }) => url)

describe('pictures of products', () => {
  it('are fetched once from the address they name, without key, cookie or referrer, and stored', async () => {
    const it = await rig()
    const first = it.open()
    const picture = await first.get(product)
    await first.get(product)
    const again = await it.open().list()
    expect([picture, again, it.requested, it.counted]).toEqual([
      { ...product, id: expect.stringMatching(/^[0-9a-f]{64}$/) as string, width: 224, height: 224 },
      [picture],
      [
        {
          url: address,
          headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Headroom' },
          to: '93.184.215.14',
        },
      ],
      ['images.example.com'],
    ])
  })

  it('are fetched once for two simultaneous requests', async () => {
    const it = await rig()
    const pictures = it.open()
    const [one, other] = await Promise.all([pictures.get(product), pictures.get(product)])
    expect([one, it.requested.length]).toEqual([other, 1])
  })

  it('from a year ago are shown without a connection', async () => {
    const it = await rig()
    const picture = await it.open().get(product)
    it.serve.set(address, 'broken')
    it.clock.sleep(365 * day)
    const later = it.open()
    await later.warm([product], new AbortController().signal)
    expect([await later.get(product), await later.list()]).toEqual([picture, [picture]])
  })

  it('are fetched after a sync when missing or older than 30 days', async () => {
    const it = await rig()
    const signal = new AbortController().signal
    await it.open().warm([product, { ...product, productId: 9403 }], signal)
    await it.open().warm([product], signal)
    it.clock.sleep(31 * day)
    it.serve.set(address, { bytes: webp })
    await it.open().warm([product], signal)
    expect(it.requested.length).toBe(3)
  })

  it('are requested from the next address when one has none', async () => {
    const it = await rig()
    it.addresses = ['https://images.example.com/gone.png', address]
    expect([(await it.open().get(product)) !== null, urls(it)]).toEqual([true, it.addresses])
  })

  it.each<[string, Serve]>([
    ['a page', { bytes: Buffer.from('<!doctype html>'), headers: { 'content-type': 'image/png' } }],
    [
      'a drawing with a script',
      { bytes: Buffer.from('<svg><script/></svg>'), headers: { 'content-type': 'image/svg+xml' } },
    ],
    ['not found', { status: 404 }],
    ['half of a file', { bytes: jpeg.subarray(0, 900) }],
    ['an empty response', { bytes: Buffer.alloc(0) }],
    ['a part of a file', { bytes: png, status: 206 }],
  ])('%s is no picture, and is not requested again on that day', async (_, serve) => {
    const it = await rig()
    it.serve.set(address, serve)
    const pictures = it.open()
    const first = await pictures.get(product)
    await it.clock.advance(day - 60_000)
    const second = await pictures.get(product)
    it.serve.set(address, { bytes: png })
    await it.clock.advance(120_000)
    expect([first, second, (await pictures.get(product)) !== null, it.requested.length]).toEqual([
      null,
      null,
      true,
      2,
    ])
  })

  it('are requested again after ten minutes when no host responds', async () => {
    const it = await rig()
    it.serve.set(address, 'broken')
    const pictures = it.open()
    await pictures.get(product)
    await it.clock.advance(599_000)
    await pictures.get(product)
    const early = it.requested.length
    await it.clock.advance(2_000)
    await pictures.get(product)
    expect([early, it.requested.length]).toEqual([1, 2])
  })

  it('of more than 5 MB are not read when the host states the size, else no further than that', async () => {
    const it = await rig()
    const bytes = Buffer.concat([png, Buffer.alloc(20_000_000)])
    it.serve.set(address, { bytes, headers: { 'content-length': String(bytes.length) } })
    const reported = [await it.open().get(product), it.read]
    it.serve.set(address, { bytes })
    const withoutLength = [await it.open().get(product), it.read < 5_100_000]
    expect([reported, withoutLength]).toEqual([
      [null, 0],
      [null, true],
    ])
  })

  it('of a folder owned by another process are shown, and nothing is fetched', async () => {
    const it = await rig()
    const problem = { kind: 'data-folder', reason: 'read-only', holder: null } as never
    expect([await it.open({ dataFolder: { problem: () => problem } }).get(product), it.requested]).toEqual([
      null,
      [],
    ])
  })

  it('in flight stop when it is closed', async () => {
    const it = await rig()
    let ended = false
    const pictures = it.open({
      transport: {
        isProxied: async () => false,
        get: ({ signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              ended = true
              resolve({ kind: 'fault', sent: 'maybe', reason: 'aborted', message: 'stopped' })
            }),
          ),
      },
    })
    const requested = pictures.get(product)
    await it.clock.advance(0)
    await pictures.close()
    expect([ended, await requested, await pictures.get(product)]).toEqual([true, null, null])
  })

  it('are stored separately for each interface', async () => {
    const it = await rig()
    await it.open().get(product)
    expect(await it.open({ interfaceName: 'demonstration' }).list()).toEqual([])
  })
})

describe('allowed addresses of pictures', () => {
  const elsewhere = 'https://cdn.example.com/a.png'
  const to = (location: string): Serve => ({ status: 302, headers: { location } })

  it.each<[string, string]>([
    ['http', 'http://images.example.com/a.png'],
    ['a private address', 'https://10.0.0.7/a.png'],
    ['this computer', 'https://localhost/a.png'],
    ['another port of this computer', 'http://127.0.0.1:4712/a.png'],
    ['a name of a private address', 'https://inside.example.com/a.png'],
    ['an address with a password', 'https://user:secret@images.example.com/a.png'],
  ])('%s is not requested', async (_, refused) => {
    const it = await rig()
    it.addresses = [refused]
    it.lookups.set('inside.example.com', ['93.184.215.14', '192.168.0.9'])
    expect([await it.open().get(product), it.requested]).toEqual([null, []])
  })

  it('the metadata address of the organization is requested, also on this computer', async () => {
    const it = await rig()
    it.addresses = ['http://127.0.0.1:4711/pictures/a.png']
    it.serve.set('http://127.0.0.1:4711/pictures/a.png', { bytes: gif })
    expect((await it.open().get(product)) !== null).toBe(true)
  })

  it.each<[string, readonly string[], Serve, readonly string[]]>([
    [
      'another host that the document names',
      ['https://cdn.example.com'],
      to(elsewhere),
      [address, elsewhere],
    ],
    ['a host that it does not name', [], to(elsewhere), [address]],
    ['http of the same host', [], to('http://images.example.com/a.png'), [address]],
    ['another port of the same host', [], to('https://images.example.com:8443/a.png'), [address]],
    ['an invalid address', [], to('https://'), [address]],
  ])('a redirect to %s', async (_, more, serve, requested) => {
    const it = await rig()
    it.origins = [...it.origins, ...more]
    it.lookups.set('cdn.example.com', ['93.184.215.14'])
    it.serve.set(address, serve)
    it.serve.set(elsewhere, { bytes: png })
    const picture = await it.open().get(product)
    expect([picture !== null, urls(it)]).toEqual([requested.length > 1, requested])
  })

  it.each([
    [3, true],
    [4, false],
  ])('%i redirects within the host: %s', async (redirects, isTaken) => {
    const it = await rig()
    const at = (step: number): string => (step === 0 ? address : `https://images.example.com/${step}`)
    for (let step = 0; step < redirects; step++) it.serve.set(at(step), to(at(step + 1)))
    it.serve.set(at(redirects), { bytes: png })
    expect([(await it.open().get(product)) !== null, it.requested.length]).toEqual([isTaken, 4])
  })
})

describe('stored pictures', () => {
  const several = [9395, 9403, 9416].map((productId) => ({ ...product, productId }))
  it.each([
    ['two pictures', { pictures: 2, bytes: 1_000_000 }],
    ['64 MiB', { pictures: 10, bytes: png.length * 2 }],
  ])('of more than %s remove the first that were fetched', async (_, atMost) => {
    const it = await rig(atMost)
    const pictures = it.open()
    for (const one of several) {
      await pictures.get(one)
      await it.clock.advance(1_000)
    }
    expect((await pictures.list()).map(({ productId }) => productId)).toEqual([9403, 9416])
  })

  it('are found by their id as received', async () => {
    const { database } = await openStore({ clock: new FakeClock(), databases: memoryDatabases() }, [])
    const cache = openCachedPictures(database)
    const picture = { ...product, id: 'ab', width: 224, height: 224, fetchedAt: 1 }
    await cache.keep('x', picture, { type: 'image/webp', width: 224, height: 224 }, webp)
    const file = await cache.file('ab')
    expect([file?.type, Buffer.from(file?.bytes ?? []).equals(webp), await cache.file('cd')]).toEqual([
      'image/webp',
      true,
      null,
    ])
  })
})
