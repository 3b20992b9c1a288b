import { describe, expect, it } from 'vitest'
import type { DefinitionInUse } from '../../../electron/contract/api/definitions.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { limitVersion } from '../../../electron/core/definitions/version-in-use.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import {
  definition,
  definitionsRig as rig,
  device,
  featureModel,
  featurePath,
  gnp,
  latestInfoPath,
  modelPath,
  propertiesPath,
  publish,
  query,
  variant,
} from './a-definitions-rig.ts'

const installed = { version: '14.5.0', schemaVersion: '1.11.0' }
const infoPath = latestInfoPath('1.12.0')

describe('definition limit', () => {
  it.each<[string, string | null, string | null, ReturnType<typeof limitVersion>]>([
    [
      'latest below the package',
      '14.4.9',
      null,
      { limit: '14.5.0', inUse: '14.4.9', schemaInUse: '1.12.0', reason: 'latest-within-limit' },
    ],
    [
      'latest equal to the package',
      '14.5.0',
      null,
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.12.0', reason: 'latest-within-limit' },
    ],
    [
      'latest above the package',
      '14.6.0',
      null,
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' },
    ],
    [
      'number by number: 14.10 is above 14.5',
      '14.10.0',
      null,
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' },
    ],
    [
      'number by number: 9.9 is below 14.5',
      '9.9.0',
      null,
      { limit: '14.5.0', inUse: '9.9.0', schemaInUse: '1.12.0', reason: 'latest-within-limit' },
    ],
    [
      'the profile’s number below the package',
      '14.6.0',
      '13.4.0',
      { limit: '13.4.0', inUse: '13.4.0', schemaInUse: '1.11.0', reason: 'held-at-profile' },
    ],
    [
      'the profile’s number equal to the package',
      '14.6.0',
      '14.5.0',
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-profile' },
    ],
    [
      'the profile’s number between',
      '15.0.0',
      '14.8.0',
      { limit: '14.8.0', inUse: '14.8.0', schemaInUse: '1.12.0', reason: 'held-at-profile' },
    ],
    [
      'the profile allows the latest',
      '14.6.0',
      '20.0.0',
      { limit: '20.0.0', inUse: '14.6.0', schemaInUse: '1.12.0', reason: 'latest-within-limit' },
    ],
    [
      'four parts',
      '14.5.0.1',
      null,
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' },
    ],
    [
      'no latest',
      null,
      null,
      { limit: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'latest-not-published' },
    ],
    [
      'no latest, the profile’s number above the package',
      null,
      '14.8.0',
      { limit: '14.8.0', inUse: '14.8.0', schemaInUse: '1.12.0', reason: 'latest-not-published' },
    ],
  ])('%s', (_, latest, profile, expected) => {
    expect(limitVersion('1.12.0', latest, { package: installed, profile })).toEqual(expected)
  })
})

describe('definition version in use', () => {
  it('is that of the numerically greatest schema version, limited to the installed package', async () => {
    const { definitions, clock } = rig()
    expect(await definitions.inUse({ refresh: false })).toEqual({
      schemaVersion: '1.12.0',
      schemasListed: true,
      passedOver: [],
      statedSchemaVersion: '1.12.0',
      latest: '14.6.0',
      limit: '14.5.0',
      inUse: '14.5.0',
      schemaInUse: '1.11.0',
      reason: 'held-at-package',
      stage: null,
      observedAt: clock.now(),
      fromCache: false,
    } satisfies DefinitionInUse)
  })

  it('has its own stage, not that of a later version', async () => {
    const { definitions, service } = rig()
    service.set(infoPath, { schemaVersion: '1.12.0', definitionVersion: '14.6.0', stage: 'Beta' })
    service.set(`${gnp}/schema-versions/1.11.0/properties/trimmed`, definition)
    const { inUse, stage } = await definitions.inUse({ refresh: false })
    expect([inUse, stage]).toEqual(['14.5.0', 'Public'])
  })

  it.each<[string, Json | null, string | null]>([
    ['a document of that version states its stage', definition, 'Public'],
    ['an unknown stage is shown as received', { ...definition, stage: 'Gamma' }, 'Gamma'],
    ['a document of another version says nothing', { ...definition, definitionVersion: '14.6.0' }, null],
    ['a document without a version says nothing', { ...definition, definitionVersion: null }, null],
    ['no document', null, null],
    ['an unreadable document', 'x', null],
  ])('%s', async (_, json, expected) => {
    const { definitions, service } = rig()
    if (json !== null) service.set(`${gnp}/schema-versions/1.11.0/properties/trimmed`, json)
    expect((await definitions.inUse({ refresh: false })).stage).toBe(expected)
  })

  it('is found without a network, with its age', async () => {
    const { definitions, restart, service, clock } = rig()
    const known = await definitions.inUse({ refresh: false })
    service.offline = true
    await clock.advance(30 * 24 * 3_600_000)
    expect(await restart().inUse({ refresh: true })).toEqual({ ...known, fromCache: true })
  })

  it('is as old as the oldest document that it was found in', async () => {
    const { definitions, service, clock } = rig()
    service.set(infoPath, { definitionVersion: '14.6.0' }, { 'cache-control': 'max-age=1' })
    const before = await definitions.inUse({ refresh: false })
    await clock.advance(2_000)
    expect(await definitions.inUse({ refresh: false })).toEqual(before)
  })

  it('is requested again on refresh', async () => {
    const { definitions, service, clock } = rig({ latest: '14.4.0' })
    await definitions.inUse({ refresh: false })
    service.set(infoPath, { definitionVersion: '14.4.1' })
    await clock.advance(1000)
    expect([
      (await definitions.inUse({ refresh: false })).inUse,
      (await definitions.inUse({ refresh: true })).inUse,
    ]).toEqual(['14.4.0', '14.4.1'])
  })

  it('never looked up and without network: names the call that could not be made', async () => {
    const { definitions, service } = rig()
    service.offline = true
    expect(await failureOf(definitions.inUse({ refresh: false }))).toEqual({
      kind: 'offline',
      call: { operation: 'GetGnpSchemaVersions', host: 'metadata.example.com' },
      message: 'no network',
    })
  })

  it.each<[string, string, Json, string]>([
    ['an empty list of schema versions', `${gnp}/schema-versions`, [], 'unreadable-answer'],
    ['schema versions that are no numbers', `${gnp}/schema-versions`, [{ version: 'next' }], 'not-found'],
    ['latest info without a version', infoPath, {}, 'unreadable-answer'],
    ['a latest version that is no number', infoPath, { definitionVersion: 'newest' }, 'not-found'],
  ])('%s is a failure, never a guess', async (_, path, json, kind) => {
    const { definitions, service } = rig()
    service.set(path, json)
    expect((await failureOf(definitions.inUse({ refresh: false }))).kind).toBe(kind)
  })
})

