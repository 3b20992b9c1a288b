import type { Change, ChangeRow } from '../../contract/api/changes.ts'
import type { ChangeKind } from '../../contract/api/changes.ts'
import type { SqlRow, Transaction } from '../platform.ts'
import { foldedWhereOther } from '../storage/search-text.ts'
import { textOrNull } from '../storage/row-values.ts'

/** A change that was found and is not stored yet. */
export interface ChangeDraft {
  readonly kind: ChangeKind
  readonly before: string | null
  readonly after: string | null
}

export interface ChangeSubject {
  readonly organizationId: string
  readonly of: Change['of']
  readonly id: string
  readonly name: string
}

/** Called in the transaction that writes the compared rows. */
export function recordChanges(
  transaction: Transaction,
  subject: ChangeSubject,
  drafts: readonly ChangeDraft[],
  observedAt: number,
): void {
  for (const { kind, before, after } of drafts)
    transaction.run(
      `INSERT INTO change (organization_id, subject, subject_id, subject_name, kind, before, after, observed_at, name_folded, before_folded, after_folded)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        subject.organizationId,
        subject.of,
        subject.id,
        subject.name,
        kind,
        before,
        after,
        observedAt,
        foldedWhereOther(subject.name),
        foldedWhereOther(before),
        foldedWhereOther(after),
      ],
    )
}

/**
 * A group id turned out to name a room: devices that moved to it since then moved to this room, by its name or
 * id, and those that were in it did not move. A room may have been renamed since then.
 */
export function placeMoves(
  transaction: Transaction,
  organizationId: string,
  { groupId, roomId, since }: { groupId: string; roomId: string; since: number },
): void {
  const moves = transaction.all(
    `SELECT c.id, c.before FROM device_row d CROSS JOIN change c INDEXED BY change_of ON c.organization_id = ?1 AND c.subject = 'device' AND c.subject_id = d.id
     WHERE d.organization_id = ?1 AND d.group_id = ?2 AND c.kind = 'moved-room' AND c.after = ?2 AND c.observed_at >= ?3`,
    [organizationId, groupId, since],
  )
  if (moves.length === 0) return
  const [room] = transaction.all('SELECT name FROM room_row WHERE organization_id = ? AND id = ?', [
    organizationId,
    roomId,
  ])
  const renamed = transaction.all(
    `SELECT before FROM change INDEXED BY change_of WHERE organization_id = ? AND subject = 'room' AND subject_id = ? AND kind = 'renamed' AND observed_at >= ?`,
    [organizationId, roomId, since],
  )
  const name = textOrNull(room?.['name']) ?? roomId
  const called = new Set([name, roomId, ...renamed.map(({ before }) => before)])
  for (const { id, before } of moves)
    if (before !== null && called.has(before))
      transaction.run('DELETE FROM change WHERE id = ?', [Number(id)])
    else
      transaction.run('UPDATE change SET after = ?, after_folded = ? WHERE id = ?', [
        name,
        foldedWhereOther(name),
        Number(id),
      ])
}

/**
 * Changes older than 400 days are deleted after a complete sync. A year and a month allow comparing with the
 * same season; raise it if people look further back.
 */
export function dropOldChanges(transaction: Transaction, organizationId: string, now: number): void {
  transaction.run('DELETE FROM change WHERE organization_id = ? AND observed_at < ?', [
    organizationId,
    now - 400 * 24 * 3_600_000,
  ])
}

/** The columns of the change itself; `c` is the change. */
export const changeColumns =
  'c.id, c.subject, c.subject_id, c.subject_name, c.kind, c.before, c.after, c.observed_at'

/**
 * The current data: a device's product, serial number and user, and its room (by its group id, else the room
 * that lists it), or the room itself.
 */
export const rowColumns = `${changeColumns}, d.product_id, d.product_name, d.serial_number, d.user_name, r.id AS room_id, r.name AS room_name`
export const besideChange = `LEFT JOIN device_row d ON c.subject = 'device' AND d.organization_id = c.organization_id AND d.id = c.subject_id
  LEFT JOIN record_alias a ON a.organization_id = d.organization_id AND a.kind = 'room' AND a.alias = d.group_id
  LEFT JOIN room_member m ON m.organization_id = d.organization_id AND m.device_id = d.id
  LEFT JOIN room_row r ON r.organization_id = c.organization_id AND r.id = CASE c.subject WHEN 'room' THEN c.subject_id ELSE COALESCE(a.id, m.room_id) END`

export function changeOf(row: SqlRow): Change {
  return {
    id: Number(row['id']),
    of: row['subject'] === 'room' ? 'room' : 'device',
    subjectId: String(row['subject_id']),
    subjectName: String(row['subject_name']),
    kind: String(row['kind']) as ChangeKind,
    before: textOrNull(row['before']),
    after: textOrNull(row['after']),
    observedAt: Number(row['observed_at']),
  }
}

export function changeRowOf(row: SqlRow): Omit<ChangeRow, 'own' | 'jobId'> {
  const roomId = textOrNull(row['room_id'])
  return {
    ...changeOf(row),
    productId: typeof row['product_id'] === 'number' ? row['product_id'] : null,
    productName: textOrNull(row['product_name']),
    serialNumber: textOrNull(row['serial_number']),
    userName: textOrNull(row['user_name']),
    room: roomId === null ? null : { id: roomId, name: textOrNull(row['room_name']) },
  }
}
