import type { LocationQuery } from 'vue-router'
import type { DocumentSelection } from '../../electron/contract/api/definitions.ts'

/** One side as in the form and in the address; '': the core chooses. */
export interface Side {
  /** `2830/9395`; '': none, the documents of a schema version. */
  product: string
  variant: string
  firmware: string
  schema: string
  definition: string
  source: string
}
export const sources = ['service', 'trimmed', 'package'] as const
const fields = ['product', 'variant', 'firmware', 'schema', 'definition', 'source'] as const

const one = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 100) : '')

/** Named as on the command line: those of the other side begin with `with-`. */
export const sideIn = (query: LocationQuery, prefix: '' | 'with-'): Side => ({
  product: one(query[`${prefix}product`]),
  variant: one(query[`${prefix}variant`]),
  firmware: one(query[`${prefix}firmware`]),
  schema: one(query[`${prefix}schema`]),
  definition: one(query[`${prefix}definition`]),
  source: one(query[`${prefix}source`]) || 'service',
})

/** Two sides as they are in an address. */
export const queryOf = (sides: readonly Side[]): Record<string, string> =>
  Object.fromEntries(
    sides.flatMap((side, at) =>
      fields.flatMap((field) =>
        side[field].trim() === '' ? [] : [[(at === 0 ? '' : 'with-') + field, side[field].trim()]],
      ),
    ),
  )

export function productIn({ product }: Side): { vendorId: number; productId: number } | null {
  const [vendorId, productId] = /^\d{1,6}\/\d{1,10}$/.test(product) ? product.split('/').map(Number) : []
  return vendorId === undefined || productId === undefined ? null : { vendorId, productId }
}

export function selectionOf(side: Side): DocumentSelection {
  const product = productIn(side)
  const said = (value: string): string | null => value.trim() || null
  return {
    product,
    variantType: product && said(side.variant),
    firmwareVersion: product && said(side.firmware),
    schemaVersion: said(side.schema),
    definitionVersion: said(side.definition),
    trimmed: side.source === 'trimmed',
    source: side.source === 'package' ? 'package' : 'service',
  }
}

/** Whether it is other than what the service has in use. */
export const hasDocuments = ({ source, schema, definition }: Side): boolean =>
  source !== 'service' || `${schema}${definition}` !== ''
