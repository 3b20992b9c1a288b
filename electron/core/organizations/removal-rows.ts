import type { Transaction } from '../platform.ts'
import { addLeftover, deleteKey } from './organizations-rows.ts'

/** Rows that are removed in one transaction: a few milliseconds each, so that whoever works meanwhile has a turn. Chosen. */
const chunk = 1_000

/** Tables that grow with the fleet: their rows go piece by piece, all others with the organization. */
const largeTables = ['tagged_device', 'listed_device'] as const

/** From here on the organization is in no list. Its name is free again, and its keys wait to be removed from the keychain. */
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

/** Organizations that were removed and whose rows are not all gone yet. */
export const removedOrganizations = (transaction: Transaction): string[] =>
  transaction
    .all('SELECT organization_id FROM removed_organization')
    .map((row) => String(row['organization_id']))

/** How many rows of the large tables an organization has, as `n`. */
export const largeRowsSql = `SELECT ${largeTables
  .map((table) => `(SELECT count(*) FROM ${table} WHERE organization_id = ?1)`)
  .join(' + ')} AS n`

/** Removes a piece. Answers its rows; 0: nothing of the large tables is left. */
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

/** The profile and what hangs on it. The journal stays: it is append-only and carries names of its own. */
export const removeProfile = (transaction: Transaction, id: string): void => {
  transaction.run('DELETE FROM organization WHERE id = ?', [id])
}
