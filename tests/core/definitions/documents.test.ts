import { describe, expect, it, test } from 'vitest'
import type {
  DefinitionItem,
  DocumentKind,
  ReadDocument,
} from '../../../electron/contract/api/definitions.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { isEmptyDocument } from '../../../electron/core/metadata/metadata.ts'
import { baseUrl, failureOf } from '../metadata/fake-metadata-service.ts'
import {
  definition,
  definitionsRig as rig,
  device,
  featureModel,
  featurePath,
  gnp,
  item,
  modelPath,
  propertiesPath,
  query,
  selected,
  variant,
} from './a-definitions-rig.ts'

const jose = {
  schemaVersion: '2',
  definitionVersion: '2.1.0',
  settings: { volume: { type: 'int', values: [1] } },
}
const paths = {
  wholeSchema: `${gnp}/schema-versions/1.11.0/properties`,
  trimmed: `${gnp}/schema-versions/1.11.0/properties/trimmed`,
  modelBySchema: `${variant}/device-models/Brand%20SDK%20V4/schema-versions/1.10.0`,
  ofEntity: '/vendors/products/0a0a0a0a-0000-4000-8000-000000000001/firmware-versions/2.9.2/feature-model',
}

const property = item({
  name: 'soundMode',
  label: 'Sound mode',
  type: 'string',
  allowed: ['normal', 'bass'],
  access: ['read', 'write'],
})
const noProduct = { ...selected(query), product: null, variantType: null, firmwareVersion: null }

