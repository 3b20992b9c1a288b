import type { Json } from '../../contract/json.ts'
import { recordChanges } from '../changes/changes.ts'
import type { Procedure, SqlRow, Transaction } from '../platform.ts'
import { idKey, recordMeant, storedDeviceId } from '../storage/record-ids.ts'
import { runStatements } from '../storage/statements.ts'
import type { Store } from '../storage/store.ts'
import { settingDifferences } from './setting-differences.ts'

/** A response in its stored form. */
export interface StoredSettings {
  readonly json: Json
  readonly observedAt: number
}

export interface StoredResponse extends StoredSettings {
  readonly deviceId: string
}

/** Devices with equal stored settings. */
interface StoredOfProduct {
  readonly deviceIds: readonly string[]
  /** The first of them was read at `observedAt`. null: nothing is stored. */
  readonly stored: StoredSettings | null
}

/** The raw responses of each device, for use without a connection. Rejects with Failed `cache-unusable`. */
export interface SettingsRows {
  /** Ids of the organization's devices that are not gone. */
  inventory(): Promise<readonly string[]>
  find(deviceId: string): Promise<StoredSettings | null>
  /** Which of these are stored and were read since then. */
  findIds(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlySet<string>>
  /** The stored settings of these that were read since then. */
  findMany(deviceIds: readonly string[], sinceAt: number): Promise<ReadonlyMap<string, StoredSettings>>
  /**
   * One transaction. An older response never replaces a newer one. Differences from the last read are
   * recorded as changes, even if that read was invalidated: so a write by Headroom counts once, when its
   * effect is visible. Returns how many changes were recorded.
   */
  keep(answers: readonly StoredResponse[]): Promise<number>
  /**
   * The stored values of these settings, for the devices of a product that are not gone. `variantType` null:
   * of every variant.
   */
  ofProduct(
    product: { readonly productId: number; readonly variantType: string | null },
    names: readonly string[],
  ): Promise<readonly StoredOfProduct[]>
  /** It is no longer shown, but the next response is still compared with it. */
  forget(deviceId: string): Promise<void>
}

/** Stores responses and records differences as changes. Returns how many changes were recorded. */
export const keepSettings: Procedure<
  { readonly organizationId: string; readonly answers: readonly StoredResponse[] },
  number
> = {
  name: 'settings.keep',
  run(transaction, { organizationId, answers }) {
    let changes = 0
    for (const received of answers) {
      const deviceId = storedDeviceId(transaction, organizationId, received.deviceId)
      const answer = { ...received, deviceId }
      changes += compare(transaction, organizationId, answer)
      transaction.run(
        `INSERT INTO device_settings (organization_id, device_id, json, observed_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (organization_id, device_id) DO UPDATE SET json = excluded.json, observed_at = excluded.observed_at, forgotten = 0
         WHERE excluded.observed_at >= device_settings.observed_at`,
        [organizationId, deviceId, JSON.stringify(answer.json), answer.observedAt],
      )
    }
    return changes
  },
}

function compare(
  transaction: Transaction,
  organizationId: string,
  { deviceId, json, observedAt }: StoredResponse,
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
    async inventory() {
      const sql = 'SELECT id FROM device_row WHERE organization_id = ? AND gone = 0'
      return (await database.query(sql, [organizationId])).map((row) => String(row['id']))
    },
    async find(deviceId) {
      // Under the id of the record, unless they were stored before it was.
      const sql = `SELECT json, observed_at FROM device_settings WHERE organization_id = ?1 AND device_id IN ${recordMeant('device')} AND forgotten = 0
         ORDER BY observed_at DESC LIMIT 1`
      const [row] = await database.query(sql, [organizationId, deviceId, idKey(deviceId)])
      return row === undefined
        ? null
        : { json: JSON.parse(String(row['json'])) as Json, observedAt: Number(row['observed_at']) }
    },
    async findIds(deviceIds, sinceAt) {
      const sql = `SELECT s.device_id FROM json_each(?2) n CROSS JOIN device_settings s
         ON s.organization_id = ?1 AND s.device_id = n.value WHERE s.forgotten = 0 AND s.observed_at >= ?3`
      const rows = await database.query(sql, [organizationId, JSON.stringify(deviceIds), sinceAt])
      return new Set(rows.map((row) => String(row['device_id'])))
    },
    async findMany(deviceIds, sinceAt) {
      const sql = `SELECT s.device_id, s.json, s.observed_at FROM json_each(?2) n CROSS JOIN device_settings s
         ON s.organization_id = ?1 AND s.device_id = n.value WHERE s.forgotten = 0 AND s.observed_at >= ?3`
      const rows = await database.query(sql, [organizationId, JSON.stringify(deviceIds), sinceAt])
      return new Map(
        rows.map((row) => [
          String(row['device_id']),
          { json: JSON.parse(String(row['json'])) as Json, observedAt: Number(row['observed_at']) },
        ]),
      )
    },
    async ofProduct({ productId, variantType }, names) {
      // A response of another shape is parsed as a whole.
      const sql = `SELECT json_group_array(id) AS ids, min(observed_at) AS observed_at, entries, json FROM (SELECT d.id, s.observed_at, CASE WHEN json_type(s.json, '$.settings') = 'object' THEN ${entriesSql(names)} END AS entries,
           CASE WHEN json_type(s.json, '$.settings') IS NOT 'object' THEN s.json END AS json
         FROM device_row d LEFT JOIN device_settings s ON s.organization_id = ?1 AND s.device_id = d.id AND s.forgotten = 0
         WHERE d.organization_id = ?1 AND d.gone = 0 AND d.product_id = ?2 AND (?3 IS NULL OR lower(d.variant_type) = lower(?3)))
         GROUP BY entries, json`
      const rows = await database.query(sql, [
        organizationId,
        productId,
        variantType,
        ...names.map((name) => `$.settings.${JSON.stringify(name)}`),
      ])
      return rows.map((row) => ({
        deviceIds: JSON.parse(String(row['ids'])) as string[],
        stored:
          row['observed_at'] === null
            ? null
            : { json: storedJson(row, names), observedAt: Number(row['observed_at']) },
      }))
    },
    keep: (answers) => database.perform(keepSettings, { organizationId, answers }),
    async forget(deviceId) {
      const sql = `UPDATE device_settings SET forgotten = 1 WHERE organization_id = ?1 AND device_id IN ${recordMeant('device')}`
      const parameters = [organizationId, deviceId, idKey(deviceId)]
      await database.perform(runStatements, [{ sql, parameters }])
    },
  }
}

/**
 * Lists of a hundred entries, because a function of SQLite accepts at most 127 arguments. A name missing in
 * the response is null.
 */
function entriesSql(names: readonly string[]): string {
  const lists: string[] = []
  for (let start = 0; start < names.length; start += 100)
    lists.push(
      `json_array(${names
        .slice(start, start + 100)
        .map((_, index) => `s.json -> ?${start + index + 4}`)
        .join()})`,
    )
  return `json_array(${lists.join()})`
}

function storedJson(row: SqlRow, names: readonly string[]): Json {
  if (row['entries'] === null) return JSON.parse(String(row['json'])) as Json
  const entries = (JSON.parse(String(row['entries'])) as Json[][]).flat()
  return {
    settings: Object.fromEntries(
      names.flatMap((name, index) => {
        const entry = entries[index] ?? null
        return entry === null ? [] : [[name, entry]]
      }),
    ),
  }
}
