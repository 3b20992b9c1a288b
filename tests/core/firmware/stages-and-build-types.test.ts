import { describe, expect, it, test } from 'vitest'
import type { PrereleaseStage } from '../../../electron/contract/firmware.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openFirmware, openRecovery } from '../../../electron/core/firmware/firmware.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'

const id = { vendorId: 2830, productId: 779 }
const staged: Json = [
  { version: '3.1.0', stage: 'Candidate' },
  { version: '3.0.0', stage: 'Beta' },
  { version: '2.97.0', stage: 'Public', buildTypes: ['Production', 'Internal'] },
]
const catalogue = {
  bundles: [],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve 65 Stereo',
      entityId: 'F525E3B0-0001-4000-8000-000000000779',
      variants: [{ ...id, variantType: '01-20' }],
      // The catalogue contains no stages (services.md#A41).
      firmwareReleases: [{ version: '3.1.0' }, { version: '3.0.0' }, { version: '2.97.0' }],
    },
  ],
}
const releasesPath = '/vendors/2830/products/779/firmware-releases'
const linkPath = (version: string, buildType: string): string =>
  `/vendors/2830/products/779/firmware-versions/${version}/build-types/${buildType}/downloadLink`

interface Options {
  readonly releases?: Json | null
  readonly buildTypes?: readonly string[]
  readonly includeStages?: readonly PrereleaseStage[]
}

function rig({ releases = staged, buildTypes = ['Release', 'Test'], includeStages = [] }: Options = {}) {
  const metadata = metadataRig()
  metadata.service.set('/product-group-bundles/bundles', catalogue)
  if (releases !== null) metadata.service.set(releasesPath, releases)
  for (const version of ['3.1.0', '3.0.0', '2.97.0'])
    for (const buildType of ['Release', 'Production'])
      metadata.service.set(linkPath(version, buildType), {
        url: `https://files.example.com/${buildType}/${version}`,
      })
  const start = () =>
    openFirmware({
      clock: metadata.clock,
      metadata: metadata.start(),
      deviceCounts: async () => new Map([[779, 3]]),
      vendorId: 2830,
      assumedBuildTypes: buildTypes,
      includeStages,
    })
  return { ...metadata, firmware: start(), restart: start }
}
const linkOf = async (options: Options, version = 'latest', included?: readonly PrereleaseStage[]) => {
  const requested = included === undefined ? {} : { includeStages: included }
  const { url } = await rig(options).firmware.link({
    ...id,
    version,
    buildType: null,
    refresh: false,
    ...requested,
  })
  return url
}

describe('the latest is a public release', () => {
  it('applies in lists, in products and for devices', async () => {
    const { firmware } = rig()
    const list = await firmware.releases(id)
    const [row] = (await firmware.products({ text: '', owned: false, start: 0, count: 10 })).rows
    expect([
      list.product.latestVersion,
      row?.latestVersion,
      await firmware.compliance({ productId: 779, firmwareVersion: '2.97.0' }),
    ]).toEqual(['2.97.0', '2.97.0', { kind: 'current', latest: '2.97.0' }])
  })

  it('applies in products after a restart, once the releases were read', async () => {
    const { firmware, restart, service } = rig()
    const latest = async (one: typeof firmware) =>
      (await one.products({ text: '', owned: false, start: 0, count: 10 })).rows[0]?.latestVersion
    const before = await latest(restart())
    await firmware.releases(id)
    const requested = service.requests.length
    expect([before, await latest(restart()), service.requests.length]).toEqual(['3.1.0', '2.97.0', requested])
  })

  test.each<[string, Options, readonly PrereleaseStage[] | undefined, string]>([
    ['public releases only', {}, undefined, '2.97.0'],
    ['what the organization includes', { includeStages: ['Beta'] }, undefined, '3.0.0'],
    ['what one query includes', {}, ['Candidate'], '3.1.0'],
    ['one query, regardless of the organization', { includeStages: ['Beta'] }, [], '2.97.0'],
  ])('latest means %s', async (_, options, included, version) => {
    expect(await linkOf(options, 'latest', included)).toBe(`https://files.example.com/Release/${version}`)
  })

  it('one query does not affect the next', async () => {
    const { firmware } = rig()
    await firmware.releases({ ...id, includeStages: ['Candidate'] })
    expect((await firmware.product(id)).latestVersion).toBe('2.97.0')
  })

  it('reports that there is none when all are prereleases', async () => {
    const { firmware } = rig({ releases: [{ version: '3.0.0', stage: 'Beta' }] })
    const list = await firmware.releases(id)
    expect([list.product.latestVersion, list.releases.map(({ latest }) => latest)]).toEqual([null, [false]])
    expect(
      await failureOf(firmware.link({ ...id, version: 'latest', buildType: null, refresh: false })),
    ).toEqual({
      kind: 'not-found',
      call: null,
      what: 'a public release of Jabra Evolve 65 Stereo',
    })
    expect(await firmware.compliance({ productId: 779, firmwareVersion: '2.0.0' })).toEqual({
      kind: 'unknown',
      why: 'no-public-release',
    })
  })

  it('shows unreadable releases as received and counts them', async () => {
    const odd = [{ fileName: 'a.zip' }, null]
    const list = await rig({ releases: [{ version: '1.0.0' }, ...odd] }).firmware.releases(id)
    expect([list.releases.map(({ version }) => version), list.unreadable]).toEqual([
      ['1.0.0'],
      { count: 2, records: odd },
    ])
  })

  it('at most fifty records are shown, and all are counted', async () => {
    const list = await rig({
      releases: [{ version: '1.0.0' }, ...Array.from({ length: 60 }, () => ({}))],
    }).firmware.releases(id)
    expect([list.unreadable.count, list.unreadable.records.length]).toEqual([60, 50])
  })
})

