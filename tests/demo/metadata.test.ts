import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import type { Operation, OperationName, ParameterValue } from '../../electron/contract/operations.ts'
import { operationNamed, operations, pathOf } from '../../electron/contract/operations.ts'
import { products } from '../../electron/demo/catalogue.ts'
import drawings from '../../electron/demo/data/pictures.json' with { type: 'json' }
import { pictureResponse, slugOf } from '../../electron/demo/product-pictures.ts'
import { personalMix, roomKits } from '../../electron/demo/product-lines.ts'
import { sites } from '../../electron/demo/names.ts'
import type { Asked, Asking } from './a-demonstration.ts'
import { aDemonstration } from './a-demonstration.ts'

let demo: Asking
beforeAll(async () => {
  demo = await aDemonstration()
})
afterAll(() => demo.it.stop())

const usual = { apiVersion: 18, vendorId: 2830, sdk: 'Brand SDK V4' }
const camera = { ...usual, productId: 12297, variantType: '12-AA', firmwareVersion: '9.3.6' }
const adapter = { ...usual, productId: 9416, variantType: '04-0B', firmwareVersion: '1.16.0' }
const bar = {
  ...usual,
  productId: 12417,
  variantType:
    products.find((product) => product.name === 'Jabra PanaCast P40')?.variants[0]?.variantType ?? '',
  firmwareVersion: '4.2.0.21',
}
const entityId = products.find((product) => product.name === 'Jabra Link 380a')?.entityId ?? ''
const variantEntity =
  products.find((product) => product.name === 'Jabra Link 380a')?.variants[1]?.entityId ?? ''

/** Valid values for every parameter of every operation. */
const values: Readonly<Record<string, ParameterValue>> = {
  ...adapter,
  schemaVersion: '1.11.0',
  definitionVersion: '14.5.0',
  entityId,
  agentType: 'RoomAgent',
  productGroupBundleName: 'PanaCast 50 Room System',
  platformOs: 'Windows',
  dfuProductId: 16464,
  buildType: 'Release',
  firmwareBundleGroupId: 'panacast-40-vbs',
  firmwareBundleVersion: '1.1.0',
}
const forBars: Readonly<Record<string, ParameterValue>> = { ...values, ...bar }

const get = (
  name: OperationName,
  parameters: Readonly<Record<string, ParameterValue>>,
  init?: RequestInit,
): Promise<Asked> => {
  const operation = operationNamed(name)
  const named = new Set(operation.parameters.map((parameter) => parameter.name))
  return demo.metadata(
    pathOf(
      operation,
      Object.fromEntries(Object.entries(parameters).filter(([parameter]) => named.has(parameter))),
    ),
    init,
  )
}

const members: Readonly<Record<string, readonly string[]>> = {
  TelemetrySettings: [
    'thresholdEvents',
    'integerStateChangedEvents',
    'booleanStateChangedEvents',
    'callSummary',
  ],
  SchemaVersion: ['version'],
  GnpMapping: ['mapping'],
  GnpDefinition: ['definitionVersion', 'schemaVersion', 'stage', 'properties'],
  ProtocolVersion: ['schemaVersion', 'definitionVersion'],
  JoseDefinition: ['schemaVersion', 'definitionVersion', 'stage', 'settings', 'commands'],
}

describe('every documented operation of interface A returns its specified form', () => {
  const rows: readonly Operation[] = operations.filter((operation) => operation.interface === 'metadata')

  test.each(rows.map((row) => [row.name, row] as const))('%s', async (name, row) => {
    const onBars = /Jose|FirmwareBundle/.test(name)
    const chosen =
      name === 'GetProductGroupBundleProductByVariantEntityId'
        ? { ...values, entityId: variantEntity }
        : onBars
          ? forBars
          : values
    const answer = await get(name as OperationName, chosen)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    const [, item] = /^array of (\w+)$/.exec(row.answer ?? '') ?? []
    expect(Array.isArray(answer.body)).toBe(item !== undefined)
    const record = item === undefined ? answer.body : (answer.body as unknown[])[0]
    expect(Object.keys(record as object)).toEqual(
      members[item ?? row.answer ?? ''] ?? Object.keys(record as object),
    )
    expect(Object.keys(record as object).length).toBeGreaterThan(0)
  })

  test('an entity id works only on the path of its kind: product or variant', async () => {
    const statusOf = async (name: OperationName, id: string) =>
      (await get(name, { ...values, entityId: id })).status
    expect([
      await statusOf('GetProductGroupBundleProductByEntityId', entityId),
      await statusOf('GetProductGroupBundleProductByEntityId', variantEntity),
      await statusOf('GetProductGroupBundleProductByVariantEntityId', variantEntity),
      await statusOf('GetProductGroupBundleProductByVariantEntityId', entityId),
    ]).toEqual([200, 404, 200, 404])
  })

  test('the description has every record that the specification describes', async () => {
    const { components } = (await get('GetOpenApi', values)).body as {
      components: { schemas: Record<string, { required?: string[]; properties?: object }> }
    }
    for (const [name, required] of Object.entries(members))
      expect([name, components.schemas[name]?.required]).toEqual([name, required])
    expect(components.schemas['JoseDefinition']?.properties).toMatchObject({
      stage: { $ref: '#/components/schemas/Stage' },
      settings: { type: 'array' },
      commands: { type: 'array' },
    })
  })

  test('there are the 33 of the specification, product content and the description', () => {
    expect(rows.length).toBe(35)
  })
})

