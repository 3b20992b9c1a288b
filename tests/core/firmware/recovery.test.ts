import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openFirmware, openRecovery } from '../../../electron/core/firmware/firmware.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'

const catalogue = {
  bundles: [],
  unbundledProducts: [
    {
      productName: 'Jabra Evolve2 85',
      variants: [{ vendorId: 2830, productId: 9403, variantType: '01-6B' }],
    },
    { productName: 'Jabra Link 380a', variants: [{ vendorId: 2830, productId: 9416, variantType: '04-0B' }] },
  ],
}
const firmware = {
  version: '2.9.2',
  fileName: 'Jabra EVOLVE2 85.zip',
  md5Checksum: 'CY9rzUYh03PK3k6DJie09g==',
}
const configuration = {
  platformOs: 'Windows',
  fwuProtocolId: 7,
  dfuProductId: 9401,
  vendorId: 2830,
  productIds: [9403],
  timeoutInSeconds: 600,
}
const linkPath = '/vendors/2830/products/9403/firmware-versions/2.9.2/build-types/Release/downloadLink'
const url = 'https://firmware.example.com/Jabra EVOLVE2 85.zip?sig=1'
const recoveryPath = (id: number): string => `/vendors/2830/products/recovery/${id}`

function rig(documents: Readonly<Record<string, Json>> = {}) {
  const metadata = metadataRig()
  const published: Record<string, Json> = {
    '/product-group-bundles/bundles': catalogue,
    '/vendors/products/variants/firmware-updater-configurations/dfu-product-ids': [
      { vendorId: 2830, dfuProductIds: [9401, 772] },
    ],
    [`${recoveryPath(9401)}/firmware`]: firmware,
    [`${recoveryPath(9401)}/firmware-updater-configurations`]: [
      configuration,
      { ...configuration, platformOs: 'macOS' },
    ],
    [linkPath]: { downloadUrl: url },
    ...documents,
  }
  for (const [path, json] of Object.entries(published)) metadata.service.set(path, json)
  const start = () => {
    const face = metadata.start()
    const { product, productsWithFile, releases, usualBuildType } = openFirmware({
      clock: metadata.clock,
      metadata: face,
      deviceCounts: async () => new Map([[9403, 12]]),
      vendorId: 2830,
      assumedBuildTypes: ['Release', 'Test', 'Debug'],
    })
    return openRecovery({
      clock: metadata.clock,
      metadata: face,
      product,
      productsWithFile,
      releases: (one) => releases(one, { cachedOnly: true }),
      vendorId: 2830,
      usualBuildType,
    })
  }
  return { ...metadata, recovery: start(), restart: start }
}

