import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definitionCommands } from '../../electron/cli/commands/definitions.ts'
import { differenceCommands } from '../../electron/cli/commands/differences.ts'
import type { Json, JsonObject } from '../../electron/contract/json.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'
import { answer } from '../fake-transport.ts'

const gnp = '/protocol-definitions/gnp'
const variant = (firmware: string): string =>
  `/vendors/2830/products/9395/variants/01-64/firmware-versions/${firmware}`
const feature = (volume: JsonObject, ...lists: Json[]): Json => ({
  settings: { numberSettings: [{ settingId: 'VOLUME', ...volume }], listSettings: lists },
  settingIds: { volume: 'VOLUME', mode: 'MODE' },
})

let service: OddService
beforeEach(async () => {
  service = await anOddService()
  service.documents
    .set('/product-group-bundles/bundles', {
      bundles: [],
      unbundledProducts: [
        { productName: 'Headset', variants: [{ vendorId: 2830, productId: 9395, variantType: '01-64' }] },
      ],
    })
    .set('/vendors/2830/products/9395/firmware-releases', [
      { version: '2.0.0' },
      { version: '1.0.0', isRevoked: true },
    ])
    .set(`${gnp}/schema-versions`, [{ version: '1.10.0' }, { version: '1.12.0' }])
    .set(`${gnp}/definition-versions/schema-versions/1.12.0/latest/info`, { definitionVersion: '14.6.0' })
    .set(`${variant('1.0.0')}/feature-model`, feature({ minimumValue: 0, maximumValue: 12 }))
    .set(
      `${variant('2.0.0')}/feature-model`,
      feature({ minimumValue: 0, maximumValue: 7 }, { settingId: 'MODE', supportedValues: ['a', 'b'] }),
    )
})
afterEach(() => service.close())

const headroom = (...argv: string[]) => service.run([...definitionCommands, ...differenceCommands], ...argv)
const read = async (...argv: string[]): Promise<unknown> => {
  const { code, output } = await headroom(...argv, '--json')
  return { code, document: JSON.parse(output) as Json }
}

describe('headroom definitions', () => {
  it('versions lists schema versions, the highest supported version and the one in use', async () => {
    expect(await read('definitions', 'versions')).toEqual({
      code: 0,
      document: {
        schemas: [
          { version: '1.12.0', stage: null, latest: '14.6.0' },
          { version: '1.10.0', stage: null, latest: null },
        ],
        highestSupported: '14.5.0',
        inUse: '14.5.0',
        reason: 'held-at-package',
      },
    })
  })

  it('latest prints which version is in use, and for which product it was requested', async () => {
    const product = { vendorId: 2830, productId: 9395, name: 'Headset' }
    const latest = await headroom('definitions', 'latest', '--json')
    const ofProduct = await headroom('definitions', 'latest', '0x24B3', '--json')
    const [own, requested] = [latest, ofProduct].map(({ output }) => JSON.parse(output) as JsonObject)
    expect([own?.['inUse'], own?.['reason'], requested]).toEqual([
      '14.5.0',
      'held-at-package',
      { product, ...own, fromCache: true },
    ])
  })

  it('show prints one document, with 3 where it is not published', async () => {
    const visible = await headroom(
      ...['definitions', 'show', 'Headset', '--document', 'feature-model', '--firmware', '1.0.0', '--json'],
    )
    const { items, ...document } = JSON.parse(visible.output) as JsonObject & { items: readonly JsonObject[] }
    expect([visible.code, document, items.map(({ name, maximum }) => [name, maximum])]).toEqual([
      0,
      {
        document: 'feature-model',
        address: `https://odd.example/models/v/18${variant('1.0.0')}/feature-model.json`,
        schemaVersion: null,
        definitionVersion: null,
        stage: null,
        joseVersion: null,
        askedFor: null,
        aboveLimit: false,
        olderThan: null,
        isUnderstood: true,
        raw: feature({ minimumValue: 0, maximumValue: 12 }),
        observedAt: expect.any(Number) as number,
        fromCache: expect.any(Boolean) as boolean,
      },
      [['volume', 12]],
    ])
    await expect(
      headroom('definitions', 'show', 'Headset', '--document', 'device-model', '--firmware', '1.0.0'),
    ).rejects.toMatchObject({ failure: { kind: 'not-found' } })
  })

  it('show prints all readable documents, names those that failed and ends with 4', async () => {
    service.instead = ({ url }) => (url.includes('name-map') ? answer(200, { error: 'x' }) : undefined)
    const { code, document } = (await read('definitions', 'show', 'Headset', '--firmware', '1.0.0')) as {
      code: number
      document: Record<'documents' | 'failed' | 'absent', readonly { readonly document: string }[]>
    }
    expect([code, document.documents.map((one) => one.document), document.failed, document.absent]).toEqual([
      4,
      ['feature-model'],
      [{ document: 'name-map', reason: expect.any(String) as string }],
      ['properties', 'device-model', 'jose', 'property-map'],
    ])
  })

  it('diff compares the service with the installed package', async () => {
    service.documents.set(`${gnp}/schema-versions/1.11.0/properties`, { properties: {} })
    const trimmed = `${gnp}/schema-versions/1.11.0/properties/trimmed`
    service.documents.set(trimmed, {
      definitionVersion: '14.5.0',
      properties: { nobodyKnows: { read: true } },
    })
    const { code, document } = (await read(
      ...[
        'definitions',
        'diff',
        'Headset',
        '--document',
        'properties',
        '--trimmed',
        '--with-source',
        'package',
      ],
    )) as { code: number; document: Record<'added' | 'removed', readonly JsonObject[]> }
    expect([code, document.added.length, document.removed]).toEqual([
      0,
      427,
      [
        {
          name: 'nobodyKnows',
          label: 'Nobody knows',
          source: 'properties',
          type: null,
          access: ['read'],
          allowed: [],
        },
      ],
    ])
  })
})