describe('definitions', () => {
  test('the schema versions are unordered, and the numerically greatest has a definition version above that of the package', async () => {
    const versions = ((await get('GetGnpSchemaVersions', values)).body as { version: string }[]).map(
      ({ version }) => version,
    )
    const latest = await get('GetGnpDefinitionVersionLatest', { ...values, schemaVersion: '1.12.0' })
    expect([versions, latest.body]).toEqual([
      ['1.11.0', '1.2.0', '1.12.0', '1.10.0'],
      { schemaVersion: '1.12.0', definitionVersion: '14.6.0' },
    ])
  })

  test('the whole package is served for its own schema version, less for an older one', async () => {
    const count = async (schemaVersion: string): Promise<number> =>
      Object.keys(
        ((await get('GetGnpPropertiesBySchema', { ...values, schemaVersion })).body as { properties: object })
          .properties,
      ).length
    const counts = [await count('1.2.0'), await count('1.10.0'), await count('1.11.0')]
    expect(counts[2]).toBe(427)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  })

  test.each(['Brand SDK V4', 'Jabra SDK V4'])(
    'the device model of the family %s names the requested device; an adapter has three settings',
    async (sdk) => {
      const { device } = (await get('GetDeviceModelByDefinition', { ...values, sdk })).body as {
        device: Record<string, unknown>
      }
      expect(device).toMatchObject({ vendorId: 2830, productId: 9416, variantType: '04-0B', sdk })
      expect((device['settings'] as unknown[]).length).toBe(3)
    },
  )

  test.each([
    ['9.3.0', '1.2.0'],
    ['12.1.2', '1.10.0'],
    ['13.4.0', '1.10.0'],
    ['14.5.0', '1.11.0'],
    ['14.6.0', '1.12.0'],
  ])(
    'the device model of definition version %s has exactly the settings that schema version %s knows',
    async (definitionVersion, schemaVersion) => {
      const named = { ...values, ...camera, definitionVersion, schemaVersion }
      const { properties } = (await get('GetGnpPropertiesForProductVariant', named)).body as {
        properties: Record<string, { read?: unknown; write?: unknown }>
      }
      const bySchema = await get('GetLatestDeviceModelBySchema', named)
      const byDefinition = await get('GetDeviceModelByDefinition', named)
      const mentioned = new Set(
        [
          ...byDefinition.text.matchAll(
            /"(?:sdkProperty|property)":"([^"]+)"|"sdkProperties":\["([^"]+)"\]/g,
          ),
        ].map(([, one, other]) => one ?? other ?? ''),
      )
      expect([...mentioned].filter((name) => !Object.hasOwn(properties, name))).toEqual([])
      expect(byDefinition.text).toBe(bySchema.text)
      const settings = Object.keys(properties).filter(
        (name) => properties[name]?.write && properties[name].read,
      )
      expect(settings.filter((name) => !mentioned.has(name))).toEqual([])
    },
  )

  test('a headset has 22 settings, a camera nests its settings in groups', async () => {
    const headset = (
      await get('GetDeviceModelByDefinition', {
        ...values,
        productId: 9395,
        variantType: '01-64',
        firmwareVersion: '2.9.2',
      })
    ).body
    const video = (await get('GetDeviceModelByDefinition', { ...values, ...camera })).body as {
      device: { settings: { groupName: string; settings: unknown[] }[] }
    }
    expect((headset as { device: { settings: unknown[] } }).device.settings.length).toBe(22)
    expect(video.device.settings.map(({ groupName }) => groupName)).toEqual([
      'Video',
      'Audio and notifications',
      'System',
    ])
  })

  test('the feature model contains the names of the management interface, including the misspelt one', async () => {
    const { settings, settingIds } = (await get('GetFeatureModelByProductVariant', { ...values, ...camera }))
      .body as {
      settings: { listSettings: { settingId: string; supportedValues: string[] }[] }
      settingIds: Record<string, string>
    }
    expect(
      settings.listSettings.find((one) => one.settingId === settingIds['videoStiching'])?.supportedValues,
    ).toEqual(['blend', 'hybrid'])
  })

  test.each([
    ['an unknown definition version', 'GetDeviceModelByDefinition', { definitionVersion: '99.0.0' }],
    ['another family', 'GetDeviceModelByDefinition', { sdk: 'Other SDK' }],
    ['a firmware that does not exist', 'GetFeatureModelByProductVariant', { firmwareVersion: '0.0.1' }],
    ['a revoked firmware', 'GetFeatureModelByProductVariant', { ...camera, firmwareVersion: '9.4.0' }],
    ['another variant', 'GetFeatureModelByProductVariant', { variantType: '01-01' }],
    ['another product', 'GetFirmwareReleasesByProductId', { productId: 1 }],
    ['a product without public firmware', 'GetFirmwareReleasesByProductId', { productId: 12367 }],
    ['an unknown schema version', 'GetGnpDefinitionVersionLatest', { schemaVersion: '1.9.0' }],
    ['an older interface version', 'GetProductGroupBundles', { apiVersion: 16 }],
    ['a newer interface version', 'GetProductGroupBundles', { apiVersion: 19 }],
    ['another build type', 'GetFirmwareDownloadLinkByProduct', { buildType: 'Debug' }],
  ] as const)('%s is not published', async (_, name, parameters) => {
    const answer = await get(name, { ...values, ...parameters })
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([404, ['statusCode', 'message']])
  })
})

