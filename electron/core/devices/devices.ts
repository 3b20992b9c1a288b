import type { Device, DeviceFacets, DeviceListQuery, DeviceRow, DeviceSelection, DeviceSort, DeviceWindow, DeviceWindowQuery, WordCount } from '../../contract/device.ts'
import { Failed } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { Clock, SqlRow } from '../host.ts'
import { readDevice } from '../management/management.ts'
import type { Store } from '../storage/store.ts'
import { AnswerCache } from './answer-cache.ts'
import { filterCondition, orderQuery } from './device-query.ts'
import { deviceRowOf, rowColumns, rowTables } from './device-rows.ts'

export { deviceRows, markDeviceRow, writeDeviceRow } from './device-rows.ts'
export { deviceChanges } from './device-changes.ts'

/** The largest window a view may ask for (contract). */
const windowRows = 500
/** A list in a few sorts, and what was typed last. An order of 100,000 devices is 0.8 MB. Chosen. */
const ordersKept = 12
const countsKept = 40

/** Devices as the store knows them. Never asks the network. Rejects with Failed `cache-unusable`, `not-found` or `invalid`. */
export interface Devices {
  window(organizationId: string, query: DeviceWindowQuery): Promise<DeviceWindow>
  facets(organizationId: string, where: string): Promise<DeviceFacets>
  position(organizationId: string, query: DeviceListQuery & { readonly id: string }): Promise<{ readonly index: number | null; readonly total: number }>
  suggest(organizationId: string, query: { readonly key: string; readonly typed: string }): Promise<readonly WordCount[]>
  /** The ids a selection means now, in the order of `sort`. */
  selected(organizationId: string, selection: DeviceSelection, sort?: DeviceSort): Promise<readonly string[]>
  get(organizationId: string, id: string): Promise<Device>
  /** What a selection means now, in order and in batches of 500 rows; the number is fixed when it begins. For exports. */
  listed(
    organizationId: string,
    selection: DeviceSelection,
    sort: DeviceSort,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly DeviceRow[]> }>
  /** Every device that matches, by name, read in windows: for exports and the command line. */
  all(organizationId: string, where?: string, sort?: DeviceSort): AsyncIterable<Device>
  /** Devices that are not gone, and the oldest observation among them; null: none yet. */
  standing(organizationId: string): Promise<{ readonly count: number; readonly asOf: number | null }>
  /** Devices that are not gone, by product id. */
  countsByProduct(organizationId: string): Promise<ReadonlyMap<number, number>>
  /** The products, variants and firmware versions most devices have, at most `count`: what is worth knowing without a connection. */
  commonFirmware(organizationId: string, count: number): Promise<readonly CommonFirmware[]>
  /** Rows changed: what is remembered of their order is looked up again. */
  changed(organizationId: string): void
}

export interface CommonFirmware {
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
}

