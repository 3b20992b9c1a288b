import type { Transaction } from '../platform.ts'
import { addLeftover, deleteKey } from './organizations-rows.ts'

/**
 * Rows removed in one transaction: a few milliseconds each, so that other work can run in between. Lower it
 * if removals delay writes.
 */
const chunk = 1_000

/** Tables that grow with the fleet: their rows are removed in pieces, all others with the organization. */
const largeTables = ['tagged_device', 'listed_device'] as const

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
export const removedOrganizations = (transaction: Transaction): string[] =>
  transaction
    .all('SELECT organization_id FROM removed_organization')
    .map((row) => String(row['organization_id']))

/** How many rows of the large tables an organization has, as `n`. */
export const largeRowsSql = `SELECT ${largeTables
  .map((table) => `(SELECT count(*) FROM ${table} WHERE organization_id = ?1)`)
  .join(' + ')} AS n`

/** Removes a piece. Returns its row count; 0: the large tables are empty. */
export function removePiece(transaction: Transaction, id: string): number {
  for (const table of largeTables) {
    const { changes } = transaction.run(
      `DELETE FROM ${table} WHERE (organization_id, word, device_id) IN (SELECT organization_id, word, device_id FROM ${table} WHERE organization_id = ? LIMIT ${chunk})`,
      [id],
    )
    if (changes > 0) return changes
  }
  return 0
}

/** The profile and its dependent rows. The journal remains: it is append-only and contains its own names. */
export const removeProfile = (transaction: Transaction, id: string): void => {
  transaction.run('DELETE FROM organization WHERE id = ?', [id])
}
