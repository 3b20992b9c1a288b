import { describe, expect, it } from 'vitest'
import type { FleetFirmware, ProductDefinitions } from '../../../electron/contract/api/definitions.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import {
  definition,
  definitionsRig,
  device,
  featureModel,
  featurePath,
  modelPath,
  propertiesPath,
  publish,
  query,
  type DefinitionsRigOptions,
} from './a-definitions-rig.ts'

const above = {
  definitionVersion: '14.6.0',
  schemaVersion: '1.12.0',
  stage: 'Candidate',
  properties: { future: { valueType: { type: 'boolean' } } },
}

function rig(documents: Readonly<Record<string, Json>> = {}, options: DefinitionsRigOptions = {}) {
  const all = definitionsRig(options)
  publish(all.service)
  for (const [path, json] of Object.entries(documents)) all.service.set(path, json)
  return all
}
const names = ({ properties }: ProductDefinitions): readonly string[] => properties.map(({ name }) => name)
const labels = ({ documents }: ProductDefinitions): readonly unknown[] =>
  documents.map((one) => [
    one.document,
    one.definitionVersion,
    one.schemaVersion,
    one.stage,
    one.aboveLimit ? 'above' : 'used',
  ])

describe('the definition limit applies', () => {
  it('shows a document above it as received and uses nothing from it', async () => {
    const read = await rig({ [propertiesPath]: above }).definitions.load(query)
    expect([names(read), read.stage, labels(read), read.documents[0]?.raw]).toEqual([
      ['soundMode'],
      null,
      [
        ['properties', '14.6.0', '1.12.0', 'Candidate', 'above'],
        ['device-model', null, null, null, 'used'],
        ['feature-model', null, null, null, 'used'],
      ],
      above,
    ])
  })

  it.each<[string, Json, string]>([
    ['exactly the version', definition, 'used'],
    ['an earlier one', { ...definition, definitionVersion: '14.4.0' }, 'used'],
    ['a later one', { ...definition, definitionVersion: '14.5.1' }, 'above'],
    ['a later one by its fourth part', { ...definition, definitionVersion: '14.5.0.1' }, 'above'],
    ['a later one as a number', { ...definition, definitionVersion: 15 }, 'above'],
    ['number by number', { ...definition, definitionVersion: '14.10.0' }, 'above'],
    [
      'a missing version, while the latest is above the limit',
      { properties: definition.properties },
      'above',
    ],
    ['an invalid version', { ...definition, definitionVersion: 'newest' }, 'above'],
  ])('a property document of %s is %s', async (_, json, expected) => {
    const read = await rig({ [propertiesPath]: json }).definitions.load(query)
    expect(labels(read)[0]).toContain(expected)
  })

  it('does not use a device model of another version than requested', async () => {
    const read = await rig({
      [modelPath('14.5.0')]: { definitionVersion: '14.6.0', device },
    }).definitions.load(query)
    expect([read.deviceModel, labels(read)[1]]).toEqual([
      null,
      ['device-model', '14.6.0', null, null, 'above'],
    ])
  })

  it('does not use a feature model above it either', async () => {
    const read = await rig({
      [featurePath]: { ...featureModel, definitionVersion: '14.6.0' },
    }).definitions.load(query)
    expect([read.featureModel, labels(read)[2]]).toEqual([
      null,
      ['feature-model', '14.6.0', null, null, 'above'],
    ])
  })

  it('uses the number of the profile', async () => {
    const all = definitionsRig({ profile: '13.4.0' })
    publish(all.service)
    all.service.set(modelPath('13.4.0'), { device: { ...device, settings: [] } })
    const read = await all.definitions.load(query)
    expect([names(read), labels(read)[0]]).toEqual([
      [],
      ['properties', '14.5.0', '1.11.0', 'Public', 'above'],
    ])
  })
})

describe('properties of the version in use', () => {
  it('are those of the device model of that definition version, defined by the document of the variant', async () => {
    const model = { device: { ...device, commands: [{ commandId: 'REBOOT', sdkProperty: 'reboot' }] } }
    const own = {
      ...definition,
      properties: { ...definition.properties, serialNumber: { valueType: { type: 'string' }, read: [{}] } },
    }
    const read = await rig({ [modelPath('14.5.0')]: model, [propertiesPath]: own }).definitions.load(query)
    expect(read.properties.map(({ name, type, execute }) => [name, type, execute])).toEqual([
      ['reboot', null, true],
      ['serialNumber', 'string', false],
      ['soundMode', 'string', false],
    ])
  })

  it('are those of the device model if it contains their definitions', async () => {
    const model = {
      definitionVersion: '14.5.0',
      stage: 'Public',
      properties: { soundMode: { valueType: { type: 'integer' } } },
    }
    const read = await rig({ [modelPath('14.5.0')]: model, [propertiesPath]: above }).definitions.load(query)
    expect([read.properties.map(({ name, type }) => [name, type]), read.stage, read.inUse.stage]).toEqual([
      [['soundMode', 'integer']],
      'Public',
      'Public',
    ])
  })

  it('have the stage of exactly that version', async () => {
    const stages = async (definitionVersion: string) => {
      const read = await rig({
        [propertiesPath]: { ...definition, definitionVersion, stage: 'Beta' },
      }).definitions.load(query)
      return [read.stage, read.inUse.stage]
    }
    expect([await stages('14.5.0'), await stages('14.5'), await stages('14.4.0')]).toEqual([
      ['Beta', 'Beta'],
      ['Beta', 'Beta'],
      [null, null],
    ])
  })

  it('of any shape are listed', async () => {
    const read = await rig({
      [propertiesPath]: { ...definition, properties: { a: 'text', b: null, c: [1] } },
    }).definitions.load(query)
    expect(read.properties.map(({ name, understood, raw }) => [name, understood, raw])).toEqual([
      ['a', false, 'text'],
      ['b', false, null],
      ['c', false, [1]],
      ['soundMode', true, { settingId: 'SOUND_MODE', sdkProperties: ['soundMode'] }],
    ])
  })
})

