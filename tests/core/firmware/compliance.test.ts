import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { openCompliance, openFirmware, type Compliance, type Firmware } from '../../../electron/core/firmware/firmware.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { metadataRig, type MetadataRig } from '../metadata/fake-metadata-service.ts'

const organizationId = 'org'
const productId = 9395
const releasesPath = `/vendors/2830/products/${productId}/firmware-releases`
const published: Json = [{ version: '2.1.0' }, { version: '2.2.0' }, { version: '2.3.0' }, { version: '2.9.0', revoked: true }]

let rig: MetadataRig
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
let devices: Devices
let firmware: Firmware
let compliance: Compliance
let heard: number
let mistakes: unknown[]

beforeEach(async () => {
  rig = metadataRig()
  home = new TemporaryHome()
  store = await home.openStore(rig.clock)
  management = new FakeManagement(rig.clock)
  devices = openDevices({ store, clock: rig.clock })
  heard = 0
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

/** As when the program starts: nothing in memory, documents and rows as they were kept. */
function begin(): void {
  firmware = openFirmware({
    metadata: rig.start(),
    deviceCounts: () => devices.countsByProduct(organizationId),
    vendorId: 2830,
    assumedBuildTypes: ['Release'],
  })
  compliance = openCompliance({ clock: rig.clock, store, firmware, organizationId, vendorId: 2830, mistake: (error) => mistakes.push(error) })
  compliance.onChange(() => {
    heard++
    devices.changed(organizationId)
  })
}
async function fleet(...versions: readonly (string | null)[]): Promise<void> {
  management.devices.MeetingRoom = versions.map((firmwareVersion, number) => aDevice(number, { productId, firmwareVersion }))
  await sync.run()
}
const table = async (): Promise<string[]> =>
  (
    await store.database.read(
      'SELECT product_id, firmware_version, word, behind_by, latest FROM firmware_standing ORDER BY organization_id DESC, firmware_version',
    )
  ).map((row) => [row['firmware_version'], row['word'], row['behind_by'], row['latest']].join(' '))
const words = async (): Promise<string[]> => {
  const { rows } = await devices.window(organizationId, { where: '', sort: [{ column: 'name', descending: false }], start: 0, count: 100 })
  return rows.map((row) => `${row.firmwareVersion ?? '-'} ${row.firmware.word} ${row.firmware.by ?? ''}`.trim())
}
/** Waits for what was begun in the background. */
const settled = async (): Promise<void> => {
  await rig.clock.advance(5_000)
  await expect.poll(() => compliance.agree()).toBe(false)
}

describe('firmware of the fleet against the catalogue', () => {
  it('tells each version as the device itself would be told', async () => {
    await fleet('2.3.0', '2.2', '2.1.0', '2.4.0', '2.9.0', '2.0.5', 'beta', null)
    await firmware.warm({})
    expect(await compliance.agree()).toBe(true)
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

  it('asks nobody: what was not read is unknown', async () => {
    await fleet('2.2.0')
    expect(await compliance.agree()).toBe(false)
    expect([await table(), rig.service.requests.length]).toEqual([[], 0])
  })

  it('stands after a start without a connection, however old the lists are', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await compliance.close()
    await store.database.write((transaction) => transaction.run('DELETE FROM firmware_standing'))
    await rig.clock.advance(90 * 86_400_000)
    rig.service.offline = true
    begin()
    rig.service.requests.length = 0
    expect(await compliance.agree()).toBe(true)
    expect([await table(), rig.service.requests.length]).toEqual([['2.2.0 behind 1 2.3.0'], 0])
  })

  it('follows by itself when releases were read, a list was read anew, and a sync brings a version not seen before', async () => {
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
    expect([await table(), heard, mistakes]).toEqual([['2.2.0 behind 2 2.4.0', '2.4.0 current  2.4.0'], 3, []])
  })

  it('is quiet when nothing differs', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await settled()
    await fleet('2.2.0')
    await settled()
    expect(heard).toBe(1)
  })

  it('becomes unknown again when what was read is cleared', async () => {
    await fleet('2.2.0')
    await firmware.warm({})
    await settled()
    await compliance.close()
    await rig.table.write((transaction) => transaction.run('DELETE FROM metadata_document'))
    begin()
    await compliance.agree()
    expect(await table()).toEqual([])
  })

  it('leaves other organizations alone', async () => {
    const foreign = ['other', productId, '2.2.0', 'current', null, '2.2.0']
    await store.database.write((transaction) => transaction.run('INSERT INTO firmware_standing VALUES (?, ?, ?, ?, ?, ?, NULL)', foreign))
    await fleet('2.2.0')
    await firmware.warm({})
    await compliance.agree()
    expect(await table()).toEqual(['2.2.0 current  2.2.0', '2.2.0 behind 1 2.3.0'])
  })
})

it('agrees with what one device is told, for any releases and versions', { timeout: 60_000 }, async () => {
  const version = fc.oneof(
    fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2)).map((parts) => parts.join('.')),
    fc.constantFrom('2.1', '2.1.0.4', 'v2.1.0', '2.1.0-rc1', '', 'beta', ' 1.0 '),
  )
  const stage = fc.constantFrom('Public', 'Beta', 'Candidate', null)
  const release = fc.record({ version, revoked: fc.constantFrom(true, false, null), stage })
  await fc.assert(
    fc.asyncProperty(fc.array(release, { maxLength: 8 }), fc.array(version, { minLength: 1, maxLength: 8 }), async (releases, versions) => {
      rig.service.set(releasesPath, releases)
      await fleet(...versions)
      await firmware.releases({ vendorId: 2830, productId }, { refresh: true }).catch(() => undefined)
      await compliance.agree()
      const { rows } = await devices.window(organizationId, { where: '', sort: [], start: 0, count: 100 })
      for (const row of rows) {
        const standing = await firmware.standing(row)
        const expected = {
          word: standing.kind,
          by: standing.kind === 'behind' ? standing.by : null,
          latest: standing.kind === 'unknown' ? null : standing.latest,
          why: standing.kind === 'unknown' && standing.why === 'no-public-release' ? standing.why : null,
        }
        expect(row.firmware).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})
