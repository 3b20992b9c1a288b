import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { assumedValues } from '../../../electron/contract/organization.ts'
import { openOfferedValues, type ValueSources } from '../../../electron/core/explorer/offered-values.ts'
import { FakeClock } from '../../fake-clock.ts'

const product = {
  vendorId: 2830,
  productId: 9395,
  name: 'Evolve2 65',
  groupName: null,
  deviceType: null,
  supportedProtocols: [],
  variants: [{ vendorId: 2830, productId: 9395, variantType: '01-64', name: null }],
  latestVersion: '2.9.2',
  deviceCount: 1,
}
function offered(changes: Partial<ValueSources> = {}) {
  const clock = new FakeClock()
  const sources: ValueSources = {
    clock,
    profile: { metadataVersion: 18, family: 'Brand SDK V4', vendorId: 2830, assumed: assumedValues },
    products: async () => [product, { ...product, vendorId: 1130, variants: [] }],
    buildTypes: async () => [
      { name: 'Release', source: 'assumed' },
      { name: 'Beta', source: 'seen' },
    ],
    devices: async () => [{ id: 'D1', groupId: 'G1', variantType: '01-64', firmwareVersion: '2.7.2' }],
    schemaVersions: async () => ['1.11.0'],
    definitionVersions: async () => ['14.5.0', '14.6.0'],
    recoveryIds: async () => [772],
    catalogue: async () => [
      { entityId: 'f525e3b0-0001-4000-8000-000000009395', bundle: null },
      { entityId: null, bundle: 'PanaCast 50 Room System' },
    ],
    bundles: async () => [{ group: 'panacast-50-vbs', version: '1.0.0' }],
    ...changes,
  }
  return { clock, offered: openOfferedValues(sources) }
}
const known = (...values: string[]) => values.map((value) => ({ value, source: 'known' }))
const assumed = (...values: string[]) => values.map((value) => ({ value, source: 'assumed' }))

describe('suggested values of a parameter', () => {
  it('list entity ids and bundles of the catalogue', async () => {
    const of = await offered().offered()
    expect([of('entityId'), of('productGroupBundleName')]).toEqual([
      known('f525e3b0-0001-4000-8000-000000009395'),
      known('PanaCast 50 Room System'),
    ])
  })
  it('list a variant once, in any spelling of devices and catalogue', async () => {
    const devices = ['12-aa-02', '01-64'].map((variantType) => ({
      id: variantType,
      groupId: null,
      variantType,
      firmwareVersion: null,
    }))
    const variants = [{ vendorId: 2830, productId: 9395, variantType: '12-AA-02', name: null }]
    const values = await offered({
      devices: async () => devices,
      products: async () => [{ ...product, variants }],
    }).offered()
    expect(
      values('variantType')
        .map(({ value }) => value)
        .sort(),
    ).toEqual(['01-64', '12-AA-02'])
  })
  it('are the known values of fleet, catalogue and profile, each once', async () => {
    const of = await offered().offered()
    const names = [
      'apiVersion',
      'sdk',
      'vendorId',
      'productId',
      'variantType',
      'firmwareVersion',
      'schemaVersion',
      'definitionVersion',
      'dfuProductId',
      'groupId',
    ]
    expect(names.map(of)).toEqual([
      known('18'),
      known('Brand SDK V4'),
      known('2830', '1130'),
      known('9395'),
      known('01-64'),
      known('2.7.2', '2.9.2'),
      known('1.11.0'),
      known('14.5.0', '14.6.0'),
      known('772'),
      known('G1'),
    ])
    expect([of('deviceId'), of('firmwareBundleGroupId'), of('pageSize'), of('body')]).toEqual([
      known('D1'),
      known('panacast-50-vbs'),
      known('100'),
      [],
    ])
  })

  it('are marked as assumed when none are published', async () => {
    const of = await offered().offered()
    expect([of('platformOs'), of('buildType'), of('deviceClientType')]).toEqual([
      assumed('Windows', 'macOS', 'Linux', 'Android', 'iOS'),
      [...known('Beta'), ...assumed('Release')],
      [...known('MeetingRoom'), ...assumed('Personal')],
    ])
  })

  it('are those of the profile, and none when its list is empty', async () => {
    const profile = { metadataVersion: 18, family: 'Brand SDK V4', vendorId: 2830 }
    const words = { buildTypes: ['Nightly'], platforms: ['Haiku', 'Plan 9'], agentTypes: [] }
    const of = await offered({
      profile: { ...profile, assumed: words },
      buildTypes: async () => [],
    }).offered()
    expect(['buildType', 'platformOs', 'agentType'].map(of)).toEqual([
      assumed('Nightly'),
      assumed('Haiku', 'Plan 9'),
      [],
    ])
  })

  it('are fewer without a connection, and appear without a noticeable wait', async () => {
    const failing = async (): Promise<never> => {
      throw new Failed({
        kind: 'offline',
        call: { operation: 'GetProductGroupBundles', host: 'cdn.example' },
        message: 'no network',
      })
    }
    const { clock, offered: ask } = offered({
      products: failing,
      schemaVersions: () => new Promise(() => undefined),
    })
    const asking = ask()
    await clock.advance(1_500)
    const of = await asking
    expect([of('productId'), of('schemaVersion'), of('vendorId'), of('groupId')]).toEqual([
      [],
      [],
      known('2830'),
      known('G1'),
    ])
  })
})
