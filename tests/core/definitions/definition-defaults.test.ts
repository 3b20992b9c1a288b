import { describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { FirmwareRelease, ReleaseList } from '../../../electron/contract/api/firmware.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { definitionsRig, type DefinitionsRigOptions } from './a-definitions-rig.ts'

const product = { vendorId: 2830, productId: 9395 }
const release = (version: string, over: Partial<FirmwareRelease> = {}): FirmwareRelease => ({
  version,
  latest: false,
  revoked: false,
  stage: null,
  stageStated: false,
  releasedAt: null,
  fileName: null,
  fileSize: null,
  md5: null,
  notesUrl: null,
  buildTypes: [],
  bundle: null,
  raw: {},
  ...over,
})
const published =
  (releases: readonly FirmwareRelease[], variantTypes = ['', '01-64', '01-65']) =>
  async (): Promise<ReleaseList> => ({
    product: {
      ...product,
      name: 'Evolve2 65',
      groupName: null,
      deviceType: null,
      supportedProtocols: [],
      latestVersion: null,
      deviceCount: 0,
      variants: variantTypes.map((variantType) => ({ ...product, variantType, name: null })),
    },
    releases,
    noLatest: null,
    unreadable: { count: 0, records: [] },
    beside: [],
    observedAt: 0,
    fromCache: false,
  })
const latest = published([release('3.0.0', { stage: 'Beta' }), release('2.9.2', { latest: true })])
const fleet = [
  { variantType: '', firmwareVersion: '9.9.9', count: 9_000 },
  { variantType: '01-64', firmwareVersion: '2.9.2', count: 2_000 },
  { variantType: '01-65', firmwareVersion: '2.10.0', count: 470 },
]

describe('the default variant and firmware', () => {
  it.each<[string, DefinitionsRigOptions, string | null, readonly [string | null, string | null]]>([
    ['what most of the fleet has, not the newest', { fleet, releases: latest }, null, ['01-64', '2.9.2']],
    ['what most devices of a variant run', { fleet, releases: latest }, '01-65', ['01-65', '2.10.0']],
    [
      'of a variant in another case',
      { fleet: [{ variantType: '01-6a', firmwareVersion: '1.0.0', count: 1 }] },
      '01-6A',
      ['01-6A', '1.0.0'],
    ],
    [
      'without a fleet, the first variant and the latest release',
      { releases: latest },
      null,
      ['01-64', '2.9.2'],
    ],
    [
      'of a variant no device has, the latest release',
      { fleet, releases: latest },
      '01-66',
      ['01-66', '2.9.2'],
    ],
    [
      'only prereleases: the newest that is not revoked',
      { releases: published([release('3.0.0', { revoked: true }), release('2.0.0', { stage: 'Beta' })]) },
      null,
      ['01-64', '2.0.0'],
    ],
    [
      'a partner product: no address can be made of its variant',
      { releases: published([release('1.0.0', { latest: true })], ['']) },
      null,
      [null, '1.0.0'],
    ],
    ['nothing published, no fleet', {}, null, [null, null]],
  ])('%s', async (_, options, variantType, expected) => {
    const chosen = await definitionsRig(options).definitions.defaults({ ...product, variantType })
    expect([chosen.variantType, chosen.firmwareVersion]).toEqual(expected)
  })

  it('are listed with the counts of the fleet', async () => {
    expect(
      (await definitionsRig({ fleet }).definitions.defaults({ ...product, variantType: null })).fleet,
    ).toEqual(fleet.slice(1))
  })

  it('are unknown without a connection and without a cache', async () => {
    const offline = { kind: 'offline', call: { operation: 'x', host: 'y' }, message: 'no network' } as const
    const { definitions } = definitionsRig({ releases: () => Promise.reject(new Failed(offline)) })
    expect(await failureOf(definitions.defaults({ ...product, variantType: null }))).toEqual(offline)
  })
})
