import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { catalogueOf } from '../../../electron/core/metadata/catalogue-json.ts'
import {
  gnpDefinitionOf,
  latestInfoOf,
  propertyOf,
  schemaVersionsOf,
} from '../../../electron/core/metadata/definition-json.ts'
import { deviceModelOf, featureModelOf, modelIsFor } from '../../../electron/core/metadata/model-json.ts'
import { md5Of } from '../../../electron/core/metadata/file-json.ts'
import { downloadLinkOf } from '../../../electron/core/metadata/link-json.ts'
import { releaseOf, releasesOf } from '../../../electron/core/metadata/release-json.ts'

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
      'variants that are none',
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
    ['A19 members nobody announced', { entityId: 'x', anything: [1] }, { name: 'Link' }],
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
    ['without its end signs', 'XUFAKrxLKna5cZ2REBfFkg', '5d41402abc4b2a76b9719d911017c592'],
    ['31 signs of hex', '5d41402abc4b2a76b9719d911017c59', null],
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
    ['A3 revoked missing: not said', { version: '1.0.0' }, { revoked: null }],
    ['A3 revoked', { version: '1.0.0', revoked: true }, { revoked: true }],
    ['A3 revoked, as a word', { version: '1.0.0', revoked: ' True ' }, { revoked: true }],
    ['A3 revoked, as a number', { version: '1.0.0', revoked: 1 }, { revoked: true }],
    ['A4 empty version', { version: '' }, null],
    ['A4 no version', { md5Checksum: 'x' }, null],
    ['version as number', { version: 1.2 }, { version: '1.2' }],
    ['A22 the version is never taken from the file name', { fileName: 'Jabra_USB-1-12-0.dfu' }, null],
    ['A23 a size beyond 32 bits', { version: '1', fileSize: 5_000_000_000 }, { fileSize: 5_000_000_000 }],
    ['sizes that are none', { version: '1', fileSize: -1 }, { fileSize: null }],
    ['a date that is none', { version: '1', releaseDate: 'soon' }, { releasedAt: null }],
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
    ['a name nobody knows', { whatever: ['https://a.example/x'] }, 'https://a.example/x'],
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

