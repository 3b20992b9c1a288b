import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { deviceRows } from '../../../electron/core/devices/devices.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openWorkbook, type Workbook } from '../../../electron/core/storage/workbook.ts'
import { openTags, type Tags } from '../../../electron/core/tags/tags.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { storeOrganization } from '../../stored-organization.ts'

export const picked = (...ids: readonly string[]): DeviceSelection => ({ kind: 'picked', ids })

/** Tags over a workbook and a store on disk, with organizations that have no profile details. */
export class Workshop {
  readonly clock = new FakeClock()
  readonly home = new TemporaryHome()
  workbook!: Workbook
  store!: Store
  tags!: Tags
  /** Organizations whose tags changed, in order. */
  readonly reported: string[] = []
  #id = 0

  static async open(...organizations: readonly string[]): Promise<Workshop> {
    const workshop = new Workshop()
    workshop.workbook = await openWorkbook({
      clock: workshop.clock,
      databases: workshop.home.databases,
      log: { write: () => undefined },
    })
    workshop.store = await workshop.home.openStore(workshop.clock)
    await workshop.workbook.write((transaction) => {
      for (const id of organizations) storeOrganization(transaction, id)
    })
    workshop.tags = workshop.#openTags()
    return workshop
  }

  #openTags(): Tags {
    const tags = openTags({
      workbook: this.workbook,
      store: this.store,
      clock: this.clock,
      newId: () => `id-${++this.#id}`,
      selected: async (_organization, selection) => (selection.kind === 'picked' ? selection.ids : []),
    })
    tags.onChange((id) => this.reported.push(id))
    return tags
  }

  /** Devices as a sync stores them. */
  async addDevices(
    organizationId: string,
    devices: readonly JsonObject[],
    goneAt: number | null = null,
  ): Promise<void> {
    await this.store.database.write((transaction) => {
      const records = devices.map((device) => {
        const id = device['id'] as string
        const json = JSON.stringify(device)
        const { lastId } = transaction.run(
          `INSERT INTO raw_record (organization_id, kind, id, id_key, observed_at, sync_id, gone_at) VALUES (?, 'device', ?, ?, 1, 1, ?)`,
          [organizationId, id, id.toLowerCase(), goneAt],
        )
        transaction.run('INSERT INTO raw_json (row_id, json) VALUES (?, ?)', [lastId, json])
        return { rowId: lastId, organizationId, kind: 'device' as const, id, json, observedAt: 1, goneAt }
      })
      deviceRows.rebuild(transaction, records)
    })
  }

  /** `kind name: ids`. */
  async marks(organizationId: string): Promise<readonly string[]> {
    const rows = await this.store.database.query(
      `SELECT kind, word, name, group_concat(device_id, ' ') AS ids FROM device_mark WHERE organization_id = ? GROUP BY kind, word, name ORDER BY kind, word`,
      [organizationId],
    )
    return rows.map(
      (row) =>
        `${String(row['kind'])} ${String(row['word'])} (${String(row['name'])}): ${String(row['ids'])}`,
    )
  }

  removeOrganization(id: string): Promise<unknown> {
    return this.workbook.write((transaction) =>
      transaction.run('DELETE FROM organization WHERE id = ?', [id]),
    )
  }

  async close(): Promise<void> {
    await this.workbook.close()
    await this.home.remove()
  }
}
