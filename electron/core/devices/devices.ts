import type {
  Device,
  DeviceFacets,
  DeviceListQuery,
  DeviceRow,
  DeviceSelection,
  DeviceSort,
  DeviceSlice,
  DeviceSliceQuery,
  ListGroup,
  WordCount,
} from '../../contract/api/devices.ts'
import { deviceFields, type DeviceGroupColumn } from '../../contract/fields/device.ts'
import { tokenOf } from '../../contract/fields/field.ts'
import { Failed, foundOrNull } from '../../contract/failure.ts'
import { quoted } from '../../contract/filter/filter-reader.ts'
import type { FilterTerm } from '../../contract/filter/filter.ts'
import type { Json } from '../../contract/json.ts'
import { refuseIfNear } from '../lists/typed-names.ts'
import { termCondition, termsCondition } from '../lists/sql-filter.ts'
import type { Clock, SqlRow, SqlValue } from '../platform.ts'
import { parseDevice } from '../management/management.ts'
import { idKey, recordMeant } from '../storage/record-ids.ts'
import { textOrNull } from '../storage/row-values.ts'
import { ResultCache, type RowsChanged } from '../storage/result-cache.ts'
import type { Store } from '../storage/store.ts'
import { allOf, condition, type Condition } from '../lists/condition.ts'
import { groupsOf } from '../lists/groups.ts'
import { batchesOf, sliceOf } from '../lists/slice.ts'
import {
  facetBaseFilter,
  countClasses,
  facetsOf,
  countedBy,
  countDevicesByProduct,
  queryCommonFirmware,
  type ClassCounts,
  type CommonFirmware,
} from './device-counts.ts'
import {
  deviceList,
  deviceTerms,
  filterCondition,
  widerTerms,
  deviceOrder,
  type QueryContext,
} from './device-query.ts'
import {
  deviceRowOf,
  planColumns,
  planDeviceOf,
  planTables,
  rowColumns,
  rowTables,
  type PlanDevice,
} from './device-rows.ts'
import { suggestionsOf } from './device-suggestions.ts'
import { anyRoomByRecord } from './text-conditions.ts'

export {
  deviceRows,
  firmwareWord,
  complianceJoin,
  setDeviceGone,
  noFirmwareCounts,
  pruneDeviceClasses,
  writeDeviceRow,
  writeListedAs,
  writeReportedVersion,
  writeTitles,
  writeVerdicts,
} from './device-rows.ts'
export type { PlanDevice } from './device-rows.ts'
export type { CommonFirmware } from './device-counts.ts'
export { lookupKey, devicesNamed, type NamedDevice } from './device-names.ts'

/**
 * A list in a few sort orders, and the latest filters. An order of 100,000 devices takes 0.8 MB. Raise it if
 * switching back is slow.
 */
const cachedOrders = 12
const cachedCounts = 40
/**
 * More rows than this are read in order, in two halves, instead of being looked up individually. Change it after
 * measuring both.
 */
const rowsLookedThrough = 20_000
/** Ids read in one query for a selection. Lower it if one query blocks others. */
const idsAtOnce = 5_000
/** Devices of a plan read in one query: few enough to show progress and to be cancelled. */
const planRowsAtOnce = 1_000
/** Devices that call for work, in grouped lists. */
const callingForWork = deviceTerms('fw:behind,revoked')

/**
 * Devices from the store. Sends no request. Rejects with Failed `cache-unusable`, `not-found` or `invalid`.
 */
