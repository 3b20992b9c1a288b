import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { firmwareCommands } from '../../electron/cli/commands/firmware.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { metadataCommands } from '../../electron/cli/commands/metadata.ts'
import { UsageError } from '../../electron/cli/grammar.ts'
import type { Json, JsonObject } from '../../electron/contract/json.ts'
import { aDevice } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'
import { answer } from '../fake-transport.ts'

let service: OddService
beforeEach(async () => {
  service = await anOddService()
  const variant = (productId: number) => ({ vendorId: 2830, productId, variantType: '13-01' })
  service.documents.set('/product-group-bundles/bundles', {
    bundles: [{ name: 'Room system', products: [{ productName: 'Bar', variants: [variant(12344)] }] }],
    unbundledProducts: [{ productName: 'Headset', variants: [variant(9395)] }],
  })
  const bundle = (version: string, firmware: string) => ({
    firmwareBundleGroupId: 'bars',
    name: 'Bars',
    version,
    firmwares: [{ vendorId: 2830, productId: 12344, version: firmware }],
  })
  service.documents.set('/vendors/products/firmware-bundles', [
    bundle('0.9.0', '6.4.2'),
    bundle('1.0.0', '6.5.0'),
  ])
})
afterEach(() => service.close())

const headroom = (...argv: string[]) =>
  service.run([...firmwareCommands, ...metadataCommands, ...inventoryCommands], ...argv)
const read = async (...argv: string[]): Promise<Json> =>
  JSON.parse((await headroom(...argv, '--json')).output) as Json

describe('headroom firmware bundles', () => {
  const listed = (version: string, firmwareVersion: string): Json => ({
    group: 'bars',
    version,
    name: 'Bars',
    members: [{ vendorId: 2830, productId: 12344, name: 'Bar', firmwareVersion }],
  })
  it.each<[string, string[], Json]>([
    ['all', [], [listed('1.0.0', '6.5.0'), listed('0.9.0', '6.4.2')]],
    ['of a product', ['0x3038'], [listed('1.0.0', '6.5.0'), listed('0.9.0', '6.4.2')]],
    ['of a product that no bundle contains', ['Headset'], []],
  ])('%s', async (_, argv, bundles) => {
    expect(await read('firmware', 'bundles', ...argv)).toEqual({
      total: (bundles as Json[]).length,
      bundles,
    })
  })
})

describe('headroom firmware bundles, where there is none', () => {
  it.each<[string[], string]>([
    [['Headset'], 'No firmware bundle contains Headset.\n'],
    [[], 'No firmware bundles are published.\n'],
  ])('says so: %j', async (argv, output) => {
    if (argv.length === 0) service.documents.set('/vendors/products/firmware-bundles', [])
    expect(await headroom('firmware', 'bundles', ...argv)).toEqual({ code: 0, output, errors: '' })
  })
})

it.each([
  [['product', 'Bar', '--variant', '99']],
  [['firmware', 'link', 'Bar', 'approved', '--variant', '99']],
])('a variant that the product does not have is not found: %j', async (argv) => {
  await expect(headroom(...argv)).rejects.toMatchObject({
    failure: { kind: 'not-found', what: 'the variant 99 of Bar' },
  })
})

it('a link of another version than the approved one takes no variant', async () => {
  await expect(headroom('firmware', 'link', 'Bar', 'latest', '--variant', '13-01')).rejects.toThrow(
    new UsageError('firmware link: --variant goes with the version approved only.'),
  )
})

it('a variant is looked up as it is published', async () => {
  const variants = [{ vendorId: 2830, productId: 9395, variantType: 'MS' }]
  service.documents.set('/product-group-bundles/bundles', {
    bundles: [],
    unbundledProducts: [{ productName: 'Headset', variants }],
  })
  expect((await headroom('product', 'Headset', '--variant', ' ms')).output).toContain(
    '\nVariant              MS\n',
  )
})

it('a search of the catalogue that finds nothing says so', async () => {
  expect(await headroom('products', 'nowhere')).toEqual({
    code: 0,
    output: 'No product matches.\n',
    errors: '',
  })
})

