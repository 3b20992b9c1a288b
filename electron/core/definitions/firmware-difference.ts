import type {
  ComparedSide,
  Comparison,
  DocumentKind,
  DocumentSelection,
  FirmwareDifference,
  ReadDocuments,
  SelectionComparison,
} from '../../contract/api/definitions.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { CachedValues } from '../settings/settings.ts'
import { devicesAtRisk, linesAtRisk, telling, valueRules } from './devices-at-risk.ts'
import { comparisonOf } from './document-differences.ts'

export interface FirmwareDifferenceQuery extends ProductId {
  readonly variantType: string | null
  readonly from: string
  readonly to: string
}

export type CachedValuesOf = (
  product: ProductId & { readonly variantType: string | null },
  names: readonly string[],
) => Promise<readonly CachedValues[]>

/**
 * Reads both versions for the definition version in use. A document above the highest supported version is
 * not used and counts as a gap.
 */
export async function firmwareDifference(
  parts: {
    readonly documents: (
      selection: DocumentSelection,
      kinds: readonly DocumentKind[],
    ) => Promise<ReadDocuments>
    readonly cachedValues: CachedValuesOf
  },
  { from, to, variantType, vendorId, productId }: FirmwareDifferenceQuery,
): Promise<FirmwareDifference> {
  const product = { vendorId, productId }
  const documentsOf = (firmwareVersion: string, variant: string | null): Promise<ReadDocuments> =>
    parts.documents(
      {
        product,
        variantType: variant,
        firmwareVersion,
        schemaVersion: null,
        definitionVersion: null,
        trimmed: false,
        source: 'service',
      },
      telling,
    )
  const left = await documentsOf(from, variantType)
  const right = from === to ? left : await documentsOf(to, left.variantType)
  const comparison = comparisonOf(left, right, { usesAboveLimit: false })
  const rules = comparison.compared.length === 0 ? null : valueRules(left, right, comparison)
  const known = await parts.cachedValues({ ...product, variantType }, [...(rules?.keys() ?? [])])
  return {
    ...comparison,
    left: sideOf(left),
    right: sideOf(right),
    devices: devicesAtRisk(rules, known),
  }
}

/** The number of devices of a product that the lines of a comparison affect, by stored values. */
export async function yoursOf(
  cachedValues: CachedValuesOf,
  selections: Readonly<Record<'left' | 'right', DocumentSelection>>,
  documents: Readonly<Record<'left' | 'right', ReadDocuments>>,
  comparison: Comparison,
): Promise<SelectionComparison['yours']> {
  const { product, variantType } = selections.left
  const other = selections.right.product
  if (product === null || product.vendorId !== other?.vendorId || product.productId !== other.productId)
    return null
  const rules = valueRules(documents.left, documents.right, comparison)
  const known = await cachedValues({ ...product, variantType }, [...rules.keys()])
  return {
    total: known.reduce((sum, { deviceIds }) => sum + deviceIds.length, 0),
    lines: linesAtRisk(rules, known),
  }
}

export const sideOf = ({ variantType, firmwareVersion, documents }: ReadDocuments): ComparedSide => ({
  variantType,
  firmwareVersion,
  documents: documents.map(({ items: _, raw: __, ...document }) => document),
})
