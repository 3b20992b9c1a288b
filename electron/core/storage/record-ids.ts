import { unseen } from '../../contract/unseen.ts'
import type { Transaction } from '../platform.ts'
import type { RecordKind } from './derived.ts'

/** Ids of a service are compared without case, blanks at the ends and invisible characters. */
export const idKey = (id: string): string => id.replaceAll(unseen, '').trim().toLowerCase()

/**
 * The id under which a device is stored: the spelling in which it came first, so that tags, notes, changes and
 * jobs stay with it. An id without a record, or that may be that of several, is its own.
 */
export function storedDeviceId(
  transaction: Pick<Transaction, 'all'>,
  organizationId: string,
  id: string,
): string {
  const ids = transaction
    .all("SELECT id FROM raw_record WHERE organization_id = ? AND kind = 'device' AND id_key = ?", [
      organizationId,
      idKey(id),
    ])
    .map((row) => String(row['id']))
  return ids.length === 1 && !ids.includes(id) ? (ids[0] ?? id) : id
}

/**
 * SQL, after IN: the record that an id of any spelling means. ?1 is the organization, ?2 the id, ?3 its
 * `idKey`. One that may be that of several records is its own only.
 */
export const recordMeant = (kind: RecordKind): string =>
  `(?2, (SELECT min(id) FROM raw_record WHERE organization_id = ?1 AND kind = '${kind}' AND id_key = ?3 HAVING count(*) = 1))`
