import { userInfo } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approvalCommands } from '../../electron/cli/commands/approvals.ts'
import { downloadCommands } from '../../electron/cli/commands/downloads.ts'
import { firmwareCommands } from '../../electron/cli/commands/firmware.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { UsageError } from '../../electron/cli/grammar.ts'
import { moment } from '../../electron/cli/table.ts'
import type { Json } from '../../electron/contract/json.ts'
import { aDevice } from '../a-device.ts'
import { anOddService, type OddService } from '../an-odd-service.ts'
import { answer } from '../fake-transport.ts'

const releases = '/vendors/2830/products/9395/firmware-releases'
let service: OddService
const day = 24 * 3_600_000

beforeEach(async () => {
  service = await anOddService()
  await service.core.handlers.app.setPreferences({ timeZone: 'Europe/Copenhagen' })
  service.documents.set('/product-group-bundles/bundles', {
    unbundledProducts: [
      {
        productName: 'Headset',
        variants: ['01-64', '01-65'].map((variantType) => ({ vendorId: 2830, productId: 9395, variantType })),
      },
    ],
  })
  service.documents.set(releases, [
    { version: '3.0.0' },
    { version: '2.9.0' },
    { version: '2.8.0' },
    { version: '2.7.0', revoked: true },
  ])
  service.devices = {
    MeetingRoom: [],
    Personal: [
      headset(1, '3.0.0'),
      headset(2, '2.9.0', '01-65'),
      headset(3, '2.8.0'),
      headset(4, '2.7.0'),
      headset(5, null),
      aDevice(6, { productId: 4711, firmwareVersion: '1.0.0', variantType: '01-64' }),
    ],
  }
  for (const version of ['2.9.0', '3.0.0'])
    service.documents.set(
      `/vendors/2830/products/9395/firmware-versions/${version}/build-types/Release/downloadLink`,
      { url: `https://a.example/${version}.zip` },
    )
  await headroom('sync')
  await service.core.handlers.firmware.releases({ vendorId: 2830, productId: 9395 })
})
afterEach(() => service.close())

const now = (): number => service.core.shared.platform.clock.now()
const reconcile = async (): Promise<void> => (await service.core.sessions.current()).recomputeCompliance()
const headset = (number: number, firmwareVersion: string | null, variantType = '01-64') =>
  aDevice(number, { productId: 9395, firmwareVersion, variantType })
const headroom = (...argv: string[]) =>
  service.run([...firmwareCommands, ...approvalCommands, ...inventoryCommands], ...argv)
const read = async (...argv: string[]): Promise<Record<string, Json>> =>
  JSON.parse((await headroom(...argv, '--json')).output) as Record<string, Json>
const found = async (where: string): Promise<readonly (string | null)[]> =>
  (
    await service.core.handlers.devices.slice({
      where,
      sort: [{ column: 'firmwareVersion', descending: true }],
      start: 0,
      count: 9,
    })
  ).rows.map((row) => row.firmwareVersion)
const approve = (...more: string[]) =>
  headroom('firmware', 'approve', 'Headset', '2.9.0', '--reason', 'tested in Aarhus', ...more)