describe('a product that only a firmware bundle names', () => {
  beforeEach(() => {
    service.documents.set('/vendors/products/firmware-bundles', [
      {
        firmwareBundleGroupId: 'bars',
        firmwareBundleVersion: '1.0.0',
        products: [
          { vendorId: 2830, productId: 779, firmwareVersion: '3.1.0' },
          { vendorId: 1133, productId: 780, firmwareVersion: '1.0.0' },
        ],
      },
    ])
    service.documents.set(
      '/vendors/2830/products/779/firmware-bundle-groups/bars/versions/1.0.0/build-types/Release/downloadLink',
      { url: 'https://a.example/779.zip' },
    )
  })
  it.each<[string[], string]>([
    [['product', '779'], '2830/779\n'],
    [['product', '779', '--variant', '01-64'], 'Variant              01-64\n'],
    [['product', '0x30b'], '2830/779\n'],
    [['product', '780'], '1133/780\n'],
    [['releases', '779'], '3.1.0'],
    [['firmware', 'bundles', '779'], '2830/779'],
    [['firmware', 'link', '779', 'latest'], 'https://a.example/779.zip\n'],
    [['products', '779'], '2830/779'],
  ])('is found: %j', async (argv, output) => {
    const said = await headroom(...argv)
    expect([said.code, said.output]).toEqual([0, expect.stringContaining(output)])
  })
  it('is not found under the id of another vendor, and no other id is', async () => {
    const found = async (words: string) => (await headroom('products', words)).output.split('\n').length
    expect([await found('1133/779'), await found('781')]).toEqual([2, 2])
  })
})

describe('members of a firmware bundle in an unknown form', () => {
  const bundle = (changes: JsonObject): Json => ({
    firmwareBundleGroupId: 'bars',
    firmwareBundleVersion: '1.0.0',
    ...changes,
  })
  it.each<[string, JsonObject, string, string]>([
    [
      'a dictionary',
      { products: { '779': '3.0.0' } },
      'not understood',
      'The members of 1 bundle are not understood; --json shows them as received.\n',
    ],
    [
      'a list of texts',
      { products: ['779 3.0.0'] },
      'not understood',
      'The members of 1 bundle are not understood; --json shows them as received.\n',
    ],
    ['empty', { products: [], note: 'soon' }, 'none listed', ''],
  ])('are named: %s', async (_, changes, cell, errors) => {
    service.documents.set('/vendors/products/firmware-bundles', [bundle(changes)])
    const said = await headroom('firmware', 'bundles')
    const { bundles } = (await read('firmware', 'bundles')) as unknown as { bundles: { unread?: Json }[] }
    expect([
      said.output.trimEnd().split('\n').at(-1)?.split(/ {2,}/),
      said.errors,
      bundles.map(({ unread }) => unread),
    ]).toEqual([
      ['bars', '1.0.0', '–', cell, '–', '–'],
      errors,
      [errors === '' ? undefined : [bundle(changes)]],
    ])
  })
})

describe('headroom firmware link', () => {
  const address = (version: string): string =>
    `/vendors/2830/products/12344/firmware-bundle-groups/bars/versions/${version}/build-types/Release/downloadLink`
  it.each<[string, string[], string]>([
    ['latest', [], '1.0.0'],
    ['6.4.2', [], '0.9.0'],
    ['0.9.0', ['--bundle', 'Bars'], '0.9.0'],
  ])('of %s %j is the bundle’s', async (version, argv, bundleVersion) => {
    const record = { url: 'https://a.example/bar.zip', fileSize: 7, md5: 'XUFAKrxLKna5cZ2REBfFkg==' }
    service.documents.set(address(bundleVersion), record)
    expect(await read('firmware', 'link', 'Bar', version, ...argv)).toMatchObject({
      url: record.url,
      bundle: { group: 'bars', version: bundleVersion },
      expiresAt: null,
      bytes: 7,
      md5: '5d41402abc4b2a76b9719d911017c592',
    })
  })
})

