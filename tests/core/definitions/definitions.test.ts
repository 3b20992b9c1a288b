import { describe, expect, it } from 'vitest'
import type { DefinitionInUse } from '../../../electron/contract/definition.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { heldAtCeiling } from '../../../electron/core/definitions/ceiling.ts'
import { openDefinitions } from '../../../electron/core/definitions/definitions.ts'
import { failureOf, metadataRig } from '../metadata/fake-metadata-service.ts'

const installed = { version: '14.5.0', schemaVersion: '1.11.0' }
const gnp = '/protocol-definitions/gnp'
const schemas: Json = [{ version: '1.2.0' }, { version: '1.12.0' }, { version: '1.10.0' }, { version: 'next' }]
const infoPath = `${gnp}/definition-versions/schema-versions/1.12.0/latest/info`
const variant = '/vendors/2830/products/9395/variants/01-64/firmware-versions/2.9.2'
const query = { vendorId: 2830, productId: 9395, variantType: '01-64', firmwareVersion: '2.9.2' }
const soundMode = { valueType: { type: 'string', enum: ['normal', 'bass'] }, read: [{}], write: [{}] }
const definition = { definitionVersion: '14.5.0', schemaVersion: '1.11.0', stage: 'Public', properties: { soundMode } }
const device = { vendorId: 2830, productId: 9395, variantType: '01-64', settings: [{ settingId: 'SOUND_MODE', sdkProperties: ['soundMode'] }] }
const featureModel = { settings: { listSettings: [{ settingId: 'SOUND_MODE', supportedValues: ['bass'] }] }, settingIds: { soundMode: 'SOUND_MODE' } }

function rig(options: { latest?: string; profile?: string | null; family?: string } = {}) {
  const metadata = metadataRig()
  metadata.service.set(`${gnp}/schema-versions`, schemas)
  metadata.service.set(infoPath, { schemaVersion: '1.12.0', definitionVersion: options.latest ?? '14.6.0' })
  const ceiling = { package: installed, profile: options.profile ?? null }
  const start = () => openDefinitions({ metadata: metadata.start(options.family), ceiling })
  return { ...metadata, definitions: start(), restart: start }
}

/** The product's own three documents, as published for the version held at the package. */
function publish(service: ReturnType<typeof rig>['service'], family = 'Brand%20SDK%20V4') {
  service.set(`${gnp}${variant}/schema-versions/1.11.0/properties`, definition)
  service.set(`${variant}/device-models/${family}/definition-versions/14.5.0`, { device })
  service.set(`${variant}/feature-model`, featureModel)
}