describe('definitions', () => {
  it.each<[string, Json, readonly string[] | null]>([
    ['specification', [{ version: '1.10.0' }, { version: '1.2.0' }], ['1.10.0', '1.2.0']],
    ['plain texts', ['1.10.0'], ['1.10.0']],
    ['records that are none', [null, {}, { version: 3 }, { version: '1.2.0', extra: 1 }], ['1.2.0']],
    ['inside an object', { schemaVersions: [{ version: '1.2.0' }] }, ['1.2.0']],
    ['empty', [], null],
    ['an error', { message: 'x' }, null],
  ])('schema versions: %s', (_, json, expected) => {
    expect(schemaVersionsOf(json)).toEqual(expected)
  })

  it.each<[string, Json, string | null]>([
    ['specification', { schemaVersion: '1.11.0', definitionVersion: '14.6.0' }, '14.6.0'],
    ['A19 extra members', { definitionVersion: '14.6.0', extra: {} }, '14.6.0'],
    ['empty', { definitionVersion: '' }, null],
    ['a list', [], null],
    ['null', null, null],
  ])('latest info: %s', (_, json, expected) => {
    expect(latestInfoOf(json)?.definitionVersion ?? null).toBe(expected)
  })

  it('parses all 427 definitions of the published package', () => {
    const json = JSON.parse(
      readFileSync(
        new URL(import.meta.resolve('@gnaudio/jabra-properties-definition/properties.json')),
        'utf8',
      ),
    ) as Json
    const properties = gnpDefinitionOf(json)?.properties ?? []
    const count = (test: (property: (typeof properties)[number]) => boolean) => properties.filter(test).length
    expect({
      all: properties.length,
      commandsWithoutType: count((one) => one.type === null),
      read: count((one) => one.read),
      write: count((one) => one.write),
      event: count((one) => one.event),
      execute: count((one) => one.execute),
      restarts: count((one) => one.restarts === true),
      withAllowed: count((one) => one.allowed.length > 0),
      limited: count((one) => one.minimum !== null || one.maximum !== null),
    }).toEqual({
      all: 427,
      commandsWithoutType: 18,
      read: 360,
      write: 309,
      event: 57,
      execute: 20,
      restarts: 43,
      withAllowed: 142,
      limited: 27,
    })
    expect(properties.find((one) => one.name === 'sidetoneLevel')).toMatchObject({
      type: 'integer',
      minimum: -9,
      maximum: 6,
      restarts: null,
    })
    const odd = ['24HourFormat', 'gatt.batteryLevel']
    expect(odd.filter((name) => !properties.some((one) => one.name === name))).toEqual([]) // A20
  })

  it.each<[string, Json, Record<string, unknown>]>([
    [
      'A15 minValue',
      { valueType: { type: 'integer', minValue: 1, maximumValue: 5 } },
      { minimum: 1, maximum: 5 },
    ],
    [
      'A15 maximumLength',
      { valueType: { type: 'string', minimumLength: 1, maximumLength: 9 } },
      { minLength: 1, maxLength: 9 },
    ],
    ['limits beside the type', { valueType: { type: 'integer' }, minimum: 0 }, { minimum: 0 }],
    [
      'A20 words as they are',
      { valueType: { type: 'string', enum: ['_0dB', '0dB', '50Hz', 7, true] } },
      { allowed: ['_0dB', '0dB', '50Hz', '7', 'true'] },
    ],
    ['A21 a command', { execute: [{}] }, { type: null, execute: true, read: false }],
    [
      'empty operations are none',
      { read: [], write: null, event: {} },
      { read: false, write: false, event: true },
    ],
    ['A12 restart said', { needsConfigMode: false }, { restarts: false }],
    ['A12 restart not said', {}, { restarts: null }],
    [
      'limits that are none',
      { valueType: { type: 'integer', minimum: 'low', maximum: null } },
      { minimum: null, maximum: null },
    ],
  ])('property: %s', (_, json, expected) => {
    expect(propertyOf('x', json)).toMatchObject(expected)
  })
})

