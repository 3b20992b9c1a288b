import { ownName } from '../devices/devices.ts'
import type { DeviceRecord, RoomRecord } from '../management/management.ts'
import type { SqlRow, Transaction } from '../platform.ts'
import type { RecordKind } from '../storage/store.ts'
import type { SyncOrigin } from './record-writer.ts'

/** The compared members of which null says nothing about the device or room (services.md#B1). */
type Values = Readonly<Partial<Record<'name' | 'status' | 'firmwareVersion', string | null>>>

const statusOf = ({ status }: DeviceRecord | RoomRecord): string | null =>
  status === 'unknown' ? null : status

export const valuesOfDevice = (record: DeviceRecord): Values => ({
  name: ownName(record),
  status: statusOf(record),
  firmwareVersion: record.firmwareVersion,
})
export const valuesOfRoom = (record: RoomRecord): Values => ({ name: record.name, status: statusOf(record) })

/**
 * The last known values of members that were null before and are not now. Remembers those of members that
 * become null.
 */
export function lastKnown(
  transaction: Transaction,
  organizationId: string,
  { kind, id, before, after }: { kind: RecordKind; id: string; before: Values; after: Values },
): Record<string, string> {
  const known: Record<string, string> = {}
  const where = 'organization_id = ? AND kind = ? AND id = ? AND member = ?'
  for (const [member, was] of Object.entries(before)) {
    const is = after[member as keyof Values] ?? null
    const of = [organizationId, kind, id, member] as const
    if (was !== null && is === null)
      transaction.run(
        'INSERT OR REPLACE INTO last_known (organization_id, kind, id, member, value) VALUES (?, ?, ?, ?, ?)',
        [...of, was],
      )
    if (was !== null || is === null) continue
    const row = transaction.first(`SELECT value FROM last_known WHERE ${where}`, of)
    if (row === undefined) continue
    known[member] = String(row['value'])
    transaction.run(`DELETE FROM last_known WHERE ${where}`, of)
  }
  return known
}

/**
 * For the second record of a room in one sync: the room as it was before this sync, because the first one may
 * differ in each sync (services.md#B41). Deletes the changes from which it is known, of the members that the
 * second record has. null: there was no such room.
 */
export function roomBeforeSync(
  transaction: Transaction,
  { organizationId, startedAt, known }: SyncOrigin,
  [first, second]: readonly [RoomRecord, RoomRecord],
): RoomRecord | null {
  if (!known) return null
  const found = transaction.all(
    `SELECT id, kind, before FROM change WHERE organization_id = ? AND subject = 'room' AND subject_id = ? AND observed_at >= ? ORDER BY id DESC`,
    [organizationId, second.id, startedAt],
  )
  if (found.some(({ kind }) => kind === 'appeared')) return null
  const undo = (member: string | null, isTold: boolean, kinds: readonly string[]): string | null => {
    let value = member
    for (const row of isTold ? found.filter(({ kind }) => kinds.includes(String(kind))) : []) {
      transaction.run('DELETE FROM change WHERE id = ?', [Number(row['id'])])
      value = beforeOf(row)
    }
    return value
  }
  return {
    ...first,
    // Without a last known one the first record only lacks it.
    name: undo(first.name ?? second.name, second.name !== null, ['renamed']),
    status:
      undo(first.status, second.status !== 'unknown', ['went-offline', 'back-online', 'status-changed']) ??
      'unknown',
  }
}

const beforeOf = (row: SqlRow): string | null => (row['before'] === null ? null : String(row['before']))