export interface Devices {
  slice(organizationId: string, query: DeviceSliceQuery): Promise<DeviceSlice>
  /** Settles when a list that was requested while empty is returned with rows; null: none was requested. */
  firstRows(organizationId: string): Promise<void> | null
  facets(organizationId: string, where: string): Promise<DeviceFacets>
  groups(
    organizationId: string,
    query: { readonly where: string; readonly by: DeviceGroupColumn },
  ): Promise<readonly ListGroup[]>
  position(
    organizationId: string,
    query: DeviceListQuery & { readonly id: string },
  ): Promise<{ readonly index: number | null; readonly total: number }>
  suggest(
    organizationId: string,
    query: { readonly key: string; readonly typed: string },
  ): Promise<readonly WordCount[]>
  /**
   * The ids that a selection contains now, each once; of individually selected ones those that are known,
   * including gone ones.
   */
  selected(organizationId: string, selection: DeviceSelection): Promise<readonly string[]>
  /** The number of ids that `selected` returns. */
  countOf(organizationId: string, selection: DeviceSelection): Promise<number>
  get(organizationId: string, id: string): Promise<Device>
  /**
   * By its id, or by a serial number or name that only one device has, also one that is gone. Rejects with
   * Failed `not-found`, or `invalid` for several.
   */
  typed(organizationId: string, text: string): Promise<Device>
  /**
   * The content of a selection, in order and in batches; ids and their order are fixed at the start. For
   * exports.
   */
  listed(
    organizationId: string,
    selection: DeviceSelection,
    sort: DeviceSort,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly DeviceRow[]> }>
  /** The same with what a plan needs of each device: six thousand take a third of the time (measured). */
  forPlan(
    organizationId: string,
    selection: DeviceSelection,
    sort: DeviceSort,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly PlanDevice[]> }>
  /** The same with all data of each device, including the raw record. */
  all(
    organizationId: string,
    selection: DeviceSelection,
    sort: DeviceSort,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly Device[]> }>
  /** Devices that are not gone, and the oldest observation among them; null: none yet. */
  totals(organizationId: string): Promise<{ readonly count: number; readonly asOf: number | null }>
  /** Devices that are not gone, by product id. */
  countsByProduct(organizationId: string): Promise<ReadonlyMap<number, number>>
  /**
   * The products, variants and firmware versions of most devices, most frequent first, at most `count`: worth
   * reading for work without a connection. `productId`: of that product alone.
   */
  commonFirmware(
    organizationId: string,
    count: number,
    productId?: number,
  ): Promise<readonly CommonFirmware[]>
  /** Rows, tags, lists or compliance changed: cached orders are queried again. */
  changed(organizationId: string, how?: RowsChanged): void
}

/** Devices as if releases of other stages could be the latest. */
export interface JudgedDevices {
  readonly devices: Devices
  /** Products whose releases were never read. */
  readonly unread: number
  /** Removes these compliance results from the store. Rejects with Failed `cache-unusable`. */
  readonly end: () => Promise<void>
}

/**
 * `judged`: the name of compliance results of a single run (firmware/compliance.ts) that replace the
 * organization's.
 */
