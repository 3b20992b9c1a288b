import type { OrganizationsPlatform } from './organizations-platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { fingerprintOf, insertFingerprint, joinScopes, storedFact, scopeOf } from './organizations-rows.ts'

/**
 * Records that an organization uses a key, so that profiles with the same key count their calls together;
 * returns the random id under which the key's fingerprint is stored. Joined scopes remain joined: counting
 * too much together only slows calls. Rejects with Failed `cache-unusable`.
 */
export async function noteFingerprint(
  platform: OrganizationsPlatform,
  workbook: Workbook,
  organizationId: string,
  key: string,
): Promise<string> {
  const salt = await workbook.write((transaction) =>
    storedFact(transaction, 'fingerprint-salt', platform.newId()),
  )
  const hash = await platform.keyHash(key, salt)
  return workbook.write((transaction) => {
    const scope = scopeOf(transaction, organizationId)
    const known = fingerprintOf(transaction, hash)
    if (known !== null) {
      if (scope !== null && scope !== known.budgetScope) joinScopes(transaction, scope, known.budgetScope)
      return known.id
    }
    const made = { id: platform.newId(), budgetScope: scope ?? platform.newId() }
    insertFingerprint(transaction, hash, made)
    return made.id
  })
}