describe('device model', () => {
  const model = (device: Record<string, Json>) =>
    deviceModelOf({ device: { vendorId: 2830, productId: 9395, variantType: '01-64', ...device } as Json })
  const setting = {
    id: 'SOUND_MODE',
    type: null,
    properties: [],
    possibleValues: [],
    access: null,
    restarts: null,
    group: null,
  }

  it.each<[string, Record<string, Json>, unknown[]]>([
    ['A10 no settings for a real firmware', { settings: [] }, []],
    ['A11 a section missing, others new', { holograms: [{}], settings: null }, []],
    ['A12 restart and access not said', { settings: [{ settingId: 'SOUND_MODE' }] }, [setting]],
    [
      'A12 both said',
      { settings: [{ settingId: 'SOUND_MODE', requiresRestart: false, settingAccess: 'ReadOnly' }] },
      [{ ...setting, restarts: false, access: 'ReadOnly' }],
    ],
    [
      'A13 several properties',
      { settings: [{ settingId: 'SOUND_MODE', sdkProperties: ['a', 'b', null] }] },
      [{ ...setting, properties: ['a', 'b'] }],
    ],
    [
      'A13 a single one',
      { settings: [{ settingId: 'SOUND_MODE', sdkProperty: 'a' }] },
      [{ ...setting, properties: ['a'] }],
    ],
    [
      'A14 keys',
      {
        settings: [
          { settingId: 'SOUND_MODE', possibleValues: [{ key: 'bass' }, { key: 'treble', value: 2 }] },
        ],
      },
      [{ ...setting, possibleValues: ['bass', 'treble'] }],
    ],
    [
      'A14 values of every kind',
      {
        settings: [
          {
            settingId: 'SOUND_MODE',
            possibleValues: [{ value: 'a' }, { value: true }, { value: 0 }, { value: null }, {}, 'b', null],
          },
        ],
      },
      [{ ...setting, possibleValues: ['a', 'true', '0', 'b'] }],
    ],
    [
      'groups within groups',
      {
        settings: [
          {
            groupName: 'Audio',
            settings: [{ settingId: 'SOUND_MODE' }, { groupName: 'Deep', items: [{ id: 'X' }] }],
          },
        ],
      },
      [
        { ...setting, group: 'Audio' },
        { ...setting, id: 'X', group: 'Deep' },
      ],
    ],
    [
      'composite settings',
      { compositeSettings: [{ settingId: 'EQ', type: 'Composite' }] },
      [{ ...setting, id: 'EQ', type: 'Composite' }],
    ],
    ['nodes that are none', { settings: [null, 3, 'x', [], { settingId: '' }] }, []],
  ])('%s', (_, device, expected) => {
    expect(model(device)?.settings).toEqual(expected)
  })

  it('is parsed sixteen levels deep and no deeper', () => {
    const nested = (levels: number): Json =>
      levels === 1 ? [{ settingId: 'DEEP' }] : [{ settings: nested(levels - 1) }]
    expect([16, 17, 5000].map((levels) => model({ settings: nested(levels) })?.settings.length)).toEqual([
      1, 0, 0,
    ])
  })

  it.each<[string, Record<string, Json>, boolean]>([
    ['the same', {}, true],
    ['A24 other capitals', { variantType: '01-64'.toLowerCase() }, true],
    ['another product', { productId: 1 }, false],
    ['another variant', { variantType: '01-65' }, false],
    ['identity missing', { vendorId: null, productId: null, variantType: null }, true],
  ])('belongs to the requested product: %s', (_, device, expected) => {
    const read = model(device)
    expect(
      read !== null &&
        modelIsFor(read, { vendorId: 2830, productId: 9395, variantType: '01-64', firmwareVersion: '2.9.2' }),
    ).toBe(expected)
  })
})

describe('feature model', () => {
  it('joins descriptors and names of the management interface', () => {
    const read = featureModelOf({
      settings: {
        listSettings: [
          { settingId: 'FIELD_OF_VIEW', supportedValues: ['_90deg', '_120deg'], requiresRestart: true },
          { settingId: '' },
        ],
        stringSettings: [{ settingId: 'NAME', minimumLength: 1, maximumLength: 30, requiresRestart: false }],
        numberSettings: [{ settingId: 'LATENCY', minimumValue: 0 }],
        booleanSettings: [{ settingId: 'PLAZA', requiresRestart: false }, null],
      },
      settingIds: { fieldOfView: 'FIELD_OF_VIEW', name: 'NAME', videoStiching: 'STITCH', broken: 7 },
    })
    expect(read?.settings).toEqual([
      {
        id: 'FIELD_OF_VIEW',
        name: 'fieldOfView',
        kind: 'choice',
        supported: ['_90deg', '_120deg'],
        minimum: null,
        maximum: null,
        restarts: true,
      },
      { id: 'NAME', name: 'name', kind: 'text', supported: [], minimum: 1, maximum: 30, restarts: false },
      { id: 'LATENCY', name: null, kind: 'number', supported: [], minimum: 0, maximum: null, restarts: null },
      {
        id: 'PLAZA',
        name: null,
        kind: 'other',
        supported: [],
        minimum: null,
        maximum: null,
        restarts: false,
      },
    ])
  })

  it.each<[string, Json, number | null]>([
    ['A16 no names', { settings: { listSettings: [{ settingId: 'A' }] } }, 1],
    ['A17 names without descriptors', { settingIds: { a: 'A' } }, 0],
    ['lists that are none', { settings: { listSettings: null, numberSettings: {} } }, 0],
    ['an error', { title: 'Not found' }, null],
    ['a list', [], null],
  ])('%s', (_, json, expected) => {
    expect(featureModelOf(json)?.settings.length ?? null).toBe(expected)
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
      { numRuns: 1000 },
    )
  })
})