describe('a parsed document', () => {
  it('lists each part of a product on its own', async () => {
    const { definitions, service, clock } = rig()
    service.set(propertiesPath, definition)
    service.set(modelPath('14.5.0'), { device })
    service.documents.set(featurePath, {
      failure: { kind: 'offline', call: { operation: 'F', host: 'h' }, message: '' },
    })
    const found = await definitions.documents({ selection: selected(query), kinds: null })
    const answered = (document: DocumentKind, changes: Partial<ReadDocument>): unknown => ({
      document,
      schemaVersion: null,
      definitionVersion: null,
      stage: null,
      joseVersion: null,
      askedFor: null,
      aboveLimit: false,
      olderThan: null,
      isUnderstood: true,
      observedAt: clock.now(),
      fromCache: false,
      ...changes,
    })
    expect(found).toEqual({
      variantType: '01-64',
      firmwareVersion: '2.9.2',
      documents: [
        answered('properties', {
          address: expect.stringContaining(`${baseUrl}/models/v/18${propertiesPath}`) as string,
          definitionVersion: '14.5.0',
          schemaVersion: '1.11.0',
          stage: 'Public',
          items: [property],
          raw: definition,
        }),
        answered('device-model', {
          address: expect.stringContaining(modelPath('14.5.0')) as string,
          askedFor: '14.5.0',
          items: [item({ name: 'SOUND_MODE', label: 'Sound mode', aliases: ['soundMode'] })],
          raw: { device },
        }),
      ],
      failed: [
        { document: 'feature-model', failure: expect.objectContaining({ kind: 'offline' }) as unknown },
      ],
      absent: ['jose', 'property-map', 'name-map'],
    })
  })

  it.each<[string, string, Json, Parameters<typeof selected>[1], DocumentKind, readonly DefinitionItem[]]>([
    ['properties of a schema', paths.wholeSchema, definition, noProduct, 'properties', [property]],
    [
      'properties of a schema, trimmed',
      paths.trimmed,
      { properties: { reboot: { execute: true } } },
      { trimmed: true },
      'properties',
      [item({ name: 'reboot', label: 'Reboot', access: ['execute'] })],
    ],
    [
      'a device model by schema version',
      paths.modelBySchema,
      {
        device: {
          ...device,
          settings: [
            {
              settingId: 'VOLUME',
              type: 'Integer',
              minValue: 1,
              maxValue: 9,
              unit: 'dB',
              settingAccess: 'ReadWrite',
              requiresRestart: true,
            },
          ],
        },
      },
      { schemaVersion: '1.10.0' },
      'device-model',
      [
        item({
          name: 'VOLUME',
          label: 'Volume',
          type: 'Integer',
          minimum: 1,
          maximum: 9,
          unit: 'dB',
          access: ['read', 'write'],
          restarts: true,
        }),
      ],
    ],
    [
      'a feature model',
      featurePath,
      featureModel,
      {},
      'feature-model',
      [
        item({
          name: 'soundMode',
          label: 'Sound mode',
          aliases: ['SOUND_MODE'],
          type: 'choice',
          allowed: ['bass'],
        }),
      ],
    ],
    [
      'a Jose definition',
      `/protocol-definitions/jose${variant}/schema-versions/2/definition`,
      jose,
      {},
      'jose',
      [
        item({
          name: 'volume',
          label: 'Volume',
          group: 'settings',
          type: 'int',
          allowed: [1],
          members: { type: 'int', values: [1] },
        }),
      ],
    ],
    [
      'a property map',
      `${gnp}/schema-versions/1.11.0/property-map`,
      { mapping: { soundMode: 'CONFIG__SOUND_MODE' } },
      noProduct,
      'property-map',
      [item({ name: 'soundMode', label: 'Sound mode', members: { value: 'CONFIG__SOUND_MODE' } })],
    ],
    [
      'the name map',
      '/product-mapping/name-map',
      { settingIds: { soundMode: 'SOUND_MODE' } },
      noProduct,
      'name-map',
      [item({ name: 'soundMode', label: 'Sound mode', members: { value: 'SOUND_MODE' } })],
    ],
  ])('%s', async (_, path, json, changes, kind, items) => {
    const { definitions, service } = rig()
    service.set(path, json)
    const found = await definitions.documents({ selection: selected(query, changes), kinds: [kind] })
    expect(found.documents.map((one) => ({ items: one.items, raw: one.raw }))).toEqual([{ items, raw: json }])
  })

  it.each<[string, Parameters<typeof selected>[1], string, boolean]>([
    ['a version above it', { definitionVersion: '14.6.0' }, modelPath('14.6.0'), true],
    ['a version within it', { definitionVersion: '14.4.0' }, modelPath('14.4.0'), false],
    ['a schema, whose latest is above it', { schemaVersion: '1.10.0' }, paths.modelBySchema, true],
  ])(
    'a device model that states no version is judged by the requested one: %s',
    async (_, changes, path, above) => {
      const { definitions, service } = rig()
      service.set(path, { device })
      const { documents } = await definitions.documents({
        selection: selected(query, changes),
        kinds: ['device-model'],
      })
      expect(documents.map(({ aboveLimit }) => aboveLimit)).toEqual([above])
    },
  )

  it('names a setting by the name map', async () => {
    const { definitions, service } = rig()
    service.set(featurePath, featureModel)
    service.set('/product-mapping/name-map', { names: [{ settingId: 'SOUND_MODE', displayName: 'Sound' }] })
    const { documents } = await definitions.documents({
      selection: selected(query),
      kinds: ['feature-model'],
    })
    expect(documents[0]?.items.map(({ name, label }) => [name, label])).toEqual([['soundMode', 'Sound']])
  })

  it('uses the feature model of the entity id for a product without a variant', async () => {
    const { definitions, service } = rig()
    const entityId = '0a0a0a0a-0000-4000-8000-000000000001'
    const partner = { vendorId: 2830, productId: 9395, variantType: '', entityId }
    service.set('/product-group-bundles/bundles', {
      bundles: [],
      unbundledProducts: [{ productName: 'Partner', variants: [partner] }],
    })
    service.set(paths.ofEntity, featureModel)
    const found = await definitions.documents({
      selection: selected(query, { variantType: null }),
      kinds: ['feature-model', 'device-model'],
    })
    expect([found.documents.map(({ document }) => document), found.absent]).toEqual([
      ['feature-model'],
      ['device-model'],
    ])
  })

  const joseOf = (version: number): string =>
    `/protocol-definitions/jose${version === 1 ? variant.replace('/variants/01-64', '') : variant}/schema-versions/${version}/definition`
  it.each<[string, readonly number[], readonly unknown[], readonly string[]]>([
    ['V2, and V1 next to it', [1, 2], [['jose', 2], ['jose-v1', 1]], []], // prettier-ignore
    ['V2 alone', [2], [['jose', 2]], ['jose-v1']], // prettier-ignore
    ['V1 alone, once', [1], [['jose', 1]], []], // prettier-ignore
    ['none', [], [], ['jose']],
  ])('of Jose is %s', async (_, versions, reported, missing) => {
    const { definitions, service } = rig()
    for (const version of versions) service.set(joseOf(version), jose)
    const found = await definitions.documents({ selection: selected(query), kinds: null })
    expect([
      found.documents.flatMap((one) => (one.joseVersion === null ? [] : [[one.document, one.joseVersion]])),
      found.absent.filter((one) => one.startsWith('jose')),
    ]).toEqual([reported, missing])
  })
  it('compares Jose V1 with V1 even if one side has V2 as well', async () => {
    const { definitions, service } = rig()
    service.set(joseOf(1), jose)
    service.set(joseOf(2), { ...jose, settings: [] })
    const right = selected({ ...query, firmwareVersion: '2.9.0' })
    service.set(joseOf(1).replace('2.9.2', '2.9.0'), jose)
    const { compared, removed, added } = await definitions.compare({
      left: selected(query),
      right,
      kinds: null,
    })
    expect([
      compared.filter((one) => one.startsWith('jose')),
      removed,
      added.map(({ source }) => source),
    ]).toEqual([['jose', 'jose-v1'], [], ['jose']])
  })

  it('rejects a document when no product is selected', async () => {
    const { definitions } = rig()
    expect(await failureOf(definitions.documents({ selection: noProduct, kinds: ['jose'] }))).toMatchObject({
      kind: 'invalid',
      field: 'product',
    })
  })
})