describe('an approved version', () => {
  it('is listed with reason, author, last day and state', async () => {
    const begun = now()
    const { code } = await approve('--expires', '2026-12-31')
    const { total, approvals } = await read('firmware', 'approvals')
    const [{ at } = { at: 0 }] = approvals as readonly { readonly at: number }[]
    expect([code, total, begun <= at && at <= now(), approvals]).toEqual([
      0,
      1,
      true,
      [
        {
          product: { vendorId: 2830, productId: 9395, name: 'Headset' },
          variant: null,
          version: '2.9.0',
          reason: 'tested in Aarhus',
          who: userInfo().username,
          at,
          expiresAt: Date.parse('2027-01-01T00:00:00+01:00'),
          state: 'valid',
        },
      ],
    ])
  })

  it('is listed for people with all of that', async () => {
    await approve('--expires', '2026-12-31')
    const { output } = await headroom('firmware', 'approvals')
    const { approvals } = await read('firmware', 'approvals')
    const [{ at } = { at: 0 }] = approvals as readonly { readonly at: number }[]
    const [, line] = output.split('\n')
    expect(line!.trim().split(/ {2,}/)).toEqual([
      '2830/9395',
      'Headset',
      '–',
      '2.9.0',
      'valid',
      moment(Date.parse('2027-01-01T00:00:00+01:00') - 1),
      userInfo().username,
      moment(at),
      'tested in Aarhus',
    ])
  })

  it('reports which devices run exactly that version, even if the version is unknown', async () => {
    await approve()
    expect([
      await found('approved:yes'),
      await found('approved:no'),
      await found('approved:none'),
      await found('approved:expired'),
      await found('!approved:yes'),
    ]).toEqual([
      ['2.9.0'],
      ['3.0.0', '2.8.0', '2.7.0', null],
      ['1.0.0'],
      [],
      ['3.0.0', '2.8.0', '2.7.0', '1.0.0', null],
    ])
  })

  it('applies to every list once the organization compares with it', async () => {
    await approve()
    const counts = async () => [
      await found('fw:current'),
      await found('fw:behind'),
      await found('fw:ahead'),
      await found('fw:revoked'),
    ]
    const before = await counts()
    await headroom('firmware', 'compare-with', 'approved')
    const after = await counts()
    await headroom('firmware', 'compare-with', 'latest')
    expect([before, after, await counts()]).toEqual([
      [['3.0.0'], ['2.9.0', '2.8.0'], [], ['2.7.0']],
      [['2.9.0'], ['2.8.0'], ['3.0.0'], ['2.7.0']],
      before,
    ])
  })

  it('applies to the devices of its variant alone, in any case', async () => {
    await headroom('firmware', 'compare-with', 'approved')
    await headroom(
      'firmware',
      'approve',
      'Headset',
      '3.0.0',
      '--variant',
      '01-65',
      '--reason',
      'new hardware',
    )
    expect([await found('approved:no'), await found('approved:yes'), await found('fw:behind')]).toEqual([
      ['2.9.0'],
      [],
      ['2.9.0', '2.8.0'],
    ])
    await approve()
    expect([await found('approved:no'), await found('approved:yes'), await found('fw:behind')]).toEqual([
      ['3.0.0', '2.9.0', '2.8.0', '2.7.0', null],
      [],
      ['2.9.0', '2.8.0'],
    ])
  })

  it('expires after its last day: devices are compared with the latest again, and it is reported', async () => {
    await headroom('firmware', 'compare-with', 'approved')
    await approve('--expires', '2026-12-31')
    service.sleep(Date.parse('2026-12-31T23:58:00+01:00') - now())
    await reconcile()
    const lastMinute = [await found('approved:yes'), await found('fw:behind')]
    service.sleep(3 * 60_000)
    await reconcile()
    const { output, errors } = await headroom('firmware', 'approvals')
    expect([
      lastMinute,
      await found('approved:expired'),
      await found('fw:behind'),
      output.includes('expired'),
      errors,
    ]).toEqual([
      [['2.9.0'], ['2.8.0']],
      ['3.0.0', '2.9.0', '2.8.0', '2.7.0', null],
      ['2.9.0', '2.8.0'],
      true,
      'The approval of version 2.9.0 of Headset has expired. Its devices are compared with the latest version.\n',
    ])
  })

  it('no longer applies once revoked, which is reported', async () => {
    await headroom('firmware', 'compare-with', 'approved')
    await approve()
    service.documents.set(releases, [{ version: '3.0.0' }, { version: '2.9.0', revoked: true }])
    service.sleep(2 * day)
    await service.core.handlers.firmware.releases({ vendorId: 2830, productId: 9395 })
    await reconcile()
    const warning =
      'Version 2.9.0 of Headset is approved, but the vendor revoked it. Approve another version.'
    expect([
      await found('approved:expired'),
      await found('fw:revoked'),
      (await headroom('firmware', 'status')).errors,
      (await service.core.handlers.app.status()).sync.notes,
    ]).toEqual([['3.0.0', '2.9.0', '2.8.0', '2.7.0', null], ['2.9.0'], `${warning}\n`, [warning]])
  })

  it.each<[string, string[], object]>([
    ['an empty reason', ['2.9.0', '--reason', ' '], { kind: 'invalid', field: 'reason' }],
    [
      'a day that is over',
      ['2.9.0', '--reason', 'x', '--expires', '2026-01-01'],
      { kind: 'invalid', field: 'expires' },
    ],
    [
      'a day that does not exist',
      ['2.9.0', '--reason', 'x', '--expires', '2027-02-30'],
      { kind: 'invalid', field: 'expires' },
    ],
    [
      'a day in words',
      ['2.9.0', '--reason', 'x', '--expires', 'soon'],
      { kind: 'invalid', field: 'expires' },
    ],
    [
      'a revoked version',
      ['2.7.0', '--reason', 'x'],
      { kind: 'not-found', what: 'release 2.7.0 of Headset that was not revoked' },
    ],
    [
      'an unlisted version',
      ['9.9.9', '--reason', 'x'],
      { kind: 'not-found', what: 'release 9.9.9 of Headset' },
    ],
    [
      'a mistyped version',
      ['2.8.9', '--reason', 'x'],
      { kind: 'not-found', what: 'release 2.8.9 of Headset (did you mean 2.8.0?)' },
    ],
    [
      'a mistyped version: revoked ones are not offered',
      ['2.7.8', '--reason', 'x'],
      { kind: 'not-found', what: 'release 2.7.8 of Headset' },
    ],
    [
      'an unknown variant',
      ['2.9.0', '--reason', 'x', '--variant', '99'],
      { kind: 'not-found', what: 'variant 99 of Headset' },
    ],
  ])('is rejected for %s, and nothing is stored', async (_, argv, failure) => {
    await expect(headroom('firmware', 'approve', 'Headset', ...argv)).rejects.toMatchObject({ failure })
    expect((await read('firmware', 'approvals'))['total']).toBe(0)
  })

  it('may end today, in the time zone of the preferences', async () => {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Copenhagen' }).format(now())
    expect((await approve('--expires', today)).code).toBe(0)
  })

  it('is removed', async () => {
    await approve()
    expect((await headroom('firmware', 'unapprove', 'Headset')).output).toBe(
      'No version is approved for Headset now.\n',
    )
    expect([await found('approved:none'), await found('approved:yes')]).toEqual([
      ['3.0.0', '2.9.0', '2.8.0', '2.7.0', '1.0.0', null],
      [],
    ])
    await expect(headroom('firmware', 'unapprove', 'Headset')).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'an approved version of Headset' },
    })
  })

  it('adds a journal entry when it is approved and when it is removed', async () => {
    await approve()
    await headroom('firmware', 'approve', 'Headset', '3.0.0', '--variant', '01-65', '--reason', 'pilot')
    await headroom('firmware', 'approve', 'Headset', '3.0.0', '--reason', 'tested in Oslo')
    await headroom('firmware', 'unapprove', 'Headset')
    const { lines } = await service.core.handlers.journal.list({
      where: '',
      subjectId: null,
      start: 0,
      count: 9,
    })
    const reported = lines.map(({ operation, target, before, after, outcome, message, deviceIds }) => [
      operation,
      target.of,
      target.name,
      before,
      after,
      outcome,
      message,
      deviceIds.length,
    ])
    expect(reported).toEqual([
      ['UnapproveFirmware', 'organization', 'Headset', '3.0.0', null, 'accepted', null, 0],
      ...[
        ['Headset', '2.9.0', '3.0.0: tested in Oslo', 'tested in Oslo'],
        ['Headset, variant 01-65', null, '3.0.0: pilot', 'pilot'],
        ['Headset', null, '2.9.0: tested in Aarhus', 'tested in Aarhus'],
      ].map(([name, before, after, reason]) => [
        'ApproveFirmware',
        'organization',
        name,
        before,
        after,
        'accepted',
        reason,
        0,
      ]),
    ])
  })

  it('may be the latest, given as its own version', async () => {
    await headroom('firmware', 'approve', 'Headset', 'latest', '--reason', 'newest')
    expect((await read('firmware', 'approvals'))['approvals']).toMatchObject([{ version: '3.0.0' }])
  })

  it.each(['latest', '3.0.0'])(
    'says that the list of releases cannot be read when %s is not known without it',
    async (version) => {
      await service.core.handlers.metadata.clearCache()
      service.documents.set('/product-group-bundles/bundles', {
        unbundledProducts: [
          {
            productName: 'Headset',
            variants: [{ vendorId: 2830, productId: 9395, variantType: '01-64' }],
            firmwareReleases: [{ version: '2.9.0' }],
          },
        ],
      })
      service.instead = ({ url }) => (url.endsWith(`${releases}.json`) ? answer(500, {}) : undefined)
      const asked = headroom('firmware', 'approve', 'Headset', version, '--reason', 'newest')
      await expect(asked).rejects.toMatchObject({ failure: { kind: 'service-unavailable' } })
    },
  )
})