describe('ceiling', () => {
  it.each<[string, string, string | null, Omit<ReturnType<typeof heldAtCeiling>, never>]>([
    ['latest below the package', '14.4.9', null, { ceiling: '14.5.0', inUse: '14.4.9', schemaInUse: '1.12.0', reason: 'latest-within-ceiling' }],
    ['latest equal to the package', '14.5.0', null, { ceiling: '14.5.0', inUse: '14.5.0', schemaInUse: '1.12.0', reason: 'latest-within-ceiling' }],
    ['latest above the package', '14.6.0', null, { ceiling: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' }],
    ['number by number: 14.10 is above 14.5', '14.10.0', null, { ceiling: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' }],
    ['number by number: 9.9 is below 14.5', '9.9.0', null, { ceiling: '14.5.0', inUse: '9.9.0', schemaInUse: '1.12.0', reason: 'latest-within-ceiling' }],
    ['the profile’s number below the package', '14.6.0', '13.4.0', { ceiling: '13.4.0', inUse: '13.4.0', schemaInUse: '1.11.0', reason: 'held-at-profile' }],
    ['the profile’s number equal to the package', '14.6.0', '14.5.0', { ceiling: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-profile' }],
    ['the profile’s number between', '15.0.0', '14.8.0', { ceiling: '14.8.0', inUse: '14.8.0', schemaInUse: '1.12.0', reason: 'held-at-profile' }],
    ['the profile allows the latest', '14.6.0', '20.0.0', { ceiling: '20.0.0', inUse: '14.6.0', schemaInUse: '1.12.0', reason: 'latest-within-ceiling' }],
    ['four parts', '14.5.0.1', null, { ceiling: '14.5.0', inUse: '14.5.0', schemaInUse: '1.11.0', reason: 'held-at-package' }],
  ])('%s', (_, latest, profile, expected) => {
    expect(heldAtCeiling('1.12.0', latest, { package: installed, profile })).toEqual(expected)
  })
})

describe('definition version in use', () => {
  it('is that of the numerically greatest schema version, held at the installed package', async () => {
    const { definitions, clock } = rig()
    expect(await definitions.inUse({ refresh: false })).toEqual({
      schemaVersion: '1.12.0',
      latest: '14.6.0',
      ceiling: '14.5.0',
      inUse: '14.5.0',
      schemaInUse: '1.11.0',
      reason: 'held-at-package',
      stage: null,
      observedAt: clock.now(),
      fromCache: false,
    } satisfies DefinitionInUse)
  })

  it.each<[string, Json | null, string | null]>([
    ['a document of that version tells its stage', definition, 'Public'],
    ['an unknown stage is shown as received', { ...definition, stage: 'Gamma' }, 'Gamma'],
    ['a document of another version tells nothing', { ...definition, definitionVersion: '14.6.0' }, null],
    ['a document without a version tells nothing', { ...definition, definitionVersion: null }, null],
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

  it('asks again on refresh', async () => {
    const { definitions, service, clock } = rig({ latest: '14.4.0' })
    await definitions.inUse({ refresh: false })
    service.set(infoPath, { definitionVersion: '14.4.1' })
    await clock.advance(1000)
    expect([(await definitions.inUse({ refresh: false })).inUse, (await definitions.inUse({ refresh: true })).inUse]).toEqual(['14.4.0', '14.4.1'])
  })

  it('never looked up and no network: says which call could not be made', async () => {
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
    expect(await definitions.read(query)).toMatchObject({
      query,
      inUse: { inUse: '14.5.0', schemaInUse: '1.11.0' },
      properties: [{ name: 'soundMode', type: 'string', allowed: ['normal', 'bass'], read: true, write: true, event: false, restarts: null }],
      propertiesNotPublished: false,
      stage: 'Public',
      deviceModel: { settings: [{ id: 'SOUND_MODE', properties: ['soundMode'] }], raw: { device } },
      featureModel: { settings: [{ id: 'SOUND_MODE', name: 'soundMode', kind: 'choice', supported: ['bass'] }], raw: featureModel },
      fromCache: false,
    })
  })

  it('name the family in the address, percent-encoded once', async () => {
    const { definitions, service } = rig({ family: 'Jabra SDK V4' })
    publish(service, 'Jabra%20SDK%20V4')
    expect((await definitions.read(query)).deviceModel?.settings.length).toBe(1)
    expect(service.requests.map((request) => request.path).filter((path) => path.includes('device-models'))).toEqual([
      `/models/v/18${variant}/device-models/Jabra%20SDK%20V4/definition-versions/14.5.0.json`,
    ])
  })

  it('say which of them are not published', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.documents.delete(`${gnp}${variant}/schema-versions/1.11.0/properties`)
    service.documents.delete(`${variant}/feature-model`)
    const document = await definitions.read(query)
    expect([document.properties, document.propertiesNotPublished, document.stage, document.featureModel]).toEqual([[], true, null, null])
    expect(document.deviceModel?.settings.length).toBe(1)
  })

  it('none published is an answer too', async () => {
    const { definitions, clock } = rig()
    expect(await definitions.read(query)).toMatchObject({ propertiesNotPublished: true, deviceModel: null, featureModel: null, observedAt: clock.now() })
  })

  it('an empty device model of a current firmware stays empty (A10)', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.set(`${variant}/device-models/Brand%20SDK%20V4/definition-versions/14.5.0`, { device: { ...device, settings: [] } })
    expect((await definitions.read(query)).deviceModel).toEqual({ settings: [], raw: { device: { ...device, settings: [] } } })
  })

  it('a model of another product is refused', async () => {
    const { definitions, service } = rig()
    publish(service)
    service.set(`${variant}/device-models/Brand%20SDK%20V4/definition-versions/14.5.0`, { device: { ...device, productId: 9379 } })
    expect(await failureOf(definitions.read(query))).toMatchObject({ kind: 'unreadable-answer', call: { operation: 'GetDeviceModelByDefinition' } })
  })

  it('warmed, they are there without a network, as old as the oldest part', async () => {
    const { definitions, restart, service, clock } = rig()
    publish(service)
    const observedAt = clock.now()
    expect(await definitions.warm({ queries: [query, { ...query, variantType: '' }, { ...query, productId: 1 }] })).toBe(2)
    service.offline = true
    await clock.advance(7 * 24 * 3_600_000)
    expect(await restart().read(query)).toMatchObject({ observedAt, fromCache: true, properties: [{ name: 'soundMode' }], inUse: { observedAt } })
  })

  it('warming stops when the service is gone', async () => {
    const { definitions, service } = rig()
    service.offline = true
    expect(await definitions.warm({ queries: [query] })).toBe(0)
    expect(service.requests.length).toBe(1)
  })
})
