import { describe, expect, it, vi } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { settle } from '../../fake-clock.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'

const variant = (productId: number, variantType: string, name: string | null = null, vendorId = 2830) => ({
  vendorId,
  productId,
  variantType,
  name,
})
const catalogue = {
  bundles: [
    {
      products: [
        {
          productName: 'Jabra PanaCast 50',
          deviceType: 'Video',
          variants: [variant(12306, '12-01')],
          firmwareReleases: [{ version: '6.5.0' }],
        },
      ],
    },
  ],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve2 65 Mono',
      productGroupName: 'Jabra Evolve2 65',
      deviceType: 'OnEar',
      variants: [variant(9395, '01-64', 'Evolve2 65 Mono MS')],
    },
    {
      productName: 'Jabra Evolve2 65',
      productGroupName: 'Jabra Evolve2 65',
      variants: [variant(9379, '01-65')],
      firmwareReleases: [{ version: '2.9.2' }],
    },
    {
      productName: 'Jabra Link 380a',
      variants: [variant(9416, '04-0B'), variant(9415, '04-0B')],
      firmwareReleases: [{ version: '1.16.0' }, { version: '1.9.0' }],
    },
    { productName: 'Jabra Link 380c', variants: [variant(9416, '04-0C')] },
    { productName: 'Speak 710', variants: [variant(0x2475, '08-01')] },
    { productName: 'Partner headset', variants: [variant(9395, '', null, 1130)] },
  ],
}
const releases: Json = [
  { version: '2.9.2' },
  { version: '2.10.0', buildTypes: ['Release', 'Candidate'] },
  { version: '2.11.0', revoked: true },
]
const linkPath = '/vendors/2830/products/9395/firmware-versions/2.10.0/build-types/Release/downloadLink'
const link = {
  downloadUrl: 'https://firmware.example.com/Jabra_EVOLVE2%2065.zip?sig=1',
  buildType: 'Release',
}

function rig(counts: readonly (readonly [number, number])[] = []) {
  const metadata = metadataRig()
  metadata.service
    .set('/product-group-bundles/bundles', catalogue)
    .set('/vendors/2830/products/9395/firmware-releases', releases)
    .set(linkPath, link)
  const start = () =>
    openFirmware({
      clock: metadata.clock,
      metadata: metadata.start(),
      deviceCounts: async () => new Map(counts),
      vendorId: 2830,
      assumedBuildTypes: ['Release', 'Test', 'Debug'],
    })
  return { ...metadata, firmware: start(), restart: start }
}
const all = { text: '', owned: false, start: 0, count: 50 }

