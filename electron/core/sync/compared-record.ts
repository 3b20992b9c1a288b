import type { ChangeDraft } from '../changes/changes.ts'
import { identifyingWords, isSameWord, type DeviceRecord, type RoomRecord } from '../management/management.ts'
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

/** Rooms of a device before and after, as far as known. */
interface DevicePlaces {
  readonly before: { readonly id: string; readonly name: string | null } | null
  readonly after: { readonly id: string; readonly name: string | null } | null
}

/**
 * The differences between two records of one device. "Unknown" is not an event: a missing status, version or
 * name says nothing about the device.
 */
export function deviceChanges(
  before: DeviceRecord,
  after: DeviceRecord,
  places: DevicePlaces,
): readonly ChangeDraft[] {
  const drafts: ChangeDraft[] = []
  if (!isSameWord(before.status, after.status)) {
    const kind = statusChange(before.status, after.status)
    if (kind) drafts.push({ kind, before: before.status, after: after.status })
  }
  if (before.firmwareVersion !== after.firmwareVersion && after.firmwareVersion !== null)
    drafts.push({ kind: 'firmware-changed', before: before.firmwareVersion, after: after.firmwareVersion })
  if (before.groupId !== after.groupId && places.before?.id !== places.after?.id)
    drafts.push({
      kind: 'moved-room',
      before: placeName(places.before, before.groupId),
      after: placeName(places.after, after.groupId),
    })
  if (before.name !== after.name && ownName(after) !== null)
    drafts.push({ kind: 'renamed', before: before.name, after: after.name })
  return drafts
}

/**
 * null: the service sent none, and the device is called by its product or id. One that is named like its
 * product has a name: only the record as received tells it.
 */
function ownName({ name, productName, id, raw }: DeviceRecord): string | null {
  return [productName, id].includes(name) && identifyingWords(raw).name === null ? null : name
}

function statusChange(before: string, after: string): ChangeDraft['kind'] | null {
  if (before === 'unknown' || after === 'unknown') return null
  if (after === 'offline') return 'went-offline'
  if (after === 'rebooting') return 'rebooted'
  if (after === 'online')
    return before === 'rebooting' || before === 'offline' ? 'back-online' : 'status-changed'
  return 'status-changed'
}

/** The room's name, else its id; a group id without a known room is used itself. */
function placeName(place: DevicePlaces['before'], groupId: string | null): string | null {
  return place ? (place.name ?? place.id) : groupId
}

/** The rooms before and after, looked up only if the group id differs. */
export function placesOf(
  transaction: Transaction,
  organizationId: string,
  before: DeviceRecord,
  after: DeviceRecord,
): DevicePlaces {
  if (before.groupId === after.groupId) return { before: null, after: null }
  const place = (groupId: string | null): { id: string; name: string | null } | null => {
    if (groupId === null) return null
    const row = transaction.first(
      `SELECT a.id, r.name FROM record_alias a LEFT JOIN room_row r ON r.organization_id = a.organization_id AND r.id = a.id
       WHERE a.organization_id = ? AND a.kind = 'room' AND a.alias = ? AND a.id IS NOT NULL`,
      [organizationId, groupId],
    )
    return row ? { id: String(row['id']), name: typeof row['name'] === 'string' ? row['name'] : null } : null
  }
  // A group id without a known room is treated as a separate room.
  const known = (groupId: string | null): { id: string; name: string | null } | null =>
    place(groupId) ?? (groupId === null ? null : { id: groupId, name: groupId })
  return { before: known(before.groupId), after: known(after.groupId) }
}

/** The differences between two records of one room. A missing status or name is not an event. */
export function roomChanges(before: RoomRecord, after: RoomRecord): readonly ChangeDraft[] {
  const drafts: ChangeDraft[] = []
  if (!isSameWord(before.status, after.status) && before.status !== 'unknown' && after.status !== 'unknown') {
    const kind =
      after.status === 'disconnected'
        ? 'went-offline'
        : after.status === 'connected'
          ? 'back-online'
          : 'status-changed'
    drafts.push({ kind, before: before.status, after: after.status })
  }
  if (before.name !== after.name && after.name !== null)
    drafts.push({ kind: 'renamed', before: before.name, after: after.name })
  return drafts
}
