import type { DeviceListQuery } from '../../../electron/contract/api/devices.ts'
import type { DeviceSortColumn } from '../../../electron/contract/fields/device.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'
import { openWorkbook } from '../../../electron/core/storage/workbook.ts'

export const organizationId = 'org'

const computer = (userName: string | null, more: JsonObject = {}): JsonObject => ({
  userName,
  macAddress: null,
  computerName: null,
  operatingSystem: null,
  ipAddress: null,
  ...more,
})

/** Five devices; the last is gone. Their ids end in their number. The clock is stopped at 2026-11-21 14:02 UTC. */
export const fleet: readonly JsonObject[] = [
  aDevice(1, {
    name: 'Huddle 9',
    serialNumber: 'ABC123',
    firmwareVersion: '4.2.0.9',
    groupId: 'group-1',
    computer: computer('aase', {
      computerName: 'PC-9',
      operatingSystem: 'Windows 11',
      ipAddress: '10.0.0.9',
    }),
    lastSeenAt: '2026-11-20T00:00:00Z',
  }),
  aDevice(2, {
    name: 'Huddle 12',
    serialNumber: 'ABC124',
    firmwareVersion: '4.2.0.21',
    groupId: 'group-2',
    computer: computer('bo', { computerName: 'PC-12', operatingSystem: 'macOS 15', ipAddress: '10.0.0.12' }),
    jabraClient: {
      client: 'JabraPlus',
      clientName: 'Jabra+',
      clientVersion: '6.10.0',
      clientType: 'MeetingRoom',
      autoUpdate: true,
    },
    lastSeenAt: null,
  }),
  aDevice(3, {
    name: 'Ærø 50 %',
    serialNumber: null,
    firmwareVersion: null,
    productId: 9395,
    productName: 'Jabra Evolve2 65',
    deviceConnectionStatus: 'Offline',
    computer: computer('Zoë Ångström', { macAddress: '00-1A-2b-3c-4D-5e' }),
    lastSeenAt: '2026-11-21T00:00:00Z',
    addedAt: '2026-11-21T10:00:00Z',
  }),
  aDevice(4, {
    name: null,
    productName: null,
    productId: null,
    variantType: null,
    firmwareVersion: '4.10',
    deviceConnectionStatus: 'Sleeping',
    computer: null,
    jabraClient: null,
    lastSeenAt: '2026-11-19T00:00:00Z',
  }),
  aDevice(5, { name: 'Old one', serialNumber: 'GONE' }),
]

export class Fleet {
  readonly clock = new FakeClock()
  readonly home = new TemporaryHome()
  store!: Store
  devices!: Devices

  /**
   * Two syncs: in the second the last device is gone. Includes tags, a list and compliance as other modules
   * store them.
   */
  async open(): Promise<void> {
    this.store = await this.home.openStore(this.clock)
    const management = new FakeManagement(this.clock)
    management.devices.MeetingRoom = [...fleet]
    management.rooms = [
      aRoom(1, { name: 'Aarhus 3' }),
      aRoom(2, { name: 'Århus 12', locationName: 'Second floor' }),
    ]
    const sync = await openSync({ clock: this.clock, management, store: this.store, organizationId })
    await sync.run()
    management.devices.MeetingRoom = fleet.slice(0, 4)
    await this.clock.advance(1000)
    await sync.run()
    await sync.close()
    const workbook = await openWorkbook({
      clock: this.clock,
      databases: this.home.databases,
      log: { write: () => undefined },
    })
    await workbook.write((transaction) => {
      storeOrganization(transaction, organizationId)
      for (const [word, name, number] of [
        ['spare', 'Spare', 1],
        ['spare', 'Spare', 3],
        ['at the session', 'At the session', 1],
      ] as const)
        transaction.run(
          `INSERT INTO device_mark (organization_id, kind, word, device_id, name) VALUES (?, 'tag', ?, ?, ?)`,
          [organizationId, word, `D0000000${number}`, name],
        )
      transaction.run(
        `INSERT INTO device_mark (organization_id, kind, word, device_id, name) VALUES (?, 'list', 'visit', 'D00000002', 'Visit')`,
        [organizationId],
      )
    })
    await workbook.close()
    await this.store.database.write((transaction) => {
      for (const [version, word, behindBy, latest] of [
        ['4.2.0.9', 'behind', 2, '4.3'],
        ['4.2.0.21', 'revoked', null, '4.3'],
      ] as const)
        transaction.run(
          "INSERT OR REPLACE INTO firmware_standing (organization_id, product_id, variant, firmware_version, word, behind_by, latest) VALUES (?, 12306, '01', ?, ?, ?, ?)",
          [organizationId, version, word, behindBy, latest],
        )
    })
    this.devices = openDevices({ store: this.store, clock: this.clock })
  }

  /** The last digits of the ids that match, in order. */
  async found(where: string, sort: DeviceListQuery['sort'] = by('name')): Promise<string> {
    const window = await this.devices.slice(organizationId, { where, sort, start: 0, count: 100 })
    return window.rows.map((row) => row.id.slice(-1)).join('')
  }
}

export const by = (column: DeviceSortColumn, descending = false): DeviceListQuery['sort'] => [
  { column, descending },
]