it.each([
  ['01-65', '3.0.0'],
  ['01-64', '2.9.0'],
])('a download of the approved version of variant %s is %s', async (variant, version) => {
  await approve()
  await headroom('firmware', 'approve', 'Headset', '3.0.0', '--variant', '01-65', '--reason', 'x')
  const words = ['firmware', 'download', 'Headset', 'approved', '--variant', variant]
  // The address of the file is found, and not a public one.
  await expect(service.run(downloadCommands, ...words)).rejects.toMatchObject({
    failure: { kind: 'address-refused', address: `https://a.example/${version}.zip` },
  })
})

it('a download of another version takes no variant', async () => {
  const words = ['firmware', 'download', 'Headset', '3.0.0', '--variant', '01-65']
  await expect(service.run(downloadCommands, ...words)).rejects.toThrow(
    new UsageError('firmware download: --variant goes with the version approved only.'),
  )
})

describe('the link of the approved version', () => {
  const link = (...more: string[]) => headroom('firmware', 'link', 'Headset', 'approved', ...more)

  it('is that of the product, or of the given variant', async () => {
    await approve()
    const ofProduct = (await link()).output
    await headroom('firmware', 'approve', 'Headset', '3.0.0', '--variant', '01-65', '--reason', 'x')
    expect([
      ofProduct,
      (await link('--variant', '01-65')).output,
      (await link('--variant', '01-64')).output,
    ]).toEqual([
      'https://a.example/2.9.0.zip\n',
      'https://a.example/3.0.0.zip\n',
      'https://a.example/2.9.0.zip\n',
    ])
    await expect(link()).rejects.toMatchObject({
      failure: {
        kind: 'not-found',
        what: 'one approved version of Headset: 2.9.0 for the product, 3.0.0 for variant 01-65',
      },
    })
  })

  it('is not found when nothing is approved', async () => {
    await expect(link()).rejects.toMatchObject({
      failure: { kind: 'not-found', what: 'an approved version of Headset' },
    })
  })
})