describe('the default build type', () => {
  test.each<[string, Options, string]>([
    ['the first of the profile’s list', { releases: [{ version: '2.97.0' }] }, 'Release'],
    [
      'the values of the profile',
      { releases: [{ version: '2.97.0' }], buildTypes: ['Production', 'Internal'] },
      'Production',
    ],
    ['the first of them that the release names', { buildTypes: ['Release', 'Production'] }, 'Production'],
    ['never one that the profile does not name', { buildTypes: ['Release'] }, 'Release'],
    ['also without a list of releases', { releases: null }, 'Release'],
  ])('%s', async (_, options, buildType) => {
    const { firmware } = rig(options)
    const link = await firmware.link({ ...id, version: '2.97.0', buildType: null, refresh: false })
    expect([link.buildType, link.url]).toEqual([buildType, `https://files.example.com/${buildType}/2.97.0`])
  })

  it('is the only one prefetched', async () => {
    const { firmware, service } = rig({ buildTypes: ['Production', 'Internal'] })
    await firmware.warm({})
    expect(service.requests.map(({ path }) => path).filter((path) => path.includes('build-types'))).toEqual([
      `/models/v/18${linkPath('2.97.0', 'Production')}.json`,
    ])
  })

  it('is used for device recovery', async () => {
    const all = rig({ buildTypes: ['Production', 'Internal'] })
    all.service.set('/vendors/2830/products/recovery/778/firmware', { version: '2.97.0' })
    all.service.set('/vendors/2830/products/recovery/778/firmware-updater-configurations', [
      { productIds: [779] },
    ])
    const metadata = all.start()
    const { product, productsWithFile, releases, usualBuildType } = all.firmware
    const recovery = openRecovery({
      clock: all.clock,
      metadata,
      product,
      productsWithFile,
      releases: (one) => releases(one, { cachedOnly: true }),
      vendorId: 2830,
      usualBuildType,
    })
    expect((await recovery.look({ text: '2830/778' })).link?.url).toBe(
      'https://files.example.com/Production/2.97.0',
    )
  })
})

describe('a link record', () => {
  const moment = Date.UTC(2026, 11, 1)
  test.each<[string, Json, number | null]>([
    [
      'its own expiry date',
      { url: 'https://a.example/x?se=2027-01-01', expires: '2026-12-01T00:00:00Z' },
      moment,
    ],
    ['seconds from when it was read', { url: 'https://a.example/x', expiresIn: 60 }, 60_000],
    ['a signature of Azure', { url: 'https://a.example/x?sv=1&se=2026-12-01T00%3A00%3A00Z&sig=a' }, moment],
    ['one of CloudFront', { url: `https://a.example/x?Expires=${moment / 1_000}&Signature=a` }, moment],
    [
      'one of Amazon S3',
      { url: 'https://a.example/x?X-Amz-Date=20261130T000000Z&X-Amz-Expires=86400' },
      moment,
    ],
    ['a duration without a start', { url: 'https://a.example/x?Expires=3600' }, null],
    ['nothing', { url: 'https://a.example/x' }, null],
  ])('expires by %s', async (_, record, expected) => {
    const { firmware, service, clock } = rig()
    service.set(linkPath('2.97.0', 'Release'), record)
    const { expiresAt } = await firmware.link({
      ...id,
      version: '2.97.0',
      buildType: 'Release',
      refresh: false,
    })
    expect(expiresAt).toBe(expected === 60_000 ? clock.now() + expected : expected)
  })

  it('is shown as received when it has no allowed address', async () => {
    const { firmware, service, clock } = rig()
    const record = {
      url: 'http://files.example.com/a.zip',
      size: 9_259,
      md5: '5d41402abc4b2a76b9719d911017c592',
      note: 'internal',
    }
    service.set(linkPath('2.97.0', 'Release'), record)
    expect(await firmware.link({ ...id, version: '2.97.0', buildType: 'Release', refresh: false })).toEqual({
      version: '2.97.0',
      bundle: null,
      buildType: 'Release',
      url: null,
      host: null,
      refused: record.url,
      expiresAt: null,
      bytes: 9_259,
      md5: record.md5,
      raw: record,
      observedAt: clock.now(),
      fromCache: false,
    })
  })
})

describe('a product on the command line', () => {
  it.each(['F525E3B0-0001-4000-8000-000000000779', ' f525e3b0-0001-4000-8000-000000000779'])(
    'is found by its entity id %s',
    async (text) => {
      expect((await rig().firmware.find(text)).name).toBe('Jabra Evolve 65 Stereo')
    },
  )
})
