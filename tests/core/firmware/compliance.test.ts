import { compareVersions } from '../../../electron/core/lists/version-order.ts'
import { noLatestOfSome } from '../../../electron/contract/firmware.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Json } from '../../../electron/contract/json.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import {
  openCompliance,
  openFirmware,
  type Compliance,
  type Firmware,
} from '../../../electron/core/firmware/firmware.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { metadataRig, type MetadataRig } from '../metadata/fake-metadata-service.ts'

const organizationId = 'org'
const productId = 9395
const releasesPath = `/vendors/2830/products/${productId}/firmware-releases`
const published: Json = [
  { version: '2.1.0' },
  { version: '2.2.0' },
  { version: '2.3.0' },
  { version: '2.9.0', revoked: true },
]

let rig: MetadataRig
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
let devices: Devices
let firmware: Firmware
let compliance: Compliance
let heard: number
let syncing: boolean
/** The approved versions; the switch. */
let decided: {
  readonly approved: string | null
  readonly comparesWith: 'latest' | 'approved'
  readonly endsAt?: number
}
const approvals = {
  decisions: async () => ({
    comparesWith: decided.comparesWith,
    nextEndAt: decided.endsAt ?? null,
    of: () =>
      decided.approved === null
        ? ({ kind: 'none' } as const)
        : ({ kind: 'valid', version: decided.approved } as const),
  }),
  versionFor: async () => decided.approved ?? '',
  onChange: () => () => undefined,
}
let mistakes: unknown[]

beforeEach(async () => {
  rig = metadataRig()
  home = new TemporaryHome()
  store = await home.openStore(rig.clock)
  management = new FakeManagement(rig.clock)
  devices = openDevices({ store, clock: rig.clock })
  heard = 0
  syncing = false
  decided = { approved: null, comparesWith: 'latest' }
  mistakes = []
  begin()
  sync = await openSync({
    clock: rig.clock,
    management,
    store,
    organizationId,
    changed: (id, how) => {
      devices.changed(id)
      compliance.changed(how)
    },
  })
  rig.service.set(releasesPath, published)
})
afterEach(async () => {
  await sync.close()
  await compliance.close()
  await home.remove()
})

/** Compliance as at the start of the program: nothing in memory, documents and rows as stored. */
function begin(): void {
  firmware = openFirmware({
    clock: rig.clock,
    metadata: rig.start(),
    deviceCounts: () => devices.countsByProduct(organizationId),
    vendorId: 2830,
    assumedBuildTypes: ['Release'],
    approvals,
  })
  compliance = openCompliance({
    clock: rig.clock,
    store,
    firmware,
    approvals,
    deviceCounts: () => devices.countsByProduct(organizationId),
    syncing: () => syncing,
    organizationId,
    vendorId: 2830,
    onError: (error) => mistakes.push(error),
  })
  compliance.onChange(() => {
    heard++
    devices.changed(organizationId)
  })
}
async function fleet(...versions: readonly (string | null)[]): Promise<void> {
  management.devices.MeetingRoom = versions.map((firmwareVersion, number) =>
    aDevice(number, { productId, firmwareVersion }),
  )
  await sync.run()
}
const table = async (): Promise<string[]> =>
  (
    await store.database.query(
      'SELECT product_id, firmware_version, word, behind_by, latest FROM firmware_standing ORDER BY organization_id DESC, firmware_version',
    )
  ).map((row) => [row['firmware_version'], row['word'], row['behind_by'], row['latest']].join(' '))
const owners = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await store.database.query(
        'SELECT organization_id, count(*) AS n FROM firmware_standing GROUP BY organization_id ORDER BY organization_id',
      )
    ).map((row) => [String(row['organization_id']), Number(row['n'])]),
  )
const words = async (): Promise<string[]> => {
  const { rows } = await devices.slice(organizationId, {
    where: '',
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 100,
  })
  return rows.map((row) =>
    `${row.firmwareVersion ?? '-'} ${row.firmware.word} ${row.firmware.by ?? ''}`.trim(),
  )
}
/** Waits for work that was started in the background. */
const settled = async (): Promise<void> => {
  await rig.clock.advance(5_000)
  await expect.poll(() => compliance.reconcile()).toBe(false)
}