describe('headroom firmware status', () => {
  it('counts the devices of every product as lists do, and names the baseline', async () => {
    await approve()
    const rows = {
      headset: {
        vendorId: 2830,
        productId: 9395,
        name: 'Headset',
        devices: 5,
        newest: '3.0.0',
        newestReleasedAt: null,
        approved: '2.9.0',
      },
      other: {
        vendorId: 2830,
        productId: 4711,
        devices: 1,
        newest: null,
        newestReleasedAt: null,
        approved: null,
      },
    }
    const none = { current: 0, behind: 0, ahead: 0, revoked: 0, unknown: 0 }
    const latest = await read('firmware', 'status')
    await headroom('firmware', 'compare-with', 'approved')
    const approved = await read('firmware', 'status')
    expect([latest, approved]).toEqual([
      {
        comparedWith: 'latest',
        total: 2,
        products: [
          { ...rows.headset, ...none, current: 1, behind: 2, revoked: 1, unknown: 1 },
          { ...rows.other, ...none, unknown: 1, name: expect.any(String) as string },
        ],
      },
      {
        comparedWith: 'approved',
        total: 2,
        products: [
          { ...rows.headset, ...none, current: 1, behind: 1, ahead: 1, revoked: 1, unknown: 1 },
          { ...rows.other, ...none, unknown: 1, name: expect.any(String) as string },
        ],
      },
    ])
  })
})

describe('while the fleet is compared', () => {
  it('shows how far it is in place of numbers, and the numbers at the end', async () => {
    const { promise: answered, resolve: goOn } = Promise.withResolvers<void>()
    service.documents.set(releases, [{ version: '3.1.0' }, { version: '3.0.0' }])
    service.delay = (url) => (url.includes('/products/4711/') ? answered : undefined)
    await service.core.handlers.metadata.clearCache()
    const cleared = await read('firmware', 'status')
    const syncing = headroom('sync')
    const session = await service.core.sessions.current()
    await expect.poll(() => session.comparing()).toEqual({ done: 1, total: 2 })
    const during = [
      await headroom('firmware', 'status'),
      await headroom('devices', '--where', 'fw:behind'),
      await headroom('rooms'),
    ]
    const document = await read('firmware', 'status')
    goOn()
    await syncing
    const none = { current: null, behind: null, ahead: null, revoked: null, unknown: null }
    expect(cleared).toMatchObject({ products: [{ newest: '3.0.0', current: 1, behind: 2, revoked: 1 }, {}] })
    expect(
      during.map(({ output, errors }) => /^Comparing, 1 of 2 products\.$/m.test(output + errors)),
    ).toEqual([true, true, true])
    expect(document).toMatchObject({ comparing: { done: 1, total: 2 }, products: [none, none] })
    expect(await read('firmware', 'status')).toMatchObject({
      products: [{ newest: '3.1.0', current: 0, behind: 4 }, {}],
    })
  })
})

it('exports approvals with the devices, and keeps them after a restart', async () => {
  await approve()
  const { output } = await headroom(
    'devices',
    '--csv',
    '--columns',
    'firmwareVersion,approved,approvedVersion',
    '--sort',
    '-firmwareVersion',
  )
  expect(output.split('\r\n').slice(1, 4)).toEqual(['3.0.0,no,2.9.0', '2.9.0,yes,2.9.0', '2.8.0,no,2.9.0'])
})