export function openDevices(deps: {
  readonly store: Store
  readonly clock: Clock
  readonly judged?: string
}): Devices {
  const { store, clock, judged = '' } = deps
  const { database } = store
  const orders = new ResultCache(clock, cachedOrders)
  const counts = new ResultCache(clock, cachedCounts)

  /** By organization: its list was requested while it was empty. */
  const empty = new Map<string, PromiseWithResolvers<void>>()

  const hasRoomByRecord = (organizationId: string): Promise<boolean> =>
    counts.get(organizationId, 'placed by record', async () => {
      const { sql, parameters } = anyRoomByRecord(organizationId)
      const [row] = await database.query(sql, parameters)
      return row?.['placed'] === 1
    })
  const contextOf = async (organizationId: string, terms: readonly FilterTerm[]): Promise<QueryContext> => ({
    organizationId,
    complianceOwner: organizationId + judged,
    now: clock.now(),
    hasRoomByRecord: terms.length > 0 && (await hasRoomByRecord(organizationId)),
  })
  const matching = async (organizationId: string, where: string): Promise<Condition> => {
    const terms = deviceTerms(where)
    return filterCondition(await contextOf(organizationId, terms), terms)
  }

  const resolveSelection = async (organizationId: string, selection: DeviceSelection): Promise<Condition> => {
    const listed = 'IN (SELECT value FROM json_each(?))'
    if (selection.kind === 'picked')
      return allOf([
        condition('d.organization_id = ?', organizationId),
        condition(`d.id ${listed}`, JSON.stringify(selection.ids)),
      ])
    const all = await matching(organizationId, selection.where)
    return selection.except.length === 0
      ? all
      : allOf([all, condition(`d.id NOT ${listed}`, JSON.stringify(selection.except))])
  }

  const order = (organizationId: string, where: Condition, sort: DeviceSort): Promise<Float64Array> => {
    const query = deviceOrder(organizationId + judged, where, sort)
    return orders.get(organizationId, JSON.stringify(query), () =>
      database.queryNumbers(query.sql, query.parameters),
    )
  }

  /** By organization: a title near the middle of the list. */
  const middles = new Map<string, string>()
  const searched = async (
    organizationId: string,
    where: Condition,
    sort: DeviceSort,
  ): Promise<Float64Array> => {
    const queried = (some: Condition): Promise<Float64Array> => {
      const { sql, parameters } = deviceOrder(organizationId + judged, some, sort)
      return database.queryNumbers(sql, parameters)
    }
    const [first] = sort
    if (first !== undefined && (first.column !== 'userOrRoom' || first.descending)) return queried(where)
    const middle = middles.get(organizationId)
    if (middle !== undefined) {
      const [before, after] = await Promise.all([
        queried(allOf([where, condition('d.title_key < ?', middle)])),
        queried(allOf([where, condition('d.title_key >= ?', middle)])),
      ])
      const both = new Float64Array(before.length + after.length)
      both.set(before)
      both.set(after, before.length)
      return both
    }
    const ids = await queried(where)
    if (ids.length > rowsLookedThrough) {
      const half = ids[ids.length >> 1] ?? null
      const [row] = await database.query('SELECT title_key FROM device_row WHERE row_id = ?', [half])
      if (row !== undefined) middles.set(organizationId, String(row['title_key']))
    }
    return ids
  }

  /**
   * As `order`, for display: if the order for a prefix of the word is cached, only its rows are searched; else both halves of a long
   * list at once, because there are two reading threads. A device whose title changes between the two may be twice in it, or missing,
   * until it is queried again: no selection is made of it.
   */
  const displayed = async (
    organizationId: string,
    where: string,
    sort: DeviceSort,
  ): Promise<Float64Array> => {
    const terms = deviceTerms(where)
    const about = await contextOf(organizationId, terms)
    const questionOf = (some: readonly FilterTerm[]): string =>
      JSON.stringify(['displayed', filterCondition(about, some), sort])
    return orders.get(organizationId, questionOf(terms), async (cached) => {
      for (const { term, others } of widerTerms(terms)) {
        const wider = await cached(questionOf(others))
        if (wider !== null && wider.length <= rowsLookedThrough)
          return rowsOfWord(wider, termCondition(deviceList(about), term))
      }
      return searched(organizationId, filterCondition(about, terms), sort)
    })
  }

  const rowsOfWord = async (ids: Float64Array, word: Condition): Promise<Float64Array> => {
    const found = new Set(
      await database.queryNumbers(
        `SELECT d.row_id FROM json_each(?) n CROSS JOIN device_row d ON d.row_id = n.value WHERE ${word.sql}`,
        [JSON.stringify([...ids]), ...word.parameters],
      ),
    )
    return ids.filter((id) => found.has(id))
  }

  const classCounts = (organizationId: string, where: Condition): Promise<ClassCounts> =>
    counts.get(organizationId, JSON.stringify(['classes', where]), () => countClasses(database, where))

  const rowsAt = async (
    ids: Float64Array,
    columns = rowColumns,
    tables = rowTables(judged),
  ): Promise<SqlRow[]> => {
    const rows = await database.query(
      `SELECT ${columns} FROM ${tables} WHERE d.row_id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify([...ids])],
    )
    const byId = new Map(rows.map((row) => [row['row_id'], row]))
    return [...ids].map((id) => byId.get(id)).filter((row) => row !== undefined)
  }

  const totals = (organizationId: string): Promise<{ count: number; asOf: number | null }> =>
    counts.get(organizationId, 'totals', async () => {
      // A full scan of the narrow table: through the index on ids every row is looked up individually
      // (measured at 100,000: 13 ms, else 115).
      const sql = `SELECT count(*) AS n, min(observed_at) AS at FROM raw_record NOT INDEXED WHERE organization_id = ? AND kind = 'device' AND gone_at IS NULL`
      const [row] = await database.query(sql, [organizationId])
      return { count: Number(row?.['n'] ?? 0), asOf: typeof row?.['at'] === 'number' ? row['at'] : null }
    })

  const get: Devices['get'] = async (organizationId, id) => {
    const sql = `SELECT ${rowColumns}, j.json FROM ${rowTables(judged)} JOIN raw_json j ON j.row_id = d.row_id WHERE d.organization_id = ?1 AND d.id IN ${recordMeant('device')}`
    const [row] = await database.query(sql, [organizationId, id, idKey(id)])
    if (!row) throw Failed.notFound(id)
    return deviceOf(row)
  }

  return {
    async slice(organizationId, query) {
      const { start, count } = sliceOf(query)
      const [ids, { count: all, asOf }] = await Promise.all([
        displayed(organizationId, query.where, query.sort),
        totals(organizationId),
      ])
      const rows = await rowsAt(ids.subarray(start, start + count))
      if (rows.length > 0) {
        empty.get(organizationId)?.resolve()
        empty.delete(organizationId)
      } else if (all === 0 && !empty.has(organizationId))
        empty.set(organizationId, Promise.withResolvers<void>())
      return { rows: rows.map(deviceRowOf), total: ids.length, all, asOf }
    },

    firstRows: (organizationId) => empty.get(organizationId)?.promise ?? null,

    async facets(organizationId, where) {
      const terms = deviceTerms(where)
      const about = await contextOf(organizationId, terms)
      return facetsOf(
        database,
        about,
        terms,
        await classCounts(organizationId, facetBaseFilter(about, terms)),
      )
    },

    async groups(organizationId, { where, by }) {
      const terms = deviceTerms(where)
      const about = await contextOf(organizationId, terms)
      const matches = filterCondition(about, terms)
      const needing = termsCondition(deviceList(about), callingForWork)
      const counted = await counts.get(organizationId, JSON.stringify([by, matches]), () =>
        countedBy(database, { where: matches, needing }, by),
      )
      return groupsOf('devices', tokenOf(deviceFields, by), { where, counted })
    },

    async position(organizationId, { where, sort, id }) {
      const [ids, [row]] = await Promise.all([
        displayed(organizationId, where, sort),
        database.query('SELECT row_id FROM device_row WHERE organization_id = ? AND id = ?', [
          organizationId,
          id,
        ]),
      ])
      const index = row === undefined ? -1 : ids.indexOf(Number(row['row_id']))
      return { index: index < 0 ? null : index, total: ids.length }
    },

    suggest: async (organizationId, query) =>
      suggestionsOf(database, organizationId, query, () =>
        matching(organizationId, '').then((all) => classCounts(organizationId, all)),
      ),

    async selected(organizationId, selection) {
      const rows = await order(organizationId, await resolveSelection(organizationId, selection), [])
      const ids: string[] = []
      for (let start = 0; start < rows.length; start += idsAtOnce)
        for (const row of await rowsAt(
          rows.subarray(start, start + idsAtOnce),
          'd.row_id, d.id',
          'device_row d',
        ))
          ids.push(String(row['id']))
      return ids
    },

    async countOf(organizationId, selection) {
      const where = await resolveSelection(organizationId, selection)
      const [row] = await database.query(
        `SELECT count(*) AS n FROM device_row d WHERE ${where.sql}`,
        where.parameters,
      )
      return Number(row?.['n'] ?? 0)
    },

    get,

    async typed(organizationId, text) {
      const known = await foundOrNull(get(organizationId, text))
      if (known !== null) return known
      const same = (given: SqlValue | undefined): boolean =>
        typeof given === 'string' && given.toLowerCase() === text.toLowerCase()
      const containing = await matching(organizationId, `${quoted(text)} gone:any`)
      // All of them: the name of one device may be part of many other texts.
      const found = await database.query(
        `SELECT d.id, d.name, d.serial_number, d.gone FROM device_row d WHERE ${containing.sql} ORDER BY d.title_key, d.id`,
        containing.parameters,
      )
      const ids = found
        .filter((row) => same(row['serial_number']) || same(row['name']))
        .map((row) => String(row['id']))
      if (ids.length === 0)
        refuseIfNear(
          'device',
          text,
          found.flatMap((row) => {
            const [name, told] = [textOrNull(row['name']), textOrNull(row['serial_number'])]
            return name === null || row['gone'] === 1 ? [] : [{ name, told }]
          }),
        )
      if (ids.length > 1)
        throw Failed.invalid(
          'device',
          `${ids.length} devices are called "${text}": use one of these ids (${ids.join(', ')}).`,
        )
      return get(organizationId, ids[0] ?? text)
    },

    async listed(organizationId, selection, sort) {
      const ids = await order(organizationId, await resolveSelection(organizationId, selection), sort)
      return {
        total: ids.length,
        batches: batchesOf(ids, async (some) => (await rowsAt(some)).map(deviceRowOf)),
      }
    },

    async forPlan(organizationId, selection, sort) {
      const ids = await order(organizationId, await resolveSelection(organizationId, selection), sort)
      const batch = async (some: Float64Array): Promise<readonly PlanDevice[]> =>
        (await rowsAt(some, planColumns, planTables)).map(planDeviceOf)
      return { total: ids.length, batches: batchesOf(ids, batch, planRowsAtOnce) }
    },

    async all(organizationId, selection, sort) {
      const ids = await order(organizationId, await resolveSelection(organizationId, selection), sort)
      const whole = async (some: Float64Array): Promise<readonly Device[]> =>
        (
          await rowsAt(
            some,
            `${rowColumns}, j.json`,
            `${rowTables(judged)} JOIN raw_json j ON j.row_id = d.row_id`,
          )
        ).map(deviceOf)
      return { total: ids.length, batches: batchesOf(ids, whole) }
    },

    totals,

    // Every letter in the palette asks for products with their counts.
    countsByProduct: (organizationId) =>
      counts.get(organizationId, 'by product', () => countDevicesByProduct(database, organizationId)),

    commonFirmware: (organizationId, count, productId) =>
      queryCommonFirmware(database, organizationId, count, productId ?? null),

    changed(organizationId, how = 'settled') {
      orders.changed(organizationId, how)
      counts.changed(organizationId, how)
    },
  }
}

function deviceOf(row: SqlRow): Device {
  const known = deviceRowOf(row)
  const reading = parseDevice(JSON.parse(String(row['json'])) as Json)
  if (!reading.readable) throw new Error('A device row without a readable record')
  const { firmwareUpdateInProgress, computer, client, raw } = reading.record
  return { ...known, firmwareUpdateInProgress, computer, client, raw }
}