describe('headroom firmware diff', () => {
  const found = {
    product: { vendorId: 2830, productId: 9395, name: 'Headset', variant: '01-64' },
    from: '1.0.0',
    to: '2.0.0',
    added: [
      {
        name: 'mode',
        label: 'Mode',
        source: 'feature-model',
        type: 'choice',
        access: [],
        allowed: ['a', 'b'],
      },
    ],
    removed: [],
    changed: [
      { name: 'volume', label: 'Volume', source: 'feature-model', member: 'maximum', from: 12, to: 7 },
    ],
    gaps: [],
    absent: ['properties', 'device-model', 'jose'],
    devices: { total: 0, allowed: 0, notAllowed: 0, unknown: 0, ids: [] },
  }

  it('prints what a version changes, and says that one was revoked', async () => {
    const visible = await headroom('firmware', 'diff', 'Headset', '1.0.0', '2.0.0', '--json')
    expect([visible.code, JSON.parse(visible.output), visible.errors]).toEqual([
      0,
      found,
      '1.0.0 was revoked.\n',
    ])
  })

  it('prints what is withdrawn, what is new and which devices are at risk', async () => {
    const list = (...supportedValues: string[]): Json =>
      feature({ minimumValue: 0, maximumValue: 7 }, { settingId: 'MODE', supportedValues })
    service.documents.set(`${variant('1.0.0')}/feature-model`, list('a', 'c'))
    const { output } = await headroom('firmware', 'diff', 'Headset', '1.0.0', '2.0.0')
    expect(output.split('\n')).toEqual([
      'Headset 01-64, 1.0.0 to 2.0.0',
      '   Label  Name  Document       What',
      '~  Mode   mode  Feature model  values withdrawn: c; values new: b',
      '0 added, 0 removed, 1 changed, 1 equal.',
      'Not published for either: Property definitions, Device model, Jose definition.',
      '0 devices: 0 at risk, 0 unknown, 0 allowed.',
      '',
    ])
  })

  it('ends with 4 when a document could not be compared', async () => {
    service.documents.set(
      `/protocol-definitions/jose/vendors/2830/products/9395/firmware-versions/1.0.0/schema-versions/1/definition`,
      { settings: [] },
    )
    expect(await read('firmware', 'diff', 'Headset', '1.0.0', '2.0.0')).toEqual({
      code: 4,
      document: {
        ...found,
        gaps: [{ document: 'jose', reason: '2.0.0: not published.' }],
        absent: ['properties', 'device-model'],
      },
    })
  })

  it('counts no device as allowed when nothing could be compared', async () => {
    const { output } = await headroom('firmware', 'diff', 'Headset', '8.0.0', '9.0.0')
    expect(output.split('\n').filter((line) => /compared|devices/.test(line))).toEqual([
      'Nothing could be compared.',
      '0 devices: 0 at risk, 0 unknown, 0 allowed.',
    ])
  })

  it('prints its document and ends with 3 when nothing could be compared', async () => {
    expect(await read('firmware', 'diff', 'Headset', '8.0.0', '9.0.0')).toMatchObject({
      code: 3,
      document: { added: [], removed: [], changed: [], gaps: [], devices: found.devices },
    })
  })
})
