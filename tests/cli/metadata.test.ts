import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approvalCommands } from '../../electron/cli/commands/approvals.ts'
import { definitionCommands } from '../../electron/cli/commands/definitions.ts'
import { differenceCommands } from '../../electron/cli/commands/differences.ts'
import { firmwareCommands } from '../../electron/cli/commands/firmware.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { notesCommands } from '../../electron/cli/commands/notes.ts'
import { operationCommands } from '../../electron/cli/commands/operations.ts'
import type { Json } from '../../electron/contract/json.ts'
import { aDevice } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'
import { answer } from '../fake-transport.ts'

const product = '2830/12306'
const releases = '/vendors/2830/products/12306/firmware-releases'
const link = (version: string): string =>
  `/vendors/2830/products/12306/firmware-versions/${version}/build-types/Release/downloadLink`

let service: OddService
beforeEach(async () => {
  service = await anOddService()
  service.documents.set('/product-group-bundles/bundles', {
    bundles: [],
    unbundledProducts: [
      { productName: 'Bar', variants: [{ vendorId: 2830, productId: 12306, variantType: '01' }] },
    ],
  })
  service.documents.set(releases, [
    { version: '3.0.0', stage: 'Beta' },
    { version: '2.9.2', stage: 'Public' },
    { version: '2.8.0' },
    7,
  ])
})
afterEach(() => service.close())

const headroom = (...argv: string[]) =>
  service.run(
    [
      ...approvalCommands,
      ...firmwareCommands,
      ...notesCommands,
      ...definitionCommands,
      ...differenceCommands,
      ...inventoryCommands,
      ...operationCommands,
    ],
    ...argv,
  )
const read = async (...argv: string[]): Promise<Record<string, Json>> =>
  JSON.parse((await headroom(...argv, '--json')).output) as Record<string, Json>

describe('a device model without settings', () => {
  const model = (version: string): string =>
    `/vendors/2830/products/12306/variants/01/firmware-versions/${version}/device-models/Brand%20SDK%20V4/definition-versions/14.5.0`
  const settings = { device: { settings: [{ settingId: 'SOUND_MODE' }] } }
  it.each<[string, Json, string, [number, string]]>([
    ['empty', { device: { settings: [] } }, 'No items.', [0, '1 added, 0 removed, 0 changed, 0 equal.']],
    [
      'not understood',
      { root: { x: [{ settingId: 'A' }] } },
      'Its shape is not understood, so no items are listed; --json shows it as received.',
      [3, 'Not compared: Device model. 2.8.0: the shape of the document is not understood.'],
    ],
  ])('is told from one that is not understood: %s', async (_, before, shown, difference) => {
    service.documents.set(model('2.8.0'), before)
    service.documents.set(model('2.9.2'), settings)
    const one = await headroom(
      ...['definitions', 'show', product, '--document', 'device-model'],
      ...['--variant', '01', '--firmware', '2.8.0'],
    )
    const both = await headroom('firmware', 'diff', product, '2.8.0', '2.9.2', '--variant', '01')
    expect(one.output).toContain(
      'definition version not specified, asked for 14.5.0, stage not specified, as of ',
    )
    expect([one.output.trimEnd().split('\n').at(-1), both.code, both.output.split('\n')]).toEqual([
      shown,
      difference[0],
      expect.arrayContaining([difference[1]]),
    ])
  })
})

describe('headroom definitions show --document', () => {
  it.each<[string, string, Json, string]>([
    [
      'property-map',
      '/protocol-definitions/gnp/schema-versions/1.11.0/property-map',
      { mapping: { soundMode: 'CONFIG__SOUND_MODE' } },
      'CONFIG__SOUND_MODE',
    ],
    ['name-map', '/product-mapping/name-map', { soundMode: 'SOUND_MODE' }, 'SOUND_MODE'],
  ])('%s lists what a name is mapped to', async (document, path, json, value) => {
    service.documents.set('/protocol-definitions/gnp/schema-versions', [{ version: '1.11.0' }])
    service.documents.set(path, json)
    const { output } = await headroom('definitions', 'show', '--document', document)
    expect(
      output
        .trimEnd()
        .split('\n')
        .slice(2)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['Name', 'Label', 'Mapped to'],
      ['soundMode', 'Sound mode', value],
    ])
  })
})

