import type { Change, ChangeQuery, ChangeSort, ChangeRow } from '../../../electron/contract/api/changes.ts'
import type { ChangeKind } from '../../../electron/contract/api/changes.ts'
import { openChanges, recordChanges, type Changes } from '../../../electron/core/changes/changes.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'

export const organizationId = 'org'
export const hour = 3_600_000
export const day = 24 * hour
export const everything: ChangeQuery = { where: '', since: null }

export interface Event {
  readonly at: number
  readonly kind: ChangeKind
  readonly id: string
  readonly name?: string
  readonly of?: Change['of']
  readonly before?: string | null
  readonly after?: string | null
  readonly organizationId?: string
}

/** A store with four devices in two rooms, a workbook with the organization, and no changes yet. */
export class History {
  readonly clock = new FakeClock()
  readonly home = new TemporaryHome()
  store!: Store
  workbook!: Workbook
  changes!: Changes

  async open(
    { timeZone }: { readonly timeZone: string | null } = { timeZone: 'Europe/Copenhagen' },
  ): Promise<void> {
    this.store = await this.home.openStore(this.clock)
    this.workbook = await openWorkbook({
      clock: this.clock,
      databases: this.home.databases,
      log: { write: () => undefined },
    })
    await this.workbook.write((transaction) => {
      for (const id of [organizationId, 'other']) storeOrganization(transaction, id)
    })
    await this.#sync()
    this.changes = openChanges({
      store: this.store,
      workbook: this.workbook,
      clock: this.clock,
      ...(timeZone === null ? {} : { timeZone: () => timeZone }),
    })
  }

  async #sync(): Promise<void> {
    const management = new FakeManagement(this.clock)
    management.devices.MeetingRoom = fleet
    management.rooms = someRooms
    const sync = await openSync({ clock: this.clock, management, store: this.store, organizationId })
    await sync.run()
    await sync.close()
  }

  async record(events: readonly Event[]): Promise<void> {
    await this.store.database.write((transaction) => {
      for (const {
        at,
        kind,
        id,
        name = `Name of ${id}`,
        of = 'device',
        before = null,
        after = null,
        organizationId: whose = organizationId,
      } of events)
        recordChanges(transaction, { organizationId: whose, of, id, name }, [{ kind, before, after }], at)
    })
  }

  async rows(
    query: Partial<ChangeQuery> & { readonly group?: string | null; readonly sort?: ChangeSort },
  ): Promise<readonly ChangeRow[]> {
    return (
      await this.changes.slice(organizationId, {
        ...everything,
        group: null,
        start: 0,
        count: 500,
        ...query,
      })
    ).rows
  }

  /** Ids of the changes that a filter matches, newest first. */
  async found(where: string): Promise<string> {
    return (await this.rows({ where })).map(({ id }) => id).join(' ')
  }

  async close(): Promise<void> {
    await this.workbook.close()
    await this.home.remove()
  }
}

const fleet = [
  aDevice(1, { groupId: 'group-1' }),
  aDevice(2, { groupId: null, productName: 'Jabra Evolve2 65', productId: 9395 }),
  aDevice(3, { groupId: 'group-1b', productName: 'Café Größe', productId: 1 }),
  aDevice(4, { groupId: null, productName: null, productId: null }),
]
const someRooms = [
  aRoom(1, { name: 'Århus 3' }),
  aRoom(1, { name: 'Århus 3', deviceGroupId: 'group-1b' }),
  aRoom(2, {
    name: 'Basement',
    devices: [{ id: 'D00000002', name: 'Evolve', deviceConnectionStatus: 'Online' }],
  }),
]