describe('firmware compliance of the fleet', () => {
  it('judges each version as the page of the device does', async () => {
    await fleet('2.3.0', '2.2', '2.1.0', '2.4.0', '2.9.0', '2.0.5', 'beta', null)
    await firmware.warm({})
    expect(await compliance.reconcile()).toBe(true)
    expect(await table()).toEqual([
      '2.0.5 behind 3 2.3.0',
      '2.1.0 behind 2 2.3.0',
      '2.2 behind 1 2.3.0',
      '2.3.0 current  2.3.0',
      '2.4.0 ahead  2.3.0',
      '2.9.0 revoked  2.3.0',
    ])
    expect(await words()).toEqual([
      '2.3.0 current',
      '2.2 behind 1',
      '2.1.0 behind 2',
      '2.4.0 ahead',
      '2.9.0 revoked',
      '2.0.5 behind 3',
      'beta unknown',
      '- unknown',
    ])
  })

  it('sends no request: what was not cached is unknown', async () => {
    await fleet('2.2.0')
    expect(await compliance.reconcile()).toBe(false)
    expect([await table(), rig.service.requests.length]).toEqual([[], 0])
  })

  it('is available after a start without a connection, however old the lists are', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await compliance.close()
    await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
    await rig.clock.advance(90 * 86_400_000)
    rig.service.offline = true
    begin()
    rig.service.requests.length = 0
    expect(await compliance.reconcile()).toBe(true)
    expect([await table(), rig.service.requests.length]).toEqual([['2.2.0 behind 1 2.3.0'], 0])
  })

  it('updates after releases or a list were read, and when a sync brings a new version', async () => {
    await fleet('2.2.0')
    await settled()
    expect(await table()).toEqual([])
    await firmware.warm({})
    await settled()
    expect([await table(), heard]).toEqual([['2.2.0 behind 1 2.3.0'], 1])

    rig.service.set(releasesPath, [...(published as Json[]), { version: '2.4.0' }])
    await firmware.releases({ vendorId: 2830, productId }, { refresh: true })
    await settled()
    expect([await table(), heard]).toEqual([['2.2.0 behind 2 2.4.0'], 2])

    await fleet('2.2.0', '2.4.0')
    await settled()
    expect([await table(), heard, mistakes]).toEqual([
      ['2.2.0 behind 2 2.4.0', '2.4.0 current  2.4.0'],
      3,
      [],
    ])
  })

  it('updates as soon as a sync has ended', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await settled()
    await fleet('2.2.0', '2.3.0')
    await rig.clock.advance(0)
    const hadMoreToDo = await compliance.reconcile()
    expect([hadMoreToDo, await table()]).toEqual([false, ['2.2.0 behind 1 2.3.0', '2.3.0 current  2.3.0']])
  })

  it('emits no event when nothing differs', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await settled()
    await fleet('2.2.0')
    await settled()
    expect(heard).toBe(1)
  })

  describe('replaced only by a complete comparison', () => {
    const otherPath = '/vendors/2830/products/7/firmware-releases'
    const first = ['1.0.0 current  1.0.0', '2.2.0 behind 1 2.3.0']
    const second = ['1.0.0 behind 1 1.1.0', '2.2.0 behind 2 2.4.0']
    const ages = async (): Promise<unknown[]> =>
      (await store.database.query('SELECT observed_at FROM firmware_standing ORDER BY firmware_version')).map(
        (row) => row['observed_at'],
      )
    const newReleases = (): void => {
      rig.service.set(releasesPath, [...(published as Json[]), { version: '2.4.0' }])
      rig.service.set(otherPath, [{ version: '1.0.0' }, { version: '1.1.0' }])
    }
    /** What another address does: nothing of the fleet's documents is stored for it. */
    const atAnotherAddress = async (): Promise<void> => {
      await compliance.close()
      await rig.table.write((transaction) => transaction.run('DELETE FROM metadata_document'))
      begin()
      heard = 0
    }
    const compareAll = () => compliance.compareAll((asked) => firmware.warm({ asked }))

    beforeEach(async () => {
      rig.service.set(otherPath, [{ version: '1.0.0' }])
      management.devices.MeetingRoom = [
        aDevice(1, { productId, firmwareVersion: '2.2.0' }),
        aDevice(2, { productId: 7, firmwareVersion: '1.0.0' }),
      ]
      await sync.run()
      await compareAll()
    })

    it('stays when the address changes, and when only a part was asked again', async () => {
      const before = await table()
      await atAnotherAddress()
      newReleases()
      await compliance.reconcile()
      const atOnce = await table()
      await firmware.releases({ vendorId: 2830, productId })
      await compliance.reconcile()
      expect([before, atOnce, await table(), heard]).toEqual([first, first, first, 0])
    })

    it('stays when the comparison of all products ends early, and is replaced when one was completed', async () => {
      await atAnotherAddress()
      newReleases()
      const stop = new AbortController()
      await compliance.compareAll(async (asked) => {
        await firmware.releases({ vendorId: 2830, productId })
        asked({ vendorId: 2830, productId })
        stop.abort()
      }, stop.signal)
      const afterAPart = await table()
      await compareAll()
      expect([afterAPart, await table(), heard]).toEqual([first, second, 1])
    })

    it('has nothing of the first comparison until it is complete', async () => {
      await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
      await atAnotherAddress()
      await firmware.releases({ vendorId: 2830, productId })
      await compliance.reconcile()
      const afterAPart = await table()
      await firmware.releases({ vendorId: 2830, productId: 7 })
      await compliance.reconcile()
      expect([afterAPart, await table()]).toEqual([[], first])
    })

    it('keeps the row of a product whose list failed, with its age', async () => {
      const before = rig.clock.now()
      await rig.clock.advance(86_400_000)
      await atAnotherAddress()
      newReleases()
      rig.service.set(otherPath, 'nonsense')
      await compareAll()
      expect([await table(), await ages(), await compliance.notCompared()]).toMatchObject([
        [first[0], second[1]],
        [before, rig.clock.now()],
        [{ productId: 7, comparedAt: before, failure: { kind: 'unreadable-answer' } }],
      ])
    })

    it('gets the version of a device just updated, although other lists are not stored', async () => {
      await atAnotherAddress()
      await firmware.releases({ vendorId: 2830, productId })
      management.devices.MeetingRoom = [
        aDevice(1, { productId, firmwareVersion: '2.3.0' }),
        aDevice(2, { productId: 7, firmwareVersion: '1.0.0' }),
      ]
      await sync.run()
      await compliance.reconcile()
      expect(await words()).toEqual(['2.3.0 current', '1.0.0 current'])
    })

    it('is complete without the answer of a product that was asked', async () => {
      await atAnotherAddress()
      newReleases()
      rig.service.documents.set(otherPath, {
        failure: { kind: 'timed-out', call: { operation: 'x', host: 'h' }, afterInMs: 1 },
      })
      await compareAll()
      expect([await table(), await compliance.comparing()]).toEqual([[first[0], second[1]], null])
    })

    it('renews the age of equal results without an event', async () => {
      heard = 0
      await rig.clock.advance(86_400_000)
      await compareAll()
      expect([await ages(), heard]).toEqual([[rig.clock.now(), rig.clock.now()], 0])
    })

    it('keeps the rows of products that an unavailable service was not asked for', async () => {
      await atAnotherAddress()
      newReleases()
      rig.service.offline = true
      await compareAll()
      expect([await table(), await compliance.comparing()]).toEqual([first, null])
    })

    it('follows the approved versions while lists are missing', async () => {
      await atAnotherAddress()
      decided = { approved: '2.2.0', comparesWith: 'approved' }
      await compliance.reconcile()
      const withApproved = await words()
      decided = { approved: '2.2.0', comparesWith: 'latest' }
      await compliance.reconcile()
      expect([withApproved, await words()]).toEqual([
        ['2.2.0 current', '1.0.0 behind'],
        ['2.2.0 behind', '1.0.0 current'],
      ])
    })

    it('says how many products were asked until it is in the table', async () => {
      await atAnotherAddress()
      newReleases()
      const seen: unknown[] = [await compliance.comparing()]
      compliance.onComparing(() => seen.push('changed'))
      await compliance.compareAll(async (asked) => {
        seen.push(await compliance.comparing())
        for (const id of [productId, 7]) {
          await firmware.releases({ vendorId: 2830, productId: id })
          asked({ vendorId: 2830, productId: id })
          seen.push(await compliance.comparing())
        }
      })
      expect([...seen, await compliance.comparing()]).toEqual([
        null,
        { done: 0, total: 2 },
        'changed',
        { done: 1, total: 2 },
        'changed',
        { done: 2, total: 2 },
        'changed',
        null,
      ])
    })

    it('is running from the first sync on, but not during later ones', async () => {
      await atAnotherAddress()
      syncing = true
      await compliance.reconcile()
      const later = await compliance.comparing()
      await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
      await compliance.reconcile()
      expect([later, await compliance.comparing()]).toEqual([null, { done: 0, total: 2 }])
    })

    it('shows nothing of a part: what is not stored has not failed', async () => {
      await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
      await atAnotherAddress()
      syncing = true
      await firmware.releases({ vendorId: 2830, productId })
      await compliance.reconcile()
      expect([await table(), await compliance.comparing()]).toEqual([[], { done: 1, total: 2 }])
    })

    it('is not running while stored lists are only renewed', async () => {
      const seen: unknown[] = []
      await compliance.compareAll(async (asked) => {
        asked({ vendorId: 2830, productId })
        seen.push(await compliance.comparing())
      })
      expect(seen).toEqual([null])
    })
  })

  describe('a product that cannot be compared', () => {
    const odd = 5_000_000_000
    const mixed = async (
      oddOnes: readonly { readonly productId: number; readonly firmwareVersion: string | null }[],
    ): Promise<void> => {
      management.devices.MeetingRoom = [
        ...['2.2.0', '2.3.0'].map((firmwareVersion, number) =>
          aDevice(number, { productId, firmwareVersion }),
        ),
        ...oddOnes.map((one, number) => aDevice(10 + number, { ...one, productName: 'Odd thing' })),
      ]
      await sync.run()
    }
    const others = ['2.2.0 behind 1 2.3.0', '2.3.0 current  2.3.0']
    const classes = async (): Promise<number[]> =>
      (await store.database.query('SELECT DISTINCT product_id FROM device_class ORDER BY product_id')).map(
        (row) => Number(row['product_id']),
      )

    it.each([
      [odd, 'it does not fit 32 bits'],
      [2 ** 31, 'it does not fit 32 bits'],
      [-1, 'it is negative'],
      [Number.MAX_SAFE_INTEGER, 'it does not fit 32 bits'],
    ])(
      'leaves all others compared when the product id is %d, is never requested, and is reported',
      async (id, reason) => {
        await mixed([{ productId: id, firmwareVersion: '1.0.0' }])
        expect(await firmware.warm({})).toMatchObject({ left: 0 })
        await compliance.reconcile()
        const { rows } = await devices.slice(organizationId, {
          where: `pid:${id}`,
          sort: [],
          start: 0,
          count: 10,
        })
        expect([
          await table(),
          await compliance.notCompared(),
          rows.map((row) => row.productId),
          rig.service.requested(String(id)),
          mistakes,
        ]).toEqual([
          others,
          [
            {
              productId: id,
              productName: 'Odd thing',
              devices: 1,
              failure: {
                kind: 'invalid',
                field: 'productId',
                message: `${id} is not a product ID: ${reason}, so nothing is published for it.`,
              },
              comparedAt: null,
            },
          ],
          [id],
          0,
          [],
        ])
        expect(await firmware.compliance({ productId: id, firmwareVersion: '1.0.0' })).toEqual({
          kind: 'unknown',
          why: 'not-a-product-id',
        })
      },
    )

    it('is cleared once the service sends another product id', async () => {
      await mixed([{ productId: odd, firmwareVersion: '1.0.0' }])
      await settled()
      const before = await classes()
      await mixed([{ productId, firmwareVersion: '2.3.0' }])
      await settled()
      expect([before, await classes(), await compliance.notCompared()]).toEqual([
        [productId, odd],
        [productId],
        [],
      ])
    })

    it.each<[string, Failure]>([
      [
        'unreadable',
        { kind: 'unreadable-answer', call: { operation: 'x', host: 'h' }, where: 'body', message: 'HTML' },
      ],
      ['refused', { kind: 'refused', call: { operation: 'x', host: 'h' }, status: 418, message: null }],
      [
        'away alone',
        { kind: 'service-unavailable', call: { operation: 'x', host: 'h' }, status: 500, message: null },
      ],
    ])(
      'leaves all others compared when its releases are %s, and is reported until they are read',
      async (_, failure) => {
        const path = '/vendors/2830/products/7/firmware-releases'
        rig.service.documents.set(path, { failure })
        await mixed([{ productId: 7, firmwareVersion: '1.0.0' }])
        expect(await firmware.warm({})).toMatchObject({ left: 1 })
        await settled()
        const reported = await compliance.notCompared()
        rig.service.set(path, [{ version: '1.0.0' }])
        await firmware.warm({})
        await settled()
        expect([reported, await compliance.notCompared(), await table()]).toEqual([
          [{ productId: 7, productName: 'Odd thing', devices: 1, failure, comparedAt: null }],
          [],
          ['1.0.0 current  1.0.0', ...others],
        ])
      },
    )

    it('is still compared with what was cached before', async () => {
      const path = '/vendors/2830/products/7/firmware-releases'
      rig.service.set(path, [{ version: '1.1.0' }])
      await mixed([{ productId: 7, firmwareVersion: '1.0.0' }])
      await firmware.warm({})
      rig.service.set(path, 'nonsense')
      await firmware.releases({ vendorId: 2830, productId: 7 }, { refresh: true }).catch(() => undefined)
      await settled()
      expect([
        await table(),
        (await compliance.notCompared()).map((one) => [one.productId, one.failure.kind]),
      ]).toEqual([['1.0.0 behind 1 1.1.0', ...others], [[7, 'unreadable-answer']]])
    })
  })

  it('does not affect other organizations', async () => {
    const foreign = ['other', productId, '2.2.0', 'current', null, '2.2.0']
    await store.database.write((transaction) =>
      transaction.run(
        'INSERT INTO firmware_standing (organization_id, product_id, firmware_version, word, behind_by, latest) VALUES (?, ?, ?, ?, ?, ?)',
        foreign,
      ),
    )
    await fleet('2.2.0')
    await firmware.warm({})
    await compliance.reconcile()
    expect(await table()).toEqual(['2.2.0 current  2.2.0', '2.2.0 behind 1 2.3.0'])
  })
})