describe('headroom call --strict', () => {
  it.each<[string, Json, number]>([
    ['as specified', [{ version: '1.0.0' }], 0],
    ['another member', [{ version: '1.0.0', note: 'new' }], 4],
    ['a missing member', [{}], 4],
  ])('ends by whether the answer is as specified: %s', async (_, json, code) => {
    service.documents.set('/protocol-definitions/gnp/schema-versions', json)
    expect((await headroom('call', 'GetGnpSchemaVersions', '--strict')).code).toBe(code)
  })
})

describe('an operation that only the description of the interface has', () => {
  beforeEach(() => {
    service.documents.set('/openapi', {
      openapi: '3.0.1',
      info: { version: '18.0' },
      paths: { '/news/{newsId}': { get: { operationId: 'GetNews' } } },
    })
    service.documents.set('/news/a%20b', { news: 1 })
  })
  it('is listed and called, and no write is sent for it', async () => {
    await headroom('versions')
    const { output } = await headroom('operations')
    expect([
      output.split('\n').filter((line) => line.startsWith('GetNews')),
      await headroom('call', 'GetNews', 'newsId=a b'),
    ]).toEqual([
      [expect.stringContaining('/models/v/{apiVersion}/news/{newsId}')],
      { code: 0, output: '{"news":1}\n', errors: '' },
    ])
  })
})

describe('headroom versions', () => {
  it('tells what the descriptions say about versions, and deprecated and new operations', async () => {
    const described = (version: string, ...paths: string[]): Json => ({
      openapi: '3.0.1',
      info: { version },
      paths: Object.fromEntries([
        ['/telemetry', { get: { deprecated: true } }],
        ...paths.map((path) => [path, { get: { operationId: `Get${path.slice(1)}` } }] as const),
      ]),
    })
    service.instead = ({ url }) =>
      url.includes('/v/18/openapi')
        ? answer(200, described('17.0'))
        : url.includes('/v/19/openapi')
          ? answer(200, described('19.0', '/News'))
          : undefined
    const { output } = await headroom('versions')
    expect(output.trimEnd().split('\n').slice(2)).toEqual([
      'The description of version 18 says that it is version 17.0.',
      'GetTelemetry: is deprecated in version 18',
      'GetTelemetry: is deprecated in version 19',
      'GetNews: is new, its path is /News',
    ])
  })
})

describe('headroom releases', () => {
  it('names the latest public release, lists missing stages, and counts unreadable records', async () => {
    const { code, output, errors } = await headroom('releases', product)
    const rows = output.split('\n').slice(2, 5)
    expect([code, rows.map((row) => row.replace(/ {2,}/g, '|')), errors]).toEqual([
      0,
      ['3.0.0|Beta|–|–|–|–', '2.9.2|latest|Public|–|–|–|–', '2.8.0|not stated|–|–|–|–'],
      '1 record among the releases of Bar cannot be read; --json shows it as received.\n',
    ])
    expect((await read('releases', product))['unreadable']).toEqual({ count: 1, records: [7] })
  })

  it('includes the given stages for this run only', async () => {
    const latest = async (...words: string[]): Promise<unknown> =>
      (
        (await read('releases', product, ...words))['releases'] as { version: string; latest: boolean }[]
      ).find((one) => one.latest)?.version
    expect([await latest('--include-stage', 'Test,beta'), await latest()]).toEqual(['3.0.0', '2.9.2'])
    await expect(headroom('releases', product, '--include-stage', 'Gamma')).rejects.toThrow(
      '"Gamma" is not one of Candidate, Test, Beta',
    )
  })

  it('names no latest when all are prereleases', async () => {
    service.documents.set(releases, [{ version: '3.0.0', stage: 'Beta' }])
    expect((await headroom('releases', product)).output).toMatch(
      /None of these releases is public, so there is no latest version\..*\n$/,
    )
    await expect(headroom('firmware', 'link', product, 'latest')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'a public release of Bar' },
    })
  })
})

describe('headroom releases without a latest', () => {
  it.each<[string, Json[], RegExp, string, string]>([
    [
      'all are revoked',
      [{ version: '3.0.0', revoked: true }],
      /All of these releases were revoked, so there is no latest version\.\n$/,
      'a release of Bar that was not revoked',
      'unknown: all releases revoked',
    ],
    [
      'the only version cannot be compared',
      [{ version: 'R2 spring' }],
      /None of the public versions can be compared, so there is no latest version\.\n$/,
      'a release of Bar whose version can be compared',
      'unknown: releases cannot be compared',
    ],
  ])('explains why: %s', async (_, published, said, what, visible) => {
    service.documents.set(releases, published)
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    expect((await headroom('releases', product)).output).toMatch(said)
    expect((await headroom('devices')).output).toContain(visible)
    await expect(headroom('firmware', 'link', product, 'latest')).rejects.toMatchObject({
      failure: { kind: 'not-found', what },
    })
  })
})

