import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import type { FirmwareLinkQuery } from '../../../electron/contract/api/firmware.ts'
import { openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { firmwareBundlesOf } from '../../../electron/core/metadata/bundle-json.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'

const bar = { vendorId: 2830, productId: 12344 }
const list = '/vendors/products/firmware-bundles'
const bundle = (
  group: string,
  version: string,
  firmware: string,
  more: Readonly<Record<string, Json>> = {},
): Json => ({
  firmwareBundleGroupId: group,
  name: `${group} rooms`,
  version,
  ...more,
  firmwares: [
    { vendorId: 2830, productId: 12344, version: firmware },
    { productId: 12364, firmwareVersion: firmware },
  ],
})

function rig(bundles: Json | null) {
  const metadata = metadataRig()
  metadata.service.set('/product-group-bundles/bundles', { bundles: [], unbundledProducts: [] })
  if (bundles !== null) metadata.service.set(list, bundles)
  const start = () =>
    openFirmware({
      clock: metadata.clock,
      metadata: metadata.start(),
      deviceCounts: async () => new Map([[12344, 3]]),
      vendorId: 2830,
      assumedBuildTypes: ['Release'],
    })
  return { ...metadata, firmware: start(), restart: start }
}

describe('a product published only in bundles', () => {
  it('has the versions of its bundles as releases, each with its bundle', async () => {
    const { firmware } = rig([bundle('bars', '0.9.0', '6.4.2'), bundle('bars', '1.0.0', '6.5.0')])
    const { releases, noLatest, product } = await firmware.releases(bar)
    expect([
      releases.map(({ version, latest, bundle: from }) => [version, latest, from]),
      noLatest,
      product.latestVersion,
    ]).toEqual([
      [
        ['6.5.0', true, { group: 'bars', version: '1.0.0', name: 'bars rooms' }],
        ['6.4.2', false, { group: 'bars', version: '0.9.0', name: 'bars rooms' }],
      ],
      null,
      '6.5.0',
    ])
  })

  it.each<[string, Json, string, unknown]>([
    ['is current', [bundle('bars', '1.0.0', '6.5.0')], '6.5.0', { kind: 'current', latest: '6.5.0' }],
    [
      'is behind by each newer version once',
      [
        bundle('bars', '0.9.0', '6.4.2'),
        bundle('bars', '1.0.0', '6.5.0'),
        bundle('bars', '1.0.1', '6.5.0'),
        bundle('bars', '1.1.0', '6.10.0'),
      ],
      '6.4.2',
      { kind: 'behind', latest: '6.10.0', by: 2 },
    ],
    [
      'is not compared with a bundle that was revoked',
      [bundle('bars', '1.0.0', '6.5.0'), bundle('bars', '1.1.0', '6.6.0', { revoked: true })],
      '6.5.0',
      { kind: 'current', latest: '6.5.0' },
    ],
    [
      'is revoked with its bundle',
      [bundle('bars', '1.0.0', '6.5.0'), bundle('bars', '1.1.0', '6.6.0', { status: 'Revoked' })],
      '6.6.0',
      { kind: 'revoked', latest: '6.5.0' },
    ],
    [
      'is not compared with a bundle that is a prerelease',
      [bundle('bars', '1.0.0', '6.5.0'), bundle('bars', '1.1.0', '6.6.0', { stage: 'Beta' })],
      '6.4.0',
      { kind: 'behind', latest: '6.5.0', by: 1 },
    ],
    [
      'is compared if several groups agree',
      [bundle('bars', '1.0.0', '6.5.0'), bundle('walls', '3.0.0', '6.5.0')],
      '6.4.0',
      { kind: 'behind', latest: '6.5.0', by: 1 },
    ],
    [
      'is unknown if groups differ, and both are named',
      [bundle('bars', '1.0.0', '6.5.0'), bundle('walls', '3.0.0', '6.6.0')],
      '6.5.0',
      {
        kind: 'unknown',
        why: 'bundles-differ',
        bundles: [
          { bundle: 'walls rooms', bundleVersion: '3.0.0', firmware: '6.6.0' },
          { bundle: 'bars rooms', bundleVersion: '1.0.0', firmware: '6.5.0' },
        ],
      },
    ],
    [
      'is unknown without a bundle',
      [bundle('bars', '1.0.0', '')],
      '6.5.0',
      { kind: 'unknown', why: 'not-published' },
    ],
  ])('%s', async (_, bundles, firmwareVersion, expected) => {
    const { firmware } = rig(bundles)
    expect(await firmware.compliance({ ...bar, firmwareVersion })).toEqual(expected)
  })

  it('is compared with its own releases when it has some', async () => {
    const { firmware, service } = rig([bundle('bars', '1.0.0', '6.5.0')])
    service.set('/vendors/2830/products/12344/firmware-releases', [{ version: '6.4.0' }])
    expect(await firmware.compliance({ ...bar, firmwareVersion: '6.4.0' })).toEqual({
      kind: 'current',
      latest: '6.4.0',
    })
  })

  it('is compared with cached data, also after a restart without a connection', async () => {
    const { firmware, restart, service } = rig([bundle('bars', '1.0.0', '6.5.0')])
    await firmware.warm({ products: [bar] })
    service.offline = true
    const again = restart()
    expect([
      await again.compliance({ ...bar, firmwareVersion: '6.4.0' }),
      (await again.products({ text: '', owned: true, start: 0, count: 9 })).rows.map(
        (one) => one.latestVersion,
      ),
    ]).toEqual([{ kind: 'behind', latest: '6.5.0', by: 1 }, ['6.5.0']])
  })

  it('takes from the contents of a bundle only those of its group and version', async () => {
    const { firmware, service } = rig([{ firmwareBundleGroupId: 'bars', version: '2.0.0' }])
    service.set(`${list}/bars/versions/2.0.0`, [
      bundle('bars', '1.0.0', '3.1.0'),
      bundle('Bars', '2.0', '2.50.0'),
      bundle('huddles', '2.0.0', '3.2.0'),
    ])
    const { releases } = await firmware.releases(bar)
    expect(releases.map(({ version, latest }) => [version, latest])).toEqual([['2.50.0', true]])
  })

  it('fetches the contents of a bundle when the list leaves them out', async () => {
    const { firmware, service } = rig([
      { firmwareBundleGroupId: 'bars', version: '1.0.0' },
      { firmwareBundleGroupId: 'lost', version: '1.0.0' },
    ])
    service.set(`${list}/bars/versions/1.0.0`, [bundle('bars', '1.0.0', '6.5.0')])
    expect([
      await firmware.compliance({ ...bar, firmwareVersion: '6.5.0' }),
      (await firmware.bundles(null)).bundles.map(({ group, members }) => [group, members]),
    ]).toEqual([
      { kind: 'current', latest: '6.5.0' },
      [
        [
          'bars',
          [
            { ...bar, name: null, firmwareVersion: '6.5.0' },
            { vendorId: 2830, productId: 12364, name: null, firmwareVersion: '6.5.0' },
          ],
        ],
        ['lost', []],
      ],
    ])
  })
})

describe('a link', () => {
  const address = (product: number, version: string): string =>
    `/vendors/2830/products/${product}/firmware-bundle-groups/bars/versions/${version}/build-types/Release/downloadLink`
  const two = [bundle('bars', '0.9.0', '6.4.2'), bundle('bars', '1.0.0', '6.5.0')]

  it.each<[string, Partial<FirmwareLinkQuery>, string, string]>([
    ['the latest', { version: 'latest' }, '6.5.0', '1.0.0'],
    ['a firmware version', { version: '6.4.2' }, '6.4.2', '0.9.0'],
    ["the bundle's version", { version: '0.9.0' }, '6.4.2', '0.9.0'],
    ['the latest of a bundle', { version: 'latest', bundle: 'BARS' }, '6.5.0', '1.0.0'],
    ["a bundle's version by its name", { version: '0.9', bundle: 'bars rooms' }, '6.4.2', '0.9.0'],
  ])('of %s is found by bundle and build type', async (_, query, version, bundleVersion) => {
    const { firmware, service } = rig(two)
    const url = `https://files.example.com/${bundleVersion}.zip`
    service.set(address(12344, bundleVersion), { downloadUrl: url })
    const link = await firmware.link({
      ...bar,
      version: 'latest',
      buildType: null,
      refresh: false,
      ...query,
    })
    expect([link.version, link.bundle, link.url]).toEqual([
      version,
      { group: 'bars', version: bundleVersion },
      url,
    ])
  })

  it.each([{ version: '6.5.0' }, { version: '6.5.0', bundle: 'bars' }])(
    'of %j is not that of a bundle that was revoked',
    async (query) => {
      const { firmware, service } = rig([
        bundle('bars', '1.0.0', '6.5.0'),
        bundle('bars', '1.0.1', '6.5.0', { revoked: true }),
      ])
      service.set(address(12344, '1.0.0'), { downloadUrl: 'https://files.example.com/1.0.0.zip' })
      service.set(address(12344, '1.0.1'), { downloadUrl: 'https://files.example.com/1.0.1.zip' })
      const link = await firmware.link({ ...bar, buildType: null, refresh: false, ...query })
      expect([link.bundle?.version, link.url]).toEqual(['1.0.0', 'https://files.example.com/1.0.0.zip'])
    },
  )

  it('of a version that two groups use for different firmware is not guessed', async () => {
    const { firmware } = rig([bundle('bars', '1.0.0', '6.5.0'), bundle('walls', '1.0.0', '6.6.0')])
    expect(
      await failureOf(firmware.link({ ...bar, version: '1.0.0', buildType: null, refresh: false })),
    ).toEqual({
      kind: 'invalid',
      field: 'bundle',
      message:
        'Several bundles have version 1.0.0: walls rooms 1.0.0 (firmware 6.6.0) and bars rooms 1.0.0 (firmware 6.5.0).',
    })
  })

  it('in a bundle without it is not found', async () => {
    const { firmware } = rig(two)
    expect(
      await failureOf(
        firmware.link({ ...bar, version: '7.0.0', bundle: 'bars', buildType: null, refresh: false }),
      ),
    ).toEqual({ kind: 'not-found', call: null, what: 'version 7.0.0 of 2830/12344 in the bundle bars' })
  })
})

describe('bundle records', () => {
  const bars = (version: string, members: number): readonly unknown[] => ['bars', version, members]
  it.each<[string, Json, readonly (readonly unknown[])[] | null]>([
    ['a list', [bundle('bars', '1.0.0', '6.5.0')], [bars('1.0.0', 2)]],
    ['one record', bundle('bars', '1.0.0', '6.5.0'), [bars('1.0.0', 2)]],
    ['a wrapped list', { data: { items: [bundle('bars', '1.0.0', '6.5.0')] } }, [bars('1.0.0', 2)]],
    [
      'a group with its versions inside',
      [{ groupId: 'bars', versions: [bundle('bars', '1.0.0', '6.5.0'), { version: 2, products: [] }] }],
      [bars('1.0.0', 2), bars('2', 0)],
    ],
    [
      'a record for each member',
      [
        { firmwareBundleGroupId: 'bars', firmwareBundleVersion: '1.0.0', productId: 1, version: '6.5.0' },
        { firmwareBundleGroupId: 'bars', firmwareBundleVersion: '1.0.0', productId: 2, firmwareVersion: '6' },
      ],
      [bars('1.0.0', 2)],
    ],
    [
      'a dictionary of products',
      [
        {
          id: 'bars',
          version: '1.0.0',
          products: { bar: { productId: '0x3038', firmware: { version: 6 } } },
        },
      ],
      [bars('1.0.0', 1)],
    ],
    ['nothing', [], []],
    ['junk in a list', [null, 7, 'text', []], []],
    ['an error', { message: 'oops' }, null],
    ['a number', 7, null],
  ])('%s', (_, json, expected) => {
    expect(
      firmwareBundlesOf(json)?.map(({ group, version, members }) => [group, version, members.length]) ?? null,
    ).toEqual(expected)
  })
})
