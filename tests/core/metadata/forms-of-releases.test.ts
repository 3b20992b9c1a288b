import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { momentOf } from '../../../electron/core/metadata/file-json.ts'
import { releaseOf, releasesOf } from '../../../electron/core/metadata/release-json.ts'
import { metadataRig } from './fake-metadata-service.ts'

describe('whether a release is revoked', () => {
  test.each<[Json, boolean | null]>([
    [{ revoked: 'yes' }, true],
    [{ revoked: 'Y' }, true],
    [{ revoked: 'no' }, false],
    [{ revoked: 0 }, false],
    [{ revoked: 'revoked' }, true],
    [{ revoked: '2026-09-01' }, true],
    [{ revoked: { reason: 'bricks the dongle' } }, true],
    [{ revoked: { value: 'false' } }, false],
    [{ revoked: {} }, false],
    [{ revoked: [] }, false],
    [{ revoked: '' }, null],
    [{ revoked: 'none' }, false],
    [{ revoked: 'not revoked' }, false],
    [{ isRevoked: true }, true],
    [{ IsRevoked: 'TRUE' }, true],
    [{ withdrawn: 'true' }, true],
    [{ isWithdrawn: 1 }, true],
    [{ recalled: true }, true],
    [{ revokedAt: '2026-09-01T00:00:00Z' }, true],
    [{ revokedAt: null }, null],
    [{ revocation: { date: '2026-09-01' } }, true],
    [{ withdrawnDate: '' }, null],
    [{ status: 'Revoked' }, true],
    [{ status: ' WITHDRAWN ' }, true],
    [{ status: 'Released' }, null],
    [{ status: { name: 'Revoked' } }, true],
    [{ state: 'recalled' }, true],
    [{ stage: 'Revoked' }, true],
    [{ lifecycle: 'withdrawn' }, true],
    [{ tags: ['usb', 'revoked'] }, true],
    [{ available: false }, true],
    [{ isAvailable: 'no' }, true],
    [{ available: true }, null],
    [{ revoked: false, status: 'Revoked' }, true],
    [{}, null],
  ])('%j: %s', (members, expected) => {
    expect(releaseOf({ version: '1.0.0', ...(members as object) })?.revoked).toBe(expected)
  })
})

describe('the stage of a release', () => {
  test.each<[Json, string | null]>([
    [{ stage: 'Candidate' }, 'Candidate'],
    [{ stage: ' beta ' }, 'beta'],
    [{ Stage: { name: 'Test' } }, 'Test'],
    [{ releaseStage: 'Beta' }, 'Beta'],
    [{ channel: 'Beta' }, 'Beta'],
    [{ type: 'Beta' }, 'Beta'],
    [{ status: 'Public' }, 'Public'],
    [{ type: 'Firmware', status: 'Released' }, null],
    [{ stage: 'Gamma' }, 'Gamma'],
    [{ stage: 2 }, null],
    [{ stage: null }, null],
    [{}, null],
  ])('%j: %s', (members, expected) => {
    expect(releaseOf({ version: '1.0.0', ...(members as object) })?.stage).toBe(expected)
  })
})

