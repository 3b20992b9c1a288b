import type { Json } from '../../contract/json.ts'
import type { Store } from '../storage/store.ts'

/** An answer as it was kept. */
export interface KeptSettings {
  readonly json: Json
  readonly observedAt: number
}

export interface KeptAnswer extends KeptSettings {
  readonly deviceId: string
}

/** What was read of each device, raw, for when there is no connection. Rejects with Failed `cache-unusable`. */
export interface SettingsRows {
  find(deviceId: string): Promise<KeptSettings | null>
  /** One transaction. An older answer never replaces a newer one. */
  keep(answers: readonly KeptAnswer[]): Promise<void>
  forget(deviceId: string): Promise<void>
}

export function openSettingsRows({ database }: Pick<Store, 'database'>, organizationId: string): SettingsRows {
  return {
    async find(deviceId) {
      const [row] = await database.read('SELECT json, observed_at FROM device_settings WHERE organization_id = ? AND device_id = ?', [organizationId, deviceId])
      return row === undefined ? null : { json: JSON.parse(String(row['json'])) as Json, observedAt: Number(row['observed_at']) }
    },
    keep: (answers) =>
      database.write((transaction) => {
        for (const { deviceId, json, observedAt } of answers)
          transaction.run(
            `INSERT INTO device_settings (organization_id, device_id, json, observed_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (organization_id, device_id) DO UPDATE SET json = excluded.json, observed_at = excluded.observed_at
             WHERE excluded.observed_at >= device_settings.observed_at`,
            [organizationId, deviceId, JSON.stringify(json), observedAt],
          )
      }),
    async forget(deviceId) {
      await database.write((transaction) =>
        transaction.run('DELETE FROM device_settings WHERE organization_id = ? AND device_id = ?', [organizationId, deviceId]),
      )
    },
  }
}
