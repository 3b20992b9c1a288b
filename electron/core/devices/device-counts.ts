import type { DeviceFacets, WordCount } from '../../contract/api/devices.ts'
import type { FilterTerm } from '../../contract/filter/filter.ts'
import {
  firmwareServiceValues,
  complianceValues,
  type DeviceGroupColumn,
} from '../../contract/fields/device.ts'
import type { Database, SqlRow } from '../platform.ts'
import type { Condition } from '../lists/condition.ts'
import { countsOf } from '../lists/slice.ts'
import { termsCondition } from '../lists/sql-filter.ts'
import { firmwareWord, complianceJoin, roomJoin } from './device-rows.ts'
import { deviceList, filterCondition, type QueryContext } from './device-query.ts'
import type { Counted } from '../lists/groups.ts'

/** Rows that match, counted by class. */
export type ClassCounts = ReadonlyMap<number, number>

/**
 * One scan without a sort, for any filter: the class of every row is transferred as one buffer and counted
 * here.
 */
export async function countClasses(database: Database, where: Condition): Promise<ClassCounts> {
  const classes = await database.queryNumbers(
    `SELECT d.class_id FROM device_row d WHERE ${where.sql}`,
    where.parameters,
    'sum',
  )
  const counts = new Map<number, number>()
  for (const one of classes) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

const firmwareValues: readonly string[] = [...complianceValues, ...firmwareServiceValues]
const isFirmwareValue = (word: string): boolean => firmwareValues.includes(word)

const facetOf = (term: FilterTerm): 'statuses' | 'products' | 'firmware' | null => {
  if (term.key === 'status') return 'statuses'
  if (term.key === 'product') return 'products'
  const stands = term.key === 'fw' && term.values.every((value) => isFirmwareValue(value.toLowerCase()))
  return stands ? 'firmware' : null
}

/** The rows that a filter matches without its terms on status, product and compliance. */
export const facetBaseFilter = (context: QueryContext, terms: readonly FilterTerm[]): Condition =>
  filterCondition(
    context,
    terms.filter((term) => facetOf(term) === null),
  )

/** Each list is counted as if nothing were selected in it, so that another value can be selected. */
export async function facetsOf(
  database: Database,
  context: QueryContext,
  terms: readonly FilterTerm[],
  counts: ClassCounts,
): Promise<DeviceFacets> {
  // Facet values are the same for all devices of a class: they are queried from the classes, under the alias
  // of the rows.
  const chosen = (facet: ReturnType<typeof facetOf>): Condition =>
    termsCondition(
      deviceList(context),
      terms.filter((term) => facetOf(term) === facet),
    )
  const [statuses, products, firmware] = [chosen('statuses'), chosen('products'), chosen('firmware')]
  const classes = await database.query(
    `SELECT d.class_id, d.status, d.product_name, ${firmwareWord('s', 'd')} AS firmware,
       (${statuses.sql}) IS TRUE AS in_statuses, (${products.sql}) IS TRUE AS in_products, (${firmware.sql}) IS TRUE AS in_firmware
     FROM device_class d
     ${complianceJoin('s', 'd')}
     WHERE d.organization_id = ?`,
    [...statuses.parameters, ...products.parameters, ...firmware.parameters, context.organizationId],
  )
  const summed = (
    word: (row: SqlRow) => SqlRow[string] | undefined,
    others: readonly string[],
  ): readonly WordCount[] => {
    const rows = classes.filter((row) => others.every((other) => row[other] === 1))
    return countsOf(
      rows.flatMap((row) => {
        const count = counts.get(Number(row['class_id']))
        const name = word(row)
        return count === undefined || typeof name !== 'string' ? [] : [[name, count] as const]
      }),
    )
  }
  return {
    statuses: summed((row) => row['status'], ['in_products', 'in_firmware']),
    products: summed((row) => row['product_name'], ['in_statuses', 'in_firmware']),
    firmware: summed((row) => row['firmware'], ['in_statuses', 'in_products']),
  }
}

/**
 * Values that devices of a class share are counted by class (alias `d`, as in class conditions); rooms `r`
 * are looked up for each device.
 */
const labels: Readonly<Record<DeviceGroupColumn, string>> = {
  productName: 'd.product_name',
  firmwareVersion: 'd.firmware_version',
  status: 'd.status',
  roomName: 'COALESCE(r.name, r.id)',
  location: 'r.location',
}

/**
 * The number of matching devices `d` by value, and how many of them call for work (`needing`, by class), in
 * one scan.
 */
export async function countedBy(
  database: Database,
  { where, needing }: { readonly where: Condition; readonly needing: Condition },
  by: DeviceGroupColumn,
): Promise<readonly Counted[]> {
  const ofRoom = by === 'roomName' || by === 'location'
  const rows = await database.query(
    ofRoom
      ? `SELECT ${labels[by]} AS label, ${by === 'roomName' ? 'r.name IS NULL AND r.id IS NOT NULL' : '0'} AS nameless, count(*) AS n, count(*) FILTER (WHERE ${needing.sql}) AS needing
         FROM device_row d ${roomJoin} WHERE ${where.sql} GROUP BY 1, 2`
      : `SELECT ${labels[by]} AS label, 0 AS nameless, sum(n) AS n, sum(n) FILTER (WHERE ${needing.sql}) AS needing
         FROM (SELECT d.class_id, count(*) AS n FROM device_row d WHERE ${where.sql} GROUP BY d.class_id) g
         JOIN device_class d ON d.class_id = g.class_id GROUP BY 1`,
    [...needing.parameters, ...where.parameters],
    'sum',
  )
  return rows.map((row) => ({
    label: typeof row['label'] === 'string' ? row['label'] : null,
    count: Number(row['n']),
    needing: Number(row['needing']),
    nameless: row['nameless'] === 1,
  }))
}

type DeviceQueries = Pick<Database, 'query'>

export interface CommonFirmware {
  readonly productId: number
  readonly variantType: string
  readonly firmwareVersion: string
  /** Devices, without gone ones. */
  readonly count: number
}

/** Devices that are not gone, by product id. */
export async function countDevicesByProduct(
  database: DeviceQueries,
  organizationId: string,
): Promise<ReadonlyMap<number, number>> {
  const sql = `SELECT c.product_id, sum(of_class.n) AS n FROM (
       SELECT class_id, count(*) AS n FROM device_row WHERE organization_id = ? AND gone = 0 GROUP BY class_id) of_class
     JOIN device_class c USING (class_id) WHERE c.product_id IS NOT NULL GROUP BY c.product_id`
  return new Map(
    (await database.query(sql, [organizationId], 'sum')).map((row) => [
      Number(row['product_id']),
      Number(row['n']),
    ]),
  )
}

/** The products, variants and firmware versions of most devices, most frequent first. `productId` null: of all. */
export async function queryCommonFirmware(
  database: DeviceQueries,
  organizationId: string,
  count: number,
  productId: number | null,
): Promise<readonly CommonFirmware[]> {
  const sql = `SELECT product_id, variant_type, firmware_version, count(*) AS n FROM device_row
    WHERE organization_id = ?1 AND gone = 0 AND product_id IS NOT NULL AND variant_type IS NOT NULL AND firmware_version IS NOT NULL
      AND (?2 IS NULL OR product_id = ?2)
    GROUP BY 1, 2, 3 ORDER BY n DESC, 1, 2, 3 LIMIT ?3`
  return (await database.query(sql, [organizationId, productId, count], 'sum')).map((row) => ({
    productId: Number(row['product_id']),
    variantType: String(row['variant_type']),
    firmwareVersion: String(row['firmware_version']),
    count: Number(row['n']),
  }))
}
