import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { catalogueOf } from '../../../electron/core/metadata/catalogue-json.ts'
import {
  gnpDefinitionOf,
  latestInfoOf,
  schemaVersionsOf,
} from '../../../electron/core/metadata/definition-json.ts'
import { deviceModelOf, featureModelOf } from '../../../electron/core/metadata/model-json.ts'
import { md5Of } from '../../../electron/core/metadata/file-json.ts'
import { downloadLinkOf } from '../../../electron/core/metadata/link-json.ts'
import { releaseOf, releasesOf } from '../../../electron/core/metadata/release-json.ts'
import { cases } from '../../setup/cases.ts'

const oneProduct = (product: Record<string, Json>) =>
  catalogueOf({ bundles: [], unbundledProducts: [product] })
const variant = { vendorId: 2830, productId: 9416, variantType: '04-0B', name: 'Jabra Link 380a MS' }

describe('device catalogue', () => {
  it('parses products inside and outside bundles', () => {
    const product = {
      productName: 'Jabra Link 380a',
      productGroupName: 'Jabra Link 380',
      deviceType: 'Speaker',
      supportedProtocols: ['GNP'],
      variants: [variant],
    }
    const bar = {
      productName: 'Bar',
      variants: [{ vendorId: 2830, productId: 1, variantType: '' }],
      firmwareReleases: [{ version: '1.0.0' }],
    }
    const read = catalogueOf({ bundles: [{ products: [bar] }], unbundledProducts: [product] })
    expect(
      read?.products.map(({ raw: _, entityIds: __, releases, ...one }) => ({
        ...one,
        versions: releases.map((release) => release.version),
      })),
    ).toEqual([
      {
        name: 'Jabra Link 380a',
        groupName: 'Jabra Link 380',
        deviceType: 'Speaker',
        supportedProtocols: ['GNP'],
        variants: [variant],
        versions: [],
      },
      {
        name: 'Bar',
        groupName: null,
        deviceType: null,
        supportedProtocols: [],
        variants: [{ vendorId: 2830, productId: 1, variantType: '', name: null }],
        versions: ['1.0.0'],
      },
    ])
  })

  it.each<[string, Record<string, Json>, Record<string, unknown>]>([
    [
      'A2 update protocol missing, null or unknown',
      {
        variants: [
          { ...variant, fwuProtocolId: null },
          { ...variant, fwuProtocolId: 99 },
        ],
      },
      { variants: [variant, variant] },
    ],
    ['A5 group and type missing', {}, { groupName: null, deviceType: null, supportedProtocols: [] }],
    [
      'A5 group and type empty',
      { productGroupName: '', deviceType: ' ', supportedProtocols: null },
      { groupName: null, deviceType: null, supportedProtocols: [] },
    ],
    [
      'A5 unknown words',
      { deviceType: 'Hologram', supportedProtocols: ['GNP', 'XYZ', 7] },
      { deviceType: 'Hologram', supportedProtocols: ['GNP', 'XYZ'] },
    ],
    [
      'A6 partner products: other vendor, empty variant',
      { variants: [{ vendorId: 1130, productId: 5, variantType: '' }] },
      { variants: [{ vendorId: 1130, productId: 5, variantType: '', name: null }] },
    ],
    ['A7 the same triple twice', { variants: [variant, variant] }, { variants: [variant, variant] }],
    [
      'ids as text',
      { variants: [{ ...variant, vendorId: '2830', productId: '9416' }] },
      { variants: [variant] },
    ],
    [
      'invalid variants',
      { variants: [null, 7, {}, { vendorId: -1, productId: 2 }, { vendorId: 1.5, productId: 2 }, variant] },
      { variants: [variant] },
    ],
    ['no product name: the group', { productName: null, productGroupName: 'Group' }, { name: 'Group' }],
    ['no name at all: the variant', { productName: '' }, { name: 'Jabra Link 380a MS' }],
    [
      'no name anywhere: the id',
      { productName: '', variants: [{ ...variant, name: 3 }] },
      { name: '2830/9416' },
    ],
    ['A19 undocumented members', { entityId: 'x', anything: [1] }, { name: 'Link' }],
    ['releases missing', { firmwareReleases: null }, { releases: [] }],
  ])('%s', (_, members, expected) => {
    expect(oneProduct({ productName: 'Link', variants: [variant], ...members })?.products[0]).toMatchObject(
      expected,
    )
  })

  it('counts records that are no product, and keeps the others', () => {
    const read = catalogueOf({
      bundles: [null, { products: [{ productName: 'No ids' }, 'text'] }],
      unbundledProducts: [{ productName: 'Good', variants: [variant] }, null],
    })
    expect([read?.products.map((product) => product.name), read?.unreadable.length]).toEqual([['Good'], 4])
  })

  it('is empty when its lists are empty, and is not a catalogue without lists', () => {
    expect(catalogueOf({ bundles: [], unbundledProducts: [] })).toEqual({
      products: [],
      bundles: [],
      unreadable: [],
    })
    expect([{}, 'text', null, 3, { error: 'x' }].map((json) => catalogueOf(json))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })
})

describe('firmware releases', () => {
  it.each<[string, Json, string | null]>([
    ['A1 base64 of 16 bytes ("hello")', 'XUFAKrxLKna5cZ2REBfFkg==', '5d41402abc4b2a76b9719d911017c592'],
    ['hex text', '5D41402abc4b2a76b9719d911017c592', '5d41402abc4b2a76b9719d911017c592'],
    [
      'hex text in pairs',
      '5d:41:40:2a:bc:4b:2a:76:b9:71:9d:91:10:17:c5:92',
      '5d41402abc4b2a76b9719d911017c592',
    ],
    ['15 bytes', 'XUFAKrxLKna5cZ2REBfF', null],
    ['20 bytes', 'qvTGHdzF6KLavt4PO0gs2a6pQ00=', null],
    ['empty', '', null],
    ['blanks around', ' XUFAKrxLKna5cZ2REBfFkg== ', '5d41402abc4b2a76b9719d911017c592'],
    ['without padding', 'XUFAKrxLKna5cZ2REBfFkg', '5d41402abc4b2a76b9719d911017c592'],
    ['31 hex digits', '5d41402abc4b2a76b9719d911017c59', null],
    ['no text', 7, null],
    ['null', null, null],
  ])('checksum: %s', (_, json, expected) => {
    expect(md5Of(json)).toBe(expected)
  })

  it('accepts the member names of both kinds of records', () => {
    const raw = {
      version: '4.2.0.21',
      md5Checksum: 'XUFAKrxLKna5cZ2REBfFkg==',
      revoked: false,
      stage: 'Public',
      releaseDate: '2026-09-04T00:00:00Z',
      fileName: 'JABRA_SPEAK2 55_OTA_V1.6.4.zip',
      fileSize: '1867687068',
      releaseNotes: { link: 'https://www.jabra.com/supportpages/x' },
      buildType: 'Release',
    }
    expect(releaseOf(raw)).toEqual({
      version: '4.2.0.21',
      md5: '5d41402abc4b2a76b9719d911017c592',
      revoked: false,
      stage: 'Public',
      releasedAt: Date.UTC(2026, 8, 4),
      fileName: 'JABRA_SPEAK2 55_OTA_V1.6.4.zip',
      fileSize: 1_867_687_068,
      notesUrl: 'https://www.jabra.com/supportpages/x',
      buildTypes: ['Release'],
      raw,
    })
  })

  it.each<[string, Json, Record<string, unknown> | null]>([
    ['A3 revoked missing: not stated', { version: '1.0.0' }, { revoked: null }],
    ['A3 revoked', { version: '1.0.0', revoked: true }, { revoked: true }],
    ['A3 revoked, as text', { version: '1.0.0', revoked: ' True ' }, { revoked: true }],
    ['A3 revoked, as a number', { version: '1.0.0', revoked: 1 }, { revoked: true }],
    ['A4 empty version', { version: '' }, null],
    ['A4 no version', { md5Checksum: 'x' }, null],
    ['version as number', { version: 1.2 }, { version: '1.2' }],
    ['A22 the version is never taken from the file name', { fileName: 'Jabra_USB-1-12-0.dfu' }, null],
    ['A23 a size beyond 32 bits', { version: '1', fileSize: 5_000_000_000 }, { fileSize: 5_000_000_000 }],
    ['invalid sizes', { version: '1', fileSize: -1 }, { fileSize: null }],
    ['an invalid date', { version: '1', releaseDate: 'soon' }, { releasedAt: null }],
    ['notes over plain http', { version: '1', releaseNotes: 'http://example.com' }, { notesUrl: null }],
    ['other capitals', { Version: '1.0.0', Revoked: true }, { version: '1.0.0', revoked: true }],
    ['a bare version', '1.0.0', { version: '1.0.0' }],
    ['null', null, null],
    ['a list', [], null],
  ])('%s', (_, json, expected) => {
    if (expected === null) expect(releaseOf(json)).toBeNull()
    else expect(releaseOf(json)).toMatchObject(expected)
  })

  it.each<[string, Json, string[] | null]>([
    ['a list', [{ version: '1' }, null, { version: '2' }], ['1', '2']],
    ['a list inside', { releases: [{ version: '1' }] }, ['1']],
    ['an empty list', [], []],
    ['A26 an error as an object', { title: 'Not found', status: 404 }, null],
    ['text', 'Not found', null],
  ])('%s', (_, json, expected) => {
    expect(releasesOf(json)?.releases.map((release) => release.version) ?? null).toEqual(expected)
  })
})

const documentUrl = 'https://metadata.example.com/base/models/v/18/downloadLink.json'

describe('firmware download link', () => {
  it.each<[string, Json, string | null]>([
    ['url', { url: 'https://a.example/x' }, 'https://a.example/x'],
    ['downloadUrl', { fileName: 'x', downloadUrl: 'https://a.example/x' }, 'https://a.example/x'],
    [
      'exactly as received',
      { link: 'HTTPS://a.example/JABRA SPEAK2%2055.zip?sig=a%2Fb' },
      'HTTPS://a.example/JABRA SPEAK2%2055.zip?sig=a%2Fb',
    ],
    ['one level down', { file: { href: 'https://a.example/x' } }, 'https://a.example/x'],
    ['an unknown name', { whatever: ['https://a.example/x'] }, 'https://a.example/x'],
    ['bare text', 'https://a.example/x', 'https://a.example/x'],
    ['loopback http', { url: 'http://127.0.0.1:4000/x' }, 'http://127.0.0.1:4000/x'],
    [
      'a known name before an earlier unknown one',
      { info: 'https://b.example', url: 'https://a.example/x' },
      'https://a.example/x',
    ],
    [
      'a usable one after an unusable one',
      { url: 'http://a.example/x', downloadUrl: 'https://a.example/x' },
      'https://a.example/x',
    ],
    ['a notes link is no download', { releaseNotesPage: 'https://a.example/notes' }, null],
    ['plain http', { url: 'http://a.example/x' }, null],
    ['http that only looks like loopback', { url: 'http://127.0.0.1.evil.example/x' }, null],
    [
      'other schemes',
      { url: 'javascript:alert(1)', link: 'file:///etc/passwd', href: 'ftp://a.example' },
      null,
    ],
    ['nothing', {}, null],
    ['null', null, null],
  ])('%s', (_, json, expected) => {
    expect(downloadLinkOf(json, documentUrl)?.url ?? null).toBe(expected)
  })
})

describe('any JSON at all', () => {
  const names = fc.constantFrom(
    'bundles',
    'products',
    'unbundledProducts',
    'variants',
    'vendorId',
    'productId',
    'firmwareReleases',
    'version',
    'settings',
    'device',
  )
  const more = fc.constantFrom(
    'settingId',
    'possibleValues',
    'properties',
    'valueType',
    'enum',
    'listSettings',
    'settingIds',
    'url',
    '__proto__',
    'constructor',
  )
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<Json>(null, true, '', '1.2.0', 'https://a.example', 2830, -1, 1e300),
      fc.string(),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(names, more, fc.string()), tie('json'), { maxKeys: 5 }),
    ),
  }))

  it.each<[string, (json: Json) => unknown]>([
    ['catalogue', catalogueOf],
    ['releases', releasesOf],
    ['download link', (one) => downloadLinkOf(one, documentUrl)],
    ['schema versions', schemaVersionsOf],
    ['latest info', latestInfoOf],
    ['property definitions', gnpDefinitionOf],
    ['device model', deviceModelOf],
    ['feature model', featureModelOf],
  ])('never makes the %s parser throw', (_, read) => {
    fc.assert(
      fc.property(json, (anything) => {
        expect(() => read(anything)).not.toThrow()
      }),
      { numRuns: cases(1_000) },
    )
  })
})
