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
    const serve = opened.serve.get(url) ?? { status: 404 }
    if (serve === 'broken') return broken
    const { bytes = Buffer.alloc(0), status = 200, headers = {} } = serve
    const body = async function* (): AsyncIterable<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 65_536) {
        const piece = bytes.subarray(at, at + 65_536)
        opened.read += piece.length
        yield piece
      }
    }
    return { kind: 'answer', status, headers, body: body(), close: () => undefined }
  }
  const opened: Rig = {
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
        names: { lookup: async (name) => opened.lookups.get(name) ?? [], loopbackForTests: false },
        transport: {
          isProxied: async () => false,
          get: async ({ url, headers }, to) => {
            opened.requested.push({ url, headers, to })
            return get(url)
          },
        },
        ownOrigin: 'http://127.0.0.1:4711',
        interfaceName: 'https://metadata.example.com',
        cache,
        named: async () => ({ addresses: opened.addresses, origins: new Set(opened.origins) }),
        counted: (url, attempt) => {
          opened.counted.push(new URL(url).host)
          return attempt()
        },
        changed: () => undefined,
        ...more,
      }),
  }
  return opened
}
const urls = ({ requested }: Rig): readonly string[] => requested.map(({ url }) => url)

describe('pictures of products', () => {
  it('are fetched once from the address they name, without key, cookie or referrer, and stored', async () => {
    const opened = await rig()
    const first = opened.open()
    const picture = await first.get(product)
    await first.get(product)
    const again = await opened.open().list()
    expect([picture, again, opened.requested, opened.counted]).toEqual([
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
    const opened = await rig()
    const pictures = opened.open()
    const [one, other] = await Promise.all([pictures.get(product), pictures.get(product)])
    expect([one, opened.requested.length]).toEqual([other, 1])
  })

  it('from a year ago are shown without a connection', async () => {
    const opened = await rig()
    const picture = await opened.open().get(product)
    opened.serve.set(address, 'broken')
    opened.clock.sleep(365 * day)
    const later = opened.open()
    await later.warm([product], new AbortController().signal)
    expect([await later.get(product), await later.list()]).toEqual([picture, [picture]])
  })

  it('are fetched after a sync when missing or older than 30 days', async () => {
    const opened = await rig()
    const signal = new AbortController().signal
    await opened.open().warm([product, { ...product, productId: 9403 }], signal)
    await opened.open().warm([product], signal)
    opened.clock.sleep(31 * day)
    opened.serve.set(address, { bytes: webp })
    await opened.open().warm([product], signal)
    expect(opened.requested.length).toBe(3)
  })

  it('are requested from the next address when one has none', async () => {
    const opened = await rig()
    opened.addresses = ['https://images.example.com/gone.png', address]
    expect([(await opened.open().get(product)) !== null, urls(opened)]).toEqual([true, opened.addresses])
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
    const opened = await rig()
    opened.serve.set(address, serve)
    const pictures = opened.open()
    const first = await pictures.get(product)
    await opened.clock.advance(day - 60_000)
    const second = await pictures.get(product)
    opened.serve.set(address, { bytes: png })
    await opened.clock.advance(120_000)
    expect([first, second, (await pictures.get(product)) !== null, opened.requested.length]).toEqual([
      null,
      null,
      true,
      2,
    ])
  })

  it('are requested again after ten minutes when no host responds', async () => {
    const opened = await rig()
    opened.serve.set(address, 'broken')
    const pictures = opened.open()
    await pictures.get(product)
    await opened.clock.advance(599_000)
    await pictures.get(product)
    const early = opened.requested.length
    await opened.clock.advance(2_000)
    await pictures.get(product)
    expect([early, opened.requested.length]).toEqual([1, 2])
  })

  it('of more than 5 MB are not read when the host states the size, else no further than that', async () => {
    const opened = await rig()
    const bytes = Buffer.concat([png, Buffer.alloc(20_000_000)])
    opened.serve.set(address, { bytes, headers: { 'content-length': String(bytes.length) } })
    const reported = [await opened.open().get(product), opened.read]
    opened.serve.set(address, { bytes })
    const withoutLength = [await opened.open().get(product), opened.read < 5_100_000]
    expect([reported, withoutLength]).toEqual([
      [null, 0],
      [null, true],
    ])
  })

  it('of a folder owned by another process are shown, and nothing is fetched', async () => {
    const opened = await rig()
    const problem = { kind: 'data-folder', reason: 'read-only', holder: null } as never
    expect([
      await opened.open({ dataFolder: { problem: () => problem } }).get(product),
      opened.requested,
    ]).toEqual([null, []])
  })

  it('in flight stop when it is closed', async () => {
    const opened = await rig()
    let ended = false
    const pictures = opened.open({
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
    await opened.clock.advance(0)
    await pictures.close()
    expect([ended, await requested, await pictures.get(product)]).toEqual([true, null, null])
  })

  it('are stored separately for each interface', async () => {
    const opened = await rig()
    await opened.open().get(product)
    expect(await opened.open({ interfaceName: 'demonstration' }).list()).toEqual([])
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
    const opened = await rig()
    opened.addresses = [refused]
    opened.lookups.set('inside.example.com', ['93.184.215.14', '192.168.0.9'])
    expect([await opened.open().get(product), opened.requested]).toEqual([null, []])
  })

  it('the metadata address of the organization is requested, also on this computer', async () => {
    const opened = await rig()
    opened.addresses = ['http://127.0.0.1:4711/pictures/a.png']
    opened.serve.set('http://127.0.0.1:4711/pictures/a.png', { bytes: gif })
    expect((await opened.open().get(product)) !== null).toBe(true)
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
    const opened = await rig()
    opened.origins = [...opened.origins, ...more]
    opened.lookups.set('cdn.example.com', ['93.184.215.14'])
    opened.serve.set(address, serve)
    opened.serve.set(elsewhere, { bytes: png })
    const picture = await opened.open().get(product)
    expect([picture !== null, urls(opened)]).toEqual([requested.length > 1, requested])
  })

  it.each([
    [3, true],
    [4, false],
  ])('%i redirects within the host: %s', async (redirects, isTaken) => {
    const opened = await rig()
    const at = (step: number): string => (step === 0 ? address : `https://images.example.com/${step}`)
    for (let step = 0; step < redirects; step++) opened.serve.set(at(step), to(at(step + 1)))
    opened.serve.set(at(redirects), { bytes: png })
    expect([(await opened.open().get(product)) !== null, opened.requested.length]).toEqual([isTaken, 4])
  })
})

describe('stored pictures', () => {
  const several = [9395, 9403, 9416].map((productId) => ({ ...product, productId }))
  it.each([
    ['two pictures', { pictures: 2, bytes: 1_000_000 }],
    ['64 MiB', { pictures: 10, bytes: png.length * 2 }],
  ])('of more than %s remove the first that were fetched', async (_, atMost) => {
    const opened = await rig(atMost)
    const pictures = opened.open()
    for (const one of several) {
      await pictures.get(one)
      await opened.clock.advance(1_000)
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