describe('headroom firmware releases', () => {
  it('is headroom releases, with the bundles of each release', async () => {
    const { output } = await headroom('firmware', 'releases', 'Bar')
    expect([output, output]).toEqual([
      (await headroom('releases', 'Bar')).output,
      expect.stringMatching(/6\.5\.0 +latest .*Bars 1\.0\.0 .*\n6\.4\.2 .*Bars 0\.9\.0 .*\n$/) as string,
    ])
  })
})

it('headroom releases ends with 4 and says so if the list cannot be read and the catalogue is shown', async () => {
  service.documents.set('/product-group-bundles/bundles', {
    bundles: [],
    unbundledProducts: [
      {
        productName: 'Headset',
        variants: [{ vendorId: 2830, productId: 9395, variantType: '01-64' }],
        firmwareReleases: [{ version: '98.0.0' }],
      },
    ],
  })
  service.instead = ({ url }) => (url.includes('/9395/firmware-releases') ? answer(500, {}) : undefined)
  const { code, output, errors } = await headroom('releases', '2830/9395')
  expect([code, /98\.0\.0 +latest/.test(output), output, errors]).toEqual([
    4,
    false,
    expect.stringContaining('none of them counts as the latest') as string,
    expect.stringMatching(/list of releases could not be read.*answered with status 500/s) as string,
  ])
})

describe('PRODUCT', () => {
  const entity = 'f525e3b0-0001-4000-8000-000000009395'
  const lost = 'f525e3b0-0001-4000-8000-000000004711'
  beforeEach(() => {
    service.documents.set('/product-group-bundles/bundles', {
      bundles: [
        { name: 'Room system', products: [{ productName: 'Bar', variants: [variant(12344, '13-01')] }] },
      ],
      unbundledProducts: [
        {
          productName: 'Headset',
          variants: [{ ...variant(9395, '01-64'), entityId: entity.toUpperCase() }, variant(9333, '01-65')],
        },
      ],
    })
    for (const productId of [9395, 9333, 12344, 4711])
      service.documents.set(`/vendors/2830/products/${productId}/firmware-releases`, [{ version: '1.0.0' }])
    service.documents.set('/product-group-bundles/vendors/2830/products/4711/variants/01', {
      productName: 'Left out',
      variants: [variant(4711, '01')],
    })
    service.documents.set(`/product-group-bundles/vendors/products/variants/${lost}`, {
      productName: 'Left out',
      variants: [variant(4711, '01')],
    })
  })
  const variant = (productId: number, variantType: string) => ({ vendorId: 2830, productId, variantType })
  const found = async (typed: string) => {
    const { output, errors } = await headroom('releases', typed, '--json')
    const { product } = JSON.parse(output) as { product: { productId: number; name: string } }
    return [product.productId, product.name, errors]
  }

  it.each<[string, number, string, string]>([
    ['2830/9395', 9395, 'Headset', ''],
    ['9395', 9395, 'Headset', ''],
    ['0x24B3', 9395, 'Headset', ''],
    ['24b3', 9395, 'Headset', ''],
    ['VID_0B0E&PID_24B3', 9395, 'Headset', ''],
    ['01-65', 9333, 'Headset', ''],
    [entity, 9395, 'Headset', ''],
    ['room system', 12344, 'Bar', ''],
    ['bars', 12344, 'Bar', ''],
    ['2475', 9333, 'Headset', 'No product has the id 2475: 0x2475 (hexadecimal) was used.\n'],
    [lost, 4711, 'Left out', ''],
  ])('%s is found', async (typed, ...expected) => {
    expect(await found(typed)).toEqual(expected)
  })

  it('finds a product that the catalogue lacks by the variants of the fleet', async () => {
    service.devices = {
      MeetingRoom: [],
      Personal: [aDevice(1, { productId: 4711 }), aDevice(2, { productId: 815 })],
    }
    service.documents.set('/vendors/2830/products/815/firmware-releases', [{ version: '1.0.0' }])
    await headroom('sync')
    const session = await service.core.sessions.current()
    expect([
      (await session.firmware.find('4711')).name,
      (await session.firmware.find('0x1267')).name,
      (await session.firmware.find('815')).name,
    ]).toEqual(['Left out', 'Left out', '2830/815'])
  })

  it('names all candidates and picks none when several match', async () => {
    await expect(found('Headset')).rejects.toMatchObject({
      failure: {
        kind: 'invalid',
        field: 'product',
        message: 'Headset may be Headset (2830/9333) or Headset (2830/9395)',
      },
    })
  })
})