describe('documents over HTTP', () => {
  const catalogue = pathOf(operationNamed('GetProductGroupBundles'), { apiVersion: 18 })

  test('an unchanged document returns 304 to its ETag', async () => {
    const first = await demo.metadata(catalogue)
    const etag = first.headers.get('etag') ?? ''
    const again = await demo.metadata(catalogue, { headers: { 'if-none-match': etag } })
    const other = await demo.metadata(catalogue, { headers: { 'if-none-match': '"other"' } })
    expect([first.headers.get('cache-control'), again.status, again.text, other.status]).toEqual([
      'public, max-age=300',
      304,
      '',
      200,
    ])
  })

  test('interface version 17 still responds', async () => {
    expect((await get('GetProductGroupBundles', { apiVersion: 17 })).status).toBe(200)
  })

  test.each([
    ['without .json', catalogue.replace('.json', ''), 'GET'],
    ['with a query', `${catalogue}?x=1`, 'GET'],
    ['with an encoded .json', catalogue.replace('.json', '%2Ejson'), 'GET'],
    ['with an invalid escape', catalogue.replace('bundles.json', 'bundles/%E0%A4%A.json'), 'GET'],
  ])('a document requested %s is not found', async (_, path, method) => {
    expect((await demo.metadata(path, { method })).status).toBe(404)
  })

  test.each(['POST', 'HEAD', 'PUT'])('a document cannot be requested with %s', async (method) => {
    const answer = await demo.metadata(catalogue, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('every product in the rooms and on the desks of the demonstration is in the catalogue', async () => {
    const body = (await demo.metadata(catalogue)).body as {
      bundles: { products: CatalogueProduct[] }[]
      unbundledProducts: CatalogueProduct[]
    }
    interface CatalogueProduct {
      variants: { productId: number }[]
    }
    const listed = new Set(
      [...body.bundles.flatMap((bundle) => bundle.products), ...body.unbundledProducts].flatMap((product) =>
        product.variants.map((variant) => variant.productId),
      ),
    )
    const used = [...personalMix.map(([productId]) => productId), ...roomKits.flatMap((kit) => kit.products)]
    expect(used.filter((productId) => !listed.has(productId))).toEqual([])
    expect(sites.length).toBeGreaterThan(5)
  })
})

describe('firmware', () => {
  interface Release {
    version: string
    fileName: string
    fileSize: number
    md5Checksum?: string
    revoked?: boolean
  }
  const releasesOf = async (productId: number): Promise<Release[]> =>
    (await get('GetFirmwareReleasesByProductId', { ...values, productId })).body as Release[]
  const linkOf = async (
    productId: number,
    firmwareVersion: string,
  ): Promise<{ downloadUrl: string; fileName: string }> =>
    (await get('GetFirmwareDownloadLinkByProduct', { ...values, productId, firmwareVersion })).body as {
      downloadUrl: string
      fileName: string
    }

  test('the numerically greatest release of a product can be a revoked one', async () => {
    const releases = await releasesOf(9495)
    expect(releases.filter((release) => release.revoked).map((release) => release.version)).toEqual(['1.6.3'])
    expect(releases.map((release) => release.version)).toContain('1.6.2')
  })

  test('four-part versions differ in how many digits their last part has', async () => {
    const versions = (await releasesOf(12417)).map((release) => release.version)
    expect(versions.every((version) => /^\d+\.\d+\.\d+\.\d+$/.test(version))).toBe(true)
    expect(new Set(versions.map((version) => version.split('.')[3]?.length)).size).toBeGreaterThan(1)
  })

  test('a link keeps the spaces of its file name percent-encoded, and serves bytes of the published size and checksum', async () => {
    const { downloadUrl, fileName } = await linkOf(44650, '1.6.4')
    const bytes = new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer())
    const release = (await releasesOf(44650)).find((one) => one.version === '1.6.4')
    expect([fileName, new URL(downloadUrl).pathname]).toEqual([
      'JABRA_SPEAK2 55_OTA_V1.6.4.zip',
      '/files/JABRA_SPEAK2%2055_OTA_V1.6.4.zip',
    ])
    expect([bytes.length, createHash('md5').update(bytes).digest('base64')]).toEqual([
      release?.fileSize,
      release?.md5Checksum,
    ])
  })

  test.each([
    ['bytes=0-99', 206, 0, 100],
    ['bytes=65530-65545', 206, 65_530, 65_546],
    ['bytes=70000-', 206, 70_000, 70_491],
    ['bytes=-10', 206, 70_481, 70_491],
    ['bytes=70480-99999', 206, 70_480, 70_491],
    ['lines=1-2', 200, 0, 70_491],
  ])('the range %s is that part of the file', async (range, status, from, to) => {
    const { downloadUrl } = await linkOf(2115, '1.5.0')
    const whole = new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer())
    const answer = await fetch(downloadUrl, { headers: { range } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      status,
      status === 206 ? `bytes ${from}-${to - 1}/70491` : null,
    ])
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(from, to))).toBe(true)
  })

  test('a range beyond the end is rejected with the size, and a changed file is sent whole', async () => {
    const { downloadUrl } = await linkOf(2115, '1.5.0')
    const beyond = await fetch(downloadUrl, { headers: { range: 'bytes=70491-' } })
    const changed = await fetch(downloadUrl, { headers: { range: 'bytes=5-', 'if-range': '"other"' } })
    await changed.arrayBuffer()
    expect([beyond.status, beyond.headers.get('content-range'), changed.status]).toEqual([
      416,
      'bytes */70491',
      200,
    ])
  })

  test('a link assembled differently from the given one does not work', async () => {
    const { downloadUrl } = await linkOf(2115, '1.5.0')
    expect((await fetch(decodeURIComponent(downloadUrl))).status).toBe(403)
  })

  test('every published checksum has 16 bytes, and those of small files are right', async () => {
    const { firmwareBytes } = await import('../../electron/demo/firmware-files.ts')
    const releases = products.flatMap((product) => product.releases)
    expect(
      releases.filter((release) => release.md5 !== null && Buffer.from(release.md5, 'base64').length !== 16),
    ).toEqual([])
    expect(releases.filter((release) => release.md5 === null).length).toBeLessThan(25)
    const wrong = releases.filter((release) => {
      if (release.md5 === null || release.fileSize > 1_000_000) return false
      const hash = createHash('md5')
      for (const bytes of firmwareBytes(release.fileName, 0, release.fileSize)) hash.update(bytes)
      return hash.digest('base64') !== release.md5
    })
    expect(wrong).toEqual([])
  })
})

test('the picture of each product is of what it is', () => {
  const drawn = (name: string): string | undefined => {
    const { body } = pictureResponse(`${slugOf(name)}-thumbnail.png`)
    const base64 = body instanceof Uint8Array ? Buffer.from(body).toString('base64') : null
    return Object.entries(drawings).find(([, drawing]) => drawing.base64 === base64)?.[0]
  }
  const wrong = products
    .map(({ name }) => ({ name, drawn: drawn(name), is: formFactorOf(name) }))
    .filter((one) => one.drawn !== undefined && one.drawn !== one.is)
  expect(wrong).toEqual([])
})
