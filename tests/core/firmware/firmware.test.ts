import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import { fetchUpdateRule, openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { settle } from '../../fake-clock.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { all, link, linkPath, rig, variant } from './firmware-rig.ts'

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

  const other = { version: '98.0.0', stage: 'Public' }
  it.each<[string, Json]>([
    ['another product', { ...other, productId: 9999 }],
    ['another product, deeper', { ...other, product: { productId: 9999 } }],
    ['other products', { ...other, productIds: ['9999', '0x1234'] }],
    ['another vendor', { ...other, vendorId: 1130 }],
    ['another variant', { ...other, variantType: '99-99' }],
  ])('of %s are left out and shown', async (_, record) => {
    const { firmware, service } = rig()
    service.set('/vendors/2830/products/9395/firmware-releases', [record, { version: '2.10.0' }])
    const list = await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect([list.releases.map(({ version, latest }) => [version, latest]), list.unreadable]).toEqual([
      [['2.10.0', true]],
      { count: 1, records: [record] },
    ])
  })

  it.each<[string, Json]>([
    ['its ids', { ...other, vendorId: 2830, productId: 9395, variantType: '01-64' }],
    ['its id in hexadecimal', { ...other, productId: '0x24B3' }],
    ['its id among others', { ...other, productIds: [9999, 9395] }],
    [
      'its variant among others',
      { ...other, variants: [{ variantType: '99-99' }, { variantType: '01-64' }] },
    ],
    ['an id that is not one', { ...other, productId: 'Evolve2' }],
  ])('that name %s are its own', async (_, record) => {
    const { firmware, service } = rig()
    service.set('/vendors/2830/products/9395/firmware-releases', [record])
    expect((await firmware.releases({ vendorId: 2830, productId: 9395 })).product.latestVersion).toBe(
      '98.0.0',
    )
  })

  it('of the catalogue may name one of several ids', async () => {
    const { firmware, service } = rig()
    service.set('/product-group-bundles/bundles', {
      products: [
        {
          productName: 'Jabra Link 380a',
          variants: [variant(9416, '04-0B'), variant(9415, '04-0B')],
          firmwareReleases: [
            { ...other, productId: 9415 },
            { ...other, productId: 9999, version: '99.0.0' },
          ],
        },
      ],
    })
    const latest = async (productId: number) =>
      (await firmware.product({ vendorId: 2830, productId })).latestVersion
    expect([await latest(9415), await latest(9416)]).toEqual(['98.0.0', null])
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

  it.each([
    [{ buildType: 'Debug' }, 'a Debug download link of 2830/9395 2.10.0'],
    [{ version: '2.10.1' }, 'a Release download link of 2830/9395 2.10.1 (did you mean 2.10.0?)'],
  ])('of %j is not published', async (other, what) => {
    expect(await failureOf(rig().firmware.link({ ...query, ...other }))).toMatchObject({
      kind: 'not-found',
      what,
    })
  })

  const otherFile = { downloadUrl: 'https://firmware.example.com/other.zip' }
  it.each<[Json, string]>([
    [{ ...otherFile, productId: 9999 }, 'The link is of another product than 2830/9395.'],
    [{ ...otherFile, version: '1.0.0' }, 'The link is of version 1.0.0, not 2.10.0.'],
    [{ ...otherFile, buildType: 'Internal' }, 'The link is of the build type Internal, not Release.'],
  ])('of another file is refused: %j', async (record, message) => {
    const { firmware, service } = rig()
    service.set(linkPath, record)
    expect(await failureOf(firmware.link(query))).toMatchObject({ kind: 'unreadable-answer', message })
  })

  it('is the one of the build type among several, with its own checksum', async () => {
    const { firmware, service } = rig()
    service.set(linkPath, {
      links: [
        { buildType: 'Internal', url: 'https://firmware.example.com/internal.zip', md5: '0a'.repeat(16) },
        { buildType: 'release', file: { url: link.downloadUrl }, md5: '0b'.repeat(16) },
      ],
    })
    expect(await firmware.link(query)).toMatchObject({ url: link.downloadUrl, md5: '0b'.repeat(16) })
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
    expect([(await firmware.link(query)).url, service.requested('downloadLink')]).toEqual([
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

describe('the firmware status of a device', () => {
  it.each<[string, { productId: number | null; firmwareVersion: string | null }, unknown]>([
    ['behind', { productId: 9395, firmwareVersion: '2.9.2' }, { kind: 'behind', latest: '2.10.0', by: 1 }],
    ['current', { productId: 9395, firmwareVersion: '2.10.0' }, { kind: 'current', latest: '2.10.0' }],
    ['no product id', { productId: null, firmwareVersion: '2.9.2' }, { kind: 'unknown', why: 'no-product' }],
    ['no version', { productId: 9395, firmwareVersion: null }, { kind: 'unknown', why: 'no-version' }],
    [
      'an invalid version',
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
    const stored = { observedAt, fromCache: true }
    expect(await later.products({ ...all, text: 'mono' })).toMatchObject({ total: 1, ...stored })
    expect(await later.releases(id)).toMatchObject({ ...stored, product: { name: 'Jabra Evolve2 65 Mono' } })
    expect(await later.link({ ...id, version: '2.10.0', buildType: 'Release', refresh: true })).toMatchObject(
      { url: link.downloadUrl, ...stored },
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

  it('shows releases of the catalogue for products never opened, none of them as the latest', async () => {
    const { firmware, service } = rig()
    await firmware.products(all)
    service.offline = true
    const list = await firmware.releases({ vendorId: 2830, productId: 9416 })
    expect(list.releases.map(({ version, latest }) => [version, latest])).toEqual([
      ['1.16.0', false],
      ['1.9.0', false],
    ])
    expect(list).toMatchObject({
      noLatest: 'list-unread',
      unread: { kind: 'offline' },
      product: { latestVersion: null },
    })
    expect(await firmware.compliance({ productId: 9416, firmwareVersion: '1.9.0' })).toEqual({
      kind: 'unknown',
      why: 'offline',
    })
  })
})

describe.each<Failure>([
  { kind: 'service-unavailable', call: { operation: 'x', host: 'h' }, status: 500, message: null },
  { kind: 'timed-out', call: { operation: 'x', host: 'h' }, afterInMs: 10_000 },
  { kind: 'rate-limited', call: { operation: 'x', host: 'h' }, untilAt: null },
])('a list that fails as $kind', (failure) => {
  const id = { vendorId: 2830, productId: 9416 }
  const failing = () => {
    const opened = rig()
    opened.service.documents.set('/vendors/2830/products/9416/firmware-releases', { failure })
    return opened
  }

  it('is not replaced by the catalogue for the latest version, its link, a comparison or an update', async () => {
    const { firmware, ...parts } = failing()
    const metadata = parts.start()
    const approvals = { decisions: async () => ({ of: () => ({ kind: 'none' as const }) }) }
    expect(await firmware.releases(id)).toMatchObject({ unread: failure, product: { latestVersion: null } })
    expect(await firmware.product(id)).toMatchObject({ latestVersion: null })
    expect(
      await failureOf(firmware.link({ ...id, version: 'latest', buildType: null, refresh: false })),
    ).toEqual(failure)
    expect(await firmware.compliances(id, ['1.9.0'])).toEqual(
      new Map([['1.9.0', { kind: 'unknown', why: 'offline' }]]),
    )
    expect(
      await failureOf(fetchUpdateRule({ firmware, metadata, approvals: approvals as never }, id)),
    ).toEqual(failure)
  })

  it('gives way to the list once it can be read', async () => {
    const { firmware, service } = failing()
    await firmware.releases(id)
    service.set('/vendors/2830/products/9416/firmware-releases', [{ version: '1.20.0' }])
    expect(await firmware.releases(id)).toMatchObject({
      noLatest: null,
      product: { latestVersion: '1.20.0' },
    })
    expect(firmware.lookupFailure(id)).toBeNull()
  })
})

it('a release that names a variant is the latest for its devices only', async () => {
  const { firmware, service } = rig()
  service.set('/vendors/2830/products/9416/firmware-releases', [
    { version: '1.30.0', variantType: '04-0C' },
    { version: '1.20.0' },
  ])
  const of = async (variantType: string | null) =>
    firmware.compliance({ productId: 9416, firmwareVersion: '1.20.0', variantType })
  expect([await of('04-0b'), await of('04-0C'), await of(null)]).toEqual([
    { kind: 'current', latest: '1.20.0' },
    { kind: 'behind', latest: '1.30.0', by: 1 },
    { kind: 'behind', latest: '1.30.0', by: 1 },
  ])
  expect((await firmware.product({ vendorId: 2830, productId: 9416 })).latestVersion).toBe('1.30.0')
})

it('a list that the service failed to send is named among the products not compared', async () => {
  const { firmware, service } = rig()
  const call = { operation: 'x', host: 'h' }
  const failure = { kind: 'service-unavailable', call, status: 500, message: null } as const
  service.documents.set('/vendors/2830/products/9416/firmware-releases', { failure })
  await firmware.releases({ vendorId: 2830, productId: 9416 })
  expect(firmware.lookupFailure({ vendorId: 2830, productId: 9416 })).toEqual(failure)
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
    expect(service.requested('firmware-releases')).toBeLessThanOrEqual(2)
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
