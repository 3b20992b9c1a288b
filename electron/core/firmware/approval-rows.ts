import type { Approval, ProductId } from '../../contract/api/firmware.ts'
import { variantKey, type CompareWith } from '../../contract/firmware.ts'
import type { SqlRow, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'

/** An approved version as stored in the workbook. */
export type StoredApproval = ProductId & Omit<Approval, 'product' | 'state'>

/** By product, the whole product before its variants. Rejects with Failed `cache-unusable`. */
export async function queryApprovals(
  workbook: Workbook,
  organizationId: string,
): Promise<readonly StoredApproval[]> {
  const rows = await workbook.query(
    `SELECT vendor_id, product_id, variant, version, reason, who, at, expires_at FROM approved_version
     WHERE organization_id = ? ORDER BY vendor_id, product_id, variant_key`,
    [organizationId],
  )
  return rows.map(approvalOf)
}

const approvalOf = (row: SqlRow): StoredApproval => ({
  vendorId: Number(row['vendor_id']),
  productId: Number(row['product_id']),
  variant: row['variant'] === null ? null : String(row['variant']),
  version: String(row['version']),
  reason: String(row['reason']),
  who: String(row['who']),
  at: Number(row['at']),
  expiresAt: row['expires_at'] === null ? null : Number(row['expires_at']),
})

/** Replaces the previous one. */
export function writeApproval(transaction: Transaction, organizationId: string, one: StoredApproval): void {
  transaction.run(
    `INSERT OR REPLACE INTO approved_version (organization_id, vendor_id, product_id, variant_key, variant, version, reason, who, at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      organizationId,
      one.vendorId,
      one.productId,
      variantKey(one.variant),
      one.variant,
      one.version,
      one.reason,
      one.who,
      one.at,
      one.expiresAt,
    ],
  )
}

export const deleteApproval = (
  transaction: Transaction,
  organizationId: string,
  { vendorId, productId, variant }: Pick<StoredApproval, 'vendorId' | 'productId' | 'variant'>,
): void =>
  void transaction.run(
    'DELETE FROM approved_version WHERE organization_id = ? AND vendor_id = ? AND product_id = ? AND variant_key = ?',
    [organizationId, vendorId, productId, variantKey(variant)],
  )

export async function queryCompareWith(workbook: Workbook, organizationId: string): Promise<CompareWith> {
  const [row] = await workbook.query('SELECT compare_with FROM organization WHERE id = ?', [organizationId])
  return row?.['compare_with'] === 'approved' ? 'approved' : 'latest'
}

export const writeCompareWith = (transaction: Transaction, organizationId: string, word: CompareWith): void =>
  void transaction.run('UPDATE organization SET compare_with = ? WHERE id = ?', [word, organizationId])