describe('definitions of a variant and firmware', () => {
  it('are read by the version in use', async () => {
    const { definitions, service } = rig()
    publish(service)
    expect(await definitions.load(query)).toMatchObject({
      query,
      inUse: { inUse: '14.5.0', schemaInUse: '1.11.0' },
      properties: [
        {
          name: 'soundMode',
          type: 'string',
          allowed: ['normal', 'bass'],
          read: true,
          write: true,
          event: false,
          restarts: null,
        },
      ],
      propertiesNotPublished: false,
      stage: 'Public',
      deviceModel: { settings: [{ id: 'SOUND_MODE', properties: ['soundMode'] }], raw: { device } },
      featureModel: {
        settings: [{ id: 'SOUND_MODE', name: 'soundMode', kind: 'choice', supported: ['bass'] }],
        raw: featureModel,
      },
      fromCache: false,
    })
  })

  it('put the family into the address, percent-encoded once', async () => {
    const { definitions, service } = rig({ family: 'Jabra SDK V4' })
    publish(service, 'Jabra%20SDK%20V4')
    expect((await definitions.load(query)).deviceModel?.settings.length).toBe(1)
    expect(
      service.requests.map((request) => request.path).filter((path) => path.includes('device-models')),
    ).toEqual([`/models/v/18${variant}/device-models/Jabra%20SDK%20V4/definition-versions/14.5.0.json`])
  })

  it('report which of them are not published', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.documents.delete(propertiesPath)
    service.documents.delete(featurePath)
    const document = await definitions.load(query)
    expect([
      document.documents.map((one) => one.document),
      document.propertiesNotPublished,
      document.stage,
      document.featureModel,
    ]).toEqual([['device-model'], false, null, null])
    expect(document.deviceModel?.settings.length).toBe(1)
  })

  it('are empty when none is published', async () => {
    const { definitions, clock } = rig()
    expect(await definitions.load(query)).toMatchObject({
      propertiesNotPublished: true,
      deviceModel: null,
      featureModel: null,
      observedAt: clock.now(),
    })
  })

  it('an empty device model of a current firmware stays empty', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.set(modelPath('14.5.0'), { device: { ...device, settings: [] } })
    expect((await definitions.load(query)).deviceModel).toEqual({
      settings: [],
      raw: { device: { ...device, settings: [] } },
    })
  })

  it('of another product are rejected, with the name of that product', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.set(modelPath('14.5.0'), { device: { ...device, productId: 9379 } })
    expect((await definitions.load(query)).failed).toEqual([
      {
        document: 'device-model',
        failure: {
          kind: 'unreadable-answer',
          call: { operation: 'GetDeviceModelByDefinition', host: 'metadata.example.com' },
          where: 'the document',
          message: 'This is the model of another product: 2830/9379 01-64',
        },
      },
    ])
  })

  it('prefetched are available without a network, as old as the oldest part', async () => {
    const { definitions, restart, service, clock } = rig()
    publish(service)
    const observedAt = clock.now()
    expect(
      await definitions.warm({ queries: [query, { ...query, variantType: '' }, { ...query, productId: 1 }] }),
    ).toBe(2)
    service.offline = true
    await clock.advance(7 * 24 * 3_600_000)
    expect(await restart().load(query)).toMatchObject({
      observedAt,
      fromCache: true,
      properties: [{ name: 'soundMode' }],
      inUse: { observedAt },
    })
  })

  it('stop prefetching when the service is unreachable', async () => {
    const { definitions, service } = rig()
    service.offline = true
    expect(await definitions.warm({ queries: [query] })).toBe(0)
    expect(service.requests.length).toBe(1)
  })
})