describe('other forms of release members', () => {
  test.each<[string, Json, object]>([
    ['a version as a number', { version: 3 }, { version: '3' }],
    ['a version in parts', { version: { major: 4, minor: 2, patch: 0, build: 21 } }, { version: '4.2.0.21' }],
    ['a version with blanks', { version: ' 2.9.2 ' }, { version: '2.9.2' }],
    [
      'a file of its own',
      { version: '1.0.0', file: { name: 'a b.zip', size: 9_259, md5: '5D41402ABC4B2A76B9719D911017C592' } },
      { fileName: 'a b.zip', fileSize: 9_259, md5: '5d41402abc4b2a76b9719d911017c592' },
    ],
    [
      'one checksum of several',
      {
        version: '1.0.0',
        checksums: [
          { algorithm: 'SHA-256', value: 'x' },
          { algorithm: 'MD5', value: 'XUFAKrxLKna5cZ2REBfFkg==' },
        ],
      },
      { md5: '5d41402abc4b2a76b9719d911017c592' },
    ],
    [
      'a build type by name',
      { version: '1.0.0', buildType: { name: 'Production' } },
      { buildTypes: ['Production'] },
    ],
  ])('%s', (_, json, expected) => {
    expect(releaseOf(json)).toMatchObject(expected)
  })

  test.each<[Json, number | null]>([
    ['2026-09-04T00:00:00Z', Date.UTC(2026, 8, 4)],
    ['2026-09-04T00:00:00', Date.UTC(2026, 8, 4)],
    ['2026-09-04 12:30:00', Date.UTC(2026, 8, 4, 12, 30)],
    ['2026-09-04', Date.UTC(2026, 8, 4)],
    ['Fri, 04 Sep 2026 00:00:00 GMT', Date.UTC(2026, 8, 4)],
    [1_788_480_000, Date.UTC(2026, 8, 4)],
    [1_788_480_000_000, Date.UTC(2026, 8, 4)],
    ['1788480000', Date.UTC(2026, 8, 4)],
    [2026, null],
    ['04.09.2026', null],
    ['9/4/2026', null],
    ['2026-99-99', null],
    ['2026-02-31', null],
    ['2026-04-31T10:00:00Z', null],
    ['Tue, 31 Feb 2026 10:00:00 GMT', null],
    ['2026-02-28T23:30:00-02:00', Date.UTC(2026, 2, 1, 1, 30)],
    [1e300, null],
    [null, null],
  ])('parses the moment %j', (json, expected) => {
    expect(momentOf(json)).toBe(expected)
  })
})

describe('the list of releases', () => {
  const two = ['2.9.2', '2.10.0']
  test.each<[string, Json, readonly string[] | null]>([
    ['in a wrapper', { data: { items: [{ version: '2.9.2' }, { version: '2.10.0' }] } }, two],
    [
      'under an unknown name',
      { total: 2, firmwareFiles: [{ version: '2.9.2' }, { version: '2.10.0' }] },
      two,
    ],
    ['of lists', [[{ version: '2.9.2' }], [{ version: '2.10.0' }]], two],
    ['by version', { '2.9.2': { md5Checksum: '' }, '2.10.0': {} }, two],
    ['by version, under a name', { releases: { '2.9.2': {}, '2.10.0': {} } }, two],
    ['that is null', { items: null }, []],
    ['next to an error', { code: 13, message: 'unavailable', details: [] }, null],
    ['next to an error of another form', { title: 'Oops', status: 503, releases: [] }, null],
    ['of a failed call', { success: false, items: [] }, null],
    ['empty, under an unknown name', { reason: 'maintenance', details: [] }, null],
    ['empty', {}, null],
  ])('%s', (_, json, expected) => {
    expect(releasesOf(json)?.releases.map(({ version }) => version) ?? null).toEqual(expected)
  })

  it('keeps unreadable records, as received', () => {
    const odd: Json[] = [{ fileName: 'Jabra_USB-1-12-0.dfu' }, null, 7, { version: '' }, { version: {} }]
    expect(releasesOf([{ version: '1.0.0' }, ...odd])?.unreadable).toEqual(odd)
  })
})

test.each<[string, Json]>([
  ['as itself', { version: '1.2.3' }],
  ['in a list of one', [{ version: '1.2.3' }]],
  ['in a wrapper', { data: { version: '1.2.3' } }],
])('parses the firmware of a recovery id %s', async (_, json) => {
  const rig = metadataRig()
  rig.service.set('/vendors/2830/products/recovery/9401/firmware', json)
  const { value } = await rig.start().recoveryFirmware({ vendorId: 2830, productId: 9401 })
  expect(value.release.version).toBe('1.2.3')
})