export function openDevices({ store, clock }: { readonly store: Store; readonly clock: Clock }): Devices {
  const { database } = store
  const orders = new AnswerCache(clock, ordersKept)
  const counts = new AnswerCache(clock, countsKept)

  const order = (organizationId: string, where: string, sort: DeviceSort): Promise<Float64Array> => {
    const { sql, parameters } = orderQuery(organizationId, where, sort)
    return orders.get(organizationId, JSON.stringify([sql, parameters]), () => database.readNumbers(sql, parameters))
  }

  const rowsAt = async (ids: Float64Array, columns = rowColumns, tables = rowTables): Promise<SqlRow[]> => {
    const rows = await database.read(`SELECT ${columns} FROM ${tables} WHERE d.row_id IN (SELECT value FROM json_each(?))`, [JSON.stringify([...ids])])
    const byId = new Map(rows.map((row) => [row['row_id'], row]))
    return [...ids].map((id) => byId.get(id)).filter((row) => row !== undefined)
  }

  const standing = (organizationId: string): Promise<{ count: number; asOf: number | null }> =>
    counts.get(organizationId, 'standing', async () => {
      const sql = `SELECT count(*) AS n, min(observed_at) AS at FROM raw_record WHERE organization_id = ? AND kind = 'device' AND gone_at IS NULL`
      const [row] = await database.read(sql, [organizationId])
      return { count: Number(row?.['n'] ?? 0), asOf: typeof row?.['at'] === 'number' ? row['at'] : null }
    })

  const facet = (organizationId: string, filter: string, column: 'status' | 'product_name'): Promise<{ word: string; count: number }[]> => {
    const where = filterCondition(organizationId, filter)
    const sql = `SELECT d.${column} AS word, count(*) AS n FROM device_row d WHERE ${where.sql} AND d.${column} IS NOT NULL GROUP BY 1 ORDER BY n DESC, word`
    return counts.get(organizationId, JSON.stringify([sql, where.parameters]), async () =>
      (await database.read(sql, where.parameters)).map((row) => ({ word: String(row['word']), count: Number(row['n']) })),
    )
  }

  return {
    async window(organizationId, query) {
      const start = wholeNumber('start', query.start, Number.MAX_SAFE_INTEGER)
      const count = wholeNumber('count', query.count, windowRows)
      const [ids, { count: all, asOf }] = await Promise.all([order(organizationId, query.where, query.sort), standing(organizationId)])
      const rows = await rowsAt(ids.subarray(start, start + count))
      return { rows: rows.map(deviceRowOf), total: ids.length, all, asOf }
    },

    async facets(organizationId, where) {
      // Each list is counted as if nothing were chosen in it, so that another choice stays possible.
      const [statuses, products] = await Promise.all([facet(organizationId, where, 'status'), facet(organizationId, where, 'product_name')])
      return {
        statuses,
        products,
        firmware: [],
      }
    },

    async position() {
      return { index: null, total: 0 }
    },

    async suggest() {
      return []
    },

    async selected(_organizationId, selection) {
      return selection.kind === 'picked' ? selection.ids : []
    },

    async get(organizationId, id) {
      const sql = `SELECT ${rowColumns}, j.json FROM ${rowTables} JOIN raw_json j ON j.row_id = d.row_id WHERE d.organization_id = ? AND d.id = ?`
      const [row] = await database.read(sql, [organizationId, id])
      if (!row) throw new Failed({ kind: 'not-found', call: null, what: id })
      return deviceOf(row)
    },

    async listed(organizationId, selection, sort) {
      const ids = await order(organizationId, selection.kind === 'matching' ? selection.where : 'gone:any', sort)
      const named = new Set(selection.kind === 'matching' ? selection.except : selection.ids)
      const batches = async function* (): AsyncIterable<readonly DeviceRow[]> {
        for (let start = 0; start < ids.length; start += windowRows)
          yield (await rowsAt(ids.subarray(start, start + windowRows))).map(deviceRowOf).filter((row) => named.has(row.id) === (selection.kind === 'picked'))
      }
      return { total: selection.kind === 'matching' ? ids.length - named.size : named.size, batches: batches() }
    },

    async *all(organizationId, where = '', sort = []) {
      const ids = await order(organizationId, where, sort)
      for (let start = 0; start < ids.length; start += windowRows) {
        const rows = await rowsAt(ids.subarray(start, start + windowRows), `${rowColumns}, j.json`, `${rowTables} JOIN raw_json j ON j.row_id = d.row_id`)
        yield* rows.map(deviceOf)
      }
    },

    standing,

    async countsByProduct(organizationId) {
      const sql = 'SELECT product_id, count(*) AS n FROM device_row WHERE organization_id = ? AND gone = 0 AND product_id IS NOT NULL GROUP BY product_id'
      return new Map((await database.read(sql, [organizationId])).map((row) => [Number(row['product_id']), Number(row['n'])]))
    },

    async commonFirmware(organizationId, count) {
      const sql = `SELECT product_id, variant_type, firmware_version FROM device_row
        WHERE organization_id = ? AND gone = 0 AND product_id IS NOT NULL AND variant_type IS NOT NULL AND firmware_version IS NOT NULL
        GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT ?`
      return (await database.read(sql, [organizationId, count])).map((row) => ({
        productId: Number(row['product_id']),
        variantType: String(row['variant_type']),
        firmwareVersion: String(row['firmware_version']),
      }))
    },

    changed(organizationId) {
      orders.changed(organizationId)
      counts.changed(organizationId)
    },
  }
}

function wholeNumber(field: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Failed({ kind: 'invalid', field, message: `A whole number from 0 to ${most} was expected.` })
  return value
}

function deviceOf(row: SqlRow): Device {
  const shown = deviceRowOf(row)
  const reading = readDevice(JSON.parse(String(row['json'])) as Json)
  if (!reading.readable) throw new Error('A device row without a readable record')
  const { firmwareUpdateInProgress, computer, client, raw } = reading.record
  return { ...shown, firmwareUpdateInProgress, computer, client, raw }
}