it('updates when an approval ends', async () => {
  await fleet('2.1.0')
  await firmware.warm({})
  const endsAt = rig.clock.now() + 40 * 24 * 3_600_000
  decided = { approved: '2.1.0', comparesWith: 'approved', endsAt }
  await compliance.reconcile()
  const before = await table()
  await rig.clock.advance(endsAt - 1 - rig.clock.now())
  const lastMoment = await table()
  decided = { approved: null, comparesWith: 'approved' }
  await rig.clock.advance(1)
  expect([before, lastMoment]).toEqual([['2.1.0 current  2.3.0'], ['2.1.0 current  2.3.0']])
  await expect.poll(table).toEqual(['2.1.0 behind 2 2.3.0'])
})

it('keeps statuses of one run beside those of the organization, and removes only those at its end', async () => {
  rig.service.set(releasesPath, [
    { version: '2.3.0', stage: 'Public' },
    { version: '3.0.0', stage: 'Beta' },
  ])
  await fleet('2.3.0', '2.1.0')
  await firmware.releases({ vendorId: 2830, productId }, { refresh: true })
  await compliance.reconcile()
  const [one, other] = [await compliance.judged(['Beta'], ' one'), await compliance.judged([], ' other')]
  const judged = openDevices({ store, clock: rig.clock, judged: ' one' })
  const { rows } = await judged.slice(organizationId, { where: '', sort: [], start: 0, count: 10 })
  const during = await owners()
  await one.end()
  const afterOne = await owners()
  await other.end()
  expect([rows.map((row) => row.firmware.latest), during, afterOne, await owners()]).toEqual([
    ['3.0.0', '3.0.0'],
    { org: 2, 'org one': 2, 'org other': 2 },
    { org: 2, 'org other': 2 },
    { org: 2 },
  ])
})