describe('headroom products --csv', () => {
  it('has the columns of the document', async () => {
    const { output } = await headroom('products', 'Bar', '--csv')
    const { products } = (await read('products', 'Bar')) as { products: object[] }
    const [head, row] = output.split('\r\n')
    expect([head, row]).toEqual([Object.keys(products[0] ?? {}).join(','), '2830,12344,Bar,,,,13-01,,0'])
  })
})

describe('headroom recovery', () => {
  it('lists products, firmware and updaters by platform', async () => {
    service.documents.set('/vendors/products/variants/firmware-updater-configurations/dfu-product-ids', [
      { vendorId: 2830, dfuProductIds: [772] },
    ])
    service.instead = ({ url }) =>
      /updater.*\/772|\/772.*updater/.test(url)
        ? answer(200, [{ platformOs: 'Windows', fwuProtocolId: 7, productIds: [9395] }])
        : undefined
    expect(await read('recovery', '772')).toMatchObject({
      id: { vendorId: 2830, productId: 772 },
      products: [{ vendorId: 2830, productId: 9395, name: 'Headset' }],
      firmware: null,
      updaters: [{ platform: 'Windows', fwuProtocolId: 7 }],
    })
  })

  it('reports an id for which nothing is published as unknown', async () => {
    await expect(headroom('recovery', '0x1234')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'a product with the recovery id 2830/4660' },
    })
  })

  it('shows what is published for an id that no product has, and ends with 3', async () => {
    service.instead = ({ url }) =>
      url.includes('4660') && url.includes('updater')
        ? answer(200, [{ platformOs: 'Windows', fwuProtocolId: 7, productIds: [] }])
        : undefined
    const { code, output, errors } = await headroom('recovery', '0x1234', '--json')
    expect([code, JSON.parse(output), errors]).toMatchObject([
      3,
      { products: [], updaters: [{ platform: 'Windows' }] },
      'Not found: a product with the recovery id 2830/4660.\n',
    ])
  })
})

describe('headroom telemetry', () => {
  it('lists the events, and counts them', async () => {
    const received = {
      thresholdEvents: [{ name: 'battery', defaultMinimum: 10, defaultMaximum: 100 }],
      integerStateChangedEvents: [],
      booleanStateChangedEvents: [{ name: 'muted', desiredValue: false }],
      callSummary: { aggregations: [] },
    }
    service.documents.set('/telemetry', received)
    expect(await read('telemetry')).toEqual({
      unreadable: { count: 0, records: [] },
      raw: received,
      total: 2,
      events: [
        { kind: 'threshold', name: 'battery', minimum: 10, maximum: 100 },
        { kind: 'boolean', name: 'muted', desired: false },
      ],
    })
  })

  it('keeps unknown members and lists as received', async () => {
    const received = {
      thresholdEvents: [{ name: 'battery', defaultMinimum: 10, extra: true }, 7],
      stringEvents: [{ name: 'z' }],
    }
    service.documents.set('/telemetry', received)
    const { errors } = await headroom('telemetry')
    expect([errors, await read('telemetry')]).toEqual([
      '2 of its records cannot be read; --json shows them as received.\n',
      {
        total: 1,
        events: [{ kind: 'threshold', name: 'battery', minimum: 10, maximum: null }],
        unreadable: { count: 2, records: [7, { name: 'z' }] },
        raw: received,
      },
    ])
  })
})