describe('products', () => {
  it.each<[string, readonly string[]]>([
    ['9395', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['0x24B3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['24b3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['VID_0B0E&PID_24B3', ['Jabra Evolve2 65 Mono 2830']],
    ['USB\\VID_0B0E&PID_24B3&MI_03\\7&1A', ['Jabra Evolve2 65 Mono 2830']],
    ['pid_24b3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['0b0e:24b3', ['Jabra Evolve2 65 Mono 2830']],
    ['2830/9395', ['Jabra Evolve2 65 Mono 2830']],
    ['2475', ['Speak 710 2830']],
    ['01-64', ['Jabra Evolve2 65 Mono 2830']],
    ['04-0b', ['Jabra Link 380a 2830', 'Jabra Link 380a / Jabra Link 380c 2830']],
    ['evolve 65', ['Jabra Evolve2 65 2830', 'Jabra Evolve2 65 Mono 2830']],
    ['  LINK  380c ', ['Jabra Link 380a / Jabra Link 380c 2830']],
    ['video', ['Jabra PanaCast 50 2830']],
    ['nothing like it', []],
    ['%_', []],
  ])('finds %s', async (text, expected) => {
    const page = await rig().firmware.products({ ...all, text })
    expect([page.rows.map((row) => `${row.name} ${row.vendorId}`), page.total]).toEqual([
      expected,
      expected.length,
    ])
  })

  it('finds by the name of a bundle, and by the entity id of a product missing from the catalogue', async () => {
    const entityId = '3f1c2a90-5b7d-4e21-8c3a-0123456789ab'
    const { firmware, service } = rig([[4711, 2]])
    service
      .set('/vendors/products/firmware-bundles', [
        { name: 'Room kit', firmwares: [{ vendorId: 2830, productId: 9379, version: '2.9.2' }] },
      ])
      .set(`/product-group-bundles/vendors/products/variants/${entityId}`, {
        productName: 'Jabra Unlisted',
        entityId,
        variants: [variant(4711, '09-01')],
      })
    const found = async (text: string, owned = false) =>
      (await firmware.products({ ...all, text, owned })).rows.map(({ name, deviceCount }) => [
        name,
        deviceCount,
      ])
    expect([await found('room kit'), await found('room kit', true), await found(entityId)]).toEqual([
      [['Jabra Evolve2 65', 0]],
      [],
      [['Jabra Unlisted', 2]],
    ])
  })

  it('lists a product id once, with every variant and the names that share it (A7)', async () => {
    const { firmware, clock } = rig([[9416, 3]])
    expect(await firmware.products({ ...all, text: '9416' })).toEqual({
      rows: [
        {
          vendorId: 2830,
          productId: 9416,
          name: 'Jabra Link 380a / Jabra Link 380c',
          groupName: null,
          deviceType: null,
          supportedProtocols: [],
          variants: [variant(9416, '04-0B', 'Jabra Link 380a'), variant(9416, '04-0C', 'Jabra Link 380c')],
          latestVersion: '1.16.0',
          deviceCount: 3,
        },
      ],
      total: 1,
      unreadable: { count: 0, records: [] },
      observedAt: clock.now(),
      fromCache: false,
    })
  })

  it('lists the products of the fleet, including those not in the catalogue', async () => {
    const { firmware } = rig([
      [9395, 7],
      [777, 1],
      [9379, 0],
    ])
    const page = await firmware.products({ ...all, owned: true })
    expect(
      page.rows.map((row) => `${row.vendorId}/${row.productId} ${row.name}: ${row.deviceCount}`),
    ).toEqual(['2830/9395 Jabra Evolve2 65 Mono: 7', '2830/777 2830/777: 1'])
  })

  it('returns one slice of many', async () => {
    const page = await rig().firmware.products({ ...all, start: 1, count: 2 })
    expect([page.rows.map((row) => row.name), page.total]).toEqual([
      ['Jabra Evolve2 65 Mono', 'Jabra Link 380a'],
      7,
    ])
  })

  it('shows the latest version more accurately once the releases were read', async () => {
    const { firmware } = rig()
    const latest = async () => (await firmware.products({ ...all, text: '2830/9395' })).rows[0]?.latestVersion
    const before = await latest()
    await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect([before, await latest()]).toEqual([null, '2.10.0'])
  })
})

describe('releases', () => {
  it('are listed newest first with the product', async () => {
    const { firmware, clock } = rig()
    const list = await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect(list.releases.map((one) => [one.version, one.latest, one.revoked])).toEqual([
      ['2.11.0', false, true],
      ['2.10.0', true, false],
      ['2.9.2', false, false],
    ])
    expect([list.product.name, list.product.latestVersion, list.observedAt, list.fromCache]).toEqual([
      'Jabra Evolve2 65 Mono',
      '2.10.0',
      clock.now(),
      false,
    ])
  })

  it.each<[string, Json | null]>([
    ['not published', null],
    ['an empty list', []],
  ])('are those of the catalogue when the response for the product is %s', async (_, json) => {
    const { firmware, service } = rig()
    if (json !== null) service.set('/vendors/2830/products/9416/firmware-releases', json)
    const list = await firmware.releases({ vendorId: 2830, productId: 9416 })
    expect(list.releases.map((one) => one.version)).toEqual(['1.16.0', '1.9.0'])
  })

  it('are reported as not published when nothing names any', async () => {
    expect(await failureOf(rig().firmware.releases({ vendorId: 2830, productId: 4711 }))).toEqual({
      kind: 'not-found',
      call: { operation: 'GetFirmwareReleasesByProductId', host: 'metadata.example.com' },
      what: 'firmware releases of 2830/4711',
    })
  })

  const bundles: Json = [
    { name: 'Other', firmwares: [{ vendorId: 1130, productId: 4711, version: '1.0.0' }] },
    { name: 'Terse', products: { bar: { productId: '4711' } } },
  ]
  const inBundles = [{ bundle: 'Terse', bundleVersion: null, firmware: null }]
  it.each<[string, Json | null]>([
    ['not published', null],
    ['an empty list', []],
  ])('that are %s name the bundles without a version, in lists and as the latest', async (_, json) => {
    const { firmware, service } = rig()
    const id = { vendorId: 2830, productId: 4711 }
    service.set('/vendors/products/firmware-bundles', bundles)
    if (json !== null) service.set('/vendors/2830/products/4711/firmware-releases', json)
    const reported = { kind: 'not-found', call: null, what: 'firmware releases of 2830/4711', inBundles }
    const latest = { ...id, version: 'latest', buildType: null, refresh: false }
    expect([
      await failureOf(firmware.releases(id)),
      await failureOf(firmware.link(latest)),
      await firmware.compliance({ productId: 4711, firmwareVersion: '6.5.0' }),
    ]).toEqual([reported, reported, { kind: 'unknown', why: 'not-published' }])
  })

  it('are read without a catalogue too', async () => {
    const { firmware, service } = rig()
    service.documents.delete('/product-group-bundles/bundles')
    const list = await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect([list.product.name, list.releases.length]).toEqual(['2830/9395', 3])
  })

  it('report a response without a list as an error with its place', async () => {
    const { firmware, service } = rig()
    service.set('/vendors/2830/products/9395/firmware-releases', { message: 'oops' })
    expect(await failureOf(firmware.releases({ vendorId: 2830, productId: 9395 }))).toMatchObject({
      kind: 'unreadable-answer',
      call: { operation: 'GetFirmwareReleasesByProductId', host: 'metadata.example.com' },
    })
  })
})

describe('download link', () => {
  const query = { vendorId: 2830, productId: 9395, version: '2.10.0', buildType: 'Release', refresh: false }

  it('is returned exactly as received', async () => {
    const { firmware, clock } = rig()
    expect(await firmware.link(query)).toEqual({
      version: '2.10.0',
      buildType: 'Release',
      bundle: null,
      url: link.downloadUrl,
      host: 'firmware.example.com',
      refused: null,
      expiresAt: null,
      bytes: null,
      md5: null,
      raw: link,
      observedAt: clock.now(),
      fromCache: false,
    })
  })

  it('encodes typed text exactly once', async () => {
    const { firmware, service } = rig()
    await failureOf(firmware.link({ ...query, version: '1.0 rc/1', buildType: 'Re%20lease' }))
    expect(service.requests[0]?.path).toBe(
      '/models/v/18/vendors/2830/products/9395/firmware-versions/1.0%20rc%2F1/build-types/Re%2520lease/downloadLink.json',
    )
  })

  it('of another build type is not published', async () => {
    expect(await failureOf(rig().firmware.link({ ...query, buildType: 'Debug' }))).toMatchObject({
      kind: 'not-found',
      what: 'a Debug download link of 2830/9395 2.10.0',
    })
  })

  it('that is not https is shown but cannot be opened', async () => {
    const { firmware, service } = rig()
    const record = { url: 'http://firmware.example.com/x' }
    service.set(linkPath, record)
    expect(await firmware.link(query)).toMatchObject({
      url: null,
      host: null,
      refused: record.url,
      raw: record,
    })
  })

  it('is requested again on refresh', async () => {
    const { firmware, service } = rig()
    await firmware.link(query)
    service.set(linkPath, { url: 'https://new.example.com/x' })
    expect([
      (await firmware.link(query)).url,
      (await firmware.link({ ...query, refresh: true })).url,
    ]).toEqual([link.downloadUrl, 'https://new.example.com/x'])
  })

  it('that has expired is requested again automatically; without the service the cached one is shown with its expiry', async () => {
    const { firmware, service, clock } = rig()
    const expiresAt = clock.now() + 60_000
    service.set(linkPath, { url: 'https://a.example/old', expiresIn: 60 })
    await firmware.link(query)
    await clock.advance(59_999)
    expect([(await firmware.link(query)).url, service.asked('downloadLink')]).toEqual([
      'https://a.example/old',
      1,
    ])
    await clock.advance(1)
    service.offline = true
    expect(await firmware.link(query)).toMatchObject({
      url: 'https://a.example/old',
      expiresAt,
      fromCache: true,
    })
    service.offline = false
    service.set(linkPath, { url: 'https://a.example/new', expiresIn: 60 })
    expect(await firmware.link(query)).toMatchObject({
      url: 'https://a.example/new',
      expiresAt: expiresAt + 60_000,
      fromCache: false,
    })
  })
})

describe('build types', () => {
  it('are assumed until a response contains them', async () => {
    const { firmware, service } = rig()
    const before = await firmware.buildTypes()
    await firmware.releases({ vendorId: 2830, productId: 9395 })
    service.set(linkPath.replace('Release', 'Beta'), { url: 'https://a.example/b' })
    await firmware.link({
      vendorId: 2830,
      productId: 9395,
      version: '2.10.0',
      buildType: 'Beta',
      refresh: false,
    })
    expect([before, await firmware.buildTypes()]).toEqual([
      ['Release', 'Test', 'Debug'].map((name) => ({ name, source: 'assumed' })),
      [
        { name: 'Release', source: 'seen' },
        { name: 'Test', source: 'assumed' },
        { name: 'Debug', source: 'assumed' },
        { name: 'Beta', source: 'seen' },
        { name: 'Candidate', source: 'seen' },
      ],
    ])
  })

  it('are those of the profile, in its order, then those in responses', async () => {
    const { clock, start } = rig()
    const firmware = openFirmware({
      clock,
      metadata: start(),
      deviceCounts: async () => new Map(),
      vendorId: 2830,
      assumedBuildTypes: ['Candidate', 'Nightly'],
    })
    await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect(await firmware.buildTypes()).toEqual([
      { name: 'Candidate', source: 'seen' },
      { name: 'Nightly', source: 'assumed' },
      { name: 'Release', source: 'seen' },
    ])
  })
})

describe('many products by their ids', () => {
  it('are returned after a single count of the devices', async () => {
    const { clock, start } = rig()
    const deviceCounts = vi.fn(async () => new Map([[9395, 3]]))
    const firmware = openFirmware({
      ...{ clock, metadata: start(), deviceCounts, vendorId: 2830, assumedBuildTypes: ['Release'] },
    })
    const product = await firmware.byIds()
    const reported = await Promise.all(
      [9395, 9379, 4711].map((productId) => product({ vendorId: 2830, productId })),
    )
    expect([
      reported.map(({ name, deviceCount }) => [name, deviceCount]),
      deviceCounts.mock.calls.length,
    ]).toEqual([
      [
        ['Jabra Evolve2 65 Mono', 3],
        ['Jabra Evolve2 65', 0],
        ['2830/4711', 0],
      ],
      1,
    ])
  })
})

describe('the firmware status of a device', () => {
  it.each<[string, { productId: number | null; firmwareVersion: string | null }, unknown]>([
    ['behind', { productId: 9395, firmwareVersion: '2.9.2' }, { kind: 'behind', latest: '2.10.0', by: 1 }],
    ['current', { productId: 9395, firmwareVersion: '2.10.0' }, { kind: 'current', latest: '2.10.0' }],
    ['no product id', { productId: null, firmwareVersion: '2.9.2' }, { kind: 'unknown', why: 'no-product' }],
    ['no version', { productId: 9395, firmwareVersion: null }, { kind: 'unknown', why: 'no-version' }],
    [
      'a version that is none',
      { productId: 9395, firmwareVersion: 'n/a' },
      { kind: 'unknown', why: 'not-a-version' },
    ],
    [
      'nothing published',
      { productId: 4711, firmwareVersion: '1.0.0' },
      { kind: 'unknown', why: 'not-published' },
    ],
  ])('%s', async (_, device, expected) => {
    expect(await rig().firmware.compliance(device)).toEqual(expected)
  })

  it('is unknown, not wrong, without a network', async () => {
    const { firmware, service } = rig()
    service.offline = true
    expect(await firmware.compliance({ productId: 9395, firmwareVersion: '2.9.2' })).toEqual({
      kind: 'unknown',
      why: 'offline',
    })
  })
})

describe('finding a product on the command line', () => {
  it.each([
    ['2830/9395', '2830/9395'],
    ['0x0B0E/0x24B3', '2830/9395'],
    ['1130/9395', '1130/9395'],
    ['9379', '2830/9379'],
    ['0x24C8', '2830/9416'],
    ['jabra evolve2 65', '2830/9379'],
    ['Evolve2 65 Mono', '2830/9395'],
    ['panacast', '2830/12306'],
    ['link 380c', '2830/9416'],
    ['2830/4711', '2830/4711'],
  ])('%s is %s', async (text, expected) => {
    const product = await rig().firmware.find(text)
    expect(`${product.vendorId}/${product.productId}`).toBe(expected)
  })

  it('lists the candidates for an ambiguous name', async () => {
    expect(await failureOf(rig().firmware.find('link'))).toEqual({
      kind: 'invalid',
      field: 'product',
      message: 'link may be Jabra Link 380a (2830/9415) or Jabra Link 380a / Jabra Link 380c (2830/9416)',
    })
  })

  it('reports that there is none', async () => {
    expect(await failureOf(rig().firmware.find('toaster'))).toEqual({
      kind: 'not-found',
      call: null,
      what: 'a product called toaster',
    })
  })

  it('accepts an id without a network', async () => {
    const { firmware, service } = rig()
    service.offline = true
    expect((await firmware.find('2830/9395')).name).toBe('2830/9395')
    expect((await failureOf(firmware.find('evolve'))).kind).toBe('offline')
  })
})

describe('without a network', () => {
  it('returns everything looked up before after a restart, with its age', async () => {
    const { firmware, restart, service, clock } = rig([[9395, 1]])
    const observedAt = clock.now()
    expect(await firmware.warm({})).toEqual({ warmed: 1, notPublished: 0, left: 0 })
    expect(new Set(service.requests.map((request) => request.lane))).toEqual(new Set(['bulk']))
    service.offline = true
    await clock.advance(30 * 24 * 3_600_000)
    const later = restart()
    const id = { vendorId: 2830, productId: 9395 }
    const kept = { observedAt, fromCache: true }
    expect(await later.products({ ...all, text: 'mono' })).toMatchObject({ total: 1, ...kept })
    expect(await later.releases(id)).toMatchObject({ ...kept, product: { name: 'Jabra Evolve2 65 Mono' } })
    expect(await later.link({ ...id, version: '2.10.0', buildType: 'Release', refresh: true })).toMatchObject(
      { url: link.downloadUrl, ...kept },
    )
    expect(await later.compliance({ productId: 9395, firmwareVersion: '2.9.2' })).toEqual({
      kind: 'behind',
      latest: '2.10.0',
      by: 1,
    })
  })

  it('reports which call could not be made for anything else', async () => {
    const { firmware, service } = rig()
    service.offline = true
    expect(
      await failureOf(
        firmware.link({
          vendorId: 2830,
          productId: 9395,
          version: '2.10.0',
          buildType: 'Release',
          refresh: false,
        }),
      ),
    ).toEqual({
      kind: 'offline',
      call: { operation: 'GetFirmwareDownloadLinkByProduct', host: 'metadata.example.com' },
      message: 'no network',
    })
  })

  it('lists releases of the catalogue for products never opened', async () => {
    const { firmware, service } = rig()
    await firmware.products(all)
    service.offline = true
    expect(await firmware.compliance({ productId: 9416, firmwareVersion: '1.9.0' })).toEqual({
      kind: 'behind',
      latest: '1.16.0',
      by: 1,
    })
  })
})

describe('prefetching', () => {
  const fleet = [
    [9395, 1],
    [4711, 2],
    [9379, 1],
  ] as const

  it('counts what is not published, and continues after one unreadable response', async () => {
    const { firmware, service } = rig(fleet)
    service.set('/vendors/2830/products/9379/firmware-releases', 'nonsense')
    expect(await firmware.warm({})).toEqual({ warmed: 1, notPublished: 1, left: 1 })
  })

  it('stops when the service is unreachable', async () => {
    const { firmware, service } = rig([1, 2, 3, 4, 5, 6].map((id) => [id, 1] as const))
    service.offline = true
    expect(await firmware.warm({})).toEqual({ warmed: 0, notPublished: 0, left: 6 })
    expect(service.asked('firmware-releases')).toBeLessThanOrEqual(2)
  })

  it('can be cancelled', async () => {
    const { firmware, service } = rig(fleet)
    service.documents.set('/vendors/2830/products/9395/firmware-releases', () => new Promise(() => undefined))
    const ending = new AbortController()
    const report = firmware.warm({ products: [{ vendorId: 2830, productId: 9395 }], signal: ending.signal })
    await settle(50)
    ending.abort()
    expect(await report).toEqual({ warmed: 0, notPublished: 0, left: 1 })
  })
})
