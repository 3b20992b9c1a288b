import type { Json } from '../../contract/json.ts'
import { recordChanges } from '../changes/changes.ts'
import type { Procedure, Transaction } from '../platform.ts'
import { runStatements } from '../storage/statements.ts'
import type { Store } from '../storage/store.ts'
import { settingDifferences } from './setting-differences.ts'

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
  /** Which of these are kept and were read since then. */
  findIds(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlySet<string>>
  /** What is kept of these and was read since then. */
  findMany(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlyMap<string, KeptSettings>>
  /**
   * One transaction. An older answer never replaces a newer one. What differs from what was read last is recorded as changes, also where
   * that was forgotten: a write of our own then counts once, when it shows. Answers how many changes were recorded.
   */
  keep(answers: readonly KeptAnswer[]): Promise<number>
  /** It is shown no more, but the next answer is still compared with it. */
  forget(deviceId: string): Promise<void>
}

/** Keeps answers and records what differs as changes. Answers how many changes were recorded. */
export const keepSettings: Procedure<
  { readonly organizationId: string; readonly answers: readonly KeptAnswer[] },
  number
> = {
  name: 'settings.keep',
  run(transaction, { organizationId, answers }) {
    let changes = 0
    for (const answer of answers) {
      changes += compare(transaction, organizationId, answer)
      transaction.run(
        `INSERT INTO device_settings (organization_id, device_id, json, observed_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (organization_id, device_id) DO UPDATE SET json = excluded.json, observed_at = excluded.observed_at, forgotten = 0
         WHERE excluded.observed_at >= device_settings.observed_at`,
        [organizationId, answer.deviceId, JSON.stringify(answer.json), answer.observedAt],
      )
    }
    return changes
  },
}

function compare(
  transaction: Transaction,
  organizationId: string,
  { deviceId, json, observedAt }: KeptAnswer,
): number {
  const row = transaction.first(
    'SELECT json, observed_at FROM device_settings WHERE organization_id = ? AND device_id = ?',
    [organizationId, deviceId],
  )
  if (row === undefined || observedAt < Number(row['observed_at'])) return 0
  const differences = settingDifferences(JSON.parse(String(row['json'])) as Json, json)
  if (differences.length === 0) return 0
  const device = transaction.first('SELECT name FROM device_row WHERE organization_id = ? AND id = ?', [
    organizationId,
    deviceId,
  ])
  recordChanges(
    transaction,
    { organizationId, of: 'device', id: deviceId, name: String(device?.['name'] ?? deviceId) },
    differences,
    observedAt,
  )
  return differences.length
}

export function openSettingsRows(
  { database }: Pick<Store, 'database'>,
  organizationId: string,
): SettingsRows {
  return {
    async find(deviceId) {
      const sql =
        'SELECT json, observed_at FROM device_settings WHERE organization_id = ? AND device_id = ? AND forgotten = 0'
      const [row] = await database.read(sql, [organizationId, deviceId])
      return row === undefined
        ? null
        : { json: JSON.parse(String(row['json'])) as Json, observedAt: Number(row['observed_at']) }
    },
    async findIds(deviceIds, sinceAt) {
      const sql = `SELECT s.device_id FROM json_each(?2) n CROSS JOIN device_settings s
         ON s.organization_id = ?1 AND s.device_id = n.value WHERE s.forgotten = 0 AND s.observed_at >= ?3`
      const rows = await database.read(sql, [organizationId, JSON.stringify(deviceIds), sinceAt])
      return new Set(rows.map((row) => String(row['device_id'])))
    },
    async findMany(deviceIds, sinceAt) {
      const sql = `SELECT s.device_id, s.json, s.observed_at FROM json_each(?2) n CROSS JOIN device_settings s
         ON s.organization_id = ?1 AND s.device_id = n.value WHERE s.forgotten = 0 AND s.observed_at >= ?3`
      const rows = await database.read(sql, [organizationId, JSON.stringify(deviceIds), sinceAt])
      return new Map(
        rows.map((row) => [
          String(row['device_id']),
          { json: JSON.parse(String(row['json'])) as Json, observedAt: Number(row['observed_at']) },
        ]),
      )
    },
    keep: (answers) => database.perform(keepSettings, { organizationId, answers }),
    async forget(deviceId) {
      const sql = 'UPDATE device_settings SET forgotten = 1 WHERE organization_id = ? AND device_id = ?'
      await database.perform(runStatements, [{ sql, parameters: [organizationId, deviceId] }])
    },
  }
}