describe('headroom firmware link', () => {
  it.each<[string, Json, string, number, string, RegExp]>([
    [
      'an address',
      { downloadUrl: ' https://a.example/f.zip ' },
      'latest',
      0,
      'https://a.example/f.zip\n',
      /^$/,
    ],
    ['an address alone', '"https://a.example/f.zip"', '2.9.2', 0, 'https://a.example/f.zip\n', /^$/],
    [
      'a path',
      { url: '/f.zip', size: '12', expires: '2101-02-03T04:05:06Z' },
      'latest',
      0,
      'https://odd.example/f.zip\n',
      /: ends .*2101.*, 12 bytes\n$/,
    ],
    [
      'an address that has ended',
      { url: '/f.zip', expires: '2001-02-03T04:05:06Z' },
      'latest',
      4,
      'https://odd.example/f.zip\n',
      /: ended .*2001.*\n$/,
    ],
    [
      'an address without a scheme',
      { url: '//a.example/f.zip' },
      'latest',
      0,
      'https://a.example/f.zip\n',
      /^$/,
    ],
    [
      'plain http',
      { url: 'http://a.example/f.zip' },
      'latest',
      4,
      '',
      /contains http:\/\/a\.example\/f\.zip, which Headroom does not open.*\n\{"url":/,
    ],
    [
      'no address',
      { note: 'soon' },
      'latest',
      4,
      '',
      /^The record contains no file address\.\n\{"note":"soon"\}\n$/,
    ],
  ])('prints %s', async (_, record, version, code, output, errors) => {
    service.documents.set(link('2.9.2'), record)
    expect(await headroom('firmware', 'link', product, version)).toEqual({
      code,
      output,
      errors: expect.stringMatching(errors) as string,
    })
  })

  it('of the latest takes the latest of the included stages', async () => {
    service.documents.set(link('3.0.0'), { url: 'https://a.example/beta.zip' })
    expect((await headroom('firmware', 'link', product, 'latest', '--include-stage', 'Beta')).output).toBe(
      'https://a.example/beta.zip\n',
    )
  })
})

describe('headroom devices', () => {
  const words = async (...argv: string[]): Promise<unknown> =>
    (
      (await read('devices', ...argv))['devices'] as {
        firmware: { word: string; latest: string | null; why: string | null }
      }[]
    ).map(({ firmware }) => firmware.why ?? `${firmware.word} ${firmware.latest ?? ''}`)

  it('are compared with the included stages for this run only, and nothing is stored', async () => {
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    expect([
      await words('--include-stage', 'Beta'),
      await words('--include-stage', 'Beta', '--where', 'fw:behind'),
      await words(),
      await words('--where', 'fw:behind'),
    ]).toEqual([['behind 3.0.0'], ['behind 3.0.0'], ['current 2.9.2'], []])
  })

  it('are grouped as compared with the included stages', async () => {
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    const needing = async (...argv: string[]): Promise<unknown> =>
      (await read('devices', '--group-by', 'status', ...argv))['groups']
    expect([await needing('--include-stage', 'Beta'), await needing()]).toEqual([
      [{ value: 'online', count: 1, needing: 1 }],
      [{ value: 'online', count: 1, needing: 0 }],
    ])
  })

  it('are counted by product as compared with the included stages, for this run only', async () => {
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    const status = async (...argv: string[]): Promise<unknown> =>
      ((await read('firmware', 'status', ...argv))['products'] as Record<string, Json>[]).map(
        ({ newest, current, behind }) => [newest, current, behind],
      )
    expect([await status('--include-stage', 'Beta'), await status()]).toEqual([
      [['3.0.0', 0, 1]],
      [['2.9.2', 1, 0]],
    ])
  })

  it('are said to be not compared with included stages when the releases were never read', async () => {
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    const behind = ['devices', '--include-stage', 'Beta', '--where', 'fw:behind']
    const compared = await headroom(...behind)
    await service.core.handlers.metadata.clearCache()
    const unread = await headroom(...behind)
    const counted = await headroom('firmware', 'status', '--include-stage', 'Beta')
    service.documents.clear()
    await headroom('sync')
    const unpublished = await headroom(...behind)
    expect([compared, unread, counted, unpublished].map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [4, 'The releases of 1 product have not been read: headroom sync reads them.\n'],
      [4, 'The releases of 1 product have not been read: headroom sync reads them.\n'],
      [0, ''],
    ])
  })

  it('of a product with only prereleases have unknown compliance, because there is no public release', async () => {
    service.documents.set(releases, [{ version: '3.0.0', stage: 'Beta' }])
    service.devices = { MeetingRoom: [aDevice(1, { firmwareVersion: '2.9.2' })], Personal: [] }
    await headroom('sync')
    expect(await words()).toEqual(['no-public-release'])
    expect((await headroom('devices')).output).toContain('unknown: no public release')
  })
})

