import type {
  ComparedSide,
  DocumentKind,
  DocumentSelection,
  FirmwareDifference,
  ReadDocuments,
} from '../../contract/api/definitions.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import type { KeptValues } from '../settings/settings.ts'
import { devicesAtRisk, telling, valueRules } from './devices-at-risk.ts'
import { comparisonOf } from './document-differences.ts'

export interface FirmwareDifferenceQuery extends ProductId {
  readonly variantType: string | null
  readonly from: string
  readonly to: string
}

export type KeptValuesOf = (
  product: ProductId & { readonly variantType: string | null },
  names: readonly string[],
) => Promise<readonly KeptValues[]>

/** Both versions by the definition version in use. Nothing is taken from a document above the highest supported version: that is a gap. */
export async function firmwareDifference(
  parts: {
    readonly documents: (
      selection: DocumentSelection,
      kinds: readonly DocumentKind[],
    ) => Promise<ReadDocuments>
    readonly keptValues: KeptValuesOf
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
  const comparison = comparisonOf(left, right, { usesAboveCeiling: false })
  const rules = valueRules(left, right, comparison)
  return {
    ...comparison,
    left: sideOf(left),
    right: sideOf(right),
    devices: devicesAtRisk(rules, await parts.keptValues({ ...product, variantType }, [...rules.keys()])),
  }
}

export const sideOf = ({ variantType, firmwareVersion, documents }: ReadDocuments): ComparedSide => ({
  variantType,
  firmwareVersion,
  documents: documents.map(({ items: _, raw: __, ...document }) => document),
})