describe('thirty days without a service', () => {
  it('serves documents from the cache, with their age', async () => {
    const { definitions, service, clock, restart } = rig()
    service
      .set(propertiesPath, definition)
      .set(featurePath, featureModel)
      .set(modelPath('14.5.0'), { device })
    const requested = {
      selection: selected(query),
      kinds: ['properties', 'device-model', 'feature-model'],
    } as const
    const before = await definitions.documents(requested)
    service.offline = true
    await clock.advance(30 * 24 * 3_600_000)
    expect(await restart().documents(requested)).toEqual({
      ...before,
      documents: before.documents.map((one) => ({ ...one, fromCache: true })),
    })
  })
})

describe('the installed package', () => {
  it('is available offline with the properties of its schema version', async () => {
    const { definitions, service, clock } = rig()
    service.offline = true
    const { documents, absent } = await definitions.documents({
      selection: selected(query, { source: 'package' }),
      kinds: ['properties', 'feature-model'],
    })
    const [{ items, raw: _, ...about }] = documents as [ReadDocument]
    expect([about, items.length, absent]).toEqual([
      {
        document: 'properties',
        address: '@gnaudio/jabra-properties-definition@14.5.0/properties.json',
        schemaVersion: '1.11.0',
        definitionVersion: '14.5.0',
        stage: null,
        joseVersion: null,
        askedFor: null,
        aboveLimit: false,
        olderThan: null,
        isUnderstood: true,
        observedAt: clock.now(),
        fromCache: true,
      },
      427,
      ['feature-model'],
    ])
  })
})

describe('a document older than a trusted one', () => {
  it('is not one whose definition version is no version', async () => {
    const { definitions, service, clock } = rig()
    const seen: unknown[] = []
    for (const version of ['14.4.0', 'next', '14.4.0']) {
      service.set(featurePath, { features: [], definitionVersion: version })
      const { documents } = await definitions.documents({
        selection: selected(query),
        kinds: ['feature-model'],
      })
      seen.push(documents.map(({ definitionVersion, olderThan }) => [definitionVersion, olderThan]))
      await clock.advance(25 * 3_600_000)
    }
    expect(seen).toEqual([[['14.4.0', null]], [['next', null]], [['14.4.0', null]]])
  })
  it('is flagged until a newer one arrives, and one above the limit is not trusted', async () => {
    const { definitions, service, clock } = rig()
    const startedAt = clock.now()
    const seen: unknown[] = []
    for (const version of ['14.4.0', '14.6.0', '14.2.0', '14.5.0']) {
      service.set(propertiesPath, { ...definition, definitionVersion: version })
      const { documents } = await definitions.documents({ selection: selected(query), kinds: ['properties'] })
      seen.push(documents.map(({ definitionVersion, olderThan }) => [definitionVersion, olderThan]))
      await clock.advance(25 * 3_600_000)
    }
    expect(seen).toEqual([
      [['14.4.0', null]],
      [['14.6.0', null]],
      [['14.2.0', { definitionVersion: '14.4.0', observedAt: startedAt }]],
      [['14.5.0', null]],
    ])
  })
})

describe('schema versions', () => {
  it('are listed greatest first with their latest definition version and its stage', async () => {
    const { definitions, service } = rig()
    service.set(`${gnp}/schema-versions/1.12.0/properties/trimmed`, {
      definitionVersion: '14.6.0',
      stage: 'Beta',
      properties: {},
    })
    const { schemas } = await definitions.versions({ refresh: false })
    expect(schemas).toEqual([
      { version: '1.12.0', stage: 'Beta', latest: '14.6.0' },
      { version: '1.10.0', stage: null, latest: null },
      { version: '1.2.0', stage: null, latest: null },
    ])
  })
})

test.each<[DocumentKind, Json, boolean]>([
  ['device-model', { device: { settings: [] } }, true],
  ['device-model', { device: { settings: [], commands: {}, note: 'x' } }, true],
  ['device-model', { settings: [] }, true],
  ['device-model', { device: {} }, false],
  ['device-model', { device: { settings: null } }, false],
  ['device-model', { device: { settings: [{ x: 1 }] } }, false],
  ['device-model', { root: { x: [{ settingId: 'A' }] } }, false],
  ['feature-model', { settings: {} }, true],
  ['feature-model', { settings: [] }, true],
  ['feature-model', { settings: { listSettings: [], numberSettings: [] } }, true],
  ['feature-model', { settings: { listSettings: [{ x: 1 }] } }, false],
  ['feature-model', { other: [] }, false],
  ['property-map', { mapping: {} }, true],
  ['property-map', { mapping: { a: 1 } }, false],
  ['name-map', {}, true],
  ['name-map', { a: { b: 1 } }, false],
])('a %s without items %j is empty, not one that is not understood: %s', (kind, raw, isEmpty) => {
  expect(isEmptyDocument[kind](raw)).toBe(isEmpty)
})