describe('names of settings', () => {
  const nameMap = {
    displayNames: { soundMode: 'Equalizer', SIDETONE_LEVEL: 'Sidetone', id: 'ID_ONLY' },
    settingIds: { equalizer: 'SOUND_MODE', sidetoneLevelEnum: 'SIDETONE_LEVEL', mute: 'MUTE' },
  }
  it('are those of the name map as cached, by name and by the id a name is mapped to', async () => {
    const { definitions, service } = rig({ '/product-mapping/name-map': nameMap })
    await definitions.warm({ queries: [] })
    service.offline = true
    expect(await definitions.settingNames({ productIds: [] })).toEqual({
      labels: [
        ['soundmode', 'Equalizer'],
        ['sidetonelevel', 'Sidetone'],
        ['equalizer', 'Equalizer'],
        ['sidetonelevelenum', 'Sidetone'],
      ],
      groups: [],
    })
  })
  it('are none when nothing is cached, and no request is sent', async () => {
    const { definitions, service } = rig({ '/product-mapping/name-map': nameMap })
    const before = service.requests.length
    expect([await definitions.settingNames({ productIds: [] }), service.requests.length]).toEqual([
      { labels: [], groups: [] },
      before,
    ])
  })

  const grouped = {
    settings: [
      {
        groupName: 'Sound',
        settings: [
          { settingId: 'SOUND_MODE', displayName: 'Tone', sdkProperties: ['soundMode'] },
          { groupName: 'Calls', settings: [{ settingId: 'MUTE', sdkProperty: 'muteReminder' }] },
        ],
      },
    ],
  }
  const own = [
    ['soundmode', 'Tone'],
    ['mute', 'Mute reminder'],
    ['mutereminder', 'Mute reminder'],
  ]
  const groups = [
    {
      productId: 9395,
      settings: [
        ['soundmode', 'Sound'],
        ['mute', 'Calls'],
        ['mutereminder', 'Calls'],
      ],
    },
  ]
  const documented = (fleet: readonly FleetFirmware[]) =>
    rig(
      {
        '/product-mapping/name-map': nameMap,
        [propertiesPath]: {
          ...definition,
          properties: { ...definition.properties, muteReminder: { valueType: { title: 'Mute reminder' } } },
        },
        [modelPath('14.5.0')]: { device: { ...device, ...grouped } },
        [featurePath]: featureModel,
      },
      { fleet },
    )
  it('take their groups from the documents of the fleet before the name map', async () => {
    const { definitions, service } = documented([{ ...query, count: 3 }])
    await definitions.warm({ queries: [query] })
    service.offline = true
    const found = await definitions.settingNames({ productIds: [] })
    expect([found.labels.slice(0, 3), found.labels.slice(3).map(([name]) => name), found.groups]).toEqual([
      own,
      ['sidetonelevel', 'equalizer', 'sidetonelevelenum'],
      groups,
    ])
  })
  it('are read from one product when they are not cached', async () => {
    const { definitions } = documented([{ ...query, count: 3 }])
    const before = await definitions.settingNames({ productIds: [] })
    const after = await definitions.settingNames({ productIds: [9395, 1] })
    expect([before, after]).toEqual([
      { labels: [], groups: [] },
      { labels: own, groups },
    ])
  })
})

describe('one failed document', () => {
  const failure: Failure = {
    kind: 'service-unavailable',
    call: { operation: 'x', host: 'metadata.example.com' },
    status: 500,
    message: null,
  }
  const paths = {
    properties: propertiesPath,
    'device-model': modelPath('14.5.0'),
    'feature-model': featurePath,
  } as const

  it.each(Object.entries(paths))('%s: the others are shown', async (name, path) => {
    const { definitions, service } = rig()
    service.documents.set(path, { failure })
    const read = await definitions.load(query)
    expect([read.failed, read.documents.map(({ document }) => document)]).toEqual([
      [{ document: name, failure }],
      Object.keys(paths).filter((other) => other !== name),
    ])
  })

  it.each<[string, Json]>([
    ['a sentence', { title: 'Not available', detail: 'try later' }],
    ['an error in a 200', { code: 13, message: 'no', details: [] }],
    ['a list of numbers', [1, 2, 3]],
    ['a text', 'no'],
  ])('one that is %s fails, and says so', async (_, json) => {
    const read = await rig({ [featurePath]: json }).definitions.load(query)
    expect(read.failed).toMatchObject([{ document: 'feature-model', failure: { kind: 'unreadable-answer' } }])
  })

  it('fails the reading only if all fail', async () => {
    const { definitions, service } = rig()
    for (const path of Object.values(paths)) service.documents.set(path, { failure })
    expect(await failureOf(definitions.load(query))).toEqual(failure)
  })

  it('does not stop prefetching when unreadable, but a missing service does', async () => {
    const { definitions, service } = rig({ [featurePath]: 'no' })
    const other = { ...query, variantType: '01-65' }
    expect(await definitions.warm({ queries: [query, other] })).toBe(1)
    service.documents.set(featurePath.replace('01-64', '01-66'), { failure })
    const before = service.requests.length
    expect(
      await definitions.warm({
        queries: [
          { ...query, variantType: '01-66' },
          { ...query, variantType: '01-67' },
        ],
      }),
    ).toBe(0)
    expect(service.requests.slice(before).some(({ path }) => path.includes('01-67'))).toBe(false)
  })
})
