import type { Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { addLeftover, deleteKey } from './organizations-rows.ts'

/**
 * Rows removed in one transaction: a few milliseconds each, so that other work can run in between. Lower it
 * if removals delay writes.
 */
const chunk = 1_000

/**
 * From here on the organization is not listed. Its name is free again, and its keys are marked for removal
 * from the keychain.
 */
export function hideOrganization(
  transaction: Transaction,
  id: string,
  accountOf: (id: string, slot: 'primary' | 'secondary') => string,
): void {
  transaction.run(
    'INSERT OR IGNORE INTO removed_organization (organization_id) SELECT id FROM organization WHERE id = ?',
    [id],
  )
  transaction.run('UPDATE organization SET name_folded = id WHERE id = ?', [id])
  for (const slot of ['primary', 'secondary'] as const) {
    if (
      transaction.first('SELECT 1 AS there FROM subscription_key WHERE organization_id = ? AND slot = ?', [
        id,
        slot,
      ]) === undefined
    )
      continue
    deleteKey(transaction, id, slot)
    addLeftover(transaction, accountOf(id, slot))
  }
}

/** Removed organizations whose rows are not all deleted yet. */
export const removedOrganizations = async (workbook: Workbook): Promise<readonly string[]> =>
  (await workbook.query('SELECT organization_id FROM removed_organization')).map((row) =>
    String(row['organization_id']),
  )

/** How many rows of the organization grow with the fleet, as `n`. All others are removed with it. */
export const largeRowsSql = 'SELECT count(*) AS n FROM device_mark WHERE organization_id = ?1'

/** Removes a piece of them. Returns its row count; 0: none are left. */
export const removePiece = (transaction: Transaction, id: string): number =>
  transaction.run(
    `DELETE FROM device_mark WHERE (organization_id, kind, word, device_id) IN
       (SELECT organization_id, kind, word, device_id FROM device_mark WHERE organization_id = ? LIMIT ${chunk})`,
    [id],
  ).changes

/** The profile and its dependent rows. The journal remains: it is append-only and contains its own names. */
export const removeProfile = (transaction: Transaction, id: string): void => {
  transaction.run('DELETE FROM organization WHERE id = ?', [id])
}