describe('headroom product', () => {
  it('counts the variants of the catalogue, and those of the list of variants', async () => {
    const entityId = 'f525e3b0-0001-4000-8000-000000009395'
    const variants = ['01-64', '02-64'].map((variantType) => ({
      vendorId: 2830,
      productId: 9395,
      variantType,
    }))
    service.documents.set('/product-group-bundles/bundles', {
      bundles: [],
      unbundledProducts: [{ productName: 'Headset', entityId, variants }],
    })
    const lines = async (...options: string[]) =>
      (await headroom('product', '9395', ...options)).output
        .split('\n')
        .filter((line) => /^(?:Variants|Updaters|With)/.test(line))
        .map((line) => line.replace(/ {2,}/, ': '))
    const before = await lines()
    service.documents.set(`/vendors/products/${entityId}/variants`, variants.slice(0, 1))
    await service.core.handlers.metadata.clearCache()
    expect([before, await lines('--platform', 'Windows', '--agent-type', 'Teams')]).toEqual([
      [
        'With agent: not asked: add --agent-type',
        'Updaters: not asked: add --platform',
        'Variants: 2 in the catalogue',
      ],
      ['With agent: unknown', 'Updaters: unknown', 'Variants: 2 in the catalogue; 1 in the list of variants'],
    ])
  })

  it('shows the record of a product that is published on its own, as received', async () => {
    const entityId = 'f525e3b0-0001-4000-8000-000000004711'
    const record = {
      productName: 'Left out',
      firmwareDowngradeAllowed: true,
      variants: [{ vendorId: 2830, productId: 4711, variantType: '01', entityId }],
      unheardOf: 'kept',
    }
    service.documents.set(`/product-group-bundles/vendors/products/variants/${entityId}`, record)
    expect(await read('product', entityId)).toMatchObject({
      product: { vendorId: 2830, productId: 4711, name: 'Left out', variant: '01' },
      downgradeAllowed: true,
      catalogue: [record],
    })
  })

  it.each<[string, Json, boolean | null]>([
    ['of its variant', [{ vendorId: 2830, productId: 12344, variantType: '13-01' }], true],
    ['of another variant', [{ vendorId: 2830, productId: 12344, variantType: '99-99' }], false],
    ['without a variant', [{ vendorId: 2830, productId: 12344 }], true],
    ['of another product', [{ vendorId: 2830, productId: 1 }], false],
    ['without content', [], false],
    ['with ids in one record', { vendorId: 2830, productIds: [12344] }, null],
    ['with ids by vendor', { '2830': [12344, 834] }, null],
    ['with products by vendor', [{ vendorId: 2830, products: [{ productId: 12344 }] }], null],
  ])('says whether it is in a list %s, or that this is not known', async (_, list, expected) => {
    for (const path of ['/vendors/products/hosts', '/ignore-lists/gnp']) service.documents.set(path, list)
    expect(await read('product', 'Bar')).toMatchObject({ isHost: expected, isIgnored: expected })
  })

  it('shows what is published about it, as received too, and names what could not be read', async () => {
    const variant = { vendorId: 2830, productId: 12344, variantType: '13-01', unheardOf: 'kept' }
    service.documents.set('/product-group-bundles/bundles/Room%20system', {
      bundles: [{ name: 'Room system' }],
    })
    service.documents.set('/vendors/2830/products/12344/variants/13-01/information', variant)
    service.documents.set('/vendors/products/hosts', [variant])
    service.documents.set('/ignore-lists/gnp', 'not a list')
    const { code, output } = await headroom('product', 'Bar', '--json')
    const { failed, ...result } = JSON.parse(output) as { failed: { document: string }[] }
    expect([code, result, failed.map(({ document }) => document)]).toMatchObject([
      4,
      {
        product: { vendorId: 2830, productId: 12344, name: 'Bar', variant: '13-01' },
        isHost: true,
        hasAgent: null,
        isIgnored: null,
        updaters: null,
        variants: null,
        groups: [{ name: 'Room system', records: [{ name: 'Room system' }] }],
        information: [variant],
        lists: [variant],
      },
      ['ignored'],
    ])
  })
})