it('agrees with the judgement of a single device, for any releases and versions', async () => {
  const version = fc.oneof(
    fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2)).map((parts) => parts.join('.')),
    fc.constantFrom('2.1', '2.1.0.4', 'v2.1.0', '2.1.0-rc1', '', 'beta', ' 1.0 '),
  )
  const stage = fc.constantFrom('Public', 'Beta', 'Candidate', null)
  const release = fc.record({ version, revoked: fc.constantFrom(true, false, null), stage })
  await fc.assert(
    fc.asyncProperty(
      fc.array(release, { maxLength: 8 }),
      fc.array(version, { minLength: 1, maxLength: 8 }),
      fc.option(fc.constantFrom('1.1.0', '2.1', '3.2.1')),
      fc.constantFrom('latest' as const, 'approved' as const),
      async (releases, versions, approved, comparesWith) => {
        decided = { approved, comparesWith }
        rig.service.set(releasesPath, releases)
        await fleet(...versions)
        await firmware.releases({ vendorId: 2830, productId }, { refresh: true }).catch(() => undefined)
        // A product whose list is not read keeps its earlier result; each case begins without one.
        await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
        await compliance.reconcile()
        const { rows } = await devices.slice(organizationId, { where: '', sort: [], start: 0, count: 100 })
        for (const row of rows) {
          const compared = await firmware.compliance(row)
          const expected = {
            word: compared.kind,
            by: compared.kind === 'behind' ? compared.by : null,
            latest: compared.kind === 'unknown' ? null : compared.latest,
            why:
              compared.kind === 'unknown'
                ? (noLatestOfSome.find((why) => why === compared.why) ?? null)
                : null,
            ...(compared.kind === 'unknown' || compared.approved === undefined
              ? {}
              : { comparedWith: compared.approved }),
            ...(approved === null
              ? {}
              : {
                  approved: {
                    word:
                      row.firmwareVersion !== null && compareVersions(row.firmwareVersion, approved) === 0
                        ? 'yes'
                        : 'no',
                    version: approved,
                  },
                }),
          }
          expect(row.firmware).toEqual(expected)
        }
      },
    ),
    { numRuns: 40 },
  )
})