describe('a device in recovery mode', () => {
  test.each([
    '0x24B9',
    '24b9',
    '9401',
    'USB\\VID_0B0E&PID_24B9\\7&1A',
    'pid_24b9',
    '0b0e:24b9',
    '0x0b0e:0x24b9',
    'Bus 001 Device 005: ID 0b0e:24b9 GN Netcom',
    'usb:v0B0Ep24B9d0100dc00dsc00',
    'Product ID: 0x24b9 Vendor ID: 0x0b0e  (GN Netcom)',
    '"idProduct" = 9401',
    '  idVendor 0x0b0e GN Netcom\n  idProduct 0x24b9',
    '2830/9401',
    ' 2830 / 0x24B9 ',
  ])('%s is an Evolve2 85: its firmware, link and configurations', async (text) => {
    const { recovery, clock } = rig()
    const answer = await recovery.look({ text })
    expect(answer).toMatchObject({
      vendorId: 2830,
      dfuProductId: 9401,
      products: [{ vendorId: 2830, productId: 9403, name: 'Jabra Evolve2 85', deviceCount: 12 }],
      firmware: {
        version: '2.9.2',
        latest: true,
        fileName: 'Jabra EVOLVE2 85.zip',
        md5: '098f6bcd4621d373cade4e832627b4f6',
      },
      link: { url, host: 'firmware.example.com' },
      configurations: [configuration, { ...configuration, platformOs: 'macOS' }],
      raw: firmware,
      observedAt: clock.now(),
      fromCache: false,
      failed: [],
    })
    expect(answer.products).toHaveLength(1)
  })

  it('is identified from the cache without a connection, with its age', async () => {
    const { recovery, restart, service, clock } = rig()
    const before = await recovery.look({ text: '24B9' })
    service.offline = true
    await clock.advance(3 * 86_400_000)
    expect(await restart().look({ text: '24B9' })).toEqual({ ...before, fromCache: true })
  })

  it.each<[string, Readonly<Record<string, Json>>]>([
    [
      'its own record',
      { [`${recoveryPath(9401)}/firmware`]: { ...firmware, revoked: true, downloadUrl: url } },
    ],
    [
      'the catalogue',
      {
        '/product-group-bundles/bundles': {
          ...catalogue,
          unbundledProducts: catalogue.unbundledProducts.map((one) => ({
            ...one,
            releases: [{ version: '2.9.2', revoked: true }],
          })),
        },
      },
    ],
  ])('is offered no firmware that %s calls revoked', async (_, documents) => {
    const { recovery } = rig(documents)
    const answer = await recovery.look({ text: '24B9' })
    expect(answer).toMatchObject({ firmware: { version: '2.9.2', revoked: true, latest: false }, link: null })
  })

  it('uses the link in the firmware record before that of a product', async () => {
    const own = {
      ...firmware,
      downloadUrl: 'https://own.example/a.zip',
      releaseNotesUrl: 'https://notes.example',
    }
    const { recovery, service } = rig({ [`${recoveryPath(9401)}/firmware`]: own })
    expect((await recovery.look({ text: '24B9' })).link).toEqual({
      url: 'https://own.example/a.zip',
      host: 'own.example',
    })
    expect(service.requested(linkPath)).toBe(0)
  })

  it('is identified by the same file in the catalogue when its configurations name no product', async () => {
    const [first, ...others] = catalogue.unbundledProducts
    const sameVersion = { ...firmware, md5Checksum: 'AAAAAAAAAAAAAAAAAAAAAA==' }
    const published = [
      { ...first, firmwareReleases: [firmware] },
      ...others.map((one) => ({ ...one, firmwareReleases: [sameVersion] })),
    ]
    const { recovery } = rig({
      '/product-group-bundles/bundles': { bundles: [], unbundledProducts: published as Json[] },
      [`${recoveryPath(9401)}/firmware-updater-configurations`]: [],
    })
    const { products, link } = await recovery.look({ text: '24B9' })
    expect([products.map(({ name }) => name), link?.url]).toEqual([['Jabra Evolve2 85'], url])
  })

  test.each<[string, string, object]>([
    [
      'digits that are a recovery id as hexadecimal only',
      '0304',
      { dfuProductId: 772, firmware: null, configurations: [] },
    ],
    [
      'an id for which nothing is published',
      '0xFFF0',
      { dfuProductId: 65_520, firmware: null, link: null, products: [], configurations: [], raw: null },
    ],
    [
      'the id of a product in its usual mode',
      '9416',
      { dfuProductId: 9416, firmware: null, products: [{ name: 'Jabra Link 380a' }] },
    ],
  ])('%s', async (_, text, wanted) => {
    expect(await rig().recovery.look({ text })).toMatchObject(wanted)
  })

  const idsPath = '/vendors/products/variants/firmware-updater-configurations/dfu-product-ids'
  const firmwarePath = `${recoveryPath(9401)}/firmware`
  const configurationsPath = `${recoveryPath(9401)}/firmware-updater-configurations`
  const all = { version: '2.9.2', url, configurations: 2 }
  test.each<[string, string, object]>([
    ['ids', idsPath, all],
    ['firmware', firmwarePath, { ...all, version: undefined, url: undefined }],
    ['configurations', configurationsPath, { ...all, url: undefined, configurations: 0 }],
    ['link', linkPath, { ...all, url: undefined }],
  ])(
    'is still identified when the document of %s is unreadable, which is reported',
    async (document, path, wanted) => {
      const { recovery } = rig({ [path]: false })
      const found = await recovery.look({ text: '0x24B9' })
      expect({
        version: found.firmware?.version,
        url: found.link?.url,
        configurations: found.configurations.length,
        failed: found.failed.map((one) => [one.document, one.failure.kind]),
      }).toEqual({ ...wanted, failed: [[document, 'unreadable-answer']] })
    },
  )

  it('is not identified when all three documents are unreadable', async () => {
    const paths = [idsPath, firmwarePath, configurationsPath]
    const { recovery } = rig(Object.fromEntries(paths.map((path) => [path, false])))
    expect(await failureOf(recovery.look({ text: '24B9' }))).toMatchObject({ kind: 'unreadable-answer' })
  })

  test.each(['', 'Evolve2 85', '0x', '99999999999', '24B9 please'])('"%s" contains no id', async (text) => {
    expect(await failureOf(rig().recovery.look({ text }))).toMatchObject({ kind: 'invalid', field: 'text' })
  })

  it('reports that the service cannot be reached when nothing is cached', async () => {
    const { recovery, service } = rig()
    service.offline = true
    expect(await failureOf(recovery.look({ text: '24B9' }))).toMatchObject({ kind: 'offline' })
  })
})
