import type { DeviceFacets, WordCount } from '../../contract/api/devices.ts'
import type { FilterTerm } from '../../contract/filter/filter.ts'
import { firmwareServiceValues, complianceValues } from '../../contract/fields/device.ts'
import type { Database, SqlRow } from '../platform.ts'
import type { Condition } from '../lists/condition.ts'
import { countsOf } from '../lists/slice.ts'
import { termsCondition } from '../lists/sql-filter.ts'
import { firmwareWord, complianceJoin } from './device-rows.ts'
import { deviceList, filterCondition, type QueryContext } from './device-query.ts'

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