describe('headroom notes', () => {
  it('resolves relative links and names their kind as declared', async () => {
    const products = { '12306': {} }
    const links = [
      { type: 'releaseNotes', url: '/notes' },
      { linkType: 'Support', href: '//support.example/x' },
      { url: 'javascript:alert(1)' },
    ]
    service.instead = ({ url }) =>
      url.includes('/content/') ? answer(200, { items: [{ name: 'Odd', products, links }] }) : undefined
    expect((await headroom('notes', product)).output.split('\n')).toEqual([
      'Odd',
      'release-notes  https://odd.example/notes  Release notes',
      'support        https://support.example/x  Support',
      '',
    ])
  })

  const text = 'Fixes \u001b[2Jmute\n\n- sync'
  const content = {
    products: [
      {
        productId: 12306,
        supportUrl: 'https://www.jabra.com/support',
        image: 'https://images.ctfassets.net/a.png',
        releaseNotes: [
          { version: '2.9.2', text },
          { version: '2.8.0', html: '<p>Older</p>' },
          { pending: 7 },
        ],
      },
    ],
  }
  const published = (): void => {
    service.instead = ({ url }) => (url.includes('/content/') ? answer(200, content) : undefined)
  }

  it('is one document about the product, its text safe for a terminal', async () => {
    published()
    const { observedAt: _, fromCache: __, raw, ...document } = await read('notes', product)
    const note = { source: 'product-content', revoked: false, cut: false }
    expect([document, raw]).toEqual([
      {
        product: { vendorId: 2830, productId: 12306, name: 'Bar' },
        notes: [
          { ...note, version: '2.9.2', format: 'markdown', text: 'Fixes  [2Jmute\n\n- sync' },
          { ...note, version: '2.8.0', format: 'html', text: 'Older' },
        ],
        withoutText: [],
        links: [{ kind: 'support', url: 'https://www.jabra.com/support', host: 'www.jabra.com' }],
        pictures: ['https://images.ctfassets.net/a.png'],
        other: [{ pending: 7 }],
      },
      content.products[0],
    ])
  })

  it('for later versions ends with the newest that is not revoked, and names those without text', async () => {
    published()
    const unread = '1 not understood: --json shows it as received.'
    const lines = async (...words: string[]): Promise<readonly string[]> =>
      (await headroom('notes', product, ...words)).output.split('\n').slice(1, -2)
    expect([await lines('--since', '2.8.0'), await lines('--version', '2.7.0')]).toEqual([
      ['', '2.9.2:', 'Fixes  [2Jmute', '', '- sync', '', 'No text is published for 3.0.0.', unread],
      ['No matching notes are published.', unread],
    ])
  })
})

describe('headroom definitions', () => {
  it('skips a schema version whose latest definition version is not published', async () => {
    service.documents.set('/protocol-definitions/gnp/schema-versions', ['1.13.0-beta', '1.12.0', '1.11.0'])
    service.documents.set(
      '/protocol-definitions/gnp/definition-versions/schema-versions/1.11.0/latest/info',
      { definitionVersion: '14.4.0', stage: 'Public' },
    )
    const { code, output } = await headroom('definitions', 'latest')
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^Definition version in use: 14\.4\.0 \(Public, schema 1\.11\.0\)\..*\nSchema 1\.12\.0 is newer, but its latest .*not published\.\n$/,
      ),
    ])
  })
})

describe('headroom call', () => {
  it('caches what it received, and prints the copy with its age when the service is unreachable', async () => {
    const call = ['call', 'GetFirmwareReleasesByProductId', 'vendorId=2830', 'productId=12306'] as const
    const first = await headroom(...call)
    const requested = service.requests.length
    const cached = await headroom(...call, '--cached')
    expect([first.code, first.errors, cached.output, service.requests.length]).toEqual([
      0,
      '',
      first.output,
      requested,
    ])
    expect(cached.errors).toMatch(/^The service was not asked: this is the copy of .* old\.\n$/)
    await expect(headroom('call', 'GetTelemetry', '--cached')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'a cached copy of GetTelemetry' },
    })
  })
})
